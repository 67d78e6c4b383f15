// SPDX-License-Identifier: MIT
#include "gui/paint/lane_figure.h"

#include "gui/lanes/lane_kinds.h"
#include "gui/paint/timeline_frame.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace lanes::gui {

namespace {

struct LaneFigureTexts {
    Q_DECLARE_TR_FUNCTIONS(LaneFigure)
};

QString scopeWords(Scope::Of scope, Ns length)
{
    const QString time = formatTime(length);
    switch (scope) {
    case Scope::Of::selected:
        return LaneFigureTexts::tr("the selected %1").arg(time);
    case Scope::Of::visible:
        return LaneFigureTexts::tr("the visible %1").arg(time);
    case Scope::Of::repeated:
        return LaneFigureTexts::tr("the %1 that repeat").arg(time);
    case Scope::Of::all:
        break;
    }
    return LaneFigureTexts::tr("all %1").arg(time);
}

}  // namespace

QString LaneFigure::text() const
{
    return what == What::value ? formatValue(values.most, unit) : formatShare(share());
}

QString LaneFigure::sentence() const
{
    QString range = scopeWords(scope, of);
    if (what == What::value) {
        return LaneFigureTexts::tr("%1 to %2 in %3").arg(formatValue(values.least, unit), text(), range);
    }
    if (filtered) {
        range = LaneFigureTexts::tr("%1 (filtered events only)").arg(range);
    }
    switch (what) {
    case What::overlap:
        return LaneFigureTexts::tr("%1: two or more streams busy for %2 of %3").arg(text(), formatTime(time), range);
    case What::blocked:
        if (isHeld()) {
            return LaneFigureTexts::tr("%1: held for %2 of %3, which costs %4; waited for a GPU for %5")
                .arg(text(), formatTime(held), range, formatTime(cost), formatTime(time));
        }
        return LaneFigureTexts::tr("%1: waited for a GPU for %2 of %3, which costs nothing")
            .arg(text(), formatTime(time), range);
    case What::gpuTime:
        return LaneFigureTexts::tr("%1 busy: side by side %2, compute alone %3, exposed %4 of %5")
            .arg(text(), formatTime(parts[0]), formatTime(parts[1]), formatTime(parts[2]), range);
    case What::busy:
    case What::value:
        break;
    }
    return LaneFigureTexts::tr("%1: busy for %2 of %3").arg(text(), formatTime(time), range);
}

bool hasFigure(const LaneModel& model, std::size_t index)
{
    const Lane& lane = model.lanes()[index];
    switch (laneKindRow(lane.key.kind).figure) {
    case LaneKindRow::Figure::none:
        return false;
    case LaneKindRow::Figure::overlap:
        return lane.rows.size() >= 2;
    case LaneKindRow::Figure::blocked:
        return model.recording().blocking->knows(lane.row) && !lane.rows.empty();
    case LaneKindRow::Figure::busyOfGpu:
    case LaneKindRow::Figure::value:
        return true;
    case LaneKindRow::Figure::gpuTime:
    case LaneKindRow::Figure::busy:
        break;
    }
    return !lane.rows.empty();
}

std::optional<LaneFigure> figureOf(const TimelineFrame& frame, std::size_t lane)
{
    const Interval visible {frame.scale.timeAt(0), frame.scale.timeAt(frame.columns())};
    const bool isVisible = frame.scope.of == Scope::Of::visible;
    return figureOf(frame.model, lane, {frame.scope.of, isVisible ? visible : frame.scope.range});
}

std::optional<LaneFigure> figureOf(const LaneModel& model, std::size_t index, const DrawnScope& scope)
{
    const Lane& lane = model.lanes()[index];
    const Interval range = scope.of == Scope::Of::visible
        ? Interval {std::max<Ns>(scope.range.start, 0), std::min(scope.range.end, model.duration())}
        : scope.range;
    if (range.end <= range.start || !hasFigure(model, index)) {
        return {};
    }
    LaneFigure figure;
    figure.of = range.end - range.start;
    figure.scope = scope.of;
    figure.filtered = model.choice().filter != nullptr;
    switch (laneKindRow(lane.key.kind).figure) {
    case LaneKindRow::Figure::overlap:
        figure.what = LaneFigure::What::overlap;
        figure.time = lane.rows[1].busyIn(range.start, range.end);
        return figure;
    case LaneKindRow::Figure::blocked:
        figure.what = LaneFigure::What::blocked;
        for (const LaneRow& row : lane.rows) {  // calls of one thread do not overlap, so nor do its waits
            const Ns waited = row.kind == ItemKind::blocked ? row.busyIn(range.start, range.end) : 0;
            figure.time += waited;
            figure.held += row.index.onlyRole() == ItemRole::held ? waited : 0;
            figure.cost += row.costIn(range.start, range.end);
        }
        return figure;
    case LaneKindRow::Figure::busyOfGpu: {
        const auto busy = model.gpuBusyIn(index, range.start, range.end);
        figure.time = busy.value_or(0);
        return busy ? std::optional(figure) : std::nullopt;
    }
    case LaneKindRow::Figure::value:
        if (const auto values = lane.curve->in(range.start, range.end)) {
            figure.what = LaneFigure::What::value;
            figure.values = *values;
            figure.unit = lane.curve->unit();
            return figure;
        }
        return {};
    case LaneKindRow::Figure::gpuTime:
        figure.what = LaneFigure::What::gpuTime;
        figure.filtered = false;  // it is of all operations
        std::transform(lane.rows.begin(), lane.rows.end(), figure.parts.begin(),
            [range](const LaneRow& row) { return row.busyIn(range.start, range.end); });
        figure.time = std::accumulate(figure.parts.begin(), figure.parts.end(), Ns {0});
        return figure;
    case LaneKindRow::Figure::none:
        return {};
    case LaneKindRow::Figure::busy:
        break;
    }
    figure.time = lane.busy.in(lane.rows, range.start, range.end);
    return figure;
}

}  // namespace lanes::gui
