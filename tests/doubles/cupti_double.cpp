// SPDX-License-Identifier: MIT
#include "tests/doubles/cupti_double.h"

#include "tests/doubles/detached_thread.h"
#include "tests/doubles/nvtx_ranges.h"

#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <set>
#include <string>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

struct FilledBuffer {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t used = 0;
};

/// A thread's current buffer. It outlives the thread, as CUPTI's does.
struct Slot {
    Slot() = default;
    ~Slot() { std::free(filled.buffer); }  // its recorder, which is gone, had it from calloc
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    std::mutex mutex;
    FilledBuffer filled;
    int incomplete = 0;
};

/// The state of the library while it is loaded; never destroyed, since threads outlive main.
struct State {
    std::recursive_mutex flushing;  ///< held while buffers are handed back, as CUPTI's own lock is
    std::mutex mutex;  ///< for what follows
    std::vector<std::shared_ptr<Slot>> slots;
    std::shared_ptr<Slot> shared_slot = std::make_shared<Slot>();
    std::set<int> kinds;
    std::set<std::pair<int, CUpti_CallbackId>> quiet;
    std::set<std::pair<int, CUpti_CallbackId>> callbacks;
    std::map<int, long long> attributes;
    CUpti_BuffersCallbackRequestFunc request = nullptr;
    CUpti_BuffersCallbackCompleteFunc complete = nullptr;
    CUpti_CallbackFunc subscriber = nullptr;
    void* subscriber_data = nullptr;
    std::size_t dropped = 0;
    unsigned flushes = 0;
    unsigned nvtx_calls = 0;
    unsigned finalized = 0;
    unsigned generation = 0;  ///< of forget(): threads take new slots after it

    std::deque<FilledBuffer> full;
    std::condition_variable full_came;
    bool has_worker = false;
};

thread_local bool in_call_exit = false;  ///< the subscriber is being called at the end of a call

State& state()
{
    static State& one = *new State;
    return one;
}

// A child that is forked during a flush must find the locks free.
[[maybe_unused]] const int fork_handled = pthread_atfork(
    [] {
        state().flushing.lock();
        state().mutex.lock();
    },
    [] {
        state().mutex.unlock();
        state().flushing.unlock();
    },
    [] {
        new (&state().mutex) std::mutex;
        new (&state().flushing) std::recursive_mutex;  // held by a thread id that is no longer this thread's
    });

std::size_t number_from(const char* variable, std::size_t otherwise)
{
    const char* value = std::getenv(variable);
    return value == nullptr || *value == '\0' ? otherwise : std::strtoull(value, nullptr, 10);
}

std::size_t size_of_kind(CUpti_ActivityKind kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
        return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
        return sizeof(CUpti_ActivityGraphTrace2);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
        return sizeof(CUpti_ActivitySynchronization2);
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
        return sizeof(CUpti_ActivityCudaEvent2);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
        return sizeof(CUpti_ActivityOverhead3);
    case CUPTI_ACTIVITY_KIND_MARKER:
        return sizeof(CUpti_ActivityMarker2);
    case CUPTI_ACTIVITY_KIND_MARKER_DATA:
        return sizeof(CUpti_ActivityMarkerData2);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return sizeof(CUpti_ActivityMemory4);
    case CUPTI_ACTIVITY_KIND_DEVICE:
        return sizeof(CUpti_ActivityDevice5);
    case CUPTI_ACTIVITY_KIND_CONTEXT:
        return sizeof(CUpti_ActivityContext3);
    case CUPTI_ACTIVITY_KIND_STREAM:
        return sizeof(CUpti_ActivityStream);
    case CUPTI_ACTIVITY_KIND_NAME:
        return sizeof(CUpti_ActivityName);
    case CUPTI_ACTIVITY_KIND_JIT:  // an example of a kind that the recorder never asked for
        return sizeof(CUpti_ActivityJit2);
    default:
        return 0;
    }
}

std::size_t stride_of_kind(CUpti_ActivityKind kind)
{
    const auto size = size_of_kind(kind);
    return size == 0 ? 0 : size + number_from("LANES_DOUBLE_PADDING", 0) / 8 * 8;
}

void hand_back(const FilledBuffer& filled)
{
    auto& own = state();
    const std::lock_guard flushing(own.flushing);
    own.complete(nullptr, 0, filled.buffer, filled.size, filled.used);
}

/// Takes one and hands it back, both under the lock of flushes, so that the thread that flushes last and then ends the
/// process does not miss what another one has taken. False: there is none.
bool hand_back_full()
{
    auto& own = state();
    const std::lock_guard flushing(own.flushing);
    FilledBuffer filled;
    {
        const std::lock_guard lock(own.mutex);
        if (own.full.empty()) {
            return false;
        }
        filled = own.full.front();
        own.full.pop_front();
    }
    hand_back(filled);
    return true;
}

void work_on_full_buffers()
{
    auto& own = state();
    for (;;) {
        {
            std::unique_lock lock(own.mutex);
            own.full_came.wait(lock, [&own] { return !own.full.empty(); });
        }
        hand_back_full();
    }
}

Slot& slot_of_thread()
{
    thread_local std::shared_ptr<Slot> slot;
    thread_local unsigned generation = 0;
    auto& own = state();
    const std::lock_guard lock(own.mutex);
    const auto one = own.attributes.find(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER);
    if (one != own.attributes.end() && one->second == 0) {
        return *own.shared_slot;
    }
    if (slot == nullptr || generation != own.generation) {
        slot = std::make_shared<Slot>();
        generation = own.generation;
        own.slots.push_back(slot);
    }
    return *slot;
}

void drop(std::size_t count)
{
    const std::lock_guard lock(state().mutex);
    state().dropped += count;
}

// TSan's memcmp takes 20 ms for each buffer of 2 MiB: with 64 threads more than all else. Races show where records are
// written.
[[gnu::no_sanitize("thread")]] bool is_zero(const std::uint8_t* buffer, std::size_t size)
{
    std::uint64_t any = 0;
    for (std::size_t i = 0; i + sizeof any <= size; i += sizeof any) {
        std::uint64_t word = 0;
        std::memcpy(&word, buffer + i, sizeof word);
        any |= word;
    }
    return any == 0;
}

void record(const void* activity, int complete)
{
    auto& own = state();
    const auto kind = static_cast<const CUpti_Activity*>(activity)->kind;
    const auto stride = stride_of_kind(kind);
    auto& slot = slot_of_thread();
    const std::lock_guard lock(slot.mutex);
    auto& filled = slot.filled;
    if (filled.buffer != nullptr && filled.used + stride > filled.size) {
        const std::lock_guard state_lock(own.mutex);
        own.full.push_back(filled);
        own.full_came.notify_one();
        filled = {};
        slot.incomplete = 0;
    }
    if (filled.buffer == nullptr) {
        std::size_t max_records = 1;
        own.request(&filled.buffer, &filled.size, &max_records);
        filled.used = 0;
        if (filled.buffer == nullptr) {
            return drop(1);
        }
        // A recycled buffer that is not all zero would show through in records that are shorter than their room.
        if (!is_zero(filled.buffer, filled.size)) {
            std::abort();
        }
    }
    std::memcpy(filled.buffer + filled.used, activity, size_of_kind(kind));
    std::memset(filled.buffer + filled.used + size_of_kind(kind), 0xEE, stride - size_of_kind(kind));
    filled.used += stride;
    slot.incomplete += complete != 0 ? 0 : 1;
}

std::vector<std::shared_ptr<Slot>> all_slots()
{
    const std::lock_guard lock(state().mutex);
    auto slots = state().slots;
    slots.push_back(state().shared_slot);
    return slots;
}

void complete_all()
{
    for (const auto& slot : all_slots()) {
        const std::lock_guard lock(slot->mutex);
        slot->incomplete = 0;
    }
}

void call_with(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* parameters, int result,
    std::uint32_t correlation, void (*inside)())
{
    CUpti_CallbackFunc subscriber = nullptr;
    void* data = nullptr;
    {
        const std::lock_guard lock(state().mutex);
        if (state().callbacks.contains({domain, id})) {
            subscriber = state().subscriber;
            data = state().subscriber_data;
        }
    }
    for (const auto site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
        if (subscriber != nullptr) {
            CUpti_CallbackData told {};
            told.callbackSite = site;
            told.functionParams = parameters;
            told.functionReturnValue = site == CUPTI_API_EXIT ? &result : nullptr;
            told.correlationId = correlation;
            in_call_exit = site == CUPTI_API_EXIT;
            subscriber(data, domain, id, &told);
            in_call_exit = false;
        }
        if (site == CUPTI_API_ENTER && inside != nullptr) {
            inside();
        }
    }
}

void nvtx(CUpti_CallbackId id, const void* parameters, const void* result)
{
    CUpti_CallbackFunc subscriber = nullptr;
    void* data = nullptr;
    {
        const std::lock_guard lock(state().mutex);
        if (state().callbacks.contains({CUPTI_CB_DOMAIN_NVTX, id})) {
            subscriber = state().subscriber;
            data = state().subscriber_data;
        }
    }
    if (subscriber != nullptr) {
        CUpti_NvtxData told {};
        told.functionParams = parameters;
        told.functionReturnValue = result;
        subscriber(data, CUPTI_CB_DOMAIN_NVTX, id, &told);
    }
}

void tell_of_resource(CUpti_CallbackIdResource id, CUpti_GraphData graph)
{
    CUpti_CallbackFunc subscriber = nullptr;
    void* data = nullptr;
    {
        const std::lock_guard lock(state().mutex);
        if (state().callbacks.contains({CUPTI_CB_DOMAIN_RESOURCE, id})) {
            subscriber = state().subscriber;
            data = state().subscriber_data;
        }
    }
    if (subscriber != nullptr) {
        CUpti_ResourceData told {};
        told.resourceDescriptor = &graph;
        subscriber(data, CUPTI_CB_DOMAIN_RESOURCE, id, &told);
    }
}

void graph_node(std::uint64_t node, std::uint64_t original)
{
    CUpti_GraphData graph {};
    graph.node = reinterpret_cast<CUgraphNode>(node);  // NOLINT(performance-no-int-to-ptr)
    graph.originalNode = reinterpret_cast<CUgraphNode>(original);  // NOLINT(performance-no-int-to-ptr)
    tell_of_resource(
        original == 0 ? CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED : CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, graph);
}

void graph_exec()
{
    tell_of_resource(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED, {});
}

int is_enabled(CUpti_ActivityKind kind, CUpti_CallbackId cbid)
{
    const std::lock_guard lock(state().mutex);
    return state().kinds.contains(kind) && (cbid == 0 || !state().quiet.contains({kind, cbid})) ? 1 : 0;
}

void record_marker(const CUpti_ActivityMarker2& marker)
{
    if (is_enabled(CUPTI_ACTIVITY_KIND_MARKER, 0) != 0) {
        record(&marker, 1);
    }
}

void call(CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    call_with(domain, id, nullptr, 0, 0, nullptr);
}

long long attribute(CUpti_ActivityAttribute which)
{
    const std::lock_guard lock(state().mutex);
    const auto found = state().attributes.find(which);
    return found == state().attributes.end() ? -1 : found->second;
}

unsigned flushes()
{
    const std::lock_guard lock(state().mutex);
    return state().flushes;
}

unsigned nvtx_calls()
{
    const std::lock_guard lock(state().mutex);
    return state().nvtx_calls;
}

unsigned finalized()
{
    const std::lock_guard lock(state().mutex);
    return state().finalized;
}

void forget()
{
    auto& own = state();
    const std::lock_guard lock(own.mutex);
    own.slots.clear();
    own.shared_slot = std::make_shared<Slot>();
    own.kinds.clear();
    own.quiet.clear();
    own.callbacks.clear();
    own.attributes.clear();
    own.subscriber = nullptr;
    own.dropped = 0;
    own.flushes = 0;
    own.finalized = 0;
    ++own.generation;
}

}  // namespace

extern "C" {

lanes::doubles::CuptiDouble lanes_cupti_double {record, complete_all, drop, call, call_with, nvtx, graph_node,
    graph_exec, is_enabled, attribute, flushes, nvtx_calls, finalized, forget};

CUptiResult CUPTIAPI cuptiGetVersion(uint32_t* version)
{
    *version = static_cast<uint32_t>(number_from("LANES_DOUBLE_VERSION", 130001));
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult result, const char** words)
{
    *words = result == CUPTI_ERROR_NOT_SUPPORTED ? "CUPTI_ERROR_NOT_SUPPORTED" : "CUPTI_ERROR_OTHER";
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t cbid, const char** name)
{
    struct Known {
        CUpti_CallbackDomain domain;
        uint32_t cbid;
        const char* name;
    };
    static constexpr Known known[] = {
        {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, "cudaLaunchKernel_v7000"},
        {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020, "cudaMemcpyAsync_v3020"},
        {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020, "cudaEventQuery_v3020"},
        {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020, "cudaStreamQuery_v3020"},
        {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000, "cudaLaunchHostFunc_v10000"},
        {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000, "cudaGraphLaunch_v10000"},
        {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020, "cudaGetDevice_v3020"},
        {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020, "cudaGetLastError_v3020"},
        {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuKernelGetName, "cuKernelGetName"},
        {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent, "cuCtxGetCurrent"},
        {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, "cuMemAlloc_v2"},
        {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, "cuLaunchKernel"},
    };
    for (const auto& entry : known) {
        if (entry.domain == domain && entry.cbid == cbid) {
            *name = entry.name;
            return CUPTI_SUCCESS;
        }
    }
    return CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult CUPTIAPI cuptiSubscribe_v2(
    CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data, CUpti_SubscriberParams* parameters)
{
    const std::lock_guard lock(state().mutex);
    const char* holder = std::getenv("LANES_DOUBLE_SUBSCRIBER");
    if (holder != nullptr || state().subscriber != nullptr) {
        if (parameters != nullptr && parameters->oldSubscriberName != nullptr && holder != nullptr) {
            std::strncpy(parameters->oldSubscriberName, holder, parameters->oldSubscriberSize - 1);
        }
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    }
    state().subscriber = callback;
    state().subscriber_data = data;
    *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&state());
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiUnsubscribe(CUpti_SubscriberHandle)
{
    const std::lock_guard lock(state().mutex);
    state().subscriber = nullptr;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiFinalize(void)
{
    auto& own = state();
    const std::lock_guard lock(own.mutex);
    if (!in_call_exit) {
        std::abort();  // NVIDIA: only at the end of a call of CUDA, on its thread
    }
    own.kinds.clear();
    own.quiet.clear();
    own.callbacks.clear();
    own.attributes.clear();
    own.slots.clear();
    own.shared_slot = std::make_shared<Slot>();
    own.subscriber = nullptr;
    ++own.generation;
    ++own.finalized;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiEnableCallback(
    uint32_t enable, CUpti_SubscriberHandle, CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    const std::lock_guard lock(state().mutex);
    if (enable != 0) {
        state().callbacks.insert({domain, id});
    } else {
        state().callbacks.erase({domain, id});
    }
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetContextId(CUcontext, uint32_t* id)
{
    *id = 1;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetDeviceId(CUcontext, uint32_t* id)
{
    *id = 0;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetStreamIdEx(CUcontext, CUstream stream, uint8_t per_thread, uint32_t* id)
{
    const auto number = reinterpret_cast<std::uintptr_t>(stream);
    *id = number == 0 ? (per_thread != 0 ? 8 : 7) : static_cast<uint32_t>(number);
    return number == 0xbad ? CUPTI_ERROR_INVALID_STREAM : CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetGraphNodeId(CUgraphNode node, uint64_t* id)
{
    *id = reinterpret_cast<std::uintptr_t>(node);
    return node == nullptr ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiSetThreadIdType(CUpti_ActivityThreadIdType)
{
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivitySetAttribute(CUpti_ActivityAttribute which, size_t* size, void* value)
{
    const std::lock_guard lock(state().mutex);
    if (!state().kinds.empty()) {
        return CUPTI_ERROR_INVALID_OPERATION;  // too late: CUPTI accepts and ignores it
    }
    long long number = 0;
    std::memcpy(&number, value, *size);
    state().attributes[which] = number;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(
    CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete)
{
    auto& own = state();
    const std::lock_guard lock(own.mutex);
    own.request = request;
    own.complete = complete;
    if (!own.has_worker) {
        own.has_worker = true;
        if (!lanes::begin_detached(work_on_full_buffers)) {
            return CUPTI_ERROR_UNKNOWN;
        }
    }
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind)
{
    const std::lock_guard lock(state().mutex);
    if (number_from("LANES_DOUBLE_REFUSES", 0) == static_cast<std::size_t>(kind)) {
        return CUPTI_ERROR_NOT_SUPPORTED;
    }
    state().kinds.insert(kind);
    std::erase_if(state().quiet, [kind](const auto& call) { return call.first == kind; });  // all its calls
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityEnableAndDump(CUpti_ActivityKind kind)
{
    const auto result = cuptiActivityEnable(kind);
    if (result == CUPTI_SUCCESS && kind == CUPTI_ACTIVITY_KIND_STREAM) {
        CUpti_ActivityStream stream {};
        stream.kind = CUPTI_ACTIVITY_KIND_STREAM;
        stream.contextId = 1;
        stream.streamId = 13;
        stream.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
        record(&stream, 1);
    }
    return result;
}

CUptiResult CUPTIAPI cuptiActivityDisable(CUpti_ActivityKind kind)
{
    const std::lock_guard lock(state().mutex);
    state().kinds.erase(kind);
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityEnableRuntimeApi(CUpti_CallbackId cbid, uint8_t enable)
{
    const std::lock_guard lock(state().mutex);
    if (enable == 0) {
        state().quiet.insert({CUPTI_ACTIVITY_KIND_RUNTIME, cbid});
    }
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityEnableDriverApi(CUpti_CallbackId cbid, uint8_t enable)
{
    const std::lock_guard lock(state().mutex);
    if (enable == 0) {
        state().quiet.insert({CUPTI_ACTIVITY_KIND_DRIVER, cbid});
    }
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t)
{
    return CUPTI_SUCCESS;
}

#ifndef LANES_DOUBLE_LACKS_FLUSH
CUptiResult CUPTIAPI cuptiActivityFlushAll(uint32_t flag)
{
    const std::lock_guard flushing(state().flushing);
    while (hand_back_full()) { }
    for (const auto& slot : all_slots()) {
        FilledBuffer filled;
        {
            const std::lock_guard lock(slot->mutex);
            if (slot->filled.buffer == nullptr || (slot->incomplete > 0 && flag != CUPTI_ACTIVITY_FLAG_FLUSH_FORCED)) {
                continue;
            }
            std::swap(filled, slot->filled);
            slot->incomplete = 0;
        }
        hand_back(filled);
    }
    const std::lock_guard lock(state().mutex);
    ++state().flushes;
    return CUPTI_SUCCESS;
}
#endif

CUptiResult CUPTIAPI cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid, CUpti_Activity** found)
{
    auto* next = buffer;
    if (*found != nullptr) {
        next = reinterpret_cast<uint8_t*>(*found) + stride_of_kind((*found)->kind);
    }
    if (next >= buffer + valid) {
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    }
    auto* activity = reinterpret_cast<CUpti_Activity*>(next);
    if (size_of_kind(activity->kind) == 0) {
        return CUPTI_ERROR_INVALID_KIND;
    }
    *found = activity;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* count)
{
    const std::lock_guard flushing(state().flushing);
    const std::lock_guard lock(state().mutex);
    *count = std::exchange(state().dropped, 0);
    return CUPTI_SUCCESS;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_export_table)
{
    if (get_export_table != nullptr) {
        take_ranges(get_export_table, &record_marker);
    }
    const std::lock_guard lock(state().mutex);
    ++state().nvtx_calls;
    return get_export_table != nullptr ? 1 : 0;
}

}  // extern "C"
