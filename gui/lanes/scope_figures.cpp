// SPDX-License-Identifier: MIT
#include "gui/lanes/scope_figures.h"

#include <algorithm>

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

}  // namespace

ScopeFigures figuresOf(const Recording& recording, Interval scope)
{
    return figuresBy(recording.ranges.get(), firstThreadOf(recording), scope);
}

ScopeFigures shownFiguresOf(const LaneModel& model, Interval scope)
{
    const ThreadFigures* first = firstThreadOf(model.recording());
    const bool isHidden = first != nullptr && model.choice().filter
        && std::none_of(model.lanes().begin(), model.lanes().end(),
            [first](const Lane& lane) { return lane.key.kind == LaneKind::thread && lane.row == first->thread; });
    return figuresBy(model.shownRanges(), isHidden ? nullptr : first, scope);
}

}  // namespace lanes::gui
