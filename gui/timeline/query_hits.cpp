// SPDX-License-Identifier: MIT
#include "gui/timeline/query_hits.h"

#include <algorithm>
#include <bit>

namespace lanes::gui {

std::size_t RowFlags::next(std::size_t row, std::size_t end) const
{
    if (row >= end) {
        return end;
    }
    std::size_t word = row / 64;
    std::uint64_t rest = word < m_words.size() ? m_words[word] & (~std::uint64_t {0} << row % 64) : 0;
    const std::size_t words = std::min(m_words.size(), (end + 63) / 64);
    while (rest == 0) {
        if (++word >= words) {
            return end;
        }
        rest = m_words[word];
    }
    return std::min(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)), end);
}

QueryHits::QueryHits(RecordingPtr recording, const Query& query, const std::atomic<bool>& cancelled)
    : m_recording(std::move(recording))
{
    constexpr Row slice = 1U << 15U;
    const Trace& trace = *m_recording->trace;
    const QueryMatcher matcher(query, trace, m_recording->blocking.get());
    const auto flag = [&](ItemKind kind, std::size_t rows) -> RowFlags& {
        return m_flags[static_cast<std::size_t>(kind)] = RowFlags(rows);
    };
    RowFlags& operations = flag(ItemKind::operation, trace.operations.size());
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        List list {ItemKind::operation, {}};
        const RowSpan rows = trace.operations_of(stream);
        for (Row row = rows.begin; row < rows.end; ++row) {
            if (row % slice == 0 && cancelled) {
                return;
            }
            if (matcher.operation(row)) {
                list.rows.push_back(row);
                operations.set(row);
            }
        }
        m_size += list.rows.size();
        if (!list.rows.empty()) {
            m_lists.push_back(std::move(list));
        }
    }
    const auto look = [&](ItemKind kind, std::size_t count, auto thread, auto matches) {
        RowFlags& flags = flag(kind, count);
        const std::size_t first = m_lists.size();
        m_lists.resize(first + trace.threads.size() + 1, {kind, {}});
        for (Row row = 0; row < count; ++row) {
            if (row % slice == 0 && cancelled) {
                return;
            }
            if (matches(row)) {
                m_lists[first + std::min<std::size_t>(thread(row), trace.threads.size())].rows.push_back(row);
                flags.set(row);
                ++m_size;
            }
        }
        std::erase_if(m_lists, [](const List& list) { return list.rows.empty(); });
    };
    const auto of = [](const auto& table) { return [&table](Row row) { return table[row].thread; }; };
    const CallTable& calls = trace.calls;
    look(
        ItemKind::call, calls.size(), [&](Row row) { return calls.thread[row]; },
        [&](Row row) { return calls.outer[row] == no_row && matcher.call(row); });
    look(ItemKind::range, trace.ranges.size(), of(trace.ranges), [&](Row row) { return matcher.range(row); });
    look(ItemKind::hostSpan, trace.host_spans.size(), of(trace.host_spans),
        [&](Row row) { return matcher.host_span(row); });
    look(ItemKind::read, trace.reads.size(), of(trace.reads), [&](Row row) { return matcher.read(row); });
}

bool QueryHits::contains(ItemRef item) const
{
    return item && flags(item.kind)[item.row];
}

Ns QueryHits::startOf(const List& list, std::size_t at) const
{
    return spanOf(*m_recording, {list.kind, list.rows[at]}).start;
}

std::size_t QueryHits::countBefore(const List& list, Ns time, bool withEqual) const
{
    const auto at = std::partition_point(list.rows.begin(), list.rows.end(), [&](Row row) {
        const Ns start = spanOf(*m_recording, {list.kind, row}).start;
        return withEqual ? start <= time : start < time;
    });
    return static_cast<std::size_t>(at - list.rows.begin());
}

std::optional<QueryHits::Place> QueryHits::find(ItemRef hit) const
{
    if (!contains(hit)) {
        return {};
    }
    for (std::size_t i = 0; i < m_lists.size(); ++i) {
        if (m_lists[i].kind != hit.kind) {
            continue;
        }
        // Tables are sorted by start, those of a stream too, so rows of a list ascend.
        const auto& rows = m_lists[i].rows;
        const auto at = std::lower_bound(rows.begin(), rows.end(), hit.row);
        if (at != rows.end() && *at == hit.row) {
            return Place {i, static_cast<std::size_t>(at - rows.begin())};
        }
    }
    return {};
}

template <class PlaceOf>
ItemRef QueryHits::earliest(PlaceOf placeOf) const
{
    std::optional<Place> best;
    for (std::size_t i = 0; i < m_lists.size(); ++i) {
        const std::size_t at = placeOf(i);
        if (at < m_lists[i].rows.size()
            && (!best || startOf(m_lists[i], at) < startOf(m_lists[best->list], best->at))) {
            best = Place {i, at};
        }
    }
    return best ? itemAt(*best) : ItemRef {};
}

template <class PlaceOf>
ItemRef QueryHits::latestBefore(PlaceOf placeOf) const
{
    std::optional<Place> best;
    for (std::size_t i = 0; i < m_lists.size(); ++i) {
        const std::size_t count = placeOf(i);
        if (count > 0 && (!best || startOf(m_lists[i], count - 1) >= startOf(m_lists[best->list], best->at))) {
            best = Place {i, count - 1};
        }
    }
    return best ? itemAt(*best) : ItemRef {};
}

ItemRef QueryHits::from(Ns time) const
{
    return earliest([&](std::size_t i) { return countBefore(m_lists[i], time, false); });
}

ItemRef QueryHits::before(Ns time) const
{
    return latestBefore([&](std::size_t i) { return countBefore(m_lists[i], time, false); });
}

ItemRef QueryHits::next(ItemRef hit) const
{
    const auto here = find(hit);
    if (!here) {
        return {};
    }
    const Ns start = startOf(m_lists[here->list], here->at);
    return earliest([&](std::size_t i) {
        return i == here->list ? here->at + 1 : countBefore(m_lists[i], start, i < here->list);
    });
}

ItemRef QueryHits::previous(ItemRef hit) const
{
    const auto here = find(hit);
    if (!here) {
        return {};
    }
    const Ns start = startOf(m_lists[here->list], here->at);
    return latestBefore([&](std::size_t i) {
        return i == here->list ? here->at : countBefore(m_lists[i], start, i < here->list);
    });
}

std::size_t QueryHits::rank(ItemRef hit) const
{
    const auto here = find(hit);
    if (!here) {
        return 0;
    }
    const Ns start = startOf(m_lists[here->list], here->at);
    std::size_t rank = 0;
    for (std::size_t i = 0; i < m_lists.size(); ++i) {
        rank += i == here->list ? here->at : countBefore(m_lists[i], start, i < here->list);
    }
    return rank;
}

std::vector<bool> QueryHits::columns(Ns from, double ns, std::size_t count) const
{
    std::vector<bool> hit(count);
    for (const List& list : m_lists) {
        for (std::size_t at = 0; at < list.rows.size();) {
            const auto column = static_cast<std::size_t>(std::max(0.0, static_cast<double>(startOf(list, at) - from) / ns));
            if (column >= count) {
                break;
            }
            hit[column] = true;
            // The first hit beyond this column: by steps that double, then by halving.
            const Ns end = from + static_cast<Ns>(static_cast<double>(column + 1) * ns);
            std::size_t step = 1;
            std::size_t low = at;
            while (low + step < list.rows.size() && startOf(list, low + step) < end) {
                low += step;
                step *= 2;
            }
            std::size_t high = std::min(low + step, list.rows.size());
            while (low + 1 < high) {
                const std::size_t middle = low + (high - low) / 2;
                (startOf(list, middle) < end ? low : high) = middle;
            }
            at = high;
        }
    }
    return hit;
}

}  // namespace lanes::gui
