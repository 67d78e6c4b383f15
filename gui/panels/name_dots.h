// SPDX-License-Identifier: MIT
// All events of one name as dots, their lengths over the time at which they began, the chosen one ringed. The most and
// the least length are written at the heights where they are, left of the dots. A click goes to the nearest dot; with
// the keyboard Left and Right go to the one before and the one after.
#pragma once

#include "gui/panels/card.h"

#include <QWidget>

#include <vector>

namespace lanes::gui {

class NameDots : public QWidget {
    Q_OBJECT
public:
    explicit NameDots(QWidget* parent = nullptr);

    /// `chosen` may be none of the figures' dots, where these are thinned out.
    void show(const CardFigures& figures, const NameDot& chosen, const QColor& color);
    /// Where a dot is drawn, in pixels of the widget.
    QPointF placeOf(const NameDot& dot) const;
    /// The nearest dot that is not further away than a finger is wide; null: none is.
    const NameDot* dotAt(QPointF at) const;
    /// A length on the axis: its text lies there, left of all dots.
    struct AxisText {
        QString text;
        QRectF box;
    };
    /// The most and, where it is another one, the least.
    std::vector<AxisText> axisTexts() const;

    QSize sizeHint() const override { return {240, 64}; }
    QSize minimumSizeHint() const override { return {120, 64}; }

signals:
    void chosen(lanes::Row row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plot() const;
    QFont axisFont() const;
    double axisWidth() const;

    CardFigures m_figures;
    NameDot m_chosen;
    QColor m_color;
};

}  // namespace lanes::gui
