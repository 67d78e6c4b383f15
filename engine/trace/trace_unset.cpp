// SPDX-License-Identifier: MIT
// Finds records whose time was never filled in: a 0 among times that do not begin there.
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

namespace lanes {

namespace {

constexpr Ns far = 1'000'000'000;  // distance of all other times from 0
constexpr Ns near = 1'000'000;

}  // namespace

/// Calls `use` with the records of each kind that has a time.
void TraceAssembly::each_timed(auto use)
{
    use(m_records.of<ApiCallRecord>());
    use(m_records.of<KernelRecord>());
    use(m_records.of<CopyRecord>());
    use(m_records.of<MemsetRecord>());
    use(m_records.of<SyncRecord>());
    use(m_records.of<OverheadRecord>());
    use(m_records.of<MemoryRecord>());
    use(m_records.of<CounterRecord>());
    use(m_records.of<HostSpanRecord>());
    use(m_records.of<ReadRecord>());
    use(m_records.of<StepRecord>());
    use(m_records.of<ErrorRecord>());
    use(m_records.of<RangeRecord>());
}

/// Whether the 0 of a record from 0 to `end` is no time. `first` and `last`: where the others begin.
bool TraceAssembly::is_unset(Ns end, bool moment, Ns first, Ns last) const
{
    if (last >= TraceRecords::since_1970 || end >= TraceRecords::since_1970) {
        return true;
    }
    const bool begins_at_0 = m_records.kept_origin || m_trace.source == Source::model
        || m_trace.source == Source::predicted || m_trace.source == Source::unknown;
    if (begins_at_0) {
        return false;
    }
    // A recording that begins at 0 goes on near it. An event without length is hardly the first one, least of all if
    // the file says what its 0 is: PyTorch writes 0 for all times before that.
    const Ns alone = first - end;  // nothing happened in this time
    const bool lonely = alone > last - first;
    return moment ? alone >= near && (lonely || m_records.base != 0) : alone >= far && lonely;
}

void TraceAssembly::leave_out_unset()
{
    Ns first = std::numeric_limits<Ns>::max();
    Ns last = std::numeric_limits<Ns>::min();
    bool any = false;
    each_timed([&]<class R>(const std::vector<R>& records) {
        for (const auto& record : records) {
            if constexpr (std::is_same_v<R, RangeRecord>) {
                if (record.edge == RangeRecord::finish) {
                    continue;
                }
            }
            const Ns time = begin_of(record);
            any = any || time == 0;
            if (time != 0 && is_sane(time)) {
                first = std::min(first, time);
                last = std::max(last, time);
            }
        }
    });
    if (!any || first > last) {
        return;
    }
    if (m_records.kept_origin
        && first >= TraceRecords::since_1970) {  // times of a file of ours that began at such a row
        m_origin = first;
    }
    each_timed([&]<class R>(std::vector<R>& records) {
        if constexpr (std::is_same_v<R, RangeRecord>) {
            leave_out_ranges(records, first, last);
        } else {
            const auto all = records.size();
            std::erase_if(records, [&](const R& record) {
                Ns end = 0;
                if constexpr (requires { record.end; }) {
                    end = std::max<Ns>(record.end, 0);
                }
                // Calls and operations that take no time are left out below, whatever the others are.
                return begin_of(record) == 0 && is_unset(end, false, first, last);
            });
            const auto left_out = all - records.size();
            (is_operation<R> ? m_untimed : m_timeless) += left_out;
        }
    });
}

/// Both edges of a range. The second usually follows the first at once.
void TraceAssembly::leave_out_ranges(std::vector<RangeRecord>& ranges, Ns first, Ns last)
{
    std::size_t kept = 0;
    bool with_begin = false;  // the edge before this one is a begin that was left out
    std::uint64_t id = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const auto r = ranges[i];
        const bool ends_last = r.edge == RangeRecord::finish && with_begin && r.id == id;
        const bool ended = r.edge == RangeRecord::begin && i + 1 < ranges.size()
            && ranges[i + 1].edge == RangeRecord::finish && ranges[i + 1].id == r.id
            && ranges[i + 1].process == r.process;
        // If a range ends elsewhere, its distance from the others is not known here.
        const Ns end = ended ? std::max<Ns>(ranges[i + 1].time, 0) : r.edge == RangeRecord::begin ? last : 0;
        const bool unset = r.time == 0 && !ends_last && is_unset(end, ended && end == 0, first, last);
        with_begin = unset && r.edge == RangeRecord::begin;
        id = r.id;
        m_timeless += unset ? 1 : 0;
        if (!unset && !ends_last) {
            ranges[kept++] = r;
        }
    }
    ranges.resize(kept);
}

}  // namespace lanes
