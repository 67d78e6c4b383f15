// SPDX-License-Identifier: MIT
#include "gui/app/frame/tool_icons.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

namespace lanes::gui {

namespace {

/// In a square of 16.
QPainterPath outlineOf(ToolIcon icon)
{
    QPainterPath path;
    const auto line = [&](std::initializer_list<QPointF> points) {
        path.moveTo(*points.begin());
        for (const QPointF& point : points) {
            path.lineTo(point);
        }
    };
    switch (icon) {
    case ToolIcon::search:
        path.addEllipse(QPointF(7, 7), 4.5, 4.5);
        line({{10.3, 10.3}, {14, 14}});
        break;
    case ToolIcon::filter:
        line({{2, 3}, {14, 3}, {9.5, 8.5}, {9.5, 13.5}, {6.5, 12}, {6.5, 8.5}, {2, 3}});
        break;
    case ToolIcon::arrows:
        path.moveTo(2, 3);
        path.cubicTo(2, 10, 9, 4, 12, 12.5);
        line({{8.4, 11.2}, {12.2, 13}, {13.6, 9.2}});
        break;
    case ToolIcon::measure:
        line({{2, 3}, {2, 13}});
        line({{14, 3}, {14, 13}});
        line({{3.5, 8}, {12.5, 8}});
        line({{5.5, 6}, {3.5, 8}, {5.5, 10}});
        line({{10.5, 6}, {12.5, 8}, {10.5, 10}});
        break;
    case ToolIcon::step:
        line({{3, 3}, {10, 8}, {3, 13}, {3, 3}});
        line({{13, 3}, {13, 13}});
        break;
    case ToolIcon::fullScreen:
        line({{2, 6}, {2, 2}, {6, 2}});
        line({{10, 2}, {14, 2}, {14, 6}});
        line({{14, 10}, {14, 14}, {10, 14}});
        line({{6, 14}, {2, 14}, {2, 10}});
        break;
    }
    return path;
}

class OutlineEngine : public QIconEngine {
public:
    explicit OutlineEngine(ToolIcon icon)
        : m_icon(icon)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette palette = QGuiApplication::palette();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.topLeft());
        painter->scale(rect.width() / 16.0, rect.height() / 16.0);
        painter->setPen(
            QPen(palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText),
                1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->drawPath(outlineOf(m_icon));
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap drawn(size);
        drawn.fill(Qt::transparent);
        QPainter painter(&drawn);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return drawn;
    }
    QIconEngine* clone() const override { return new OutlineEngine(m_icon); }

private:
    ToolIcon m_icon;
};

}  // namespace

QIcon toolIcon(ToolIcon icon)
{
    return QIcon(new OutlineEngine(icon));
}

}  // namespace lanes::gui
