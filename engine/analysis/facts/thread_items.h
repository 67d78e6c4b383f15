// SPDX-License-Identifier: MIT
// What each thread did, in order: its outermost API calls, host work, waits in queues and for threads, and reads. The
// graph of dependencies, the script of a replay and the steps of a run all go through these.
#pragma once

#include "engine/trace/event_ref.h"
#include "engine/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes {

/// Whether it is one thing that a thread did: not a call within another one, nor the staging of a copy, which is part
/// of the copy's call and may be hundreds of spans.
bool is_thread_item(const Trace& trace, EventRef event);

/// By thread, in the order of their starts; of those that start at once, calls before host spans before reads, and
/// each in the order of its table. What belongs to no known thread is left out.
class ThreadItems {
public:
    /// Throws std::length_error where a table has more than a billion rows. Cost: linear, n log n where there are host
    /// spans or reads; 4 bytes an item.
    explicit ThreadItems(const Trace& trace);

    std::size_t threads() const { return m_items.size(); }
    std::size_t size(Row thread) const { return m_items[thread].size(); }
    EventRef at(Row thread, std::size_t place) const;

private:
    std::vector<std::vector<std::uint32_t>> m_items;  ///< by thread: table and row
};

}  // namespace lanes
