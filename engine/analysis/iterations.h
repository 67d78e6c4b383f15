// SPDX-License-Identifier: MIT
// The iterations of a recording, each with its figures: the typical one, and what made others longer or shorter.
//
// find_iterations() finds them: ranges of a program, or a pattern of launches that comes again. iteration_spans() says
// what time each takes: from one to the next, so what comes between them (a batch is loaded, a log is written) is part
// of the first.
//
// Invariant: the parts of an iteration's path add up to its length, so the differences of its parts from the typical
// one's add up to how much longer it took.
#pragma once

#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/graph/critical_path.h"
#include "engine/analysis/report.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// What took time on a critical path. Only operations, calls, host work and named ranges have a `name`.
struct PathCause {
    PathPart::Kind kind = PathPart::unknown;
    EventTable table = EventTable::none;
    StringId name = 0;
    friend auto operator<=>(const PathCause&, const PathCause&) = default;
};
using PathTimes = std::map<PathCause, Ns>;

/// Times of the critical path of `span`; they add up to its length. What comes after the last call and operation is
/// what `thread` does then; no_row: nothing that is recorded.
PathTimes path_times(const Graph& graph, Interval span, Row thread);

struct Iteration {
    Interval span;
    StringId label = 0;  ///< the name of the range at whose start it begins, if that has a number; else 0
    Ns after_work = 0;  ///< of it, the time after the end of its own work; 0 of the last
    Ns busy = 0, overlap = 0;  ///< as gpu_busy_ns and overlap_ns of that range
    Ns exposed = 0;  ///< communication_exposed_ns and copy_exposed_ns of it, of the GPU with most
    MaybeNs blocked;  ///< of Iterations::thread
    std::uint64_t kernels = 0, copies = 0;  ///< that touch it
    PathTimes path;  ///< of its critical path, which ends with what Iterations::thread does
    enum class Outlier : std::uint8_t { none, warm_up, slow, fast } outlier = Outlier::none;

    Ns wall() const { return span.end - span.start; }
};

/// "none", "warm_up", "slow", "fast".
std::string_view name_of(Iteration::Outlier outlier);

struct Iterations {
    SteadyState::Found found = SteadyState::Found::ranges;
    std::string name;  ///< as SteadyState::name
    Row thread = no_row;  ///< as SteadyState::thread; where that is not known, the first thread
    std::vector<Iteration> all;  ///< least_iterations or more
    /// The one of median wall time after the warm-up and before the last one; of an even number, the lower one.
    std::size_t typical = 0;
};

/// An iteration is an outlier if it differs from the typical one by more than three standard deviations (estimated from
/// the median of the differences), by 5 % and by 20 µs. The last one is never fast: it lacks what comes after its work.
inline constexpr double outlier_share = 0.05;

/// The mean length of those after the warm-up; the last one, which lacks what comes before a next one, does not count.
Ns average_wall(const Iterations& iterations);

/// Nothing where nothing repeats. `bounds` must be those of the graph's recording. Cost: that of find_iterations(), and
/// of make_figures() and path_back() for each.
std::optional<Iterations> iterations_of(const Graph& graph, const RecordingBounds& bounds);

/// On what `iteration` spent more or less time than `typical`, the largest difference first; those below 1 % of the
/// typical one's length are left out.
std::vector<std::pair<PathCause, Ns>> differences_of(const Iteration& typical, const Iteration& iteration);

/// "kernel matmul", "cudaMalloc", "host work load", "in load batch", "in nothing that is recorded".
Message cause_message(const Trace& trace, const PathCause& cause);
Message cause_message(PathPart::Kind kind, EventTable table, std::string_view name);

/// A page of `lanes report --iterations`.
std::string iterations_text(const Trace& trace, const Iterations& iterations, const Messages& messages);
/// The key "iterations": an object.
void write_iterations(JsonWriter& json, const Trace& trace, const Iterations& iterations);

}  // namespace lanes
