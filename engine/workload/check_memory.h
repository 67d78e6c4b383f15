// SPDX-License-Identifier: MIT
// Whether every buffer is allocated when a step uses it (check.h says in which order the threads are played). What a
// branch on a buffer's value decides is not known before the run: there this says nothing, and the runners check.
#pragma once

#include "engine/workload/program.h"

#include <map>
#include <vector>

namespace lanes {

class MemoryCheck {
public:
    explicit MemoryCheck(const Program& program);

    /// Takes the next instruction in an order that play_threads() gives. Throws WorkloadError. Cost: the buffers that
    /// the instruction names; at a branch, all that any step allocates or frees.
    void visit(Index thread, Index at);

private:
    struct Buffer {
        enum class State : std::uint8_t { allocated, never, freed, unknown };
        State state;
        std::uint32_t frees = 0;  ///< so far
        Index freed_by = no_id;  ///< the step of the last `free`
        bool same_as(const Buffer& other) const { return state == other.state && frees == other.frees; }
    };
    /// A buffer that a graph holds the address of.
    struct Captured {
        Index buffer;
        std::uint32_t frees;  ///< when it was captured
    };
    struct Flow {
        std::map<Index, std::vector<Buffer>> landings;  ///< what the branches to an instruction found
        Index capturing = no_id;
    };

    void land(Flow& flow, Index at);
    void branch(Flow& flow, Index target);
    void use(Index buffer, const Flow& flow);
    void allocate(Index buffer);
    void release(Index buffer);
    void launch(Index graph);
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

/// True if a run may find a buffer in another state than MemoryCheck did: branches or several threads decide.
bool allocation_is_uncertain(const Program& program);

/// For each instruction of a thread, the buffers that some step allocates or frees and that must be allocated for it;
/// of `alloc`, the one that must not be. A launch needs what the thread captured last into its graph.
std::vector<std::vector<Index>> buffers_needed(const Program& program, const ThreadProgram& thread);

/// What is wrong with a buffer that is not allocated, or is, where a run found it `wanted` or not.
std::string allocation_problem(const std::string& buffer, bool wanted);

}  // namespace lanes
