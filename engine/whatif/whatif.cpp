// SPDX-License-Identifier: MIT
#include "engine/whatif/whatif.h"

#include "engine/whatif/gate.h"
#include "engine/whatif/predicted_trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace lanes::whatif {

namespace {

// How far the parts of a prediction may be wrong: fitted on pairs of recordings of the same work done in two ways
// (docs/whatif.md).
constexpr double calls_less = 0.4, calls_more = 0.35, constants_off = 0.25, gpu_off = 0.01, pageable_off = 0.2;
constexpr double links_off = 0.14, duplex_less = 0.25, duplex_more = 0.1, host_off = 0.35, service_off = 0.4;
constexpr double floor_off = 0.03, launches_floor_off = 0.15;

Ns part_of(Ns time, double part)
{
    return static_cast<Ns>(std::llround(static_cast<double>(time) * part));
}

struct Changed {
    Script script;
    std::vector<Applied> applied;
};

Changed changed(const Script& script, const Graph& graph, const std::vector<Change>& changes, bool keep_gaps)
{
    Changed to {script, {}};
    for (const auto& change : changes) {
        to.applied.push_back(apply(to.script, graph, change, keep_gaps));
    }
    return to;
}

Replayed replayed_of(const Script& script)
{
    auto replayed = replay(script);
    if (replayed.stuck > 0) {
        throw std::runtime_error("the changed run waits for itself");
    }
    return replayed;
}

/// Whether what takes so much longer decides much of how long the run takes: a good part of that is in the total.
bool is_bound_by(double Mode::*what, const Script& script, Ns total)
{
    constexpr double longer = 0.1;
    constexpr double good_part = 0.35;
    Mode mode;
    mode.*what = what == &Mode::duplex ? 1 / (1 + longer) : 1 + longer;
    return static_cast<double>(replay(script, mode).total - total) > good_part * longer * static_cast<double>(total);
}

}  // namespace

WhatIf::WhatIf(const Graph& graph)
    : m_graph(graph)
    , m_script(make_script(graph))
{
    m_gate.recorded = m_script.recorded_end;
    m_gate.reasons = reasons_of(graph, m_script);
    if (m_gate.is_open()) {
        try_unchanged(m_gate, m_script);
    }
}

Prediction WhatIf::predict(const std::vector<Change>& changes) const
{
    Prediction prediction;
    prediction.changes = changes;
    const auto to = changed(m_script, m_graph, changes, false);
    bool drops = false;
    for (const auto& applied : to.applied) {
        prediction.count += applied.count;
        prediction.old_bytes += applied.old_bytes;
        prediction.reliability
            = applied.count > 0 ? std::max(prediction.reliability, applied.reliability) : prediction.reliability;
        drops = drops || applied.drops_calls;
        prediction.assumptions.insert(
            prediction.assumptions.end(), applied.assumptions.begin(), applied.assumptions.end());
    }
    if (prediction.old_bytes > 0) {
        prediction.reliability = Reliability::unsafe;
        prediction.assumptions.insert(prediction.assumptions.begin(),
            Message {"whatif.assumes.old_bytes", {{"count", std::to_string(prediction.old_bytes)}}});
    }
    if (m_script.gaps.inferred > 0) {
        prediction.assumptions.emplace_back(
            "whatif.assumes.handovers", Message::Arguments {{"count", std::to_string(m_script.gaps.inferred)}});
    }
    const auto replayed = replayed_of(to.script);
    prediction.total = replayed.total;
    const auto condition = [&](bool holds, const char* id) {
        if (holds) {
            prediction.reliability = std::max(prediction.reliability, Reliability::conditional);
            prediction.assumptions.emplace_back(id, Message::Arguments {});
        }
    };
    const auto& items = to.script.items;
    const bool varies = std::any_of(items.begin(), items.end(), [](const Item& item) { return item.varies; });
    const bool serves = std::any_of(items.begin(), items.end(), [](const Item& item) { return item.service > 0; });
    const bool by_host = (varies && is_bound_by(&Mode::host, to.script, replayed.total))
        || (serves && is_bound_by(&Mode::service, to.script, replayed.total));
    condition(by_host, "whatif.assumes.bound_by_host");
    condition(is_bound_by(&Mode::duplex, to.script, replayed.total), "whatif.assumes.bound_by_duplex");
    condition(is_bound_by(&Mode::calls, to.script, replayed.total), "whatif.assumes.of_recorded_run");
    Mode less;
    less.calls = 1 - calls_less;
    less.constants = 1 - constants_off;
    less.gpu = 1 - gpu_off;
    less.links = 1 - links_off;
    less.duplex = 1 + duplex_more;
    less.host = 1 - host_off;
    less.service = 1 - service_off;
    Mode more;
    more.calls = 1 + calls_more;
    more.constants = 1 + constants_off;
    more.gpu = 1 + gpu_off;
    more.links = 1 + links_off;
    more.duplex = 1 - duplex_less;
    more.host = 1 + host_off;
    more.service = 1 + service_off;
    const Ns low = replay(to.script, less).total;
    Ns high = replay(to.script, more).total;
    if (drops) {  // how much of a thread's own time went with the calls, the recording cannot tell
        high = std::max(high, replay(changed(m_script, m_graph, changes, true).script).total);
    }
    const Ns staging = part_of(replayed.gpu_pageable, pageable_off);
    const bool launches = prediction.reliability == Reliability::conditional;
    const Ns floor = part_of(prediction.total, launches ? launches_floor_off : floor_off);
    prediction.low = std::max<Ns>(0, std::min(low, prediction.total - floor) - staging);
    prediction.high = std::max(high, prediction.total + floor) + staging;
    return prediction;
}

Ns WhatIf::total(const std::vector<Change>& changes) const
{
    return replayed_of(changed(m_script, m_graph, changes, false).script).total;
}

std::uint64_t WhatIf::count(const Change& change) const
{
    auto script = m_script;
    return apply(script, m_graph, change, false).count;
}

std::vector<Prediction> WhatIf::offers(double least, const Progress& progress) const
{
    using Kinds = std::vector<ChangeKind>;
    static const std::array<Kinds, 16> tried {Kinds {ChangeKind::pin}, Kinds {ChangeKind::non_blocking},
        Kinds {ChangeKind::event_waits}, Kinds {ChangeKind::drop_syncs}, Kinds {ChangeKind::drop_values},
        Kinds {ChangeKind::leave_legacy}, Kinds {ChangeKind::own_stream}, Kinds {ChangeKind::pool},
        Kinds {ChangeKind::graph}, Kinds {ChangeKind::overlap_all_reduce}, Kinds {ChangeKind::buckets},
        Kinds {ChangeKind::pin, ChangeKind::non_blocking}, Kinds {ChangeKind::pin, ChangeKind::own_stream},
        Kinds {ChangeKind::non_blocking, ChangeKind::own_stream},
        Kinds {ChangeKind::pin, ChangeKind::non_blocking, ChangeKind::own_stream},
        Kinds {ChangeKind::non_blocking, ChangeKind::event_waits}};
    std::vector<Prediction> offers;
    if (!m_gate.is_open()) {
        return offers;
    }
    const Ns worth = part_of(m_gate.recorded, least);
    std::vector<std::pair<Kinds, Ns>> totals;  // of those that apply
    for (std::size_t index = 0; index < tried.size(); ++index) {
        progress.report(static_cast<double>(index) / static_cast<double>(tried.size()));
        const auto& kinds = tried.at(index);
        std::vector<Change> changes;
        for (const auto kind : kinds) {
            changes.push_back({kind});
        }
        const auto to = changed(m_script, m_graph, changes, false);
        if (std::any_of(
                to.applied.begin(), to.applied.end(), [](const Applied& applied) { return applied.count == 0; })) {
            continue;
        }
        const auto replayed = replay(to.script);
        if (replayed.stuck > 0 || m_gate.recorded - replayed.total < worth) {
            continue;
        }
        // Together they must win more than any of them that is offered already.
        const bool is_needless = std::any_of(totals.begin(), totals.end(), [&](const auto& other) {
            const bool is_part = std::all_of(other.first.begin(), other.first.end(),
                [&](ChangeKind kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); });
            return is_part && other.second - replayed.total < worth;
        });
        if (!is_needless) {
            totals.emplace_back(kinds, replayed.total);
            offers.push_back(predict(changes));
        }
    }
    const auto rank = [](const Prediction& of) { return std::pair(of.reliability == Reliability::unsafe, of.total); };
    std::stable_sort(
        offers.begin(), offers.end(), [&](const Prediction& a, const Prediction& b) { return rank(a) < rank(b); });
    return offers;
}

Trace WhatIf::predicted_trace(const std::vector<Change>& changes) const
{
    const auto to = changed(m_script, m_graph, changes, false);
    const auto replayed = replayed_of(to.script);
    return make_trace(m_graph.trace(), to.script, replayed, changes);
}

}  // namespace lanes::whatif
