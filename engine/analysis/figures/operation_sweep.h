// SPDX-License-Identifier: MIT
// Goes through the starts and ends of all operations in the order of time, from any
// moment on.
#pragma once

#include "engine/analysis/figures/end_tree.h"
#include "engine/trace/merge_tree.h"
#include "engine/trace/trace.h"

#include <functional>
#include <utility>
#include <vector>

namespace lanes {

/// A Visitor has
///     void open(Row operation, Row stream, Ns time, bool first);   // first: the stream was idle
///     void close(Row operation, Row stream, Ns time, bool last);   // last: the stream is idle now
/// and gets every operation once, also where those of one stream overlap. What happens at one moment comes in any
/// order, but no operation closes before it opened.
/// `kept`, by row: operations that are not kept are skipped, as if they were not there.
/// Cost: to start somewhere, streams x 64 log64 n; then log2(streams) for each start and end.
class OperationSweep {
public:
    /// Starts at `from`: operations that began before it and end after it are open; the visitor gets them as if
    /// they began now. `ends` is of trace.operations.end.
    template <class Visitor>
    OperationSweep(
        const Trace& trace, const EndTree& ends, Ns from, Visitor& visitor, const std::vector<bool>* kept = nullptr)
        : m_table(trace.operations)
        , m_kept(kept)
        , m_next(trace.streams.size())
        , m_cursors(trace.streams.size())
    {
        for (Row stream = 0; stream < m_cursors.size(); ++stream) {
            auto& cursor = m_cursors[stream];
            const auto rows = trace.operations_of(stream);
            const auto first = m_table.start.begin();
            cursor.next = static_cast<Row>(std::lower_bound(first + rows.begin, first + rows.end, from) - first);
            cursor.stop = rows.end;
            ends.each_after(rows.begin, cursor.next, from, [&](std::size_t row) {
                if (!is_kept(static_cast<Row>(row))) {
                    return;
                }
                visitor.open(static_cast<Row>(row), stream, from, cursor.open == no_row);
                add(cursor, static_cast<Row>(row));
            });
            look_for_next(cursor);
            m_next.set(stream, std::min(cursor.next_start, cursor.open_end));
        }
    }

    /// Everything that happens before `until`.
    template <class Visitor> void run(Ns until, Visitor& visitor)
    {
        while (m_next.time() < until) {
            const auto stream = static_cast<Row>(m_next.first());
            auto& cursor = m_cursors[stream];
            if (cursor.open_end <= cursor.next_start) {
                const Row row = cursor.open;
                const Ns time = cursor.open_end;
                drop_first(cursor);
                visitor.close(row, stream, time, cursor.open == no_row);
            } else {
                visitor.open(cursor.next, stream, cursor.next_start, cursor.open == no_row);
                add(cursor, cursor.next);
                ++cursor.next;
                look_ahead(cursor.next);
                look_for_next(cursor);
            }
            m_next.set(stream, std::min(cursor.next_start, cursor.open_end));
        }
    }
    /// Calls `take(row)` for every operation that is open.
    template <class Take> void each_open(Take take) const
    {
        for (const auto& cursor : m_cursors) {
            if (cursor.open != no_row) {
                take(cursor.open);
            }
            for (const auto& [end, row] : cursor.more) {
                take(row);
            }
        }
    }
    /// Calls `take(row)` for every operation without length at `time`, which is where run() ended.
    template <class Take> void each_instant(Ns time, Take take) const
    {
        for (const auto& cursor : m_cursors) {
            for (Row row = cursor.next; row < cursor.stop && m_table.start[row] == time && m_table.end[row] == time;
                 ++row) {
                if (is_kept(row)) {
                    take(row);
                }
            }
        }
    }
    /// The first operation of `stream` that did not begin yet; no_row: there is none.
    Row next_of(Row stream) const
    {
        return m_cursors[stream].next < m_cursors[stream].stop ? m_cursors[stream].next : no_row;
    }

private:
    struct Cursor {
        Row next = 0, stop = 0;
        Row open = no_row;  ///< the one that ends first
        Ns open_end = MergeTree::never, next_start = MergeTree::never;
        std::vector<std::pair<Ns, Row>> more;  ///< a heap of the others: few streams have any
    };
    bool is_kept(Row row) const { return m_kept == nullptr || (*m_kept)[row]; }
    void look_for_next(Cursor& cursor) const
    {
        while (cursor.next < cursor.stop && !is_kept(cursor.next)) {
            ++cursor.next;
        }
        cursor.next_start = cursor.next < cursor.stop ? m_table.start[cursor.next] : MergeTree::never;
    }
    /// The processor's own prefetching does not follow as many arrays as there are here.
    void look_ahead(Row row) const
    {
        const auto ahead = row + 16;
        if (ahead < m_table.size()) {
            __builtin_prefetch(m_table.start.data() + ahead);
            __builtin_prefetch(m_table.end.data() + ahead);
            __builtin_prefetch(m_table.kind.data() + ahead);
        }
    }
    void add(Cursor& cursor, Row row) const
    {
        std::pair other {m_table.end[row], row};
        if (other.first < cursor.open_end) {
            std::swap(other.first, cursor.open_end);
            std::swap(other.second, cursor.open);
        }
        if (other.second != no_row) {
            cursor.more.push_back(other);
            std::push_heap(cursor.more.begin(), cursor.more.end(), std::greater<>());
        }
    }
    static void drop_first(Cursor& cursor)
    {
        if (cursor.more.empty()) {
            cursor.open = no_row;
            cursor.open_end = MergeTree::never;
            return;
        }
        std::pop_heap(cursor.more.begin(), cursor.more.end(), std::greater<>());
        std::tie(cursor.open_end, cursor.open) = cursor.more.back();
        cursor.more.pop_back();
    }

    const OperationTable& m_table;
    const std::vector<bool>* m_kept;
    MergeTree m_next;
    std::vector<Cursor> m_cursors;
};

}  // namespace lanes
