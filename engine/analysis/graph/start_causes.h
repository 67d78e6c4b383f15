// SPDX-License-Identifier: MIT
// Why each operation began when it did: what it waited for last, and for how long it was ready before it began.
//
// An operation is ready once its call has been made, the previous operation on its stream is done, and so is what an
// event, the legacy default stream or a graph put before it. The last of these is the cause, if the operation began as
// soon after it as such a step takes in this recording. If it began later, it waited for its copy engine or for
// multiprocessors, if the record shows what occupied them. What neither explains is unknown.
#pragma once

#include "engine/analysis/graph/dependencies.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanes {

enum class StartCause : std::uint8_t {
    unknown,  ///< the recording does not say
    launch,  ///< its call came last
    stream,  ///< the operation before it on its stream
    event,  ///< an operation of another stream, through a cudaEvent
    graph,  ///< another node of its graph
    legacy,  ///< an operation on the other side of the legacy default stream
    engine,  ///< its copy engine was busy with another copy
    multiprocessors,  ///< other kernels filled the GPU
};
inline constexpr std::size_t start_cause_count = 8;

/// "launch", …, "unknown": as in reports.
std::string_view name_of(StartCause cause);

/// Cost: at most n log(streams); 9 bytes an operation.
class StartCauses {
public:
    StartCauses(const Trace& trace, const Dependencies& dependencies);

    StartCause cause(Row operation) const { return m_columns.cause[operation]; }
    /// The operation that had to end first; it began before this one. no_row if the cause is a launch or unknown. On
    /// one stream it may end after this one's start: a programmatic dependent launch lets the next kernel begin early.
    Row after(Row operation) const { return m_columns.after[operation]; }
    /// How long the operation was ready before it started, in ns; at most 4.29 s (32 bits).
    Ns ready_time(Row operation) const { return m_columns.ready[operation]; }

    /// All of one length.
    struct Columns {
        std::vector<StartCause> cause;
        std::vector<Row> after;
        std::vector<std::uint32_t> ready;
    };

private:
    Columns m_columns;
};

}  // namespace lanes
