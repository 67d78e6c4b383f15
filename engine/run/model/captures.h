// SPDX-License-Identifier: MIT
// Streams that capture instead of running, and the graphs that they make.
#pragma once

#include "engine/run/model/operation.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace lanes::model {

/// A graph that is captured again is another one: what was launched before runs as it was captured then. Its nodes are
/// kept until the last of these launches has begun.
class Captures {
public:
    Captures(std::size_t graphs, std::size_t events);

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
    /// What the program's graph is now, for graph(); one without nodes before its first capture.
    std::uint32_t latest(Index graph) const { return m_latest[graph]; }
    /// The reference is valid until its last launch has begun after it was captured again.
    const Graph& graph(std::uint32_t captured) const { return m_made[captured].graph; }
    /// Each launch of a captured graph, when it is issued and when its nodes are under way.
    void launch(std::uint32_t captured) { ++m_made[captured].launches; }
    void launched(std::uint32_t captured);

private:
    struct Made {
        Graph graph;
        std::uint32_t launches = 0;  ///< that have not begun
        bool replaced = false;
    };
    void forget_if_done(Made& made);

    /// The place of a stream or an event in a graph.
    struct Tail {
        std::uint32_t graph = none;  ///< of m_made
        std::vector<std::uint32_t> nodes;  ///< those that the next captured node depends on
    };
    Tail& of(std::uint32_t stream);

    std::deque<Made> m_made;  // a deque: references stay while graphs are captured
    std::vector<std::uint32_t> m_latest;  ///< of m_made, by the program's graph
    std::vector<Tail> m_streams;  ///< those that ever captured
    std::vector<Tail> m_events;
};

}  // namespace lanes::model
