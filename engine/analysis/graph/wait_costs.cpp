// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/wait_costs.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/facts/pinned_rates.h"
#include "engine/analysis/figures/value_copies.h"
#include "engine/analysis/graph/slack.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

namespace lanes {

namespace {

constexpr Ns one_wait_within = 100'000;  // successive stretches of one wait
constexpr Ns least_wait_for_thread = 20'000;  // a get or join that held the thread as well
constexpr Ns least_wait_cost = 5'000;
constexpr double least_share = 0.03;  // of a wait, that costs something
constexpr Ns on_the_path = 20'000;  // slack of what the run waits for
constexpr Ns never = INT64_MAX;

bool waits_for_issued(BlockCause cause)
{
    switch (cause) {
    case BlockCause::copy:
    case BlockCause::stream_sync:
    case BlockCause::device_sync:
    case BlockCause::event_sync:
    case BlockCause::poll:
    case BlockCause::other:
        return true;
    case BlockCause::staging:
    case BlockCause::launch:
    case BlockCause::queue_full:
    case BlockCause::memory:
        return false;
    }
    return false;
}

/// Ends of what a thread issued last so far.
struct IssuedSoFar {
    std::map<std::uint32_t, Ns> end;  ///< by device: of operations other than downloads
    Ns download = 0;
};

/// The wait after one: where it starts, and where the call of it does.
struct Next {
    Ns start = never, call_start = never;
};

class CostPass {
public:
    explicit CostPass(const Graph& graph);
    WaitCosts run();

private:
    void note_operations();
    void note_loading();
    void note_frees();
    void note_host_spans();
    std::span<const Row> operations_of(Row call) const;
    std::span<const Row> calls_from(Row thread, Ns time) const;
    std::uint32_t device_of(Row operation) const
    {
        return m_trace.streams[m_trace.operations.stream[operation]].device;
    }
    const IntervalSet& busy();
    const IntervalSet& kernels();
    bool is_one_wait(Row thread, Ns end, Ns start) const;
    std::vector<std::size_t> ends_of_waits(Row thread, const std::vector<Row>& stretches) const;
    void issue_until(Row thread, Ns time, std::size_t& place, IssuedSoFar& issued) const;
    Ns could_begin(Row operation, const Wait& wait, bool for_issued, Ns released, const IssuedSoFar& issued) const;
    void add_delays(const Wait& wait, const Next& next, bool for_issued, const IssuedSoFar& issued,
        std::vector<Interval>& lost) const;
    void add_idle_work(const Wait& wait, Ns until, std::vector<Interval>& lost);
    std::optional<Ns> time_if_pinned(Row operation);
    void add_staging(std::span<const Row> stretches, std::vector<Interval>& lost, std::vector<StagedCopy>& staged);
    Ns cost_of(const Wait& wait, std::span<const Row> stretches, const Next& next, const IssuedSoFar& issued,
        std::vector<StagedCopy>& staged);
    void take_thread(Row thread, const std::vector<Row>& stretches, WaitCosts& costs);

    const Graph& m_graph;
    const Trace& m_trace;
    std::vector<Row> m_by_call;  ///< operations, by outermost call, then row
    std::vector<Row> m_first_of;  ///< by call: its first in m_by_call; one more at the end
    std::vector<std::vector<Row>> m_calls;  ///< by thread: outermost calls by start
    std::vector<bool> m_loads;  ///< by call
    std::vector<bool> m_frees;  ///< by call: memory, in more than 20 us; it waits for the GPU, whatever waited before
    std::vector<std::vector<Interval>> m_work, m_releases;  ///< by thread: host work; gets and joins, by start
    std::vector<std::vector<Ns>> m_deeds;  ///< by thread: starts of host work and puts
    std::vector<Ns> m_last;  ///< by thread: start of the last thing that it issued, worked on or put
    std::vector<double> m_rates;  ///< pinned_rates(), once asked for
    std::vector<Ns> m_slack;  ///< find_slack(), where several processes issue work
    IntervalSet m_busy, m_kernels;  ///< of all GPUs, once asked for
    bool m_has_busy = false, m_has_kernels = false;
};

CostPass::CostPass(const Graph& graph)
    : m_graph(graph)
    , m_trace(graph.trace())
{
    const auto& calls = m_trace.calls;
    m_calls.resize(m_trace.threads.size());
    m_last.resize(m_trace.threads.size(), INT64_MIN);
    for (Row call = 0; call < calls.size(); ++call) {
        if (calls.thread[call] != no_row && calls.outer[call] == no_row) {
            m_calls[calls.thread[call]].push_back(call);
        }
    }
    note_operations();
    note_loading();
    note_frees();
    note_host_spans();
}

void CostPass::note_operations()
{
    const auto& ops = m_trace.operations;
    const auto& calls = m_trace.calls;
    std::set<std::uint32_t> processes;
    m_first_of.assign(calls.size() + 1, 0);
    for (Row row = 0; row < ops.size(); ++row) {
        const Row call = outermost(calls, ops.call[row]);
        if (call == no_row) {
            continue;
        }
        ++m_first_of[call + 1];
        if (const Row thread = calls.thread[call]; thread != no_row) {
            if (!fetches_value(m_trace, row)) {
                m_last[thread] = std::max(m_last[thread], calls.start[call]);
            }
            processes.insert(m_trace.threads[thread].process);
        }
    }
    for (std::size_t call = 0; call < calls.size(); ++call) {
        m_first_of[call + 1] += m_first_of[call];
    }
    m_by_call.resize(m_first_of.back());
    std::vector<Row> place(m_first_of.begin(), m_first_of.end() - 1);
    for (Row row = 0; row < ops.size(); ++row) {
        if (const Row call = outermost(calls, ops.call[row]); call != no_row) {
            m_by_call[place[call]++] = row;
        }
    }
    if (processes.size() > 1) {
        m_slack = find_slack(m_graph, {0, m_trace.duration});
    }
}

/// Calls of more than 1 ms in which nothing held them and code was loaded: by their name, or as the first launch of a
/// kernel in its context.
void CostPass::note_loading()
{
    const auto& ops = m_trace.operations;
    const auto& calls = m_trace.calls;
    m_loads.resize(calls.size());
    std::vector<bool> is_long(calls.size());
    bool any = false;
    for (Row call = 0; call < calls.size(); ++call) {
        const Ns length = calls.end[call] - calls.start[call];
        if (length > loads_code && calls.outer[call] == no_row
            && length - m_graph.blocking().time_of(call) > loads_code) {
            m_loads[call] = loads_code_itself(m_trace.text(calls.name[call]));
            is_long[call] = any = true;
        }
    }
    if (!any) {
        return;
    }
    std::map<std::tuple<std::uint32_t, std::uint32_t, StringId>, Row> first;
    for (Row row = 0; row < ops.size(); ++row) {
        const Row call = outermost(calls, ops.call[row]);
        if (ops.kind[row] == OperationKind::kernel && call != no_row) {
            const auto& stream = m_trace.streams[ops.stream[row]];
            const auto [found, is_new]
                = first.try_emplace({stream.process, stream.context, m_trace.kernels[ops.detail[row]].full_name}, call);
            if (!is_new && calls.start[call] < calls.start[found->second]) {
                found->second = call;
            }
        }
    }
    for (const auto& [kernel, call] : first) {
        m_loads[call] = m_loads[call] || is_long[call];
    }
}

/// A cudaFree between a wait and the next launch would hold that up without the wait, too.
void CostPass::note_frees()
{
    const auto& calls = m_trace.calls;
    const auto classes = call_classes(m_trace);
    m_frees.resize(calls.size());
    for (Row call = 0; call < calls.size(); ++call) {
        const auto name = m_trace.text(calls.name[call]);
        m_frees[call] = classes[calls.name[call]] == CallClass::memory && calls.outer[call] == no_row
            && calls.end[call] - calls.start[call] > ordinary_call && name.find("Free") != std::string_view::npos
            && name.find("Async") == std::string_view::npos;
    }
}

void CostPass::note_host_spans()
{
    m_work.resize(m_trace.threads.size());
    m_releases.resize(m_trace.threads.size());
    m_deeds.resize(m_trace.threads.size());
    for (const auto& span : m_trace.host_spans) {
        if (span.thread == no_row) {
            continue;
        }
        switch (span.type) {
        case HostSpanRecord::work:
            m_work[span.thread].push_back({span.start, span.end});
            m_deeds[span.thread].push_back(span.start);
            m_last[span.thread] = std::max(m_last[span.thread], span.start);
            break;
        case HostSpanRecord::queue_put:
            m_deeds[span.thread].push_back(span.start);
            m_last[span.thread] = std::max(m_last[span.thread], span.start);
            break;
        case HostSpanRecord::queue_get:
        case HostSpanRecord::join:
            if (span.end - span.start > least_wait_for_thread) {
                m_releases[span.thread].push_back({span.start, span.end});
            }
            break;
        case HostSpanRecord::staging:
            break;
        }
    }
}

std::span<const Row> CostPass::operations_of(Row call) const
{
    return std::span(m_by_call).subspan(m_first_of[call], m_first_of[call + 1] - m_first_of[call]);
}

std::span<const Row> CostPass::calls_from(Row thread, Ns time) const
{
    const auto& of = m_calls[thread];
    const auto from
        = std::lower_bound(of.begin(), of.end(), time, [&](Row call, Ns at) { return m_trace.calls.start[call] < at; });
    return std::span(of).subspan(static_cast<std::size_t>(from - of.begin()));
}

const IntervalSet& CostPass::busy()
{
    if (!m_has_busy) {
        m_has_busy = true;
        std::vector<Interval> all;
        for (Row row = 0; row < m_trace.operations.size(); ++row) {
            all.push_back({m_trace.operations.start[row], m_trace.operations.end[row]});
        }
        m_busy = unite(std::move(all));
    }
    return m_busy;
}

const IntervalSet& CostPass::kernels()
{
    if (!m_has_kernels) {
        m_has_kernels = true;
        std::vector<Interval> all;
        for (Row row = 0; row < m_trace.operations.size(); ++row) {
            if (m_trace.operations.kind[row] == OperationKind::kernel) {
                all.push_back({m_trace.operations.start[row], m_trace.operations.end[row]});
            }
        }
        m_kernels = unite(std::move(all));
    }
    return m_kernels;
}

/// Whether nothing but fetched values lies between two stretches that are close to one another.
bool CostPass::is_one_wait(Row thread, Ns end, Ns start) const
{
    if (start - end > one_wait_within) {
        return false;
    }
    for (const Row call : calls_from(thread, end)) {
        if (m_trace.calls.start[call] > start) {
            break;
        }
        for (const Row row : operations_of(call)) {
            if (!fetches_value(m_trace, row)) {
                return false;
            }
        }
    }
    const auto& deeds = m_deeds[thread];
    const auto next = std::lower_bound(deeds.begin(), deeds.end(), end);
    return next == deeds.end() || *next >= start;
}

/// Takes what the thread issued in calls that began before `time`, from its call at `place` on.
void CostPass::issue_until(Row thread, Ns time, std::size_t& place, IssuedSoFar& issued) const
{
    const auto& ops = m_trace.operations;
    const auto& of = m_calls[thread];
    for (; place < of.size() && m_trace.calls.start[of[place]] < time; ++place) {
        for (const Row row : operations_of(of[place])) {
            (ops.kind[row] == OperationKind::d2h ? issued.download : issued.end[device_of(row)]) = ops.end[row];
        }
    }
}

/// From when on an operation that began as soon as it was launched could have run, had the wait not been.
Ns CostPass::could_begin(Row operation, const Wait& wait, bool for_issued, Ns released, const IssuedSoFar& issued) const
{
    const auto& ops = m_trace.operations;
    Ns from = std::max(wait.start, released);
    if (operation > 0 && ops.stream[operation - 1] == ops.stream[operation]) {
        from = std::max(from, ops.end[operation - 1]);
    }
    if (for_issued) {
        const auto on_gpu = issued.end.find(device_of(operation));
        from = std::max(from, on_gpu == issued.end.end() ? 0 : on_gpu->second);
        if (ops.kind[operation] == OperationKind::h2d) {
            from = std::max(from, issued.download);
        }
    }
    return from;
}

/// What the thread issued from the end of the wait on, up to and with the call of its next one.
void CostPass::add_delays(
    const Wait& wait, const Next& next, bool for_issued, const IssuedSoFar& issued, std::vector<Interval>& lost) const
{
    const auto& ops = m_trace.operations;
    const auto& released = m_releases[wait.thread];
    auto release = std::lower_bound(
        released.begin(), released.end(), wait.end, [](const Interval& span, Ns at) { return span.start < at; });
    Ns released_at = 0;
    bool is_on_path = m_slack.empty();
    const auto before = lost.size();
    for (const Row call : calls_from(wait.thread, wait.end)) {
        const Ns called = m_trace.calls.start[call];
        if (called > next.call_start || m_loads[call] || (for_issued && m_frees[call])) {
            break;
        }
        for (; release != released.end() && release->start < called; ++release) {
            released_at = std::max(released_at, release->end);
        }
        for (const Row row : operations_of(call)) {
            if (m_graph.starts().cause(row) == StartCause::launch) {
                is_on_path = is_on_path || m_slack[row] <= on_the_path;
                lost.push_back({could_begin(row, wait, for_issued, released_at, issued), ops.start[row]});
            }
        }
    }
    if (!is_on_path) {
        lost.resize(before);
    }
}

/// The thread's own work until its next wait while no GPU was busy.
void CostPass::add_idle_work(const Wait& wait, Ns until, std::vector<Interval>& lost)
{
    std::vector<Interval> work;
    const auto& of = m_work[wait.thread];
    for (auto span
         = std::lower_bound(of.begin(), of.end(), wait.end, [](const Interval&each, Ns at) { return each.start < at; });
         span != of.end() && span->start < until; ++span) {
        work.push_back({span->start, std::min(span->end, until)});
    }
    if (!work.empty()) {
        const auto idle = subtract(unite(std::move(work)), clip(busy(), {wait.end, until}));
        lost.insert(lost.end(), idle.begin(), idle.end());
    }
}

/// How long a copy of pageable memory would take if it were of pinned memory; nothing: it is none, or of a value.
std::optional<Ns> CostPass::time_if_pinned(Row operation)
{
    const auto& ops = m_trace.operations;
    if (operation == no_row || !is_copy(ops.kind[operation])) {
        return std::nullopt;
    }
    const auto& copy = m_trace.copies[ops.detail[operation]];
    if (copy.bytes <= most_of_a_value || (copy.source != MemoryKind::pageable && copy.target != MemoryKind::pageable)) {
        return std::nullopt;
    }
    if (m_rates.empty()) {
        m_rates = pinned_rates(m_trace);
    }
    return static_cast<Ns>(static_cast<double>(copy.bytes) / m_rates[ops.stream[operation]]);
}

/// What the thread's own copies of pageable memory took longer than copies of pinned memory would.
void CostPass::add_staging(std::span<const Row> stretches, std::vector<Interval>& lost, std::vector<StagedCopy>& staged)
{
    const auto& ops = m_trace.operations;
    Row last = no_row;
    for (const Row stretch : stretches) {
        const auto& blocked = m_graph.blocking().calls[stretch];
        const Row copy = blocked.released_by;
        const bool is_staged = blocked.cause == BlockCause::copy || blocked.cause == BlockCause::staging;
        const auto pinned = is_staged && copy != last ? time_if_pinned(copy) : std::nullopt;
        last = copy;
        if (pinned) {
            const Interval span {ops.start[copy], ops.end[copy]};
            const Ns alone = span.end - span.start - length(clip(kernels(), span));
            const Ns saved = std::clamp<Ns>(span.end - span.start - *pinned, 0, alone);
            lost.push_back({span.start, span.start + saved});
            staged.push_back({copy, saved});
        }
    }
}

Ns CostPass::cost_of(const Wait& wait, std::span<const Row> stretches, const Next& next, const IssuedSoFar& issued,
    std::vector<StagedCopy>& staged)
{
    const auto& blocked = m_graph.blocking().calls;
    const bool for_issued = std::any_of(
        stretches.begin(), stretches.end(), [&](Row stretch) { return waits_for_issued(blocked[stretch].cause); });
    const auto& released = m_releases[wait.thread];
    const auto release = std::lower_bound(
        released.begin(), released.end(), wait.end, [](const Interval& span, Ns at) { return span.start < at; });
    const Ns released_from = release == released.end() ? never : release->start;
    std::vector<Interval> lost;
    add_delays(wait, next, for_issued, issued, lost);
    add_idle_work(wait, std::min({next.start, released_from, m_trace.duration}), lost);
    if (released_from >= next.start) {
        add_staging(stretches, lost, staged);
    }
    std::erase_if(lost, [](const Interval& each) { return each.end <= each.start; });
    return std::min(wait.blocked, length(unite(std::move(lost))));
}

/// Where each wait ends, into `stretches`: one behind its last.
std::vector<std::size_t> CostPass::ends_of_waits(Row thread, const std::vector<Row>& stretches) const
{
    const auto& blocked = m_graph.blocking().calls;
    std::vector<std::size_t> ends;
    Ns end = 0;
    for (std::size_t place = 0; place < stretches.size(); ++place) {
        const auto& stretch = blocked[stretches[place]];
        if (place > 0 && !is_one_wait(thread, end, stretch.start)) {
            ends.push_back(place);
        }
        end = std::max(end, stretch.end);
    }
    ends.push_back(stretches.size());
    return ends;
}

void CostPass::take_thread(Row thread, const std::vector<Row>& stretches, WaitCosts& costs)
{
    const auto& blocked = m_graph.blocking().calls;
    IssuedSoFar issued;
    std::size_t place = 0, from = 0;
    for (const auto to : ends_of_waits(thread, stretches)) {
        const auto of = std::span(stretches).subspan(from, to - from);
        Wait wait {thread, blocked[of.front()].start, 0, 0, 0, WaitKind::for_busy_gpu};
        for (const Row stretch : of) {
            wait.end = std::max(wait.end, blocked[stretch].end);
            wait.blocked += blocked[stretch].end - blocked[stretch].start;
            costs.wait_of[stretch] = static_cast<Row>(costs.waits.size());
        }
        Next next;
        if (to < stretches.size()) {
            next.start = blocked[stretches[to]].start;
            next.call_start = m_trace.calls.start[blocked[stretches[to]].call];
        }
        issue_until(thread, wait.end, place, issued);
        wait.cost = cost_of(wait, of, next, issued, costs.staged);
        const auto least = std::max(least_wait_cost, static_cast<Ns>(least_share * static_cast<double>(wait.blocked)));
        wait.kind = wait.cost >= least  ? WaitKind::held
            : m_last[thread] < wait.end ? WaitKind::for_result
                                        : WaitKind::for_busy_gpu;
        costs.waits.push_back(wait);
        from = to;
    }
}

WaitCosts CostPass::run()
{
    const auto& blocked = m_graph.blocking().calls;
    WaitCosts costs;
    costs.wait_of.resize(blocked.size(), no_row);
    std::vector<std::vector<Row>> by_thread(m_trace.threads.size());
    for (Row stretch = 0; stretch < blocked.size(); ++stretch) {
        if (const Row thread = m_trace.calls.thread[blocked[stretch].call]; thread != no_row) {
            by_thread[thread].push_back(stretch);
        }
    }
    for (Row thread = 0; thread < by_thread.size(); ++thread) {
        if (!by_thread[thread].empty()) {
            take_thread(thread, by_thread[thread], costs);
        }
    }
    return costs;
}

}  // namespace

std::string_view name_of(WaitKind kind)
{
    constexpr std::array<std::string_view, wait_kind_count> names {"held", "for_result", "for_busy_gpu"};
    return names.at(static_cast<std::size_t>(kind));
}

Ns WaitCosts::cost_of(Row stretch, Ns length) const
{
    if (wait_of[stretch] == no_row) {
        return 0;
    }
    const auto& wait = waits[wait_of[stretch]];
    return wait.blocked == 0 ? 0
                             : static_cast<Ns>(static_cast<double>(wait.cost) * static_cast<double>(length)
                                 / static_cast<double>(wait.blocked));
}

WaitCosts find_wait_costs(const Graph& graph)
{
    return CostPass(graph).run();
}

}  // namespace lanes
