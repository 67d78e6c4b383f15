// SPDX-License-Identifier: MIT
#include "probes/cupti/whole_graphs.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace lanes {

namespace {

// The driver's calls; the runtime's make them, too.
constexpr CUpti_CallbackId instantiating_calls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2,
};

// Their first parameter is the executable graph.
constexpr CUpti_CallbackId launching_calls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
};
constexpr CUpti_CallbackId destroying_call = CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy;

template <std::size_t count> bool is_one_of(const CUpti_CallbackId (&calls)[count], CUpti_CallbackId id)
{
    return std::find(std::begin(calls), std::end(calls), id) != std::end(calls);
}

}  // namespace

WholeGraphs::WholeGraphs(const CuptiApi& api, bool used, std::uint32_t by_nodes)
    : m_api(api)
    , m_used(used)
    , m_by_nodes(by_nodes)
{
}

CUptiResult WholeGraphs::begin(CUpti_SubscriberHandle subscriber)
{
    if (!m_used) {
        return CUPTI_SUCCESS;
    }
    const auto ask = [&](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
        return m_api.cuptiEnableCallback(1, subscriber, domain, id);
    };
    auto result = ask(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED);
    if (m_by_nodes > 0) {
        for (const auto id : instantiating_calls) {
            ask(CUPTI_CB_DOMAIN_DRIVER_API, id);
        }
        for (const auto id : launching_calls) {
            ask(CUPTI_CB_DOMAIN_DRIVER_API, id);
        }
        ask(CUPTI_CB_DOMAIN_DRIVER_API, destroying_call);
    }
    const std::lock_guard lock(m_mutex);
    return result == CUPTI_SUCCESS ? apply() : result;
}

bool WholeGraphs::see(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data)
{
    if (!m_used) {
        return false;
    }
    if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED) {
        const std::lock_guard lock(m_mutex);
        m_is_impossible = m_is_impossible || !m_is_on;
        apply();
        return true;
    }
    if (domain != CUPTI_CB_DOMAIN_DRIVER_API) {
        return false;
    }
    const auto& call = *static_cast<const CUpti_CallbackData*>(data);
    const bool begins = call.callbackSite == CUPTI_API_ENTER;
    if (is_one_of(instantiating_calls, id)) {
        const std::lock_guard lock(m_mutex);
        m_instantiating = begins ? m_instantiating + 1 : std::max(m_instantiating, 1U) - 1;
        apply();
        return true;
    }
    if (id != destroying_call && !is_one_of(launching_calls, id)) {
        return false;
    }
    if (begins) {
        const void* graph = nullptr;
        std::memcpy(&graph, call.functionParams, sizeof graph);
        if (id != destroying_call) {
            launch(graph);
        } else {
            const std::lock_guard lock(m_mutex);
            m_launches.erase(graph);
        }
    }
    return true;
}

void WholeGraphs::launch(const void* graph)
{
    const std::lock_guard lock(m_mutex);
    if (m_in_part) {
        auto& launches = m_launches[graph];
        m_by_nodes_now = launches < m_by_nodes;
        launches += m_by_nodes_now ? 1 : 0;
        apply();
    }
}

void WholeGraphs::begin_part(Ns now)
{
    const std::lock_guard lock(m_mutex);
    m_launches.clear();
    m_in_part = true;
    m_begin = now;
    m_end = never;
}

void WholeGraphs::end_part(Ns now)
{
    const std::lock_guard lock(m_mutex);
    if (m_in_part) {
        m_end = now;
    }
    m_in_part = false;
    apply();
}

CUptiResult WholeGraphs::apply()
{
    const bool on = m_used && !m_is_impossible && !(m_in_part && m_by_nodes_now && m_instantiating == 0);
    if (on == m_is_on) {
        return CUPTI_SUCCESS;
    }
    const auto result = (on ? m_api.cuptiActivityEnable : m_api.cuptiActivityDisable)(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
    if (result == CUPTI_SUCCESS) {
        m_is_on = on;
    } else if (on) {
        m_is_impossible = true;
    }
    return result;
}

}  // namespace lanes
