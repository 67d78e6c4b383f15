// SPDX-License-Identifier: MIT
#include "engine/run/model/captures.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lanes::model {

Captures::Tail& Captures::of(std::uint32_t stream)
{
    if (stream >= m_streams.size()) {
        m_streams.resize(stream + 1);
    }
    return m_streams[stream];
}

Captures::Captures(std::size_t graphs, std::size_t events)
    : m_made(graphs)
    , m_latest(graphs)
    , m_events(events)
{
    std::iota(m_latest.begin(), m_latest.end(), 0U);
}

void Captures::begin(Index graph, std::uint32_t stream)
{
    Made& before = m_made[m_latest[graph]];
    before.replaced = true;
    forget_if_done(before);
    m_latest[graph] = static_cast<std::uint32_t>(m_made.size());
    m_made.emplace_back();
    of(stream) = {m_latest[graph], {}};
}

void Captures::end(Index graph)
{
    for (auto* tails : {&m_streams, &m_events}) {
        for (auto& tail : *tails) {
            if (tail.graph == m_latest[graph]) {
                tail = {};
            }
        }
    }
}

void Captures::add(Operation operation)
{
    auto& stream = of(operation.stream);
    auto& graph = m_made[stream.graph].graph;
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

void Captures::launched(std::uint32_t captured)
{
    --m_made[captured].launches;
    forget_if_done(m_made[captured]);
}

void Captures::forget_if_done(Made& made)
{
    if (made.replaced && made.launches == 0) {
        made.graph = {};
    }
}

}  // namespace lanes::model
