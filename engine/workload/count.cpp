// SPDX-License-Identifier: MIT
#include "engine/workload/workload.h"

namespace lanes {

namespace {

/// Counts one thread's instructions. What goes into a graph is counted when the graph is launched.
class Counter {
public:
    ProgramCounts total;
    std::vector<ProgramCounts> graphs;  ///< of the last capture of each
    bool known = true;

    void begin_thread() { m_into = &total; }

    void take(const KernelAction&) { ++m_into->kernels; }
    void take(const CopyAction& action)
    {
        ++m_into->copies;
        m_into->syncs += action.blocking ? 1 : 0;
    }
    void take(const MemsetAction& action)
    {
        ++m_into->memsets;
        m_into->syncs += action.blocking ? 1 : 0;
    }
    void take(const AllReduceAction& action) { m_into->kernels += action.buffers.size(); }
    // A wait that is captured becomes an edge of the graph, not a stream's wait; a range is the host's in any case.
    void take(const WaitAction&) { total.waits += m_into == &total ? 1 : 0; }
    void take(const SyncDeviceAction&) { ++total.syncs; }
    void take(const SyncStreamAction&) { ++total.syncs; }
    void take(const SyncEventAction&) { ++total.syncs; }
    void take(const RangeBeginAction&) { ++total.ranges; }
    void take(const CaptureBeginAction& action)
    {
        m_into = &graphs[action.graph];
        *m_into = {};
    }
    void take(const CaptureEndAction&) { m_into = &total; }
    void take(const LaunchAction& action)
    {
        total.kernels += graphs[action.graph].kernels;
        total.copies += graphs[action.graph].copies;
        total.memsets += graphs[action.graph].memsets;
    }
    void take(const BranchAction&) { known = false; }
    void take(const FaultAction&) { known = false; }
    template <class Other> void take(const Other&) { }

private:
    ProgramCounts* m_into = nullptr;
};

void run(const Program& program, Counter& counter)
{
    counter.total = {};
    for (const auto& thread : program.threads) {
        counter.begin_thread();
        for (const auto& instruction : thread.instructions) {
            std::visit([&](const auto& action) { counter.take(action); }, instruction.action);
        }
    }
}

}  // namespace

std::optional<ProgramCounts> count(const Program& program)
{
    Counter counter;
    counter.graphs.resize(program.graphs.size());
    if (!program.graphs.empty()) {
        run(program, counter);  // so that a thread may launch what a later one captures
    }
    run(program, counter);
    return counter.known && program.expected_error.empty() ? std::optional(counter.total) : std::nullopt;
}

}  // namespace lanes
