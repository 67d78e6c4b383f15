// SPDX-License-Identifier: MIT
#include "gui/app/pages/lecture.h"

#include "gui/panels/code_panel.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/step_bar.h"
#include "gui/timeline/comparison_view.h"

#include <QEvent>
#include <QMainWindow>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double usual_height = 640;  // at this height everything has its usual size
constexpr int least_window = 640, high_window = 900;  // lower ones have no room for code, or for little of it
constexpr int few_lines = 3, most_lines = 5;
constexpr double least = 1.2, most = 3.5;
constexpr double title_pixels = 22, text_pixels = 13.5, rule_pixels = 15.5;  // usual sizes, before they are made larger

QString paragraph(const QString& text, double pixels, bool strong)
{
    return QStringLiteral("<p style='font-size:%1px; font-weight:%2; margin:0 0 %3px 0'>%4</p>")
        .arg(std::lround(pixels))
        .arg(strong ? 600 : 400)
        .arg(std::lround(pixels / 3))
        .arg(text.toHtmlEscaped());
}

}  // namespace

Lecture::Lecture(
    QMainWindow* window, ComparisonView* timeline, LessonPanel* lesson, StepBar* steps, std::vector<QWidget*> hidden)
    : QObject(window)
    , m_window(window)
    , m_timeline(timeline)
    , m_lesson(lesson)
    , m_steps(steps)
    , m_hidden(std::move(hidden))
    , m_title(new QLabel)
    , m_text(new QLabel)
    , m_code(new CodePanel)
{
    m_title->setObjectName(QStringLiteral("lectureTitle"));
    m_text->setObjectName(QStringLiteral("lectureText"));
    m_title->setTextFormat(Qt::PlainText);
    m_text->setTextFormat(Qt::RichText);
    for (QLabel* label : {m_title, m_text}) {
        label->setWordWrap(true);
        label->hide();
    }
    m_code->setObjectName(QStringLiteral("lectureCode"));
    m_code->setAttribute(Qt::WA_StyledBackground);
    m_code->hide();
    m_window->installEventFilter(this);
}

double Lecture::magnificationFor(int height)
{
    return std::clamp(height / usual_height, least, most);
}

void Lecture::setOn(bool on)
{
    if (on == m_on) {
        return;
    }
    m_on = on;
    if (on) {
        m_toShow.clear();
        std::copy_if(m_hidden.begin(), m_hidden.end(), std::back_inserter(m_toShow),
            [](const QWidget* part) { return !part->isHidden(); });
        m_before = m_window->windowState();
        for (QWidget* part : m_toShow) {
            part->hide();
        }
        m_window->setWindowState(m_before | Qt::WindowFullScreen);
    } else {
        m_window->setWindowState(m_before & ~Qt::WindowFullScreen);
        m_text->hide();
        m_code->hide();
        for (QWidget* part : m_toShow) {
            part->show();
        }
    }
    m_title->setVisible(on);
    size();
}

/// As large as the window's height allows.
void Lecture::size()
{
    const double times = m_on ? magnificationFor(m_window->height()) : 1;
    m_timeline->setMagnification(times);
    m_steps->setLarge(m_on ? times : 0);
    m_title->setStyleSheet(QStringLiteral("font-size: %1px; font-weight: 600;").arg(std::lround(title_pixels * times)));
    const int margin = static_cast<int>(12 * times);
    m_title->setContentsMargins(margin, margin / 3, margin, margin / 3);
    m_text->setContentsMargins(margin, margin / 2, margin, margin / 2);
    m_code->setContentsMargins(margin, margin / 2, margin, margin / 2);
    m_code->setLarge(times, m_window->height() < high_window ? few_lines : most_lines);
}

void Lecture::refresh(const QString& fallback, bool stepping)
{
    const double times = magnificationFor(m_window->height());
    const auto& workload = m_lesson->workload();
    m_title->setText(workload ? m_lesson->title() : fallback);
    QString text;
    const auto sections = m_lesson->sections();
    for (const auto& section : sections) {
        const bool rule = &section == &sections.back() && sections.size() > 1;
        if (rule || &section == &sections.front()) {
            text += paragraph(section.text, (rule ? rule_pixels : text_pixels) * times, rule);
        }
    }
    m_text->setText(text);
    m_text->setVisible(m_on && !stepping && !text.isEmpty());
    m_code->setVisible(m_on && stepping && m_code->hasCode() && m_window->height() >= least_window);
}

bool Lecture::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_window && m_on && event->type() == QEvent::Resize) {
        size();
        refresh(m_title->text(), !m_text->isVisibleTo(m_window));
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace lanes::gui
