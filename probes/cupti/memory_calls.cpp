// SPDX-License-Identifier: MIT
#include "probes/cupti/memory_calls.h"

#include "probes/cupti/process_facts.h"

#include <cstring>

namespace lanes {

namespace {

constexpr int no_stream = 0;

std::uint64_t parameter(const CUpti_CallbackData& call, int place)
{
    std::uint64_t value = 0;
    std::memcpy(&value, static_cast<const std::byte*>(call.functionParams) + 8 * place, sizeof value);
    return value;
}

std::uint64_t value_at(std::uint64_t pointer)
{
    std::uint64_t value = 0;
    if (pointer != 0) {
        std::memcpy(&value, reinterpret_cast<const void*>(pointer), sizeof value);  // NOLINT: the caller's pointer
    }
    return value;
}

/// The outermost call of the thread that is one of these; the runtime's may make the driver's.
thread_local const void* outermost = nullptr;
/// What the release that the thread is in releases.
thread_local std::uint64_t released_address = 0;
thread_local std::uint64_t released_bytes = 0;
thread_local MemoryKind released_kind = MemoryKind::unknown;

}  // namespace

/// Where in a call's parameters, of 8 bytes each, something is. The address is the first: for an allocation a
/// pointer to it, for a release the address itself.
enum class MemoryCalls::Form : std::uint8_t {
    allocation,  ///< the size follows
    registration,  ///< the same, for memory that exists: the address itself
    pitched,  ///< a pointer to the pitch, the width and the height follow
    release,
};

struct MemoryCalls::Known {
    CUpti_CallbackDomain domain;
    CUpti_CallbackId id;
    Form form;
    MemoryKind kind;  ///< of an allocation
    int stream = no_stream;  ///< place of that parameter
    bool of_thread = false;  ///< the default stream is the thread's own
};

#define LANES_RUNTIME(name) CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_##name
#define LANES_DRIVER(name) CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_##name
const MemoryCalls::Known MemoryCalls::calls[] = {
    {LANES_RUNTIME(cudaMalloc_v3020), Form::allocation, MemoryKind::device},
    {LANES_RUNTIME(cudaMallocPitch_v3020), Form::pitched, MemoryKind::device},
    {LANES_RUNTIME(cudaMallocManaged_v6000), Form::allocation, MemoryKind::managed},
    {LANES_RUNTIME(cudaMallocHost_v3020), Form::allocation, MemoryKind::pinned},
    {LANES_RUNTIME(cudaHostAlloc_v3020), Form::allocation, MemoryKind::pinned},
    {LANES_RUNTIME(cudaHostRegister_v4000), Form::registration, MemoryKind::pinned},
    {LANES_RUNTIME(cudaHostUnregister_v4000), Form::release, MemoryKind::unknown},
    {LANES_RUNTIME(cudaMallocAsync_v11020), Form::allocation, MemoryKind::device, 2},
    {LANES_RUNTIME(cudaMallocAsync_ptsz_v11020), Form::allocation, MemoryKind::device, 2, true},
    {LANES_RUNTIME(cudaMallocFromPoolAsync_v11020), Form::allocation, MemoryKind::device, 3},
    {LANES_RUNTIME(cudaMallocFromPoolAsync_ptsz_v11020), Form::allocation, MemoryKind::device, 3, true},
    {LANES_RUNTIME(cudaFree_v3020), Form::release, MemoryKind::unknown},
    {LANES_RUNTIME(cudaFreeHost_v3020), Form::release, MemoryKind::unknown},
    {LANES_RUNTIME(cudaFreeAsync_v11020), Form::release, MemoryKind::unknown, 1},
    {LANES_RUNTIME(cudaFreeAsync_ptsz_v11020), Form::release, MemoryKind::unknown, 1, true},
    {LANES_DRIVER(cuMemAlloc_v2), Form::allocation, MemoryKind::device},
    {LANES_DRIVER(cuMemAllocPitch_v2), Form::pitched, MemoryKind::device},
    {LANES_DRIVER(cuMemAllocManaged), Form::allocation, MemoryKind::managed},
    {LANES_DRIVER(cuMemAllocHost_v2), Form::allocation, MemoryKind::pinned},
    {LANES_DRIVER(cuMemHostAlloc), Form::allocation, MemoryKind::pinned},
    {LANES_DRIVER(cuMemHostAlloc_v2), Form::allocation, MemoryKind::pinned},
    {LANES_DRIVER(cuMemHostRegister), Form::registration, MemoryKind::pinned},
    {LANES_DRIVER(cuMemHostRegister_v2), Form::registration, MemoryKind::pinned},
    {LANES_DRIVER(cuMemHostUnregister), Form::release, MemoryKind::unknown},
    {LANES_DRIVER(cuMemAllocAsync), Form::allocation, MemoryKind::device, 2},
    {LANES_DRIVER(cuMemAllocAsync_ptsz), Form::allocation, MemoryKind::device, 2, true},
    {LANES_DRIVER(cuMemAllocFromPoolAsync), Form::allocation, MemoryKind::device, 3},
    {LANES_DRIVER(cuMemAllocFromPoolAsync_ptsz), Form::allocation, MemoryKind::device, 3, true},
    {LANES_DRIVER(cuMemFree_v2), Form::release, MemoryKind::unknown},
    {LANES_DRIVER(cuMemFreeHost), Form::release, MemoryKind::unknown},
    {LANES_DRIVER(cuMemFreeAsync), Form::release, MemoryKind::unknown, 1},
    {LANES_DRIVER(cuMemFreeAsync_ptsz), Form::release, MemoryKind::unknown, 1, true},
};
#undef LANES_RUNTIME
#undef LANES_DRIVER

MemoryCalls::MemoryCalls(const CuptiApi& api, RecordSink& sink, std::uint32_t process)
    : m_api(api)
    , m_sink(sink)
    , m_process(process)
{
}

void MemoryCalls::subscribe(CUpti_SubscriberHandle subscriber) const
{
    for (const auto& known : calls) {
        m_api.cuptiEnableCallback(1, subscriber, known.domain, known.id);
    }
}

bool MemoryCalls::see(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call, bool recorded)
{
    for (const auto& known : calls) {
        if (known.domain != domain || known.id != id) {
            continue;
        }
        if (call.callbackSite == CUPTI_API_EXIT) {
            if (outermost == &known) {
                outermost = nullptr;
                end(known, call, recorded);
            }
        } else if (outermost == nullptr || outermost == &known) {
            outermost = &known;
            released_address = 0;
            if (known.form == Form::release) {
                // Before the call, since another thread may be given the same address as soon as it is free.
                released_address = parameter(call, 0);
                const std::lock_guard lock(m_mutex);
                const auto found = m_allocations.find(released_address);
                const auto allocation = found == m_allocations.end() ? Allocation {} : found->second;
                if (found != m_allocations.end()) {
                    m_allocations.erase(found);
                }
                released_bytes = allocation.bytes;
                released_kind = allocation.kind;
            }
        }
        return true;
    }
    return false;
}

void MemoryCalls::end(const Known& known, const CUpti_CallbackData& call, bool recorded)
{
    // cudaSuccess and CUDA_SUCCESS are 0.
    const auto* const result = static_cast<const int*>(call.functionReturnValue);
    const bool is_done = result != nullptr && *result == 0;
    const bool releases = known.form == Form::release;
    MemoryRecord record {};
    record.time = read_clocks().realtime;
    record.address = releases              ? released_address
        : known.form == Form::registration ? parameter(call, 0)
        : is_done                          ? value_at(parameter(call, 0))
                                           : 0;
    if (record.address == 0) {
        return;
    }
    record.memory = releases ? released_kind : known.kind;
    record.bytes = releases           ? released_bytes
        : known.form == Form::pitched ? value_at(parameter(call, 1)) * parameter(call, 3)
                                      : parameter(call, 1);
    if (releases != is_done) {
        // A new allocation, or one whose release was refused.
        const std::lock_guard lock(m_mutex);
        m_allocations[record.address] = {record.bytes, record.memory};
    }
    if (!is_done || !recorded) {
        return;
    }
    record.process = m_process;
    record.correlation = call.correlationId;
    record.operation = releases ? MemoryRecord::release : MemoryRecord::allocate;
    record.async = known.stream != no_stream ? 1 : 0;
    record.stream = no_id;
    record.device = no_id;
    if (m_api.cuptiGetContextId(call.context, &record.context) != CUPTI_SUCCESS) {
        return;  // not of a context that is in use
    }
    m_api.cuptiGetDeviceId(call.context, &record.device);
    if (known.stream != no_stream) {
        CUstream stream = nullptr;
        std::memcpy(&stream, static_cast<const std::byte*>(call.functionParams) + 8 * known.stream, sizeof stream);
        if (m_api.cuptiGetStreamIdEx(call.context, stream, known.of_thread ? 1 : 0, &record.stream) != CUPTI_SUCCESS) {
            record.stream = no_id;
        }
    }
    m_sink.write(record);
}

}  // namespace lanes
