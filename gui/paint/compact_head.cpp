// SPDX-License-Identifier: MIT
#include "gui/paint/compact_head.h"

#include "gui/paint/title_pills.h"
#include "gui/paint/torn_edge.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"

#include <utility>

namespace lanes::gui {

namespace {

constexpr LabelPainter::Style head_title_style {12, TextStyle::semiBold};
constexpr LabelPainter::Style head_pill_style {11, TextStyle::semiBold};
constexpr LabelPainter::Style head_part_style {11, TextStyle::regular};
constexpr double head_margin = FrameGeometry::compact_label_width;
constexpr double head_gap = 6;
constexpr double head_inset = 5;
constexpr int head_line = 15;
constexpr double head_plate = 14;

}  // namespace

CompactHead::CompactHead(const TimelineFrame& frame, LabelPainter& labels)
    : m_theme(frame.theme)
    , m_width(frame.geometry.size.width())
{
    const double right = m_width - head_margin;
    double x = head_margin;
    int line = 0;
    const auto middle = [&] { return head_line * (line + 0.5) + 1; };
    const auto write = [&](const QString& words, const QColor& color) {
        const QString shown = labels.elided(words, right - x, head_title_style);
        m_pieces.push_back({x, middle(), shown, head_title_style, color});
        x += labels.width(shown, head_title_style) + head_gap;
    };
    const QString total = formatTime(frame.model.duration());
    if (!frame.letter.isEmpty()) {
        write(frame.letter, m_theme.accent);
    }
    const double forTitle = right - x - head_gap - labels.width(total, head_title_style);
    const QString title = text(frame.model.recording().title);
    for (const QString& part : labels.wrapped(title, forTitle, right - head_margin, head_title_style)) {
        if (x + labels.width(part, head_title_style) > right) {
            x = head_margin;
            ++line;
        }
        write(part, m_theme.text);
    }
    if (x + labels.width(total, head_title_style) > right) {
        x = head_margin;
        ++line;
    }
    write(total, m_theme.accent);
    if (const QString part = shownPartText(frame); !part.isEmpty()) {
        const double width = labels.width(part, head_part_style);
        if (x + width > right) {
            x = head_margin;
            ++line;
        }
        m_pieces.push_back(
            {x, middle(), labels.elided(part, right - x, head_part_style), head_part_style, m_theme.muted});
        x += width + head_gap;
    }
    for (const TitlePill& pill : titlePills(frame)) {
        if (x + labels.width(pill.text, head_pill_style) + 2 * head_inset > right && x > head_margin) {
            x = head_margin;
            ++line;
        }
        const double room = right - x - 2 * head_inset;
        bool first = true;
        for (const QString& part :
            labels.wrapped(pill.text, room, right - head_margin - 2 * head_inset, head_pill_style)) {
            const double width = labels.width(part, head_pill_style) + 2 * head_inset;
            if (!std::exchange(first, false)) {
                x = head_margin;
                ++line;
            }
            m_plates.push_back({QRectF(x, middle() - head_plate / 2, width, head_plate), pill.ground});
            m_pieces.push_back({x + head_inset, middle(), part, head_pill_style, pill.color});
            x += width + head_gap;
        }
    }
    m_height = (line + 1) * head_line + 3;
}

void CompactHead::paint(QPainter& painter, LabelPainter& labels, bool vector) const
{
    painter.fillRect(QRectF(0, 0, m_width, m_height), m_theme.background);
    painter.setPen(Qt::NoPen);
    for (const Plate& plate : m_plates) {
        painter.setBrush(plate.color);
        painter.drawRoundedRect(plate.box, 4, 4);
    }
    for (const Piece& piece : m_pieces) {
        labels.draw(painter, piece.x, piece.middle, piece.text, piece.style, piece.color, vector);
    }
}

}  // namespace lanes::gui
