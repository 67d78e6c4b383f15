// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/dependencies.h"

#include "engine/analysis/blocking/default_streams.h"
#include "engine/analysis/blocking/event_waits.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/sm_room.h"
#include "engine/trace/median.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t most_holds = 4'000'000;
constexpr std::size_t most_looks = 20'000'000;  // at streams on the other side of the legacy default stream: about 1 s
constexpr Ns usual_issue = 5'000, idle_before = 20'000;
constexpr std::size_t issue_samples = 4096;
constexpr std::size_t most_before = 16;  // of the operations that an event waits for, those that end last
constexpr Ns clock_step = 2'000;
constexpr std::size_t others_of_queue = 64;  // gets that are looked through for the one that made room

/// The streams of each context, by process and context.
using StreamsOfContexts = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Row>>;
StreamsOfContexts streams_of_contexts(const Trace& trace)
{
    StreamsOfContexts streams;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        streams[{trace.streams[stream].process, trace.streams[stream].context}].push_back(stream);
    }
    return streams;
}

/// Which kernels take half of a GPU's threads or more: two of them do not run side by side.
std::vector<bool> find_filling(const Trace& trace)
{
    std::vector<bool> fills(trace.operations.size());
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const std::uint64_t threads = gpu_room(trace, trace.streams[stream].device).threads() / 2;
        const auto rows = trace.operations_of(stream);
        for (Row row = rows.begin; threads > 0 && row < rows.end; ++row) {
            if (trace.operations.kind[row] == OperationKind::kernel) {
                fills[row] = threads_of(trace.kernels[trace.operations.detail[row]]) >= threads;
            }
        }
    }
    return fills;
}

/// The lower quartile over the first operations that a stream had nothing to do before.
Ns find_issue(const Trace& trace)
{
    std::vector<Ns> times;
    const auto& ops = trace.operations;
    for (Row row = 0; row < ops.size() && times.size() < issue_samples; ++row) {
        const Row call = outermost(trace.calls, ops.call[row]);
        if (call != no_row && ops.start[row] > trace.calls.start[call]
            && (row == 0 || ops.stream[row - 1] != ops.stream[row]
                || ops.end[row - 1] + idle_before < ops.start[row])) {
            times.push_back(ops.start[row] - trace.calls.start[call]);
        }
    }
    if (times.empty()) {
        return usual_issue;
    }
    return std::min(nth_part(times, 1, 4), 4 * usual_issue);
}

/// What was submitted to a stream before a moment, through the waits of streams for events as well.
class WorkBefore {
public:
    WorkBefore(const Trace& trace, const std::vector<bool>& legacy)
        : m_trace(trace)
        , m_legacy(legacy)
        , m_waits(trace.streams.size())
        , m_side(trace.streams.size(), no_row)
    {
        for (const auto& [key, rows] : streams_of_contexts(trace)) {
            const auto side = static_cast<Row>(m_sides.size());
            m_sides.resize(m_sides.size() + 2);
            for (const Row row : rows) {
                if (is_ordered(row)) {
                    m_side[row] = side + (legacy[row] ? 1 : 0);
                    m_sides[m_side[row]].push_back(row);
                }
            }
        }
    }

    Row last(Row stream, Ns time) const
    {
        const Row next = first_submitted(m_trace, stream, time);
        return next > m_trace.operations_of(stream).begin ? next - 1 : no_row;
    }

    /// The last operations of which none stands behind another of them, as far as streams and events tell. What a
    /// record of an event on the stream stands behind, or (`host`) what a synchronisation with it waits for.
    std::vector<Row> of(Row stream, Ns time, bool host) const
    {
        std::vector<Row> found;
        add(stream, time, found);
        if ((!host || m_legacy[stream]) && m_side[stream] != no_row) {
            const auto& others = m_sides[m_side[stream] ^ 1U];
            m_looks += others.size();
            if (m_looks <= most_looks) {
                for (const Row other : others) {
                    add(other, time, found);
                }
            }
        }
        std::sort(found.begin(), found.end(), [&](Row a, Row b) {
            const auto& end = m_trace.operations.end;
            return end[a] != end[b] ? end[a] > end[b] : a < b;
        });
        found.erase(std::unique(found.begin(), found.end()), found.end());
        found.resize(std::min(found.size(), most_before));
        return found;
    }

    /// From `time` on the stream is behind these. Waits of one stream come in the order of time.
    void wait(Row stream, Ns time, std::vector<Row> before)
    {
        m_waits[stream].push_back({time, first_submitted(m_trace, stream, time), std::move(before)});
    }

private:
    struct Wait {
        Ns time;
        Row next;  ///< the stream's first operation behind it
        std::vector<Row> before;
    };

    bool is_ordered(Row stream) const
    {
        return m_legacy[stream] || m_trace.streams[stream].flag == StreamRecord::blocking;
    }
    void add(Row stream, Ns time, std::vector<Row>& found) const
    {
        const Row next = first_submitted(m_trace, stream, time);
        if (next > m_trace.operations_of(stream).begin) {
            found.push_back(next - 1);
        }
        const auto& waits = m_waits[stream];
        for (auto at = waits.rbegin(); at != waits.rend() && at->next >= next; ++at) {
            if (at->time < time) {
                found.insert(found.end(), at->before.begin(), at->before.end());
            }
        }
    }

    const Trace& m_trace;
    const std::vector<bool>& m_legacy;
    std::vector<std::vector<Wait>> m_waits;  ///< by stream
    std::vector<std::vector<Row>> m_sides;  ///< of a context its blocking streams, then its legacy default stream
    std::vector<Row> m_side;  ///< by stream: its own in m_sides, no_row: neither
    mutable std::size_t m_looks = 0;
};

std::vector<Dependencies::Handover> find_handovers(const Trace& trace)
{
    struct Queue {
        std::vector<Row> puts, gets;
    };
    std::map<std::pair<std::uint32_t, StringId>, Queue> queues;
    std::vector<Dependencies::Handover> found;
    const auto& spans = trace.host_spans;
    for (Row row = 0; row < spans.size(); ++row) {
        const auto& span = spans[row];
        if (span.thread == no_row
            || (span.type != HostSpanRecord::queue_put && span.type != HostSpanRecord::queue_get)) {
            continue;
        }
        auto& queue = queues[{trace.threads[span.thread].process, span.name}];
        (span.type == HostSpanRecord::queue_put ? queue.puts : queue.gets).push_back(row);
    }
    for (const auto& [key, queue] : queues) {
        for (std::size_t n = 0; n < std::min(queue.puts.size(), queue.gets.size()); ++n) {
            if (spans[queue.puts[n]].start < spans[queue.gets[n]].end) {
                found.push_back({queue.gets[n], queue.puts[n]});
            }
        }
        for (const Row put : queue.puts) {
            if (spans[put].end - spans[put].start <= waits_in_queue) {
                continue;
            }
            const Ns latest = spans[put].end + clock_step;
            const auto behind = std::partition_point(
                queue.gets.begin(), queue.gets.end(), [&](Row get) { return spans[get].start < spans[put].end; });
            const auto more = std::min<std::ptrdiff_t>(behind - queue.gets.begin(), others_of_queue);
            Row room = no_row;
            for (auto get = behind - more; get != behind; ++get) {
                if (spans[*get].end <= latest && (room == no_row || spans[*get].end > spans[room].end)) {
                    room = *get;
                }
            }
            if (room != no_row) {
                found.push_back({put, room});
            }
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.span < b.span; });
    return found;
}

std::vector<Dependencies::Partner> partners_in(const Collectives& collectives)
{
    std::vector<Dependencies::Partner> found;
    for (const auto& collective : collectives.all) {
        for (const Row row : collective.kernels) {
            if (row != collective.last) {
                found.push_back({row, collective.last});
            }
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.operation < b.operation; });
    return found;
}

void add_hold(std::vector<Dependencies::Hold>& holds, Row call, Row operation)
{
    if (call != no_row && operation != no_row) {
        holds.push_back({call, operation});
    }
}

/// Edges through events, and what calls waited for through events. What streams wait for is noted in `work`.
void add_event_waits(const Trace& trace, WorkBefore& work, Dependencies& to)
{
    auto waits = event_waits(trace);
    std::stable_sort(
        waits.begin(), waits.end(), [](const EventWait& a, const EventWait& b) { return a.time < b.time; });
    for (const auto& [wait, record, call, time] : waits) {
        auto before = work.of(record->stream, record->time, false);
        if (wait->type != SyncRecord::stream_wait_event) {
            for (const Row row : before) {
                add_hold(to.holds, call, row);
            }
        } else if (wait->stream != no_row && wait->stream != record->stream) {
            if (const Row next = first_submitted(trace, wait->stream, time);
                next < trace.operations_of(wait->stream).end) {
                for (const Row row : before) {
                    to.behind.push_back({next, row});
                }
            }
            work.wait(wait->stream, time, std::move(before));
        }
    }
}

/// What calls waited for that synchronised with a stream or a context.
void add_syncs(const Trace& trace, const StreamsOfContexts& streams, WorkBefore& work, Dependencies& to)
{
    for (const Sync& sync : trace.syncs) {
        const Row call = outermost(trace.calls, sync.call);
        if (call == no_row || (sync.type != SyncRecord::stream_sync && sync.type != SyncRecord::context_sync)) {
            continue;
        }
        if (sync.stream != no_row) {
            for (const Row row : work.of(sync.stream, trace.calls.start[call], true)) {
                add_hold(to.holds, call, row);
            }
        } else if (const auto found = streams.find({sync.process, sync.context});
                   found != streams.end() && to.holds.size() + found->second.size() < most_holds) {
            for (const Row stream : found->second) {
                add_hold(to.holds, call, work.last(stream, trace.calls.start[call]));
            }
        }
    }
}

void sort_edges(Dependencies& of)
{
    auto& holds = of.holds;
    std::sort(holds.begin(), holds.end(),
        [](const auto& a, const auto& b) { return std::tie(a.call, a.operation) < std::tie(b.call, b.operation); });
    holds.erase(std::unique(holds.begin(), holds.end(),
                    [](const auto& a, const auto& b) { return a.call == b.call && a.operation == b.operation; }),
        holds.end());
    std::sort(of.behind.begin(), of.behind.end(),
        [](const auto& a, const auto& b) { return std::tie(a.operation, a.before) < std::tie(b.operation, b.before); });
}

void place_devices(const Trace& trace, Dependencies& to)
{
    std::map<std::uint32_t, std::uint32_t> places;
    for (const auto& stream : trace.streams) {
        to.device_of.push_back(places.try_emplace(stream.device, places.size()).first->second);
    }
    to.devices = places.size();
    to.copy_engines.resize(to.devices);
    for (const auto& device : trace.devices) {
        if (const auto place = places.find(device.id); place != places.end()) {
            to.copy_engines[place->second] = device.copy_engines;
        }
    }
}

/// The contexts in which the legacy default stream and blocking streams wait for one another.
void place_contexts(const Trace& trace, const StreamsOfContexts& streams, Dependencies& to)
{
    to.context_of.resize(trace.streams.size(), Dependencies::no_context);
    for (const auto& [key, rows] : streams) {
        const bool has_legacy = std::any_of(rows.begin(), rows.end(), [&](Row row) { return to.legacy[row]; });
        for (const Row row : rows) {
            if (has_legacy && (to.legacy[row] || trace.streams[row].flag == StreamRecord::blocking)) {
                to.context_of[row] = static_cast<std::uint32_t>(to.contexts);
            }
        }
        to.contexts += has_legacy ? 1 : 0;
    }
}

}  // namespace

Dependencies::Dependencies(const Trace& trace, const Blocking& blocking)
    : operations(trace.operations_by_time())
    , fills_gpu(find_filling(trace))
    , legacy(legacy_streams(trace))
    , collectives(find_collectives(trace))
    , partners(partners_in(collectives))
    , turns(find_turns(trace))
    , issue(find_issue(trace))
{
    handovers = find_handovers(trace);
    const auto streams = streams_of_contexts(trace);
    WorkBefore work(trace, legacy);
    add_event_waits(trace, work, *this);
    add_syncs(trace, streams, work, *this);
    for (const auto& stretch : blocking.calls) {
        add_hold(holds, stretch.call, stretch.released_by);
    }
    sort_edges(*this);
    place_devices(trace, *this);
    place_contexts(trace, streams, *this);
}

}  // namespace lanes
