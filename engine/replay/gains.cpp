// SPDX-License-Identifier: MIT
#include "engine/replay/gains.h"

#include "engine/analysis/facts/intervals.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/gate.h"
#include "engine/replay/part.h"
#include "engine/replay/whatif.h"

#include <algorithm>
#include <cmath>

namespace lanes::replay {

namespace {

/// For how long no GPU was busy before the end.
Ns idle_of(const Replayed& replayed)
{
    std::vector<Interval> busy;
    busy.reserve(replayed.start.size());
    for (std::size_t i = 0; i < replayed.start.size(); ++i) {
        if (replayed.start[i] >= 0) {
            busy.push_back({replayed.start[i], replayed.end[i]});
        }
    }
    return replayed.total - length(unite(std::move(busy)));
}

}  // namespace

Gains::Gains(const Graph& graph)
    : m_graph(graph)
    , m_script(make_script(graph))
{
    m_gate.recorded = m_script.recorded_end;
    m_gate.reasons = reasons_of(graph, m_script);
    if (m_gate.recorded > 0 && m_gate.is_open()) {
        m_unchanged = try_unchanged(m_gate, m_script);
        m_idle = idle_of(m_unchanged);
        m_is_predicted = m_gate.is_open();
        m_can_tell = m_unchanged.stuck == 0 && std::abs(m_gate.off_measured()) <= most_off_measured;
    }
}

std::optional<Gains::Gain> Gains::of(const std::vector<Change>& changes, const Answers& answers) const
{
    auto script = m_script;
    Gain gain;
    for (const auto& change : changes) {
        const auto applied = apply(script, m_graph, change, {}, answers);
        gain.counts.push_back(applied.count);
        gain.reads_old_bytes = gain.reads_old_bytes || applied.old_bytes > 0;
    }
    if (std::all_of(gain.counts.begin(), gain.counts.end(), [](std::uint64_t count) { return count == 0; })) {
        return std::nullopt;
    }
    const auto changed = replay(script);
    if (changed.stuck > 0) {
        return std::nullopt;
    }
    const BothRuns runs {m_script, m_unchanged, script, changed};
    const auto part = part_of_all(changes);
    const Ns elsewhere = longer_elsewhere(runs, m_graph.trace(), part);
    const Ns total = std::max(changed.total, least_total(runs, part, recorded_in(m_gate, part), elsewhere));
    gain.time = m_unchanged.total - total + elsewhere;
    gain.idle = m_idle - idle_of(changed);
    return gain;
}

}  // namespace lanes::replay
