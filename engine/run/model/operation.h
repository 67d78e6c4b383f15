// SPDX-License-Identifier: MIT
// An operation on its way through a stream, and the streams.
#pragma once

#include "engine/run/model/agenda.h"
#include "engine/run/model/memory.h"
#include "engine/run/model/model_truth.h"
#include "engine/workload/program.h"

#include <vector>

namespace lanes::model {

inline constexpr std::uint32_t none = no_id;

/// A place in a stream's order.
struct Place {
    std::uint32_t stream = none;
    std::uint32_t number = 0;
};

/// What something waited for last.
struct WaitedFor {
    ModelTruth::Start cause = ModelTruth::Start::launch;
    ModelTruth::Work after;
};

/// An operation that a call put into a stream. Lives from the call to its end on the GPU.
struct Operation {
    enum class Kind : std::uint8_t { kernel, copy, memset, record, wait, graph, collective };
    Kind kind = Kind::kernel;
    bool faults = false;
    bool staged = false;  ///< a pageable copy that the host takes part in to its end
    bool returns_staged = false;  ///< its thread goes on when the last byte is staged, before the copy's end
    bool captured_source = false;  ///< `values` was taken when it was issued (staged at once)
    bool async = true;
    CopyKind copy = CopyKind::unknown;
    std::uint8_t byte = 0;  ///< of a memset

    std::uint32_t stream = none;  ///< into GpuSide's streams
    std::uint32_t number = 0;  ///< place in the stream's order
    std::uint32_t correlation = 0;
    std::uint32_t unmet = 0;  ///< operations that must end before it starts
    std::uint32_t dependents = none;  ///< list of those that wait for its end
    std::uint32_t graph_run = none, graph_node = 0;
    std::uint32_t group = none;  ///< of a collective
    std::uint32_t stager = none;  ///< the thread that stages it

    Place after;  ///< for a wait: what it waits for
    Ns arrival = 0;  ///< when the GPU can see it
    Ns ready = 0;  ///< when its dependencies let it start
    bool waited_for_copy = false;  ///< for a wait: it waited for a copy
    Ns start = 0;
    WaitedFor arrival_for;  ///< what `arrival` is due to
    WaitedFor ready_for;  ///< what `ready` is due to
    WaitedFor waited_for;  ///< what last let it go to its engine, or begin there
    Ns dispatched = 0;  ///< when it went to its engine

    StringId name = 0;
    const KernelAction* kernel = nullptr;
    double number_written = 0;  ///< by a kernel without a value
    Index from = none, to = none;  ///< buffers
    std::uint64_t offset = 0, bytes = 0;
    Values values;  ///< what it will write

    Index event = none;  ///< of record and wait
    std::uint32_t event_sync = 0;
    std::uint32_t graph = none;  ///< of Captures
};

/// Facts about all operations of a kind.
struct KindFacts {
    enum class On : std::uint8_t { multiprocessors, copy_engine, nothing, graph };
    enum class Record : std::uint8_t { kernel, copy, memset, event, none };
    On on;  ///< what executes it; nothing: it orders streams
    Record record;  ///< of its end
};

constexpr KindFacts facts_of(Operation::Kind kind)
{
    switch (kind) {
    case Operation::Kind::kernel:
    case Operation::Kind::collective:
        return {KindFacts::On::multiprocessors, KindFacts::Record::kernel};
    case Operation::Kind::copy:
        return {KindFacts::On::copy_engine, KindFacts::Record::copy};
    case Operation::Kind::memset:
        return {KindFacts::On::copy_engine, KindFacts::Record::memset};
    case Operation::Kind::record:
        return {KindFacts::On::nothing, KindFacts::Record::event};
    case Operation::Kind::wait:
        return {KindFacts::On::nothing, KindFacts::Record::none};
    case Operation::Kind::graph:
        break;
    }
    return {KindFacts::On::graph, KindFacts::Record::none};
}

/// What an operation that begins now writes if buffers hold `state`. Empty for a collective, which needs all of its
/// ranks.
inline Values values_written(const Operation& operation, const std::vector<Values>& state)
{
    switch (operation.kind) {
    case Operation::Kind::kernel:
        if (operation.kernel != nullptr && !operation.kernel->value.empty()) {
            return Values(value_of(operation.kernel->value, state));
        }
        return Values(operation.number_written);
    case Operation::Kind::copy:
        return state[operation.from].slice(operation.offset, operation.bytes);
    case Operation::Kind::memset:
        return Values(value_of_bytes(operation.byte));
    case Operation::Kind::collective:
    case Operation::Kind::record:
    case Operation::Kind::wait:
    case Operation::Kind::graph:
        break;
    }
    return Values();
}

/// Whether a copy engine executes it; all other work is for the multiprocessors.
inline bool is_copy(const Operation& operation)
{
    return operation.kind == Operation::Kind::copy;
}

/// False if it only orders streams.
inline bool is_work(const Operation& operation)
{
    return facts_of(operation.kind).on != KindFacts::On::nothing;
}

/// Operations of one stream, first in first out. Numbers count all operations ever issued.
struct Stream {
    Index spec;
    std::uint32_t gpu;
    StreamSpec::Kind kind;
    int priority;
    std::uint32_t id;  ///< as CUPTI would number it

    std::vector<std::uint32_t> ring;  ///< operation of each pending number, at number % size
    std::uint32_t issued = 0, completed = 0;
    bool busy = false;  ///< its head is on an engine
    Ns scheduled = -1;  ///< when its head will be looked at
    Ns work_end = -1;  ///< end of its last kernel, copy or memset; -1: none
    bool work_was_copy = false;
    Ns wait_end = -1;  ///< when its last wait for another stream ended; -1: none
    bool wait_was_for_copy = false;
    ModelTruth::Work last_work;  ///< the work that ended at work_end
    WaitedFor wait_for;  ///< what wait_end is due to
    std::vector<std::uint32_t> space_waiters;  ///< threads that wait for room, in order

    std::uint32_t pending() const { return issued - completed; }
    std::uint32_t& slot(std::uint32_t number) { return ring[number & (ring.size() - 1)]; }
};

/// A graph's operations as captured; `after[n]` are the nodes that node n waits for.
struct Graph {
    std::vector<Operation> nodes;
    std::vector<std::vector<std::uint32_t>> after;
};

}  // namespace lanes::model
