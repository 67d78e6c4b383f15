// SPDX-License-Identifier: MIT
#include "engine/whatif/whatif.h"

#include "engine/analysis/steady_state.h"
#include "engine/analysis/words/shown.h"
#include "engine/whatif/gate.h"
#include "engine/whatif/predicted_trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace lanes::whatif {

namespace {

// How far the parts of a prediction may be wrong: fitted on pairs of recordings of the same work done in two ways
// (docs/whatif.md).
constexpr double calls_less = 0.4, calls_more = 0.35, constants_off = 0.25, gpu_off = 0.01, pageable_off = 0.2;
constexpr double pageable_less_loading = 0.15;  // and by so much less still where others load: 8 to 34 % in data-loader
constexpr double fetch_less = 0.4, fetch_more = 2.2, taking_off = 0.8, staged_more = 1.7;  // apply_workers.cpp
constexpr double links_off = 0.1, duplex_less = 0.25, duplex_more = 0.1, host_off = 0.35, service_off = 0.4;
// Kernels that the change puts beside others: two that memory binds hinder one another by up to a fifth, and two that
// fill the GPU fill one another's tails.
constexpr double beside_less = 0.06, beside_more = 0.2;
// Those that are known to stream memory: if their data lies in the L2 cache, they do not hinder one another. Two that
// fill the GPU save 3 to 8 µs of beginning and end each, and get in one another's way.
constexpr double streams_beside_more = 0.1, streams_more = 0.04;
constexpr Ns head_of_stream = 8'000;
constexpr double surer_by = 0.05;  // changes that win as much
constexpr double conditional_offer = 4;  // times as much must be won by a conditional one
constexpr double beside_matters = 0.05;  // of the total
constexpr double order_matters = 0.15;  // of the total: more than a number may be off
constexpr double floor_off = 0.03, launches_floor_off = 0.15;
// What a change leaves as it was took what it took: nobody is further off than twice what it wins or costs, and this.
// Launch-bound runs of one program differ by more from one to the next.
constexpr double gain_off = 2, rest_off = 0.03, launches_rest_off = 0.12;

Ns part_of(Ns time, double part)
{
    return static_cast<Ns>(std::llround(static_cast<double>(time) * part));
}

bool is_answered(const Answers& answers, std::string_view word, bool holds)
{
    const auto found = answers.find(word);
    return found != answers.end() && found->second == holds;
}

/// By how much copies of pinned memory were slower than they can be on this GPU, where that is little enough to be the
/// same link: another run may have it for itself.
double disturbed(const Constants& constants)
{
    constexpr double other_link = 0.25;
    constexpr double per_ns = 1e-9;
    const auto& table = constants.table;
    const double slower = 1
        - std::min(
            constants.h2d_rate / (table.h2d_bandwidth * per_ns), constants.d2h_rate / (table.d2h_bandwidth * per_ns));
    return constants.is_of_gpu && slower < other_link ? slower : 0;
}

Way way_of(const Answers& answers)
{
    return {is_answered(answers, "gaps-go", false), is_answered(answers, "behind-launch", false)};
}

/// Threads wait for one another only where the recording says so.
void forget_hand_overs(Script& script)
{
    for (std::uint32_t index = 0; index < script.items.size(); ++index) {
        auto& item = script.items[index];
        if (item.inferred) {
            const bool is_first = index == script.first_item[item.thread];
            item.gap = item.start - (is_first ? 0 : script.items[index - 1].end);
            item.behind = none;
            item.inferred = false;
        }
    }
}

Replayed replayed_of(const Script& script, bool orders = false)
{
    Mode mode;
    mode.orders = orders;
    auto replayed = replay(script, mode);
    if (replayed.stuck > 0) {
        throw std::runtime_error("the changed run deadlocks");
    }
    return replayed;
}

/// How long that part of a run is.
Ns length_of(const Mode& mode, Ns total)
{
    return std::min(mode.until, total) - std::min(mode.from, total);
}

/// Whether what takes so much longer decides much of how long the run takes from then on: a good part of that is in the
/// total.
bool is_bound_by(double Mode::*what, const Script& script, Ns total, Mode mode)
{
    constexpr double longer = 0.1;
    constexpr double good_part = 0.35;
    mode.*what = what == &Mode::duplex ? 1 / (1 + longer) : 1 + longer;
    return static_cast<double>(replay(script, mode).total - total)
        > good_part * longer * static_cast<double>(length_of(mode, total));
}

/// When the first operation began that began then or later in the recording.
Ns begin_behind(const Script& script, const Replayed& replayed, Ns then)
{
    Ns first = replayed.total;
    for (std::size_t i = 0; i < script.operations.size(); ++i) {
        if (script.operations[i].was >= then && replayed.start[i] >= 0) {
            first = std::min(first, replayed.start[i]);
        }
    }
    return first;
}

/// When each thing of a trace began, calls, spans, reads and operations, and when the latter ended; by row.
using Times = std::array<std::vector<Ns>, 5>;

Times times_of(const Script& script, const Replayed& replayed)
{
    Times times;
    const auto put = [&](std::size_t kind, Row row, Ns time) {
        auto& of = times.at(kind);
        of.resize(std::max<std::size_t>(of.size(), row + std::size_t {1}), -1);
        of[row] = of[row] < 0 ? time : std::min(of[row], time);
    };
    for (std::size_t i = 0; i < script.items.size(); ++i) {
        const auto& item = script.items[i];
        if (!item.dropped) {
            put(item.kind == Item::call ? 0 : item.kind == Item::read ? 2 : 1, item.row, replayed.item_start[i]);
        }
    }
    for (std::size_t i = 0; i < script.operations.size(); ++i) {
        if (!script.operations[i].dropped) {
            put(3, script.operations[i].row, replayed.start[i]);
            put(4, script.operations[i].row, replayed.end[i]);
        }
    }
    return times;
}

/// Until when a changed run is the recorded one: nothing begins, and no operation ends, at another time before.
Ns same_until(Times before, Times after)
{
    constexpr Ns same = 1'000;
    Ns until = std::numeric_limits<Ns>::max();
    for (std::size_t kind = 0; kind < before.size(); ++kind) {
        auto& a = before.at(kind);
        auto& b = after.at(kind);
        a.resize(std::max(a.size(), b.size()), -1);
        b.resize(a.size(), -1);
        for (std::size_t row = 0; row < a.size(); ++row) {
            if (std::abs(a[row] - b[row]) > same) {
                until = std::min(until, a[row] < 0 ? b[row] : b[row] < 0 ? a[row] : std::min(a[row], b[row]));
            }
        }
    }
    return until;
}

/// How long kernels ran while another one that had begun before did, on any GPU: two that stream memory, and others.
struct TimeBeside {
    Ns streams = 0, others = 0;
};

TimeBeside time_beside(const Script& script, const std::vector<Ns>& starts, const std::vector<Ns>& ends)
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t index = 0; index < script.operations.size(); ++index) {
        if (script.operations[index].kind == OperationKind::kernel && !script.operations[index].dropped) {
            order.push_back(index);
        }
    }
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return starts[a] < starts[b]; });
    struct Last {
        Ns end = 0;
        bool streams = false;
    };
    std::vector<Last> devices(script.devices);
    TimeBeside beside;
    for (const auto index : order) {
        const auto& operation = script.operations[index];
        auto& last = devices[script.streams[operation.stream].device];
        (last.streams && operation.streams ? beside.streams : beside.others)
            += std::max<Ns>(0, std::min(last.end, ends[index]) - starts[index]);
        if (ends[index] > last.end) {
            last = {ends[index], operation.streams};
        }
    }
    return beside;
}

/// The same as recorded.
TimeBeside recorded_beside(const Script& script, const Trace& trace)
{
    std::vector<Ns> starts;
    std::vector<Ns> ends;
    for (const auto& operation : script.operations) {
        starts.push_back(trace.operations.start[operation.row]);
        ends.push_back(trace.operations.end[operation.row]);
    }
    return time_beside(script, starts, ends);
}

}  // namespace

WhatIf::WhatIf(const Graph& graph, const Progress& progress)
    : m_graph(graph)
    , m_script(make_script(graph))
{
    m_script.bound.progress = progress;
    m_gate.recorded = m_script.recorded_end;
    m_gate.reasons = reasons_of(graph, m_script);
    if (m_gate.is_open()) {
        try_unchanged(m_gate, m_script);
        m_unchanged = replay(m_script);
        const auto steady = find_steady_state(graph.trace());
        if (steady && 2 * (steady->span.end - steady->span.start) < m_gate.recorded) {
            m_repeats = steady->span;
        }
        const auto beside = recorded_beside(m_script, graph.trace());
        m_beside = beside.others;
        m_streams_beside = beside.streams;
    }
    m_script.bound = {};
}

WhatIf::Changed WhatIf::changed(
    const std::vector<Change>& changes, const Answers& answers, Way way, const Bound& bound) const
{
    Changed to {m_script, {}};
    to.script.bound = bound;
    if (is_answered(answers, "handovers", false)) {
        forget_hand_overs(to.script);
    }
    for (const auto& change : changes) {
        bound.check();
        to.applied.push_back(apply(to.script, m_graph, change, way, answers));
    }
    return to;
}

Prediction WhatIf::predict(const std::vector<Change>& changes, const Answers& answers, const Bound& bound) const
{
    Prediction prediction;
    prediction.changes = changes;
    const Way way = way_of(answers);
    const auto to = changed(changes, answers, way, bound);
    const auto assume = [&](const char* id, Message::Arguments arguments) {
        Assumption assumption {{id, std::move(arguments)}};
        if (const auto found = answers.find(assumption.word()); found != answers.end()) {
            assumption.state = found->second ? Assumption::confirmed : Assumption::lifted;
        }
        return assumption;
    };
    bool drops = false;
    bool loads_ahead = false;
    std::uint64_t old_bytes = 0;
    for (std::size_t index = 0; index < to.applied.size(); ++index) {
        const auto& applied = to.applied[index];
        const auto& assumed = applied.assumptions;
        prediction.assumptions.insert(prediction.assumptions.end(), assumed.begin(), assumed.end());
        old_bytes += applied.old_bytes;
        if (applied.count == 0) {
            prediction.without_effect.push_back(changes[index]);
            continue;
        }
        prediction.count += applied.count;
        prediction.old_bytes += applied.old_bytes;
        const bool is_sure = std::all_of(
            assumed.begin(), assumed.end(), [](const Assumption& each) { return each.state == Assumption::confirmed; });
        const bool is_proved = is_sure && applied.reliability == Reliability::good;
        prediction.reliability
            = std::max(prediction.reliability, is_proved ? Reliability::reliable : applied.reliability);
        drops = drops || applied.drops_calls;
        loads_ahead = loads_ahead || applied.loads_ahead;
    }
    if (old_bytes > 0) {
        prediction.assumptions.insert(
            prediction.assumptions.begin(), assume("whatif.assumes.old_bytes", {{"count", std::to_string(old_bytes)}}));
        if (prediction.old_bytes > 0 && !is_answered(answers, "old-bytes", true)) {
            prediction.reliability = Reliability::unsafe;
        }
    }
    if (drops) {
        prediction.assumptions.push_back(assume("whatif.assumes.gaps_go", {}));
    }
    if (loads_ahead) {
        prediction.assumptions.push_back(assume("whatif.assumes.behind_launch", {}));
    }
    if (m_script.before > 0) {
        prediction.assumptions.push_back(
            {{"whatif.assumes.issued_before", {{"count", std::to_string(m_script.before)}}}, Assumption::condition});
    }
    if (m_script.gaps.inferred > 0) {
        prediction.assumptions.push_back(
            assume("whatif.assumes.handovers", {{"count", std::to_string(m_script.gaps.inferred)}}));
    }
    const auto replayed = replayed_of(to.script);
    prediction.total = replayed.total;
    // What comes before, a start-up of seconds, is common to both runs: what is not sure of it says nothing of the
    // gain.
    Ns from = std::min(replayed.total, same_until(times_of(m_script, m_unchanged), times_of(to.script, replayed)));
    for (const auto& operation : to.script.operations) {
        if (operation.needs != none) {  // the calls of what follows that alone may come right behind it
            from = std::min(from, to.script.operations[operation.needs].was);
        }
    }
    Mode mode;
    mode.from = from;
    Ns gained = 0;  // before the part that repeats
    if (m_repeats && from < m_repeats->end) {
        mode.from = std::max(from, m_repeats->start);
        mode.until = m_repeats->end;
        gained = from >= m_repeats->start ? 0
                                          : std::abs(begin_behind(m_script, m_unchanged, m_repeats->start)
                                              - begin_behind(to.script, replayed, m_repeats->start));
    }
    bool is_rough = prediction.reliability == Reliability::conditional;
    const auto condition = [&](bool holds, const char* id) {
        if (holds) {
            is_rough = true;
            prediction.reliability = std::max(prediction.reliability, Reliability::conditional);
            prediction.assumptions.push_back({{id, {}}, Assumption::condition});
        }
    };
    const auto& items = to.script.items;
    const bool varies = std::any_of(items.begin(), items.end(), [](const Item& item) { return item.varies; });
    const auto& operations = to.script.operations;
    const auto held = std::count_if(operations.begin(), operations.end(),
        [&](const Operation& each) { return !each.dropped && to.script.is_copied_elsewhere(each); });
    if (held > 0) {
        prediction.assumptions.push_back(
            {{"whatif.assumes.stays_pageable", {{"count", std::to_string(held)}}}, Assumption::condition});
    }
    const bool loads = std::any_of(items.begin(), items.end(), [](const Item& item) { return item.loading > 0; });
    const bool by_torch = std::any_of(items.begin(), items.end(), [](const Item& item) { return item.taking > 0; });
    condition(by_torch, "whatif.assumes.torch_workers");
    const bool serves = held > 0 || loads
        || std::any_of(items.begin(), items.end(), [](const Item& item) { return item.service > 0; });
    const bool by_host = (varies && is_bound_by(&Mode::host, to.script, replayed.total, mode))
        || (serves && is_bound_by(&Mode::service, to.script, replayed.total, mode));
    condition(by_host, "whatif.assumes.bound_by_host");
    condition(is_bound_by(&Mode::duplex, to.script, replayed.total, mode), "whatif.assumes.bound_by_duplex");
    condition(is_bound_by(&Mode::calls, to.script, replayed.total, mode), "whatif.assumes.of_recorded_run");
    Mode less = mode;
    less.calls = 1 - calls_less;
    less.constants = 1 - constants_off;
    less.gpu = 1 - gpu_off;
    less.links = 1 - std::max(links_off, disturbed(to.script.constants));
    less.duplex = 1 + duplex_more;
    less.load = 0;
    less.host = 1 - host_off;
    less.service = 1 - service_off;
    less.fetch = fetch_less;
    less.taking = 1 - taking_off;
    Mode more = mode;
    more.calls = 1 + calls_more;
    more.constants = 1 + constants_off;
    more.gpu = 1 + gpu_off;
    more.links = 1 + links_off;
    more.duplex = 1 - duplex_less;
    more.host = 1 + host_off;
    more.service = 1 + service_off;
    more.fetch = fetch_more;
    more.taking = 1 + taking_off;
    more.staged = by_torch ? staged_more : 1;
    const Ns low = replay(to.script, less).total;
    Ns high = replay(to.script, more).total;
    const Ns floor = part_of(length_of(mode, prediction.total), is_rough ? launches_floor_off : floor_off);
    // How much of a thread's own time went with the calls, the recording cannot tell, nor where in a turn a program
    // would load what comes next: loops mostly do it first, which costs one loading more.
    const bool may_keep = drops && !way.keeps_gaps && !is_answered(answers, "gaps-go", true);
    const bool may_be_first = loads_ahead && !way.loads_first && !is_answered(answers, "behind-launch", true);
    if (may_keep || may_be_first) {
        const Way other {way.keeps_gaps || may_keep, way.loads_first || may_be_first};
        const Ns total = replay(changed(changes, answers, other, bound).script).total;
        high = std::max(high, total + (may_be_first ? floor : 0));
        prediction.is_undecided
            = may_be_first && total - prediction.total > part_of(length_of(mode, prediction.total), order_matters);
    }
    const auto devices = std::max<Ns>(1, to.script.devices);
    const auto ran_beside = time_beside(to.script, replayed.start, replayed.end);
    const Ns beside = std::max<Ns>(0, ran_beside.others - m_beside) / devices;
    const Ns streams_beside = std::max<Ns>(0, ran_beside.streams - m_streams_beside) / devices;
    const Ns staging = part_of(replayed.gpu_pageable, pageable_off) + part_of(gained, calls_more);
    const Ns tails = std::max<Ns>(0, replayed.waited - m_unchanged.waited) / devices;
    // Kernels that stream memory, side by side, fill one another's first and last microseconds, and get into one
    // another's way.
    const Ns heads = (static_cast<Ns>(replayed.streams_that_waited) - static_cast<Ns>(m_unchanged.streams_that_waited))
        * head_of_stream / devices;
    const Ns in_the_way = std::max<Ns>(0, replayed.streams_waited - m_unchanged.streams_waited) / devices;
    if (beside + streams_beside > part_of(prediction.total, beside_matters)) {
        prediction.assumptions.push_back({{"whatif.assumes.kernels_beside", {}}, Assumption::condition});
    }
    const Ns changed_by = std::abs(prediction.total - m_unchanged.total);
    const Ns most = by_torch ? prediction.total + high  // they may cost more than they win
                             : part_of(length_of(mode, prediction.total), is_rough ? launches_rest_off : rest_off)
            + part_of(changed_by, gain_off);
    const Ns less_beside = std::max(part_of(beside + streams_beside + tails, beside_less), heads);
    const Ns down = prediction.total - std::min(low, prediction.total - floor) + staging;
    const Ns up = std::max(high, prediction.total + floor) - prediction.total + staging;
    if (const Ns differs = part_of(replayed.gpu_pageable, pageable_off);
        std::max(down, up) > most && differs > part_of(prediction.total, floor_off)) {
        prediction.assumptions.push_back(
            {{"whatif.assumes.pageable_differs", {{"time", shown_time(differs)}}}, Assumption::condition});
    }
    const Ns less_loading = loads ? part_of(replayed.gpu_pageable, pageable_less_loading) : 0;
    prediction.low = std::max<Ns>(0, prediction.total - std::min(down, most) - less_beside - less_loading);
    prediction.high = prediction.total + std::min(up, most) + part_of(beside, beside_more)
        + part_of(streams_beside, streams_beside_more) + part_of(in_the_way, streams_more);
    return prediction;
}

Ns WhatIf::total(const std::vector<Change>& changes, const Answers& answers, const Bound& bound) const
{
    return replayed_of(changed(changes, answers, way_of(answers), bound).script).total;
}

std::uint64_t WhatIf::count(const Change& change) const
{
    auto script = m_script;
    return apply(script, m_graph, change).count;
}

std::vector<Prediction> WhatIf::offers(double least, const Progress& progress, const Answers& answers, const Query& on,
    Bound::Clock::duration patience) const
{
    using Kinds = std::vector<ChangeKind>;
    static const std::array<Kinds, 19> tried {Kinds {ChangeKind::pin}, Kinds {ChangeKind::non_blocking},
        Kinds {ChangeKind::event_waits}, Kinds {ChangeKind::drop_syncs}, Kinds {ChangeKind::drop_values},
        Kinds {ChangeKind::leave_legacy}, Kinds {ChangeKind::own_stream}, Kinds {ChangeKind::pool},
        Kinds {ChangeKind::graph}, Kinds {ChangeKind::overlap_all_reduce}, Kinds {ChangeKind::buckets},
        Kinds {ChangeKind::gather}, Kinds {ChangeKind::pin, ChangeKind::non_blocking},
        Kinds {ChangeKind::pin, ChangeKind::own_stream}, Kinds {ChangeKind::non_blocking, ChangeKind::own_stream},
        Kinds {ChangeKind::pin, ChangeKind::non_blocking, ChangeKind::own_stream},
        Kinds {ChangeKind::non_blocking, ChangeKind::event_waits}, Kinds {ChangeKind::workers},
        Kinds {ChangeKind::pin, ChangeKind::non_blocking, ChangeKind::own_stream, ChangeKind::workers}};
    std::vector<Prediction> offers;
    if (!m_gate.is_open()) {
        return offers;
    }
    const Ns worth = part_of(m_gate.recorded, least);
    for (std::size_t index = 0; index < tried.size(); ++index) {
        progress.report(static_cast<double>(index) / static_cast<double>(tried.size()));
        const auto& kinds = tried.at(index);
        std::vector<Change> changes;
        if (!on.empty() && !std::all_of(kinds.begin(), kinds.end(), can_be_limited)) {
            continue;
        }
        for (const auto kind : kinds) {
            changes.push_back({kind, on});
        }
        const auto bound = Bound::within(progress, patience);
        try {
            const auto to = changed(changes, answers, way_of(answers), bound);
            if (std::any_of(
                    to.applied.begin(), to.applied.end(), [](const Applied& applied) { return applied.count == 0; })) {
                continue;
            }
            const auto replayed = replay(to.script);
            if (replayed.stuck > 0 || m_gate.recorded - replayed.total < worth) {
                continue;
            }
            // Together they must win more than any of them that is offered already, or as much and surer.
            const auto is_better = [&](const Prediction& other, Ns total, Ns worst) {
                const bool is_part = std::all_of(other.changes.begin(), other.changes.end(), [&](const Change& change) {
                    return std::find(changes.begin(), changes.end(), change) != changes.end();
                });
                return !is_part || (!other.is_wide() && other.total - total >= worth)
                    || other.high - worst >= (other.is_wide() ? worth : part_of(other.total, surer_by));
            };
            const auto is_better_than_all = [&](Ns total, Ns worst) {
                return std::all_of(offers.begin(), offers.end(),
                    [&](const Prediction& other) { return is_better(other, total, worst); });
            };
            if (!is_better_than_all(replayed.total, replayed.total)) {
                continue;
            }
            auto prediction = predict(changes, answers, bound);
            const bool is_too_little = prediction.reliability == Reliability::conditional
                && m_gate.recorded - prediction.total < part_of(worth, conditional_offer);
            if (is_better_than_all(prediction.total, prediction.high) && !is_too_little) {
                offers.push_back(std::move(prediction));
            }
        } catch (const TooLong&) {
            continue;
        }
    }
    std::stable_sort(offers.begin(), offers.end(), wins_more);
    return offers;
}

Message WhatIf::pace(Interval of) const
{
    Mode mode;
    if (of.end > of.start) {
        mode.from = of.start;
        mode.until = of.end;
    }
    constexpr std::array<std::pair<double Mode::*, const char*>, 3> parts {
        {{&Mode::gpu, "whatif.pace.gpu"}, {&Mode::links, "whatif.pace.links"}, {&Mode::calls, "whatif.pace.calls"}}};
    for (const auto& [part, id] : parts) {
        if (is_bound_by(part, m_script, m_unchanged.total, mode)) {
            return {id, {}};
        }
    }
    return {"whatif.pace.several", {}};
}

Trace WhatIf::predicted_trace(const std::vector<Change>& changes, const Answers& answers, const Bound& bound) const
{
    const auto to = changed(changes, answers, way_of(answers), bound);
    const auto replayed = replayed_of(to.script, true);
    return make_trace(m_graph.trace(), to.script, replayed, changes);
}

Ns recorded_in(const Gate& gate, Interval part)
{
    return part.end > part.start ? std::max<Ns>(0, std::min(part.end, gate.recorded) - part.start) : gate.recorded;
}

double least_offer_of(const Gate& gate, Interval part)
{
    return least_offer * static_cast<double>(recorded_in(gate, part))
        / static_cast<double>(std::max<Ns>(1, gate.recorded));
}

Prediction of_part(const Gate& gate, Prediction prediction, Interval part)
{
    if (part.end > part.start) {
        const Ns rest = gate.measured - recorded_in(gate, part);
        for (Ns* each : {&prediction.total, &prediction.low, &prediction.high}) {
            *each = *each > 0 ? std::max<Ns>(1, *each - rest) : 0;
        }
    }
    return prediction;
}

}  // namespace lanes::whatif
