// SPDX-License-Identifier: MIT
#include "gui/paint/role_mark.h"

#include <QPolygonF>

namespace lanes::gui {

bool hasRoleMark(ItemRole role)
{
    switch (role) {
    case ItemRole::h2d:
    case ItemRole::d2h:
    case ItemRole::d2d:
    case ItemRole::p2p:
    case ItemRole::h2h:
    case ItemRole::memset:
    case ItemRole::hostWait:
    case ItemRole::read:
    case ItemRole::index:
    case ItemRole::optimizer:
    case ItemRole::other:
        return true;
    default:
        return false;
    }
}

void paintRoleMark(QPainter& painter, ItemRole role, QPointF center, const QColor& color, const QColor& ground)
{
    const auto triangle = [&](double tip) {
        const QPointF corners[]
            = {center + QPointF(-3, -tip / 2), center + QPointF(3, -tip / 2), center + QPointF(0, tip / 2)};
        painter.drawPolygon(corners, 3);
    };
    const auto box = [&](double x, double y, double width, double height) {
        painter.drawRect(QRectF(center.x() + x, center.y() + y, width, height));
    };
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (role) {
    case ItemRole::h2d:
        triangle(-5);
        break;
    case ItemRole::d2h:
        triangle(5);
        break;
    case ItemRole::p2p:
        box(-0.7, -3, 1.4, 6);
        [[fallthrough]];
    case ItemRole::d2d:
        box(-3.5, -0.7, 7, 1.4);
        break;
    case ItemRole::h2h:
        box(-3.5, -3, 1.4, 6);
        box(-3.5, -0.7, 7, 1.4);
        break;
    case ItemRole::memset:
        painter.setPen(QPen(color, 0.8));
        painter.setBrush(ground);
        box(-2, -2, 4, 4);
        break;
    case ItemRole::hostWait:
        box(-2.6, -2.5, 1.4, 5);
        box(1.2, -2.5, 1.4, 5);
        break;
    case ItemRole::read:
        painter.drawEllipse(center, 1.6, 1.6);
        break;
    case ItemRole::index:
        box(-3.5, -2, 7, 1.4);
        box(-3.5, 0.6, 7, 1.4);
        break;
    case ItemRole::optimizer:
        painter.drawPolygon(QPolygonF(
            {center + QPointF(0, -3), center + QPointF(3, 0), center + QPointF(0, 3), center + QPointF(-3, 0)}));
        break;
    case ItemRole::other:
        painter.setPen(QPen(color, 1.2));
        painter.drawLine(center + QPointF(-2.2, -2.2), center + QPointF(2.2, 2.2));
        painter.drawLine(center + QPointF(-2.2, 2.2), center + QPointF(2.2, -2.2));
        break;
    default:
        break;
    }
}

}  // namespace lanes::gui
