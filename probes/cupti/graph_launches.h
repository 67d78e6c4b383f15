// SPDX-License-Identifier: MIT
// `lanes record --graphs auto`: which launch of a CUDA graph is recorded by its nodes, and which as a whole. The first
// few of each executable graph say what runs in it and for how long; the others cost the program far less as a whole.
//
// CUPTI knows one choice for the process, not for a graph, so it is changed right before a launch that needs the other
// one. While two threads launch graphs at once, a launch may be recorded as the other thread's needs; each record says
// itself what it is.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace lanes {

/// Thread-safe. Cost of each function: a look-up under a lock.
class GraphLaunches {
public:
    /// `by_nodes`: how many launches of each graph are recorded by nodes.
    explicit GraphLaunches(std::uint32_t by_nodes)
        : m_by_nodes(by_nodes)
    {
    }

    /// The executable graph with this handle is about to be launched. True: it is recorded as a whole.
    bool launch(const void* graph)
    {
        const std::lock_guard lock(m_mutex);
        auto& launches = m_launches[graph];
        if (launches == m_by_nodes) {
            return true;
        }
        ++launches;
        return false;
    }

    /// It is destroyed, or was updated: its handle may mean another graph from here on.
    void forget(const void* graph)
    {
        const std::lock_guard lock(m_mutex);
        m_launches.erase(graph);
    }

    /// A part begins, which needs launches by nodes of its own.
    void forget_all()
    {
        const std::lock_guard lock(m_mutex);
        m_launches.clear();
    }

private:
    const std::uint32_t m_by_nodes;
    std::mutex m_mutex;
    std::map<const void*, std::uint32_t> m_launches;  ///< by nodes, of each
};

}  // namespace lanes
