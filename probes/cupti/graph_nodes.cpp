// SPDX-License-Identifier: MIT
#include "probes/cupti/graph_nodes.h"

#include "probes/cupti/process_facts.h"

#include <span>

namespace lanes {

namespace {

constexpr std::size_t most_gathered = 4096;

constexpr CUpti_CallbackIdResource node_callbacks[]
    = {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED};

}  // namespace

GraphNodes::GraphNodes(const CuptiApi& api, RecordSink& sink, std::uint32_t process)
    : m_api(api)
    , m_sink(sink)
    , m_process(process)
{
}

bool GraphNodes::subscribe(CUpti_SubscriberHandle subscriber) const
{
    bool all = true;
    for (const auto callback : node_callbacks) {
        all = m_api.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, callback) == CUPTI_SUCCESS && all;
    }
    return all;
}

void GraphNodes::note()
{
    m_last = read_clocks().realtime;
}

void GraphNodes::see(CUpti_CallbackId id, const void* data)
{
    note();
    const auto* const resource = static_cast<const CUpti_ResourceData*>(data);
    const auto* const node
        = resource == nullptr ? nullptr : static_cast<CUpti_GraphData*>(resource->resourceDescriptor);
    std::uint64_t number = 0;
    if (node == nullptr || m_api.cuptiGetGraphNodeId(node->node, &number) != CUPTI_SUCCESS) {
        return;
    }
    GraphNodeRecord record {};
    if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED) {
        std::uint64_t original = 0;
        if (m_api.cuptiGetGraphNodeId(node->originalNode, &original) != CUPTI_SUCCESS) {
            return;
        }
        record.original_graph = graph_of(original);
        record.original_node = graph_node_of(original);
    }
    record.time = read_clocks().realtime;
    record.process = m_process;
    record.thread = this_thread();
    record.graph = graph_of(number);
    record.graph_node = graph_node_of(number);
    const std::lock_guard lock(m_mutex);
    m_gathered.reserve(most_gathered);
    m_gathered.push_back(record);
    if (m_gathered.size() == most_gathered) {
        m_sink.write(std::span<const GraphNodeRecord>(m_gathered));
        m_gathered.clear();
    }
}

void GraphNodes::write()
{
    const std::lock_guard lock(m_mutex);
    if (!m_gathered.empty()) {
        m_sink.write(std::span<const GraphNodeRecord>(m_gathered));
        m_gathered.clear();
    }
}

}  // namespace lanes
