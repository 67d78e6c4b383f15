// SPDX-License-Identifier: MIT
#include "engine/analysis/query/query_matcher.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/ascii.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <optional>

namespace lanes {

namespace {

using Node = Query::Node;

bool compared(Node::Comparison comparison, std::int64_t a, std::int64_t b)
{
    switch (comparison) {
    case Node::Comparison::less:
        return a < b;
    case Node::Comparison::at_most:
        return a <= b;
    case Node::Comparison::equal:
        return a == b;
    case Node::Comparison::unequal:
        return a != b;
    case Node::Comparison::at_least:
        return a >= b;
    case Node::Comparison::more:
        return a > b;
    }
    return false;
}

bool occurs(std::string_view lower_word, std::string_view text)
{
    return ascii::in_lower_case(text).find(lower_word) != std::string::npos;
}

/// "stream:7" is the stream 7, never 17; any other word occurs in the name.
bool is_called(std::string_view word, std::uint32_t id, std::string_view name)
{
    return ascii::is_all_digits(word) ? word == std::to_string(id) || word == ascii::in_lower_case(name)
                                      : occurs(word, name);
}

bool uses(const Node& node, Node::Is is, std::optional<QueryKind> kind)
{
    return (node.is == is && (!kind || node.kind == *kind))
        || std::any_of(node.parts.begin(), node.parts.end(), [&](const Node& part) { return uses(part, is, kind); });
}

bool flagged(const std::vector<std::uint8_t>& flags, std::uint32_t index)
{
    return index < flags.size() && flags[index] != 0;
}

}  // namespace

QueryMatcher::QueryMatcher(const Query& query, const Trace& trace, const Blocking* blocking)
    : m_trace(trace)
    , m_blocking(blocking)
    , m_all(query.empty())
{
    if (uses(query.root(), Is::kind, QueryKind::sync)) {
        for (const CallClass of : call_classes(trace)) {
            m_syncs.push_back(
                of == CallClass::stream_sync || of == CallClass::device_sync || of == CallClass::event_sync);
        }
    }
    if (uses(query.root(), Is::kind, QueryKind::communication) || uses(query.root(), Is::family, {})) {
        m_families.emplace(trace);
    }
    m_root = bind(query.root());
}

QueryMatcher::Term QueryMatcher::bind(const Node& node) const
{
    Term term;
    term.is = node.is;
    term.comparison = node.comparison;
    term.kind = node.kind;
    term.family = node.family;
    term.value = node.value;
    for (const Node& part : node.parts) {
        term.parts.push_back(bind(part));
    }
    if (node.is == Is::text || node.is == Is::name) {
        term.names.resize(m_trace.strings.size());
        for (StringId id = 0; id < term.names.size(); ++id) {
            term.names[id] = occurs(node.word, m_trace.text(id));
            term.any_name = term.any_name || term.names[id] != 0;
        }
        for (std::size_t kind = 0; kind < term.shown.size(); ++kind) {
            term.shown[kind] = name_of(static_cast<EventKind>(kind)).find(node.word) != std::string_view::npos;
        }
    }
    if (node.is == Is::text || node.is == Is::lane) {
        for (const Stream& stream : m_trace.streams) {
            term.streams.push_back(lane_text(m_trace, stream).find(node.word) != std::string::npos);
        }
        for (const Thread& thread : m_trace.threads) {
            term.threads.push_back(lane_text(m_trace, thread).find(node.word) != std::string::npos);
        }
    }
    if (node.is == Is::stream) {
        for (const Stream& stream : m_trace.streams) {
            term.streams.push_back(is_called(node.word, stream.id, m_trace.label_of(stream)));
        }
    }
    if (node.is == Is::thread) {
        for (const Thread& thread : m_trace.threads) {
            const bool main = thread.name == 0 && thread.order == 0;
            term.threads.push_back(is_called(node.word, thread.id, main ? "main thread" : m_trace.text(thread.name)));
        }
    }
    return term;
}

Ns QueryMatcher::blocked_time(EventRef event) const
{
    return m_blocking != nullptr && event.table == EventTable::calls ? m_blocking->time_of(event.row) : 0;
}

template <EventTable table> bool QueryMatcher::is_named(const Term& term, Row row) const
{
    if (term.any_name && term.names[name_of(m_trace, {table, row})] != 0) {
        return true;
    }
    if constexpr (table == EventTable::operations) {
        const OperationKind kind = m_trace.operations.kind[row];
        if (kind == OperationKind::kernel) {
            return term.any_name && term.names[m_trace.kernels[m_trace.operations.detail[row]].full_name] != 0;
        }
        return term.shown[static_cast<std::size_t>(kind)];
    }
    return false;
}

template <EventTable table> bool QueryMatcher::is_of(QueryKind kind, Row row) const
{
    if constexpr (table == EventTable::operations) {
        const OperationKind of = m_trace.operations.kind[row];
        if (kind == QueryKind::communication) {
            return m_families->of(m_trace, row) == Family::communication;
        }
        return kind == QueryKind::operation
            || (kind == QueryKind::copy ? is_copy(of) : static_cast<int>(kind) == static_cast<int>(of));
    } else if constexpr (table == EventTable::calls) {
        return kind == QueryKind::call || (kind == QueryKind::sync && flagged(m_syncs, m_trace.calls.name[row]))
            || (kind == QueryKind::blocked && blocked_time({table, row}) > 0);
    } else if constexpr (table == EventTable::ranges) {
        return kind == (m_trace.ranges[row].mark ? QueryKind::mark : QueryKind::range);
    } else if constexpr (table == EventTable::host_spans) {
        return kind == QueryKind::host;
    } else {
        return kind == QueryKind::host || kind == QueryKind::read;
    }
}

template <EventTable table> std::int64_t QueryMatcher::amount(Is is, Row row) const
{
    const EventRef event {table, row};
    const auto [start, end] = span_of(m_trace, event);
    return is == Is::start   ? start
        : is == Is::duration ? end - start
        : is == Is::blocked  ? blocked_time(event)
                             : static_cast<std::int64_t>(bytes_of(m_trace, event));
}

template <EventTable table> bool QueryMatcher::holds(const Term& term, Row row) const
{
    constexpr bool on_stream = table == EventTable::operations;
    switch (term.is) {
    case Is::all:
        return std::all_of(
            term.parts.begin(), term.parts.end(), [&](const Term& part) { return holds<table>(part, row); });
    case Is::any:
        return std::any_of(
            term.parts.begin(), term.parts.end(), [&](const Term& part) { return holds<table>(part, row); });
    case Is::none:
        return !holds<table>(term.parts.front(), row);
    case Is::text:
        return is_named<table>(term, row)
            || flagged(on_stream ? term.streams : term.threads, lane_of(m_trace, {table, row}));
    case Is::name:
        return is_named<table>(term, row);
    case Is::lane:
    case Is::stream:
    case Is::thread:
        return flagged(on_stream ? term.streams : term.threads, lane_of(m_trace, {table, row}));
    case Is::kind:
        return is_of<table>(term.kind, row);
    case Is::family:
        return on_stream && m_families->of(m_trace, row) == term.family;
    case Is::duration:
    case Is::bytes:
    case Is::start:
    case Is::blocked:
        return compared(term.comparison, amount<table>(term.is, row), term.value);
    }
    return false;
}

bool QueryMatcher::operation(Row row) const
{
    return m_all || holds<EventTable::operations>(m_root, row);
}

bool QueryMatcher::call(Row row) const
{
    return m_all || holds<EventTable::calls>(m_root, row);
}

bool QueryMatcher::range(Row row) const
{
    return m_all || holds<EventTable::ranges>(m_root, row);
}

bool QueryMatcher::host_span(Row row) const
{
    return m_all || holds<EventTable::host_spans>(m_root, row);
}

bool QueryMatcher::read(Row row) const
{
    return m_all || holds<EventTable::reads>(m_root, row);
}

bool QueryMatcher::matches(EventRef event) const
{
    switch (event.table) {
    case EventTable::none:
        return false;
    case EventTable::operations:
        return operation(event.row);
    case EventTable::calls:
        return call(event.row);
    case EventTable::ranges:
        return range(event.row);
    case EventTable::host_spans:
        return host_span(event.row);
    case EventTable::reads:
        return read(event.row);
    }
    return false;
}

std::string lane_text(const Trace& trace, const Stream& stream)
{
    return ascii::in_lower_case("gpu " + std::to_string(stream.device) + ' ' + std::string(trace.text(stream.name))
        + " stream " + std::to_string(stream.id));
}

std::string lane_text(const Trace& trace, const Thread& thread)
{
    const bool main = thread.name == 0 && thread.order == 0;
    return ascii::in_lower_case(
        "cpu " + (main ? "main" : std::string(trace.text(thread.name))) + " thread " + std::to_string(thread.id));
}

}  // namespace lanes
