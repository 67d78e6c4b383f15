// SPDX-License-Identifier: MIT
// The figures of a recording: busy, overlap, hidden and exposed copies, blocked
// time. DESIGN.md §4 defines each; the names here are those of `lanes report --json`.
#pragma once

#include "engine/analysis/blocking.h"
#include "engine/analysis/intervals.h"
#include "engine/trace/trace.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// A figure that the recording may not be able to tell.
using MaybeNs = std::optional<Ns>;

struct StreamFigures {
    Row stream;
    std::uint64_t operations = 0;
    Ns busy = 0;
};
struct GpuFigures {
    std::uint32_t device = 0;
    Ns busy = 0, idle = 0, kernel = 0, copy = 0, memset = 0, h2d = 0, d2h = 0, d2d = 0, p2p = 0;
    Ns copy_hidden = 0, copy_exposed = 0, h2d_d2h_overlap = 0, kernel_concurrency = 0, overlap = 0;
    std::vector<StreamFigures> streams;
};
struct ThreadFigures {
    Row thread;
    Ns api = 0, host_wait = 0;
    MaybeNs blocked;
    std::array<MaybeNs, block_cause_count> blocked_by;
};
struct RangeFigures {
    StringId name;
    std::uint64_t count = 0;
    Ns wall = 0, gpu_busy = 0;
    MaybeNs blocked;
};
struct Evidence {
    std::string kind;
    Ns start, end;
    std::uint32_t correlation;
};
/// One thing that cost time. Title and advice are message ids with arguments (resources/text).
struct Finding {
    std::string rule;
    Ns cost = 0;
    std::uint64_t count = 0;
    std::string title, advice;
    std::vector<Evidence> evidence;
};
struct Counts {
    std::uint64_t api_calls = 0, kernels = 0, copies = 0, memsets = 0, syncs = 0, waits = 0, ranges = 0, dropped = 0;
};

struct Report {
    Interval range{0, 0};
    Ns wall = 0, gpu_busy = 0, overlap = 0;
    std::array<Ns, 4> concurrency{};  ///< idle, one, two, three or more
    MaybeNs cpu_free;
    std::vector<GpuFigures> gpus;
    std::vector<ThreadFigures> threads;
    std::vector<RangeFigures> ranges;
    std::vector<Row> reads;
    std::vector<Finding> findings;
    Counts counts;
};

/// The figures of `range`, or of the whole recording. `blocking` must be find_blocking(trace).
Report make_report(const Trace& trace, const Blocking& blocking, std::optional<Interval> range = {});

/// As `lanes report --json` prints it, one line, and as people read it.
std::string to_json(const Trace& trace, const Report& report);
std::string to_text(const Trace& trace, const Report& report);

}  // namespace lanes
