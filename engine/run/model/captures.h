// SPDX-License-Identifier: MIT
// Streams that capture instead of running, and the graphs that they make.
#pragma once

#include "engine/run/model/operation.h"

#include <cstdint>
#include <vector>

namespace lanes::model {

class Captures {
public:
    Captures(std::size_t graphs, std::size_t events)
        : m_graphs(graphs)
        , m_events(events)
    {
    }

    bool is_capturing(std::uint32_t stream) const
    {
        return stream < m_streams.size() && m_streams[stream].graph != none;
    }
    void begin(Index graph, std::uint32_t stream);
    void end(Index graph);
    /// Its stream must be capturing.
    void add(Operation operation);
    void record(Index event, std::uint32_t stream);
    /// Makes `stream` part of the capture that `event` was recorded in; false if it was recorded in none.
    bool wait(Index event, std::uint32_t stream);
    const Graph& graph(Index graph) const { return m_graphs[graph]; }

private:
    /// The place of a stream or an event in a graph.
    struct Tail {
        Index graph = none;
        std::vector<std::uint32_t> nodes;  ///< those that the next captured node depends on
    };
    Tail& of(std::uint32_t stream);

    std::vector<Graph> m_graphs;
    std::vector<Tail> m_streams;  ///< those that ever captured
    std::vector<Tail> m_events;
};

}  // namespace lanes::model
