// SPDX-License-Identifier: MIT
#include "gui/lanes/shown_path.h"

#include "gui/lanes/lane_choice.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lanes::gui {

bool liesOnLane(const PathPart& part)
{
    return part.kind == PathPart::operation || part.thread != no_row;
}

ShownPath::ShownPath(const Graph& graph, Interval range)
    : m_graph(&graph)
    , m_path(critical_path(graph, range))
{
    std::map<std::tuple<bool, Row, Engine>, std::size_t> places;
    for (std::size_t i = m_path.parts.size(); i-- > 0;) {
        const PathPart& part = m_path.parts[i];
        if (!liesOnLane(part)) {
            continue;
        }
        const bool isStream = part.kind == PathPart::operation;
        const Row of = isStream ? trace().operations.stream[part.event.row] : part.thread;
        const Engine engine = isStream ? engineOf(trace().operations.kind[part.event.row]) : Engine::host;
        const auto [place, isNew] = places.try_emplace({isStream, of, engine}, m_tracks.size());
        if (isNew) {
            m_tracks.push_back({isStream, of, engine, {}});
        }
        m_tracks[place->second].parts.push_back(static_cast<std::uint32_t>(i));
        if (part.kind == PathPart::between || part.kind == PathPart::inferred || !part.event) {
            continue;
        }
        const auto at = static_cast<std::uint32_t>(i);
        const auto take = [&](auto& longest, const auto& key) {
            std::uint32_t& kept = longest.try_emplace(key, at).first->second;
            const Interval& span = m_path.parts[kept].span;
            kept = part.span.end - part.span.start > span.end - span.start ? at : kept;
        };
        take(m_longestOfLane, std::pair(isStream, of));
        take(m_longestOfName, std::pair(part.event.table, m_graph->ranges().name_of(part.event)));
    }
}

std::pair<std::size_t, std::size_t> ShownPath::partsIn(Ns start, Ns end) const
{
    const auto& parts = m_path.parts;
    const auto first = std::partition_point(
        parts.begin(), parts.end(), [end](const PathPart& part) { return part.span.start >= end; });
    const auto last
        = std::partition_point(first, parts.end(), [start](const PathPart& part) { return part.span.end > start; });
    return {static_cast<std::size_t>(first - parts.begin()), static_cast<std::size_t>(last - parts.begin())};
}

EventRef ShownPath::longest(EventTable table, StringId name) const
{
    const auto found = m_longestOfName.find({table, name});
    return found == m_longestOfName.end() ? EventRef {} : parts()[found->second].event;
}

EventRef ShownPath::longest(bool isStream, Row lane) const
{
    const auto found = m_longestOfLane.find({isStream, lane});
    return found == m_longestOfLane.end() ? EventRef {} : parts()[found->second].event;
}

}  // namespace lanes::gui
