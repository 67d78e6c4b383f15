// SPDX-License-Identifier: MIT
// The effects of an action, for all code that need not know its kind: the memory that it accesses, the events, graphs
// and queues that it uses, what its thread waits for, and what it counts as. The checks, the counts, the memory that a
// machine needs and the contents that the CUDA runner expects are computed from this.
#pragma once

#include "engine/workload/workload.h"

#include <string_view>
#include <vector>

namespace lanes {

/// An access to bytes [offset, offset + bytes) of a buffer.
struct Access {
    enum class Kind : std::uint8_t { read, write };
    Kind kind;
    Index buffer;
    std::uint64_t offset, bytes;
    Index stream;  ///< the stream whose operation makes it; no_id: the thread itself makes it
    Index copied_from = no_id;  ///< of a write: the buffer from which it copies the bytes at the same place
};

struct Effects {
    /// What a thread waits for before it goes on.
    enum class Wait : std::uint8_t {
        nothing,
        stream,  ///< all work in a stream
        device,  ///< all work of a GPU
        event,
        room,  ///< room in a queue, which it fills
        item,  ///< an item of a queue, which it takes
        thread,  ///< the end of another thread
    };

    Index stream = no_id;  ///< the one that the action names; no_id: none or several
    std::uint32_t gpu = no_id;  ///< on which it works; no_id: none or several
    bool is_work = false;  ///< it is work of `stream`, or of the streams of its accesses
    bool joins_streams = false;  ///< these streams wait for one another
    bool may_race = false;  ///< the workload expects that nothing orders its accesses
    /// Possibly several of one buffer. `alloc` and `free` access none, a launch none but those of its graph.
    std::vector<Access> accesses;
    Index allocates = no_id, frees = no_id;  ///< a buffer
    Index records = no_id, stream_awaits = no_id;  ///< an event that `stream` records or waits for
    Index begins = no_id, ends = no_id, launches = no_id;  ///< a graph: its capture, or its launch
    Wait wait = Wait::nothing;
    Index awaited = no_id;  ///< the stream, GPU, event, queue or thread that its thread waits for
    Index may_go_to = no_id;  ///< of a branch: an instruction of its thread
    std::string_view kernel_name;  ///< of all its kernels; "": none is given
    ProgramCounts counts;  ///< without those of a launched graph
    bool makes_counts_unknown = false;
};

/// The effects of an action of `program`. Names are those of `action`. Cost: linear in the buffers that it accesses.
Effects effects_of(const Program& program, const Action& action);

/// Writes into `into` and reuses its memory: for callers that need many.
void effects_of(const Program& program, const Action& action, Effects& into);

/// Calls visit(const Effects&, Index instruction) for each instruction of a thread.
template <class Visit> void each_effects(const Program& program, const ThreadProgram& thread, const Visit& visit)
{
    Effects effects;
    for (Index at = 0; at < thread.instructions.size(); ++at) {
        effects_of(program, thread.instructions[at].action, effects);
        visit(static_cast<const Effects&>(effects), at);
    }
}

/// Calls visit(const Effects&, const Instruction&, Index thread) for each instruction, thread by thread.
template <class Visit> void each_effects(const Program& program, const Visit& visit)
{
    for (Index thread = 0; thread < program.threads.size(); ++thread) {
        const auto& instructions = program.threads[thread].instructions;
        each_effects(program, program.threads[thread],
            [&](const Effects& effects, Index at) { visit(effects, instructions[at], thread); });
    }
}

}  // namespace lanes
