// SPDX-License-Identifier: MIT
// The figures of a recording: busy, overlap, hidden and exposed copies, blocked
// time. docs/definitions.md defines each; the names here are those of `lanes report --json`.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/figures/intervals.h"
#include "engine/analysis/figures/kernel_sizes.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/steady_state.h"
#include "engine/analysis/verdict.h"
#include "engine/analysis/words/messages.h"
#include "engine/trace/event.h"
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

/// A figure; nothing where the recording lacks what it is computed from.
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
    Ns communication = 0, communication_exposed = 0;  ///< while kernels of NCCL ran; of it, while no other kernel did
    std::vector<StreamFigures> streams;
};
struct ThreadFigures {
    Row thread;
    MaybeNs api;  ///< nothing where the recording has no calls at all
    MaybeNs host_wait, blocked;
    std::array<MaybeNs, block_cause_count> blocked_by;
};
/// All ranges of one name; wall is the length of their union.
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
    std::uint64_t count = 0;
    Message title, advice;
    std::vector<EventRef> evidence;  ///< the longest first, at most 100
    std::uint64_t stale_bytes = 0;  ///< that the host read too early; such a finding has no cost
};
/// api_calls: outermost calls; syncs: calls that hold the host; waits: streams' waits; ranges: without marks.
struct Counts {
    std::uint64_t api_calls = 0, kernels = 0, copies = 0, memsets = 0, syncs = 0, waits = 0, ranges = 0, dropped = 0;
};

struct Report {
    Interval range {0, 0};  ///< within [0, Trace::duration]
    Ns wall = 0, gpu_busy = 0, overlap = 0;
    std::array<Ns, 4> concurrency {};  ///< idle, one, two, three or more
    MaybeNs cpu_free;
    std::vector<GpuFigures> gpus;  ///< that have streams; all of the recording where none has
    std::vector<ThreadFigures> threads;  ///< that did anything, in the recording's order
    std::vector<NamedRangeFigures> ranges;  ///< by first start
    std::vector<Row> reads;  ///< into Trace::reads
    std::vector<Finding> findings;  ///< what is wrong first, then the dearest; of the whole, and of rules that it has
                                    ///< none of those of a `steady` part that is less than half of it
    Counts counts;
    std::uint64_t read_bytes = 0, wrong_bytes = 0;  ///< by `reads`; of them, that were not as they should be
    std::uint64_t copied_bytes
        = 0;  ///< by the copies of `counts`, each as a whole, but for fetches_number() (value_copies.h)
    std::string workload;  ///< the name of the one that was run; "": a program
    std::vector<KernelSize> kernel_sizes;  ///< of its run; empty without findings
    bool complete = true;  ///< is_complete() (caveats.h)
    Verdict verdict;
    std::optional<SteadyState> steady;  ///< of a whole recording of a program, not of a workload

    /// The thread that cpu_free is about: RecordingBounds::first_thread. Null: no thread did anything.
    const ThreadFigures* first_thread() const { return first < threads.size() ? &threads[first] : nullptr; }
    std::size_t first = 0;  ///< its place among `threads`
};

/// The figures of `range`, or of the whole recording, with findings and verdict. `blocking` must be
/// find_blocking(trace), `bounds` theirs. What reaches out of the range is cut at its ends; counts are of what touches
/// it. Cost: what lies in the range times log(streams); about 40 bytes for each stretch in which a GPU was busy while
/// it works. Without `bounds` the cost of these comes to it.
Report make_report(const Trace& trace, const Blocking& blocking, std::optional<Interval> range = {});
Report make_report(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    std::optional<Interval> range = {}, const Progress& progress = {});
/// The same without findings and verdict, which look at more than the range.
Report make_figures(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    std::optional<Interval> range = {}, const Progress& progress = {});

/// What a finding cost: "4.12 ms", or "64 MiB stale".
std::string cost_text(const Finding& finding, const Messages& messages);

/// "main (1234)", or "thread 1234" where it has no name.
Message thread_message(const Trace& trace, Row thread);

/// "NVIDIA H100 80GB HBM3", or "GPU 0" where the recording does not name it.
std::string device_name(const Trace& trace, std::uint32_t device);

/// Where the figures come from, in words: measured on `devices`, computed by a model, read from another tool's file.
Message source_message(const Trace& trace, const std::string& devices);

/// "The part that repeats: 20 iterations (ProfilerStep) in 10 ms, 12.3 ms to 22.3 ms".
Message steady_message(const SteadyState& steady);

/// As `lanes report --json` prints it, one line without a line's end. Findings are put in words of `messages`.
/// With `graph`, that of the recording, what waited for what stands in it, too. `more` may write further keys.
std::string to_json(const Trace& trace, const Report& report, const Messages& messages = Messages::english(),
    const Graph* graph = nullptr, const std::function<void(JsonWriter&)>& more = {});
/// As people read it: lines of text.
std::string to_text(const Trace& trace, const Report& report, const Messages& messages = Messages::english(),
    const Graph* graph = nullptr);

}  // namespace lanes
