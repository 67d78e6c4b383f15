// SPDX-License-Identifier: MIT
// The words that Kineto and Nsight have for CUPTI's numbers.
#include "engine/store/export/export_text.h"

#include <array>

namespace lanes {

std::string_view word_of(MemoryKind kind)
{
    static constexpr std::array<std::string_view, 8> words {
        "Unknown", "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"};
    return words[static_cast<std::size_t>(kind) % words.size()];
}

std::string_view arrow_of(CopyKind kind)
{
    static constexpr std::array<std::string_view, 11> words {
        "Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
    return words[static_cast<std::size_t>(kind) % words.size()];
}

std::string_view word_of(OverheadRecord::Type type)
{
    switch (type) {
    case OverheadRecord::driver_compiler:
        return "Driver Compiler";
    case OverheadRecord::buffer_flush:
        return "Buffer Flush";
    case OverheadRecord::instrumentation:
        return "Instrumentation";
    case OverheadRecord::resource:
        return "Resource";
    case OverheadRecord::module_loading:
        return "Runtime Triggered Module Loading";
    case OverheadRecord::lazy_function_loading:
        return "Lazy Function Loading";
    case OverheadRecord::command_buffer_full:
        return "Command Buffer Full";
    case OverheadRecord::activity_buffer_request:
        return "Activity Buffer Request";
    case OverheadRecord::uvm_init:
        return "UVM Init";
    default:
        return "Unknown";
    }
}

std::string_view word_of(SyncRecord::Type type)
{
    static constexpr std::array<std::string_view, 5> words {
        "Unknown", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};
    return words[static_cast<std::size_t>(type) % words.size()];
}

std::string_view word_of(CounterRecord::Unit unit)
{
    static constexpr std::array<std::string_view, 3> words {"number", "bytes", "percent"};
    return words[static_cast<std::size_t>(unit) % words.size()];
}

}  // namespace lanes
