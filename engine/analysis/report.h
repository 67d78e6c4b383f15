// SPDX-License-Identifier: MIT
// The figures of a recording: busy time, overlap, hidden and exposed copies, blocked time. docs/definitions.md defines
// each figure; names are those of `lanes report --json`.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/facts/length_step.h"
#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/figures/kernel_sizes.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/figures/report_figures.h"
#include "engine/analysis/findings/finding.h"
#include "engine/analysis/graph/wait_costs.h"
#include "engine/analysis/verdict/verdict.h"
#include "engine/analysis/words/messages.h"
#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

class JsonWriter;

/// The figures of a range, and what they mean.
struct Report : ReportFigures {
    std::vector<Finding> findings;  ///< wrong results first, then by cost; also those of the `steady` part if it is
                                    ///< less than half of the recording, for rules that found nothing in the whole
    std::vector<KernelSize> kernel_sizes;  ///< of the workload's kernels; empty without findings
    Verdict verdict;
    std::optional<SteadyState> steady;  ///< only of the whole recording of a program
    std::optional<LengthStep> length_step;  ///< of its iterations
    /// What findings and verdict were put together from; null: they are of the range alone.
    std::shared_ptr<const struct ReportParts> parts;
};

/// Of a recording whose `steady` part is less than half of it: a report of that part alone, and one of all of it in
/// which nothing is of the part.
struct ReportParts {
    Report steady, whole;
};

/// The figures of `range` or else of the whole recording, with findings and verdict. `bounds` must be those of the
/// graph's recording. Events are cut at the ends of the range; counts are of events that touch it. Cost: events in the
/// range times log(streams), and about 40 bytes for each interval in which a GPU was busy.
Report make_report(const Waited& waited, const RecordingBounds& bounds, std::optional<Interval> range = {},
    const Progress& progress = {});
/// The same, and the cost of making graph, wait costs and bounds. `blocking` must be find_blocking(trace).
Report make_report(const Trace& trace, const Blocking& blocking, std::optional<Interval> range = {});
/// The same without findings, verdict and what waits cost, which need more than the range.
Report make_figures(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    std::optional<Interval> range = {}, const Progress& progress = {});

/// The cost of a finding: "4.12 ms", or "64 MiB stale".
std::string cost_text(const Finding& finding, const Messages& messages);

/// What `gpu_busy` and `overlap` are called: of several GPUs they are no mean, but the time in which any was busy.
inline const char* busy_label(std::size_t gpus)
{
    return gpus > 1 ? "report.any_gpu_busy" : "report.gpu_busy";
}
inline const char* overlap_label(std::size_t gpus)
{
    return gpus > 1 ? "report.any_overlap" : "report.overlap";
}

/// A sentence on where the figures come from: measured on `devices`, computed by a model, or from another tool's file.
Message source_message(const Trace& trace, const std::string& devices);

/// "The part that repeats: 20 iterations (ProfilerStep) in 10 ms, 12.3 ms to 22.3 ms".
Message steady_message(const SteadyState& steady);
/// "From iteration 11 on an iteration typically takes 5.53 ms, before it 3.94 ms".
Message length_step_message(const LengthStep& step);
/// The key "length_step" of "steady": {"from": "iteration:11", "before_ns": …, "after_ns": …} or null.
void write_length_step(JsonWriter& json, const std::optional<LengthStep>& step);

/// What follows the changes of a command that is about the part that repeats.
inline constexpr const char* steady_option = " --range steady";

/// The output of `lanes report --json`: one line, without '\n'. `messages` gives the texts of findings. With the
/// recording's `graph` it also has what waited for what. `more` may write further keys.
std::string to_json(const Trace& trace, const Report& report, const Messages& messages = Messages::english(),
    const Graph* graph = nullptr, const std::function<void(JsonWriter&)>& more = {});
/// The output of `lanes report`. `command`: comes before the options of a finding's changes.
std::string to_text(const Trace& trace, const Report& report, const Messages& messages = Messages::english(),
    const Graph* graph = nullptr, const std::string& command = "lanes whatif FILE");

}  // namespace lanes
