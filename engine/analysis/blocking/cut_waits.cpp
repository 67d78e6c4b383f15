// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/cut_waits.h"

#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace lanes {

namespace {

using ThreadId = std::pair<std::uint32_t, std::uint32_t>;  // process, thread

/// A call as both recordings have it, in times of the cut one.
struct CutCall {
    ThreadId thread;
    Ns start, end;
    std::uint32_t correlation;
    friend auto operator<=>(const CutCall&, const CutCall&) = default;
};

struct CutWait {
    Ns start, end;
    BlockCause cause;
    bool is_released = false;  ///< by an operation of this stream that starts then
    std::uint32_t device = 0, context = 0, stream = 0;
    Ns operation_start = 0;
    friend bool operator==(const CutWait&, const CutWait&) = default;
};

using CutWaits = std::map<CutCall, std::vector<CutWait>>;

ThreadId thread_id(const Trace& trace, Row thread)
{
    return thread == no_row ? ThreadId {} : ThreadId {trace.threads[thread].process, trace.threads[thread].id};
}

CutCall call_at(const Trace& trace, Row call, Interval range)
{
    const auto& calls = trace.calls;
    return {thread_id(trace, calls.thread[call]), std::max(calls.start[call], range.start) - range.start,
        std::min(calls.end[call], range.end) - range.start, calls.correlation[call]};
}

/// The last outermost call of a thread that touches both a stretch and the range; no_row: none.
Row stand_in(const Trace& trace, Row thread, Interval stretch)
{
    const auto& calls = trace.calls;
    auto row
        = static_cast<Row>(std::lower_bound(calls.start.begin(), calls.start.end(), stretch.end) - calls.start.begin());
    while (row > 0) {
        --row;
        if (calls.thread[row] == thread && calls.outer[row] == no_row) {
            return calls.end[row] > stretch.start ? row : no_row;
        }
    }
    return no_row;
}

/// The waits of a range; threads with one that no call can have are added to `homeless`.
CutWaits waits_of(const Trace& trace, const Blocking& blocking, Interval range, std::vector<ThreadId>& homeless)
{
    CutWaits waits;
    for (const auto& stretch : blocking.calls) {
        const Interval part = common({stretch.start, stretch.end}, range);
        if (part.start >= part.end) {
            continue;
        }
        auto call = stretch.call;
        if (!touches(trace.calls.start[call], trace.calls.end[call], range)) {
            call = stand_in(trace, trace.calls.thread[call], part);
        }
        if (call == no_row) {
            homeless.push_back(thread_id(trace, trace.calls.thread[stretch.call]));
            continue;
        }
        CutWait wait {part.start - range.start, part.end - range.start, stretch.cause};
        const auto& operations = trace.operations;
        if (const Row row = stretch.released_by;
            row != no_row && touches(operations.start[row], operations.end[row], range)) {
            const auto& stream = trace.streams[operations.stream[row]];
            wait.is_released = true;
            wait.device = stream.device;
            wait.context = stream.context;
            wait.stream = stream.id;
            wait.operation_start = std::max(operations.start[row], range.start) - range.start;
        }
        waits[call_at(trace, call, range)].push_back(wait);
    }
    return waits;
}

/// Blocking::unknown by thread; threads without calls are left out.
std::map<ThreadId, unsigned> masks_of(const Trace& trace, const Blocking& blocking)
{
    std::map<ThreadId, unsigned> masks;
    for (Row thread = 0; thread < trace.threads.size(); ++thread) {
        masks[thread_id(trace, thread)] = thread < blocking.unknown.size() ? blocking.unknown[thread] : 0;
    }
    return masks;
}

void write_cut_call(std::ostream& text, const CutCall& call, const std::vector<CutWait>& waits)
{
    text << "call " << call.thread.first << ' ' << call.thread.second << ' ' << call.start << ' ' << call.end << ' '
         << call.correlation << ' ' << waits.size() << '\n';
    for (const auto& wait : waits) {
        text << "wait " << wait.start << ' ' << wait.end << ' ' << name_of(wait.cause);
        if (wait.is_released) {
            text << ' ' << wait.device << ' ' << wait.context << ' ' << wait.stream << ' ' << wait.operation_start;
        }
        text << '\n';
    }
}

bool read_cut_wait(const std::string& line, CutWait& wait)
{
    std::istringstream words(line);
    std::string kind, cause;
    if (!(words >> kind >> wait.start >> wait.end >> cause) || kind != "wait" || wait.start >= wait.end) {
        return false;
    }
    wait.is_released = static_cast<bool>(words >> wait.device >> wait.context >> wait.stream >> wait.operation_start);
    for (std::size_t i = 0; i < block_cause_count; ++i) {
        if (name_of(static_cast<BlockCause>(i)) == cause) {
            wait.cause = static_cast<BlockCause>(i);
            return true;
        }
    }
    return false;
}

Row find_call(const Trace& trace, const CutCall& wanted)
{
    const auto& calls = trace.calls;
    auto row = static_cast<Row>(
        std::lower_bound(calls.start.begin(), calls.start.end(), wanted.start) - calls.start.begin());
    for (; row < calls.size() && calls.start[row] == wanted.start; ++row) {
        if (calls.outer[row] == no_row && call_at(trace, row, {0, record_time_limit}) == wanted) {
            return row;
        }
    }
    return no_row;
}

Row find_operation(const Trace& trace, std::uint32_t process, const CutWait& wait)
{
    for (Row stream = 0; wait.is_released && stream < trace.streams.size(); ++stream) {
        const auto& each = trace.streams[stream];
        if (each.process != process || each.device != wait.device || each.context != wait.context
            || each.id != wait.stream) {
            continue;
        }
        const auto rows = trace.operations_of(stream);
        const auto& starts = trace.operations.start;
        const auto at = std::lower_bound(starts.begin() + rows.begin, starts.begin() + rows.end, wait.operation_start);
        if (at != starts.begin() + rows.end && *at == wait.operation_start) {
            return static_cast<Row>(at - starts.begin());
        }
    }
    return no_row;
}

}  // namespace

std::string cut_waits(const Trace& whole, const Blocking& of_whole, Interval range, const Trace& cut,
    const Blocking& of_cut, std::size_t most)
{
    constexpr unsigned all_unknown = (1U << block_cause_count) - 1;
    std::ostringstream text;
    if (of_whole.known != of_cut.known) {
        text << "known " << (of_whole.known ? 1 : 0) << '\n';
    }
    std::vector<ThreadId> homeless, none;
    const auto wanted = waits_of(whole, of_whole, range, homeless);
    const auto found = waits_of(cut, of_cut, {0, range.end - range.start}, none);
    auto masks = masks_of(whole, of_whole);
    for (const auto& thread : homeless) {
        masks[thread] = all_unknown;
    }
    for (const auto& [thread, mask] : masks_of(cut, of_cut)) {
        if (const auto in_whole = masks.find(thread); in_whole != masks.end() && in_whole->second != mask) {
            text << "thread " << thread.first << ' ' << thread.second << ' ' << in_whole->second << '\n';
        }
    }
    for (const auto& [call, waits] : wanted) {
        if (const auto same = found.find(call); same == found.end() || same->second != waits) {
            write_cut_call(text, call, waits);
        }
    }
    for (const auto& [call, waits] : found) {
        if (!wanted.contains(call)) {
            write_cut_call(text, call, {});
        }
    }
    if (static_cast<std::size_t>(text.tellp()) > most) {
        std::string unknown;
        for (const auto& [thread, mask] : masks_of(cut, of_cut)) {
            unknown += "thread " + std::to_string(thread.first) + ' ' + std::to_string(thread.second) + ' '
                + std::to_string(all_unknown) + '\n';
        }
        return unknown;
    }
    return text.str();
}

void take_cut_waits(const Trace& trace, Blocking& blocking)
{
    const auto meta = trace.meta.find(meta::cut_waits);
    if (meta == trace.meta.end()) {
        return;
    }
    std::map<ThreadId, Row> threads;
    for (Row thread = 0; thread < trace.threads.size(); ++thread) {
        threads[thread_id(trace, thread)] = thread;
    }
    std::vector<bool> is_replaced(trace.calls.size());
    std::vector<BlockedCall> replaced;
    std::istringstream lines(meta->second);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (int known = 0; kind == "known" && words >> known) {
            blocking.known = known != 0;
            blocking.unknown.resize(trace.threads.size());
            continue;
        }
        ThreadId id;
        if (!(words >> id.first >> id.second)) {
            continue;
        }
        const auto thread = threads.find(id);
        if (unsigned mask = 0; kind == "thread" && words >> mask && thread != threads.end()) {
            blocking.unknown.resize(trace.threads.size());
            blocking.unknown[thread->second] = static_cast<std::uint16_t>(mask & ((1U << block_cause_count) - 1));
            continue;
        }
        CutCall call {id, 0, 0, 0};
        std::size_t count = 0;
        if (kind != "call" || !(words >> call.start >> call.end >> call.correlation >> count)) {
            continue;
        }
        const Row row = find_call(trace, call);
        if (row != no_row) {
            is_replaced[row] = true;
        }
        for (; count > 0 && std::getline(lines, line); --count) {
            CutWait wait {0, 0, BlockCause::other};
            if (row != no_row && read_cut_wait(line, wait)) {
                replaced.push_back({wait.start, wait.end, row, find_operation(trace, id.first, wait), wait.cause});
            }
        }
    }
    std::erase_if(blocking.calls, [&](const BlockedCall& stretch) { return is_replaced[stretch.call]; });
    blocking.calls.insert(blocking.calls.end(), replaced.begin(), replaced.end());
    std::stable_sort(blocking.calls.begin(), blocking.calls.end(),
        [](const BlockedCall& a, const BlockedCall& b) { return a.start < b.start; });
    blocking.index_calls();
}

}  // namespace lanes
