// SPDX-License-Identifier: MIT
// What is between two recordings in the window: how they differ, how the two are aligned and, where their typical
// iterations lie under one another, what changed from one to the other.
#pragma once

#include "gui/paint/differences.h"
#include "gui/paint/waterfall.h"

#include <functional>
#include <memory>

#include <QWidget>

class QPushButton;

namespace lanes::gui {

class DifferenceStrip : public QWidget {
    Q_OBJECT

public:
    explicit DifferenceStrip(QWidget* parent = nullptr);
    void setContent(const Differences& content);
    /// Null: none. `xOf` says where a time of A lies, in the strip before its magnification.
    void setWaterfall(std::shared_ptr<const Waterfall> waterfall, std::function<double(Ns)> xOf);
    bool hasWaterfall() const { return m_waterfall != nullptr; }
    void setTheme(const Theme& theme);
    /// Before magnification.
    int contentHeight() const { return Differences::strip_height + (m_waterfall ? m_waterfall->height() : 0); }
    /// Draws its text that many times as large.
    void setMagnification(double magnification);

    /// What it says, a line a figure: "total: 50.6 ms → 17.3 ms, −33.3 ms, 2.9 × less".
    QStringList lines() const;
    QSize sizeHint() const override { return {600, height()}; }

signals:
    void resetWanted();  ///< align the recordings at their starts again

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void placeButton();
    void tell();

    const Theme* m_theme;
    Differences m_content;
    std::shared_ptr<const Waterfall> m_waterfall;
    std::function<double(Ns)> m_xOf;
    LabelPainter m_labels;
    double m_magnification = 1;
    QPushButton* m_reset;
};

}  // namespace lanes::gui
