// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/range_index.h"

#include "engine/analysis/figures/busy_levels.h"
#include "engine/analysis/figures/operation_sweep.h"

#include <algorithm>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t operations_a_checkpoint = 512;
constexpr std::size_t stretches_a_checkpoint = 16;
constexpr std::size_t all_copies = 7;

/// The part of `bytes` that an operation of `length` moves in `time` of it, rounded down.
std::uint64_t share_of(std::uint64_t bytes, Ns time, Ns length)
{
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(
        static_cast<Wide>(bytes) * static_cast<std::uint64_t>(time) / static_cast<std::uint64_t>(length));
}

}  // namespace

/// Sums that each start and end of an operation updates.
class RangeIndex::Summing {
public:
    Summing(const Trace& trace, Ns from, const Sums& before)
        : m_trace(trace)
        , m_before(before)
        , m_levels(from)
        , m_from(from)
        , m_last_start(from)
    {
    }
    void open(Row row, Row /*stream*/, Ns time, bool first)
    {
        const auto kind = m_trace.operations.kind[row];
        const auto at = static_cast<std::size_t>(kind);
        m_levels.open(kind, time, first);
        m_last_start = time;
        if (m_trace.operations.start[row] >= m_from) {
            ++m_before.started[at];
            m_before.bytes[at] += m_trace.bytes_of(row);
        }
    }
    void close(Row row, Row /*stream*/, Ns time, bool last)
    {
        m_levels.close(m_trace.operations.kind[row], time, last);
    }
    Ns last_start() const { return m_last_start; }
    Sums sums_at(Ns time)
    {
        m_levels.move_to(time);
        auto sums = m_before;
        m_levels.each([&](BusyState state, Ns spent) {
            for (std::uint32_t least = 0; least < state.streams(); ++least) {
                sums.at_least[least] += spent;
            }
            for (std::size_t kind = 0; kind < all_copies; ++kind) {
                sums.busy[kind] += state.has(static_cast<OperationKind>(kind)) ? spent : 0;
            }
            sums.busy[all_copies] += state.has_copy() ? spent : 0;
        });
        return sums;
    }

private:
    const Trace& m_trace;
    Sums m_before;
    BusyLevels m_levels;
    Ns m_from, m_last_start;
};

RangeIndex::RangeIndex(const Trace& trace, const Blocking& blocking, const Progress& progress)
    : m_trace(trace)
    , m_blocking(blocking)
    , m_bounds(std::make_shared<const RecordingBounds>(trace, blocking))
{
    add_all(progress);
}

RangeIndex::RangeIndex(const RangeIndex& whole, Kept kept, const Progress& progress)
    : m_trace(whole.m_trace)
    , m_blocking(whole.m_blocking)
    , m_bounds(whole.m_bounds)
    , m_kept(std::move(kept))
{
    add_all(progress);
}

void RangeIndex::add_all(const Progress& progress)
{
    progress.report(0);
    add_operations(progress);
    add_blocked();
    progress.report(1);
}

void RangeIndex::add_operations(const Progress& progress)
{
    /// A checkpoint is before the first operation that begins at its time.
    struct Builder {
        RangeIndex& index;
        const Progress& progress;
        Summing summing;
        std::size_t since = 0;

        void open(Row row, Row stream, Ns time, bool first)
        {
            if (since >= operations_a_checkpoint && time > summing.last_start()) {
                since = 0;
                index.m_checkpoints.push_back({time, summing.sums_at(time)});
                if (index.m_checkpoints.size() % 64 == 0) {
                    progress.report(static_cast<double>(index.m_checkpoints.size() * operations_a_checkpoint)
                        / static_cast<double>(index.m_trace.operations.size() + 64 * operations_a_checkpoint));
                }
            }
            ++since;
            summing.open(row, stream, time, first);
        }
        void close(Row row, Row stream, Ns time, bool last) { summing.close(row, stream, time, last); }
    };
    m_checkpoints.reserve(m_trace.operations.size() / operations_a_checkpoint + 1);
    m_checkpoints.push_back({0, {}});
    Builder builder {*this, progress, Summing(m_trace, 0, {})};
    OperationSweep(m_trace, m_bounds->operations, 0, builder, kept_operations()).run(m_trace.duration, builder);
}

void RangeIndex::add_blocked()
{
    m_blocked.resize(m_trace.threads.size());
    std::vector<Interval> last(m_blocked.size(), {0, 0});  // of each thread as in its checkpoints
    for (Row row = 0; row < m_blocking.calls.size(); ++row) {
        const auto& stretch = m_blocking.calls[row];
        const Row thread = m_trace.calls.thread[stretch.call];
        const Ns start = std::max<Ns>(stretch.start, 0);
        if (thread == no_row || stretch.end <= start || (m_kept && !m_kept->calls[stretch.call])) {
            continue;
        }
        auto& of = m_blocked[thread];
        auto& [length, until] = last[thread];
        if (of.stretches.size() % stretches_a_checkpoint == 0) {
            of.checkpoints.push_back({length, until});
        }
        of.stretches.push_back(row);
        length += std::max<Ns>(0, stretch.end - std::max(start, until));
        until = std::max(until, stretch.end);
    }
    for (auto& of : m_blocked) {
        of.stretches.shrink_to_fit();
        of.checkpoints.shrink_to_fit();
    }
}

RangeIndex::SumsAt RangeIndex::at(Ns time) const
{
    const auto after = std::upper_bound(m_checkpoints.begin(), m_checkpoints.end(), time,
        [](Ns t, const Checkpoint& checkpoint) { return t < checkpoint.time; });
    const auto& checkpoint = *(after - 1);
    Summing summing(m_trace, checkpoint.time, checkpoint.sums);
    OperationSweep sweep(m_trace, m_bounds->operations, checkpoint.time, summing, kept_operations());
    sweep.run(time, summing);
    SumsAt moment {summing.sums_at(time)};
    const auto& table = m_trace.operations;
    sweep.each_open([&](Row row) {
        const auto kind = static_cast<std::size_t>(table.kind[row]);
        if (table.end[row] > time) {
            ++moment.open[kind];
            const auto bytes = m_trace.bytes_of(row);
            moment.sums.bytes[kind]
                -= bytes - share_of(bytes, time - table.start[row], table.end[row] - table.start[row]);
        }
    });
    sweep.each_instant(time, [&](Row row) { ++moment.instants[static_cast<std::size_t>(table.kind[row])]; });
    return moment;
}

RangeSummary RangeIndex::summary(Interval range) const
{
    RangeSummary summary;
    const Ns start = std::clamp<Ns>(range.start, 0, m_trace.duration);
    const Ns end = std::clamp<Ns>(range.end, start, m_trace.duration);
    summary.range = {start, end};
    if (start == end) {
        return summary;
    }
    const auto from = at(start);
    const auto to = at(end);
    for (std::size_t i = 0; i < summary.at_least.size(); ++i) {
        summary.at_least[i] = to.sums.at_least[i] - from.sums.at_least[i];
    }
    for (std::size_t kind = 0; kind < summary.kinds.size(); ++kind) {
        auto& of = summary.kinds[kind];
        of.count = from.open[kind] + to.sums.started[kind] - from.sums.started[kind] + to.instants[kind];
        of.busy = to.sums.busy[kind] - from.sums.busy[kind];
        of.bytes = to.sums.bytes[kind] - from.sums.bytes[kind];
        if (is_copy(static_cast<OperationKind>(kind))) {
            summary.copies.count += of.count;
            summary.copies.bytes += of.bytes;
        }
    }
    summary.copies.busy = to.sums.busy[all_copies] - from.sums.busy[all_copies];
    return summary;
}

Ns RangeIndex::blocked_before(const ThreadBlocked& of, Ns time) const
{
    // All stretches begin before `time`, so the part of their union after it has no gaps.
    const auto next = std::lower_bound(
        of.stretches.begin(), of.stretches.end(), time, [&](Row row, Ns t) { return m_blocking.calls[row].start < t; });
    const auto count = static_cast<std::size_t>(next - of.stretches.begin());
    if (count == 0) {
        return 0;
    }
    auto i = (count - 1) / stretches_a_checkpoint;
    auto [length, until] = of.checkpoints[i];
    for (i *= stretches_a_checkpoint; i < count; ++i) {
        const auto& stretch = m_blocking.calls[of.stretches[i]];
        length += std::max<Ns>(0, stretch.end - std::max({Ns {0}, stretch.start, until}));
        until = std::max(until, stretch.end);
    }
    return length - std::max<Ns>(0, until - time);
}

std::optional<Ns> RangeIndex::blocked(Row thread, Interval range) const
{
    if (!m_blocking.knows(thread)) {
        return {};
    }
    const Ns start = std::clamp<Ns>(range.start, 0, m_trace.duration);
    const Ns end = std::clamp<Ns>(range.end, start, m_trace.duration);
    return blocked_before(m_blocked[thread], end) - blocked_before(m_blocked[thread], start);
}

std::size_t RangeIndex::bytes() const
{
    std::size_t sum = m_bounds->bytes() + m_checkpoints.capacity() * sizeof(Checkpoint);
    sum += m_kept ? (m_kept->operations.capacity() + m_kept->calls.capacity()) / 8 : 0;
    for (const auto& of : m_blocked) {
        sum += of.stretches.capacity() * sizeof(Row) + of.checkpoints.capacity() * sizeof(Interval);
    }
    return sum;
}

}  // namespace lanes
