// SPDX-License-Identifier: MIT
#include "gui/lanes/quiet_lanes.h"

#include "engine/trace/range_kinds.h"
#include "engine/trace/sampled_range.h"

#include <algorithm>

namespace lanes::gui {

namespace {

/// Threads that only were in Python's frames, such as a monitor that sleeps: none, if all were.
std::vector<bool> threadsOfFrames(const Trace& trace)
{
    const RangeKinds kinds(trace);
    std::vector<bool> frames(trace.threads.size()), others(trace.threads.size());
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        if (const Row thread = trace.ranges[row].thread; thread != no_row) {
            (kinds.is_frame(row) || kinds.is_sampled(row) ? frames : others)[thread] = true;
        }
    }
    for (const Row thread : trace.calls.thread) {
        others[thread] = true;
    }
    const bool any = std::find(others.begin(), others.end(), true) != others.end();
    for (std::size_t i = 0; i < frames.size(); ++i) {
        frames[i] = any && frames[i] && !others[i];
    }
    return frames;
}

}  // namespace

LaneArrangement withoutQuietLanes(const LaneModel& model)
{
    LaneArrangement arrangement;
    const Trace& trace = model.trace();
    const Report* report = model.recording().report.get();
    for (const Lane& lane : model.lanes()) {
        if (lane.key.kind == LaneKind::others) {
            arrangement.setCollapsed(lane.key, true);
        }
    }
    if (report == nullptr || isOfWorkload(trace)) {
        return arrangement;
    }
    std::vector<Ns> active(trace.threads.size());
    const std::vector<bool> hasFramesAlone = threadsOfFrames(trace);
    const auto part = repeatedPart(model.recording());
    for (const ThreadFigures& figures : (part ? report->parts->steady : *report).threads) {
        active[figures.thread] += figures.api.value_or(0);
    }
    // What reaches beyond the recording, as a step whose GPU work came first, makes nobody else quiet.
    const auto within = [span = part.value_or(Interval {0, report->wall})](const auto& each) {
        return length(common({each.start, each.end}, span));
    };
    const auto add = [&](const auto& table) {
        for (const auto& each : table) {
            if (each.thread != no_row) {
                active[each.thread] += within(each);
            }
        }
    };
    for (const Range& range : trace.ranges) {
        if (range.thread != no_row && range.depth == 0 && !is_sampled(trace, range)) {
            active[range.thread] += within(range);
        }
    }
    add(trace.host_spans);
    add(trace.reads);
    const auto heads = headsOf(model.lanes());
    const auto isFolded
        = [&](std::size_t lane) { return heads[lane] && model.lanes()[*heads[lane]].key.kind == LaneKind::others; };
    const Ns most = active.empty() ? 0 : *std::max_element(active.begin(), active.end());
    for (std::size_t i = 0; i < model.lanes().size(); ++i) {
        const Lane& lane = model.lanes()[i];
        if (lane.key.kind == LaneKind::thread && !isFolded(i)
            && (hasFramesAlone[lane.row]
                || static_cast<double>(active[lane.row]) < quiet_share * static_cast<double>(most))) {
            arrangement.setCollapsed(lane.key, true);
        }
    }
    return arrangement;
}

}  // namespace lanes::gui
