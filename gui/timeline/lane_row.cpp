// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_row.h"

#include <algorithm>

namespace lanes::gui {

LaneRow::LaneRow(ItemKind kind_, RowItems items_)
    : kind(kind_)
    , items(std::move(items_))
    , pyramid(items)
{
}

Ns LaneRow::busyIn(Ns start, Ns end) const
{
    Ns busy = 0;
    for (std::size_t i = items.firstEndingAfter(start); i < items.size() && items.start(i) < end; ++i) {
        busy += std::min(items.end(i), end) - std::max(items.start(i), start);
    }
    return busy;
}

std::vector<std::vector<Row>> splitIntoRows(std::vector<Row> places, const TimeColumn& start, const TimeColumn& end)
{
    std::stable_sort(places.begin(), places.end(), [&](Row a, Row b) {
        return start[a] != start[b] ? start[a] < start[b] : end[a] > end[b];
    });
    std::vector<std::vector<Row>> rows;
    for (const Row place : places) {
        auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) {
            const Row last = r.back();
            // from its last item's end; an item without length takes its instant
            const Ns freeFrom = std::max(end[last], start[last] + 1);
            return start[place] >= freeFrom;
        });
        if (row == rows.end()) {
            row = rows.emplace(rows.end());
        }
        row->push_back(place);
    }
    return rows;
}

}  // namespace lanes::gui
