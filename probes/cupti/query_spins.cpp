// SPDX-License-Identifier: MIT
#include "probes/cupti/query_spins.h"

#include <algorithm>
#include <tuple>

namespace lanes {

namespace {

constexpr std::int32_t not_ready = 600;  // cudaErrorNotReady and CUDA_ERROR_NOT_READY

const auto lower = [](const auto& a, const auto& b) { return a.correlation < b.correlation; };

template <class T> const T* of_correlation(const std::vector<T>& sorted, std::uint32_t correlation)
{
    const auto found = std::lower_bound(
        sorted.begin(), sorted.end(), correlation, [](const T& a, std::uint32_t b) { return a.correlation < b; });
    return found == sorted.end() || found->correlation != correlation ? nullptr : &*found;
}

}  // namespace

bool is_query(ApiCallRecord::Api api, CUpti_CallbackId call)
{
    if (api == ApiCallRecord::runtime) {
        return call == CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020
            || call == CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020
            || call == CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_ptsz_v7000;
    }
    return call == CUPTI_DRIVER_TRACE_CBID_cuEventQuery || call == CUPTI_DRIVER_TRACE_CBID_cuStreamQuery
        || call == CUPTI_DRIVER_TRACE_CBID_cuStreamQuery_ptsz;
}

void QuerySpins::join(RecordBatch& batch)
{
    auto& calls = batch.of<ApiCallRecord>();
    if (m_queries.size() < 2) {
        calls.insert(calls.end(), m_queries.begin(), m_queries.end());
        m_queries.clear();
        return;
    }
    const auto earlier
        = [](const auto& a, const auto& b) { return std::tuple(a.thread, a.start) < std::tuple(b.thread, b.start); };
    for (const auto& call : calls) {
        m_others.push_back({call.thread, call.start});
    }
    std::sort(m_others.begin(), m_others.end(), earlier);
    std::sort(m_queries.begin(), m_queries.end(), earlier);
    for (const auto& sync : batch.of<SyncRecord>()) {
        m_asked.push_back({sync.correlation, sync.context, sync.stream, sync.event_id, sync.event_sync});
    }
    std::sort(m_asked.begin(), m_asked.end(), lower);
    for (auto first = m_queries.begin(); first != m_queries.end();) {
        auto last = first;
        while (std::next(last) != m_queries.end() && goes_on(*last, *std::next(last))) {
            ++last;
        }
        join({first, std::next(last)}, batch);
        first = std::next(last);
    }
    join_syncs(batch.of<SyncRecord>());
    m_queries.clear();
    m_asked.clear();
    m_others.clear();
    m_joined.clear();
}

const QuerySpins::Asked* QuerySpins::asked_by(const ApiCallRecord& query) const
{
    return of_correlation(m_asked, query.correlation);
}

bool QuerySpins::goes_on(const ApiCallRecord& query, const ApiCallRecord& next) const
{
    if (query.thread != next.thread || query.name != next.name || query.api != next.api || query.result != not_ready
        || next.start - query.end > most_between) {
        return false;
    }
    // If CUPTI says for neither what was asked, the names decide; if it says so for one alone, they differ.
    const auto *asked = asked_by(query), *then = asked_by(next);
    if ((asked == nullptr) != (then == nullptr)
        || (asked != nullptr
            && std::tie(asked->context, asked->stream, asked->event_id, asked->event_sync)
                != std::tie(then->context, then->stream, then->event_id, then->event_sync))) {
        return false;
    }
    return !is_disturbed(query, next);
}

/// Whether the thread began another call between the two, rather than inside one of them.
bool QuerySpins::is_disturbed(const ApiCallRecord& query, const ApiCallRecord& next) const
{
    const auto between = std::lower_bound(m_others.begin(), m_others.end(), std::tuple(query.thread, query.end),
        [](const Other& a, const std::tuple<std::uint32_t, Ns>& b) { return std::tuple(a.thread, a.start) < b; });
    return between != m_others.end() && between->thread == next.thread && between->start < next.start;
}

void QuerySpins::join(std::span<const ApiCallRecord> queries, RecordBatch& batch)
{
    auto call = queries.back();
    call.start = queries.front().start;
    batch.add(call);
    if (queries.size() == 1) {
        return;
    }
    for (const auto& query : queries) {
        m_joined.push_back({query.correlation, call.correlation, call.start});
    }
    batch.add(QuerySpinRecord {.start = call.start,
        .end = call.end,
        .process = call.process,
        .thread = call.thread,
        .correlation = call.correlation,
        .queries = static_cast<std::uint32_t>(queries.size()),
        .succeeded = call.result == 0  ? QuerySpinRecord::ready
            : call.result == not_ready ? QuerySpinRecord::pending
                                       : QuerySpinRecord::not_known});
}

void QuerySpins::join_syncs(std::vector<SyncRecord>& syncs) const
{
    if (m_joined.empty()) {
        return;
    }
    auto joined = m_joined;
    std::sort(joined.begin(), joined.end(), lower);
    syncs.erase(std::remove_if(syncs.begin(), syncs.end(),
                    [&joined](SyncRecord& sync) {
                        const auto* by = of_correlation(joined, sync.correlation);
                        if (by == nullptr) {
                            return false;
                        }
                        sync.start = std::min(sync.start, by->start);
                        return by->by != sync.correlation;
                    }),
        syncs.end());
}

}  // namespace lanes
