// SPDX-License-Identifier: MIT
#include "engine/replay/whatif.h"

#include "engine/analysis/words/shown.h"
#include "engine/replay/gate.h"
#include "engine/replay/interval.h"
#include "engine/replay/part.h"
#include "engine/replay/predicted_trace.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace lanes::replay {

namespace {

constexpr double spans_much = 0.3;  // of the recorded time: more than a range that answers the question
constexpr double order_matters = 0.15;  // of the total: more than one number can express
constexpr double calls_matter = 0.035;  // of the total: as is_bound_by has it; a link's rate, too
constexpr double surer_by = 0.05;  // changes that gain the same
constexpr double conditional_offer = 4;  // a conditional change must gain this many times as much
constexpr double unsafe_offer = 6;  // and one with which the host may read old bytes

/// The changes that are tried without another one.
constexpr std::array alone {ChangeKind::pin, ChangeKind::non_blocking, ChangeKind::event_waits, ChangeKind::drop_syncs,
    ChangeKind::drop_values, ChangeKind::leave_legacy, ChangeKind::own_stream, ChangeKind::pool, ChangeKind::graph,
    ChangeKind::overlap_all_reduce, ChangeKind::buckets, ChangeKind::gather, ChangeKind::workers};

/// The combinations that go together.
const std::vector<std::vector<ChangeKind>>& tried_together()
{
    using enum ChangeKind;
    static const std::vector<std::vector<ChangeKind>> tried {{pin, non_blocking}, {pin, own_stream},
        {non_blocking, own_stream}, {pin, non_blocking, own_stream}, {non_blocking, event_waits},
        {pin, non_blocking, own_stream, workers}};
    return tried;
}

/// Each change, and the combinations, as far as `on` can limit them.
std::vector<std::vector<Change>> tried_for(const Query& on)
{
    std::vector<std::vector<ChangeKind>> all;
    for (const auto kind : alone) {
        all.push_back({kind});
    }
    all.insert(all.end(), tried_together().begin(), tried_together().end());
    std::vector<std::vector<Change>> tried;
    for (const auto& kinds : all) {
        if (on.empty() || std::all_of(kinds.begin(), kinds.end(), can_be_limited)) {
            auto& changes = tried.emplace_back();
            for (const auto kind : kinds) {
                changes.push_back({kind, on});
            }
        }
    }
    return tried;
}

/// Whether something is offered that has these kinds of changes, and perhaps others.
bool has_offer_of_kinds(const std::vector<Prediction>& offers, const std::vector<Change>& changes)
{
    return std::any_of(offers.begin(), offers.end(), [&](const Prediction& offer) {
        return std::all_of(changes.begin(), changes.end(), [&](const Change& change) {
            return std::any_of(offer.changes.begin(), offer.changes.end(),
                [&](const Change& other) { return other.kind == change.kind; });
        });
    });
}

bool is_answered(const Answers& answers, std::string_view word, bool holds)
{
    const auto found = answers.find(word);
    return found != answers.end() && found->second == holds;
}

Way way_of(const Answers& answers)
{
    return {is_answered(answers, "gaps-go", false), is_answered(answers, "behind-launch", false),
        is_answered(answers, "workers-run", false), is_answered(answers, "no-more-calls", false),
        is_answered(answers, "all-backward", false)};
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

}  // namespace

WhatIf::WhatIf(const Graph& graph, const Progress& progress)
    : m_graph(graph)
    , m_script(make_script(graph))
{
    m_script.bound.progress = progress;
    m_gate.recorded = m_script.recorded_end;
    m_gate.reasons = reasons_of(graph, m_script);
    if (m_gate.is_open()) {
        m_unchanged = try_unchanged(m_gate, m_script);
        if (const auto& part = m_script.repeats; part && 2 * (part->end - part->start) < m_gate.recorded) {
            m_repeats = part;
        }
        m_beside = recorded_beside(m_script, graph.trace());
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

/// What the changes did together, and what they assume.
struct WhatIf::Made {
    bool drops = false, loads_ahead = false, guesses_loading = false, may_wait = false, may_add_calls = false,
         may_start_workers = false, may_have_forward = false;
};

namespace {

Assumption answered(const char* id, Message::Arguments arguments, const Answers& answers)
{
    Assumption assumption {{id, std::move(arguments)}};
    if (const auto found = answers.find(assumption.word()); found != answers.end()) {
        assumption.state = found->second ? Assumption::confirmed : Assumption::lifted;
    }
    return assumption;
}

Assumption condition_of(const char* id, Message::Arguments arguments = {})
{
    return {{id, std::move(arguments)}, Assumption::condition};
}

/// What would make the interval narrower, or what varies.
const char* id_of(
    Unsure what, const Doubts& doubts, bool guesses_loading, bool may_start_workers, bool may_have_forward)
{
    switch (what) {
    case Unsure::host:
        return "whatif.assumes.wide_by_host";
    case Unsure::loading:
        return guesses_loading ? "whatif.assumes.wide_by_guessed_loading" : "whatif.assumes.wide_by_loading";
    case Unsure::links:
        return "whatif.assumes.wide_by_links";
    case Unsure::pageable:
        return "whatif.assumes.wide_by_pageable";
    case Unsure::other_way:
        return doubts.may_load_first ? "whatif.assumes.wide_by_behind_launch"
            : may_have_forward       ? "whatif.assumes.wide_by_all_backward"
            : may_start_workers      ? "whatif.assumes.wide_by_workers_run"
            : doubts.may_cost_more   ? "whatif.assumes.wide_by_more_calls"
                                     : "whatif.assumes.wide_by_gaps_go";
    case Unsure::calls:
        break;
    }
    return "whatif.assumes.wide_by_calls";
}

}  // namespace

WhatIf::Made WhatIf::take(const Changed& to, const Answers& answers, Prediction& prediction) const
{
    Made made;
    std::uint64_t old_bytes = 0;
    for (std::size_t index = 0; index < to.applied.size(); ++index) {
        const auto& applied = to.applied[index];
        const auto& assumed = applied.assumptions;
        prediction.assumptions.insert(prediction.assumptions.end(), assumed.begin(), assumed.end());
        old_bytes += applied.old_bytes;
        if (applied.count == 0) {
            prediction.without_effect.push_back(prediction.changes[index]);
            continue;
        }
        prediction.count += applied.count;
        prediction.old_bytes += applied.old_bytes;
        const bool is_sure = std::all_of(
            assumed.begin(), assumed.end(), [](const Assumption& each) { return each.state == Assumption::confirmed; });
        const bool is_proved = is_sure && applied.reliability == Reliability::good;
        prediction.reliability
            = std::max(prediction.reliability, is_proved ? Reliability::reliable : applied.reliability);
        made.drops = made.drops || applied.drops_calls;
        made.loads_ahead = made.loads_ahead || applied.loads_ahead;
        made.may_wait = made.may_wait || applied.may_wait;
        made.may_add_calls = made.may_add_calls || applied.may_add_calls;
        made.may_start_workers = made.may_start_workers || applied.may_start_workers;
        made.may_have_forward = made.may_have_forward || applied.may_have_forward;
        made.guesses_loading = made.guesses_loading || applied.guesses_loading;
    }
    auto& assumptions = prediction.assumptions;
    if (old_bytes > 0) {
        assumptions.insert(
            assumptions.begin(), answered("whatif.assumes.old_bytes", {{"count", std::to_string(old_bytes)}}, answers));
        if (prediction.old_bytes > 0 && !is_answered(answers, "old-bytes", true)) {
            prediction.reliability = Reliability::unsafe;
        }
    }
    if (made.drops) {
        assumptions.push_back(answered("whatif.assumes.gaps_go", {}, answers));
    }
    if (made.loads_ahead) {
        assumptions.push_back(answered("whatif.assumes.behind_launch", {}, answers));
    }
    if (m_script.before > 0) {
        assumptions.push_back(
            condition_of("whatif.assumes.issued_before", {{"count", std::to_string(m_script.before)}}));
    }
    if (m_script.gaps.inferred > 0) {
        assumptions.push_back(
            answered("whatif.assumes.handovers", {{"count", std::to_string(m_script.gaps.inferred)}}, answers));
    }
    return made;
}

/// Adds what limits the changed run as conditions of the prediction.
void WhatIf::find_limits(const Script& script, Ns total, Doubts& doubts, Prediction& prediction)
{
    const auto& items = script.items;
    const auto& operations = script.operations;
    const auto& mode = doubts.part.mode;
    const Ns length = doubts.part.length;
    doubts.is_rough = prediction.reliability == Reliability::conditional;
    const auto condition = [&](bool holds, const char* id) {
        if (holds) {
            doubts.is_rough = true;
            prediction.reliability = std::max(prediction.reliability, Reliability::conditional);
            prediction.assumptions.push_back(condition_of(id));
        }
    };
    const auto any = [&](auto holds) { return std::any_of(items.begin(), items.end(), holds); };
    const bool varies = any([](const Item& item) { return item.varies; });
    const auto held = std::count_if(operations.begin(), operations.end(),
        [&](const Operation& each) { return !each.dropped && script.is_copied_elsewhere(each); });
    if (held > 0) {
        prediction.assumptions.push_back(
            condition_of("whatif.assumes.stays_pageable", {{"count", std::to_string(held)}}));
    }
    doubts.loads = any([](const Item& item) { return item.loading > 0; });
    doubts.by_torch = any([](const Item& item) { return item.taking > 0; });
    condition(doubts.by_torch, "whatif.assumes.torch_workers");
    doubts.serves = held > 0 || doubts.loads || any([](const Item& item) { return item.service > 0; });
    const bool by_host = (varies && is_bound_by(&Mode::host, script, total, mode, length))
        || (doubts.serves && is_bound_by(&Mode::service, script, total, mode, length));
    condition(by_host, "whatif.assumes.bound_by_host");
    const double links_slower = script.constants.links_slower;
    auto slower = mode;
    slower.pinned = 1 + links_slower;
    if (links_slower > 0
        && std::any_of(operations.begin(), operations.end(), [](const Operation& each) { return each.is_pinned_now; })
        && replay(script, slower).total - total > part_of(length, calls_matter)) {
        // The interval allows for it; the launches are as sure as elsewhere.
        prediction.reliability = std::max(prediction.reliability, Reliability::conditional);
        const double rate = std::min(script.constants.h2d_rate, script.constants.d2h_rate) * 1e9;
        prediction.assumptions.push_back(condition_of("whatif.assumes.link_not_measured",
            {{"rate", shown_rate(rate)}, {"least", shown_rate(rate / slower.pinned)}}));
    }
    condition(is_bound_by(&Mode::duplex, script, total, mode, length), "whatif.assumes.bound_by_duplex");
    condition(is_bound_by(&Mode::calls, script, total, mode, length), "whatif.assumes.of_recorded_run");
}

Prediction WhatIf::predict(const std::vector<Change>& changes, const Answers& answers, const Bound& bound) const
{
    Prediction prediction;
    prediction.changes = changes;
    const Way way = way_of(answers);
    const auto to = changed(changes, answers, way, bound);
    const auto made = take(to, answers, prediction);
    const auto replayed = replayed_of(to.script);
    prediction.total = replayed.total;
    const BothRuns runs {m_script, m_unchanged, to.script, replayed};
    Doubts doubts;
    const auto part = part_of_all(changes);
    doubts.part = unsure_part(runs, is_part(part) ? std::optional(part) : m_repeats);
    doubts.beside = m_beside;
    doubts.may_wait = made.may_wait;
    find_limits(to.script, replayed.total, doubts, prediction);
    // The recording does not say how much of a thread's own time went into the calls, nor where in an iteration a
    // program would load ahead: loops mostly do it first, which costs one more loading.
    const auto may_be = [&](bool matters, bool is_so, const char* word) {
        return matters && !is_so && !is_answered(answers, word, true);
    };
    const bool may_keep = may_be(made.drops, way.keeps_gaps, "gaps-go");
    doubts.may_load_first = may_be(made.loads_ahead, way.loads_first, "behind-launch");
    const bool may_add_calls = may_be(made.may_add_calls, way.adds_calls, "no-more-calls");
    const bool may_start_workers = may_be(made.may_start_workers, way.starts_workers, "workers-run");
    const bool may_have_forward = may_be(made.may_have_forward, way.has_forward, "all-backward");
    if (may_keep || doubts.may_load_first || may_add_calls || may_start_workers || may_have_forward) {
        const Way other {way.keeps_gaps || may_keep, way.loads_first || doubts.may_load_first,
            way.starts_workers || may_start_workers, way.adds_calls || may_add_calls,
            way.has_forward || may_have_forward};
        doubts.other_way = replay(changed(changes, answers, other, bound).script).total;
        const Ns longer = *doubts.other_way - prediction.total;
        prediction.is_undecided = doubts.may_load_first && longer > part_of(doubts.part.length, order_matters);
        doubts.may_cost_more = (may_add_calls || may_start_workers || may_have_forward)
            && longer > part_of(doubts.part.length, calls_matter);
        doubts.is_rough = doubts.is_rough || doubts.may_cost_more;
    }
    if (doubts.may_cost_more) {
        prediction.reliability = std::max(prediction.reliability, Reliability::conditional);
    }
    const auto interval = interval_of(runs, doubts);
    if (made.may_wait) {
        prediction.assumptions.push_back(condition_of("whatif.assumes.paced_by_batches"));
    }
    if (interval.kernels_beside) {
        prediction.assumptions.push_back(condition_of("whatif.assumes.kernels_beside"));
    }
    if (interval.pageable_differs > 0) {
        prediction.assumptions.push_back(
            condition_of("whatif.assumes.pageable_differs", {{"time", shown_time(interval.pageable_differs)}}));
    }
    prediction.low = interval.low;
    prediction.high = interval.high;
    prediction.longer_elsewhere = longer_elsewhere(runs, m_graph.trace(), part);
    const Ns least = least_total(runs, part, recorded_in(m_gate, part), prediction.longer_elsewhere);
    if (prediction.total < least) {  // what it gains elsewhere in the run is no gain of this part
        prediction.is_undecided = true;
        prediction.high = std::max(prediction.high, m_unchanged.total);
    }
    for (Ns* each : {&prediction.total, &prediction.low, &prediction.high}) {
        *each = std::max(*each, least);
    }
    if (prediction.high - prediction.low > part_of(recorded_in(m_gate, part), spans_much)) {
        const bool is_by_more_costs
            = doubts.may_cost_more && 2 * (*doubts.other_way - replayed.total) > prediction.high - prediction.low;
        const auto widest = is_by_more_costs ? Widest {Unsure::other_way, *doubts.other_way - replayed.total}
                                             : widest_of(runs, doubts);
        prediction.assumptions.push_back(
            condition_of(id_of(widest.what, doubts, made.guesses_loading, may_start_workers, may_have_forward),
                {{"width", shown_time(widest.width)}}));
    }
    return prediction;
}

Ns WhatIf::total(const std::vector<Change>& changes, const Answers& answers, const Bound& bound) const
{
    return replayed_of(changed(changes, answers, way_of(answers), bound).script).total;
}

Outline WhatIf::outline(const std::vector<Change>& changes, const Answers& answers, const Bound& bound) const
{
    const auto to = changed(changes, answers, way_of(answers), bound);
    const auto replayed = replayed_of(to.script);
    Outline outline {replayed.total, 0, {}};
    outline.streams.resize(m_graph.trace().streams.size());
    for (const auto& applied : to.applied) {
        outline.count += applied.count;
    }
    const auto& streams = to.script.streams;
    for (std::size_t i = 0; i < to.script.operations.size(); ++i) {
        if (replayed.start[i] < 0 || to.script.operations[i].row == no_row) {
            continue;
        }
        auto stream = to.script.operations[i].stream;
        stream = streams[stream].within != none ? streams[stream].within
            : streams[stream].home != none      ? streams[stream].home
                                                : stream;
        outline.streams[streams[stream].row].push_back(
            {{replayed.start[i], replayed.end[i]}, to.script.operations[i].row});
    }
    for (auto& stream : outline.streams) {
        std::sort(stream.begin(), stream.end(),
            [](const Outline::Ran& a, const Outline::Ran& b) { return a.span.start < b.span.start; });
    }
    return outline;
}

std::uint64_t WhatIf::count(const Change& change) const
{
    auto script = m_script;
    return apply(script, m_graph, change).count;
}

std::vector<Prediction> WhatIf::offers(const Wanted& wanted, const Answers& answers, const Progress& progress) const
{
    std::vector<Prediction> offers;
    if (!m_gate.is_open()) {
        return offers;
    }
    auto tried = tried_for(wanted.on);
    const std::size_t others = tried.size();
    if (wanted.on.empty() || is_part(wanted.part)) {
        tried.insert(tried.end(), wanted.advised.begin(), wanted.advised.end());
    }
    for (std::size_t index = 0; index < tried.size(); ++index) {
        progress.report(static_cast<double>(index) / static_cast<double>(tried.size()));
        auto& changes = tried[index];
        if (index >= others && has_offer_of_kinds(offers, changes)) {
            continue;
        }
        const auto bound = Bound::within(progress, wanted.patience);
        try {
            const auto offered = offer(changes, answers, bound, wanted, offers);
            // The host may need what is copied to it, but hardly overwrites a batch that it has just uploaded.
            const auto waits = std::find_if(changes.begin(), changes.end(),
                [](const Change& each) { return each.kind == ChangeKind::non_blocking; });
            if (waits != changes.end() && offered && *offered == Reliability::unsafe) {
                waits->direction = Direction::uploads;
                offer(changes, answers, bound, wanted, offers);
            }
        } catch (const TooLong&) {
            continue;
        }
    }
    std::stable_sort(offers.begin(), offers.end(), wins_more);
    return offers;
}

/// Adds what the changes give to the offers, if that is worth it and more than what some of them give. Returns how far
/// it can be relied on; nothing: it was not predicted, as they gain too little.
std::optional<Reliability> WhatIf::offer(const std::vector<Change>& changes, const Answers& answers, const Bound& bound,
    const Wanted& wanted, std::vector<Prediction>& offers) const
{
    const Ns worth = part_of(m_gate.recorded, wanted.least);
    const auto to = changed(changes, answers, way_of(answers), bound);
    if (std::any_of(to.applied.begin(), to.applied.end(), [](const Applied& applied) { return applied.count == 0; })) {
        return std::nullopt;
    }
    const auto replayed = replay(to.script);
    if (replayed.stuck > 0 || m_gate.recorded - replayed.total < worth) {
        return std::nullopt;
    }
    // Together they must gain more than each that is offered already, or as much and more surely.
    const auto is_better = [&](const Prediction& other, Ns total, Ns worst) {
        const bool is_some_of_them = std::all_of(other.changes.begin(), other.changes.end(),
            [&](const Change& change) { return std::find(changes.begin(), changes.end(), change) != changes.end(); });
        return !is_some_of_them || (!other.is_wide() && other.total - total >= worth)
            || other.high - worst >= (other.is_wide() ? worth : part_of(other.total, surer_by));
    };
    const auto is_better_than_all = [&](Ns total, Ns worst) {
        return std::all_of(
            offers.begin(), offers.end(), [&](const Prediction& other) { return is_better(other, total, worst); });
    };
    if (!is_better_than_all(replayed.total, replayed.total)) {
        return std::nullopt;
    }
    auto prediction = predict(changes, answers, bound);
    const auto reliability = prediction.reliability;
    const double times = reliability == Reliability::conditional ? conditional_offer
        : reliability == Reliability::unsafe                     ? unsafe_offer
                                                                 : 1;
    const Ns gained = m_gate.recorded - prediction.total + prediction.longer_elsewhere;
    if (is_better_than_all(prediction.total, prediction.high) && gained >= part_of(worth, times)) {
        offers.push_back(std::move(prediction));
    }
    return reliability;
}

Message WhatIf::pace(Interval of) const
{
    Mode mode;
    if (of.end > of.start) {
        mode.from = of.start;
        mode.until = of.end;
    }
    constexpr double most = 0.5;  // of the run
    const auto all = static_cast<double>(recorded_in(m_gate, of));
    // By how much the run would be longer, as a share of it, if these took 10 % longer.
    const auto longer_by = [&](std::initializer_list<double Mode::*> parts) {
        constexpr double slower = 0.1;
        auto changed = mode;
        for (const auto part : parts) {
            changed.*part = 1 + slower;
        }
        const auto longer = static_cast<double>(replay(m_script, changed).total - m_unchanged.total);
        return all > 0 ? std::clamp(longer / all, 0.0, slower) : 0;
    };
    struct Part {
        const char* name;
        double longer;
    };
    const std::array<Part, 3> parts {{{"gpu", longer_by({&Mode::gpu})},
        {"links", longer_by({&Mode::links, &Mode::staged})}, {"calls", longer_by({&Mode::calls})}}};
    const auto& slowest = *std::max_element(
        parts.begin(), parts.end(), [](const Part& one, const Part& other) { return one.longer < other.longer; });
    if (slowest.longer >= most / 10) {
        return {"whatif.pace." + std::string(slowest.name), {{"longer", shown_share(slowest.longer)}}};
    }
    Message several("whatif.pace.several", {});
    for (const auto& part : parts) {
        several.arguments.emplace_back(part.name, shown_share(part.longer));
    }
    return several;
}

Message WhatIf::why_nothing(Interval of) const
{
    const auto on = of.end > of.start ? query_of(of) : Query {};
    std::optional<Change> best;
    Ns most = 0;
    bool has_graphs = true;
    for (const auto kind : alone) {
        if (!on.empty() && !can_be_limited(kind)) {
            continue;
        }
        auto script = m_script;
        const Change change {kind, on};
        const auto applied = apply(script, m_graph, change);
        has_graphs = has_graphs && (kind != ChangeKind::graph || applied.count > 0);
        const auto replayed = applied.count > 0 && applied.old_bytes == 0 ? replay(script) : Replayed {};
        if (replayed.total > 0 && replayed.stuck == 0 && m_unchanged.total - replayed.total > most) {
            most = m_unchanged.total - replayed.total;
            best = {kind};
        }
    }
    auto said = pace(of);
    const bool by_calls = said.id == "whatif.pace.calls";
    const auto add = [&said](Message more) {
        said = {"whatif.pace.and", {}, {{"first", std::move(said)}, {"then", std::move(more)}}};
    };
    if (best) {
        add({"whatif.pace.best", {{"gain", shown_time(most)}, {"all", shown_time(recorded_in(m_gate, of))}},
            {{"change", message_of(*best)}}});
    }
    if (!has_graphs && by_calls) {
        add({"whatif.pace.no_graph", {}});
    }
    return said;
}

Trace WhatIf::predicted_trace(const std::vector<Change>& changes, const Answers& answers, const Bound& bound) const
{
    const auto to = changed(changes, answers, way_of(answers), bound);
    const auto replayed = replayed_of(to.script, true);
    return make_trace(m_graph.trace(), to.script, replayed, changes);
}

Ns recorded_in(const Gate& gate, Interval part)
{
    return is_part(part) ? std::max<Ns>(0, std::min(part.end, gate.recorded) - part.start) : gate.recorded;
}

double least_offer_of(const Gate& gate, Interval part)
{
    return least_offer * static_cast<double>(recorded_in(gate, part))
        / static_cast<double>(std::max<Ns>(1, gate.recorded));
}

Prediction of_part(const Gate& gate, Prediction prediction, Interval part)
{
    if (is_part(part)) {
        const Ns rest = gate.measured - recorded_in(gate, part) + prediction.longer_elsewhere;
        prediction.longer_elsewhere = 0;
        for (Ns* each : {&prediction.total, &prediction.low, &prediction.high}) {
            *each = *each > 0 ? std::max<Ns>(1, *each - rest) : 0;
        }
    }
    return prediction;
}

}  // namespace lanes::replay
