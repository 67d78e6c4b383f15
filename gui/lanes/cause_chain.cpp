// SPDX-License-Identifier: MIT
#include "gui/lanes/cause_chain.h"

#include "engine/analysis/graph/path.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lanes::gui {

namespace {

constexpr std::size_t most_parts = 4'000;

ChainStep::Why whyOf(StartCause cause)
{
    switch (cause) {
    case StartCause::launch:
        return ChainStep::launch;
    case StartCause::stream:
        return ChainStep::stream;
    case StartCause::event:
        return ChainStep::event;
    case StartCause::graph:
        return ChainStep::graph;
    case StartCause::legacy:
        return ChainStep::legacy;
    case StartCause::engine:
        return ChainStep::engine;
    case StartCause::multiprocessors:
        return ChainStep::multiprocessors;
    case StartCause::unknown:
        break;
    }
    return ChainStep::unknown;
}

class ChainWalk {
public:
    ChainWalk(const Recording& recording, ItemRef item, std::size_t most)
        : m_recording(recording)
        , m_trace(*recording.trace)
        , m_graph(*recording.graph)
        , m_most(most)
        , m_at(item)
        , m_time(spanOf(recording, item).end)
    {
    }
    std::vector<ChainStep> run()
    {
        const auto parts = path_back(m_graph, {eventOf(m_recording, m_at), m_time}, 0, most_parts);
        for (std::size_t i = 0; i < parts.size() && m_steps.size() < m_most; ++i) {
            const PathPart& part = parts[i];
            const PathPart* next = i + 1 < parts.size() ? &parts[i + 1] : nullptr;
            if (part.kind == PathPart::operation) {
                operation(part);
            } else if (part.thread == no_row) {
                start(part);
            } else if (next == nullptr || next->kind == PathPart::operation || next->thread != part.thread) {
                threadEnds(part, next);
            }
        }
        return std::move(m_steps);
    }

private:
    void add(ChainStep::Why why, ItemRef from, Ns start)
    {
        if (m_steps.size() < m_most && from != m_at) {
            m_steps.push_back({why, from, m_at, start, m_time});
        }
        m_at = from;
    }

    /// The kernel of a collective that this one had to wait for is what its start waited for.
    void toPartner(Row operation, Ns time)
    {
        if (m_at.kind == ItemKind::operation && m_graph.partner_of(m_at.row) == operation
            && m_trace.operations.start[operation] == time) {
            m_time = time;
            add(ChainStep::partner, EventRef {EventTable::operations, operation}, time);
        }
    }
    void operation(const PathPart& part)
    {
        if (const Row at = m_at.kind == ItemKind::operation ? m_at.row : no_row; at != part.event.row) {
            if (at != no_row && m_graph.partner_of(at) != no_row) {
                toPartner(m_graph.partner_of(at), m_time);
            }
            const bool isOperation = m_at.kind == ItemKind::operation;
            add(isOperation ? whyOf(m_graph.starts().cause(m_at.row)) : ChainStep::release, part.event, part.span.end);
        }
        m_time = part.span.start;
    }
    /// From an operation's start to its call, or to the end of what it waited for, which is the next part.
    void start(const PathPart& part)
    {
        toPartner(part.event.row, part.span.end);
        const Row call = part.event.table == EventTable::operations
            ? outermost(m_trace.calls, m_trace.operations.call[part.event.row])
            : no_row;
        if (part.kind == PathPart::launch || (part.kind == PathPart::unknown && call != no_row)) {
            add(part.kind == PathPart::launch ? ChainStep::launch : ChainStep::unknown,
                EventRef {EventTable::calls, call}, part.span.start);
            m_time = part.span.start;
        }
    }
    /// The thread waited in the last thing that it did before; where it waited in nothing, the chain ends.
    void threadEnds(const PathPart& part, const PathPart* next)
    {
        if (next == nullptr || !part.event) {
            return;
        }
        ItemRef item = part.event;
        const bool isHeld = next->kind == PathPart::operation && part.event.table == EventTable::calls;
        if (isHeld) {
            for (const Row stretch : m_recording.blocking->of(part.event.row)) {
                const bool isBefore = m_recording.blocking->calls[stretch].start < part.span.start;
                item = isBefore ? ItemRef(ItemKind::blocked, stretch) : item;
            }
        }
        if (eventOf(m_recording, m_at) == part.event) {
            m_at = item;
        } else {
            add(ChainStep::thread, item, part.span.start);
        }
        m_time = part.span.start;
        if (next->thread != no_row && next->event && next->thread != part.thread) {
            add(ChainStep::handover, next->event, next->span.end);
        }
    }

    const Recording& m_recording;
    const Trace& m_trace;
    const Graph& m_graph;
    std::size_t m_most;
    ItemRef m_at;
    Ns m_time;
    std::vector<ChainStep> m_steps;
};

/// Why, and of both ends the kind and the stream or thread.
using StepKind = std::array<std::size_t, 5>;

StepKind kindOf(const Recording& recording, const ChainStep& step)
{
    const auto lane = [&](ItemRef item) -> std::size_t { return lane_of(*recording.trace, eventOf(recording, item)); };
    return {static_cast<std::size_t>(step.why), static_cast<std::size_t>(step.from.kind), lane(step.from),
        static_cast<std::size_t>(step.to.kind), lane(step.to)};
}

}  // namespace

ChainCycle cycleOf(const Recording& recording, const std::vector<ChainStep>& chain)
{
    constexpr std::size_t longest = 8, least_times = 3;
    std::vector<StepKind> kinds;
    std::transform(chain.begin(), chain.end(), std::back_inserter(kinds),
        [&](const ChainStep& step) { return kindOf(recording, step); });
    for (std::size_t first = 0; first < kinds.size(); ++first) {
        for (std::size_t length = 1; length <= longest; ++length) {
            std::size_t same = first + length;
            while (same < kinds.size() && kinds[same] == kinds[same - length]) {
                ++same;
            }
            if (const std::size_t times = (same - first) / length; times >= least_times) {
                return {first, length, times};
            }
        }
    }
    return {};
}

std::vector<ChainStep> chainOf(const Recording& recording, ItemRef item, std::size_t most)
{
    const bool isPlaced = item.kind == ItemKind::blocked
        || (tableOf(item.kind) != EventTable::none && tableOf(item.kind) != EventTable::ranges
            && lane_of(*recording.trace, eventOf(recording, item)) != no_row);
    return isPlaced && recording.graph ? ChainWalk(recording, item, most).run() : std::vector<ChainStep>();
}

}  // namespace lanes::gui
