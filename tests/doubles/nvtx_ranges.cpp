// SPDX-License-Identifier: MIT
#include "tests/doubles/nvtx_ranges.h"

#include <atomic>
#include <cstdint>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace {

MarkerFunction* take_marker = nullptr;

/// The ranges that are open on a thread, the same stack for all domains.
thread_local std::vector<std::uint32_t> open_ranges;

void record_edge(CUpti_ActivityFlag edge, std::uint32_t id, const char* name)
{
    CUpti_ActivityMarker2 marker {};
    marker.kind = CUPTI_ACTIVITY_KIND_MARKER;
    marker.flags = edge;
    timespec time {};
    ::clock_gettime(CLOCK_REALTIME, &time);
    marker.timestamp
        = static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
    marker.id = id;
    marker.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    marker.objectId.pt.processId = static_cast<std::uint32_t>(::getpid());
    marker.objectId.pt.threadId = static_cast<std::uint32_t>(::gettid());
    marker.name = name;
    (*take_marker)(marker);
}

int push_range(const char* name)
{
    static std::atomic<std::uint32_t> last {0};
    open_ranges.push_back(++last);
    record_edge(CUPTI_ACTIVITY_FLAG_MARKER_START, open_ranges.back(), name);
    return static_cast<int>(open_ranges.size()) - 1;
}

int push_range_ex(const nvtxEventAttributes_t* attributes)
{
    return push_range(attributes->message.ascii);
}

int push_range_in_domain(nvtxDomainHandle_t, const nvtxEventAttributes_t* attributes)
{
    return push_range(attributes->message.ascii);
}

int pop_range()
{
    if (open_ranges.empty()) {
        return NVTX_NO_PUSH_POP_TRACKING;
    }
    record_edge(CUPTI_ACTIVITY_FLAG_MARKER_END, open_ranges.back(), nullptr);
    open_ranges.pop_back();
    return static_cast<int>(open_ranges.size());
}

int pop_range_in_domain(nvtxDomainHandle_t)
{
    return pop_range();
}

nvtxDomainHandle_t create_domain(const char*)
{
    static char domains[16];
    static std::atomic<std::size_t> count {0};
    return reinterpret_cast<nvtxDomainHandle_t>(&domains[count++ % sizeof domains]);
}

template <class Function> void put(NvtxFunctionTable table, unsigned id, Function* function)
{
    *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

void take_ranges(NvtxGetExportTableFunc_t get_export_table, MarkerFunction* marker)
{
    take_marker = marker;
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(get_export_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (callbacks != nullptr && callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) != 0) {
        put(table, NVTX_CBID_CORE_RangePushA, &push_range);
        put(table, NVTX_CBID_CORE_RangePushEx, &push_range_ex);
        put(table, NVTX_CBID_CORE_RangePop, &pop_range);
    }
    if (callbacks != nullptr && callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) != 0) {
        put(table, NVTX_CBID_CORE2_DomainRangePushEx, &push_range_in_domain);
        put(table, NVTX_CBID_CORE2_DomainRangePop, &pop_range_in_domain);
        put(table, NVTX_CBID_CORE2_DomainCreateA, &create_domain);
    }
}
