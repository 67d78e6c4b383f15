// SPDX-License-Identifier: MIT
// When a process is recorded: `lanes record --delay`, `--duration`, `--range`, `--capture-range`, `--steps`,
// `--max-size`, `--at`, `--every`, `--idle`.
//
// A part of each process is recorded, from one moment to another. It begins when the delay is over or, with a
// trigger, at the first one after that: an NVTX range of that name opens, or cu(da)ProfilerStart is called.
// It ends with its trigger (the same range closes, cu(da)ProfilerStop), when the duration is over, or when the
// records have reached their size, whichever comes first.
//
// With `every` and `idle` further parts follow. Each becomes a recording of its own: what the GPU did between two
// parts is unknown, and every figure of the whole would be wrong. Their times are those of a clock that all processes
// and hosts share, so that the n-th part is the same moment in all of them.
//
// A pure state machine: callers say what happens and when; it answers what is to be done. No clock, no CUPTI, no lock.
#pragma once

#include "probes/units.h"

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>

namespace lanes {

/// Whether CUPTI is detached from the process after a recorded part, so that the program then runs as without it.
enum class Detach : std::uint8_t {
    automatic,  ///< where no node of a CUDA graph was made while it was attached
    always,
    never,
};

struct ControlSettings {
    Ns start = 0;  ///< CLOCK_REALTIME when the program was started: the start of `delay` in all its processes
    Ns delay = 0;
    Ns duration = 0;  ///< from where recording begins; 0: none
    Ns at = 0;  ///< begins when CLOCK_REALTIME is a multiple of it; 0: at once
    Ns every = 0;  ///< from the begin of a part to that of the next one; 0: there is one part
    bool idle = false;  ///< waits for triggered()
    Detach detach = Detach::automatic;
    std::string range = {};  ///< NVTX range, in any domain; "": none
    bool profiler = false;  ///< between cu(da)ProfilerStart and Stop
    std::uint32_t steps_end = 0;  ///< ends where a range "ProfilerStep#N" with N of this or more opens; 0: none
    std::uint64_t max_bytes = 0;  ///< of the spool; 0: none
    bool all_api = false;  ///< all API calls, not only those of recorded_calls.h
    bool whole_graphs = false;  ///< each launch of a CUDA graph as one operation, not its nodes
    std::uint32_t node_launches = 0;  ///< if whole_graphs: but the first launches of each graph by nodes, that many

    /// Whether a part may be recorded rather than all.
    bool is_partial() const;
    /// Whether several parts may be recorded.
    bool has_parts() const { return idle || every > 0; }
    /// The first moment at which a part may begin.
    Ns earliest() const;
    friend bool operator==(const ControlSettings&, const ControlSettings&) = default;
};

/// One line, for an environment variable, and back. Parts that are not understood are left out.
std::string to_text(const ControlSettings& settings);
ControlSettings control_of_text(std::string_view text);

class RecordControl {
public:
    enum class Switch : std::uint8_t { none, begin, finish };
    /// What begins and ends the part, as the recording names it.
    enum class Cause : std::uint8_t { none, program, delay, range, profiler, duration, steps, size, clock, trigger };
    static constexpr Ns never = std::numeric_limits<Ns>::max();

    explicit RecordControl(ControlSettings settings);

    /// `lanes trigger` asks for a part: of `part` counts start, delay, duration and at. Ignored unless nothing is
    /// recorded or awaited, and if that part would be over by now.
    void triggered(const ControlSettings& part, Ns now);

    /// Time passes. A trigger alone begins what waits for one.
    Switch at(Ns now);
    /// The spool has grown to `bytes`.
    Switch holds(std::uint64_t bytes);
    Switch profiler_started(Ns now);
    Switch profiler_stopped();
    /// nvtxRangePush and Pop of a thread in a domain (both as any number that tells them apart), nested as they come.
    Switch pushed(std::uint64_t thread, std::uint64_t domain, std::string_view name, Ns now);
    Switch popped(std::uint64_t thread, std::uint64_t domain);
    /// nvtxRangeStart and End.
    Switch started(std::uint64_t id, std::string_view name, Ns now);
    Switch ended(std::uint64_t id);

    bool is_recording() const { return m_state == State::recording; }
    bool is_over() const { return m_state == State::over; }
    /// When at() has something to say next; `never`: only after something else has happened.
    Ns next() const;
    /// Whether ranges may still change something.
    bool heeds_ranges() const { return !is_over() && (!m_settings.range.empty() || m_settings.steps_end > 0); }

    Cause begun_by() const { return m_begun_by; }
    Cause ended_by() const { return m_ended_by; }

    /// Why nothing was recorded, one line; "" if something was.
    std::string why_nothing() const;

private:
    enum class State : std::uint8_t { idle, waiting, recording, over };
    Switch begin(Cause cause, Ns now);
    Switch finish(Cause cause);
    bool is_meant(std::string_view name, Ns now);
    bool ends_steps(std::string_view name) const;
    bool waits_for_time() const;

    const ControlSettings m_settings;
    State m_state;
    Cause m_begun_by = Cause::none, m_ended_by = Cause::none;
    Ns m_earliest;  ///< of the next part
    Ns m_duration;  ///< of the next or present part; 0: none
    Ns m_end = never;  ///< of the present part
    bool m_by_push = false, m_by_start = false;
    std::uint64_t m_thread = 0, m_domain = 0, m_depth = 0;  ///< of the range that began it, by push
    std::uint64_t m_id = 0;  ///< of it, by start
    std::set<std::string, std::less<>> m_seen;  ///< other ranges' names, for why_nothing()
};

std::string_view name_of(RecordControl::Cause cause);

}  // namespace lanes
