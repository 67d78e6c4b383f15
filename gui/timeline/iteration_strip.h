// SPDX-License-Identifier: MIT
// The iterations of what is open, over its lanes: a bar each. A click on one shows it, its tip says what of its
// critical path made it longer or shorter.
#pragma once

#include "gui/paint/iteration_bars.h"

#include <QWidget>

namespace lanes::gui {

class IterationStrip : public QWidget {
    Q_OBJECT

public:
    explicit IterationStrip(QWidget* parent = nullptr);
    void setBars(IterationBars bars);
    const IterationBars& bars() const { return m_bars; }
    void setTheme(const Theme& theme);
    /// Draws its text that many times as large.
    void setMagnification(double magnification);
    QSize sizeHint() const override { return {600, height()}; }

signals:
    void chosen(int side, std::size_t index);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    std::optional<IterationBars::Place> at(QPointF point) const;
    void hover(std::optional<IterationBars::Place> place);
    int drawnWidth() const { return static_cast<int>(width() / m_magnification); }

    IterationBars m_bars;
    std::optional<IterationBars::Place> m_hovered;
    const Theme* m_theme;
    LabelPainter m_labels;
    double m_magnification = 1;
};

}  // namespace lanes::gui
