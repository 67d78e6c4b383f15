// SPDX-License-Identifier: MIT
// One pass of a Replay over the calls, operations and host work of a recording, in the order of time: the state that
// each thread, stream and engine is in, and when they would have come to it with the cures. For replay.cpp and
// replay_operations.cpp alone; what a replay is stands in replay.h.
#pragma once

#include "engine/analysis/findings/replay.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace lanes::replaying {

inline constexpr Ns never = std::numeric_limits<Ns>::min();
inline constexpr Ns clock_slack = 20'000;  // as far as the clocks of CPU and GPU differ in real files
inline constexpr Ns short_call = 2'000;  // what is left of a call that no longer waits
inline constexpr Ns usual_step = 1'000;  // from the end of an operation to the start of the next on its stream
inline constexpr int most_turns = 64;  // of threads that do nothing recorded in them

/// Measured, and replayed.
struct Moment {
    Ns was = never, is = never;
    bool known() const { return was != never; }
    void extend(const Moment& other)
    {
        was = std::max(was, other.was);
        is = std::max(is, other.is);
    }
};

struct StreamState {
    Moment last, kernel, h2d, result;  ///< of all; kernels and what is on the device; uploads; copies that leave it
    std::size_t behind = 0;
    bool in_batch = false;  ///< the last operation goes along with others
};
struct DeviceState {
    Moment h2d, d2h, peer, filling;
};

/// What a thread is in the middle of.
struct Pending {
    enum Kind : std::uint8_t { none, call, queue, join };
    Kind kind = none;
    Row row = no_row;
    Ns end = 0, new_start = 0;
    std::size_t first_hold = 0;
};
struct ThreadState {
    Moment last;  ///< end of what it did last
    std::uint32_t order = 0;  ///< what its later operations follow, into Pass::m_orders
    Pending pending;
};

/// When all that had been done by a moment of the recording is done.
struct Progress {
    Ns until;
    Moment done {};
    void take(Ns start, Ns end, Ns new_end)
    {
        if (start < until) {
            done.extend({std::min(end, until), new_end - std::max<Ns>(0, end - until)});
        }
    }
    void leave_out(Ns start, Ns end) { done.was = start < until ? std::max(done.was, std::min(end, until)) : done.was; }
    Ns won() const { return done.known() && done.is != never ? done.was - done.is : 0; }
};

class Pass {
public:
    Pass(const Trace& trace, const Replay& replay, const Cures& cures, Interval part)
        : m_trace(trace)
        , m_replay(replay)
        , m_order(replay.order())
        , m_cures(cures)
        , m_call_start(trace.calls.size(), never)
        , m_end(trace.operations.size(), never)
        , m_span_end(trace.host_spans.size(), never)
        , m_streams(trace.streams.size())
        , m_devices(m_order.devices)
        , m_contexts(m_order.contexts)
        , m_threads(trace.threads.size())
        , m_at_start {part.start}
        , m_at_end {part.end}
    {
        for (auto& state : m_streams) {
            state.behind = m_order.behind.size();
        }
        for (std::size_t i = m_order.behind.size(); i-- > 0;) {
            m_streams[trace.operations.stream[m_order.behind[i].operation]].behind = i;
        }
        if (std::any_of(cures.calls.begin(), cures.calls.end(), is_in_order)) {
            m_call_order.resize(trace.calls.size());
            m_orders.emplace_back();
        }
        for (const auto& set : cures.saved) {
            m_saved.emplace_back(set);
        }
        m_cuts_host = replay.last_end() > part.end;
    }
    Replay::Result run();

private:
    using Ending = std::pair<Ns, Row>;  // when, and which thread

    void call(Row row);
    void host_span(Row row);
    void operation(Row row);
    void settle(Row row, Ns new_end);
    Moment* engine_of(Row row, DeviceState& device) const;
    void busy(Ns new_start, Ns new_end);
    void finish(Row thread);
    void finish_call(Row index);
    void do_at_once(ThreadState& thread, Ns start, Ns end, Ns length);
    void note(Row thread, Ns start, Ns end, Ns new_end);
    void note_host(Row thread, Ns start, Ns end);
    void wait_until(Row thread, Pending pending);
    Ns begin(Row thread, Ns start);
    Ns moment_of(Row thread, Ns time, int turns) const;
    Ns own_time(Row thread, Ns start, Ns end) const;
    Ns start_of(Row call);
    Ns left_of(Row call) const;
    static bool is_in_order(Cures::Call cure) { return cure == Cures::in_order || cure == Cures::passed_over; }
    Cures::Call cure_of(Row call) const { return m_cures.calls[call]; }

    const Trace& m_trace;
    const Replay& m_replay;
    const Dependencies& m_order;
    const Cures& m_cures;
    std::vector<Ns> m_call_start;  ///< replayed, by outermost call; never: did not begin yet
    std::vector<std::uint32_t> m_call_order;  ///< by call, where any is in_order: what its operations follow
    std::vector<Moment> m_orders;  ///< into which it points: a thread's order changes with few of its calls
    std::vector<Ns> m_end;  ///< replayed, by operation; never: did not begin yet
    std::vector<Ns> m_span_end;  ///< replayed, by host span that puts or gets; never: is not done yet
    std::vector<StreamState> m_streams;
    std::vector<DeviceState> m_devices;
    std::vector<std::array<Moment, 2>> m_contexts;  ///< blocking streams, legacy
    std::vector<ThreadState> m_threads;
    std::vector<Coverage> m_saved;  ///< by thread; empty: none saves anything
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> m_endings;
    std::size_t m_next_hold = 0;
    Ns m_busy_until = never, m_recorded_until = never;
    Progress m_at_start, m_at_end;  ///< of the part
    bool m_cuts_host = false;  ///< the part ends before the last call or operation
    Replay::Result m_result;
};

}  // namespace lanes::replaying
