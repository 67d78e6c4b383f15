// SPDX-License-Identifier: MIT
// One search over both recordings of a comparison, with its bar: marks what it found in the views and the overview, and
// goes from one event that it found to the next.
#pragma once

#include "gui/timeline/lane_search.h"
#include "gui/timeline/search_bar.h"

namespace lanes::gui {

class ComparisonView;

class HitWalk : public QObject {
    Q_OBJECT
public:
    /// `view` is its parent and has its views already.
    explicit HitWalk(ComparisonView& view);

    LaneSearch* search() const { return m_search; }
    SearchBar* bar() const { return m_bar; }
    /// Selects the next (1) or previous (-1) event that the search found, in A, then in B, then from the start. Opens
    /// the bar if nothing was searched. Zooms to what would be too narrow to be seen.
    void step(int direction);
    /// Marks the events that a panel or a menu requests, instead of those searched; the bar closes.
    void ask(AskedHits asked);
    /// Removes the marks requested by ask().
    void endAsked();
    /// Which of the hits is selected, those of A before those of B; nothing where none is.
    std::optional<std::size_t> current() const { return m_current; }

signals:
    /// Other hits, or another of them is selected.
    void changed();

private:
    void showCurrent();

    std::optional<std::size_t> m_current;

    ComparisonView& m_view;
    LaneSearch* m_search;
    SearchBar* m_bar;
};

}  // namespace lanes::gui
