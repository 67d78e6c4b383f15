// SPDX-License-Identifier: MIT
#include "engine/analysis/verdict/verdict_facts.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/blocking/event_waits.h"
#include "engine/analysis/figures/operators.h"
#include "engine/trace/event.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/range_kinds.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <span>
#include <unordered_map>

namespace lanes {

namespace {

constexpr int enough = 5;  // percent of a GPU's busy time: less is not mentioned

bool is_enough(Ns part, Ns whole)
{
    return part > 0 && part * 100 >= whole * enough;
}

/// How much of the union of pieces is inside and outside a set. Pieces come sorted by start, so that one pass through
/// the set is enough.
class Outside {
public:
    Outside(const IntervalSet& set, Interval range)
        : m_set(set)
        , m_range(range)
        , m_until(range.start)
    {
    }
    void add(Interval piece)
    {
        piece.start = std::max(piece.start, m_until);
        piece.end = std::min(piece.end, m_range.end);
        if (piece.start >= piece.end) {
            return;
        }
        m_until = piece.end;
        m_all += piece.end - piece.start;
        while (m_next < m_set.size() && m_set[m_next].end <= piece.start) {
            ++m_next;
        }
        for (auto i = m_next; i < m_set.size() && m_set[i].start < piece.end; ++i) {
            take({piece.start, m_set[i].start});
            piece.start = std::min(piece.end, std::max(piece.start, m_set[i].end));
        }
        take(piece);
    }
    Ns sum() const { return m_sum; }
    Ns inside() const { return m_all - m_sum; }
    /// Keeps the parts outside, too: 16 bytes each.
    void keep() { m_keeps = true; }
    const IntervalSet& parts() const { return m_parts; }

private:
    void take(Interval part)
    {
        if (part.start >= part.end) {
            return;
        }
        m_sum += part.end - part.start;
        if (m_keeps && !m_parts.empty() && m_parts.back().end == part.start) {
            m_parts.back().end = part.end;
        } else if (m_keeps) {
            m_parts.push_back(part);
        }
    }

    const IntervalSet& m_set;
    Interval m_range;
    Ns m_until;
    std::size_t m_next = 0;
    Ns m_sum = 0, m_all = 0;
    bool m_keeps = false;
    IntervalSet m_parts;
};

/// Takes pieces that are nearly sorted and gives them on sorted by start. Only one piece of a call waits at a time: a
/// long call may have hundreds of thousands.
class PiecesInOrder {
public:
    PiecesInOrder(const Blocking& blocking, Outside& launching, Outside& working)
        : m_blocking(blocking)
        , m_launching(launching)
        , m_working(working)
    {
    }
    void add(Interval piece) { add_call(piece, {}, piece.start); }
    /// A call without its blocked stretches; pieces that start before `launches_until` are launches.
    void add_call(Interval call, std::span<const Row> stretches, Ns launches_until)
    {
        push({{}, false, call, stretches, launches_until});
    }
    /// A piece that starts before all that wait or are still to come.
    void give(Interval piece, bool launches)
    {
        m_working.add(piece);
        if (launches) {
            m_launching.add(piece);
        }
    }
    /// No piece that starts before `time` is still to come.
    void give_until(Ns time)
    {
        while (!m_waiting.empty() && m_waiting.top().next.start < time) {
            const auto first = m_waiting.top();
            m_waiting.pop();
            give(first.next, first.launches);
            push(first);
        }
    }

private:
    struct Pieces {
        Interval next;
        bool launches;  ///< the next piece is a launch
        Interval rest;  ///< of the call, after that piece
        std::span<const Row> stretches;  ///< of `rest`
        Ns launches_until;
        bool operator<(const Pieces& other) const { return next.start > other.next.start; }  // the earliest on top
    };
    /// Finds the next piece, if there is one.
    void push(Pieces of)
    {
        while (true) {
            const auto* const stretch = of.stretches.empty() ? nullptr : &m_blocking.calls[of.stretches.front()];
            of.next = {of.rest.start, stretch != nullptr ? stretch->start : of.rest.end};
            if (of.next.start < of.next.end) {
                break;
            }
            if (stretch == nullptr) {
                return;
            }
            of.rest.start = std::max(of.rest.start, stretch->end);
            of.stretches = of.stretches.subspan(1);
        }
        of.launches = of.next.start < of.launches_until;
        of.next.end = of.launches ? std::min(of.next.end, of.launches_until) : of.next.end;
        of.rest.start = of.next.end;
        m_waiting.push(of);
    }

    const Blocking& m_blocking;
    Outside &m_launching, &m_working;
    std::priority_queue<Pieces> m_waiting;
};

class Gathering {
public:
    Gathering(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds, const OperationFigures& gpus,
        const std::vector<IntervalSet>& blocked, const ThreadRanges& ranges, const ReportFigures& report)
        : m_trace(trace)
        , m_ranges(ranges)
        , m_blocking(blocking)
        , m_bounds(bounds)
        , m_gpus(gpus)
        , m_report(report)
        , m_blocked(blocked)
        , m_range {report.range.start, report.range.start + report.wall}
    {
        m_facts.wall = m_report.wall;
        m_facts.starts_at = m_range.start;
        m_idle_range = m_range;
        if (m_report.workload.empty() && m_range.start == 0) {
            find_start_up();
        }
    }

    VerdictFacts run(const IntervalSet& free)
    {
        m_facts.of_program = m_report.workload.empty();
        m_facts.gpu_busy = m_report.gpu_busy;
        m_facts.gpu_recorded = m_report.gpu_recorded;
        m_facts.has_operations = m_report.has_operations();
        m_facts.read_bytes = m_report.read_bytes;
        m_facts.reads = m_report.reads.size();
        m_facts.wrong_bytes = m_report.wrong_bytes;
        gather_gpus();
        if (m_blocking.known) {
            gather_held();
            gather_idle();
        }
        if (m_report.cpu_free) {
            gather_free(free);
            m_facts.work_beside = work_beside_gpu();
        }
        return m_facts;
    }

private:
    void find_start_up();
    void find_first_of_their_kind();
    Ns done_again(Interval gap, const std::unordered_map<StringId, Ns>& first) const;
    Ns time_recorded(Interval stretch) const;
    void gather_gpus();
    void gather_held();
    void gather_idle();
    struct Idle {
        Ns in_launches, in_all;
    };
    Idle idle_outside(const IntervalSet& busy) const;
    void gather_recorded(const IntervalSet& had_something);
    void gather_ranges(const IntervalSet& unrecorded);
    void name_range(const IntervalSet& unrecorded);
    Ns long_part(const Interval& stretch) const;
    bool says_what_is_done(Row range) const;
    Ns work_beside_gpu() const;
    void add_work(PiecesInOrder& pieces) const;
    bool ran_before() const;
    Row next_operation() const;
    Ns nothing_until(Row next) const;
    std::vector<Row> ended_by() const;
    IntervalSet busy_or_queued() const;
    IntervalSet busy_or_first_thread_waits() const;
    IntervalSet with_allocations(IntervalSet set) const;
    bool wait_for_each_other() const;
    void gather_free(const IntervalSet& free);

    /// `take(call, times, stretches)` for each outermost call: when it was blocked.
    template <class Take> void each_call(Interval range, Take take) const
    {
        const auto& calls = m_trace.calls;
        const auto by_call = m_blocking.by_call();
        std::size_t at = 0;  // in `by_call`
        const auto times_of = [&](Row call) { return Interval {calls.start[call], calls.end[call]}; };
        each_touching(calls.size(), m_bounds.calls, range, times_of, [&](Row call) {
            if (calls.outer[call] != no_row) {
                return;
            }
            // Calls and stretches come in the same order: a search for each would cost more than all the rest.
            const auto call_of = [&](std::size_t place) { return m_blocking.calls[by_call[place]].call; };
            while (at < by_call.size() && call_of(at) < call) {
                ++at;
            }
            const auto first = at;
            while (at < by_call.size() && call_of(at) == call) {
                ++at;
            }
            take(call, times_of(call), by_call.subspan(first, at - first));
        });
    }

    const Trace& m_trace;
    const ThreadRanges& m_ranges;
    const Blocking& m_blocking;
    const RecordingBounds& m_bounds;
    const OperationFigures& m_gpus;
    const ReportFigures& m_report;
    const std::vector<IntervalSet>& m_blocked;  ///< by thread
    Interval m_range;  ///< the wall time: a read of the host after the run's end starves no GPU
    Interval m_idle_range;  ///< of it, where an idle GPU is no start-up
    Ns m_starting = 0;  ///< idle in that range before first operations of their kind
    VerdictFacts m_facts;
};

/// What goes on side by side counts twice. What a process does before its first operation does not count.
Ns Gathering::time_recorded(Interval stretch) const
{
    Ns sum = 0;
    const auto add = [&](Row thread, Ns start, Ns end) {
        sum += length(common(m_bounds.since_start_up(thread, {start, end}), stretch));
    };
    each_touching(m_trace.host_spans, m_bounds.host_spans, stretch, [&](Row row) {
        const auto& span = m_trace.host_spans[row];
        add(span.thread, span.start, span.end);
    });
    each_operator(m_trace, m_bounds, stretch, [&](Row row) {
        const auto& range = m_trace.ranges[row];
        add(range.thread, range.start, range.end);
    });
    each_call(stretch, [&](Row call, const Interval& times, std::span<const Row>) {
        add(m_trace.calls.thread[call], times.start, times.end);
    });
    return sum;
}

/// A program starts up until its first operation. If one idle stretch takes half of the run or more and little is
/// recorded in it (imports after a first operation, a sleep), the program starts up until the end of that stretch.
void Gathering::find_start_up()
{
    const auto& busy = m_gpus.busy();
    if (busy.empty()) {
        return;
    }
    m_facts.first_after = m_facts.before_first = busy.front().start - m_range.start;
    m_facts.starts_at = busy.front().start;
    Ns idle = m_facts.before_first;
    for (std::size_t i = 1; i < busy.size(); ++i) {
        const Ns gap = busy[i].start - busy[i - 1].end;
        idle += gap;
        if (2 * gap >= m_facts.wall && 2 * time_recorded({busy[i - 1].end, busy[i].start}) <= gap) {
            m_facts.longest_gap = gap;
            m_facts.before_first = idle;
            m_facts.starts_at = busy[i].start;
        }
    }
    m_idle_range.start = m_facts.starts_at;
    find_first_of_their_kind();
}

/// Of a gap, what lies in ranges and operators half of which or more it is, of a name that began earlier too (`first`):
/// what is done again makes neither contexts nor handles.
Ns Gathering::done_again(Interval gap, const std::unordered_map<StringId, Ns>& first) const
{
    std::vector<Interval> again;
    each_touching(m_trace.ranges, m_bounds.ranges, gap, [&](Row row) {
        const auto& range = m_trace.ranges[row];
        const Interval inside = common({range.start, range.end}, gap);
        if (2 * (inside.end - inside.start) >= range.end - range.start && first.at(range.name) < range.start) {
            again.push_back(inside);
        }
    });
    return length(unite(std::move(again)));
}

/// A GPU's first operation needs its context, the first one of a name its code and the library's handle. Both are made
/// before it, by calls and by what is not recorded.
void Gathering::find_first_of_their_kind()
{
    const auto& ops = m_trace.operations;
    const auto& busy = m_gpus.busy();
    std::map<std::pair<std::uint32_t, StringId>, Ns> first;
    for (Row row = 0; row < ops.size(); ++row) {
        const auto [place, is_new]
            = first.try_emplace({m_trace.streams[ops.stream[row]].device, ops.name[row]}, ops.start[row]);
        place->second = std::min(place->second, ops.start[row]);
    }
    std::set<Ns> starts;
    for (const auto& of : m_gpus.devices) {
        for (std::size_t i = 0; i < of.busy.size(); ++i) {
            const Row row = of.opened_by[i];
            if (first.at({of.device, ops.name[row]}) == of.busy[i].start) {
                starts.insert(of.busy[i].start);
            }
        }
    }
    std::unordered_map<StringId, Ns> first_range;
    for (const auto& range : m_trace.ranges) {
        const auto place = first_range.try_emplace(range.name, range.start).first;
        place->second = std::min(place->second, range.start);
    }
    for (std::size_t i = 1; i < busy.size(); ++i) {
        const Ns gap = busy[i].start - busy[i - 1].end;
        if (busy[i].start > m_facts.starts_at && gap >= loads_code && starts.contains(busy[i].start)
            && 2 * done_again({busy[i - 1].end, busy[i].start}, first_range) <= gap) {
            m_facts.before_first += gap;
            ++m_facts.first_gaps;
            m_starting += gap;
            m_facts.longest_gap = std::max(m_facts.longest_gap, gap);
        }
    }
    if (m_facts.longest_gap <= m_facts.first_after) {
        m_facts.longest_gap = 0;
    }
}

void Gathering::gather_gpus()
{
    if (const GpuFigures* of = m_report.communicating_gpu()) {
        m_facts.communication = of->communication;
        m_facts.communication_exposed = of->communication_exposed;
        m_facts.communicating_gpu = of->busy;
    }
    std::vector<Interval> edges;  // the busy times of all GPUs
    for (std::size_t i = 0; i < m_report.gpus.size(); ++i) {
        const auto& gpu = m_report.gpus[i];
        m_facts.gpu_time += gpu.busy;
        m_facts.busiest_gpu = std::max(m_facts.busiest_gpu, gpu.busy);
        m_facts.kernel += gpu.kernel;
        m_facts.copy += gpu.copy;
        m_facts.copy_hidden += gpu.copy_hidden;
        const Ns values = std::min(gpu.copy, m_gpus.devices[i].values);
        m_facts.values += values;
        m_facts.streams_overlap += gpu.overlap;
        m_facts.directions_overlap += gpu.h2d_d2h_overlap;
        const auto matters = [&](Ns part) { return is_enough(part, gpu.busy); };
        m_facts.kernels_and_copies |= matters(gpu.kernel) && matters(gpu.copy - values);
        m_facts.copies_both_ways |= matters(gpu.h2d) && matters(gpu.d2h);
        m_facts.two_streams |= std::count_if(gpu.streams.begin(), gpu.streams.end(), [&](const StreamFigures& stream) {
            return matters(stream.busy);
        }) > 1;
        edges.insert(edges.end(), m_gpus.devices[i].busy.begin(), m_gpus.devices[i].busy.end());
    }
    // A GPU that others wait for in collectives is busy for less: they are busy waiting.
    const auto works = [](const GpuFigures& gpu) { return gpu.busy - gpu.communication_exposed; };
    const auto operations = [](const GpuFigures& gpu) {
        return std::accumulate(gpu.streams.begin(), gpu.streams.end(), std::uint64_t {0},
            [](std::uint64_t sum, const StreamFigures& stream) { return sum + stream.operations; });
    };
    Ns busiest = 0;
    Ns most_work = 0;
    std::uint64_t most_operations = 0;
    for (const auto& gpu : m_report.gpus) {
        busiest = std::max(busiest, gpu.busy);
        most_work = std::max(most_work, works(gpu));
        most_operations = std::max(most_operations, operations(gpu));
    }
    m_facts.gpus = static_cast<std::uint32_t>(
        std::count_if(m_report.gpus.begin(), m_report.gpus.end(), [&](const GpuFigures& gpu) {
            return is_enough(gpu.busy, busiest) || is_enough(works(gpu), most_work)
                || (gpu.busy > 0 && operations(gpu) * 10 >= most_operations);
        }));
    if (m_gpus.devices.size() < 2) {
        return;
    }
    std::sort(edges.begin(), edges.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
    Ns until = m_range.start;  // of one
    Ns both = m_range.start;  // the end of a second beside it
    for (const auto& busy : edges) {
        const Ns from = std::max(busy.start, both);
        m_facts.gpus_at_once += std::max<Ns>(0, std::min(busy.end, until) - from);
        both = std::max(both, std::min(busy.end, until));
        until = std::max(until, busy.end);
    }
    m_facts.gpus_wait_for_each_other = m_facts.gpus_at_once < m_facts.gpu_busy / 10 && wait_for_each_other();
}

/// Whether in at least half of the cases in which a GPU goes on after another, its stream waits for an event of another
/// GPU.
bool Gathering::wait_for_each_other() const
{
    std::set<Row> waiting;  // operations after such a wait
    for (const auto& [wait, record, call, time] : event_waits(m_trace)) {
        if (wait->type == SyncRecord::stream_wait_event && wait->stream != no_row
            && m_trace.streams[wait->stream].device != m_trace.streams[record->stream].device) {
            waiting.insert(first_submitted(m_trace, wait->stream, time));
        }
    }
    struct GpuTurn {
        Ns start;
        std::uint32_t device;
        Row opened_by;
    };
    std::vector<GpuTurn> turns;
    for (const auto& of : m_gpus.devices) {
        for (std::size_t i = 0; i < of.busy.size() && !waiting.empty(); ++i) {
            turns.push_back({of.busy[i].start, of.device, of.opened_by[i]});
        }
    }
    std::sort(turns.begin(), turns.end(), [](const GpuTurn& a, const GpuTurn& b) { return a.start < b.start; });
    std::size_t all = 0, awaited = 0;
    for (std::size_t i = 1; i < turns.size(); ++i) {
        if (turns[i].device != turns[i - 1].device) {
            ++all;
            awaited += waiting.contains(turns[i].opened_by) ? 1 : 0;
        }
    }
    return all > 0 && awaited * 2 >= all;
}

void Gathering::gather_held()
{
    MaybeNs most;
    bool all_known = true;
    for (const auto& thread : m_report.threads) {
        all_known = all_known && thread.held_cost;
        most = thread.held_cost && (!most || *thread.held_cost > *most) ? thread.held_cost : most;
    }
    // One known thread may be enough to say that waits cost time; to say that they do not, all must be known.
    if (most && (all_known || *most >= m_facts.wall / 100)) {
        m_facts.held_cost = most;
    } else {
        m_facts.held_in_part = most.has_value();
    }
}

void Gathering::gather_idle()
{
    const auto idle = idle_outside(m_gpus.busy());
    m_facts.idle_in_work = idle.in_all - idle.in_launches;
    m_facts.idle_in_launches = idle.in_launches;
    if (is_starved(m_facts.idle_in_work, m_facts.wall)) {
        const auto unless_waiting = idle_outside(busy_or_first_thread_waits());
        m_facts.idle_for_others = *m_facts.idle_in_work - (unless_waiting.in_all - unless_waiting.in_launches);
        for (const auto& allocating : subtract(with_allocations(m_gpus.busy()), m_gpus.busy())) {
            m_facts.idle_in_allocations += length(common(allocating, m_idle_range));
        }
    }
    const bool launches_matter = idle.in_launches >= m_facts.wall / 20;
    const bool idle_matters = !is_mostly_busy(m_facts.gpu_busy, m_facts.wall);  // else nothing is said of it
    const auto had_something = launches_matter || idle_matters ? busy_or_queued() : IntervalSet();
    if (launches_matter) {
        m_facts.idle_in_launches = idle_outside(had_something).in_launches;
    }
    if (idle_matters) {
        m_facts.has_samples = m_trace.meta.count(meta::stacks_interval) > 0;
        const RangeKinds kinds(m_trace);
        m_facts.has_frames = kinds.has_frames();
        each_operator(m_trace, m_bounds, m_idle_range, [&](Row) { m_facts.has_operators = true; });
        gather_recorded(had_something);
    }
}

/// The idle time in something that is recorded, and the rest of it. `had_something`: busy_or_queued(); what the CPU had
/// issued long before did not wait for the CPU.
void Gathering::gather_recorded(const IntervalSet& had_something)
{
    const auto& busy = m_gpus.busy();
    Outside nothing(busy, m_range);
    Outside recorded(busy, m_range);
    Outside recorded_or_blocked(busy, m_range);
    recorded_or_blocked.keep();
    PiecesInOrder pieces(m_blocking, nothing, recorded), all(m_blocking, nothing, recorded_or_blocked);
    add_work(pieces);
    add_work(all);
    each_call(m_range, [&](Row, const Interval& times, std::span<const Row> stretches) {
        all.give_until(times.start);
        all.give(times, false);
        pieces.give_until(times.start);
        if (stretches.empty()) {
            pieces.give(times, false);
        } else {
            pieces.add_call(times, stretches, times.start);
        }
    });
    pieces.give_until(INT64_MAX);
    all.give_until(INT64_MAX);
    // `last`: until when the last idle time of the range counts.
    const auto between = [&](const IntervalSet& set, Ns last) {
        Ns sum = 0;
        for (std::size_t i = 1; i < set.size(); ++i) {
            sum += set[i].start > m_facts.starts_at ? std::max<Ns>(0, set[i].start - set[i - 1].end) : 0;
        }
        if (!set.empty()) {
            sum += ran_before() ? std::max<Ns>(0, set.front().start - m_range.start) : 0;
            sum += std::max<Ns>(0, last - set.back().end);
        }
        return std::max<Ns>(0, sum - m_starting);
    };
    const Row next = next_operation();
    m_facts.idle_inside = between(busy, next == no_row ? m_range.start : m_range.end);
    m_facts.idle_unissued = between(had_something, next == no_row ? m_range.start : nothing_until(next));
    m_facts.idle_recorded = recorded.sum();
    m_facts.idle_in_waits = recorded_or_blocked.sum() - recorded.sum();
    m_facts.idle_unrecorded = std::max<Ns>(0, m_facts.wall - m_facts.gpu_busy - recorded_or_blocked.sum());
    if (!m_facts.has_samples && m_facts.idle_unrecorded > 0) {
        const auto unrecorded = subtract(subtract({m_range}, busy), recorded_or_blocked.parts());
        gather_ranges(unrecorded);
        name_range(unrecorded);
    }
}

/// A range around most of the run does not, nor does a step of PyTorch's profiler.
bool Gathering::says_what_is_done(Row row) const
{
    const auto& range = m_trace.ranges[row];
    return !range.mark && !range.open && 2 * (range.end - range.start) <= m_facts.wall
        && !is_profiler_step(m_trace.text(range.name));
}

/// The idle time in which nothing but ranges of the program says what a thread does.
void Gathering::gather_ranges(const IntervalSet& unrecorded)
{
    std::vector<Interval> named;
    each_touching(m_trace.ranges, m_bounds.ranges, m_range, [&](Row row) {
        if (says_what_is_done(row)) {
            named.push_back({m_trace.ranges[row].start, m_trace.ranges[row].end});
        }
    });
    const auto all = unite(std::move(named));
    m_facts.idle_in_ranges = Coverage(unrecorded).within(all);
    for (const auto& stretch : subtract(unrecorded, all)) {
        m_facts.long_unnamed += long_part(stretch);
    }
}

/// Of an idle stretch that counts as long, the part that an operation ended, and that is no start-up; else 0.
Ns Gathering::long_part(const Interval& stretch) const
{
    const auto& busy = m_gpus.busy();
    const Ns last = busy.empty() || next_operation() != no_row ? m_range.end : busy.back().end;
    const Ns part = length(common(stretch, {m_idle_range.start, last}));
    return part >= loads_code ? part : 0;
}

/// The name of the ranges that have most of that time: those that the thread was in whose call ended it, or else the
/// first thread.
void Gathering::name_range(const IntervalSet& unrecorded)
{
    const auto& busy = m_gpus.busy();
    const auto calls = ended_by();
    const auto* const first = m_report.first_thread();
    const Row first_thread = first == nullptr ? no_row : first->thread;
    struct Times {
        Ns all = 0, in_long = 0;
    };
    std::map<StringId, Times> times;
    std::size_t next = 0;  // in `busy`
    for (const auto& stretch : unrecorded) {
        const bool is_long = long_part(stretch) > 0;
        while (next < busy.size() && busy[next].start < stretch.end) {
            ++next;
        }
        const Row operation = next == busy.size() ? next_operation() : no_row;
        const Row call = next < busy.size() ? calls[next]
            : operation == no_row           ? no_row
                                            : outermost(m_trace.calls, m_trace.operations.call[operation]);
        const Row thread = call == no_row ? no_row : m_trace.calls.thread[call];
        for (Ns end = stretch.end; end > stretch.start;) {
            const Interval rest {stretch.start, end};
            const auto of = [&](Row which) {
                return which == no_row ? ThreadRanges::RangeStretch {rest.start, no_row} : m_ranges.last(which, rest);
            };
            auto part = of(thread);
            if (part.range == no_row && first_thread != thread) {
                const auto other = of(first_thread);
                part = {std::max(part.start, other.start), other.range};
            }
            if (part.range != no_row && says_what_is_done(part.range)) {
                auto& of_name = times[m_ranges.name_of({EventTable::ranges, part.range})];
                of_name.all += end - part.start;
                of_name.in_long += is_long ? end - part.start : 0;
            }
            end = part.start;
        }
    }
    for (const auto& [name, time] : times) {
        if (time.all > m_facts.idle_in_range) {
            m_facts.idle_in_range = time.all;
            m_facts.long_in_range = time.in_long;
            m_facts.idle_range = frame_name(shown_name(m_trace, EventTable::ranges, name));
        }
    }
}

/// Host work, waits for other threads, reads and operators.
void Gathering::add_work(PiecesInOrder& pieces) const
{
    each_touching(m_trace.host_spans, m_bounds.host_spans, m_range, [&](Row row) {
        pieces.add({m_trace.host_spans[row].start, m_trace.host_spans[row].end});
    });
    each_touching(m_trace.reads, m_bounds.reads, m_range, [&](Row row) {
        pieces.add({m_trace.reads[row].start, m_trace.reads[row].end});
    });
    each_working_operator(m_trace, m_bounds, m_blocked, m_range, [&](Row, const Interval& part) { pieces.add(part); });
}

Ns Gathering::work_beside_gpu() const
{
    const Row thread = m_report.first_thread()->thread;
    std::vector<Interval> work;
    each_touching(m_trace.host_spans, m_bounds.host_spans, m_range, [&](Row row) {
        const auto& span = m_trace.host_spans[row];
        if (span.thread == thread && span.type == HostSpanRecord::work) {
            work.push_back({span.start, span.end});
        }
    });
    each_touching(m_trace.reads, m_bounds.reads, m_range, [&](Row row) {
        if (m_trace.reads[row].thread == thread) {
            work.push_back({m_trace.reads[row].start, m_trace.reads[row].end});
        }
    });
    return Coverage(m_gpus.busy()).within(unite(std::move(work)));
}

/// Whether an operation began before the range: then what is idle at its beginning is no start-up.
bool Gathering::ran_before() const
{
    return std::any_of(m_gpus.devices.begin(), m_gpus.devices.end(),
        [](const DeviceBusy& device) { return device.before != INT64_MIN; });
}

/// The operation that ends the idle time at the range's end, after it; no_row: none does.
Row Gathering::next_operation() const
{
    const auto& start = m_trace.operations.start;
    Row next = no_row;
    for (const auto& device : m_gpus.devices) {
        next = device.next != no_row && (next == no_row || start[device.next] < start[next]) ? device.next : next;
    }
    return next;
}

/// Until when, within the range, no GPU had anything to do before an operation that begins after the range.
Ns Gathering::nothing_until(Row next) const
{
    const Row call = outermost(m_trace.calls, m_trace.operations.call[next]);
    const Ns until = call == no_row
        ? m_range.end
        : had_nothing_until(m_trace.calls.end[call], m_range.start, m_trace.operations.start[next]);
    return std::min(until, m_range.end);
}

/// By interval in which any GPU was busy, the call that issued the operation that it begins with; no_row: not recorded.
std::vector<Row> Gathering::ended_by() const
{
    const auto& busy = m_gpus.busy();
    std::vector<Row> calls(busy.size(), no_row);
    std::vector<std::size_t> next(m_gpus.devices.size());
    for (std::size_t i = 0; i < busy.size(); ++i) {
        for (std::size_t device = 0; device < next.size(); ++device) {
            const auto& of = m_gpus.devices[device];
            auto& at = next[device];
            while (at < of.busy.size() && of.busy[at].start < busy[i].start) {
                ++at;
            }
            if (at < of.busy.size() && of.busy[at].start == busy[i].start) {
                calls[i] = outermost(m_trace.calls, m_trace.operations.call[of.opened_by[at]]);
                break;
            }
        }
    }
    return calls;
}

/// When any GPU was busy, and the gaps before operations whose calls had returned longer ago than a call may take:
/// there the GPUs had something to do, and the gap is their delay between two operations.
IntervalSet Gathering::busy_or_queued() const
{
    auto busy = m_gpus.busy();
    const auto calls = ended_by();
    Ns before = m_range.start;
    for (std::size_t i = 0; i < busy.size(); ++i) {
        if (calls[i] != no_row) {
            busy[i].start = had_nothing_until(m_trace.calls.end[calls[i]], before, busy[i].start);
        }
        before = busy[i].end;
    }
    return busy;
}

IntervalSet Gathering::busy_or_first_thread_waits() const
{
    auto set = m_gpus.busy();
    const auto* first = m_report.first_thread();
    each_touching(m_trace.host_spans, m_bounds.host_spans, m_range, [&](Row row) {
        const auto& span = m_trace.host_spans[row];
        if (first != nullptr && span.thread == first->thread && span.type != HostSpanRecord::work
            && span.type != HostSpanRecord::staging) {
            set.push_back({span.start, span.end});
        }
    });
    return unite(std::move(set));
}

IntervalSet Gathering::with_allocations(IntervalSet set) const
{
    const auto& classes = m_bounds.classes;
    const auto busy = static_cast<std::ptrdiff_t>(set.size());
    if (std::find(classes.begin(), classes.end(), CallClass::memory) != classes.end()) {
        each_call(m_range, [&](Row call, const Interval& times, std::span<const Row>) {
            if (classes[m_trace.calls.name[call]] == CallClass::memory && times.end - times.start > ordinary_call) {
                const auto part = m_bounds.since_start_up(m_trace.calls.thread[call], times);
                if (part.start < part.end) {
                    set.push_back(part);
                }
            }
        });
        const auto is_earlier = [](const Interval& a, const Interval& b) { return a.start < b.start; };
        std::sort(set.begin() + busy, set.end(), is_earlier);  // nearly sorted: a process that starts up ends later
        std::inplace_merge(set.begin(), set.begin() + busy, set.end(), is_earlier);
        set = unite(std::move(set));
    }
    return set;
}

Gathering::Idle Gathering::idle_outside(const IntervalSet& busy) const
{
    // A launch beside another thread's allocation waits for the driver, which does one of them at a time.
    const auto busy_or_allocating = with_allocations(busy);
    Outside launching(busy_or_allocating, m_idle_range);
    Outside working(busy, m_idle_range);
    PiecesInOrder pieces(m_blocking, launching, working);
    const auto add = [&](Row thread, Ns start, Ns end) { pieces.add(m_bounds.since_start_up(thread, {start, end})); };
    each_touching(m_trace.host_spans, m_bounds.host_spans, m_idle_range, [&](Row row) {
        if (const auto& span = m_trace.host_spans[row]; span.type == HostSpanRecord::work) {
            add(span.thread, span.start, span.end);
        }
    });
    each_touching(m_trace.reads, m_bounds.reads, m_idle_range,
        [&](Row row) { add(m_trace.reads[row].thread, m_trace.reads[row].start, m_trace.reads[row].end); });
    each_working_operator(m_trace, m_bounds, m_blocked, m_idle_range,
        [&](Row row, const Interval& part) { add(m_trace.ranges[row].thread, part.start, part.end); });
    each_call(m_idle_range, [&](Row call, const Interval& times, std::span<const Row> stretches) {
        const bool launches = m_bounds.issues[call];
        if (!launches && m_bounds.classes[m_trace.calls.name[call]] != CallClass::memory) {
            return;
        }
        pieces.give_until(times.start);
        const bool of_kernel = m_bounds.classes[m_trace.calls.name[call]] == CallClass::other;
        const Ns longest = launches && of_kernel ? times.start + loads_code : times.end;
        const auto part = m_bounds.since_start_up(m_trace.calls.thread[call], times);
        if (stretches.empty() && times.end <= longest && part == times) {  // true of nearly all calls
            pieces.give(times, launches);
        } else {
            pieces.add_call(part, stretches, launches ? longest : part.start);
        }
    });
    pieces.give_until(INT64_MAX);
    return {launching.sum(), working.sum()};
}

void Gathering::gather_free(const IntervalSet& free)
{
    Outside in_calls(free, m_range);
    const Row thread = m_report.first_thread()->thread;
    each_call(m_range, [&](Row call, const Interval& times, std::span<const Row>) {
        if (m_trace.calls.thread[call] == thread) {
            in_calls.add(times);
        }
    });
    m_facts.cpu_free = *m_report.cpu_free - in_calls.inside();
}

}  // namespace

VerdictFacts verdict_facts(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    const OperationFigures& gpus, const IntervalSet& free, const std::vector<IntervalSet>& blocked,
    const ThreadRanges& ranges, const ReportFigures& report)
{
    return Gathering(trace, blocking, bounds, gpus, blocked, ranges, report).run(free);
}

}  // namespace lanes
