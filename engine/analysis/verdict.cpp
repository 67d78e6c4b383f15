// SPDX-License-Identifier: MIT
#include "engine/analysis/verdict.h"

#include "engine/analysis/recording_bounds.h"
#include "engine/analysis/report.h"
#include "engine/analysis/shown.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr double mostly_idle = 0.05;  // of the wall time: with less GPU work, waits for it say little of the program
constexpr double enough_to_matter = 0.02;  // of the GPU's busy time
constexpr double enough_blocked = 0.5, enough_hidden = 0.5, enough_overlap = 0.1, enough_free = 0.5;

double ratio(Ns part, Ns whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// Blocked time of `thread` that kept it from issuing more or from working on.
Ns time_held_up(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds, Interval range, Row thread)
{
    const auto& of = bounds.threads[thread];
    const Ns last_activity = std::max(of.last_issue, of.last_work);
    Ns held = 0;
    each_touching(blocking.calls, bounds.blocked, range, [&](Row row) {
        const auto& stretch = blocking.calls[row];
        if (trace.calls.thread[stretch.call] == thread && trace.calls.start[stretch.call] <= last_activity) {
            held += std::min(stretch.end, range.end) - std::max(stretch.start, range.start);
        }
    });
    return held;
}

}  // namespace

OverlapVerdict verdict_of(
    const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds, const Report& report)
{
    using Kind = OverlapVerdict::Kind;
    if (report.gpu_busy == 0) {
        return {Kind::nothing, {"verdict.nothing", {}}};
    }
    if (ratio(report.gpu_busy, report.wall) < mostly_idle) {
        return {Kind::nothing,
            {"verdict.mostly_idle",
                {{"busy", shown_share(ratio(report.gpu_busy, report.wall))}, {"wall", shown_time(report.wall)}}}};
    }
    Ns copy = 0;
    Ns hidden = 0;
    const GpuFigures* most_exposed = nullptr;  // GPUs communicate together: the one with the most exposed time decides
    for (const auto& gpu : report.gpus) {
        copy += gpu.copy;
        hidden += gpu.copy_hidden;
        if (gpu.communication > 0
            && (most_exposed == nullptr || gpu.communication_exposed > most_exposed->communication_exposed)) {
            most_exposed = &gpu;
        }
    }
    if (most_exposed != nullptr && ratio(most_exposed->communication, report.gpu_busy) >= enough_to_matter) {
        const auto exposed = ratio(most_exposed->communication_exposed, most_exposed->communication);
        const bool is_hidden = 1 - exposed >= enough_hidden;
        return {is_hidden ? Kind::overlapped : Kind::serial,
            {is_hidden ? "verdict.overlapped_communication" : "verdict.serial_communication",
                {{"hidden", shown_share(1 - exposed)}, {"exposed", shown_time(most_exposed->communication_exposed)},
                    {"wall", shown_time(report.wall)}}}};
    }
    // Copies that take next to no time do not decide.
    const bool copies_matter = ratio(copy, report.gpu_busy) >= enough_to_matter;
    const auto hidden_text = shown_share(ratio(hidden, copy));
    const auto overlap_text = shown_share(ratio(report.overlap, report.gpu_busy));
    if (copies_matter && ratio(hidden, copy) >= enough_hidden) {
        return {Kind::overlapped, {"verdict.overlapped_copies", {{"hidden", hidden_text}}}};
    }
    if (ratio(report.overlap, report.gpu_busy) >= enough_overlap) {
        return {Kind::overlapped, {"verdict.overlapped_streams", {{"overlap", overlap_text}}}};
    }
    const ThreadFigures* most_blocked = nullptr;
    for (const auto& thread : report.threads) {
        if (thread.blocked && (most_blocked == nullptr || *thread.blocked > *most_blocked->blocked)) {
            most_blocked = &thread;
        }
    }
    if (most_blocked != nullptr
        && ratio(time_held_up(trace, blocking, bounds, report.range, most_blocked->thread), report.gpu_busy)
            >= enough_blocked) {
        Message message {
            "verdict.blocking", {{"blocked", shown_time(*most_blocked->blocked)}, {"wall", shown_time(report.wall)}}};
        if (copies_matter) {
            message.id = "verdict.blocking_copies";
            message.arguments.emplace_back("hidden", hidden_text);
        }
        return {Kind::blocking, std::move(message)};
    }
    if (report.cpu_free && ratio(*report.cpu_free, report.gpu_busy) >= enough_free) {
        return {Kind::cpu_free,
            {"verdict.cpu_free", {{"free", shown_time(*report.cpu_free)}, {"busy", shown_time(report.gpu_busy)}}}};
    }
    Message message {"verdict.serial", {{"overlap", overlap_text}}};
    if (copies_matter) {
        message = {"verdict.serial_copies", {{"hidden", hidden_text}}};
    }
    return {Kind::serial, std::move(message)};
}

}  // namespace lanes
