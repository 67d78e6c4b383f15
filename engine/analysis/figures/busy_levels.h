// SPDX-License-Identifier: MIT
// For how long how many streams were busy, and with what, while operations open and close.
#pragma once

#include "engine/trace/trace.h"

#include <algorithm>
#include <array>

namespace lanes {

/// What was going on at once: streams up to three, kernels up to two, everything else whether there was any.
struct BusyState {
    std::uint32_t word = 0;
    static constexpr std::size_t count = 1024;

    constexpr std::uint32_t streams() const { return word & 3U; }
    constexpr std::uint32_t kernels() const { return word >> 2U & 3U; }
    constexpr bool has(OperationKind kind) const
    {
        return kind == OperationKind::kernel ? kernels() > 0 : (word & bit(kind)) != 0;
    }
    constexpr bool has_copy() const
    {
        return has(OperationKind::h2d) || has(OperationKind::d2h) || has(OperationKind::d2d) || has(OperationKind::p2p)
            || has(OperationKind::h2h);
    }
    constexpr void set_streams(std::uint32_t open) { word = (word & ~3U) | std::min(open, 3U); }
    constexpr void set(OperationKind kind, std::uint32_t open)
    {
        if (kind == OperationKind::kernel) {
            word = (word & ~12U) | std::min(open, 2U) << 2U;
        } else {
            word = open > 0 ? word | bit(kind) : word & ~bit(kind);
        }
    }

private:
    static constexpr std::uint32_t bit(OperationKind kind) { return 8U << static_cast<unsigned>(kind); }
};

/// Sums of time by state. Moments may not go back. Cost: constant for each change; each() goes through all states.
class BusyLevels {
public:
    explicit BusyLevels(Ns from)
        : m_now(from)
    {
    }
    void open(OperationKind kind, Ns time, bool first_of_stream)
    {
        move_to(time);
        m_state.set(kind, ++m_open[static_cast<std::size_t>(kind)]);
        if (first_of_stream) {
            m_state.set_streams(++m_streams);
        }
    }
    void close(OperationKind kind, Ns time, bool last_of_stream)
    {
        move_to(time);
        m_state.set(kind, --m_open[static_cast<std::size_t>(kind)]);
        if (last_of_stream) {
            m_state.set_streams(--m_streams);
        }
    }
    void move_to(Ns time)
    {
        m_time[m_state.word] += time - m_now;
        m_now = time;
    }
    std::uint32_t streams() const { return m_streams; }
    /// Calls `take(state, time)` for every state that there was.
    template <class Take> void each(Take take) const
    {
        for (std::uint32_t word = 0; word < BusyState::count; ++word) {
            if (m_time[word] != 0) {
                take(BusyState {word}, m_time[word]);
            }
        }
    }

private:
    Ns m_now;
    BusyState m_state;
    std::uint32_t m_streams = 0;
    std::array<std::uint32_t, 7> m_open {};
    std::array<Ns, BusyState::count> m_time {};
};

}  // namespace lanes
