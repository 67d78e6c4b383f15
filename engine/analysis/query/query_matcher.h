// SPDX-License-Identifier: MIT
// A query bound to a recording: says whether an event matches.
//
// Invariant: constant once made; may be asked from several threads. The trace and the blocking must outlive it.
// Cost: to make, one look at every distinct name for each word of the query; to ask, a few ns, whatever the words.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/facts/families.h"
#include "engine/analysis/query/query.h"
#include "engine/trace/event_ref.h"

#include <array>
#include <optional>
#include <vector>

namespace lanes {

class QueryMatcher {
public:
    /// Without `blocking` no call was blocked.
    QueryMatcher(const Query& query, const Trace& trace, const Blocking* blocking = nullptr);

    /// Every event matches.
    bool all() const { return m_all; }

    bool matches(EventRef event) const;
    bool operation(Row row) const;
    bool call(Row row) const;
    bool range(Row row) const;
    bool host_span(Row row) const;
    bool read(Row row) const;

private:
    using Is = Query::Node::Is;
    /// A node of the query, with its matches among the recording's texts.
    struct Term {
        Is is = Is::all;
        Query::Node::Comparison comparison = Query::Node::Comparison::equal;
        QueryKind kind = QueryKind::kernel;
        Family family = Family::other;
        std::int64_t value = 0;
        std::vector<std::uint8_t> names;  ///< by StringId: the word occurs in it
        std::array<bool, 7> shown {};  ///< by OperationKind: the word occurs in "H2D", "D2H", …
        bool any_name = false;
        std::vector<std::uint8_t> streams, threads;  ///< by row
        std::vector<Term> parts;
    };
    template <EventTable table> bool holds(const Term& term, Row row) const;
    template <EventTable table> bool is_named(const Term& term, Row row) const;
    template <EventTable table> bool is_of(QueryKind kind, Row row) const;
    template <EventTable table> std::int64_t amount(Is is, Row row) const;
    Ns blocked_time(EventRef event) const;
    Term bind(const Query::Node& node) const;

    const Trace& m_trace;
    const Blocking* m_blocking;
    std::optional<OperationFamilies> m_families;  // only if the query asks for them
    std::vector<std::uint8_t> m_syncs;  // by StringId: the call of this name synchronises
    bool m_all;
    Term m_root;
};

/// Name and number of a stream or a thread, in lower case: lane: and words are searched in it.
std::string lane_text(const Trace& trace, const Stream& stream);
std::string lane_text(const Trace& trace, const Thread& thread);

}  // namespace lanes
