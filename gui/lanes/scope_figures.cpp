// SPDX-License-Identifier: MIT
#include "gui/lanes/scope_figures.h"

#include <algorithm>
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

std::optional<Ns> waitCostOf(const LaneModel& model, Interval scope)
{
    const Recording& recording = model.recording();
    const ThreadFigures* first = firstThreadOf(recording);
    if (first == nullptr || !recording.waits || !recording.blocking->knows(first->thread) || model.choice().filter) {
        return {};
    }
    for (const Lane& lane : model.lanes()) {
        if (lane.key.kind == LaneKind::thread && lane.row == first->thread && lane.ready) {
            return std::accumulate(lane.rows.begin(), lane.rows.end(), Ns {0},
                [scope](Ns sum, const LaneRow& row) { return sum + row.costIn(scope.start, scope.end); });
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
