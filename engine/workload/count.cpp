// SPDX-License-Identifier: MIT
#include "engine/workload/effects.h"

#include <utility>

namespace lanes {

namespace {

ProgramCounts& operator+=(ProgramCounts& into, const ProgramCounts& other)
{
    into.kernels += other.kernels;
    into.copies += other.copies;
    into.memsets += other.memsets;
    into.syncs += other.syncs;
    into.waits += other.waits;
    into.ranges += other.ranges;
    return into;
}

/// Operations of a graph count when the graph is launched.
class Counter {
public:
    explicit Counter(const Program& program)
        : m_graphs(program.graphs.size())
    {
        if (!program.graphs.empty()) {
            run(program);  // so that a thread may launch what a later one captures
        }
        run(program);
    }
    std::optional<ProgramCounts> total() const { return m_is_known ? std::optional(m_total) : std::nullopt; }

private:
    void run(const Program& program)
    {
        m_total = {};
        for (const auto& thread : program.threads) {
            m_capturing = no_id;
            each_effects(program, thread, [this](const Effects& effects, Index) { take(effects); });
        }
    }

    void take(const Effects& effects)
    {
        m_is_known = m_is_known && !effects.makes_counts_unknown;
        if (effects.begins != no_id) {
            m_capturing = effects.begins;
            m_graphs[m_capturing] = {};
        }
        ProgramCounts counts = effects.counts;
        if (m_capturing != no_id) {
            // A captured wait becomes an edge of the graph, not a stream's wait. Ranges and syncs always belong to the
            // host.
            auto& graph = m_graphs[m_capturing];
            graph.kernels += std::exchange(counts.kernels, 0);
            graph.copies += std::exchange(counts.copies, 0);
            graph.memsets += std::exchange(counts.memsets, 0);
            counts.waits = 0;
        }
        m_total += counts;
        if (effects.launches != no_id) {
            m_total += m_graphs[effects.launches];
        }
        if (effects.ends != no_id) {
            m_capturing = no_id;
        }
    }

    ProgramCounts m_total;
    std::vector<ProgramCounts> m_graphs;  ///< by graph, of its last capture
    Index m_capturing = no_id;  ///< the graph being captured
    bool m_is_known = true;
};

}  // namespace

std::optional<ProgramCounts> count(const Program& program)
{
    return program.expected_error.empty() ? Counter(program).total() : std::nullopt;
}

}  // namespace lanes
