// SPDX-License-Identifier: MIT
// Joins the queries that a thread makes one after the other while it polls.
//
// Each iteration of a loop around cudaEventQuery leaves an API call and a synchronisation, about
// 1.5 million of both a second (measured on an H100: 13,400 in 9 ms). All it says is that
// the thread asked from one time to another, until it was ready. Queries of one thread and
// one name about one event or stream, each but the last answered "not ready", with no
// other call between and no more than `most_between` from one to the next, become one
// ApiCallRecord, one SyncRecord and one QuerySpinRecord, all with the last query's
// correlation. Any other query stays as it is.
//
// Only queries of one CUPTI buffer are joined: a spin that a flush interrupts is
// in pieces, all of which but the last are `pending`.
#pragma once

#include "probes/cupti/record_batch.h"

#include <cupti.h>
#include <span>
#include <vector>

namespace lanes {

/// True of cudaEventQuery, cudaStreamQuery and the driver's.
bool is_query(ApiCallRecord::Api api, CUpti_CallbackId call);

/// Belongs to one thread at a time. Cost: nothing where a batch has fewer than two queries; else n log n in the
/// batch's API calls and synchronisations.
class QuerySpins {
public:
    static constexpr Ns most_between = 20'000;

    /// A query of the batch that the next join() gets.
    void add(const ApiCallRecord& query) { m_queries.push_back(query); }

    /// Puts what was added into `batch`, which has all its other records, joined where they spin; joined
    /// synchronisations leave the batch.
    void join(RecordBatch& batch);

private:
    struct Asked {
        std::uint32_t correlation;
        std::uint32_t context, stream, event_id, event_sync;
    };
    const Asked* asked_by(const ApiCallRecord& query) const;
    bool goes_on(const ApiCallRecord& query, const ApiCallRecord& next) const;
    bool is_disturbed(const ApiCallRecord& query, const ApiCallRecord& next) const;
    void join(std::span<const ApiCallRecord> queries, RecordBatch& batch);
    void join_syncs(std::vector<SyncRecord>& syncs) const;

    std::vector<ApiCallRecord> m_queries;
    std::vector<Asked> m_asked;  ///< by correlation
    struct Other {
        std::uint32_t thread;
        Ns start;
    };
    std::vector<Other> m_others;  ///< the starts of all other calls, by thread
    struct Joined {
        std::uint32_t correlation, by;
        Ns start;  ///< of the whole spin
    };
    std::vector<Joined> m_joined;  ///< by correlation
};

}  // namespace lanes
