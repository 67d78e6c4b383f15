// SPDX-License-Identifier: MIT
#include "engine/analysis/findings.h"

#include "engine/analysis/call_class.h"
#include "engine/analysis/default_streams.h"
#include "engine/analysis/operation_sweep.h"
#include "engine/analysis/shown.h"

#include <algorithm>
#include <map>
#include <set>

namespace lanes {

namespace {

constexpr Ns least_cost = 20'000;
constexpr Ns short_copy = 20'000;  ///< not worth a stream of its own
constexpr Ns close_behind = 20'000;  ///< an operation that starts so soon after another was waiting for it
constexpr std::uint64_t small_copy = 64 * 1024;
constexpr std::size_t a_loop = 3;
constexpr std::size_t most_evidence = 100;

/// A thread and what held it.
using Held = std::pair<Row, BlockCause>;

struct Proof {
    EventRef event;
    Ns length;
};

/// One finding while it is collected.
struct Draft {
    Ns cost = 0;
    std::uint64_t count = 0;
    std::vector<Proof> evidence;
    std::map<Held, Ns> held;  ///< how much of whose blocked time the cost is

    void take(Ns time, Proof proof)
    {
        cost += time;
        ++count;
        evidence.push_back(proof);
        if (evidence.size() >= 20 * most_evidence) {
            keep_longest();
        }
    }
    /// Of equals the earlier ones.
    void keep_longest()
    {
        std::stable_sort(
            evidence.begin(), evidence.end(), [](const Proof& a, const Proof& b) { return a.length > b.length; });
        if (evidence.size() > most_evidence) {
            evidence.erase(evidence.begin() + most_evidence, evidence.end());
        }
    }
};

/// How long one thread was held by one cause.
struct Wait {
    Draft draft;
    Row call = no_row;  ///< the last one
    Ns of_call = 0;

    /// A thread is in one call at a time, so the stretches of a call follow one another.
    void take(Row held, Ns time)
    {
        if (held == call) {
            draft.cost += time;
            of_call += time;
            if (draft.evidence.back().event.row == held) {  // not, where it was too short to be kept
                draft.evidence.back().length = of_call;
            }
            return;
        }
        call = held;
        of_call = time;
        draft.take(time, {{EventTable::calls, held}, time});
    }
};

class FindingSearch {
public:
    FindingSearch(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
        const std::vector<DeviceBusy>& devices, const Report& report)
        : m_trace(trace)
        , m_blocking(blocking)
        , m_bounds(bounds)
        , m_devices(devices)
        , m_range(report.range)
        , m_report(report)
    {
    }
    std::vector<Finding> run();

private:
    void prepare();
    void search_blocked();
    void search_unhidden_copies();
    void search_default_stream();
    void search_stale_reads();
    void add_waits(std::map<Held, Wait> waits);
    void add(std::string rule, Draft draft);
    void add(Finding finding, Draft draft);

    Ns in_range(Ns start, Ns end) const
    {
        return std::max<Ns>(0, std::min(end, m_range.end) - std::max(start, m_range.start));
    }
    Proof proof(EventRef event) const
    {
        const auto [start, end] = span_of(m_trace, event);
        return {event, end - start};
    }
    Row issuer(Row operation) const { return outermost(m_trace.calls, m_trace.operations.call[operation]); }
    Ns idle_after(Row operation, Ns issued_after) const;
    bool held_up(const BlockedCall& wait) const;
    bool is_worth_it(Ns cost) const { return cost >= least_cost && cost >= m_report.wall / 100; }
    IntervalSet time_of_kernels(std::uint32_t device) const;
    Ns work_after(Row call) const;

    const Trace& m_trace;
    const Blocking& m_blocking;
    const RecordingBounds& m_bounds;
    const std::vector<DeviceBusy>& m_devices;
    Interval m_range;
    const Report& m_report;
    std::vector<std::vector<HostSpan>> m_work;  ///< by thread: host work by start
    std::vector<std::vector<Ns>> m_reads;  ///< by thread: starts of reads
    std::vector<Finding> m_findings;
    std::map<Held, Ns> m_said;  ///< of blocked time, what findings account for
};

std::vector<Finding> FindingSearch::run()
{
    prepare();
    search_blocked();
    search_unhidden_copies();
    search_default_stream();
    search_stale_reads();
    std::stable_sort(m_findings.begin(), m_findings.end(), [](const Finding& a, const Finding& b) {
        const bool stale = a.stale_bytes > 0;  // what is wrong comes before what is slow
        return stale != (b.stale_bytes > 0) ? stale : a.cost > b.cost;
    });
    return std::move(m_findings);
}

void FindingSearch::prepare()
{
    m_work.resize(m_trace.threads.size());
    m_reads.resize(m_trace.threads.size());
    for (const auto& span : m_trace.host_spans) {
        if (span.thread != no_row && span.type == HostSpanRecord::work) {
            m_work[span.thread].push_back(span);
        }
    }
    for (const auto& read : m_trace.reads) {
        if (read.thread != no_row) {
            m_reads[read.thread].push_back(read.start);
        }
    }
}

/// How long the host work takes that comes right after `call` on its thread, with no read before it.
Ns FindingSearch::work_after(Row call) const
{
    const Row thread = m_trace.calls.thread[call];
    if (thread == no_row) {
        return 0;
    }
    const Ns end = m_trace.calls.end[call];
    const auto& work = m_work[thread];
    const auto next = std::lower_bound(
        work.begin(), work.end(), end, [](const HostSpan& span, Ns time) { return span.start < time; });
    if (next == work.end() || next->start > end + close_behind) {
        return 0;
    }
    const auto& reads = m_reads[thread];
    const auto read = std::lower_bound(reads.begin(), reads.end(), end);
    return read != reads.end() && *read < next->start ? 0 : in_range(next->start, next->end);
}

/// How long the GPU has nothing to do after `operation`, until work that was issued after `issued_after`.
Ns FindingSearch::idle_after(Row operation, Ns issued_after) const
{
    const auto& ops = m_trace.operations;
    const auto number = m_trace.streams[ops.stream[operation]].device;
    const auto device = std::find_if(
        m_devices.begin(), m_devices.end(), [number](const DeviceBusy& d) { return d.device == number; });
    const Ns end = ops.end[operation];
    if (device == m_devices.end() || end >= m_range.end) {
        return 0;
    }
    std::size_t next = 0;  // the interval that follows
    if (end > m_range.start) {
        next = device->ending_at(end) + 1;
    } else if (device->before != end) {
        return 0;
    }
    if (next > device->busy.size()) {
        return 0;  // other work goes on
    }
    const bool inside = next < device->busy.size();
    const Row row = inside ? device->opened_by[next] : device->next;
    const Row call = row == no_row ? no_row : issuer(row);
    if (call == no_row || m_trace.calls.start[call] < issued_after) {
        return 0;
    }
    return in_range(end, inside ? device->busy[next].start : ops.start[row]);
}

/// The thread had more to issue than this wait let it.
bool FindingSearch::held_up(const BlockedCall& wait) const
{
    const Row thread = m_trace.calls.thread[wait.call];
    return thread != no_row && wait.released_by != no_row
        && m_bounds.threads[thread].last_issue > m_trace.calls.start[wait.call];
}

void FindingSearch::search_blocked()
{
    Draft pageable;
    Draft queue;
    Draft after_small;
    Draft in_loop;
    Draft device_wide;
    Draft before_work;
    std::set<Row> queue_calls;
    std::map<Held, Wait> waits;
    const auto& ops = m_trace.operations;
    each_touching(m_blocking.calls, m_bounds.blocked, m_range, [&](Row row) {
        const auto& stretch = m_blocking.calls[row];
        const Ns blocked = in_range(stretch.start, stretch.end);
        if (blocked == 0) {
            return;
        }
        const Held held {m_trace.calls.thread[stretch.call], stretch.cause};
        waits[held].take(stretch.call, blocked);
        const auto take = [&](Draft& draft, Ns cost, EventRef evidence) {
            draft.take(cost, proof(evidence));
            draft.held[held] += cost;
        };
        const EventRef call {EventTable::calls, stretch.call};
        const auto name = m_trace.text(m_trace.calls.name[stretch.call]);
        const Row released = stretch.released_by;
        switch (stretch.cause) {
        case BlockCause::copy:
        case BlockCause::staging: {
            const auto& copy = m_trace.copies[ops.detail[released]];
            const bool is_pageable = copy.source == MemoryKind::pageable || copy.target == MemoryKind::pageable;
            if (is_pageable && name.find("Async") != std::string_view::npos) {
                take(pageable, blocked, {EventTable::operations, released});
            }
            break;
        }
        case BlockCause::queue_full:
            queue.count -= queue_calls.insert(stretch.call).second ? 0 : 1;  // a call may have several stretches
            take(queue, blocked, call);
            break;
        case BlockCause::stream_sync:
        case BlockCause::event_sync:
        case BlockCause::device_sync: {
            if (const Ns work = work_after(stretch.call); work > 0) {
                take(before_work, std::min(blocked, work), call);
                break;
            }
            if (released == no_row || !held_up(stretch)) {  // a host function released it
                break;
            }
            const Ns cost = std::min(blocked, idle_after(released, m_trace.calls.end[stretch.call]));
            if (cost == 0) {
                break;
            }
            const bool small = ops.kind[released] == OperationKind::d2h && m_trace.bytes_of(released) <= small_copy;
            take(small ? after_small : stretch.cause == BlockCause::device_sync ? device_wide : in_loop, cost, call);
            break;
        }
        default:
            break;
        }
    });
    add("pageable-async-copy", std::move(pageable));
    add("queue-full", std::move(queue));
    add("device-wide-wait", std::move(device_wide));
    add("wait-before-work", std::move(before_work));
    if (after_small.count >= a_loop) {
        add("sync-after-small-copy", std::move(after_small));
    }
    if (in_loop.count >= a_loop) {
        add("sync-in-loop", std::move(in_loop));
    }
    add_waits(std::move(waits));
}

/// Where threads were held, one finding a thread and cause, but where findings say nearly all of it and what to do.
void FindingSearch::add_waits(std::map<Held, Wait> waits)
{
    for (auto& [held, wait] : waits) {
        Draft& draft = wait.draft;
        if (m_said[held] >= draft.cost - draft.cost / 50) {
            continue;
        }
        draft.keep_longest();
        const Proof& longest = draft.evidence.front();
        const auto share = static_cast<double>(draft.cost) / static_cast<double>(std::max<Ns>(1, m_report.wall));
        const auto cause = std::string(name_of(held.second));
        add({.rule = "blocked-" + cause,
                .title = {"finding.blocked.title", {},
                    {{"thread", thread_message(m_trace, held.first)}, {"cause", {"cause." + cause, {}}}}},
                .advice = {draft.count == 1 ? "finding.blocked.one" : "finding.blocked.many",
                    {{"count", std::to_string(draft.count)}, {"share", shown_share(share)},
                        {"call", std::string(m_trace.text(name_of(m_trace, longest.event)))},
                        {"longest", shown_time(longest.length)}}},
                .evidence = {}},
            std::move(draft));
    }
}

/// Reads that found old bytes: nothing was lost but what is right.
void FindingSearch::search_stale_reads()
{
    Finding finding;
    finding.rule = "stale-read";
    std::vector<std::pair<std::uint64_t, Row>> stale;
    for (const Row row : m_report.reads) {
        if (const auto wrong = m_trace.reads[row].wrong_bytes; wrong > 0) {
            finding.stale_bytes += wrong;
            stale.emplace_back(wrong, row);
        }
    }
    if (stale.empty()) {
        return;
    }
    std::stable_sort(stale.begin(), stale.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    finding.count = stale.size();
    for (std::size_t i = 0; i < std::min(stale.size(), most_evidence); ++i) {
        finding.evidence.push_back({EventTable::reads, stale[i].second});
    }
    const auto& worst = m_trace.reads[stale.front().second];
    finding.title = {finding.count == 1 ? "finding.stale-read.title" : "finding.stale-read.titles",
        {{"buffer", std::string(m_trace.text(worst.buffer))}, {"count", std::to_string(finding.count)}}};
    finding.advice = {
        "finding.stale-read.advice", {{"wrong", shown_bytes(worst.wrong_bytes)}, {"bytes", shown_bytes(worst.bytes)}}};
    m_findings.push_back(std::move(finding));
}

/// When any kernel ran on a GPU, within the range.
IntervalSet FindingSearch::time_of_kernels(std::uint32_t device) const
{
    struct Kernels {
        const Trace& trace;
        std::uint32_t device;
        std::uint64_t open_now = 0;
        IntervalSet set {};

        bool counts(Row row, Row stream) const
        {
            return trace.operations.kind[row] == OperationKind::kernel && trace.streams[stream].device == device;
        }
        void open(Row row, Row stream, Ns time, bool /*first*/)
        {
            if (counts(row, stream) && open_now++ == 0) {
                set.push_back({time, INT64_MAX});
            }
        }
        void close(Row row, Row stream, Ns time, bool /*last*/)
        {
            if (counts(row, stream) && --open_now == 0) {
                set.back().end = time;
            }
        }
    };
    Kernels kernels {m_trace, device};
    OperationSweep(m_trace, m_bounds.operations, m_range.start, kernels).run(m_range.end, kernels);
    return unite(std::move(kernels.set));  // without those of no length
}

void FindingSearch::search_unhidden_copies()
{
    const auto& ops = m_trace.operations;
    for (const auto& gpu : m_report.gpus) {
        if (!is_worth_it(gpu.copy_exposed)) {
            continue;
        }
        std::vector<Row> copies;  // of streams on which they take turns with kernels
        for (const auto& [stream, count, busy] : gpu.streams) {
            const auto rows = m_trace.operations_of(stream);
            const auto first_copy = copies.size();
            bool last_was_copy = false;
            std::size_t kernels_after_copies = 0;
            for (Row row = rows.begin; row < rows.end; ++row) {
                if (ops.kind[row] == OperationKind::kernel) {
                    kernels_after_copies += last_was_copy ? 1 : 0;
                    last_was_copy = false;
                } else if (is_copy(ops.kind[row]) && ops.end[row] - ops.start[row] >= short_copy) {
                    last_was_copy = true;
                    copies.push_back(row);
                }
            }
            if (kernels_after_copies < 2) {
                copies.resize(first_copy);
            }
        }
        if (copies.empty()) {
            continue;
        }
        const Coverage kernels(time_of_kernels(gpu.device));
        Draft draft;
        for (const Row row : copies) {
            const Interval copy {std::max(ops.start[row], m_range.start), std::min(ops.end[row], m_range.end)};
            if (const Ns exposed = std::max<Ns>(0, copy.end - copy.start) - kernels.within(copy); exposed > 0) {
                draft.take(exposed, proof({EventTable::operations, row}));
            }
        }
        draft.cost = std::min({draft.cost, gpu.copy_exposed, gpu.kernel - gpu.copy_hidden});
        add("copies-not-hidden", std::move(draft));
    }
}

void FindingSearch::search_default_stream()
{
    const auto& ops = m_trace.operations;
    const auto& streams = m_trace.streams;
    const auto legacy = legacy_streams(m_trace);
    std::vector<bool> has_waits(streams.size());  // its order may come from events
    for (const auto& sync : m_trace.syncs) {
        if (sync.type == SyncRecord::stream_wait_event && sync.stream != no_row) {
            has_waits[sync.stream] = true;
        }
    }
    // The streams of a context that wait for one another: a legacy one for all blocking ones, and these for it.
    struct Ordered {
        std::vector<Row> legacy;
        bool has_blocking = false;
        std::set<std::pair<Ns, Row>> blocking;  ///< until when each of those that did something is busy
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Ordered> contexts;  // by process and context
    for (Row stream = 0; stream < streams.size(); ++stream) {
        const bool is_blocking = streams[stream].flag == StreamRecord::blocking && !legacy[stream];
        if ((legacy[stream] || is_blocking) && !m_trace.operations_of(stream).empty()) {
            auto& ordered = contexts[{streams[stream].process, streams[stream].context}];
            ordered.has_blocking = ordered.has_blocking || is_blocking;
            if (legacy[stream]) {
                ordered.legacy.push_back(stream);
            }
        }
    }
    std::erase_if(
        contexts, [](const auto& entry) { return entry.second.legacy.empty() || !entry.second.has_blocking; });
    if (contexts.empty()) {
        return;
    }
    std::vector<Ordered*> ordered_of(streams.size(), nullptr);
    for (Row stream = 0; stream < streams.size(); ++stream) {
        const auto found = contexts.find({streams[stream].process, streams[stream].context});
        if (found != contexts.end() && (legacy[stream] || streams[stream].flag == StreamRecord::blocking)) {
            ordered_of[stream] = &found->second;
        }
    }
    std::vector<Ns> stream_until(streams.size(), INT64_MIN);
    std::vector<Interval> waits;
    Draft draft;
    for (const Row row : m_trace.operations_by_time()) {
        const Row stream = ops.stream[row];
        auto* const ordered = ordered_of[stream];
        if (ordered == nullptr) {
            continue;
        }
        const Row call = issuer(row);
        const Ns start = ops.start[row];
        // Until when the other kind of stream was busy at last before this began.
        Ns until = INT64_MIN;
        if (!legacy[stream]) {
            for (const Row other : ordered->legacy) {
                until = stream_until[other] <= start ? std::max(until, stream_until[other]) : until;
            }
        } else if (const auto after = ordered->blocking.upper_bound({start, no_row});
                   after != ordered->blocking.begin()) {
            until = std::prev(after)->first;
        }
        if (call != no_row && !has_waits[stream]) {
            // It could have begun when its call returned and its own stream was free.
            const Ns ready = std::max(m_trace.calls.end[call], stream_until[stream]);
            const Interval wait {std::max(ready, m_range.start), std::min(until, m_range.end)};
            if (until > ready && start - until <= close_behind && wait.start < wait.end) {
                waits.push_back(wait);
                draft.take(0, proof({EventTable::operations, row}));  // together they cost what their union does
            }
        }
        if (!legacy[stream]) {
            ordered->blocking.erase({stream_until[stream], stream});
        }
        stream_until[stream] = std::max(stream_until[stream], ops.end[row]);
        if (!legacy[stream]) {
            ordered->blocking.emplace(stream_until[stream], stream);
        }
    }
    draft.cost = length(unite(std::move(waits)));
    add("default-stream", std::move(draft));
}

void FindingSearch::add(std::string rule, Draft draft)
{
    const std::vector<std::pair<std::string, std::string>> arguments {
        {"cost", shown_time(draft.cost)}, {"count", std::to_string(draft.count)}};
    const auto id = "finding." + rule;
    add({.rule = std::move(rule), .title = {id + ".title", arguments}, .advice = {id + ".advice", {}}, .evidence = {}},
        std::move(draft));
}

void FindingSearch::add(Finding finding, Draft draft)
{
    if (!is_worth_it(draft.cost)) {
        return;
    }
    for (const auto& [held, time] : draft.held) {
        m_said[held] += time;
    }
    draft.keep_longest();
    finding.cost = draft.cost;
    finding.count = draft.count;
    for (const Proof& proof : draft.evidence) {
        finding.evidence.push_back(proof.event);
    }
    m_findings.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> find_findings(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    const std::vector<DeviceBusy>& devices, const Report& report)
{
    return FindingSearch(trace, blocking, bounds, devices, report).run();
}

}  // namespace lanes
