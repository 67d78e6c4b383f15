// SPDX-License-Identifier: MIT
#include "gui/lanes/scope_figures.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace lanes::gui {

namespace {

ScopeFigures figuresBy(const RangeIndex* index, const ThreadFigures* first, Interval scope)
{
    ScopeFigures figures;
    figures.length = scope.end - scope.start;
    if (index != nullptr) {
        figures.summary = index->summary(scope);
        figures.blocked = first != nullptr ? index->blocked(first->thread, scope) : std::nullopt;
    }
    return figures;
}

const ThreadFigures* firstThreadOf(const Recording& recording)
{
    return recording.report ? recording.report->first_thread() : nullptr;
}

/// Waits cost no more than the busiest stream leaves of the scope, less what its pageable copies would save: as in a
/// report of that range.
Ns mostThatWaitsCost(const LaneModel& model, Interval scope)
{
    const auto& ops = model.trace().operations;
    std::map<Row, Ns> saved;  // by stream
    for (const auto& copy : model.recording().waits->staged) {
        const Ns part = std::min(ops.end[copy.operation], scope.end) - std::max(ops.start[copy.operation], scope.start);
        saved[ops.stream[copy.operation]] += std::clamp<Ns>(part, 0, copy.saved);
    }
    std::map<Row, Ns> busy;  // by stream, whose parts have lanes of their own: its operations follow one another
    for (const Lane& lane : model.lanes()) {
        if (lane.key.kind == LaneKind::stream && lane.ready) {
            busy[lane.row] += lane.busy.in(lane.rows, scope.start, scope.end);
        }
    }
    Ns busiest = 0;
    for (const auto& [stream, time] : busy) {
        const auto found = saved.find(stream);
        busiest = std::max(busiest, time - (found == saved.end() ? 0 : found->second));
    }
    const Ns end = std::min(scope.end, model.recording().ranges->bounds().last_end);
    return std::max<Ns>(0, end - scope.start - busiest);
}

std::optional<Ns> waitCostOf(const LaneModel& model, Interval scope)
{
    const Recording& recording = model.recording();
    const ThreadFigures* first = firstThreadOf(recording);
    if (first == nullptr || !recording.waits || !recording.ranges || !recording.blocking->knows(first->thread)
        || model.choice().filter) {
        return {};
    }
    for (const Lane& lane : model.lanes()) {
        if (lane.key.kind == LaneKind::thread && lane.row == first->thread && lane.ready) {
            const Ns sum = std::accumulate(lane.rows.begin(), lane.rows.end(), Ns {0},
                [scope](Ns before, const LaneRow& row) { return before + row.costIn(scope.start, scope.end); });
            return sum == 0 ? sum : std::min(sum, mostThatWaitsCost(model, scope));
        }
    }
    return {};
}

}  // namespace

ScopeFigures figuresOf(const Recording& recording, Interval scope)
{
    return figuresBy(recording.ranges.get(), firstThreadOf(recording), scope);
}

ScopeFigures figuresOf(const LaneModel& model, Interval scope)
{
    ScopeFigures figures = figuresOf(model.recording(), scope);
    figures.waitCost = waitCostOf(model, scope);
    return figures;
}

ScopeFigures shownFiguresOf(const LaneModel& model, Interval scope)
{
    const ThreadFigures* first = firstThreadOf(model.recording());
    const bool isHidden = first != nullptr && model.choice().filter
        && std::none_of(model.lanes().begin(), model.lanes().end(),
            [first](const Lane& lane) { return lane.key.kind == LaneKind::thread && lane.row == first->thread; });
    ScopeFigures figures = figuresBy(model.shownRanges(), isHidden ? nullptr : first, scope);
    figures.waitCost = waitCostOf(model, scope);
    return figures;
}

}  // namespace lanes::gui
