// SPDX-License-Identifier: MIT
#include "gui/export/picture_footer.h"

#include "gui/paint/hatch_swatch.h"
#include "gui/paint/role_mark.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr double roomy_gap = 14, compact_gap = 10;
constexpr double swatch_width = 16;
constexpr double least_bar = 56;
constexpr LabelPainter::Style footer_style {11, TextStyle::regular};

void paintSwatch(QPainter& painter, const Theme& theme, ItemRole role, double x, double middle)
{
    const QRectF box(x, middle - 5, 11, 10);
    if (const Theme::Hatch* hatch = theme.hatch(role)) {
        paintHatchSwatch(painter, *hatch, box);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.item(role));
    painter.drawRoundedRect(box, 2, 2);
}

/// The ribbon's swatches are as low as it is, so that they are no bar's of the same grey.
void paintRibbonSwatch(QPainter& painter, const Theme& theme, ItemRole role, const QRectF& box)
{
    const double height = role == ItemRole::cpuFree || role == ItemRole::cpuWorking ? 3 : 6;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.background);
    painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.setBrush(theme.item(role));
    painter.setPen(QPen(theme.muted, 0.6));
    painter.drawRect(QRectF(box.left(), box.center().y() - height / 2, box.width(), height));
}

void paintMark(QPainter& painter, const Theme& theme, ItemRole role, const QRectF& box, bool onBars)
{
    switch (role) {
    case ItemRole::overlap1:
    case ItemRole::overlap2:
    case ItemRole::overlap3:
    case ItemRole::cpuFree:
    case ItemRole::cpuWorking:
        paintRibbonSwatch(painter, theme, role, box);
        break;
    default:
        if (onBars) {
            paintRoleMark(painter, role, box.center(), theme.textOn(theme.item(role)), theme.item(role));
        }
        break;
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
    : m_compact(content.density != LaneDensity::roomy)
    , m_width(width)
    , m_x(left())
{
    const double margin = left();
    const double gap = m_compact ? compact_gap : roomy_gap;
    if (content.nsPerPixel) {
        const Ns time = niceStep(least_bar * *content.nsPerPixel);
        m_barWidth = static_cast<double>(time) / *content.nsPerPixel;
        const QString text = formatTick(time, time, time);
        add(Kind::bar, text, m_barWidth + 6 + labels.width(text, footer_style));
    }
    for (const LegendEntry& entry : content.legend) {
        add(Kind::entry, entry.text, swatch_width + labels.width(entry.text, footer_style), entry);
    }
    for (const QString& source : content.sources) {
        const QString text = labels.elided(source, m_width - 2 * margin, footer_style);
        add(Kind::source, text, labels.width(text, footer_style));
    }
    // Sources are at the right end of their line.
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
    m_height = m_items.empty() ? 0 : (m_line + 1) * lineHeight() + 2 * padding();
}

void PictureFooter::add(Kind kind, const QString& text, double width, const LegendEntry& entry)
{
    if (m_x > left() && m_x + width > m_width - left()) {
        m_x = left();
        ++m_line;
    }
    m_items.push_back({kind, m_x, width, m_line, text, entry.role, entry.swatch});
    m_x += width + (m_compact ? compact_gap : roomy_gap);
}

void PictureFooter::paint(QPainter& painter, const Theme& theme, LabelPainter& labels, bool vector,
    const std::bitset<itemRoleCount>& marked) const
{
    painter.fillRect(QRectF(0, 0, m_width, m_height), theme.background);
    painter.fillRect(QRectF(0, 0, m_width, 0.7), theme.line);
    for (const Item& item : m_items) {
        const double middle = padding() + lineHeight() * (item.line + 0.5);
        double x = item.x;
        if (item.kind == Kind::bar) {
            paintBar(painter, theme, x, m_barWidth, middle);
            x += m_barWidth + 6;
        } else if (item.kind == Kind::entry) {
            const QRectF box(x, middle - 5, 11, 10);
            item.swatch ? item.swatch(painter, theme, box) : paintSwatch(painter, theme, item.role, x, middle);
            if (theme.marked() && !item.swatch) {
                paintMark(painter, theme, item.role, box, marked.test(static_cast<std::size_t>(item.role)));
            }
            x += swatch_width;
        }
        labels.draw(
            painter, x, middle, item.text, footer_style, item.kind == Kind::bar ? theme.text : theme.muted, vector);
    }
}

}  // namespace lanes::gui
