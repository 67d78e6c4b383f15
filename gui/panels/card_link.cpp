// SPDX-License-Identifier: MIT
#include "gui/panels/card_link.h"

#include "gui/panels/line_breaks.h"
#include "gui/panels/theme_of.h"

#include <QPainter>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int swatch = 10, link_gap = 6, link_padding = 3, inset = 4;

QFont nameFont(const QWidget& widget)
{
    QFont font = widget.font();
    font.setWeight(QFont::Medium);
    return font;
}

QFont saidFont(const QWidget& widget)
{
    QFont font = widget.font();
    font.setPixelSize(std::max(QFontMetrics(font).ascent() - 1, 9));
    return font;
}

}  // namespace

CardLink::CardLink(const CardEntry& entry, const QString& before, const QColor& color, QWidget* parent)
    : QAbstractButton(parent)
    , m_entry(entry)
    , m_before(before)
    , m_color(color)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    const QString all = entry.said.isEmpty() ? entry.name : QStringLiteral("%1\n%2").arg(entry.name, entry.said);
    m_entry.said = wholeFigures(entry.said);
    setToolTip(all);
    setAccessibleName(before.isEmpty() ? all : QStringLiteral("%1 %2").arg(before, all));
}

int CardLink::indent() const
{
    return inset + (m_color.isValid() ? swatch + link_gap : 0);
}

/// The name in one line, what is said in as many as it needs.
int CardLink::heightForWidth(int width) const
{
    const int name = QFontMetrics(nameFont(*this)).height() + 2 * link_padding;
    return m_entry.said.isEmpty() ? name
                                  : name
            + QFontMetrics(saidFont(*this))
                  .boundingRect(
                      0, 0, std::max(width - indent() - inset, 1), QWIDGETSIZE_MAX, Qt::TextWordWrap, m_entry.said)
                  .height();
}

QSize CardLink::sizeHint() const
{
    constexpr int usual_width = 224;
    return {usual_width, heightForWidth(usual_width)};
}

void CardLink::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus()) {
        painter.setPen(hasFocus() ? QPen(theme.accent, 1) : QPen(Qt::NoPen));
        painter.setBrush(underMouse() ? QBrush(theme.chip) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    const QFontMetrics metrics(nameFont(*this));
    const int left = indent();
    if (m_color.isValid()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_color);
        painter.drawRoundedRect(QRectF(inset, link_padding + (metrics.height() - swatch) / 2.0, swatch, swatch), 2, 2);
    }
    painter.setFont(nameFont(*this));
    painter.setPen(theme.text);
    QString name = m_before.isEmpty() ? m_entry.name : QStringLiteral("%1  %2").arg(m_before, m_entry.name);
    name = metrics.elidedText(name, m_entry.isPath ? Qt::ElideMiddle : Qt::ElideRight, width() - left - inset);
    painter.drawText(QPointF(left, link_padding + metrics.ascent()), name);
    if (!m_entry.said.isEmpty()) {
        painter.setFont(saidFont(*this));
        painter.setPen(theme.muted);
        painter.drawText(
            rect().adjusted(left, link_padding + metrics.height(), -inset, 0), Qt::TextWordWrap, m_entry.said);
    }
}

}  // namespace lanes::gui
