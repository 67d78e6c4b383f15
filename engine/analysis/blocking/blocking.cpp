// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/blocking.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/blocking/blocking_launches.h"
#include "engine/analysis/blocking/cut_waits.h"
#include "engine/analysis/blocking/gpu_clock.h"
#include "engine/analysis/blocking/issued_work.h"
#include "engine/analysis/blocking/polls.h"
#include "engine/analysis/blocking/submissions.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/facts/record_ends.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace lanes {

namespace {

constexpr std::size_t full_queue = 1000;  ///< docs/definitions.md gives it

/// Whether a call was held, and by which operation, where the record names one.
struct Answer {
    enum Held : std::uint8_t { no, yes, unknown };
    Held held = no;
    Row operation = no_row;
};

/// Where the operations of a run that was cut short end; never, in a complete recording.
Ns end_of_gpu_part(const Trace& trace)
{
    return trace.meta.contains(meta::gpu_end_ns) || !is_complete(trace) ? ends_of(trace).gpu : INT64_MAX;
}

/// A capture refuses some calls at once: cudaErrorStreamCaptureUnsupported to cudaErrorStreamCaptureWrongThread, the
/// same numbers in the driver.
bool is_refused_by_capture(std::int32_t result)
{
    return result >= 900 && result <= 908;
}

/// PyTorch's profiler attaches to a program that works: what ran then has no record. The start of the first operation
/// that has one; of other sources no time.
Ns begin_of_attached(const Trace& trace)
{
    const auto& starts = trace.operations.start;
    return trace.source != Source::kineto || starts.empty() ? INT64_MIN
                                                            : *std::min_element(starts.begin(), starts.end());
}

class BlockingSearch {
public:
    BlockingSearch(const Trace& trace, const Progress& progress)
        : m_trace(trace)
        , m_progress(progress)
        , m_calls(trace.calls)
        , m_submissions(trace)
        , m_late(gpu_clock_late(trace))
        , m_gpu_begin(begin_of_attached(trace))
        , m_gpu_end(end_of_gpu_part(trace))
    {
    }

    Blocking run();

private:
    void collect_syncs();
    void collect_overheads();
    void examine(Row call);
    void examine_poll(const Poll& poll);
    Answer held_by(Row call, const LastWork& work) const;
    std::optional<BlockCause> cause_of_wait(Row call) const;
    Answer answer(Row call, BlockCause cause) const;
    Answer held_by_own(Row call) const;
    Ns held_from(Row call, Row launched);
    void add_streams(std::uint32_t process, std::vector<LastWork>& candidates) const;
    Answer agree(Row call, const std::vector<LastWork>& candidates) const;
    bool lacks_its_copy(Row call) const;
    bool examine_queue(Row call);
    void examine_memory(Row call);
    const IntervalSet& busy(std::uint32_t device);
    const std::set<std::uint32_t>& devices_of(std::uint32_t process);
    void add(Row call, Interval stretch, BlockCause cause, Row released_by);
    void doubt(Row call, BlockCause cause);
    std::uint32_t process_of(Row call) const;
    /// A time of a call as the clock of the GPUs gives it.
    Ns on_gpu(Ns time) const { return time + m_late; }

    const Trace& m_trace;
    const Progress& m_progress;
    const CallTable& m_calls;
    Submissions m_submissions;
    Ns m_late;  ///< gpu_clock_late()
    Ns m_gpu_begin;  ///< operations that began earlier are missing
    Ns m_gpu_end;  ///< operations that ended later may be missing
    std::vector<CallClass> m_class_of_name;
    std::optional<BlockingLaunches> m_launches;
    std::vector<Issued> m_issued;
    std::vector<Row> m_sync;  ///< by call, into Trace::syncs
    std::vector<Row> m_memory;  ///< by call, into Trace::memory; empty: there are none
    std::multimap<Row, Row> m_full_queue;  ///< call -> Trace::overheads
    std::map<std::uint32_t, IntervalSet> m_busy;  ///< by device, on the clock of the CPU
    std::map<std::uint32_t, std::set<std::uint32_t>> m_devices;  ///< by process
    Blocking m_blocking;
};

Blocking BlockingSearch::run()
{
    const auto& calls_of_operations = m_trace.operations.call;
    m_blocking.known = m_calls.size() > 0
        && std::any_of(calls_of_operations.begin(), calls_of_operations.end(), [](Row call) { return call != no_row; });
    if (!m_blocking.known) {
        return m_blocking;
    }
    m_blocking.unknown.resize(m_trace.threads.size());
    m_class_of_name = call_classes(m_trace);
    m_launches.emplace(m_trace, m_class_of_name, m_late);
    m_progress.report(0.1);  // the submissions are ready
    m_issued = issued_work(m_trace, m_class_of_name, m_late);
    m_progress.report(0.2);
    collect_syncs();
    collect_overheads();
    const auto polls = find_polls(m_trace, m_class_of_name, m_sync);
    auto poll = polls.begin();
    for (Row call = 0; call < m_calls.size(); ++call) {
        if (call % 65536 == 0) {
            m_progress.report(0.3 + 0.7 * static_cast<double>(call) / static_cast<double>(m_calls.size()));
        }
        if (m_calls.outer[call] == no_row) {
            m_submissions.advance(m_calls.start[call]);
            if (poll != polls.end() && poll->first == call) {
                examine_poll(*poll++);
            }
            examine(call);
        }
    }
    std::stable_sort(m_blocking.calls.begin(), m_blocking.calls.end(),
        [](const BlockedCall& a, const BlockedCall& b) { return a.start < b.start; });
    m_blocking.index_calls();
    return std::move(m_blocking);
}

void BlockingSearch::collect_syncs()
{
    m_sync.resize(m_calls.size(), no_row);
    for (Row row = 0; row < m_trace.syncs.size(); ++row) {
        const auto& sync = m_trace.syncs[row];
        const Row call = outermost(m_calls, sync.call);
        if (call == no_row) {
            continue;
        }
        if (m_sync[call] == no_row) {
            m_sync[call] = row;
        }
        if (m_class_of_name[m_calls.name[call]] == CallClass::wait_event && sync.stream != no_row) {
            m_issued[call].stream = sync.stream;
        }
    }
    if (!m_trace.memory.empty()) {
        m_memory.resize(m_calls.size(), no_row);
        for (Row row = 0; row < m_trace.memory.size(); ++row) {
            if (const Row call = outermost(m_calls, m_trace.memory[row].call); call != no_row) {
                m_memory[call] = row;
            }
        }
    }
}

void BlockingSearch::collect_overheads()
{
    std::map<Row, std::vector<Row>> unjoined;  // by thread, in order of time
    for (Row row = 0; row < m_trace.overheads.size(); ++row) {
        const auto& overhead = m_trace.overheads[row];
        if (overhead.type != OverheadRecord::command_buffer_full) {
            continue;
        }
        if (const Row call = outermost(m_calls, overhead.call); call != no_row) {
            m_full_queue.emplace(call, row);
        } else if (overhead.thread != no_row) {
            unjoined[overhead.thread].push_back(row);
        }
    }
    if (unjoined.empty()) {
        return;
    }
    std::map<Row, std::size_t> next;
    for (Row call = 0; call < m_calls.size(); ++call) {
        if (m_calls.outer[call] != no_row) {
            continue;
        }
        const auto found = unjoined.find(m_calls.thread[call]);
        if (found == unjoined.end()) {
            continue;
        }
        auto& at = next[found->first];
        for (; at < found->second.size(); ++at) {
            const auto& overhead = m_trace.overheads[found->second[at]];
            if (overhead.start >= m_calls.end[call]) {
                break;
            }
            if (overhead.end > m_calls.start[call]) {
                m_full_queue.emplace(call, found->second[at]);
            }
        }
    }
}

Answer BlockingSearch::held_by(Row call, const LastWork& work) const
{
    const Ns start = on_gpu(m_calls.start[call]);
    const Ns end = on_gpu(m_calls.end[call]);
    if (work.any && held(start, end, work.began, work.end)) {
        return {Answer::yes, work.operation};
    }
    const bool may = m_submissions.may_hold(work, start, end) || (work.is_untimed() && end - start > ordinary_call);
    return {may ? Answer::unknown : Answer::no, no_row};
}

std::optional<BlockCause> BlockingSearch::cause_of_wait(Row call) const
{
    if (const Row own = m_issued[call].own; own != no_row) {
        return is_copy(m_trace.operations.kind[own]) ? BlockCause::copy : BlockCause::other;
    }
    const auto call_class = m_class_of_name[m_calls.name[call]];
    switch (call_class) {
    case CallClass::stream_sync:
        return BlockCause::stream_sync;
    case CallClass::device_sync:
        return BlockCause::device_sync;
    case CallClass::event_sync:
        return BlockCause::event_sync;
    case CallClass::other:
    case CallClass::memory:
        // A call of another name that synchronised has a record that says so.
        if (m_sync[call] != no_row
            && (m_trace.syncs[m_sync[call]].type == SyncRecord::stream_sync
                || m_trace.syncs[m_sync[call]].type == SyncRecord::context_sync)) {
            return call_class == CallClass::memory ? BlockCause::memory : BlockCause::other;
        }
        return {};
    default:
        return {};
    }
}

Answer BlockingSearch::held_by_own(Row call) const
{
    const Row own = m_issued[call].own;
    const auto& operations = m_trace.operations;
    const bool yes
        = held(on_gpu(m_calls.start[call]), on_gpu(m_calls.end[call]), operations.start[own], operations.end[own]);
    return {yes ? Answer::yes : Answer::no, own};
}

Answer BlockingSearch::answer(Row call, BlockCause cause) const
{
    if (m_issued[call].own != no_row) {
        return held_by_own(call);
    }
    const Sync* sync = m_sync[call] == no_row ? nullptr : &m_trace.syncs[m_sync[call]];
    const auto process = process_of(call);
    const auto context
        = sync == nullptr ? Submissions::no_context : m_submissions.context_of(sync->process, sync->context);
    std::vector<LastWork> candidates;
    switch (cause) {
    case BlockCause::event_sync: {
        LastWork of_record;
        if (sync != nullptr && m_submissions.of_event(*sync, &of_record)) {
            return held_by(call, of_record);
        }
        // Any record in any stream may be meant, or none, or one from before the recorded part.
        const bool may = m_submissions.any_may_hold(process, on_gpu(m_calls.start[call]), on_gpu(m_calls.end[call]))
            || (m_submissions.begins_in_the_middle(process) && m_calls.end[call] - m_calls.start[call] > ordinary_call);
        return {may ? Answer::unknown : Answer::no, no_row};
    }
    case BlockCause::stream_sync:
        if (sync != nullptr && sync->stream != no_row) {
            return held_by(call, m_submissions.of_stream(sync->stream));
        }
        add_streams(process, candidates);
        return agree(call, candidates);
    default:
        if (sync != nullptr && sync->stream != no_row && cause != BlockCause::device_sync) {
            return held_by(call, m_submissions.of_stream(sync->stream));
        }
        if (context != Submissions::no_context) {
            return held_by(call, m_submissions.of_context(context));
        }
        for (const auto index : m_submissions.contexts_of_process(process)) {
            candidates.push_back(m_submissions.of_context(index));
        }
        return agree(call, candidates);
    }
}

/// The last work of each stream of a process that may be busy; one empty candidate stands for all idle streams.
void BlockingSearch::add_streams(std::uint32_t process, std::vector<LastWork>& candidates) const
{
    const auto streams = m_submissions.busy_streams_of_process(process);
    if (streams.size() < m_submissions.streams_of_process(process).size()) {
        candidates.emplace_back();
    }
    for (const Row stream : streams) {
        candidates.push_back(m_submissions.of_stream(stream));
    }
}

/// The record does not name what the call waits for: the answer is that of all candidates, if they agree.
Answer BlockingSearch::agree(Row call, const std::vector<LastWork>& candidates) const
{
    if (candidates.empty() && m_submissions.begins_in_the_middle(process_of(call))
        && m_calls.end[call] - m_calls.start[call] > ordinary_call) {
        return {Answer::unknown, no_row};
    }
    Answer common;
    const LastWork* last = nullptr;
    bool first = true;
    for (const auto& work : candidates) {
        const auto one = held_by(call, work);
        if (one.held == Answer::unknown || (!first && one.held != common.held)) {
            return {Answer::unknown, no_row};
        }
        first = false;
        if (last == nullptr || work.end > last->end) {
            common = one;
            last = &work;
        }
    }
    return common;
}

/// Whether the copy of a copy call is not recorded, or not joined to the call.
bool BlockingSearch::lacks_its_copy(Row call) const
{
    const auto call_class = m_class_of_name[m_calls.name[call]];
    const Ns start = m_calls.start[call];
    const Ns end = m_calls.end[call];
    return (call_class == CallClass::copy || call_class == CallClass::copy_async) && !m_issued[call].any
        && m_calls.result[call] == 0
        && (end - start > ordinary_call
            || m_submissions.callless_may_hold(process_of(call), on_gpu(start), on_gpu(end)));
}

void BlockingSearch::examine(Row call)
{
    const Ns start = m_calls.start[call];
    const Ns end = m_calls.end[call];
    if (start >= end || is_refused_by_capture(m_calls.result[call])
        || m_class_of_name[m_calls.name[call]] == CallClass::query) {
        return;
    }
    if (const Row launched = m_launches->awaited(call); launched != no_row) {
        add(call, {held_from(call, launched), end}, BlockCause::launch, launched);
        return;
    }
    if (const auto cause = cause_of_wait(call)) {
        const auto [is_held, operation] = answer(call, *cause);
        if (is_held == Answer::unknown) {
            doubt(call, *cause);
            return;
        }
        if (is_held == Answer::yes) {
            add(call, {start, end}, *cause, operation);
            return;
        }
        if (*cause == BlockCause::copy && m_issued[call].pageable && m_trace.operations.end[operation] > on_gpu(end)) {
            add(call, {start + ordinary_call, end}, BlockCause::staging, operation);
            return;
        }
        if ((on_gpu(end) > m_gpu_end && end - start > ordinary_call)
            || (on_gpu(start) < m_gpu_begin && end - start > loads_code)) {
            doubt(call, *cause);  // what it waited for may not be in the record
            return;
        }
    } else if (lacks_its_copy(call)) {
        doubt(call, BlockCause::copy);
        doubt(call, BlockCause::staging);
        return;
    }
    if (!examine_queue(call)) {
        examine_memory(call);
    }
}

void BlockingSearch::examine_poll(const Poll& poll)
{
    const Interval whole {m_calls.start[poll.first], m_calls.end[poll.last]};
    if (!poll.known) {
        doubt(poll.first, BlockCause::poll);
        return;
    }
    LastWork work;
    if (const Sync* sync = poll.sync == no_row ? nullptr : &m_trace.syncs[poll.sync];
        sync != nullptr && !m_submissions.of_event(*sync, &work) && sync->stream != no_row) {
        work = m_submissions.of_stream(sync->stream);
    }
    const bool by_it = work.any && held(on_gpu(whole.start), on_gpu(whole.end), work.began, work.end);
    add(poll.last, whole, BlockCause::poll, by_it ? work.operation : no_row);
}

bool BlockingSearch::examine_queue(Row call)
{
    const Ns start = m_calls.start[call];
    const Ns end = m_calls.end[call];
    const Row stream = m_issued[call].stream;
    const auto context = stream == no_row ? Submissions::no_context : m_submissions.context_of(stream);
    const auto released_by = [&](Ns until) {
        return context == Submissions::no_context ? no_row : m_submissions.last_pending_until(context, on_gpu(until));
    };
    const auto [first, last] = m_full_queue.equal_range(call);
    if (first != last) {
        std::vector<Interval> waits;
        for (auto i = first; i != last; ++i) {
            const auto& overhead = m_trace.overheads[i->second];
            waits.push_back({std::max(start, overhead.start), std::min(end, overhead.end)});
        }
        for (const auto& stretch : unite(std::move(waits))) {
            add(call, stretch, BlockCause::queue_full, released_by(stretch.end));
        }
        return true;
    }
    if (end - start <= ordinary_call || context == Submissions::no_context) {
        return false;
    }
    if (const auto pending = m_submissions.pending(context); pending < full_queue) {
        if (pending + m_submissions.may_be_pending(context) >= full_queue) {
            doubt(call, BlockCause::queue_full);
        }
        return false;
    }
    add(call, {start + ordinary_call, end}, BlockCause::queue_full, released_by(end));
    return true;
}

void BlockingSearch::examine_memory(Row call)
{
    const Ns start = m_calls.start[call];
    const Ns end = m_calls.end[call];
    const Row event = m_memory.empty() ? no_row : m_memory[call];
    if ((event == no_row && m_class_of_name[m_calls.name[call]] != CallClass::memory) || end - start <= ordinary_call) {
        return;
    }
    if (m_submissions.earlier_may_run(process_of(call), start)) {
        doubt(call, BlockCause::memory);  // the GPU may be busier than the record shows
        return;
    }
    std::uint32_t device = event == no_row ? no_id : m_trace.memory[event].device;
    if (device == no_id && m_calls.thread[call] != no_row) {
        device = m_submissions.last_device(m_calls.thread[call]);
    }
    const IntervalSet held {{start + ordinary_call, end}};
    if (device != no_id) {
        for (const auto& stretch : intersect(held, clip(busy(device), held.front()))) {
            add(call, stretch, BlockCause::memory, no_row);
        }
        return;
    }
    // Which GPU is not recorded: it matters only if the GPUs of the process differ.
    std::optional<IntervalSet> common;
    for (const auto any : devices_of(process_of(call))) {
        auto inside = clip(busy(any), held.front());
        if (common && *common != inside) {
            doubt(call, BlockCause::memory);
            return;
        }
        common = std::move(inside);
    }
    for (const auto& stretch : common.value_or(IntervalSet {})) {
        add(call, stretch, BlockCause::memory, no_row);
    }
}

const std::set<std::uint32_t>& BlockingSearch::devices_of(std::uint32_t process)
{
    const auto [place, is_new] = m_devices.try_emplace(process);
    if (is_new) {
        for (const Row stream : m_submissions.streams_of_process(process)) {
            place->second.insert(m_trace.streams[stream].device);
        }
    }
    return place->second;
}

/// From when a launch that waits for its kernel was held by it. If the kernel began a millisecond or more later and its
/// GPU did nothing until then, the launch loaded or compiled code in that time and waited for nothing.
Ns BlockingSearch::held_from(Row call, Row launched)
{
    const Ns start = m_calls.start[call];
    const Ns began = m_trace.operations.start[launched] - m_late;
    if (began - start < loads_code || m_trace.operations.kind[launched] != OperationKind::kernel
        || m_class_of_name[m_calls.name[call]] == CallClass::graph_launch) {
        return start;
    }
    const auto& worked = busy(m_trace.streams[m_trace.operations.stream[launched]].device);
    const auto next = std::partition_point(
        worked.begin(), worked.end(), [&](const Interval& stretch) { return stretch.end <= start; });
    return next == worked.end() || next->start >= began ? began : start;
}

const IntervalSet& BlockingSearch::busy(std::uint32_t device)
{
    const auto [place, is_new] = m_busy.try_emplace(device);
    if (is_new) {
        std::vector<IntervalSet> sets;
        for (Row stream = 0; stream < m_trace.streams.size(); ++stream) {
            if (m_trace.streams[stream].device == device) {
                const auto& operations = m_trace.operations;
                auto& of_stream = sets.emplace_back();  // sorted: united at once
                const auto rows = m_trace.operations_of(stream);
                for (Row row = rows.begin; row < rows.end; ++row) {
                    of_stream.push_back({operations.start[row] - m_late, operations.end[row] - m_late});
                }
                of_stream = unite(std::move(of_stream));
            }
        }
        for (std::size_t step = 1; step < sets.size(); step *= 2) {  // in pairs: log(streams) times through all
            for (std::size_t i = 0; i + step < sets.size(); i += 2 * step) {
                auto& both = sets[i];
                const auto middle = static_cast<std::ptrdiff_t>(both.size());
                both.insert(both.end(), sets[i + step].begin(), sets[i + step].end());
                std::inplace_merge(both.begin(), both.begin() + middle, both.end(),
                    [](const Interval& x, const Interval& y) { return x.start < y.start; });
                both = unite(std::move(both));
                sets[i + step] = {};
            }
        }
        place->second = sets.empty() ? IntervalSet {} : std::move(sets.front());
    }
    return place->second;
}

void BlockingSearch::add(Row call, Interval stretch, BlockCause cause, Row released_by)
{
    if (stretch.start < stretch.end) {
        m_blocking.calls.push_back({stretch.start, stretch.end, call, released_by, cause});
    }
}

void BlockingSearch::doubt(Row call, BlockCause cause)
{
    if (const Row thread = m_calls.thread[call]; thread != no_row) {
        m_blocking.unknown[thread] |= static_cast<std::uint16_t>(1U << static_cast<unsigned>(cause));
    }
}

std::uint32_t BlockingSearch::process_of(Row call) const
{
    const Row thread = m_calls.thread[call];
    return thread == no_row ? 0 : m_trace.threads[thread].process;
}

}  // namespace

std::string_view name_of(BlockCause cause)
{
    constexpr std::array<std::string_view, block_cause_count> names {"copy", "staging", "launch", "stream_sync",
        "device_sync", "event_sync", "poll", "queue_full", "memory", "other"};
    return names[static_cast<std::size_t>(cause)];
}

std::span<const Row> Blocking::of(Row call) const
{
    if (call >= m_held.size() || !m_held[call]) {
        return {};
    }
    const auto from = std::partition_point(
        m_by_call.begin(), m_by_call.end(), [&](Row stretch) { return calls[stretch].call < call; });
    const auto end = std::find_if(from, m_by_call.end(), [&](Row stretch) { return calls[stretch].call != call; });
    return {from, end};
}

Ns Blocking::time_of(Row call) const
{
    Ns time = 0;
    for (const Row stretch : of(call)) {
        time += calls[stretch].end - calls[stretch].start;
    }
    return time;
}

void Blocking::index_calls()
{
    m_by_call.resize(calls.size());
    std::iota(m_by_call.begin(), m_by_call.end(), Row {0});
    std::stable_sort(m_by_call.begin(), m_by_call.end(), [&](Row a, Row b) { return calls[a].call < calls[b].call; });
    m_held.assign(m_by_call.empty() ? 0 : calls[m_by_call.back()].call + std::size_t {1}, false);
    for (const auto& stretch : calls) {
        m_held[stretch.call] = true;
    }
}

Blocking find_blocking(const Trace& trace, const Progress& progress)
{
    progress.report(0);
    auto found = BlockingSearch(trace, progress).run();
    take_cut_waits(trace, found);
    return found;
}

}  // namespace lanes
