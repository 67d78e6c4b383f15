// SPDX-License-Identifier: MIT
// Over the lanes: what their colours and patterns mean, in one row; what has no room there is in a menu at its end. A
// click filters the lanes to a kind, a second click shows everything again, with Shift it adds a kind or takes it away;
// the tooltip is a sentence. Where kernels have the colours of their families, GPU work says its share of the time of
// all GPU operations in the scope, waits and what is exposed say their times, and what is 0 in the scope is left out.
#pragma once

#include "gui/app/frame/legend_entries.h"
#include "gui/lanes/role_totals.h"
#include "gui/lanes/scope.h"
#include "gui/timeline/question.h"

#include <QTimer>
#include <QWidget>

namespace lanes::gui {

class ComparisonView;
class Workspace;
struct Theme;

class LegendStrip : public QWidget {
    Q_OBJECT
public:
    LegendStrip(ComparisonView* timeline, Workspace* workspace, QWidget* parent = nullptr);

    const std::vector<LegendItem>& items() const { return m_items; }
    /// Filters to the kind, or shows everything again where that is filtered to; see filterAfterClick().
    void toggle(std::size_t item, bool add = false);

    /// That many times as large, for a lecture hall.
    void setLarge(double times);
    /// Where an entry is in the strip; empty: in the menu at its end.
    QRect boxOf(std::size_t item) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Place {
        std::size_t item;  ///< m_items.size(): the menu of those that have no room
        int padding;  ///< left and right, within the box
        QRect box;
    };
    void read();
    void addIdle();
    int usualWidth() const;  // before it is enlarged, as all of what places() says
    void askShares();
    void takeShares(const std::vector<RoleTotals>& totals);
    std::optional<Ns> timeOf(std::size_t side, ItemRole role) const;
    bool isNothing(const LegendItem& item) const;
    QString textOf(std::size_t item) const;
    int needOf(const QString& text, int padding) const;
    QString moreText(std::size_t hidden) const;
    std::vector<Place> places() const;
    int at(QPoint point) const;
    bool isChosen(const LegendItem& item) const;
    void press(std::size_t item, bool add);
    void showMore();
    QString tipOf(std::size_t item) const;

    ComparisonView* m_timeline;
    Workspace* m_workspace;
    QTimer m_later;  // once for all changes of a moment
    std::vector<LegendItem> m_all;  // of the recordings
    std::vector<LegendItem> m_items;  // those that there is something of in the scope
    double m_times = 1;
    std::vector<RoleTotals> m_totals;  // of each recording, in the scope; empty: not known or not shown
    QString m_scope;  // what they are of
    Ranges m_ranges {};
    Question<std::vector<RoleTotals>> m_sums;
    int m_hovered = -1;
    int m_current = 0;  // of the keyboard
};

}  // namespace lanes::gui
