// SPDX-License-Identifier: MIT
// Which launches of CUDA graphs CUPTI records as a whole: `lanes record --graphs whole` and `auto`, whose first few
// launches of each executable graph say what runs in it and for how long.
//
// CUPTI knows one choice for the process, GRAPH_TRACE, and takes it at the beginning of a launch. CUPTI 13.0 ends the
// program with a segmentation fault where a graph is launched with it that was instantiated without it, wherever it was
// switched on (18 ways on an H200, each several times). The other way round it works, and so does switching between
// launches, also while other threads launch. So it is on during each call that instantiates or updates a graph, also
// outside of recorded parts. If one is made that CUPTI did not announce, no launch is recorded as a whole any more.
//
// While two threads launch graphs at once, a launch may be recorded as the other thread's needs; each record says
// itself what it is.
#pragma once

#include "probes/cupti/cupti_api.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace lanes {

/// Thread-safe. Cost: none unless used; then that of CUPTI's switch (some µs) where graphs are instantiated outside of
/// a part, and with launches by nodes a look-up under a lock at each launch.
class WholeGraphs {
public:
    /// `used`: launches are recorded as a whole, but the first `by_nodes` of each graph. `api` must outlive it.
    WholeGraphs(const CuptiApi& api, bool used, std::uint32_t by_nodes);

    bool is_used() const { return m_used; }

    /// Asks CUPTI to call back, before any graph is instantiated; or no more, when no part follows.
    void subscribe(CUpti_SubscriberHandle subscriber, bool on);

    /// At a callback. False: it was none of those that were asked for.
    bool see(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

    /// A recorded part begins, or ends. CUPTI's answer to the first.
    CUptiResult begin_part();
    void end_part();

private:
    void launch(const void* graph);
    CUptiResult apply();

    const CuptiApi& m_api;
    const bool m_used;
    const std::uint32_t m_by_nodes;
    std::mutex m_mutex;  ///< for all that follows; held while CUPTI is told, which calls nothing back
    std::map<const void*, std::uint32_t> m_launches;  ///< by nodes, of each executable graph
    std::uint32_t m_instantiating = 0;  ///< calls under way
    bool m_in_part = false;
    bool m_whole = false;  ///< the next launch is recorded as a whole
    bool m_is_on = false;  ///< what CUPTI was told
    bool m_is_impossible = false;
};

}  // namespace lanes
