// SPDX-License-Identifier: MIT
// Allocations and releases of memory, from the parameters of the calls that make them.
//
// CUPTI has an activity for this, MEMORY2, which is not used: with it CUPTI 13.0 ends programs with SIGSEGV in
// cuMemFreeAsync. One that frees what it imported from another process' pool did so in 12 of 12 runs, and one that
// frees an incomplete factorisation of cuSPARSE in 12 of 12; both ran with every other kind.
//
// Not seen: allocations by a graph's nodes, and arrays. The release of memory that was allocated before the recorder
// began has 0 bytes. Cost: two callbacks a call, and a lock that is not held while CUPTI is called.
#pragma once

#include "probes/cupti/cupti_api.h"
#include "probes/record_sink.h"

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace lanes {

class MemoryCalls {
public:
    /// `api` and `sink` must outlive it.
    MemoryCalls(const CuptiApi& api, RecordSink& sink, std::uint32_t process);

    /// Asks CUPTI to call back at these calls.
    void subscribe(CUpti_SubscriberHandle subscriber) const;

    /// At the begin and the end of a call, on its thread. False: it is none of these calls. Without `recorded` it is
    /// followed and not written.
    bool see(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call, bool recorded);

private:
    struct Allocation {
        std::uint64_t bytes = 0;
        MemoryKind kind = MemoryKind::unknown;
    };
    enum class Form : std::uint8_t;
    struct Known;
    void end(const Known& known, const CUpti_CallbackData& call, bool recorded);

    const CuptiApi& m_api;
    RecordSink& m_sink;
    const std::uint32_t m_process;
    std::mutex m_mutex;
    std::unordered_map<std::uint64_t, Allocation> m_allocations;  ///< by address
    static const Known calls[];
};

}  // namespace lanes
