// SPDX-License-Identifier: MIT
#include "engine/analysis/findings/findings.h"

#include "engine/analysis/blocking/default_streams.h"
#include "engine/analysis/findings/rules.h"
#include "engine/analysis/findings/search.h"
#include "engine/analysis/graph/graph.h"
#include "engine/analysis/graph/why.h"
#include "engine/analysis/words/shown.h"
#include "engine/replay/gains.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace lanes {

namespace {

// Calls and operations of a recording whose findings are replayed. Measured (bench_load, 330,000 of them): pricing
// takes as long as the rest of the analysis, 0.2 s.
constexpr std::size_t most_replayed = 2'000'000;

// Measured: with 9 million of them (192,000 calls of four ranks in DDP) pricing takes 2 s.
constexpr std::size_t most_looks_at_streams = 16'000'000, calls_a_wait = 4;

using Changes = std::vector<replay::Change>;

/// Adds why the finding names no change.
void say_why_none(Finding& finding, const std::string& why)
{
    Message advice {"finding.with_otherwise", {}};
    advice.parts.push_back({"advice", std::move(finding.advice)});
    advice.parts.push_back({"otherwise", {"finding.no_change." + why, {}}});
    finding.advice = std::move(advice);
}

/// Prices one candidate after another, and keeps account of what was changed so far.
class Account {
public:
    Account(const Search& search, const Graph& graph)
        : m_search(search)
        , m_graph(graph)
        , m_left(search.report.wall)
    {
    }
    std::vector<Finding> run(const IntervalSet& gpu_busy, const VerdictFacts& facts);

private:
    /// A way to be rid of a candidate, and what it gains.
    struct Cure {
        Changes changes;
        Ns gain = 0;
    };
    bool try_cure(const Candidate& candidate);
    bool try_wait(Candidate candidate);
    void note_cured(const Candidate& candidate, const Changes& changes);
    bool take_bound(const Candidate& candidate);
    Changes changes_of(const Candidate& candidate, const std::vector<replay::ChangeKind>& kinds,
        const std::shared_ptr<const replay::FoundRows>& rows) const;
    std::optional<Cure> first_of(const Candidate& candidate, const Changes& on_top_of, Ns gained);
    std::optional<replay::Gains::Gain> gain_of(Changes changes, const Changes& on_top_of);
    void say_otherwise(const Candidate& candidate, const Finding& priced);
    void forget_changes();
    std::string name_for(const std::string& rule) const;
    Finding& add(const Candidate& candidate, Ns cost);
    bool add_recorded(const Candidate& candidate, Ns cost, Ns most = 0);
    bool may_go_through_host() const;
    bool add_idle(const IntervalSet& gpu_busy, const VerdictFacts& facts, Ns for_data_loader);
    void say_how_late(Idle& found, const VerdictFacts& facts) const;
    void say_what_starves(Idle& found, Ns in_work, Ns cost, const VerdictFacts& facts);
    const Dependencies& order() const { return m_graph.dependencies(); }
    const replay::Gains* gains();
    Ns most_of(const std::string& rule, const std::vector<Row>& operations, const Changes& on_top_of) const;
    /// What the report is of; empty: all of the recording.
    Interval part() const
    {
        const auto& range = m_search.report.range;
        return range == Interval {0, m_search.trace.duration} ? Interval {} : range;
    }

    const Search& m_search;
    const Graph& m_graph;
    std::optional<replay::Gains> m_gains;
    bool m_cannot_replay = false;
    Changes m_taken;  ///< of the findings so far
    replay::Gains::Gain m_gained;  ///< by them together
    Cured m_cured;
    bool m_has_moved_work = false;  ///< a finding so far does
    Ns m_left;  ///< of the wall time, what no finding has
    Ns m_filled = 0;  ///< of the wall time beside the busiest stream, what findings have whose gain no replay tells
    std::vector<Finding> m_findings;
    std::map<std::string, int> m_named;  ///< how many findings there are of a rule
};

/// Whether a replay of the recording would take longer than all the rest of its report: it is large, or has waits for
/// contexts with many streams, where each stream looks at all others.
bool is_too_large(const Trace& trace)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> contexts;
    std::size_t most = 0;
    for (const auto& stream : trace.streams) {
        most = std::max(most, ++contexts[{stream.process, stream.context}]);
    }
    return trace.operations.size() + trace.calls.size() > most_replayed
        || (trace.syncs.size() + trace.calls.size() / calls_a_wait) * most > most_looks_at_streams;
}

/// Null: a replay cannot tell, or would take too long.
const replay::Gains* Account::gains()
{
    if (is_too_large(m_search.trace)) {
        return nullptr;
    }
    if (!m_gains && !m_cannot_replay) {
        try {
            m_gains.emplace(m_graph);
        } catch (const std::runtime_error&) {
            m_cannot_replay = true;  // no model device is installed: nothing is known of any GPU
        }
    }
    return m_gains && m_gains->can_tell() ? &*m_gains : nullptr;
}

/// No run with the same work on each stream is shorter than its busiest stream, but for operations that a change makes
/// shorter or leaves out: those found here, and those of the findings that come first. What copies gain on streams of
/// their own is that something runs beside them, or that a GPU is idle for less.
Ns Account::most_of(const std::string& rule, const std::vector<Row>& operations, const Changes& on_top_of) const
{
    const auto& report = m_search.report;
    if (const auto& of = rule_of(rule); of.moves_work || (!on_top_of.empty() && m_has_moved_work)) {
        const bool moves_copies = of.moves_work && on_top_of.empty()
            && of.changes == std::vector<std::vector<replay::ChangeKind>> {{replay::ChangeKind::own_stream}};
        const auto add = [](Ns sum, const GpuFigures& gpu) { return sum + gpu.copy_exposed; };
        const Ns exposed = std::accumulate(report.gpus.begin(), report.gpus.end(), Ns {0}, add);
        return moves_copies ? std::min(report.wall, report.wall - report.gpu_busy + exposed) : report.wall;
    }
    const auto& ops = m_search.trace.operations;
    std::map<Row, Ns> shorter;  // by stream
    const auto note = [&](Row row) { shorter[ops.stream[row]] += m_search.in_range(ops.start[row], ops.end[row]); };
    std::for_each(operations.begin(), operations.end(), note);
    for (Row row = 0; row < m_cured.pinned.size() && !on_top_of.empty(); ++row) {
        if (m_cured.is_pinned(row)) {
            note(row);
        }
    }
    Ns busiest = 0;
    for (const auto& gpu : report.gpus) {
        for (const auto& stream : gpu.streams) {
            const auto found = shorter.find(stream.stream);
            busiest = std::max(busiest, stream.busy - (found == shorter.end() ? 0 : found->second));
        }
    }
    return report.wall - busiest;
}

/// "sync-in-loop", or where there is one of it already "sync-in-loop.2".
std::string Account::name_for(const std::string& rule) const
{
    const auto found = m_named.find(rule);
    return found == m_named.end() ? rule : rule + '.' + std::to_string(found->second + 1);
}

Changes Account::changes_of(const Candidate& candidate, const std::vector<replay::ChangeKind>& kinds,
    const std::shared_ptr<const replay::FoundRows>& rows) const
{
    Changes changes;
    for (const auto kind : kinds) {
        replay::Change change {kind};
        if (rows != nullptr && can_be_limited(kind)) {
            change.finding = name_for(candidate.rule);
            change.rows = rows;
        } else if (can_be_limited(kind) && part().end > 0) {
            change.on = replay::query_of(part());
        }
        changes.push_back(std::move(change));
    }
    return changes;
}

std::optional<replay::Gains::Gain> Account::gain_of(Changes changes, const Changes& on_top_of)
{
    changes.insert(changes.begin(), on_top_of.begin(), on_top_of.end());
    return m_gains->of(changes);
}

/// The first alternative that gains enough on top of others, whose own gain is given, and reads no old bytes. A change
/// of it that finds nothing to change is left out.
std::optional<Account::Cure> Account::first_of(const Candidate& candidate, const Changes& on_top_of, Ns gained)
{
    const auto rows = std::make_shared<const replay::FoundRows>(tidy(candidate.rows));
    for (const auto& kinds : rule_of(candidate.rule).changes) {
        auto changes = changes_of(candidate, kinds, rows);
        const auto gain = gain_of(changes, on_top_of);
        if (!gain || gain->reads_old_bytes || !m_search.is_worth_it(gain->time - gained)) {
            continue;
        }
        std::size_t place = on_top_of.size();
        std::erase_if(changes, [&](const replay::Change&) { return gain->counts[place++] == 0; });
        return Cure {std::move(changes), gain->time - gained};
    }
    return std::nullopt;
}

/// Whether it costs enough to be said. A candidate that gains nothing more once the findings before it are mended is
/// none: it is another sight of the same loss. One that gains something only then, or less than alone, is one on top of
/// them.
bool Account::try_cure(const Candidate& candidate)
{
    if (!m_search.is_worth_it(candidate.bound)) {
        return false;
    }
    if (gains() == nullptr) {
        return take_bound(candidate);
    }
    auto cure = first_of(candidate, {}, 0);
    const bool gains_alone = cure.has_value();
    if (candidate.is_free && gains_alone) {
        return false;  // as where code is loaded next, which may wait for the GPU by itself
    }
    Ns more = cure ? cure->gain : 0;
    if (!m_taken.empty()) {
        if (gains_alone) {
            const auto together = gain_of(cure->changes, m_taken);
            more = together ? together->time - m_gained.time : 0;
        } else {
            cure = first_of(candidate, m_taken, m_gained.time);
            more = cure ? cure->gain : 0;
        }
    }
    if (!cure || !m_search.is_worth_it(more)) {
        return false;
    }
    // What both would gain counts once, with the one before.
    const bool overlaps = gains_alone && m_search.is_worth_it(cure->gain - more);
    const auto on_top_of = gains_alone && !overlaps ? Changes {} : m_taken;
    const Ns in_replay = overlaps ? more : cure->gain;  // of the whole run: more than a part of it can gain
    const Ns gained = std::min(in_replay, most_of(candidate.rule, candidate.rows.operations, on_top_of));
    if (!m_search.is_worth_it(gained)) {
        return false;
    }
    if (candidate.held && *candidate.held < gained && cure->changes.size() == 1
        && cure->changes.front().kind == replay::ChangeKind::at_once) {
        if (m_search.is_worth_it(*candidate.held)) {
            say_why_none(add(candidate, *candidate.held), "held");
        }
        return m_search.is_worth_it(*candidate.held);
    }
    auto& finding = add(candidate, gained);
    finding.is_replayed = gained == in_replay;
    finding.changes = cure->changes;
    finding.on_top_of = on_top_of;
    if (candidate.otherwise) {
        say_otherwise(candidate, Finding(finding));
    }
    m_taken.insert(m_taken.end(), cure->changes.begin(), cure->changes.end());
    m_gained = m_gains->of(m_taken).value_or(m_gained);
    m_has_moved_work = m_has_moved_work || rule_of(candidate.rule).moves_work;
    note_cured(candidate, cure->changes);
    return true;
}

void Account::note_cured(const Candidate& candidate, const Changes& changes)
{
    const auto note = [](std::vector<bool>& of, std::size_t size, const std::vector<Row>& rows) {
        of.resize(size);
        for (const Row row : rows) {
            of[row] = true;
        }
    };
    note(m_cured.calls, m_search.trace.calls.size(), candidate.rows.calls);
    for (const auto& change : changes) {
        if (change.kind == replay::ChangeKind::pin || change.kind == replay::ChangeKind::own_stream) {
            note(change.kind == replay::ChangeKind::pin ? m_cured.pinned : m_cured.moved,
                m_search.trace.operations.size(), candidate.rows.operations);
        }
    }
}

/// What it costs at most, as far as the record alone tells.
bool Account::take_bound(const Candidate& candidate)
{
    const auto& rule = rule_of(candidate.rule);
    const Ns most = most_of(candidate.rule, candidate.rows.operations, {});
    const Ns filled = rule.moves_work ? 0 : m_filled;
    const Ns bound = std::min({candidate.bound, most - filled, m_left});
    if (!m_search.is_worth_it(bound)) {
        return false;
    }
    if (!rule.moves_work) {
        const Ns by_shorter_work = most - most_of(candidate.rule, {}, {});
        m_filled += std::max<Ns>(0, bound - by_shorter_work);
    }
    Changes changes;
    const bool may_be_replayed = is_too_large(m_search.trace);  // nobody tried
    if (!rule.changes.empty() && may_be_replayed) {
        const auto rows = std::make_shared<const replay::FoundRows>(tidy(candidate.rows));
        changes = changes_of(candidate, rule.changes.front(), rows);
    }
    auto& finding = add(candidate, bound);
    finding.changes = std::move(changes);
    if (!may_be_replayed) {
        say_why_none(finding, rule.changes.empty() ? std::string(rule.why_none) : "not_replayed");
    }
    m_left -= bound;
    note_cured(candidate, rule.changes.empty() ? Changes {} : changes_of(candidate, rule.changes.front(), nullptr));
    return true;
}

/// No finding leads to What if where that refuses the recording.
void Account::forget_changes()
{
    for (auto& finding : m_findings) {
        if (!finding.changes.empty()) {
            finding.changes.clear();
            finding.on_top_of.clear();
            finding.is_replayed = false;
            say_why_none(finding, "not_replayed");
        }
    }
}

/// What is gained where something holds that no record tells, if that differs by enough to be worth a sentence.
void Account::say_otherwise(const Candidate& candidate, const Finding& priced)
{
    Changes changes = priced.on_top_of;
    const auto rows = std::make_shared<const replay::FoundRows>(tidy(*candidate.otherwise));
    for (auto change : priced.changes) {
        change.rows = change.rows == nullptr ? nullptr : rows;
        changes.push_back(std::move(change));
    }
    const auto gain = m_gains->of(changes);
    const auto before = priced.on_top_of.empty() ? 0 : m_gained.time;
    const Ns otherwise = std::clamp<Ns>(
        gain ? gain->time - before : 0, 0, most_of(candidate.rule, candidate.otherwise->operations, priced.on_top_of));
    auto& finding = m_findings.back();
    if (!m_search.is_worth_it(std::abs(otherwise - finding.cost))) {
        return;
    }
    finding.otherwise = otherwise;
    Message advice {"finding.with_otherwise", {}};
    advice.parts.push_back({"advice", std::move(finding.advice)});
    advice.parts.push_back(
        {"otherwise", {"finding." + candidate.rule + ".otherwise", {{"gain", shown_time(otherwise)}}}});
    finding.advice = std::move(advice);
}

Finding& Account::add(const Candidate& candidate, Ns cost)
{
    ++m_named[candidate.rule];
    const auto count = candidate.evidence.count();
    const auto id = "finding." + candidate.rule;
    Finding finding;
    finding.rule = candidate.rule;
    finding.cost = cost;
    finding.otherwise = cost;
    finding.count = count;
    finding.title = candidate.title.value_or(Message {id + ".title", {}, candidate.said});
    finding.title.arguments.emplace_back("cost", shown_time(cost));
    finding.title.arguments.emplace_back("count", std::to_string(count));
    finding.advice = candidate.advice.value_or(Message {id + ".advice", {}});
    finding.evidence = candidate.evidence.longest();
    m_findings.push_back(std::move(finding));
    return m_findings.back();
}

/// Adds a finding whose cost the record tells. If a change that the finding advises gains half of that cost or more in
/// the replay, the finding costs what the change gains, at most the greater of `cost` and `most`. The gain may exceed
/// `cost`: the time between calls, which no record tells, may be saved too. What earlier findings gain counts only
/// there. If no change gains half, the finding keeps the cost of the record, and its advice says why it has no change.
bool Account::add_recorded(const Candidate& candidate, Ns cost, Ns most)
{
    const Ns left = std::max<Ns>(0, m_left - m_gained.time);
    Ns found = std::min(cost, left);
    if (!m_search.is_worth_it(found)) {
        return false;
    }
    const auto& rule = rule_of(candidate.rule);
    const bool can_tell = rule.changes.empty() || gains() != nullptr;
    const auto& alternatives = candidate.changes ? *candidate.changes : rule.changes;
    Changes changes, on_top_of;
    bool is_replayed = false, changes_something = false;
    for (const auto& kinds : alternatives) {
        auto tried = changes_of(candidate, kinds, nullptr);
        const auto alone = can_tell ? m_gains->of(tried) : std::nullopt;
        changes_something = changes_something
            || (alone && std::any_of(alone->counts.begin(), alone->counts.end(), [](auto count) { return count > 0; }));
        if (!alone || !m_search.is_worth_it(alone->time) || 2 * alone->time < found) {
            continue;
        }
        // What the findings before gain counts once, with them.
        const auto together = m_taken.empty() ? alone : gain_of(tried, m_taken);
        const Ns more = together ? together->time - m_gained.time : 0;
        const bool overlaps = m_search.is_worth_it(alone->time - more);
        const Ns gain = overlaps ? more : alone->time;
        if (m_search.is_worth_it(gain) && 2 * gain >= found) {
            changes = std::move(tried);
            on_top_of = overlaps ? m_taken : Changes {};
            found = std::min({gain, std::max(cost, most), left});
            is_replayed = found == gain;
            break;
        }
    }
    auto& finding = add(candidate, found);
    finding.changes = std::move(changes);
    finding.on_top_of = std::move(on_top_of);
    finding.is_replayed = is_replayed;
    m_left -= found;
    m_filled += rule.is_idle && gains() == nullptr ? found : 0;
    if (finding.changes.empty()) {
        say_why_none(finding,
            rule.changes.empty()    ? std::string(rule.why_none)
                : !can_tell         ? "not_replayed"
                : changes_something ? "gains_nothing"
                                    : "not_tried");
    }
    return true;
}

/// Down from one GPU, up to another.
bool Account::may_go_through_host() const
{
    const auto& gpus = m_search.report.gpus;
    return std::any_of(gpus.begin(), gpus.end(), [&](const GpuFigures& from) {
        return std::any_of(gpus.begin(), gpus.end(), [&](const GpuFigures& to) {
            return &from != &to && to.h2d > 0 && m_search.is_worth_it(from.d2h + to.h2d);
        });
    });
}

/// What is idle still when all the rest is cured. Whether there is a finding.
/// `for_data_loader` of the idle time is cured already, as data-loader.
bool Account::add_idle(const IntervalSet& gpu_busy, const VerdictFacts& facts, Ns for_data_loader)
{
    const Ns wall = std::max<Ns>(0, m_left - m_gained.time);
    const auto launches = [&](Ns cost) { return is_launch_bound(cost, wall) && m_search.is_worth_it(cost); };
    const auto works = [&](Ns cost) { return is_starved(cost, wall) && m_search.is_worth_it(cost); };
    // Cures only make these smaller: how much is worth a replay only where they are enough before it.
    const auto in_work = MaybeNs(std::max<Ns>(0, facts.idle_in_work.value_or(0) - for_data_loader));
    const Ns since = std::max<Ns>(0, facts.idle_unissued - for_data_loader);
    const bool cpu_is_late = verdict_of(facts).kind == Verdict::Kind::cpu_late && m_search.is_worth_it(since);
    if (!cpu_is_late && !launches(facts.idle_in_launches.value_or(0)) && !works(*in_work)) {
        return false;
    }
    const Ns all_idle = m_search.report.wall - m_search.report.gpu_busy;
    const Ns idle = all_idle - for_data_loader;
    // Where no replay tells how much of it the findings so far gain: all that they may.
    const Ns idle_now = std::max<Ns>(0, std::min(most_of("cpu-late", {}, {}) - m_filled, all_idle - m_gained.idle));
    const auto cost = [&](const std::optional<Ns>& part) {
        const double share = idle > 0 ? static_cast<double>(part.value_or(0)) / static_cast<double>(idle) : 0;
        return std::min({part.value_or(0), static_cast<Ns>(share * static_cast<double>(idle_now)), wall});
    };
    const Ns launching = cost(facts.idle_in_launches);
    const Ns working = cost(in_work);
    const bool launch_bound = !cpu_is_late && launches(launching);
    const bool starved = !cpu_is_late && works(working);
    if (!cpu_is_late && !launch_bound && !starved) {
        return false;
    }
    auto found = find_idle(m_search, gpu_busy, facts.starts_at, for_data_loader > 0, m_cured);
    if (cpu_is_late) {
        say_how_late(found, facts);
        return add_recorded(found.late, cost(since), idle_now);
    }
    if (launch_bound) {
        if (2 * found.graphs >= found.launched) {
            found.launches.advice = {"finding.launch-bound.advice_graphs", {}};
        }
        add_recorded(found.launches, launching, idle_now);
    }
    if (starved) {
        say_what_starves(found, *in_work, working, facts);
        add_recorded(found.work, working, idle_now);
    }
    return true;
}

/// What to do depends on what the CPU was late with. What takes long between two launches is not the launching.
void Account::say_how_late(Idle& found, const VerdictFacts& facts) const
{
    using enum replay::ChangeKind;
    auto& late = found.late;
    const Ns idle = facts.idle_recorded + facts.idle_in_waits + facts.idle_unrecorded;
    const auto is_most = [&](Ns part) { return 2 * part >= idle; };
    const auto of_range = [&](const char* advice) {
        return Message {advice, {{"range", facts.idle_range}, {"time", shown_time(facts.idle_in_range)}}};
    };
    const std::vector<std::vector<replay::ChangeKind>> beside {{workers}, {prefetch}};
    if (is_most(facts.idle_in_range) && 2 * facts.long_in_range >= facts.idle_in_range) {
        late.advice = of_range("finding.cpu-late.advice_long_range");
        late.changes = beside;
    } else if (2 * facts.long_unnamed >= facts.idle_unissued) {
        late.advice = {"finding.cpu-late.advice_nothing", {{"time", shown_time(facts.long_unnamed)}}};
        late.changes = beside;
    } else if (found.launched > 0 && 2 * found.graphs >= found.launched) {
        late.advice = {"finding.launch-bound.advice_graphs", {}};
    } else if (is_most(facts.idle_in_range)) {
        late.advice = of_range("finding.cpu-late.advice_range");
    } else if (is_most(facts.idle_unrecorded) && !facts.has_operators && !facts.has_frames) {
        late.advice
            = python_message(m_graph, "finding.cpu-late.advice_sampled", python_places(m_graph, m_search.report.range));
        if (!late.advice) {
            const bool in_ranges = 2 * facts.idle_in_ranges >= facts.idle_unrecorded;
            late.advice
                = Message {in_ranges ? "finding.cpu-late.advice_ranges" : "finding.cpu-late.advice_unrecorded", {}};
        }
    }
}

/// What the CPU did for half or more of the time for which the GPUs were idle meanwhile: of all (`in_work`), or of what
/// the findings before leave of it (`cost`).
void Account::say_what_starves(Idle& found, Ns in_work, Ns cost, const VerdictFacts& facts)
{
    using enum replay::ChangeKind;
    using Alternatives = std::vector<std::vector<replay::ChangeKind>>;
    auto& work = found.work;
    const auto say = [&](const std::string& which, Alternatives changes) {
        work.title = {"finding.starved.title_" + which, {}};
        work.advice = {"finding.starved.advice_" + which, {}};
        work.changes = std::move(changes);
    };
    const auto is_told = [&](const Finding& finding) { return finding.rule == "allocation-in-loop"; };
    if (facts.idle_for_others * 2 >= in_work) {
        say("waiting", {{workers}});
    } else if (found.captures.bound * 2 >= in_work) {
        work = std::move(found.captures);
    } else if (found.first * 2 >= cost) {
        work.rule = "first-operators";
    } else if (facts.idle_in_allocations * 2 >= in_work
        && std::none_of(m_findings.begin(), m_findings.end(), is_told)) {
        say("allocating", {{pool}});
    } else if (const auto longest = work.evidence.longest();
               !longest.empty() && longest.front().table == EventTable::ranges && found.on_cpu * 2 < in_work) {
        work.advice = {"finding.starved.advice_operators", {}};
        work.changes = Alternatives {{graph}};
    }
}

/// A wait costs a program no more than it holds its thread for; what else the thread would do is not recorded.
bool Account::try_wait(Candidate candidate)
{
    const Ns held = m_search.held_cost(candidate.rows.calls);
    if (candidate.rule == "queue-full" && !m_search.is_worth_it(held)) {
        return false;  // the GPU has enough to do: that launches go on earlier gains nothing
    }
    if (m_search.report.workload.empty()) {
        candidate.held = held;
        candidate.bound = gains() == nullptr ? std::min(candidate.bound, held) : candidate.bound;
    }
    return try_cure(candidate);
}

std::vector<Finding> Account::run(const IntervalSet& gpu_busy, const VerdictFacts& facts)
{
    const auto waits = find_waits(m_search);
    const auto is_rule = [](const Candidate& candidate, std::string_view rule) { return candidate.rule == rule; };
    const auto first_other = std::find_if(
        waits.begin(), waits.end(), [](const Candidate& candidate) { return candidate.rule.starts_with("blocked-"); });
    if (m_search.report.gpus.size() > 1 && may_go_through_host()) {
        try_cure(find_copies_through_host(m_search, order()));
    }
    auto wait = waits.begin();
    for (; wait != first_other && is_rule(*wait, "pageable-async-copy"); ++wait) {
        try_wait(*wait);
    }
    try_cure(find_allocations(m_search));
    try_cure(find_loading(m_search));
    if (orders_with_legacy_stream(m_search.trace)) {
        try_cure(find_default_stream(m_search, order().operations));
    }
    std::vector<const Candidate*> in_vain;
    for (; wait != first_other; ++wait) {
        if (!try_wait(*wait)) {
            in_vain.push_back(&*wait);
        }
    }
    try_cure(find_small_copies(m_search));
    const bool hidden = try_cure(find_unhidden_copies(m_search));
    if (try_cure(find_one_direction(m_search)) || hidden) {
        // Waits that cost nothing where copies and kernels of one stream take turns anyway may cost something once they
        // don't.
        for (const auto* candidate : in_vain) {
            try_cure(*candidate);
        }
    }
    const auto communicates = [&] { return !m_search.bounds.communicates.none() && m_search.report.gpus.size() > 1; };
    const bool exposed
        = std::any_of(m_search.report.gpus.begin(), m_search.report.gpus.end(), [&](const GpuFigures& gpu) {
              return m_search.is_worth_it(std::max(gpu.copy_exposed, gpu.communication_exposed));
          });
    if (exposed) {
        const auto after = find_after_kernels(m_search, order(), m_cured);
        for (const auto* candidate : {&after.copies, &after.communication}) {
            add_recorded(*candidate, candidate->bound);
        }
    }
    if (communicates()) {
        const auto late = find_late_gpu(m_search, order(), m_cured);
        add_recorded(late, late.bound);
    }
    Ns since_first = 0;
    const auto loader = find_data_loader(m_search, gpu_busy, facts.starts_at, since_first);
    const Ns for_data_loader = try_cure(loader) ? since_first : 0;
    // A GPU that is idle for as much as starved asks for is so altogether, not between iterations alone.
    const bool may_be_starved = is_starved(facts.idle_in_work.value_or(0) - for_data_loader, m_left - m_gained.time);
    if (!may_be_starved) {
        try_cure(find_idle_between_iterations(m_search));
    }
    for (; wait != waits.end(); ++wait) {
        try_wait(*wait);
    }
    if (!add_idle(gpu_busy, facts, for_data_loader) && may_be_starved) {
        try_cure(find_idle_between_iterations(m_search));
    }
    if (facts.before_first > 0) {
        const auto first = find_first_operators(m_search, facts.starts_at, m_cured);
        if (first.bound >= m_search.report.wall / 10) {
            add_recorded(first, first.bound);
        }
    }
    try_cure(find_recorder_overhead(m_search, facts.starts_at));
    if (m_gains && !m_gains->is_predicted()) {
        forget_changes();
    }
    return std::move(m_findings);
}

}  // namespace

std::vector<Finding> find_findings(const Waited& waited, const RecordingBounds& bounds, const IntervalSet& gpu_busy,
    const VerdictFacts& facts, const ReportFigures& report)
{
    const auto& graph = waited.graph;
    const Search search {graph.trace(), graph.blocking(), bounds, report, waited.costs, graph};
    std::vector<Finding> findings;
    if (graph.blocking().known) {
        findings = Account(search, graph).run(gpu_busy, facts);
    }
    for (auto& finding : findings) {
        finding.is_once = rule_of(finding.rule).is_start_up;
    }
    if (auto stale = find_stale_reads(search)) {
        say_why_none(*stale, std::string(rule_of(stale->rule).why_none));
        findings.push_back(std::move(*stale));
    }
    std::stable_sort(findings.begin(), findings.end(), comes_first);
    return findings;
}

Ns gain_without_waits(const std::vector<Finding>& findings)
{
    Ns gain = 0;
    for (const auto& finding : findings) {
        const bool counts = finding.is_replayed && finding.on_top_of.empty() && rule_of(finding.rule).is_wait;
        gain += counts ? finding.cost : 0;
    }
    return gain;
}

}  // namespace lanes
