// SPDX-License-Identifier: MIT
// The future of the model: what happens at which time.
//
// Invariant: items leave in order of time, those of one time in the order they
// were put in, so that a run has one outcome. Cost: log n in the items that are
// pending, a few for each thread, stream and engine.
#pragma once

#include "engine/trace/units.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace lanes::model {

inline constexpr Ns never = std::numeric_limits<Ns>::max();

struct Due {
    enum class Kind : std::uint32_t { thread, stream, operation, pool, engine, staged, fault_report };
    Ns time;
    std::uint64_t order;
    Kind kind;
    std::uint32_t target;  ///< index of the thread, stream, … (staged: of the thread that has staged its copy)
    std::uint32_t version;  ///< for pool and engine: an older version is void
};

class Agenda {
public:
    void push(Ns time, Due::Kind kind, std::uint32_t target, std::uint32_t version = 0)
    {
        m_items.push_back({time, m_order++, kind, target, version});
        std::push_heap(m_items.begin(), m_items.end(), later);
    }
    bool empty() const { return m_items.empty(); }
    Ns next_time() const { return m_items.empty() ? never : m_items.front().time; }
    Due pop()
    {
        std::pop_heap(m_items.begin(), m_items.end(), later);
        const auto next = m_items.back();
        m_items.pop_back();
        return next;
    }

private:
    static bool later(const Due& a, const Due& b) { return a.time != b.time ? a.time > b.time : a.order > b.order; }

    std::vector<Due> m_items;
    std::uint64_t m_order = 0;
};

}  // namespace lanes::model
