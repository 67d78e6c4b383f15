// SPDX-License-Identifier: MIT
// Which lanes the streams of a GPU get, and in which order they and the threads come, of the recording of a program:
// what a reader looks for first is at the top, and what did nothing in openedPart() is folded. It is that part whatever
// is in sight later: lanes do not jump while one pans. Those of a workload stay as they were recorded.
#pragma once

#include "gui/lanes/stream_kinds.h"

namespace lanes::gui {

struct ThreadOrder {
    struct OfProcess {
        std::uint32_t process;
        std::vector<Row> threads;
    };
    std::vector<OfProcess> processes;  ///< those with a thread here, each once
    /// Those that issued no work for a GPU in openedPart(), of all processes; none where there would be one, or nobody
    /// issued any.
    std::vector<Row> others;
};

/// Of the CPU threads that are `active`, by row of the trace's threads. Processes are in the order of their ranks, else
/// by the thread that issues most, as their threads are: by the time of outermost calls that issued work. As recorded
/// while the figures of ranges, which know those calls, are missing. Cost: a look at each call.
ThreadOrder orderOfThreads(const ShownRecording& recording, const std::vector<bool>& active);

/// A lane for a stream of a GPU.
struct StreamLane {
    Row stream;
    StreamPart part;
    bool isMain = false;  ///< the first of its GPU that shows this part
};
struct StreamOrder {
    std::vector<StreamLane> lanes;  ///< compute first, then communication, copies; of one part the busiest first
    /// In the same order, those without an operation in openedPart() and, of many streams, those of streams that were
    /// busy in it for less than quiet_stream_share of what the busiest one was; none where there would be one.
    std::vector<StreamLane> quiet;
};
inline constexpr double quiet_stream_share = 0.01;

/// Of the streams of one GPU that show anything; of a workload they stay whole, and as recorded. `kinds` by row of the
/// trace's streams.
StreamOrder orderOfStreams(const Trace& trace, const std::vector<StreamKinds>& kinds, const std::vector<Row>& streams);

}  // namespace lanes::gui
