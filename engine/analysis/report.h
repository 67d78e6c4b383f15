// SPDX-License-Identifier: MIT
// The figures of a recording: busy time, overlap, hidden and exposed copies, blocked time. docs/definitions.md defines
// each figure; names are those of `lanes report --json`.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/figures/intervals.h"
#include "engine/analysis/figures/kernel_sizes.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/steady_state.h"
#include "engine/analysis/verdict.h"
#include "engine/analysis/words/messages.h"
#include "engine/trace/event_ref.h"
#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

class Graph;
class JsonWriter;

/// A figure; nothing if the recording lacks the data for it.
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
    Ns communication = 0, communication_exposed = 0;  ///< while NCCL kernels ran; the part while no other kernel ran
    std::vector<StreamFigures> streams;
};
struct ThreadFigures {
    Row thread;
    MaybeNs api;  ///< nothing if the recording has no calls
    MaybeNs host_wait, blocked;
    std::array<MaybeNs, block_cause_count> blocked_by;
};
/// All ranges of one name; `wall` is the length of their union.
struct NamedRangeFigures {
    StringId name;
    std::uint64_t count = 0;
    Ns wall = 0, gpu_busy = 0;
    MaybeNs blocked;
};
/// One thing that cost time, or that was wrong.
struct Finding {
    std::string rule;
    Ns cost = 0;
    /// What is gained instead where `advice` says "if": no record tells which of the two it is. Less or more than
    /// `cost`; the same where nothing is open.
    Ns otherwise = 0;
    std::uint64_t count = 0;
    Message title, advice;
    std::vector<EventRef> evidence;  ///< the longest first, at most 100
    std::uint64_t stale_bytes = 0;  ///< bytes that the host read too early; such a finding has no cost
};
/// api_calls: outermost calls; syncs: calls that block the host; waits: waits of streams; ranges: without marks.
struct Counts {
    std::uint64_t api_calls = 0, kernels = 0, copies = 0, memsets = 0, syncs = 0, waits = 0, ranges = 0, dropped = 0;
};

struct Report {
    Interval range {0, 0};  ///< within [0, Trace::duration]
    Ns wall = 0, gpu_busy = 0, overlap = 0;
    std::array<Ns, 4> concurrency {};  ///< idle, one, two, three or more
    MaybeNs cpu_free;
    std::vector<GpuFigures> gpus;  ///< those with streams; if none has any, all GPUs
    std::vector<ThreadFigures> threads;  ///< those that did anything, in the order of Trace::threads
    std::vector<NamedRangeFigures> ranges;  ///< by first start
    std::vector<Row> reads;  ///< into Trace::reads
    std::vector<Finding> findings;  ///< wrong results first, then by cost; also those of the `steady` part if it is
                                    ///< less than half of the recording, for rules that found nothing in the whole
    Counts counts;
    std::uint64_t read_bytes = 0, wrong_bytes = 0;  ///< bytes of `reads`, and those of them that were wrong
    /// Bytes of the copies in `counts`, uncut, without fetches_number() (value_copies.h).
    std::uint64_t copied_bytes = 0;
    std::string workload;  ///< its name; "": a program
    std::vector<KernelSize> kernel_sizes;  ///< of the workload's kernels; empty without findings
    bool complete = true;  ///< is_complete() (caveats.h)
    bool gpu_recorded = true;  ///< gpu_work_is_recorded() (recorded_part.h); false: figures of GPUs say nothing
    /// A figure of GPUs as it may be shown: nothing if their work was not recorded.
    MaybeNs of_gpus(Ns figure) const { return gpu_recorded ? MaybeNs(figure) : std::nullopt; }
    Verdict verdict;
    std::optional<SteadyState> steady;  ///< only of the whole recording of a program

    /// The thread of cpu_free, RecordingBounds::first_thread. Null: no thread did anything.
    const ThreadFigures* first_thread() const { return first < threads.size() ? &threads[first] : nullptr; }
    std::size_t first = 0;  ///< its index in `threads`
};

/// The figures of `range` or else of the whole recording, with findings and verdict. `blocking` must be
/// find_blocking(trace), and `bounds` made of both. Events are cut at the ends of the range; counts are of events that
/// touch it. Cost: events in the range times log(streams), and about 40 bytes for each interval in which a GPU was
/// busy; without `bounds` also the cost of making them.
Report make_report(const Trace& trace, const Blocking& blocking, std::optional<Interval> range = {});
Report make_report(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    std::optional<Interval> range = {}, const Progress& progress = {});
/// The same without findings and verdict, which need more than the range.
Report make_figures(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    std::optional<Interval> range = {}, const Progress& progress = {});

/// The cost of a finding: "4.12 ms", or "64 MiB stale".
std::string cost_text(const Finding& finding, const Messages& messages);

/// "main (1234)", or "thread 1234" if it has no name.
Message thread_message(const Trace& trace, Row thread);

/// "NVIDIA H100 80GB HBM3", or "GPU 0" if it has no name.
std::string device_name(const Trace& trace, std::uint32_t device);

/// A sentence on where the figures come from: measured on `devices`, computed by a model, or from another tool's file.
Message source_message(const Trace& trace, const std::string& devices);

/// "The part that repeats: 20 iterations (ProfilerStep) in 10 ms, 12.3 ms to 22.3 ms".
Message steady_message(const SteadyState& steady);

/// The output of `lanes report --json`: one line, without '\n'. `messages` gives the texts of findings. With the
/// recording's `graph` it also has what waited for what. `more` may write further keys.
std::string to_json(const Trace& trace, const Report& report, const Messages& messages = Messages::english(),
    const Graph* graph = nullptr, const std::function<void(JsonWriter&)>& more = {});
/// The output of `lanes report`.
std::string to_text(const Trace& trace, const Report& report, const Messages& messages = Messages::english(),
    const Graph* graph = nullptr);

}  // namespace lanes
