// SPDX-License-Identifier: MIT
#include "gui/app/learn/presenter.h"

#include "gui/app/learn/guess_page.h"
#include "gui/app/learn/step_through.h"
#include "gui/panels/lesson_panel.h"
#include "gui/session/milestones.h"
#include "gui/timeline/comparison_view.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>

namespace lanes::gui {

namespace {

int directionOf(const QKeyEvent& key)
{
    if ((key.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) {
        return 0;
    }
    switch (key.key()) {
    case Qt::Key_Right:
    case Qt::Key_PageDown:
        return 1;
    case Qt::Key_Left:
    case Qt::Key_PageUp:
        return -1;
    default:
        return 0;
    }
}

/// Needs these keys for itself.
bool isField(const QObject* widget)
{
    return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget)
        || qobject_cast<const QComboBox*>(widget);
}

}  // namespace

Presenter::Presenter(QMainWindow* window, const QWidget* notes, Lecture* lecture, StepThrough* steps, GuessPage* guess,
    ComparisonView* timeline)
    : QObject(window)
    , m_window(window)
    , m_notes(notes)
    , m_lecture(lecture)
    , m_steps(steps)
    , m_guess(guess)
    , m_timeline(timeline)
{
    connect(lecture, &Lecture::turned, this, [this](bool on) {
        on ? qApp->installEventFilter(this) : qApp->removeEventFilter(this);
        m_at = 0;
    });
    connect(steps, &StepThrough::changed, this, [this] {
        if (!m_moving && !m_steps->isOn()) {  // left by another key
            m_at = 0;
        }
    });
}

Lecture::Shown Presenter::part() const
{
    return m_steps->isOn()                       ? Lecture::Shown::steps
        : m_at > 0 && m_at == m_stops.size() + 1 ? Lecture::Shown::rule
                                                 : Lecture::Shown::look;
}

void Presenter::begin()
{
    m_at = 0;
    m_stops.clear();
}

void Presenter::findStops()
{
    if (!m_stops.empty()) {
        return;
    }
    for (int side = 0; side < m_steps->sides(); ++side) {
        for (const std::size_t step : milestones(m_steps->steps(side))) {
            m_stops.emplace_back(side, step);
        }
    }
}

std::size_t Presenter::length()
{
    findStops();
    return m_stops.size() + 1;
}

QString Presenter::text(std::size_t ahead)
{
    findStops();
    if (m_steps->isPlaying()) {
        return {};
    }
    if (ahead == 0 && m_steps->isOn() && m_steps->current()) {  // where another key has led
        return m_steps->text(m_steps->side(), *m_steps->current());
    }
    const std::size_t at = m_at + ahead;
    if (at == 0) {
        return LessonPanel::tr("What to look at");
    }
    return at <= m_stops.size()    ? m_steps->text(m_stops[at - 1].first, m_stops[at - 1].second)
        : at == m_stops.size() + 1 ? LessonPanel::tr("The rule")
                                   : QString();
}

void Presenter::go(int by)
{
    if (m_guess->isVisible()) {
        if (by > 0) {
            m_guess->finish();
        }
        return;
    }
    if (m_steps->sides() == 0) {
        return;
    }
    findStops();
    if (m_at == m_stops.size() + 1 && by > 0) {
        emit nextLessonWanted();
    } else if (by > 0 || m_at > 0) {
        m_at = by > 0 ? m_at + 1 : m_at - 1;
        show();
    }
}

void Presenter::show()
{
    m_moving = true;
    if (m_at > 0 && m_at <= m_stops.size()) {
        m_steps->goTo(m_stops[m_at - 1].first, m_stops[m_at - 1].second);
    } else {
        m_steps->setOn(false);
        m_timeline->select(m_timeline->activeIndex(), {});
    }
    m_moving = false;
    emit changed();
}

bool Presenter::eventFilter(QObject* watched, QEvent* event)
{
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    const auto* widget = key ? qobject_cast<const QWidget*>(watched) : nullptr;
    if (widget == nullptr || (widget->window() != m_window && widget->window() != m_notes) || isField(widget)) {
        return false;
    }
    const int by = directionOf(*static_cast<QKeyEvent*>(event));
    if (by == 0) {
        return false;
    }
    event->accept();
    if (event->type() == QEvent::KeyPress) {
        go(by);
    }
    return true;
}

}  // namespace lanes::gui
