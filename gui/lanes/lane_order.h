// SPDX-License-Identifier: MIT
// In which order the streams of a GPU and the threads come, of the recording of a program: what a reader looks for
// first is at the top. Those of a workload stay as they were recorded.
#pragma once

#include "gui/lanes/stream_kinds.h"

namespace lanes::gui {

struct ThreadOrder {
    struct OfProcess {
        std::uint32_t process;
        std::vector<Row> threads;
    };
    std::vector<OfProcess> processes;  ///< those with a thread here, each once
    /// Those that issued no work for a GPU, of all processes; none where there would be one, or nobody issued any.
    std::vector<Row> others;
};

/// Of the CPU threads that are `active`, by row of the trace's threads. Processes are in the order of their ranks, else
/// by the thread that issues most, as their threads are: by the time of outermost calls that issued work. As recorded
/// while the figures of ranges, which know those calls, are missing. Cost: a look at each call.
ThreadOrder orderOfThreads(const ShownRecording& recording, const std::vector<bool>& active);

/// Compute first, then communication, copies, memsets; of equal ones the one that was busiest in all of the recording.
/// `kinds` by row of the trace's streams.
void orderStreams(const ShownRecording& recording, const std::vector<StreamKinds>& kinds, std::vector<Row>& streams);

}  // namespace lanes::gui
