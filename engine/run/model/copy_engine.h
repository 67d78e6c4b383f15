// SPDX-License-Identifier: MIT
// A copy engine: does one operation after another, at a speed that may change
// while one runs (the other direction may be busy or not).
#pragma once

#include "engine/run/model/agenda.h"

#include <cmath>
#include <deque>

namespace lanes::model {

inline constexpr std::uint32_t no_operation = 0xFFFFFFFFU;

/// Invariant: at most one operation runs. Cost of each function: constant.
class CopyEngine {
public:
    void add(std::uint32_t operation, double time) { m_waiting.push_back({operation, time}); }

    std::uint32_t running() const { return m_running; }
    bool can_start() const { return m_running == no_operation && !m_waiting.empty(); }

    std::uint32_t start(Ns now)
    {
        m_running = m_waiting.front().operation;
        m_left = m_waiting.front().time;
        m_waiting.pop_front();
        m_since = now;
        return m_running;
    }

    /// The running operation if it is done at `now`, else no_operation.
    std::uint32_t take_finished(Ns now)
    {
        if (m_running == no_operation || left(now) > 1e-6) {
            return no_operation;
        }
        const auto operation = m_running;
        m_running = no_operation;
        return operation;
    }

    /// From `now` on the work goes at `speed` (1: as fast as the operation alone).
    void set_speed(double speed, Ns now)
    {
        if (m_running != no_operation) {
            m_left = left(now);
            m_since = now;
        }
        m_speed = speed;
    }

    /// ns of work at full speed that the running operation still has at `now`.
    double left(Ns now) const { return m_left - static_cast<double>(now - m_since) * m_speed; }

    /// When the running operation ends at its present speed.
    Ns next() const
    {
        return m_running == no_operation ? never
                                         : m_since + static_cast<Ns>(std::ceil(std::max(0.0, m_left / m_speed - 1e-6)));
    }

private:
    struct Waiting {
        std::uint32_t operation;
        double time;
    };
    std::deque<Waiting> m_waiting;
    std::uint32_t m_running = no_operation;
    double m_left = 0;
    double m_speed = 1;
    Ns m_since = 0;
};

}  // namespace lanes::model
