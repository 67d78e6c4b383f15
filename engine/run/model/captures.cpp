// SPDX-License-Identifier: MIT
#include "engine/run/model/captures.h"

#include <algorithm>
#include <utility>

namespace lanes::model {

Captures::Tail& Captures::of(std::uint32_t stream)
{
    if (stream >= m_streams.size()) {
        m_streams.resize(stream + 1);
    }
    return m_streams[stream];
}

void Captures::begin(Index graph, std::uint32_t stream)
{
    m_graphs[graph] = {};
    of(stream) = {graph, {}};
}

void Captures::end(Index graph)
{
    for (auto* tails : {&m_streams, &m_events}) {
        for (auto& tail : *tails) {
            if (tail.graph == graph) {
                tail = {};
            }
        }
    }
}

void Captures::add(Operation operation)
{
    auto& stream = of(operation.stream);
    auto& graph = m_graphs[stream.graph];
    graph.after.push_back(stream.nodes);
    stream.nodes = {static_cast<std::uint32_t>(graph.nodes.size())};
    graph.nodes.push_back(std::move(operation));
}

void Captures::record(Index event, std::uint32_t stream)
{
    m_events[event] = of(stream);
}

bool Captures::wait(Index event, std::uint32_t index)
{
    const auto& captured = m_events[event];
    if (captured.graph == none || (is_capturing(index) && of(index).graph != captured.graph)) {
        return false;
    }
    auto& stream = of(index);
    stream.graph = captured.graph;
    for (const auto node : captured.nodes) {
        if (std::find(stream.nodes.begin(), stream.nodes.end(), node) == stream.nodes.end()) {
            stream.nodes.push_back(node);
        }
    }
    return true;
}

}  // namespace lanes::model
