// SPDX-License-Identifier: MIT
// The loop of a program, as its launches show it; a launched CUDA graph counts as one launch.
//
// find_loops() finds loops within loops on a stream: layers in an iteration, iterations in an epoch. From the innermost
// outwards, the one around is the program's own instead
//   - if nine of ten of its iterations update weights (an optimizer's kernels), are launched by several threads (of
//     which each issues a tenth or more: PyTorch's backward pass has its own thread) or, with at most four inner ones
//     in each, upload something, and less than half of the inner ones do: gradients of several batches, a network on
//     real data and on generated data;
//   - else, if it is launched by several threads or uploads and the inner one does neither, not the other way round;
//   - else, if it is as long as the inner ones in it, within a tenth of one of them: unless it reads more results than
//     they do (it logs each tenth step);
//   - else, if the inner one reads no results and does not wait, or if there are ten or more of it (tokens of layers
//     that wait; fewer are epochs).
//
// Of the streams with a tenth or more of the operations of the one with most, the first of those whose loop updates
// weights, then of those that a process's main thread issues, then the one with most operations: the model's, not that
// of a worker that prepares batches on the GPU. If work is spread over streams, the
// loop of all operations of the process in the order of their issue is taken where the stream shows only parts of it:
// the stream's iterations neither upload nor read nor wait, one thread launches them, and there are more of them.
// If the stream's iterations are of two operations or more, the process's loop has a third more iterations or more,
// with three quarters of the names of the stream's in each, and a quarter of them have nothing on that stream, they are
// dealt to several streams, and the process's are taken. If no stream has a loop, the streams of the process one after
// the other may show it: threads with a stream each.
#pragma once

#include "engine/trace/trace.h"
#include "engine/trace/units.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lanes {

struct LaunchLoop {
    /// In order; each lasts from the issue of its first operation to the end of its last one.
    std::vector<Interval> iterations;
    std::vector<std::vector<Row>> operations;  ///< of each iteration, on its stream
    std::size_t of_all = 0;  ///< all operations of the stream, or of the process
    bool complete = false;  ///< an iteration of the program, not only something in one
    /// The thread that issues it: the first thread of the process that issues a tenth of its operations or more.
    /// no_row: not known.
    Row thread = no_row;
    /// Iterations of the first tenth up to one with a wait for the whole device and with more launches of a name than
    /// any other iteration: a warm-up in a loop of its own. Within one loop, only the clock is read after such a wait.
    std::size_t before_wait = 0;
};

/// When an operation was issued: the start of its call; without one, its own.
Ns issue_time(const Trace& trace, Row operation);

/// Nothing where nothing repeats: half of the stream's (the process's) operations or more must be in it, and
/// least_operations. Cost: that of find_loops() for up to eight streams and the process, and linear in their operations
/// for each loop found.
std::optional<LaunchLoop> find_launch_loop(const Trace& trace);

inline constexpr std::size_t least_operations = 8;  ///< three launches of one kernel are no iterations

}  // namespace lanes
