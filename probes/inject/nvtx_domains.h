// SPDX-License-Identifier: MIT
// What a program told NVTX about its domains: names, registered strings, and schemas of payloads.
//
// A domain is taken from CUPTI if its ranges may have payloads, since CUPTI does not keep these: if it has a schema, or
// is NCCL's, which registers a schema after the first range that it is for.
//
// Threads may use it concurrently. Cost of a range: an uncontended lock and a few look-ups.
#pragma once

#include "probes/nvtx_payload.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace lanes {

class NvtxDomains {
public:
    void created(nvtxDomainHandle_t domain, std::string name);
    void registered(nvtxStringHandle_t handle, std::string text);
    /// Return the id by which payloads name it, 0: it is not understood.
    std::uint64_t registered(nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t* schema);
    std::uint64_t registered(nvtxDomainHandle_t domain, const nvtxPayloadEnumAttr_t* enumeration);

    struct Taken {
        std::string domain;
        std::string name;
        std::vector<PayloadValue> values;
    };
    /// Whether the range is the probe's; then also `taken`. It counts as a call of a collective.
    bool take_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes, Taken& taken);
    /// The same of its end, with the values that are given there.
    bool take_pop(nvtxDomainHandle_t domain, const nvtxPayloadData_t* payloads, std::size_t count, Taken& taken);

    /// In a forked child: another thread of the parent may have held the lock.
    void begin_anew_in_child() { new (&m_mutex) std::mutex; }

private:
    struct Domain {
        std::string name;
        bool is_taken = false;
    };
    Domain* taken_domain(nvtxDomainHandle_t domain);
    std::vector<PayloadValue> values(
        nvtxDomainHandle_t domain, const std::string& name, const nvtxPayloadData_t* payloads, std::size_t count) const;

    std::atomic<bool> m_any_taken {false};
    std::mutex m_mutex;  ///< of what follows
    std::unordered_map<nvtxDomainHandle_t, Domain> m_domains;
    std::unordered_map<nvtxStringHandle_t, std::string> m_strings;
    PayloadSchemas m_schemas;
    CollectiveCounter m_calls;
    std::uint64_t m_next_id = PayloadSchemas::first_dynamic_id;
};

}  // namespace lanes
