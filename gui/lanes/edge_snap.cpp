// SPDX-License-Identifier: MIT
#include "gui/lanes/edge_snap.h"

#include <cmath>

namespace lanes::gui {

namespace {

std::optional<Ns> edgeBehind(const RowItems& items, Ns time)
{
    const std::size_t i = items.firstEndingAfter(time);
    if (i < items.size()) {
        return items.start(i) > time ? items.start(i) : items.end(i);
    }
    return {};
}

std::optional<Ns> edgeBefore(const RowItems& items, Ns time)
{
    const std::size_t i = items.firstStartingAt(time);
    if (i > 0) {
        return items.end(i - 1) < time ? items.end(i - 1) : items.start(i - 1);
    }
    return {};
}

}  // namespace

std::optional<Snap> snapAt(
    const LaneModel& model, const LaneLayout& layout, const TimeScale& scale, int y, Ns time, double columns)
{
    const int at = layout.laneAt(y);
    if (at < 0) {
        return {};
    }
    const PlacedLane& lane = layout.lanes()[static_cast<std::size_t>(at)];
    std::optional<Snap> best;
    double least = columns;
    for (const PlacedRow& placed : lane.rows) {
        const RowItems& items = model.lanes()[placed.lane].rows[placed.row].items;
        for (const auto& edge : {edgeBehind(items, time - 1), edgeBefore(items, time + 1)}) {
            const double away = edge ? std::fabs(scale.xOf(*edge) - scale.xOf(time)) : columns + 1;
            if (away <= least) {
                least = away;
                best = Snap {*edge, lane.lane};
            }
        }
    }
    return best;
}

std::optional<Ns> nextEdge(
    const LaneModel& model, const LaneLayout& layout, std::optional<std::size_t> lane, Ns time, int direction)
{
    std::optional<Ns> best;
    for (const PlacedLane& placedLane : layout.lanes()) {
        if (lane && placedLane.lane != *lane) {
            continue;
        }
        for (const PlacedRow& placed : placedLane.rows) {
            const RowItems& items = model.lanes()[placed.lane].rows[placed.row].items;
            const auto edge = direction > 0 ? edgeBehind(items, time) : edgeBefore(items, time);
            if (edge && (!best || (direction > 0 ? *edge < *best : *edge > *best))) {
                best = edge;
            }
        }
    }
    return best;
}

}  // namespace lanes::gui
