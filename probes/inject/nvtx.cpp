// SPDX-License-Identifier: MIT
// liblanes-nvtx.so: passes the NVTX headers' call for a tool on to the process's one
// CUPTI. See environment.h for why this is not CUPTI itself.
//
// PyTorch's operators are not passed on: their texts are all different (operator_range.h),
// and CUPTI keeps every text that it meets. The probe records them itself (lanescope.h),
// which also costs their threads less.
//
// It also takes NVTX's payload extension, by which NCCL says what it reduces for whom (nvtx_payload.h). Its calls end
// ranges, too: NCCL begins ncclCommInitRankConfig with the core's push and ends it with a pop that brings values.
// Ranges of domains with payloads are the probe's, since CUPTI does not keep payloads. The values of ranges that are
// not nested (start, end) and of marks are not kept.
#include "probes/cupti/find_cupti.h"
#include "probes/cupti/operator_range.h"
#include "probes/inject/environment.h"
#include "probes/inject/given_range.h"
#include "probes/inject/nvtx_domains.h"
#include "probes/utf8_letter.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <pthread.h>

namespace {

using namespace lanes;

using Push = int(const char*);
using Pop = int();
using PushEx = int(const nvtxEventAttributes_t*);
using PushWide = int(const wchar_t*);
using DomainPush = int(nvtxDomainHandle_t, const nvtxEventAttributes_t*);
using DomainPop = int(nvtxDomainHandle_t);
using DomainStart = nvtxRangeId_t(nvtxDomainHandle_t, const nvtxEventAttributes_t*);
using DomainCreate = nvtxDomainHandle_t(const char*);
using DomainCreateWide = nvtxDomainHandle_t(const wchar_t*);
using RegisterString = nvtxStringHandle_t(nvtxDomainHandle_t, const char*);
using RegisterStringWide = nvtxStringHandle_t(nvtxDomainHandle_t, const wchar_t*);
using DomainEnd = void(nvtxDomainHandle_t, nvtxRangeId_t);

// CUPTI's own, the same for every library that brings NVTX's headers; null if it takes no ranges.
std::atomic<Push*> cupti_push {nullptr};
std::atomic<Pop*> cupti_pop {nullptr};
std::atomic<PushEx*> cupti_push_ex {nullptr};
std::atomic<PushWide*> cupti_push_wide {nullptr};
std::atomic<DomainPush*> cupti_domain_push {nullptr};
std::atomic<DomainPop*> cupti_domain_pop {nullptr};
std::atomic<DomainStart*> cupti_domain_start {nullptr};
std::atomic<DomainCreate*> cupti_domain_create {nullptr};
std::atomic<DomainCreateWide*> cupti_domain_create_wide {nullptr};
std::atomic<RegisterString*> cupti_register_string {nullptr};
std::atomic<RegisterStringWide*> cupti_register_string_wide {nullptr};
std::atomic<DomainEnd*> cupti_domain_end {nullptr};
DomainPushFunction* probe_domain_push = nullptr;
DomainPopFunction* probe_domain_pop = nullptr;
void (*probe_push)(const char*, std::int64_t, const char*) = nullptr;
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
        const auto [name, sequence, shapes] = operator_range(whole);
        open.of_probe[level] = name.size() < whole.size();
        if (open.of_probe[level]) {
            char words[1024];
            words[name.copy(words, std::min(name.size(), sizeof words - 1))] = '\0';
            constexpr std::string_view more = "…";
            char inputs[operator_value::longest_inputs + more.size() + 1];
            auto length = shapes.copy(inputs, operator_value::longest_inputs);
            length += length < shapes.size() ? more.copy(inputs + length, more.size()) : 0;
            inputs[length] = '\0';
            probe_push(words, sequence, inputs);
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

/// Of the whole process; never destroyed, since threads may call NVTX until it ends.
NvtxDomains& domains()
{
    static auto* const all = [] {
        auto* const made = new NvtxDomains;
        pthread_atfork(nullptr, nullptr, [] { domains().begin_anew_in_child(); });
        return made;
    }();
    return *all;
}

/// Gives a push or a pop to the probe.
bool give(DomainPushFunction* function, const NvtxDomains::Taken& taken, std::uint32_t color)
{
    std::array<GivenValue, PayloadSchemas::most_values + 1> values;
    std::size_t count = 0;
    for (const auto& value : taken.values) {
        if (count < values.size()) {
            values[count++] = {value.name.c_str(), value.words.c_str(), value.value, value.type};
        }
    }
    const GivenRange range {taken.domain.c_str(), taken.name.c_str(), color, values.data(), count};
    return function(&range);
}

/// Nothing may throw into the program: without memory a range is CUPTI's.
template <class Action> bool tried(Action action)
{
    try {
        return action();
    } catch (...) {
        return false;
    }
}

int push_in_domain(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes)
{
    NvtxDomains::Taken taken;
    const bool is_given = probe_domain_push != nullptr && tried([&] {
        const std::uint32_t color
            = attributes != nullptr && attributes->colorType == NVTX_COLOR_ARGB ? attributes->color : 0;
        return domains().take_push(domain, attributes, taken) && give(probe_domain_push, taken, color);
    });
    if (is_given) {
        return 0;
    }
    auto* const other = cupti_domain_push.load();
    return other == nullptr ? NVTX_NO_PUSH_POP_TRACKING : other(domain, attributes);
}

int pop_with(nvtxDomainHandle_t domain, const nvtxPayloadData_t* payloads, std::size_t count)
{
    NvtxDomains::Taken taken;
    const bool is_given = probe_domain_pop != nullptr && tried([&] {
        return domains().take_pop(domain, payloads, count, taken) && give(probe_domain_pop, taken, 0);
    });
    if (is_given) {
        return 0;
    }
    auto* const other = cupti_domain_pop.load();
    return other == nullptr ? NVTX_NO_PUSH_POP_TRACKING : other(domain);
}

int pop_in_domain(nvtxDomainHandle_t domain)
{
    return pop_with(domain, nullptr, 0);
}

template <auto& other, class Text> nvtxDomainHandle_t create_domain(Text text)
{
    auto* const function = other.load();
    auto* const domain = function == nullptr ? nullptr : function(text);
    if (domain != nullptr) {
        tried([&] { return domains().created(domain, utf8_of(text)), true; });
    }
    return domain;
}

template <auto& other, class Text> nvtxStringHandle_t register_string(nvtxDomainHandle_t domain, Text text)
{
    auto* const function = other.load();
    auto* const handle = function == nullptr ? nullptr : function(domain, text);
    if (handle != nullptr) {
        tried([&] { return domains().registered(handle, utf8_of(text)), true; });
    }
    return handle;
}

template <class Attributes> std::uint64_t register_in(nvtxDomainHandle_t domain, const Attributes* attributes)
{
    std::uint64_t id = 0;
    tried([&] { return (id = domains().registered(domain, attributes)) != 0; });
    return id;
}

int push_payload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* payloads, std::size_t count)
{
    if (domain == nullptr) {
        return push(named_in_payload().message.ascii);
    }
    auto attributes = named_in_payload();
    attributes.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    attributes.payload.ullValue = reinterpret_cast<std::uintptr_t>(payloads);
    attributes.reserved0 = static_cast<std::int32_t>(std::min<std::size_t>(count, 1024));
    return push_in_domain(domain, &attributes);
}

int pop_payload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* payloads, std::size_t count)
{
    return domain == nullptr ? pop() : pop_with(domain, payloads, count);
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
        probe_domain_push = reinterpret_cast<DomainPushFunction*>(::dlsym(probe, "lanescope_domain_push"));
        probe_domain_pop = reinterpret_cast<DomainPopFunction*>(::dlsym(probe, "lanescope_domain_pop"));
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

/// Functions of domains, as far as CUPTI replaced NVTX's own.
class DomainRanges {
public:
    explicit DomainRanges(NvtxGetExportTableFunc_t get_export_table)
        : m_table(functions_of(get_export_table, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainCreateW))
    {
        for (unsigned id = 1; m_table != nullptr && id < m_before.size(); ++id) {
            m_before[id] = *m_table[id];
        }
    }
    /// Keeps CUPTI's, and puts our own in the places of those of nested ranges, domains and strings.
    void take() const
    {
        keep(NVTX_CBID_CORE2_DomainRangeStartEx, cupti_domain_start);
        keep(NVTX_CBID_CORE2_DomainRangeEnd, cupti_domain_end);
        if (keep(NVTX_CBID_CORE2_DomainCreateA, cupti_domain_create)) {
            put(NVTX_CBID_CORE2_DomainCreateA, &create_domain<cupti_domain_create, const char*>);
        }
        if (keep(NVTX_CBID_CORE2_DomainCreateW, cupti_domain_create_wide)) {
            put(NVTX_CBID_CORE2_DomainCreateW, &create_domain<cupti_domain_create_wide, const wchar_t*>);
        }
        if (keep(NVTX_CBID_CORE2_DomainRegisterStringA, cupti_register_string)) {
            put(NVTX_CBID_CORE2_DomainRegisterStringA, &register_string<cupti_register_string, const char*>);
        }
        if (keep(NVTX_CBID_CORE2_DomainRegisterStringW, cupti_register_string_wide)) {
            put(NVTX_CBID_CORE2_DomainRegisterStringW, &register_string<cupti_register_string_wide, const wchar_t*>);
        }
        const bool pushes = keep(NVTX_CBID_CORE2_DomainRangePushEx, cupti_domain_push);
        const bool pops = keep(NVTX_CBID_CORE2_DomainRangePop, cupti_domain_pop);
        if (pushes && pops && probe_domain_push != nullptr && probe_domain_pop != nullptr) {
            put(NVTX_CBID_CORE2_DomainRangePushEx, &push_in_domain);
            put(NVTX_CBID_CORE2_DomainRangePop, &pop_in_domain);
        }
    }

private:
    template <class Function> bool keep(unsigned id, std::atomic<Function*>& function) const
    {
        const bool is_replaced = m_table != nullptr && *m_table[id] != m_before[id];
        if (is_replaced) {
            function = reinterpret_cast<Function*>(*m_table[id]);
        }
        return is_replaced;
    }
    template <class Function> void put(unsigned id, Function* own) const
    {
        *m_table[id] = reinterpret_cast<NvtxFunctionPointer>(own);
    }

    NvtxFunctionTable m_table;
    std::array<NvtxFunctionPointer, NVTX_CBID_CORE2_DomainRegisterStringW + 1> m_before {};
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
            domain_ranges.take();
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
    functions.functionSlots[NVTX3EXT_CBID_nvtxPayloadSchemaRegister]
        = reinterpret_cast<std::intptr_t>(&register_in<nvtxPayloadSchemaAttr_t>);
    functions.functionSlots[NVTX3EXT_CBID_nvtxPayloadEnumRegister]
        = reinterpret_cast<std::intptr_t>(&register_in<nvtxPayloadEnumAttr_t>);
    functions.functionSlots[NVTX3EXT_CBID_nvtxRangePushPayload] = reinterpret_cast<std::intptr_t>(&push_payload);
    functions.functionSlots[NVTX3EXT_CBID_nvtxRangePopPayload] = reinterpret_cast<std::intptr_t>(&pop_payload);
    functions.functionSlots[NVTX3EXT_CBID_nvtxRangeStartPayload] = reinterpret_cast<std::intptr_t>(&start_payload);
    functions.functionSlots[NVTX3EXT_CBID_nvtxRangeEndPayload] = reinterpret_cast<std::intptr_t>(&end_payload);
    return 1;
}
