// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/why.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/words/names.h"
#include "engine/analysis/words/shown.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <map>

namespace lanes {

namespace {

constexpr Ns long_part = 1'000'000;  // ns; parts this long have a separate line
constexpr Ns large_part = 20;  // so have those of this part of the whole chain
constexpr std::size_t least_sequence = 4;  // fewer operations have a line each

/// What a thread does from one wait to the next.
struct ThreadPart {
    Row thread = no_row;
    Interval span;
    EventRef last;  ///< what it did last
    std::size_t calls = 0;
    Ns in_calls = 0, work = 0, handover = 0, between = 0;
};

Message thread_line(const Trace& trace, const ThreadPart& part)
{
    Message message;
    if (part.calls == 1 && part.last.table == EventTable::calls && part.work == 0) {
        message = {"why.call", {{"call", std::string(trace.text(name_of(trace, part.last)))}}};
    } else if (part.calls == 0 && part.work == 0 && part.handover == 0) {
        message = {"why.between", {}};
    } else {
        Message list;
        const auto add = [&](const char* id, Ns time) {
            if (time > 0) {
                Message item {id, {{"calls", std::to_string(part.calls)}, {"time", shown_time(time)}}};
                if (list.empty()) {
                    list = item;
                } else {
                    list = Message {"why.list", {}, {{"some", list}, {"last", item}}};
                }
            }
        };
        add("why.of_calls", part.in_calls);
        add("why.of_work", part.work + part.handover);
        add("why.of_between", part.between);
        message = {"why.thread", {}, {{"list", list}}};
    }
    message.parts.push_back({"thread", thread_message(trace, part.thread)});
    return message;
}

/// From the inside out: "aten::addmm, fc1: Linear, train.py:42".
std::string owner_words(const Owners& owners, const Owner& owner)
{
    std::string words;
    for (const auto part : owner_parts) {
        const auto text = owners.text(owner, part);
        // The name of a range of the program may have the line in it.
        if (!text.empty()
            && (part != OwnerPart::line || owner.of(part) == no_row || owner.of(part) != owner.of(OwnerPart::range))) {
            words += (words.empty() ? "" : ", ") + std::string(text);
        }
    }
    return words;
}

/// A line for time in which nothing is recorded of a thread, with the program's name for it.
Message between_line(const Graph& graph, const PathPart& part)
{
    const auto& trace = graph.trace();
    const auto& ranges = graph.ranges();
    if (auto sampled = python_message(graph, "why.between_sampled", python_places(graph, std::vector {part}))) {
        sampled->parts.push_back({"thread", thread_message(trace, part.thread)});
        return *sampled;
    }
    Message message {"why.between", {}, {{"thread", thread_message(trace, part.thread)}}};
    if (const Row range = ranges.around(part.thread, part.span); range != no_row) {
        const bool own = trace.ranges[range].thread == part.thread;
        message.id = own ? "why.between_in" : "why.between_beside";
        message.parts.push_back({"other", thread_message(trace, trace.ranges[range].thread)});
        message.arguments.emplace_back("range", std::string(trace.text(trace.ranges[range].name)));
    }
    return message;
}

Message held_line(const Graph& graph, Row call, Row thread, Ns time)
{
    const auto& trace = graph.trace();
    return {"why.held", {{"call", std::string(trace.text(trace.calls.name[call]))}, {"time", shown_time(time)}},
        {{"thread", thread_message(trace, thread)}}};
}

/// Operations that follow one another on their stream, each waiting only for the one before it.
struct Sequence {
    std::size_t parts = 0;  ///< of the path, with the delays between operations
    std::size_t operations = 0;
    Ns start = 0;
};

class Lines {
public:
    Lines(const Graph& graph, const std::vector<PathPart>& parts)
        : m_graph(graph)
        , m_trace(graph.trace())
        , m_parts(parts)
    {
        const Ns whole = parts.empty() ? 0 : parts.front().span.end - parts.back().span.start;
        m_worth_a_line = std::min(long_part, std::max(ordinary_call, whole / large_part));
    }

    std::vector<WhyLine> make()
    {
        for (std::size_t i = 0; i < m_parts.size();) {
            const auto sequence = sequence_from(i);
            if (sequence.operations >= least_sequence) {
                add_sequence(i, sequence);
                i += sequence.parts;
            } else {
                add(i++);
            }
        }
        end_thread();
        return std::move(m_lines);
    }

private:
    Sequence sequence_from(std::size_t first) const;
    void add_sequence(std::size_t first, const Sequence& sequence);
    void add(std::size_t i);
    void add_operation(const PathPart& part);
    void add_to_thread(const PathPart& part);

    void add_line(const PathPart& part, Message text)
    {
        end_thread();
        m_lines.push_back({part.span, std::move(text), part.event});
    }

    void end_thread()
    {
        if (m_thread.thread != no_row) {
            m_lines.push_back({m_thread.span, thread_line(m_trace, m_thread), m_thread.last});
        }
        m_thread = {};
    }

    const Graph& m_graph;
    const Trace& m_trace;
    const std::vector<PathPart>& m_parts;
    Ns m_worth_a_line = 0;
    std::vector<WhyLine> m_lines;
    ThreadPart m_thread;
};

Sequence Lines::sequence_from(std::size_t first) const
{
    const auto& ops = m_trace.operations;
    Sequence found;
    for (std::size_t i = first; i < m_parts.size(); ++i) {
        const auto& part = m_parts[i];
        const bool delay = part.kind == PathPart::step && found.operations > 0;
        if (!delay) {
            const Row row = part.event.row;
            if (part.kind != PathPart::operation || part.span.end - part.span.start >= m_worth_a_line
                || m_graph.starts().cause(row) != StartCause::stream || m_graph.partner_of(row) != no_row
                || ops.stream[row] != ops.stream[m_parts[first].event.row]) {
                break;
            }
            ++found.operations;
        }
        found.parts = i + 1 - first;
        found.start = part.span.start;
    }
    return found;
}

/// One line, which names what took most of the time.
void Lines::add_sequence(std::size_t first, const Sequence& sequence)
{
    struct Sum {
        Row operation = no_row;
        std::size_t count = 0;
        Ns time = 0;
    };
    std::map<std::pair<OperationKind, StringId>, Sum> sums;
    const auto& ops = m_trace.operations;
    for (std::size_t i = first; i < first + sequence.parts; ++i) {
        if (m_parts[i].kind == PathPart::operation) {
            const Row row = m_parts[i].event.row;
            auto& sum = sums[{ops.kind[row], ops.name[row]}];
            sum.operation = row;
            ++sum.count;
            sum.time += m_parts[i].span.end - m_parts[i].span.start;
        }
    }
    const auto most = std::max_element(
        sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.second.time < b.second.time; });
    const auto kind = ops.kind[most->second.operation];
    Message what {"kind." + std::string(name_of(kind_of(kind))), {}};
    if (kind == OperationKind::kernel) {
        what = {"why.kernel_named", {{"name", std::string(m_trace.text(ops.name[most->second.operation]))}}};
    }
    Message text {sums.size() == 1 ? "why.sequence_alike" : "why.sequence",
        {{"operations", std::to_string(sequence.operations)},
            {"stream", stream_label(m_trace, ops.stream[most->second.operation])},
            {"count", std::to_string(most->second.count)}, {"time", shown_time(most->second.time)}},
        {{"what", what}}};
    add_line(m_parts[first], std::move(text));
    m_lines.back().span.start = sequence.start;
}

void Lines::add_operation(const PathPart& part)
{
    const Row row = part.event.row;
    const Row partner = m_graph.partner_of(row);
    Message message;
    if (partner != no_row && part.span.start == m_trace.operations.start[partner]) {
        message = {"why.partner", {}};
        message.parts = {{"what", operation_message(m_trace, row)}, {"other", operation_message(m_trace, partner)},
            {"why", start_message(m_graph, partner)}};
    } else {
        message = {"why.operation", {}};
        message.parts = {{"what", operation_message(m_trace, row)}, {"why", start_message(m_graph, row)}};
        if (const auto owner = m_graph.owners().of(row)) {
            message.id = owner.from == Owner::From::capture ? "why.operation_captured" : "why.operation_launched";
            message.arguments.emplace_back("owner", owner_words(m_graph.owners(), owner));
        }
    }
    add_line(part, std::move(message));
}

void Lines::add_to_thread(const PathPart& part)
{
    if (m_thread.thread != part.thread) {
        end_thread();
        m_thread.thread = part.thread;
        m_thread.span = part.span;
        m_thread.last = part.event;
    }
    m_thread.span.start = part.span.start;
    m_thread.last = m_thread.last ? m_thread.last : part.event;
    const Ns time = part.span.end - part.span.start;
    switch (part.kind) {
    case PathPart::call:
        ++m_thread.calls;
        m_thread.in_calls += time;
        break;
    case PathPart::work:
        m_thread.work += time;
        break;
    case PathPart::handover:
        m_thread.handover += time;
        break;
    default:
        m_thread.between += time;
        break;
    }
}

void Lines::add(std::size_t i)
{
    const auto& part = m_parts[i];
    const PathPart* const before = i + 1 < m_parts.size() ? &m_parts[i + 1] : nullptr;
    const bool is_long = part.span.end - part.span.start >= m_worth_a_line;
    if (part.kind == PathPart::operation) {
        add_operation(part);
    } else if (part.kind == PathPart::launch || part.kind == PathPart::step) {
        if (!m_lines.empty()) {
            m_lines.back().span.start = part.span.start;  // the operation's line says it
        }
    } else if (part.kind == PathPart::unknown) {
        add_line(part,
            {part.event.table == EventTable::operations ? "why.untold_start" : "why.untold_wait",
                {{"what", std::string(m_trace.text(name_of(m_trace, part.event)))}}});
    } else if (part.kind == PathPart::inferred) {
        Message message {"why.inferred", {}, {{"thread", thread_message(m_trace, part.thread)}}};
        if (before != nullptr && before->thread != no_row) {
            message.id = "why.inferred_from";
            message.parts.push_back({"other", thread_message(m_trace, before->thread)});
        }
        add_line(part, std::move(message));
    } else if (part.kind == PathPart::call && before != nullptr && before->kind == PathPart::operation
        && part.span.start > m_trace.calls.start[part.event.row]) {
        const Row call = part.event.row;
        add_line(part, held_line(m_graph, call, part.thread, m_graph.blocking().time_of(call)));
    } else if (part.event.table == EventTable::ranges && is_long) {
        add_line(part,
            {"why.in_range", {{"range", std::string(m_trace.text(name_of(m_trace, part.event)))}},
                {{"thread", thread_message(m_trace, part.thread)}}});
    } else if (part.kind == PathPart::between && is_long) {
        add_line(part, between_line(m_graph, part));
    } else {
        add_to_thread(part);
    }
}

}  // namespace

std::vector<WhyLine> why_lines(const Graph& graph, const std::vector<PathPart>& parts)
{
    return Lines(graph, parts).make();
}

}  // namespace lanes
