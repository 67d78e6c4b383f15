// SPDX-License-Identifier: MIT
// Which thread made each node of a CUDA graph, and when. All kernels of a replay come from one launch; with this their
// records lead to the call that was captured, and so to the range in which it was made.
//
// A node is made by a captured call or by one like cudaGraphAddKernelNode; copies are made of it when its graph is
// instantiated, cloned, or added to another one. The record of a kernel names the node of the executable graph.
//
// Cost: none but where nodes are made: a callback, two clocks, a lock, 32 bytes. What was gathered leaves with each
// flush, and as soon as it is many.
#pragma once

#include "probes/cupti/cupti_api.h"
#include "probes/record_sink.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace lanes {

class GraphNodes {
public:
    /// `api` and `sink` must outlive it.
    GraphNodes(const CuptiApi& api, RecordSink& sink, std::uint32_t process);

    /// Asks CUPTI to call back at new nodes. False: this CUPTI does not.
    bool subscribe(CUpti_SubscriberHandle subscriber) const;

    /// At a callback of the resource domain, on the thread that makes the node.
    void see(CUpti_CallbackId id, const void* data);

    /// Notes that a node was made, which see() does as well.
    void note();
    /// When the last node was made, ns of CLOCK_REALTIME; 0: none was.
    Ns last() const { return m_last; }

    /// Hands the sink what was gathered.
    void write();

private:
    const CuptiApi& m_api;
    RecordSink& m_sink;
    const std::uint32_t m_process;
    std::atomic<Ns> m_last {0};
    std::mutex m_mutex;  ///< never held while CUPTI is called
    std::vector<GraphNodeRecord> m_gathered;
};

}  // namespace lanes
