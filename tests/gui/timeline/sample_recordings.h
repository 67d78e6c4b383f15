// SPDX-License-Identifier: MIT
// Recordings made by hand for the tests of the window: small, exact, and like the
// workloads they are named for.
#pragma once

#include "gui/lanes/shown_recording.h"

namespace lanes::gui::samples {

struct CopyResultsBack {
    int matrices = 8;
    Ns kernel = 2'150'000;
    Ns copy = 3'900'000;  ///< pageable where `blocking`, else pinned
    bool blocking = true;  ///< copies on the compute stream, each waited for
    Source source = Source::cupti;
    Ns origin = 1'700'000'000'000'000'000;
};
/// One thread; blocking: one stream; else a compute and a copy stream, and one device sync at the end.
RecordingPtr copyResultsBack(const CopyResultsBack& shape);

/// Two GPUs, three threads, nested ranges, overlapping operations of one stream, memsets, peer copies, queue
/// waits and a stale read: everything that a lane can show.
RecordingPtr everything();

}  // namespace lanes::gui::samples
