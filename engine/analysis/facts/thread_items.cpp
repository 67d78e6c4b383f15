// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/thread_items.h"

#include "engine/trace/event.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace lanes {

namespace {

// An item in 32 bits: its table in the upper two.
constexpr std::uint32_t table_shift = 30, most_item_rows = (1U << table_shift) - 1;
constexpr std::array item_tables {EventTable::calls, EventTable::host_spans, EventTable::reads};

EventRef unpacked_item(std::uint32_t item)
{
    return {item_tables[item >> table_shift], item & most_item_rows};
}

}  // namespace

bool is_thread_item(const Trace& trace, EventRef event)
{
    switch (event.table) {
    case EventTable::calls:
        return trace.calls.outer[event.row] == no_row;
    case EventTable::host_spans:
        return trace.host_spans[event.row].type != HostSpanRecord::staging;
    default:
        return event.table == EventTable::reads;
    }
}

ThreadItems::ThreadItems(const Trace& trace)
    : m_items(trace.threads.size())
{
    if (std::max({trace.calls.size(), trace.host_spans.size(), trace.reads.size()}) > most_item_rows) {
        throw std::length_error("more than a billion calls");
    }
    for (std::uint32_t number = 0; number < item_tables.size(); ++number) {
        const auto table = item_tables[number];
        const auto rows = static_cast<Row>(size_of(trace, table));
        for (Row row = 0; row < rows; ++row) {
            if (const Row thread = lane_of(trace, {table, row});
                thread != no_row && is_thread_item(trace, {table, row})) {
                m_items[thread].push_back(number << table_shift | row);
            }
        }
    }
    if (!trace.host_spans.empty() || !trace.reads.empty()) {  // calls alone are in order
        for (auto& items : m_items) {
            std::stable_sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) {
                return span_of(trace, unpacked_item(a)).start < span_of(trace, unpacked_item(b)).start;
            });
        }
    }
}

EventRef ThreadItems::at(Row thread, std::size_t place) const
{
    return unpacked_item(m_items[thread][place]);
}

}  // namespace lanes
