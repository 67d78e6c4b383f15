// SPDX-License-Identifier: MIT
// The experiments in calibration recordings: the calls of a named range, and the operations that they issued.
//
// A calibration workload puts each experiment into its own range. The fit looks ranges up by name; it does not matter
// in which file they are. The views point into the traces, which must outlive them.
#pragma once

#include "engine/trace/trace.h"

#include <span>
#include <string_view>
#include <vector>

namespace lanes {

/// An operation with the call that issued it.
struct Work {
    OperationKind kind;
    Ns start, end;
    Ns call_start, call_end;
    std::uint64_t bytes;  ///< of a copy or memset
    std::uint32_t blocks, threads;  ///< of a kernel: blocks in the grid, threads in a block
    Row stream;
    std::string_view name;

    double time() const { return static_cast<double>(end - start); }
};

/// An outermost call, with the operations it issued, by start.
struct Call {
    std::string_view name;
    Ns start, end;
    std::uint64_t bytes;  ///< of an allocation or release; 0: not known
    std::vector<Work> work;

    double time() const { return static_cast<double>(end - start); }
};

/// One range of one recording.
struct Experiment {
    const Trace* trace = nullptr;
    std::vector<Call> calls;  ///< those of the range's thread that started in the range, in order
    std::vector<HostSpan> host;
    std::vector<Read> reads;
    Ns start = 0, end = 0;

    /// All operations of the calls, by start.
    std::vector<Work> work() const;
};

class Experiments {
public:
    /// Cost: n log n in the records of the traces.
    explicit Experiments(std::span<const Trace> traces);

    std::span<const Trace> traces() const { return m_traces; }
    /// The ranges of this name in all traces. Cost: linear in the calls.
    std::vector<Experiment> of(std::string_view range) const;

private:
    std::span<const Trace> m_traces;
    std::vector<std::vector<std::vector<Row>>> m_work;  ///< by trace, then call: operations by start
    std::vector<std::vector<std::uint64_t>> m_bytes;  ///< by trace, then call: allocated or released
};

}  // namespace lanes
