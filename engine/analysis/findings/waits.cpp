// SPDX-License-Identifier: MIT
// Calls that were held, by what held them and by what would free them.
#include "engine/analysis/blocking/look_ahead.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/figures/value_copies.h"
#include "engine/analysis/findings/search.h"
#include "engine/analysis/words/names.h"
#include "engine/analysis/words/shown.h"
#include "engine/trace/event.h"

#include <map>

namespace lanes {

namespace {

constexpr Ns held_up_within = 20'000;  // the wait held up what begins this soon after it
constexpr std::size_t most_held = 8;  // pairs of thread and cause whose waits are priced

class WaitSearch {
public:
    explicit WaitSearch(const Search& search)
        : m_search(search)
        , m_trace(search.trace)
    {
    }
    std::vector<Candidate> run();

private:
    /// A thread and what held it.
    using Held = std::pair<Row, BlockCause>;
    enum Class { pageable, turns, small, before_work, device_wide, in_loop, spin, queue_full, class_count };

    void prepare();
    void take(const BlockedCall& stretch, Interval blocked);
    std::optional<Class> class_of_sync(const BlockedCall& stretch);
    Ns work_after(Row call);
    Row issued_next(Row call) const;
    bool goes_elsewhere(Row call, Row released) const;
    bool something_follows(Row call) const;
    bool result_is_read(Row call) const;
    void add(Class of, const BlockedCall& stretch, Interval blocked, EventRef event);
    void take_wait_behind(Class of, Row copy);
    void prepare_data(Row copy);
    void drop_what_computes_values();
    Candidate held(const Held& by, Candidate candidate) const;

    const Search& m_search;
    const Trace& m_trace;
    std::vector<std::vector<Interval>> m_work;  ///< by thread: host work by start
    std::vector<std::vector<Ns>> m_reads;  ///< by thread: starts of reads
    std::vector<Ns> m_last;  ///< by thread: start of its last call, host work or put
    std::vector<Row> m_first_operation;  ///< by outermost call
    std::array<Candidate, class_count> m_found;
    std::array<std::size_t, class_count> m_moved {};  ///< of before_work, waits that a stream could make instead
    std::vector<std::pair<Row, Ns>> m_prepares;  ///< uploads, and how long copying their data to pinned memory takes
    Row m_last_call = no_row;  ///< the last that was taken: a call may have several stretches
    std::vector<std::pair<Held, Row>> m_waits;  ///< stretches, into Blocking::calls
};

void WaitSearch::prepare()
{
    m_work.resize(m_trace.threads.size());
    m_reads.resize(m_trace.threads.size());
    m_last.resize(m_trace.threads.size(), INT64_MIN);
    for (const auto& span : m_trace.host_spans) {
        if (span.thread != no_row && span.type == HostSpanRecord::work) {
            m_work[span.thread].push_back({span.start, span.end});
        }
        if (span.thread != no_row && (span.type == HostSpanRecord::work || span.type == HostSpanRecord::queue_put)) {
            m_last[span.thread] = std::max(m_last[span.thread], span.start);
        }
    }
    for (const auto& read : m_trace.reads) {
        if (read.thread != no_row) {
            m_reads[read.thread].push_back(read.start);
        }
    }
    const auto& calls = m_trace.calls;
    for (Row call = 0; call < calls.size(); ++call) {
        if (calls.thread[call] != no_row && calls.outer[call] == no_row) {
            m_last[calls.thread[call]] = std::max(m_last[calls.thread[call]], calls.start[call]);
        }
    }
    m_first_operation.resize(calls.size(), no_row);
    for (Row row = 0; row < m_trace.operations.size(); ++row) {
        look_ahead_through(m_trace.operations.call, row, calls.outer, m_first_operation);
        const Row call = m_search.issuer(row);
        if (call != no_row && m_first_operation[call] == no_row) {
            m_first_operation[call] = row;
        }
    }
}

/// How long the host work right after `call` on its thread takes; only calls, and no read, may come before it.
Ns WaitSearch::work_after(Row call)
{
    const Row thread = m_trace.calls.thread[call];
    const Ns end = m_trace.calls.end[call];
    const auto& work = m_work[thread];
    const auto next = std::lower_bound(
        work.begin(), work.end(), end, [](const Interval& span, Ns time) { return span.start < time; });
    if (next == work.end()) {
        return 0;
    }
    const auto& reads = m_reads[thread];
    const auto read = std::lower_bound(reads.begin(), reads.end(), end);
    if (read != reads.end() && *read < next->start) {
        return 0;
    }
    Ns between = next->start - end;  // without calls, which do not wait either
    for (Row row = m_search.next_call(call); between > held_up_within && row != no_row; row = m_search.next_call(row)) {
        if (m_trace.calls.start[row] >= next->start || !m_search.blocking.of(row).empty()) {
            break;
        }
        between -= m_trace.calls.end[row] - m_trace.calls.start[row];
    }
    return between <= held_up_within ? m_search.in_range(next->start, next->end) : 0;
}

/// The first operation that the thread issues after `call`; no_row: none in the next few calls.
Row WaitSearch::issued_next(Row call) const
{
    constexpr int few = 16;
    Row next = m_search.next_call(call);
    for (int i = 0; i < few && next != no_row; ++i, next = m_search.next_call(next)) {
        if (m_first_operation[next] != no_row) {
            return m_first_operation[next];
        }
    }
    return no_row;
}

/// Whether what the thread issues next goes to another stream of the GPU: that stream could wait instead.
bool WaitSearch::goes_elsewhere(Row call, Row released) const
{
    const Row issued = issued_next(call);
    const auto& stream = m_trace.operations.stream;
    return issued != no_row && released != no_row && stream[issued] != stream[released];
}

bool WaitSearch::something_follows(Row call) const
{
    return m_last[m_trace.calls.thread[call]] > m_trace.calls.start[call];
}

/// Whether the thread reads the result before it issues anything.
bool WaitSearch::result_is_read(Row call) const
{
    const auto& reads = m_reads[m_trace.calls.thread[call]];
    const auto read = std::lower_bound(reads.begin(), reads.end(), m_trace.calls.end[call]);
    const Row issued = issued_next(call);
    return read != reads.end() && (issued == no_row || *read < m_trace.calls.start[m_search.issuer(issued)]);
}

/// The call that was held, and the copy that it waited for.
void take_rows(replay::FoundRows& rows, const Trace& trace, const BlockedCall& stretch)
{
    rows.calls.push_back(stretch.call);
    if (stretch.released_by != no_row && is_copy(trace.operations.kind[stretch.released_by])) {
        rows.operations.push_back(stretch.released_by);
    }
}

void WaitSearch::add(Class of, const BlockedCall& stretch, Interval blocked, EventRef event)
{
    auto& found = m_found[of];
    const Row call = stretch.call;
    if (call == m_last_call) {  // another stretch of it
        found.taken.push_back(blocked);
        return;
    }
    m_last_call = call;
    found.take(blocked, event);
    take_rows(found.rows, m_trace, stretch);
}

/// Data that is not in pinned memory already must be copied there before an upload. The driver's staging, which is that
/// copy, says how long a thread takes for it.
void WaitSearch::prepare_data(Row copy)
{
    const auto& ops = m_trace.operations;
    const Row call = m_search.issuer(copy);
    if (ops.kind[copy] == OperationKind::h2d && call != no_row) {
        const Ns length = m_trace.calls.end[call] - m_trace.calls.start[call];
        m_prepares.emplace_back(copy, std::min(length, ops.end[copy] - ops.start[copy]));
    }
}

/// PyTorch's blocking copy is the copy and a wait for it: without the one there is not the other.
void WaitSearch::take_wait_behind(Class of, Row copy)
{
    const Row next = m_search.next_call(copy);
    if (next != no_row && m_search.bounds.classes[m_trace.calls.name[next]] == CallClass::stream_sync
        && m_trace.calls.start[next] <= m_trace.calls.end[copy] + held_up_within) {
        m_found[of].rows.calls.push_back(next);
    }
}

/// A kernel right before each of these copies, and nowhere else, may compute only their values: without the copies it
/// is not needed. Only for a stream that runs more kernels of other names.
void WaitSearch::drop_what_computes_values()
{
    struct Uses {
        std::size_t all = 0;
        std::vector<Row> before_a_value;
    };
    const auto& ops = m_trace.operations;
    auto& found = m_found[small];
    const auto rows = tidy(found.rows);
    auto with_kernels = rows;
    for (Row stream = 0; stream < m_trace.streams.size() && !rows.operations.empty(); ++stream) {
        std::map<StringId, Uses> kernels;
        std::size_t all = 0;
        const auto of_stream = m_trace.operations_of(stream);
        for (Row row = of_stream.begin; row < of_stream.end; ++row) {
            if (ops.kind[row] == OperationKind::kernel) {
                auto& uses = kernels[ops.name[row]];
                ++uses.all;
                ++all;
                if (row + 1 < of_stream.end && fetches_value(m_trace, row + 1)) {
                    uses.before_a_value.push_back(row);
                }
            }
        }
        for (const auto& [name, uses] : kernels) {
            if (uses.all < a_loop || uses.before_a_value.size() < uses.all || all < 2 * uses.all) {
                continue;
            }
            for (const Row row : uses.before_a_value) {
                const Row call = m_search.issuer(row);
                if (call != no_row && m_first_operation[call] == row && rows.has_operation(row + 1)
                    && m_search.in_range(ops.start[row], ops.end[row]) > 0) {
                    with_kernels.operations.push_back(row);
                }
            }
        }
    }
    if (with_kernels.operations.size() > rows.operations.size()) {
        found.otherwise = std::move(with_kernels);
    }
}

std::optional<WaitSearch::Class> WaitSearch::class_of_sync(const BlockedCall& stretch)
{
    const Row released = stretch.released_by;
    const auto& ops = m_trace.operations;
    const auto device = [&](Row operation) { return m_trace.streams[ops.stream[operation]].device; };
    const bool issues_more
        = m_search.bounds.threads[m_trace.calls.thread[stretch.call]].last_issue > m_trace.calls.start[stretch.call];
    if (released != no_row && issues_more) {
        const Row next = issued_next(stretch.call);
        if (next != no_row && device(next) != device(released)) {
            return turns;
        }
        if (fetches_value(m_trace, released)) {
            return small;
        }
    }
    if (work_after(stretch.call) > 0) {
        return before_work;
    }
    if (released == no_row || !issues_more || result_is_read(stretch.call)) {
        return {};
    }
    return stretch.cause == BlockCause::device_sync ? device_wide : in_loop;
}

void WaitSearch::take(const BlockedCall& stretch, Interval blocked)
{
    const EventRef call {EventTable::calls, stretch.call};
    const Row released = stretch.released_by;
    switch (stretch.cause) {
    case BlockCause::copy:
    case BlockCause::staging: {
        if (released == no_row || !is_copy(m_trace.operations.kind[released])) {
            return;
        }
        const auto& copy = m_trace.copies[m_trace.operations.detail[released]];
        const bool is_pageable = copy.source == MemoryKind::pageable || copy.target == MemoryKind::pageable;
        if (fetches_value(m_trace, released)) {
            add(small, stretch, blocked, call);
        } else if (is_pageable
            && m_trace.text(m_trace.calls.name[stretch.call]).find("Async") != std::string_view::npos) {
            add(pageable, stretch, blocked, {EventTable::operations, released});
            prepare_data(released);
            take_wait_behind(pageable, stretch.call);
        }
        return;
    }
    case BlockCause::poll:
        if (something_follows(stretch.call) && !result_is_read(stretch.call)) {
            add(spin, stretch, blocked, call);
        }
        return;
    case BlockCause::queue_full:
        add(queue_full, stretch, blocked, call);
        return;
    case BlockCause::stream_sync:
    case BlockCause::event_sync:
    case BlockCause::device_sync:
        if (const auto of = something_follows(stretch.call) ? class_of_sync(stretch) : std::nullopt) {
            add(*of, stretch, blocked, call);
            m_moved[*of] += goes_elsewhere(stretch.call, released) ? 1 : 0;
        }
        return;
    default:
        return;
    }
}

/// The waits of one thread for one cause.
Candidate WaitSearch::held(const Held& by, Candidate candidate) const
{
    const auto share
        = static_cast<double>(candidate.bound) / static_cast<double>(std::max<Ns>(1, m_search.report.wall));
    const auto cause = std::string(name_of(by.second));
    const EventRef longest = candidate.evidence.longest().front();
    candidate.rule = "blocked-" + cause;
    candidate.title = {"finding.blocked.title", {},
        {{"thread", thread_message(m_trace, by.first)}, {"cause", {"cause." + cause, {}}}}};
    const auto count = candidate.evidence.count();
    candidate.advice = {by.second == BlockCause::launch ? "finding.blocked.launches"
            : count == 1                                ? "finding.blocked.one"
                                                        : "finding.blocked.many",
        {{"count", std::to_string(count)}, {"share", shown_share(share)},
            {"call", std::string(m_trace.text(name_of(m_trace, longest)))},
            {"longest", shown_time(candidate.evidence.longest_length())}}};
    return candidate;
}

std::vector<Candidate> WaitSearch::run()
{
    prepare();
    std::map<Held, Candidate> left;
    std::vector<Row> stretches;
    each_touching(m_search.blocking.calls, m_search.bounds.blocked, m_search.report.range,
        [&](Row row) { stretches.push_back(row); });
    for (const Row row : stretches) {
        const auto& stretch = m_search.blocking.calls[row];
        const Interval blocked = m_search.part_in_range(stretch.start, stretch.end);
        if (length(blocked) > 0 && m_trace.calls.thread[stretch.call] != no_row) {
            take(stretch, blocked);
        }
    }
    for (const auto few : {small, in_loop}) {
        if (m_found[few].evidence.count() < a_loop) {
            m_found[few] = {};
        }
    }
    drop_what_computes_values();
    if (!m_prepares.empty()) {  // a download needs no copy before it
        m_found[pageable].otherwise = m_found[pageable].rows;
        m_found[pageable].otherwise->takes = std::move(m_prepares);
    }
    std::vector<bool> said(m_trace.calls.size());
    for (const auto& found : m_found) {
        for (const Row call : found.rows.calls) {
            said[call] = true;
        }
    }
    for (const Row row : stretches) {
        const auto& stretch = m_search.blocking.calls[row];
        const Row thread = m_trace.calls.thread[stretch.call];
        const Interval blocked = m_search.part_in_range(stretch.start, stretch.end);
        if (length(blocked) == 0 || thread == no_row || said[stretch.call] || !something_follows(stretch.call)) {
            continue;
        }
        auto& candidate = left[{thread, stretch.cause}];
        if (!candidate.rows.calls.empty() && candidate.rows.calls.back() == stretch.call) {
            candidate.take_more(blocked);  // another stretch of it
        } else {
            candidate.take(blocked, {EventTable::calls, stretch.call});
            take_rows(candidate.rows, m_trace, stretch);
        }
    }
    constexpr std::array<const char*, class_count> rules {"pageable-async-copy", "gpus-take-turns",
        "sync-after-small-copy", "wait-before-work", "device-wide-wait", "sync-in-loop", "query-spin", "queue-full"};
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < class_count; ++i) {
        m_found[i].rule = rules[i];
        m_found[i].bound_by_taken();
        if (i == before_work && 2 * m_moved[i] > m_found[i].evidence.count()) {
            m_found[i].advice = Message {"finding.wait-before-work.stream_advice", {}};
        }
        candidates.push_back(std::move(m_found[i]));
    }
    std::vector<Candidate> others;
    for (auto& [by, candidate] : left) {
        candidate.bound_by_taken();
        others.push_back(held(by, std::move(candidate)));
    }
    std::stable_sort(
        others.begin(), others.end(), [](const Candidate& a, const Candidate& b) { return a.bound > b.bound; });
    others.resize(std::min(others.size(), most_held));
    std::move(others.begin(), others.end(), std::back_inserter(candidates));
    for (auto& candidate : candidates) {
        candidate.is_free = m_search.report.workload.empty() && m_search.held_cost(candidate.rows.calls) == 0;
    }
    return candidates;
}

}  // namespace

std::vector<Candidate> find_waits(const Search& search)
{
    return search.blocking.calls.empty() ? std::vector<Candidate> {} : WaitSearch(search).run();
}

}  // namespace lanes
