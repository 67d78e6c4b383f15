// SPDX-License-Identifier: MIT
// Checks the order of accesses in a Program with vector clocks, one for each thread and each stream. check.h lists what
// is ordered.
//
// A chain is a thread or a stream. A clock has, for every chain, how many of its events are known to be done. An access
// is an epoch {chain, count}: it happened before everything whose clock has at least `count` for that chain.
#pragma once

#include "engine/workload/effects.h"

#include <map>
#include <vector>

namespace lanes {

class OrderCheck {
public:
    explicit OrderCheck(const Program& program);

    /// Number of chains: the size of a clock, and the cost of each instruction.
    static std::size_t width(const Program& program);

    /// Takes the next instruction in the order of play_threads(), and its effects. Throws WorkloadError.
    void visit(Index thread, Index at, const Effects& effects);

    /// Call it last. Throws WorkloadError for a wait whose event is recorded only after it.
    void finish() const;

private:
    using Clock = std::vector<std::uint32_t>;
    struct Epoch {
        Index chain;
        std::uint32_t count;
    };
    /// The last write of some bytes of a buffer; the key is their offset.
    struct Write {
        std::uint64_t end;
        Epoch epoch;
        Index step;
    };
    using Writes = std::map<std::uint64_t, Write>;
    struct Recorded {
        Epoch host;  ///< the call
        Clock clock;  ///< everything before it
    };
    struct CopyRead {
        Epoch epoch;
        Index step;
    };
    /// A wait that may come before every record of its event.
    struct Unsure {
        Epoch host;
        const Instruction* instruction;
    };

    Index chain_of(Index stream) const;
    static void join(Clock& into, const Clock& other);
    bool knows(const Clock& clock, Epoch epoch) const { return clock[epoch.chain] >= epoch.count; }
    Clock& host() { return m_clocks[m_thread]; }

    /// The clock of `stream`, whose next operation begins.
    Clock& begin(Index stream);
    /// `stream` does work that makes these accesses. Only the writes matter.
    void write(Index stream, const std::vector<Access>& accesses);
    void note_write(const Access& access, const Clock& clock, Epoch epoch);
    void check_read(Index buffer);
    std::string place_of(Index step) const;
    std::string excuse(std::string_view kind, const char* words) const;
    void check_host_write(const Access& access, bool may_race);
    void join_blocking_streams(Clock& into, std::uint32_t gpu);
    const Recorded* recorded(Index event);
    void note_wait(Index event);

    void access_from_host(const Effects& effects);
    void work(const Effects& effects);
    void work_together(const Effects& effects);
    void record(Index event, Index stream);
    void let_wait(Index stream, Index event);
    void wait(const Effects& effects);
    void wait_for_device(std::uint32_t gpu);
    void put(Index queue);
    void get(Index queue);

    const Program& m_program;
    std::vector<Clock> m_clocks;  // of threads, then streams, then the per-thread streams' one for each thread
    std::vector<Writes> m_writes;  // of the buffers
    std::vector<bool> m_host_writes;  // of the buffers: whether the host writes it in a step
    std::vector<std::vector<CopyRead>> m_reads;  // of those buffers: copies that read them since the host last wrote
    std::vector<std::vector<Recorded>> m_records;  // of the events: the last one of each thread
    std::vector<std::vector<Unsure>> m_unsure;  // of the events: waits that no record may precede
    std::vector<bool> m_has_record;  // of the events
    std::vector<std::vector<Clock>> m_puts, m_gets;  // of the queues, in order; emptied once used
    std::vector<std::vector<Access>> m_graphs;  // the writes of a launch
    std::vector<Index> m_capturing;  // of the threads: the graph, or no_id
    Index m_thread = 0;
    const Instruction* m_instruction = nullptr;
};

}  // namespace lanes
