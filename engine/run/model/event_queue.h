// SPDX-License-Identifier: MIT
// The future of the model: what happens at which time.
//
// Invariant: events leave in order of time, those of one time in the order they
// were put in, so that a run has one outcome. Cost: log n in the events that are
// pending, a few for each thread, stream and engine.
#pragma once

#include "engine/trace/units.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace lanes::model {

inline constexpr Ns never = std::numeric_limits<Ns>::max();

struct Event {
    enum class Kind : std::uint32_t { thread, stream, operation, pool, engine, staged };
    Ns time;
    std::uint64_t order;
    Kind kind;
    std::uint32_t target;  ///< index of the thread, stream, … (staged: of the thread that has staged its copy)
    std::uint32_t version;  ///< of pool and engine: an older one is void
};

class EventQueue {
public:
    void push(Ns time, Event::Kind kind, std::uint32_t target, std::uint32_t version = 0)
    {
        m_events.push_back({time, m_order++, kind, target, version});
        std::push_heap(m_events.begin(), m_events.end(), later);
    }
    bool empty() const { return m_events.empty(); }
    Ns next_time() const { return m_events.empty() ? never : m_events.front().time; }
    Event pop()
    {
        std::pop_heap(m_events.begin(), m_events.end(), later);
        const auto event = m_events.back();
        m_events.pop_back();
        return event;
    }

private:
    static bool later(const Event& a, const Event& b) { return a.time != b.time ? a.time > b.time : a.order > b.order; }

    std::vector<Event> m_events;
    std::uint64_t m_order = 0;
};

}  // namespace lanes::model
