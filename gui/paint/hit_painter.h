// SPDX-License-Identifier: MIT
// Marks the events that a search found on the drawn lanes: an outline where an event is wide enough to have one, ticks
// at the top of its row where it is not.
//
// Cost: a few binary searches for every column that holds a hit. Before that, once a row, one look at its items; where
// that takes longer than a frame may, the rest is left for the next frame.
#pragma once

#include "engine/analysis/query_hits.h"
#include "gui/paint/timeline_frame.h"

#include <unordered_map>

namespace lanes::gui {

class HitPainter {
public:
    /// Null: nothing is marked.
    void setHits(std::shared_ptr<const QueryHits> hits);
    const std::shared_ptr<const QueryHits>& hits() const { return m_hits; }
    /// To be called when the model's rows have changed.
    void forgetRows() { m_rows.clear(); }
    /// False: rows are left; draw again.
    bool paint(const TimelineFrame& frame, QPainter& painter);

private:
    const RowFlags& flagsOf(const LaneRow& row);
    void paintRow(const TimelineFrame& frame, const LaneRow& row, double y, double height, QPainter& painter);

    std::shared_ptr<const QueryHits> m_hits;
    std::unordered_map<const LaneRow*, RowFlags> m_rows;  // by item of the row
};

}  // namespace lanes::gui
