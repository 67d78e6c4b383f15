// SPDX-License-Identifier: MIT
// Capturing streams into graphs.
#include "engine/run/model/gpu_side.h"

#include <algorithm>

namespace lanes::model {

void GpuSide::begin_capture(Index graph, std::uint32_t stream)
{
    m_graphs[graph] = {};
    m_streams[stream].capture = graph;
    m_streams[stream].capture_tail.clear();
}

void GpuSide::end_capture(Index graph)
{
    for (auto& stream : m_streams) {
        if (stream.capture == graph) {
            stream.capture = none;
            stream.capture_tail.clear();
        }
    }
    for (auto& event : m_captured_events) {
        if (event.graph == graph) {
            event = {};
        }
    }
}

void GpuSide::capture(Operation operation)
{
    auto& stream = m_streams[operation.stream];
    auto& graph = m_graphs[stream.capture];
    graph.after.push_back(stream.capture_tail);
    stream.capture_tail = {static_cast<std::uint32_t>(graph.nodes.size())};
    graph.nodes.push_back(std::move(operation));
}

void GpuSide::capture_record(Index event, std::uint32_t stream)
{
    m_captured_events[event] = {m_streams[stream].capture, m_streams[stream].capture_tail};
}

bool GpuSide::capture_wait(Index event, std::uint32_t index)
{
    const auto& captured = m_captured_events[event];
    auto& stream = m_streams[index];
    if (captured.graph == none || (stream.capture != none && stream.capture != captured.graph)) {
        return false;
    }
    stream.capture = captured.graph;
    for (const auto node : captured.nodes) {
        if (std::find(stream.capture_tail.begin(), stream.capture_tail.end(), node) == stream.capture_tail.end()) {
            stream.capture_tail.push_back(node);
        }
    }
    return true;
}

}  // namespace lanes::model
