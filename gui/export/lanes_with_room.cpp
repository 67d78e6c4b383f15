// SPDX-License-Identifier: MIT
#include "gui/export/lanes_with_room.h"

#include "engine/analysis/report.h"

#include <algorithm>

namespace lanes::gui {

namespace {

enum class Weight : std::uint8_t { first, gpuWork, idleStream, thread, aside };  // the last go first

bool worksIn(const Lane& lane, Interval range, bool callsAlone)
{
    return std::any_of(lane.rows.begin(), lane.rows.end(), [&](const LaneRow& row) {
        return (!callsAlone || row.kind == ItemKind::call) && row.busyIn(range.start, range.end) > 0;
    });
}

Weight weightOf(const LaneModel& model, std::size_t index, Interval range)
{
    const Lane& lane = model.lanes()[index];
    switch (lane.key.kind) {
    case LaneKind::overlap:
        return Weight::first;
    case LaneKind::thread: {
        const auto& report = model.recording().report;
        const ThreadFigures* first = report ? report->first_thread() : nullptr;
        return first != nullptr && first->thread == lane.row ? Weight::first
            : worksIn(lane, range, true)                     ? Weight::thread
                                                             : Weight::aside;
    }
    case LaneKind::stream:
    case LaneKind::engine:
        return worksIn(lane, range, false) ? Weight::gpuWork : Weight::idleStream;
    case LaneKind::counter:
        return Weight::aside;
    case LaneKind::gpu:
    case LaneKind::process:
        break;
    }
    return Weight::aside;  // a header: as its lanes
}

}  // namespace

ArrangedLanes lanesWithRoom(
    const LaneModel& model, const ArrangedLanes& arranged, Interval range, int height, LaneDensity density)
{
    const auto& lanes = model.lanes();
    std::vector<Weight> weights(lanes.size(), Weight::aside);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        weights[i] = weightOf(model, i, range);
        if (const auto head = headOf(lanes, i)) {
            weights[*head] = std::min(weights[*head], weights[i]);
        }
    }
    ArrangedLanes left = arranged;
    while (left.lanes.size() > 1 && LaneLayout::tightestHeight(lanes, left, density) > height) {
        // Of equal ones the last, so that a header goes after its lanes.
        const auto least = std::max_element(left.lanes.rbegin(), left.lanes.rend(),
            [&](const ArrangedLane& a, const ArrangedLane& b) { return weights[a.lane] < weights[b.lane]; });
        left.lanes.erase(std::next(least).base());
    }
    return left;
}

}  // namespace lanes::gui
