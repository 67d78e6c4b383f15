// SPDX-License-Identifier: MIT
#include "gui/export/lanes_with_room.h"

#include "engine/analysis/report.h"
#include "gui/lanes/lane_kinds.h"

#include <algorithm>
#include <numeric>
#include <vector>

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
    switch (laneKindRow(lane.key.kind).weight) {
    case LaneKindRow::Weight::first:
        return Weight::first;
    case LaneKindRow::Weight::thread: {
        const auto& report = model.recording().report;
        const ThreadFigures* first = report ? report->first_thread() : nullptr;
        return first != nullptr && first->thread == lane.row ? Weight::first
            : worksIn(lane, range, true)                     ? Weight::thread
                                                             : Weight::aside;
    }
    case LaneKindRow::Weight::work:
        return worksIn(lane, range, false) ? Weight::gpuWork : Weight::idleStream;
    case LaneKindRow::Weight::aside:
        break;
    }
    return Weight::aside;
}

}  // namespace

ArrangedLanes lanesWithRoom(
    const LaneModel& model, const ArrangedLanes& arranged, Interval range, int height, LaneDensity density)
{
    const auto& lanes = model.lanes();
    std::vector<Weight> weights(lanes.size(), Weight::aside);
    const auto heads = headsOf(lanes);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        weights[i] = weightOf(model, i, range);
        if (const auto head = heads[i]) {
            weights[*head] = std::min(weights[*head], weights[i]);
        }
    }
    // In which order they go: of equal ones the last first, so that a header goes after its lanes.
    std::vector<std::size_t> order(arranged.lanes.size());
    std::iota(order.rbegin(), order.rend(), std::size_t {0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return weights[arranged.lanes[a].lane] > weights[arranged.lanes[b].lane];
    });
    const auto without = [&](std::size_t count) {
        std::vector<bool> gone(order.size());
        for (std::size_t i = 0; i < count; ++i) {
            gone[order[i]] = true;
        }
        ArrangedLanes left = arranged;
        left.lanes.clear();
        for (std::size_t i = 0; i < gone.size(); ++i) {
            if (!gone[i]) {
                left.lanes.push_back(arranged.lanes[i]);
            }
        }
        return left;
    };
    // The fewest without which the others have room; the fewer are left, the less high they are.
    std::size_t least = 0;
    for (std::size_t most = order.empty() ? 0 : order.size() - 1; least < most;) {
        const auto middle = least + (most - least) / 2;
        if (LaneLayout::tightestHeight(lanes, without(middle), density) > height) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    return without(least);
}

}  // namespace lanes::gui
