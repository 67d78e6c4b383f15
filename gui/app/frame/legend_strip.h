// SPDX-License-Identifier: MIT
// Over the lanes: what their colours and patterns mean, in one line, or in more where they have no room in one. A click
// filters the lanes to a kind, a second click shows everything again; the tooltip is a sentence.
#pragma once

#include "gui/app/frame/legend_entries.h"

#include <QTimer>
#include <QWidget>

namespace lanes::gui {

class ComparisonView;
struct Theme;

class LegendStrip : public QWidget {
    Q_OBJECT
public:
    explicit LegendStrip(ComparisonView* timeline, QWidget* parent = nullptr);

    const std::vector<LegendItem>& items() const { return m_items; }
    /// Filters to the kind, or shows everything again where that is filtered to.
    void toggle(std::size_t item);

    /// Where an entry is in the strip.
    QRect boxOf(std::size_t item) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Place {
        std::size_t item;
        int padding;  ///< left and right, within the box
        int line;
        QRect box;
    };
    void read();
    void addIdle();
    int linesHeight() const;
    int lineHeight() const;
    std::vector<Place> places(int width) const;
    int at(QPoint point) const;
    bool isChosen(const LegendItem& item) const;

    ComparisonView* m_timeline;
    QTimer m_later;  // once for all changes of a moment
    std::vector<LegendItem> m_items;
    int m_hovered = -1;
    int m_current = 0;  // of the keyboard
};

}  // namespace lanes::gui
