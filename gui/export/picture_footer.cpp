// SPDX-License-Identifier: MIT
#include "gui/export/picture_footer.h"

#include "gui/paint/staging_painter.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int line_height = 20;
constexpr int padding = 7;
constexpr double margin = 14;
constexpr double gap = 14;
constexpr double swatch_width = 16;
constexpr double least_bar = 56;
constexpr LabelPainter::Style style {11, TextStyle::regular};

void paintSwatch(QPainter& painter, const Theme& theme, ItemRole role, double x, double middle)
{
    const QRectF box(x, middle - 5, 11, 10);
    if (role == ItemRole::none) {
        painter.setPen(stagingPen(theme, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
        return;
    }
    const bool hatched = role == ItemRole::blocked || role == ItemRole::cpuHeld;
    painter.setPen(hatched ? QPen(theme.item(role), 1) : QPen(Qt::NoPen));
    painter.setBrush(hatched ? theme.hatchGround : theme.item(role));
    painter.drawRoundedRect(box, 2, 2);
    if (hatched) {
        painter.setPen(QPen(theme.item(role), 1.8, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(x + 1, middle + 1), QPointF(x + 6, middle - 4));
        painter.drawLine(QPointF(x + 4, middle + 4), QPointF(x + 10, middle - 2));
    }
}

void paintBar(QPainter& painter, const Theme& theme, double x, double width, double middle)
{
    painter.fillRect(QRectF(x, middle - 0.75, width, 1.5), theme.text);
    for (const double end : {x, x + width - 1.5}) {
        painter.fillRect(QRectF(end, middle - 4, 1.5, 8), theme.text);
    }
}

}  // namespace

PictureFooter::PictureFooter(Content content, int width, LabelPainter& labels)
    : m_width(width)
    , m_x(margin)
{
    if (content.nsPerPixel) {
        const Ns time = niceStep(least_bar * *content.nsPerPixel);
        m_barWidth = static_cast<double>(time) / *content.nsPerPixel;
        const QString text = formatTick(time, time, time);
        add(Kind::bar, text, m_barWidth + 6 + labels.width(text, style));
    }
    for (const LegendEntry& entry : content.legend) {
        add(Kind::entry, entry.text, swatch_width + labels.width(entry.text, style), entry.role);
    }
    for (const QString& source : content.sources) {
        const QString text = labels.elided(source, m_width - 2 * margin, style);
        add(Kind::source, text, labels.width(text, style));
    }
    // Sources stand at the right end of their line.
    for (int line = 0; line <= m_line; ++line) {
        double room = m_width - margin;
        for (const Item& item : m_items) {
            room -= item.line == line && item.kind == Kind::source ? item.width + gap : 0;
        }
        double x = room + gap;
        for (Item& item : m_items) {
            if (item.line == line && item.kind == Kind::source) {
                item.x = x;
                x += item.width + gap;
            }
        }
    }
    m_height = m_items.empty() ? 0 : (m_line + 1) * line_height + 2 * padding;
}

void PictureFooter::add(Kind kind, const QString& text, double width, ItemRole role)
{
    if (m_x > margin && m_x + width > m_width - margin) {
        m_x = margin;
        ++m_line;
    }
    m_items.push_back({kind, m_x, width, m_line, text, role});
    m_x += width + gap;
}

void PictureFooter::paint(QPainter& painter, const Theme& theme, LabelPainter& labels, bool vector) const
{
    painter.fillRect(QRectF(0, 0, m_width, m_height), theme.background);
    painter.fillRect(QRectF(0, 0, m_width, 0.7), theme.line);
    for (const Item& item : m_items) {
        const double middle = padding + line_height * (item.line + 0.5);
        double x = item.x;
        if (item.kind == Kind::bar) {
            paintBar(painter, theme, x, m_barWidth, middle);
            x += m_barWidth + 6;
        } else if (item.kind == Kind::entry) {
            paintSwatch(painter, theme, item.role, x, middle);
            x += swatch_width;
        }
        labels.draw(painter, x, middle, item.text, style, item.kind == Kind::bar ? theme.text : theme.muted, vector);
    }
}

}  // namespace lanes::gui
