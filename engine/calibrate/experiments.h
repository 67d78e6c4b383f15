// SPDX-License-Identifier: MIT
// The experiments of a calibration as they were recorded: what the calls of a named range did.
//
// A calibration workload puts each experiment into a range of its own; the fit asks for ranges by name and never
// knows which file they came from. Views point into the traces, which must live as long.
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
    std::uint32_t blocks, threads;  ///< of a kernel: of its grid, and of each block
    Row stream;
    std::string_view name;

    double time() const { return static_cast<double>(end - start); }
};

/// An outermost call, with what it issued in the order of starts.
struct Call {
    std::string_view name;
    Ns start, end;
    std::uint64_t bytes;  ///< of an allocation or release, where the recording has it
    std::vector<Work> work;

    double time() const { return static_cast<double>(end - start); }
};

/// One range of one recording.
struct Experiment {
    const Trace* trace = nullptr;
    std::vector<Call> calls;  ///< of the range's thread that started in it, in order
    std::vector<HostSpan> host;
    std::vector<Read> reads;
    Ns start = 0, end = 0;

    /// All operations of the calls, by start.
    std::vector<Work> work() const;
};

class Experiments {
public:
    /// Cost: n log n in what the traces hold.
    explicit Experiments(std::span<const Trace> traces);

    std::span<const Trace> traces() const { return m_traces; }
    /// The ranges of that name, of all traces. Cost: linear in the calls.
    std::vector<Experiment> of(std::string_view range) const;

private:
    std::span<const Trace> m_traces;
    std::vector<std::vector<std::vector<Row>>> m_work;  ///< by trace, then call: operations by start
    std::vector<std::vector<std::uint64_t>> m_bytes;  ///< by trace, then call: allocated or released
};

}  // namespace lanes
