// SPDX-License-Identifier: MIT
// Events of a recording in the order of time: those that a search found, that a table shows, that one steps through.
//
// The order is by start; at the same ns calls come first, then operations, ranges, host spans and reads, each by row.
// Constant once made; the Trace must outlive it. Cost: to make, one call of `wanted` an event, then log(streams) for
// each one kept; 4 bytes an event, 8 while it is made. Events beyond the first 2^32 - 1 are left out.
#pragma once

#include "engine/trace/event_ref.h"
#include "engine/trace/units.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace lanes {

struct Trace;

class EventList {
public:
    using Wanted = std::function<bool(EventRef)>;

    EventList() = default;
    /// The events for which `wanted` is true. Stopped half-way it is empty.
    EventList(const Trace& trace, const Wanted& wanted, const std::stop_token& stop = {});

    std::size_t size() const { return m_numbers.size(); }
    bool empty() const { return m_numbers.empty(); }
    EventRef operator[](std::size_t i) const { return event_of(m_numbers[i]); }
    Ns start(std::size_t i) const;

    /// The first that starts at `time` or later, size() if there is none. Cost: log n.
    std::size_t first_from(Ns time) const;
    /// The place of an event; nothing if it is not in the list. Cost: log n.
    std::optional<std::size_t> find(EventRef event) const;

private:
    EventRef event_of(std::uint32_t number) const;
    Ns start_of(std::uint32_t number) const;

    const Trace* m_trace = nullptr;
    std::array<std::uint32_t, 6>
        m_first {};  ///< by table in the order above: number of its first event; and then the end
    std::vector<std::uint32_t> m_numbers;
};

}  // namespace lanes
