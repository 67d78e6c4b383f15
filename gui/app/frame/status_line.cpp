// SPDX-License-Identifier: MIT
#include "gui/app/frame/status_line.h"

#include "engine/trace/event.h"
#include "gui/paint/theme.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/panels/details.h"
#include "gui/session/format.h"
#include "gui/session/workspace.h"
#include "gui/timeline/alignment.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int line_margin = 16;
constexpr int line_gap = 24;

QString oneLine(const QStringList& words)
{
    return words.join(QStringLiteral(" · "));
}

/// What is selected and how long it took, and what one can do with it.
QString selectedText(const Trace& trace, EventRef event)
{
    constexpr qsizetype most_letters = 32;
    const QString name = shortened(nameOf(trace, event), most_letters);
    const Interval span = span_of(trace, event);
    return span.end > span.start
        ? StatusLine::tr("%1, %2: [ cause, ] effect, F centres it, then zooms to it, the menu key shows more")
              .arg(name, formatTime(span.end - span.start))
        : StatusLine::tr("%1: [ cause, ] effect, F centres it, then zooms to it, the menu key shows more").arg(name);
}

}  // namespace

StatusLine::StatusLine(Workspace* workspace, ComparisonView* timeline, QWidget* parent)
    : QStatusBar(parent)
    , m_workspace(workspace)
    , m_timeline(timeline)
{
    setObjectName(QStringLiteral("statusLine"));
    setSizeGripEnabled(false);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setAccessibleName(tr("Status"));
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &StatusLine::read);
    const auto later = [this] { m_later.start(); };
    for (const int side : {0, 1}) {
        connect(timeline->view(side), &TimelineView::cursorMoved, this, [this, side](qint64 time) {
            m_over = time == no_time ? m_over : side;
            m_later.start();
        });
    }
    for (const auto signal : {&Workspace::changed, &Workspace::renewed, &Workspace::selectionChanged,
             &Workspace::selectedRangesChanged, &Workspace::walkChanged}) {
        connect(workspace, signal, this, later);
    }
    connect(&timeline->pair(), &TimelinePair::timeScaleChanged, this, later);
    timeline->installEventFilter(this);
}

void StatusLine::setHint(const QString& hint)
{
    m_hint = hint;
    m_later.start();
}

void StatusLine::read()
{
    const QStringList before {m_time, m_item, m_aside};
    readTime();
    readItem();
    readAside();
    if (before != QStringList {m_time, m_item, m_aside}) {
        setAccessibleDescription(QStringList {m_time, m_item, m_aside}.join(QStringLiteral(". ")));
        update();
    }
}

/// As fine as a pixel is, counted from where the ruler counts from.
void StatusLine::readTime()
{
    m_time.clear();
    QStringList words;
    for (int side = 0; side < m_workspace->count(); ++side) {
        const auto cursor = m_timeline->view(side)->overlay().cursor;
        const Timeline& shown = m_timeline->side(side);
        if (!cursor || shown.model() == nullptr) {
            continue;
        }
        const TimelineFrame frame = shown.frame();
        const QString time = formatTick(*cursor - frame.origin(),
            niceStep(frame.scale.timeAt(1) - frame.scale.timeAt(0)), shown.visibleRange().end - frame.origin());
        words += m_workspace->count() > 1 ? QStringLiteral("%1 %2").arg(QLatin1Char(side == 0 ? 'A' : 'B')).arg(time)
                                          : time;
    }
    m_time = words.join(QStringLiteral("   "));
}

/// What the tip says of it, and whose it is; of the selection where the mouse is elsewhere.
void StatusLine::readItem()
{
    m_item.clear();
    const OpenRecordingPtr over = m_workspace->at(m_over);
    const TimelineOverlay& overlay = m_timeline->view(m_over)->overlay();
    if (over && m_timeline->side(m_over).model() != nullptr && m_timeline->side(m_over).mouse) {
        QStringList words = overlay.tip;
        if (overlay.hovered && !words.isEmpty()) {
            if (const EventRef event = eventOf(*over, overlay.hovered)) {
                words.insert(1, laneText(*over->trace, event));
            }
        }
        m_item = oneLine(words);
    }
}

void StatusLine::readAside()
{
    m_aside.clear();
    if (m_workspace->count() == 0 || !m_timeline->isVisibleTo(window())) {
        return;
    }
    const Timeline& active = m_timeline->side(m_timeline->activeIndex());
    const Workspace::Walk& walk = m_workspace->walk();
    if (!m_hint.isEmpty()) {
        m_aside = m_hint;
    } else if (!walk.title.isEmpty()) {
        m_aside = walk.current ? tr("%1: %L2 of %L3, F3 next, Backspace previous view, Esc ends")
                                     .arg(walk.title)
                                     .arg(*walk.current + 1)
                                     .arg(walk.count)
            : walk.count == 0 ? tr("%1: nothing, Esc ends").arg(walk.title)
                              : tr("%1: %L2 marked, F3 next, Esc ends").arg(walk.title).arg(walk.count);
    } else if (const auto& range = active.state().highlights.range; range && active.model() != nullptr) {
        m_aside = oneLine(rangeLinesOf(*active.model(), *range));
    } else {
        const auto [side, event] = m_workspace->selection();
        m_aside = event ? selectedText(*m_workspace->at(side)->trace, event)
                        : tr("Drag selects a range, Ctrl+wheel zooms, a right click shows more");
    }
}

QSize StatusLine::sizeHint() const
{
    return {600, fontMetrics().height() + 9};
}

void StatusLine::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
    }
    QStatusBar::changeEvent(event);
}

bool StatusLine::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_timeline && (event->type() == QEvent::Show || event->type() == QEvent::Hide)) {
        m_later.start();
    }
    return QStatusBar::eventFilter(watched, event);
}

void StatusLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.fillRect(QRect(0, 0, width(), 1), palette().color(QPalette::Mid));
    const QFontMetrics metrics = fontMetrics();
    const Theme& theme = m_timeline->side(0).theme();  // the style sheet's palette has a paler one for what is aside
    const auto write = [&](int left, int right, const QString& text, const QColor& color, Qt::Alignment side) {
        if (right - left > 30) {
            painter.setPen(color);
            painter.drawText(QRect(left, 1, right - left, height() - 1), side | Qt::AlignVCenter,
                metrics.elidedText(text, Qt::ElideRight, right - left));
        }
    };
    const QString widest = QStringLiteral("A 000.0000 ms");
    const int usual = metrics.horizontalAdvance(
        m_workspace->count() > 1 ? widest + QStringLiteral("   ") + widest : QStringLiteral("000.0000 ms"));
    const int time = std::max(usual, metrics.horizontalAdvance(m_time) + 1);  // more digits where one looks closely
    const int left = line_margin + time + line_gap;
    // What is aside has at most half of the rest, so that what lies under the mouse is not cut by a hint.
    const int rest = width() - left - line_margin;
    const int aside = std::min(metrics.horizontalAdvance(m_aside) + 1,
        m_item.isEmpty() ? rest : std::max(rest / 2, rest - metrics.horizontalAdvance(m_item) - line_gap));
    write(line_margin, line_margin + time, m_time, theme.text, Qt::AlignLeft);
    write(left, width() - line_margin - aside - line_gap, m_item, theme.text, Qt::AlignLeft);
    write(width() - line_margin - aside, width() - line_margin, m_aside, theme.muted, Qt::AlignRight);
}

}  // namespace lanes::gui
