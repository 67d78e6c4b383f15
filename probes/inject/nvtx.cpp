// SPDX-License-Identifier: MIT
// liblanes-nvtx.so: passes the NVTX headers' call for a tool on to the process's one
// CUPTI. See environment.h for why this is not CUPTI itself.
//
// But for PyTorch's operators, which the probe records itself (lanescope.h): their
// texts are all different (operator_range.h), and CUPTI keeps every text that it meets.
// So it is told of none of them, and each costs its thread less.
#include "probes/cupti/find_cupti.h"
#include "probes/cupti/operator_range.h"
#include "probes/inject/environment.h"

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>

namespace {

using namespace lanes;

using Push = int(const char*);
using Pop = int();

// CUPTI's own, the same for every library that brings NVTX's headers; null where it takes no ranges.
std::atomic<Push*> cupti_push {nullptr};
std::atomic<Pop*> cupti_pop {nullptr};
void (*probe_push)(const char*, std::int64_t) = nullptr;
void (*probe_pop)() = nullptr;

/// Which of the thread's open ranges the probe has; those that lie deeper are all CUPTI's.
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

bool find_probe_functions(const std::string& folder)
{
    void* probe = ::dlopen((folder + "/liblanes-probe.so").c_str(), RTLD_NOW);
    if (probe != nullptr) {
        probe_push = reinterpret_cast<decltype(probe_push)>(::dlsym(probe, "lanescope_operator_push"));
        probe_pop = reinterpret_cast<decltype(probe_pop)>(::dlsym(probe, "lanescope_range_pop"));
    }
    return probe_push != nullptr && probe_pop != nullptr;
}

/// The core functions of the library that calls; null where it shows none.
NvtxFunctionTable functions_of(NvtxGetExportTableFunc_t get_export_table)
{
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(get_export_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    const bool shown = callbacks != nullptr && callbacks->struct_size >= sizeof *callbacks
        && callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) != 0;
    return shown && size > NVTX_CBID_CORE_RangePop ? table : nullptr;
}

/// Puts `own` where a function of CUPTI's stands, which becomes `other`; none if it left what stood there `before`:
/// that is NVTX's own, which asks for a tool.
template <class Function>
void take_place(NvtxFunctionPointer& place, NvtxFunctionPointer before, Function* own, std::atomic<Function*>& other)
{
    if (place != before) {
        other = reinterpret_cast<Function*>(place);
    }
    place = reinterpret_cast<NvtxFunctionPointer>(own);
}

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
        auto* const table = functions_of(get_export_table);
        const bool can_take = table != nullptr && find_probe_functions(folder);
        const auto before_push = can_take ? *table[NVTX_CBID_CORE_RangePushA] : nullptr;
        const auto before_pop = can_take ? *table[NVTX_CBID_CORE_RangePop] : nullptr;
        const int result = initialize(get_export_table);
        if (result != 0 && can_take) {
            take_place<Push>(*table[NVTX_CBID_CORE_RangePushA], before_push, &push, cupti_push);
            take_place<Pop>(*table[NVTX_CBID_CORE_RangePop], before_pop, &pop, cupti_pop);
        }
        return result;
    } catch (...) {
        return 0;
    }
}
