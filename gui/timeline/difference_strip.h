// SPDX-License-Identifier: MIT
// What is between two recordings in the window: how they differ, and how the two are aligned.
#pragma once

#include "gui/paint/differences.h"

#include <QWidget>

class QPushButton;

namespace lanes::gui {

class DifferenceStrip : public QWidget {
    Q_OBJECT

public:
    explicit DifferenceStrip(QWidget* parent = nullptr);
    void setContent(const Differences& content);
    void setTheme(const Theme& theme);
    /// Draws its text that many times as large.
    void setMagnification(double magnification);

    /// What it says, a line a figure: "total: 50.6 ms → 17.3 ms, −33.3 ms, 2.9 × less".
    QStringList lines() const { return m_content.lines(); }
    QSize sizeHint() const override { return {600, height()}; }

signals:
    void resetWanted();  ///< align the recordings at their starts again

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeButton();

    const Theme* m_theme;
    Differences m_content;
    LabelPainter m_labels;
    double m_magnification = 1;
    QPushButton* m_reset;
};

}  // namespace lanes::gui
