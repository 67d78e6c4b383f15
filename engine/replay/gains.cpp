// SPDX-License-Identifier: MIT
#include "engine/replay/gains.h"

#include "engine/analysis/facts/intervals.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/gate.h"
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
    const auto& trace = graph.trace();
    if (trace.operations.size() == 0 || trace.calls.size() == 0 || m_script.recorded_end <= 0) {
        return;
    }
    if (!reasons_of(graph, m_script).empty()) {
        return;  // What if refuses it
    }
    const auto unchanged = replay(m_script);
    m_total = unchanged.total;
    m_idle = idle_of(unchanged);
    const auto off = static_cast<double>(m_total - m_script.recorded_end);
    m_can_tell
        = unchanged.stuck == 0 && std::abs(off) <= most_off_measured * static_cast<double>(m_script.recorded_end);
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
    gain.time = m_total - changed.total;
    gain.idle = m_idle - idle_of(changed);
    return gain;
}

}  // namespace lanes::replay
