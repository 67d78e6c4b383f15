// SPDX-License-Identifier: MIT
#include "engine/analysis/findings/findings.h"

#include "engine/analysis/blocking/default_streams.h"
#include "engine/analysis/findings/search.h"
#include "engine/analysis/words/shown.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>

namespace lanes {

namespace {

/// Cures one candidate after another and keeps account of what each wins.
class Account {
public:
    explicit Account(const Search& search)
        : m_search(search)
        , m_left(search.report.wall)
    {
    }
    std::vector<Finding> run(const IntervalSet& gpu_busy, const VerdictFacts& facts);

private:
    bool try_cure(const Candidate& candidate);
    void say_otherwise(const Candidate& candidate, Cures cures, Ns won_before);
    static void take(Cures& cures, const std::vector<std::pair<Row, Ns>>& times);
    void save(const std::vector<std::pair<Row, Interval>>& stretches);
    void try_again(std::span<const Candidate* const> candidates);
    void add(const Candidate& candidate, Ns cost);
    bool may_go_through_host() const;
    void add_late_gpu();
    bool add_idle(const IntervalSet& gpu_busy, const VerdictFacts& facts, Ns for_data_loader);
    void say_what_starves(Idle& found, Ns in_work, Ns cost, const VerdictFacts& facts);
    const Replay& replay();

    const Search& m_search;
    std::optional<Replay> m_replay;  ///< made when there is something to ask it
    Cures m_cures;
    Ns m_won = 0;  ///< in the last replay
    std::optional<Replay::Result> m_last;  ///< the last replay; nothing: no cure was taken
    Ns m_left;  ///< of the wall time, what no finding has
    std::vector<Finding> m_findings;
};

const Replay& Account::replay()
{
    if (!m_replay) {
        m_replay.emplace(m_search.trace, m_search.blocking);
        m_cures = m_replay->no_cures();
    }
    return *m_replay;
}

/// Whether it wins enough to be kept.
bool Account::try_cure(const Candidate& candidate)
{
    if (!m_search.is_worth_it(candidate.bound)) {
        return false;
    }
    const auto& timed = replay();
    Cures before = m_cures;
    for (const auto& [call, cure] : candidate.calls) {
        if (m_cures.calls[call] == Cures::none) {
            m_cures.calls[call] = cure;
        }
    }
    for (const Row stream : candidate.own_copies) {
        m_cures.own_copies[stream] = true;
    }
    m_cures.no_legacy_order = m_cures.no_legacy_order || candidate.no_legacy_order;
    save(candidate.saved);
    take(m_cures, candidate.takes);
    const auto now = timed.run(m_cures, m_search.report.range);
    // With what was cured before gone, a wait may win more than it held the thread for, which its advice says.
    const Ns most = candidate.rule.starts_with("blocked-") ? std::min(candidate.bound, m_left) : m_left;
    const Ns won = std::min(now.won - m_won, most);
    if (!m_search.is_worth_it(won)) {
        m_cures = std::move(before);
        return false;
    }
    const Ns won_before = m_won;
    m_won = now.won;
    m_last = now;
    add(candidate, won);
    if (!candidate.otherwise.empty()) {
        say_otherwise(candidate, std::move(before), won_before);
    }
    return true;
}

void Account::take(Cures& cures, const std::vector<std::pair<Row, Ns>>& times)
{
    cures.takes.insert(cures.takes.end(), times.begin(), times.end());
    std::sort(cures.takes.begin(), cures.takes.end());
}

/// What is gained where something holds that no record tells, if that differs by enough to be worth a sentence.
void Account::say_otherwise(const Candidate& candidate, Cures cures, Ns won_before)
{
    for (const auto& [call, cure] : candidate.otherwise) {
        if (cures.calls[call] == Cures::none) {
            cures.calls[call] = cure;
        }
    }
    take(cures, candidate.otherwise_takes);
    auto& finding = m_findings.back();
    const Ns won = m_replay->run(cures, m_search.report.range).won - won_before;
    const Ns otherwise = std::clamp<Ns>(won, 0, m_search.report.wall);
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

void Account::save(const std::vector<std::pair<Row, Interval>>& stretches)
{
    if (stretches.empty()) {
        return;
    }
    std::vector<std::vector<Interval>> of(m_search.trace.threads.size());
    m_cures.saved.resize(of.size());
    for (const auto& [thread, stretch] : stretches) {
        of[thread].push_back(stretch);
    }
    for (Row thread = 0; thread < of.size(); ++thread) {
        auto& set = m_cures.saved[thread];
        of[thread].insert(of[thread].end(), set.begin(), set.end());
        set = unite(std::move(of[thread]));
    }
}

/// Waits that cost nothing where copies and kernels of one stream take turns anyway may cost something once they don't.
void Account::try_again(std::span<const Candidate* const> candidates)
{
    for (const auto* candidate : candidates) {
        try_cure(*candidate);
    }
}

void Account::add(const Candidate& candidate, Ns cost)
{
    m_left -= cost;
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

void Account::add_late_gpu()
{
    if (replay().collectives().empty()) {
        return;
    }
    const auto late = find_late_gpu(m_search, m_replay->collectives(), m_cures);
    if (const Ns won = std::min(late.bound, m_left); m_search.is_worth_it(won)) {
        add(late, won);
    }
}

/// What is idle still when all the rest is cured. Whether there is a finding.
/// `for_data_loader` of the idle time is cured already, as data-loader.
bool Account::add_idle(const IntervalSet& gpu_busy, const VerdictFacts& facts, Ns for_data_loader)
{
    const Ns wall = m_left;
    const auto launches = [&](Ns cost) { return is_launch_bound(cost, wall) && m_search.is_worth_it(cost); };
    const auto works = [&](Ns cost) { return is_starved(cost, wall) && m_search.is_worth_it(cost); };
    // Cures only make these smaller: how much is worth a replay only where they are enough before it.
    const auto in_work = MaybeNs(std::max<Ns>(0, facts.idle_in_work.value_or(0) - for_data_loader));
    if (!launches(facts.idle_in_launches.value_or(0)) && !works(*in_work)) {
        return false;
    }
    const Ns all_idle = m_search.report.wall - m_search.report.gpu_busy;
    const Ns idle = all_idle - for_data_loader;
    Ns idle_now = all_idle;
    if (m_last) {
        idle_now -= (m_search.bounds.last_end - m_last->recorded_busy) - (m_last->end - m_last->gpu_busy);
    }
    const auto cost = [&](const std::optional<Ns>& part) {
        const double share = idle > 0 ? static_cast<double>(part.value_or(0)) / static_cast<double>(idle) : 0;
        return std::min({part.value_or(0), static_cast<Ns>(share * static_cast<double>(idle_now)), m_left});
    };
    const Ns launching = cost(facts.idle_in_launches);
    const Ns working = cost(in_work);
    const bool launch_bound = launches(launching);
    const bool starved = works(working);
    if (launch_bound || starved) {
        auto found = find_idle(m_search, gpu_busy, for_data_loader > 0, m_cures);
        if (launch_bound) {
            if (2 * found.graphs >= found.launched) {
                found.launches.advice = {"finding.launch-bound.advice_graphs", {}};
            }
            add(found.launches, launching);
        }
        if (starved) {
            say_what_starves(found, *in_work, working, facts);
            add(found.work, std::min(working, m_left));
        }
    }
    return launch_bound || starved;
}

/// What the CPU did for half or more of the time for which the GPUs were idle meanwhile: of all (`in_work`), or of what
/// the findings before leave of it (`cost`).
void Account::say_what_starves(Idle& found, Ns in_work, Ns cost, const VerdictFacts& facts)
{
    auto& work = found.work;
    const auto say = [&](const std::string& which) {
        work.title = {"finding.starved.title_" + which, {}};
        work.advice = {"finding.starved.advice_" + which, {}};
    };
    const auto is_told = [&](const Finding& finding) { return finding.rule == "allocation-in-loop"; };
    if (facts.idle_for_others * 2 >= in_work) {
        say("waiting");
    } else if (found.first * 2 >= cost) {
        work.rule = "first-operators";
    } else if (facts.idle_in_allocations * 2 >= in_work
        && std::none_of(m_findings.begin(), m_findings.end(), is_told)) {
        say("allocating");
    } else if (const auto longest = work.evidence.longest();
               !longest.empty() && longest.front().table == EventTable::ranges) {
        work.advice = {"finding.starved.advice_operators", {}};
    }
}

std::vector<Finding> Account::run(const IntervalSet& gpu_busy, const VerdictFacts& facts)
{
    const auto waits = find_waits(m_search);
    const auto is_rule = [](const Candidate& candidate, std::string_view rule) { return candidate.rule == rule; };
    const auto first_other = std::find_if(
        waits.begin(), waits.end(), [](const Candidate& candidate) { return candidate.rule.starts_with("blocked-"); });
    if (m_search.report.gpus.size() > 1 && may_go_through_host()) {
        try_cure(find_copies_through_host(m_search, replay().order()));
    }
    auto wait = waits.begin();
    for (; wait != first_other && is_rule(*wait, "pageable-async-copy"); ++wait) {
        try_cure(*wait);
    }
    try_cure(find_allocations(m_search));
    try_cure(find_loading(m_search));
    if (orders_with_legacy_stream(m_search.trace)) {
        try_cure(find_default_stream(m_search, replay().order().operations));
    }
    std::vector<const Candidate*> in_vain;
    for (; wait != first_other; ++wait) {
        if (!try_cure(*wait)) {
            in_vain.push_back(&*wait);
        }
    }
    try_cure(find_small_copies(m_search));
    const bool hidden = try_cure(find_unhidden_copies(m_search));
    if (try_cure(find_one_direction(m_search)) || hidden) {
        try_again(in_vain);
    }
    const auto communicates = [&] { return !m_search.bounds.communicates.none() && m_search.report.gpus.size() > 1; };
    const bool exposed
        = std::any_of(m_search.report.gpus.begin(), m_search.report.gpus.end(), [&](const GpuFigures& gpu) {
              return m_search.is_worth_it(std::max(gpu.copy_exposed, gpu.communication_exposed));
          });
    if (exposed) {
        const auto after = find_after_kernels(m_search, replay().order().operations, m_cures, *m_replay);
        for (const auto* candidate : {&after.copies, &after.communication}) {
            if (const Ns won = std::min(candidate->bound, m_left); m_search.is_worth_it(won)) {
                add(*candidate, won);
            }
        }
    }
    if (communicates()) {
        add_late_gpu();
    }
    const auto loader = find_data_loader(m_search, gpu_busy);
    const Ns for_data_loader = try_cure(loader) ? loader.bound : 0;
    // A GPU that is idle for as much as starved asks for is so altogether, not between iterations alone.
    const bool may_be_starved = is_starved(facts.idle_in_work.value_or(0) - for_data_loader, m_left);
    if (!may_be_starved) {
        try_cure(find_idle_between_iterations(m_search));
    }
    for (; wait != waits.end(); ++wait) {
        try_cure(*wait);
    }
    if (!add_idle(gpu_busy, facts, for_data_loader) && may_be_starved) {
        try_cure(find_idle_between_iterations(m_search));
    }
    try_cure(find_recorder_overhead(m_search));
    return std::move(m_findings);
}

}  // namespace

std::vector<Finding> find_findings(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    const IntervalSet& gpu_busy, const VerdictFacts& facts, const ReportFigures& report)
{
    const Search search {trace, blocking, bounds, report};
    std::vector<Finding> findings;
    if (blocking.known) {
        findings = Account(search).run(gpu_busy, facts);
    }
    std::stable_sort(
        findings.begin(), findings.end(), [](const Finding& a, const Finding& b) { return a.cost > b.cost; });
    if (auto stale = find_stale_reads(search)) {
        findings.insert(findings.begin(), std::move(*stale));  // what is wrong comes before what is slow
    }
    return findings;
}

}  // namespace lanes
