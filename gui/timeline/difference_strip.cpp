// SPDX-License-Identifier: MIT
#include "gui/timeline/difference_strip.h"

#include "gui/timeline/spoken_selection.h"

#include <algorithm>
#include <QHelpEvent>
#include <QPainter>
#include <QPushButton>
#include <QToolTip>

namespace lanes::gui {

namespace {

constexpr int margin = 14;

}  // namespace

DifferenceStrip::DifferenceStrip(QWidget* parent)
    : QWidget(parent)
    , m_theme(&Theme::named({}))
    , m_reset(new QPushButton(this))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFixedHeight(Differences::strip_height);
    speakAs(this, QAccessible::Chart);
    setAccessibleName(tr("Differences between A and B"));
    m_reset->setObjectName(QStringLiteral("resetAlignment"));
    m_reset->setToolTip(tr("Align the recordings at their starts again"));
    m_reset->hide();
    connect(m_reset, &QPushButton::clicked, this, &DifferenceStrip::resetWanted);
}

void DifferenceStrip::setContent(const Differences& content)
{
    m_content = content;
    m_reset->setText(content.alignment.isEmpty() ? QString() : content.alignment + QStringLiteral("  \u2715"));
    m_reset->setAccessibleName(
        content.alignment.isEmpty() ? QString() : tr("%1; press to align at the starts").arg(content.alignment));
    m_reset->setVisible(!content.alignment.isEmpty());
    placeButton();
    tell();
}

void DifferenceStrip::setWaterfall(std::shared_ptr<const Waterfall> waterfall, std::function<double(Ns)> xOf)
{
    m_waterfall = std::move(waterfall);
    m_xOf = std::move(xOf);
    setFixedHeight(static_cast<int>(contentHeight() * m_magnification));
    tell();
}

QStringList DifferenceStrip::lines() const
{
    return m_content.lines() + (m_waterfall ? m_waterfall->lines() : QStringList());
}

void DifferenceStrip::tell()
{
    const QString all = lines().join(QLatin1Char('\n'));
    setAccessibleDescription(all);
    setToolTip(all);
    update();
}

void DifferenceStrip::setTheme(const Theme& theme)
{
    m_theme = &theme;
    update();
}

void DifferenceStrip::setMagnification(double magnification)
{
    m_magnification = magnification;
    setFixedHeight(static_cast<int>(contentHeight() * magnification));
    update();
}

void DifferenceStrip::placeButton()
{
    const QSize wanted = m_reset->sizeHint();
    const int most = std::max(width() / 3, 120);
    const int height = static_cast<int>(Differences::strip_height * m_magnification);
    m_reset->setGeometry(width() - std::min(wanted.width(), most) - 8, (height - wanted.height()) / 2,
        std::min(wanted.width(), most), wanted.height());
}

/// Of one bar what it stands for, elsewhere everything.
bool DifferenceStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_waterfall) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QStringList tip = m_waterfall->tipAt(help->pos().y() / m_magnification - Differences::strip_height);
        if (!tip.isEmpty()) {
            QToolTip::showText(help->globalPos(), tip.join(QLatin1Char('\n')), this);
            return true;
        }
    }
    return QWidget::event(event);
}

void DifferenceStrip::resizeEvent(QResizeEvent*)
{
    placeButton();
}

void DifferenceStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->panel);
    painter.scale(m_magnification, m_magnification);
    const int width = static_cast<int>(this->width() / m_magnification);
    const double right = m_reset->isHidden() ? width - margin : m_reset->x() / m_magnification - margin;
    m_content.paint(painter, *m_theme, m_labels, width, right, false);
    if (m_waterfall) {
        painter.translate(0, Differences::strip_height);
        m_waterfall->paint(painter, *m_theme, m_labels, width, m_xOf, false);
    }
}

}  // namespace lanes::gui
