// SPDX-License-Identifier: MIT
// Checks that every buffer is allocated when a step uses it, and that memory of the caching allocator is used on the
// stream of its block alone: after a `free` the next buffer of that stream may get it at once. check.h says in which
// order the threads are simulated. If that depends on a branch on a buffer's value, this accepts the program and the
// runners check.
#pragma once

#include "engine/workload/effects.h"

#include <map>
#include <vector>

namespace lanes {

class MemoryCheck {
public:
    explicit MemoryCheck(const Program& program);

    /// Takes the next instruction in the order of play_threads(), and its effects. Throws WorkloadError. Cost: linear
    /// in the buffers of the instruction; at a branch, in all buffers that any step allocates or frees.
    void visit(Index thread, Index at, const Effects& effects);

private:
    struct Buffer {
        enum class State : std::uint8_t { allocated, never, freed, unknown };
        State state;
        std::uint32_t frees = 0;  ///< so far
        Index freed_by = no_id;  ///< the step of the last `free`
        Index stream = no_id;  ///< of its block, if it is from the caching allocator
        bool same_as(const Buffer& other) const
        {
            return state == other.state && frees == other.frees && stream == other.stream;
        }
    };
    /// A buffer whose address a graph contains.
    struct Captured {
        Index buffer;
        std::uint32_t frees;  ///< when it was captured
    };
    struct Flow {
        std::map<Index, std::vector<Buffer>> landings;  ///< by instruction: the buffers at branches to it
        Index capturing = no_id;
    };

    void land(Flow& flow, Index at);
    void branch(Flow& flow, Index target);
    void use(const Access& access, const Flow& flow);
    void allocate(Index buffer, Index stream);
    void release(Index buffer);
    /// `stream`: on which it runs, whatever it was captured on.
    void launch(Index graph, Index stream);
    void expect_own_stream(Index buffer, const Buffer& found, Index stream) const;
    std::string line_of_free(const Buffer& buffer) const;
    [[noreturn]] void fail(const std::string& message) const;

    const Program& m_program;
    std::vector<Index> m_places;  ///< of the program's buffers: into m_buffers, no_id: no step allocates or frees it
    std::vector<Index> m_moving;  ///< the program's buffers beside m_buffers
    std::vector<Buffer> m_buffers;
    std::vector<std::vector<Captured>> m_graphs;
    std::vector<Flow> m_flows;  ///< of the threads
    const Instruction* m_instruction = nullptr;
};

/// Whether branches or several threads may allocate or free buffers in another order than MemoryCheck assumed.
bool allocation_is_uncertain(const Program& program);

/// The buffers, among those that any step allocates or frees, that an instruction needs.
struct BuffersNeeded {
    std::vector<Index> buffers;
    bool allocated = true;  ///< they must be allocated; false: the instruction allocates them, so they must not be
};

/// One for each instruction of a thread. A launch needs the buffers of the graph that the thread captured last.
std::vector<BuffersNeeded> buffers_needed(const Program& program, const ThreadProgram& thread);

/// The message for a buffer that is not allocated but should be (`wanted`), or is but should not be.
std::string allocation_problem(const std::string& buffer, bool wanted);

}  // namespace lanes
