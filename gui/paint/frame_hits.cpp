// SPDX-License-Identifier: MIT
#include "gui/paint/frame_hits.h"

#include "engine/analysis/words/names.h"
#include "gui/paint/lane_figure.h"
#include "gui/paint/lane_labels.h"
#include "gui/paint/over/stack_path.h"
#include "gui/paint/ruler_ticks.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/item_text.h"
#include "gui/paint/words/role_text.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <numeric>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct FrameHitsTexts {
    Q_DECLARE_TR_FUNCTIONS(FrameHits)
};

constexpr double grace = 3;  // logical pixels beside an item that still hit it

/// The row of the lane at a point, by its place in PlacedLane::rows; -1 between rows.
int rowAt(const TimelineFrame& frame, const PlacedLane& lane, QPointF at)
{
    return frame.layout.rowAt(static_cast<int>(&lane - frame.layout.lanes().data()), frame.layoutY(at.y()));
}

/// How much of a pixel's time nothing, one thing or several things ran.
QStringList overlapTip(const TimelineFrame& frame, const Lane& ribbon, Ns start, Ns end)
{
    const auto busyIn = [&](std::size_t i) { return ribbon.rows[i].busyIn(start, end); };
    const auto share = [&](Ns ns) { return formatShare(static_cast<double>(ns) / static_cast<double>(end - start)); };
    if (busyIn(0) == 0 && (start < 0 || start >= frame.model.duration())) {
        return {};
    }
    const Ns level[] = {end - start - busyIn(0), busyIn(0) - busyIn(1), busyIn(1) - busyIn(2), busyIn(2)};
    const QString words[] = {FrameHitsTexts::tr("idle"), FrameHitsTexts::tr("one thing at a time"),
        FrameHitsTexts::tr("two at once"), FrameHitsTexts::tr("three or more at once")};
    const auto most
        = static_cast<std::size_t>(std::max_element(std::begin(level), std::end(level)) - std::begin(level));
    QStringList tip {words[most]};
    if (level[most] < end - start) {
        for (std::size_t i = 0; i < 4; ++i) {
            if (level[i] > 0) {
                tip << FrameHitsTexts::tr("%1: %2 of this pixel").arg(words[i], share(level[i]));
            }
        }
    }
    return tip;
}

/// Of the figure at the ruler's end.
QStringList clockTip(const TimelineFrame& frame, QPointF at)
{
    LabelPainter labels;
    const auto figure = clockFigure(frame, labels);
    if (!figure || at.x() < figure->box.left() - grace) {
        return {};
    }
    return {figure->text, FrameHitsTexts::tr("The clocks of these ranks may differ by up to this."),
        FrameHitsTexts::tr("Which of two closer moments of theirs came first is not known.")};
}

/// How a GPU spent a column's time.
QStringList gpuTimeTip(const TimelineFrame& frame, std::size_t lane, Ns start, Ns end)
{
    const auto figure = figureOf(frame.model, lane, {Scope::Of::visible, {start, end}});
    if (!figure) {
        return {};
    }
    const std::array roles {ItemRole::sideBySide, ItemRole::computeAlone, ItemRole::exposedTime};
    QStringList tip {labelTip(frame, lane).front()};
    for (std::size_t part = 0; part < roles.size(); ++part) {
        if (figure->parts[part] > 0) {
            tip << FrameHitsTexts::tr("%1: %2 of this pixel")
                       .arg(roleText(roles[part]),
                           formatShare(static_cast<double>(figure->parts[part]) / static_cast<double>(figure->of)));
        }
    }
    if (tip.size() == 1) {
        tip << FrameHitsTexts::tr("idle");
    }
    return tip;
}

/// Several values in a pixel's time; a single one is shown at the cursor anyway.
QStringList counterTip(const TimelineFrame& frame, const PlacedLane& placed, Ns start, Ns end)
{
    const CounterCurve& curve = *frame.model.lanes()[placed.lane].curve;
    const auto values = curve.in(start, std::max(end, start + 1));
    if (!values || values->least == values->most) {
        return {};
    }
    return {labelTip(frame, placed.lane).front(),
        FrameHitsTexts::tr("%1 to %2 in this pixel")
            .arg(formatValue(values->least, curve.unit()), formatValue(values->most, curve.unit()))};
}

/// What the first thread does in a pixel's time, of the band under the ribbon.
QStringList bandTip(const TimelineFrame& frame, const Lane& ribbon, Ns start, Ns end)
{
    enum : std::size_t { free, working, waiting, blocked, held };
    Ns time[5] = {};
    for (const LaneRow& row : ribbon.rows) {
        for (std::size_t i = row.items.firstEndingAfter(start);
             row.kind == ItemKind::band && i < row.items.size() && row.items.start(i) < end; ++i) {
            const ItemRole role = row.items.role(i);
            time[role == ItemRole::cpuFree         ? free
                    : role == ItemRole::cpuWorking ? working
                    : role == ItemRole::hostWait   ? waiting
                    : role == ItemRole::held       ? held
                                                   : blocked]
                += std::min(end, row.items.end(i)) - std::max(start, row.items.start(i));
        }
    }
    const Ns all = std::accumulate(std::begin(time), std::end(time), Ns {0});
    if (all == 0) {
        return {};
    }
    const auto& report = *frame.model.recording().report;  // no band without it
    const QString thread = QString::fromStdString(
        engineMessages().format(thread_message(frame.model.trace(), report.first_thread()->thread)));
    const QString words[]
        = {FrameHitsTexts::tr("free"), FrameHitsTexts::tr("at work"), FrameHitsTexts::tr("waiting for another thread"),
            FrameHitsTexts::tr("waiting for the GPU"), FrameHitsTexts::tr("waiting for the GPU at a cost")};
    const auto most = static_cast<std::size_t>(std::max_element(std::begin(time), std::end(time)) - std::begin(time));
    QStringList tip {FrameHitsTexts::tr("while the GPU works, %1 is %2").arg(thread, words[most])};
    if (time[most] < all) {
        for (std::size_t i = 0; i < std::size(words); ++i) {
            if (time[i] > 0) {
                tip << FrameHitsTexts::tr("%1: %2 of this pixel")
                           .arg(words[i], formatShare(static_cast<double>(time[i]) / static_cast<double>(end - start)));
            }
        }
    }
    return tip;
}

/// Over a GPU's graph: the communication or copy that is exposed there.
ItemRef exposedAt(const TimelineFrame& frame, std::uint32_t device, Ns from, Ns here, Ns to)
{
    for (const Lane& lane : frame.model.lanes()) {
        if (!lane.exposed || lane.key.device != device) {
            continue;
        }
        const LaneRow& exposed = *lane.exposed;
        const std::size_t at = exposed.nearest(from, here, to);
        if (at == exposed.items.size()) {
            continue;
        }
        const Ns start = exposed.items.start(at), end = exposed.items.end(at);
        for (const LaneRow& row : lane.rows) {
            if (const std::size_t i = row.nearest(start, std::clamp(here, start, end), end); i < row.items.size()) {
                return row.itemAt(i);
            }
        }
    }
    return {};
}

}  // namespace

const PlacedLane* laneAt(const TimelineFrame& frame, QPointF at)
{
    if (at.y() < frame.geometry.lanesTop()) {
        return nullptr;
    }
    const int lane = frame.layout.laneAt(frame.layoutY(at.y()));
    return lane < 0 ? nullptr : &frame.layout.lanes()[static_cast<std::size_t>(lane)];
}

ItemRef itemAt(const TimelineFrame& frame, QPointF at)
{
    const PlacedLane* lane
        = at.x() < frame.geometry.labelWidth || frame.isCovered(at.x()) ? nullptr : laneAt(frame, at);
    if (lane == nullptr || frame.model.lanes()[lane->lane].key.kind == LaneKind::overlap) {
        return {};
    }
    const Ns from = frame.timeAt(at.x() - grace);
    const Ns to = frame.timeAt(at.x() + grace);
    const Ns here = frame.timeAt(at.x());
    if (const LaneKey& key = frame.model.lanes()[lane->lane].key; key.kind == LaneKind::gpuTime) {
        return exposedAt(frame, key.device, from, here, to);
    }
    const int hit = rowAt(frame, *lane, at);
    for (int row = hit; row >= 0; --row) {
        const PlacedRow& placed = lane->rows[static_cast<std::size_t>(row)];
        const LaneRow& candidate = frame.model.lanes()[placed.lane].rows[placed.row];
        if (const std::size_t best = candidate.nearest(from, here, to); best < candidate.items.size()) {
            return candidate.itemAt(best);
        }
        if (!placed.over) {
            break;
        }
    }
    return {};
}

QStringList tipAt(const TimelineFrame& frame, ItemRef item, QPointF at)
{
    if (at.x() < frame.geometry.labelWidth) {
        if (const QStringList tip = stackPathTip(frame, at); !tip.isEmpty()) {
            return tip;
        }
        const LabelHit hit = labelAt(frame, at);
        if (hit.part != LabelPart::name && hit.part != LabelPart::triangle) {
            return {};
        }
        QStringList tip = labelTip(frame, hit.lane);
        if (const auto figure = figureOf(frame, hit.lane)) {
            tip << figure->sentence();
        }
        return tip;
    }
    if (at.y() >= frame.geometry.rulerTop() && at.y() < frame.geometry.lanesTop()) {
        return clockTip(frame, at);
    }
    const PlacedLane* lane = frame.isCovered(at.x()) ? nullptr : laneAt(frame, at);
    const int row = lane != nullptr ? rowAt(frame, *lane, at) : -1;
    if (lane != nullptr && frame.model.lanes()[lane->lane].curve) {
        return counterTip(frame, *lane, frame.timeAt(at.x()), frame.timeAt(at.x() + 1));
    }
    if (lane != nullptr && frame.model.lanes()[lane->lane].key.kind == LaneKind::gpuTime) {
        QStringList tip = gpuTimeTip(
            frame, lane->lane, frame.timeAt(at.x()), std::max(frame.timeAt(at.x() + 1), frame.timeAt(at.x()) + 1));
        if (item && !tip.isEmpty()) {
            tip << FrameHitsTexts::tr("exposed: %1").arg(tooltipOf(frame.model.recording(), item).value(0));
        }
        return tip;
    }
    if (row < 0) {
        return stackPathTip(frame, at);
    }
    const PlacedRow& placed = lane->rows[static_cast<std::size_t>(row)];
    const Lane& shown = frame.model.lanes()[placed.lane];
    const Ns start = frame.timeAt(at.x());
    const Ns end = std::max(frame.timeAt(at.x() + 1), start + 1);
    if (shown.key.kind == LaneKind::overlap) {
        return shown.rows[placed.row].kind == ItemKind::band ? bandTip(frame, shown, start, end)
                                                             : overlapTip(frame, shown, start, end);
    }
    QStringList tip = item ? tooltipOf(frame.model.recording(), item, frame.begin()) : QStringList();
    for (int over = row; over >= 0; --over) {  // of rows that lie over one another, the first with several here
        const PlacedRow& at_y = lane->rows[static_cast<std::size_t>(over)];
        const LaneRow& items = frame.model.lanes()[at_y.lane].rows[at_y.row];
        const std::size_t from = items.items.firstEndingAfter(start);
        const std::size_t to = items.items.firstStartingAt(end);
        if (to > from + 1) {
            const double busy = static_cast<double>(items.busyIn(start, end)) / static_cast<double>(end - start);
            tip << FrameHitsTexts::tr("%1 here, busy %2: zoom in to separate them")
                       .arg(to - from)
                       .arg(formatShare(busy));
            break;
        }
        if (!at_y.over) {
            break;
        }
    }
    return tip;
}

}  // namespace lanes::gui
