// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/overlap_levels.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t window_operations = 8192;
constexpr int digit_bits = 12;

/// Sorts by `bits` bits from the second on, with `spare` to work in.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare, int bits)
{
    const int passes = (bits + digit_bits - 1) / digit_bits;
    const int digit = passes > 0 ? (bits + passes - 1) / passes : 0;  // as few bits as this many passes allow
    const std::uint64_t mask = (1U << digit) - 1;
    std::array<std::uint32_t, 1U << digit_bits> at;
    spare.resize(keys.size());
    for (int pass = 0; pass < passes; ++pass) {
        const int shift = 1 + pass * digit;
        std::fill(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(mask) + 1, 0U);
        for (const std::uint64_t key : keys) {
            ++at[key >> shift & mask];
        }
        std::uint32_t before = 0;
        for (std::size_t i = 0; i <= mask; ++i) {
            before += std::exchange(at[i], before);
        }
        for (const std::uint64_t key : keys) {
            spare[at[key >> shift & mask]++] = key;
        }
        keys.swap(spare);
    }
}

}  // namespace

OverlapSweep::OverlapSweep(
    const Trace& trace, std::optional<std::uint32_t> device, const std::function<bool(Row)>& shown)
{
    const OperationTable& operations = trace.operations;
    m_united.reserve(trace.streams.size());
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const RowSpan span
            = device && trace.streams[stream].device != *device ? RowSpan() : trace.operations_of(stream);
        const Ns* start = operations.start.data() + span.begin;
        const Ns* end = operations.end.data() + span.begin;
        bool disjoint = !shown;
        for (std::size_t i = 1; i < span.size() && disjoint; ++i) {
            disjoint = end[i - 1] <= start[i];
        }
        if (disjoint && !span.empty()) {
            m_streams.push_back({start, end, span.size()});
        } else if (!span.empty()) {
            Times& united = m_united.emplace_back();
            for (std::size_t i = 0; i < span.size(); ++i) {
                if (shown && !shown(span.begin + static_cast<Row>(i))) {
                    continue;
                }
                if (!united.end.empty() && start[i] <= united.end.back()) {
                    united.end.back() = std::max(united.end.back(), end[i]);
                } else {
                    united.start.push_back(start[i]);
                    united.end.push_back(end[i]);
                }
            }
            if (united.start.empty()) {
                m_united.pop_back();
                continue;
            }
            m_streams.push_back({united.start.data(), united.end.data(), united.start.size()});
        }
    }
}

/// The sweep of one range: window after window, each halved until it holds few enough operations.
class OverlapSweep::Window {
public:
    Window(const OverlapSweep& sweep, Interval range, const std::stop_token& stop)
        : m_sweep(sweep)
        , m_stop(stop)
    {
        std::vector<RowRange> parts;
        for (const Stream& stream : sweep.m_streams) {
            parts.push_back(within(stream, {0, stream.size}, range));
        }
        halve(range, parts);
        change(range.end, 0);
    }
    OverlapLevels levels;

private:
    struct RowRange {
        std::size_t first, last;
    };

    static RowRange within(const Stream& stream, RowRange part, Interval range)
    {
        const auto first = std::partition_point(
            stream.end + part.first, stream.end + part.last, [&](Ns t) { return t <= range.start; });
        const auto last = std::partition_point(
            stream.start + (first - stream.end), stream.start + part.last, [&](Ns t) { return t < range.end; });
        return {static_cast<std::size_t>(first - stream.end), static_cast<std::size_t>(last - stream.start)};
    }

    void halve(Interval range, const std::vector<RowRange>& parts)
    {
        if (m_stop.stop_requested()) {
            return;
        }
        std::size_t count = 0;
        for (const RowRange& part : parts) {
            count += part.last - part.first;
        }
        const Ns middle = range.start + (range.end - range.start) / 2;
        if (count <= window_operations || middle == range.start) {
            sweep(range, parts);
            return;
        }
        for (const Interval half : {Interval {range.start, middle}, Interval {middle, range.end}}) {
            std::vector<RowRange> inside;
            inside.reserve(parts.size());
            for (std::size_t i = 0; i < parts.size(); ++i) {
                inside.push_back(within(m_sweep.m_streams[i], parts[i], half));
            }
            halve(half, inside);
        }
    }

    void sweep(Interval range, const std::vector<RowRange>& parts)
    {
        // A key is a time from the window's start, with a first bit that says whether something starts then.
        m_keys.clear();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const Stream& stream = m_sweep.m_streams[i];
            for (std::size_t k = parts[i].first; k < parts[i].last; ++k) {
                const Ns start = std::max(stream.start[k], range.start);
                const Ns end = stream.end[k];
                if (start < end) {
                    m_keys.push_back(static_cast<std::uint64_t>(start - range.start) << 1 | 1U);
                    if (end < range.end) {
                        m_keys.push_back(static_cast<std::uint64_t>(end - range.start) << 1);
                    }
                }
            }
        }
        radix_sort(
            m_keys, m_spare, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(range.end - range.start))));
        std::size_t level = 0;
        Ns at = range.start;
        for (const std::uint64_t key : m_keys) {
            const Ns time = range.start + static_cast<Ns>(key >> 1);
            if (time != at) {
                change(at, std::min(level, levels.size()));
                at = time;
            }
            level += (key & 1U) != 0 ? 1 : static_cast<std::size_t>(-1);
        }
        change(at, std::min(level, levels.size()));
    }

    /// From `time` on `level` streams are busy.
    void change(Ns time, std::size_t level)
    {
        for (; m_level < level; ++m_level) {
            m_since[m_level] = time;
        }
        for (; m_level > level; --m_level) {
            if (m_since[m_level - 1] < time) {
                levels[m_level - 1].push_back({m_since[m_level - 1], time});
            }
        }
    }

    const OverlapSweep& m_sweep;
    const std::stop_token& m_stop;
    std::vector<std::uint64_t> m_keys, m_spare;
    std::array<Ns, 3> m_since {};
    std::size_t m_level = 0;
};

OverlapLevels OverlapSweep::levels(Interval range, const std::stop_token& stop) const
{
    return range.start < range.end ? std::move(Window(*this, range, stop).levels) : OverlapLevels();
}

std::vector<Interval> OverlapSweep::stretches(Ns until, std::size_t parts) const
{
    std::vector<Interval> stretches;
    const auto largest = std::max_element(
        m_streams.begin(), m_streams.end(), [](const Stream& a, const Stream& b) { return a.size < b.size; });
    Ns from = 0;
    for (std::size_t i = 1; i < parts && largest != m_streams.end(); ++i) {
        const Ns cut = std::min(largest->start[largest->size * i / parts], until);
        if (cut > from) {
            stretches.push_back({from, cut});
            from = cut;
        }
    }
    if (from < until) {
        stretches.push_back({from, until});
    }
    return stretches;
}

void OverlapSweep::append(OverlapLevels& levels, OverlapLevels&& next)
{
    for (std::size_t i = 0; i < levels.size(); ++i) {
        auto from = next[i].begin();
        if (!levels[i].empty() && from != next[i].end() && levels[i].back().end == from->start) {
            levels[i].back().end = from->end;
            ++from;
        }
        levels[i].insert(levels[i].end(), from, next[i].end());
        next[i] = {};
    }
}

}  // namespace lanes
