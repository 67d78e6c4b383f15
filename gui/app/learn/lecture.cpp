// SPDX-License-Identifier: MIT
#include "gui/app/learn/lecture.h"

#include "gui/app/frame/legend_strip.h"
#include "gui/app/learn/guess_page.h"
#include "gui/paint/theme.h"
#include "gui/paint/words/printable_text.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/step_bar.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/stack_heights.h"

#include <QEvent>
#include <QMainWindow>
#include <QTextDocument>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double usual_height = 600;  // at this height everything has its usual size
constexpr double least_times = 1.2, most_times = 3.5;
constexpr double strip_share = 0.2;  // of the window's height
constexpr int code_lines = 3;
constexpr double legend_share = 0.8;  // of what else is large: it stays one line
constexpr double guess_share = 1.3;  // it has the whole window
constexpr double title_pixels = 20, look_pixels = 14, rule_pixels = 21, why_pixels = 17;  // usual sizes
constexpr double smaller = 0.94, small = 0.85, smallest = 0.6;  // how text is made to fit

struct Line {
    QString text;
    double pixels;
    bool strong;
    bool quiet = false;
    bool optional = false;  ///< goes before the others become small
};

QString htmlOf(const std::vector<Line>& lines, double times, const QColor& quiet)
{
    QString html;
    for (const Line& line : lines) {
        const auto pixels = std::lround(line.pixels * times);
        html += QStringLiteral("<p style='font-size:%1px; font-weight:%2; margin:0 0 %3px 0%4'>%5</p>")
                    .arg(pixels)
                    .arg(line.strong ? 600 : 400)
                    .arg(pixels / 4)
                    .arg(line.quiet ? QStringLiteral("; color:") + quiet.name() : QString(), htmlLines(line.text));
    }
    return html;
}

/// As large as there is room for.
QString fitted(std::vector<Line> lines, double times, QSize room, const QColor& quiet)
{
    QString html;
    for (double share = 1; share >= smallest; share *= smaller) {
        if (share < small && std::erase_if(lines, [](const Line& line) { return line.optional; }) > 0) {
            share = 1;
        }
        html = htmlOf(lines, times * share, quiet);
        QTextDocument document;
        document.setDocumentMargin(0);
        document.setDefaultFont(bundledFont(look_pixels));
        document.setHtml(html);
        document.setTextWidth(room.width());
        if (document.size().height() <= room.height()) {
            break;
        }
    }
    return html;
}

}  // namespace

Lecture::Lecture(const Parts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_text(new QLabel)
    , m_code(new CodePanel)
{
    m_text->setObjectName(QStringLiteral("lectureText"));
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    m_text->setMinimumWidth(1);
    m_text->hide();
    m_code->setObjectName(QStringLiteral("lectureCode"));
    m_code->hide();
    m_parts.window->installEventFilter(this);
}

double Lecture::magnificationFor(int height)
{
    return std::clamp(height / usual_height, least_times, most_times);
}

int Lecture::stripHeight() const
{
    return static_cast<int>(m_parts.window->height() * strip_share);
}

void Lecture::setOn(bool on)
{
    if (on == m_on) {
        return;
    }
    m_on = on;
    QMainWindow* window = m_parts.window;
    if (on) {
        m_toShow.clear();
        std::copy_if(m_parts.hidden.begin(), m_parts.hidden.end(), std::back_inserter(m_toShow),
            [](const QWidget* part) { return !part->isHidden(); });
        m_before = window->windowState();
        for (QWidget* part : m_toShow) {
            part->hide();
        }
        window->setWindowState(m_before | Qt::WindowFullScreen);
    } else {
        window->setWindowState(m_before & ~Qt::WindowFullScreen);
        for (QWidget* part : m_toShow) {
            part->show();
        }
    }
    size();
    emit turned(on);
}

/// As large as the window's height allows, and as the lanes allow: all of them stay in sight.
void Lecture::size()
{
    const int height = m_parts.window->height();
    const double times = magnificationFor(height);
    const int strip = says() ? stripHeight() : 0;
    m_parts.guess->setLarge(m_on ? guess_share * times : 0);
    m_parts.steps->setLarge(m_on ? times : 0);
    m_parts.steps->setMinimumHeight(m_on ? strip : 0);
    m_parts.steps->setMaximumHeight(m_on ? strip : QWIDGETSIZE_MAX);
    m_text->setFixedHeight(strip);
    const int margin = static_cast<int>(10 * times);
    m_text->setContentsMargins(margin, margin / 2, margin, margin / 2);
    m_code->setLarge(times, code_lines);
    m_parts.legend->setLarge(m_on ? legend_share * times : 1);
    const int legend = m_parts.legend->isHidden() ? 0 : m_parts.legend->sizeHint().height();
    m_parts.timeline->setMagnification(
        m_on ? fittingMagnification(times, m_parts.timeline->heights().least, height - strip - legend) : 1);
    say();
}

void Lecture::refresh(const QString& fallback, Shown part)
{
    m_fallback = fallback;
    m_part = part;
    if (m_on) {
        size();
    } else {
        say();
    }
}

void Lecture::setOutcome(const QString& text)
{
    m_outcome = text;
    say();
}

void Lecture::setPlace(const QString& place, const QString& next)
{
    m_place = place;
    m_next = next;
    say();
}

/// Of a recording that is no lesson the lanes' heads say all: they get the room.
bool Lecture::says() const
{
    return m_part == Shown::steps || m_parts.lesson->workload() || !m_outcome.isEmpty();
}

void Lecture::say()
{
    m_text->setVisible(m_on && m_part != Shown::steps && says());
    m_code->setVisible(m_on && m_part == Shown::steps && m_code->hasCode());
    if (!m_on) {
        return;
    }
    const LessonPanel& lesson = *m_parts.lesson;
    const auto sections = lesson.sections();
    std::vector<Line> lines;
    const auto add = [&](const QString& text, double pixels, bool strong, bool quiet = false) {
        if (!text.isEmpty()) {
            lines.push_back({text, pixels, strong, quiet});
        }
    };
    if (m_part == Shown::rule && sections.size() > 1) {
        add(sections.back().text, rule_pixels, true);
        add(m_outcome, look_pixels, true, true);
        add(sections.size() > 2 ? sections[1].text : QString(), why_pixels, false);
        if (sections.size() > 2) {
            lines.back().optional = true;  // the lecturer says it
        }
        add(m_next.isEmpty() ? QString() : QStringLiteral("→  %1").arg(m_next), why_pixels, false, true);
    } else {
        const QString title = lesson.workload() ? lesson.title() : m_fallback;
        add(m_place.isEmpty() ? title : QStringLiteral("%1   ·   %2").arg(title, m_place), title_pixels, true);
        add(m_outcome, look_pixels, true, true);
        add(sections.empty() ? QString() : sections.front().text, look_pixels, false);
    }
    const QMargins around = m_text->contentsMargins();
    const QSize room(
        m_parts.window->width() - around.left() - around.right(), stripHeight() - around.top() - around.bottom());
    m_text->setText(fitted(
        lines, magnificationFor(m_parts.window->height()), room, m_text->palette().color(QPalette::PlaceholderText)));
}

bool Lecture::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_parts.window && m_on && event->type() == QEvent::Resize) {
        size();
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace lanes::gui
