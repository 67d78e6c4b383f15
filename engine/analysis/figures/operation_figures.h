// SPDX-License-Identifier: MIT
// What the GPUs did in a range, measured in one pass through the starts and ends of
// its operations.
#pragma once

#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/figures/report_figures.h"
#include "engine/trace/progress.h"

namespace lanes {

/// When a GPU was busy, and with which operation each busy interval began.
struct DeviceBusy {
    std::uint32_t device;
    IntervalSet busy;
    std::vector<Row> opened_by;  ///< by busy interval, the operation that it begins with
    Ns before = INT64_MIN;  ///< the last end of what began before the range
    Row next = no_row;  ///< the first operation after the range
    Ns values = 0;  ///< of copies that fetched a value (value_copies.h): their durations in the range, summed
};

struct OperationFigures {
    std::array<Ns, 4> concurrency {};  ///< streams of all GPUs: idle, one, two, three or more
    std::array<std::uint64_t, 7> counts {};  ///< by kind, of what touches the range
    std::uint64_t copied_bytes = 0;  ///< of what touches the range, without numbers that the host fetches
    std::vector<GpuFigures> gpus;  ///< by device; with the streams that have any operation in the recording
    std::vector<DeviceBusy> devices;  ///< in the order of gpus
    IntervalSet several;  ///< when any of them was busy, where there are several

    /// When any GPU was busy.
    const IntervalSet& busy() const { return devices.size() == 1 ? devices.front().busy : several; }
};

/// Cost: operations in the range times log2(streams); 20 bytes an interval in which a GPU was busy.
OperationFigures measure_operations(
    const Trace& trace, const RecordingBounds& bounds, Interval range, const Progress& progress = {});

}  // namespace lanes
