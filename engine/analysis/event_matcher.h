// SPDX-License-Identifier: MIT
// A query bound to a recording: says of every event whether it is asked for.
//
// Invariant: constant once made; may be asked from several threads. The trace and the blocking must outlive it.
// Cost: to make, one look at every distinct name for each word of the query; to ask, a few ns, whatever the words.
#pragma once

#include "engine/analysis/blocking.h"
#include "engine/analysis/event_query.h"
#include "engine/trace/trace.h"

#include <array>
#include <utility>
#include <vector>

namespace lanes {

/// The tables of a Trace whose rows can be asked for.
enum class EventTable : std::uint8_t { operations, calls, ranges, host_spans, reads };

struct EventRef {
    EventTable table = EventTable::operations;
    Row row = no_row;
    friend bool operator==(const EventRef&, const EventRef&) = default;
};

class EventMatcher {
public:
    /// Without `blocking` no call was blocked.
    EventMatcher(const EventQuery& query, const Trace& trace, const Blocking* blocking = nullptr);

    /// Every event matches.
    bool all() const { return m_all; }

    bool matches(EventRef event) const;
    bool operation(Row row) const;
    bool call(Row row) const;
    bool range(Row row) const;
    bool host_span(Row row) const;
    bool read(Row row) const;

private:
    using Is = EventQuery::Node::Is;
    /// A node of the query with what is known of the recording's texts.
    struct Term {
        Is is = Is::all;
        EventQuery::Node::Comparison comparison = EventQuery::Node::Comparison::equal;
        EventClass kind = EventClass::kernel;
        std::int64_t value = 0;
        std::vector<std::uint8_t> names;  ///< by StringId: the word occurs in it
        std::array<bool, 7> shown {};  ///< by OperationKind: the word occurs in "H2D", "D2H", …
        bool any_name = false;
        std::vector<std::uint8_t> streams, threads;  ///< by row
        std::vector<Term> parts;
    };
    template <EventTable table> bool holds(const Term& term, Row row) const;
    template <EventTable table> bool is_named(const Term& term, Row row) const;
    template <EventTable table> bool is_of(EventClass kind, Row row) const;
    template <EventTable table> std::int64_t amount(Is is, Row row) const;
    Ns blocked_for(Row call) const;
    Term bind(const EventQuery::Node& node) const;

    const Trace& m_trace;
    std::vector<std::pair<Row, Ns>> m_blocked;  // by call, where the query asks for it
    std::vector<std::uint8_t> m_syncs;  // by StringId: the call of this name synchronises
    bool m_all;
    Term m_root;
};

/// What a stream or a thread is called and numbered, in lower case: where lane: and words are sought.
std::string lane_text(const Trace& trace, const Stream& stream);
std::string lane_text(const Trace& trace, const Thread& thread);

/// The streams and threads (by row) that have at least one event that matches. Linear in the events at worst.
struct LanesWithMatches {
    std::vector<bool> streams, threads;
};
LanesWithMatches lanes_with_matches(const Trace& trace, const EventMatcher& matcher);

}  // namespace lanes
