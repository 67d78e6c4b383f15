// SPDX-License-Identifier: MIT
// liblanes-nvtx.so: passes the NVTX headers' call for a tool on to the process's one
// CUPTI. See environment.h for why this is not CUPTI itself.
//
// PyTorch's operators are not passed on: their texts are all different (operator_range.h),
// and CUPTI keeps every text that it meets. The probe records them itself (lanescope.h),
// which also costs their threads less.
//
// It also takes NVTX's payload extension, whose calls end ranges, too: NCCL begins
// ncclCommInitRankConfig with the core's push and ends it with a pop that brings values.
// The values are not kept; without a tool for it such a range would never end.
#include "probes/cupti/find_cupti.h"
#include "probes/cupti/operator_range.h"
#include "probes/inject/environment.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

namespace {

using namespace lanes;

using Push = int(const char*);
using Pop = int();
using PushEx = int(const nvtxEventAttributes_t*);
using PushWide = int(const wchar_t*);
using DomainPush = int(nvtxDomainHandle_t, const nvtxEventAttributes_t*);
using DomainPop = int(nvtxDomainHandle_t);
using DomainStart = nvtxRangeId_t(nvtxDomainHandle_t, const nvtxEventAttributes_t*);
using DomainEnd = void(nvtxDomainHandle_t, nvtxRangeId_t);

// CUPTI's own, the same for every library that brings NVTX's headers; null if it takes no ranges.
std::atomic<Push*> cupti_push {nullptr};
std::atomic<Pop*> cupti_pop {nullptr};
std::atomic<PushEx*> cupti_push_ex {nullptr};
std::atomic<PushWide*> cupti_push_wide {nullptr};
std::atomic<DomainPush*> cupti_domain_push {nullptr};
std::atomic<DomainPop*> cupti_domain_pop {nullptr};
std::atomic<DomainStart*> cupti_domain_start {nullptr};
std::atomic<DomainEnd*> cupti_domain_end {nullptr};
void (*probe_push)(const char*, std::int64_t) = nullptr;
void (*probe_pop)() = nullptr;

/// Which of the thread's open ranges the probe has; the deeper ones are all CUPTI's.
struct OpenRanges {
    std::bitset<512> of_probe;
    std::size_t depth = 0;
};
thread_local OpenRanges open_ranges;

int push(const char* text)
{
    auto& open = open_ranges;
    const std::size_t level = open.depth++;
    if (text != nullptr && level < open.of_probe.size()) {
        const std::string_view whole(text);
        const auto [name, sequence] = operator_range(whole);
        open.of_probe[level] = name.size() < whole.size();
        if (open.of_probe[level]) {
            char words[1024];
            words[name.copy(words, std::min(name.size(), sizeof words - 1))] = '\0';
            probe_push(words, sequence);
            return static_cast<int>(level);
        }
    }
    auto* const other = cupti_push.load();
    return other == nullptr ? NVTX_NO_PUSH_POP_TRACKING : other(text);
}

int pop()
{
    auto& open = open_ranges;
    if (open.depth > 0 && --open.depth < open.of_probe.size() && open.of_probe[open.depth]) {
        probe_pop();
        return static_cast<int>(open.depth);
    }
    auto* const other = cupti_pop.load();
    return other == nullptr ? NVTX_NO_PUSH_POP_TRACKING : other();
}

/// Any other range is CUPTI's, but is counted: else pop() would take its end for that of the range around it.
template <auto& other, class Argument> int push_for_cupti(Argument argument)
{
    auto& open = open_ranges;
    if (const std::size_t level = open.depth++; level < open.of_probe.size()) {
        open.of_probe[level] = false;
    }
    auto* const function = other.load();
    return function == nullptr ? NVTX_NO_PUSH_POP_TRACKING : function(argument);
}

/// A range whose name is among the values that are not read.
const nvtxEventAttributes_t& named_in_payload()
{
    static const nvtxEventAttributes_t attributes = [] {
        nvtxEventAttributes_t made {};
        made.version = NVTX_VERSION;
        made.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        made.messageType = NVTX_MESSAGE_TYPE_ASCII;
        made.message.ascii = "range with values";
        return made;
    }();
    return attributes;
}

int push_payload(nvtxDomainHandle_t domain, const nvtxPayloadData_t*, std::size_t)
{
    if (domain == nullptr) {
        return push(named_in_payload().message.ascii);
    }
    auto* const other = cupti_domain_push.load();
    return other == nullptr ? NVTX_NO_PUSH_POP_TRACKING : other(domain, &named_in_payload());
}

int pop_payload(nvtxDomainHandle_t domain, const nvtxPayloadData_t*, std::size_t)
{
    if (domain == nullptr) {
        return pop();
    }
    auto* const other = cupti_domain_pop.load();
    return other == nullptr ? NVTX_NO_PUSH_POP_TRACKING : other(domain);
}

nvtxRangeId_t start_payload(nvtxDomainHandle_t domain, const nvtxPayloadData_t*, std::size_t)
{
    auto* const other = cupti_domain_start.load();
    return other == nullptr ? 0 : other(domain, &named_in_payload());
}

void end_payload(nvtxDomainHandle_t domain, nvtxRangeId_t range, const nvtxPayloadData_t*, std::size_t)
{
    if (auto* const other = cupti_domain_end.load(); other != nullptr) {
        other(domain, range);
    }
}

bool find_probe_functions(const std::string& folder)
{
    void* probe = ::dlopen((folder + "/liblanes-probe.so").c_str(), RTLD_NOW);
    if (probe != nullptr) {
        probe_push = reinterpret_cast<decltype(probe_push)>(::dlsym(probe, "lanescope_operator_push"));
        probe_pop = reinterpret_cast<decltype(probe_pop)>(::dlsym(probe, "lanescope_range_pop"));
    }
    return probe_push != nullptr && probe_pop != nullptr;
}

/// The functions of a module of the library that calls; null where it shows none, or not up to `last`.
NvtxFunctionTable functions_of(NvtxGetExportTableFunc_t get_export_table, NvtxCallbackModule module, unsigned last)
{
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(get_export_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    const bool shown = callbacks != nullptr && callbacks->struct_size >= sizeof *callbacks
        && callbacks->GetModuleFunctionTable(module, &table, &size) != 0;
    return shown && size > last ? table : nullptr;
}

/// Puts `own` in the place of a function. The previous one becomes `other` if it is CUPTI's. If it is still the one of
/// `before`, which is NVTX's own and asks for a tool, there is no `other`.
template <class Function>
void take_place(NvtxFunctionPointer& place, NvtxFunctionPointer before, Function* own, std::atomic<Function*>& other)
{
    if (place != before) {
        other = reinterpret_cast<Function*>(place);
    }
    place = reinterpret_cast<NvtxFunctionPointer>(own);
}

/// CUPTI's functions of ranges in a domain, as far as it replaced NVTX's own.
class DomainRanges {
public:
    explicit DomainRanges(NvtxGetExportTableFunc_t get_export_table)
        : m_table(functions_of(get_export_table, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePop))
    {
        for (unsigned id = 0; m_table != nullptr && id < m_before.size(); ++id) {
            m_before[id] = id == 0 ? nullptr : *m_table[id];
        }
    }
    void keep() const
    {
        keep(NVTX_CBID_CORE2_DomainRangeStartEx, cupti_domain_start);
        keep(NVTX_CBID_CORE2_DomainRangeEnd, cupti_domain_end);
        keep(NVTX_CBID_CORE2_DomainRangePushEx, cupti_domain_push);
        keep(NVTX_CBID_CORE2_DomainRangePop, cupti_domain_pop);
    }

private:
    template <class Function> void keep(unsigned id, std::atomic<Function*>& function) const
    {
        if (m_table != nullptr && *m_table[id] != m_before[id]) {
            function = reinterpret_cast<Function*>(*m_table[id]);
        }
    }

    NvtxFunctionTable m_table;
    std::array<NvtxFunctionPointer, NVTX_CBID_CORE2_DomainRangePop + 1> m_before {};
};

}  // namespace

/// Returns 0 when there is no tool: NVTX then does nothing.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t get_export_table)
{
    if (const char* spool = std::getenv(probe_variable::spool); spool == nullptr || *spool == '\0') {
        return 0;
    }
    try {
        const auto folder = folder_of_code(reinterpret_cast<const void*>(&InitializeInjectionNvtx2));
        const auto library = find_cupti(folder);
        if (!library.usable()) {
            return 0;
        }
        auto* initialize
            = reinterpret_cast<NvtxInitializeInjectionNvtxFunc_t>(::dlsym(library.handle, "InitializeInjectionNvtx2"));
        if (initialize == nullptr) {
            return 0;
        }
        auto* const table = functions_of(get_export_table, NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePop);
        const bool can_take = table != nullptr && find_probe_functions(folder);
        const auto before = [&](unsigned id) { return can_take ? *table[id] : nullptr; };
        const auto before_push = before(NVTX_CBID_CORE_RangePushA);
        const auto before_push_ex = before(NVTX_CBID_CORE_RangePushEx);
        const auto before_push_wide = before(NVTX_CBID_CORE_RangePushW);
        const auto before_pop = before(NVTX_CBID_CORE_RangePop);
        const DomainRanges domain_ranges(get_export_table);
        const int result = initialize(get_export_table);
        if (result != 0) {
            domain_ranges.keep();
        }
        if (result != 0 && can_take) {
            take_place<Push>(*table[NVTX_CBID_CORE_RangePushA], before_push, &push, cupti_push);
            take_place<PushEx>(*table[NVTX_CBID_CORE_RangePushEx], before_push_ex,
                &push_for_cupti<cupti_push_ex, const nvtxEventAttributes_t*>, cupti_push_ex);
            take_place<PushWide>(*table[NVTX_CBID_CORE_RangePushW], before_push_wide,
                &push_for_cupti<cupti_push_wide, const wchar_t*>, cupti_push_wide);
            take_place<Pop>(*table[NVTX_CBID_CORE_RangePop], before_pop, &pop, cupti_pop);
        }
        return result;
    } catch (...) {
        return 0;
    }
}

/// Asked by a library that calls one of NVTX's extensions, after its InitializeInjectionNvtx2. Returns 0 for those that
/// are not recorded.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t* module)
{
    if (module == nullptr || module->moduleId != NVTX_EXT_PAYLOAD_MODULEID || module->segmentsCount < 1
        || cupti_domain_pop.load() == nullptr) {
        return 0;
    }
    const auto& functions = module->segments[0];
    if (functions.slotCount <= NVTX3EXT_CBID_nvtxRangeEndPayload) {
        return 0;
    }
    functions.functionSlots[NVTX3EXT_CBID_nvtxRangePushPayload] = reinterpret_cast<std::intptr_t>(&push_payload);
    functions.functionSlots[NVTX3EXT_CBID_nvtxRangePopPayload] = reinterpret_cast<std::intptr_t>(&pop_payload);
    functions.functionSlots[NVTX3EXT_CBID_nvtxRangeStartPayload] = reinterpret_cast<std::intptr_t>(&start_payload);
    functions.functionSlots[NVTX3EXT_CBID_nvtxRangeEndPayload] = reinterpret_cast<std::intptr_t>(&end_payload);
    return 1;
}
