// SPDX-License-Identifier: MIT
// Which launches of CUDA graphs CUPTI records as a whole: `lanes record --graphs whole` and `auto`, whose first few
// launches of each executable graph say what runs in it and for how long.
//
// CUPTI knows one choice for the process, GRAPH_TRACE, and takes it at the beginning of a launch. CUPTI 13.0 ends the
// program with a segmentation fault where a graph is launched with it that was instantiated without it, wherever it was
// switched on (H200; 18 ways, each several times). With graphs that were instantiated with it, it can be switched off
// and on between launches, also while other threads launch; and all other kinds can, while it is on. So it is on from
// the beginning, also outside of the recorded part, whose records alone are kept, and off only where a launch of the
// part is to be recorded by nodes, until a graph is instantiated or updated. If one is instantiated while it is off
// after all, by a call that CUPTI did not announce, it stays off.
//
// While two threads launch graphs at once, a launch may be recorded as the other thread's needs; each record says
// itself what it is.
#pragma once

#include "probes/cupti/cupti_api.h"
#include "probes/units.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>

namespace lanes {

/// Thread-safe. Cost: none unless used; then that of GRAPH_TRACE at each launch of a graph (1.05 times as long), and
/// with launches by nodes a look-up under a lock.
class WholeGraphs {
public:
    /// `used`: launches are recorded as a whole, but the first `by_nodes` of each graph. `api` must outlive it.
    WholeGraphs(const CuptiApi& api, bool used, std::uint32_t by_nodes);

    bool is_used() const { return m_used; }

    /// Before any graph is instantiated: asks CUPTI to call back, and to record.
    CUptiResult begin(CUpti_SubscriberHandle subscriber);

    /// At a callback. False: it was none of those that were asked for.
    bool see(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

    /// The recorded part begins or ends, ns of CLOCK_REALTIME: the first after all other kinds are on, the second
    /// before they are off.
    void begin_part(Ns now);
    void end_part(Ns now);

    /// Whether a launch whose graph began at `start` is of the recorded part.
    bool is_of_part(Ns start) const { return start >= m_begin && start < m_end; }

private:
    void launch(const void* graph);
    CUptiResult apply();

    static constexpr Ns never = std::numeric_limits<Ns>::max();
    const CuptiApi& m_api;
    const bool m_used;
    const std::uint32_t m_by_nodes;
    std::atomic<Ns> m_begin {never}, m_end {never};  ///< of the part
    std::mutex m_mutex;  ///< for all that follows; held while CUPTI is told, which calls nothing back
    std::map<const void*, std::uint32_t> m_launches;  ///< by nodes, of each executable graph
    std::uint32_t m_instantiating = 0;  ///< calls under way
    bool m_in_part = false;
    bool m_by_nodes_now = false;  ///< so the next launch is recorded
    bool m_is_on = false;  ///< what CUPTI was told
    bool m_is_impossible = false;
};

}  // namespace lanes
