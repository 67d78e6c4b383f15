// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_words.h"

#include <algorithm>
#include <array>

namespace lanes {

CopyKind copy_kind_of(std::string_view name)
{
    struct Word {
        std::string_view text;
        CopyKind kind;
    };
    static constexpr std::array words {Word {"HtoD", CopyKind::h2d}, Word {"DtoH", CopyKind::d2h},
        Word {"DtoD", CopyKind::d2d}, Word {"PtoP", CopyKind::p2p}, Word {"HtoH", CopyKind::h2h},
        Word {"HtoA", CopyKind::h2a}, Word {"AtoH", CopyKind::a2h}, Word {"AtoA", CopyKind::a2a},
        Word {"AtoD", CopyKind::a2d}, Word {"DtoA", CopyKind::d2a}, Word {"HostToDevice", CopyKind::h2d},
        Word {"DeviceToHost", CopyKind::d2h}, Word {"DeviceToDevice", CopyKind::d2d},
        Word {"HostToHost", CopyKind::h2h}, Word {"PeerToPeer", CopyKind::p2p}, Word {"P2P", CopyKind::p2p},
        Word {"HOST_TO_DEVICE", CopyKind::h2d}, Word {"DEVICE_TO_HOST", CopyKind::d2h},
        Word {"DEVICE_TO_DEVICE", CopyKind::d2d}, Word {"HOST_TO_HOST", CopyKind::h2h}};
    for (const auto& word : words) {
        if (name.find(word.text) != std::string_view::npos) {
            return word.kind;
        }
    }
    // "MemcpyH2D" of XLA. Intel has M for host memory that is not pinned, H for pinned, S for shared and D for device
    // memory: "zeCommandListAppendMemoryCopy(M2D)".
    for (auto two = name.find('2'); two != std::string_view::npos; two = name.find('2', two + 1)) {
        const auto place = [](char c) { return c == 'H' || c == 'M' ? 'h' : c == 'D' || c == 'S' ? 'd' : ' '; };
        const char from = two == 0 ? ' ' : place(name[two - 1]);
        const char to = two + 1 == name.size() ? ' ' : place(name[two + 1]);
        if (from != ' ' && to != ' ') {
            return from == 'h' ? (to == 'h' ? CopyKind::h2h : CopyKind::h2d)
                               : (to == 'h' ? CopyKind::d2h : CopyKind::d2d);
        }
    }
    return CopyKind::unknown;
}

MemoryKind memory_kind_of(std::string_view name)
{
    struct Word {
        std::string_view text;
        MemoryKind kind;
    };
    static constexpr std::array words {Word {"Pageable", MemoryKind::pageable}, Word {"Pinned", MemoryKind::pinned},
        Word {"Device Static", MemoryKind::device_static}, Word {"Managed Static", MemoryKind::managed_static},
        Word {"Device", MemoryKind::device}, Word {"Array", MemoryKind::array}, Word {"Managed", MemoryKind::managed}};
    for (const auto& word : words) {
        if (name.find(word.text) != std::string_view::npos) {
            return word.kind;
        }
    }
    return MemoryKind::unknown;
}

CopyEnds ends_of(std::string_view name)
{
    const auto open = name.find('(');
    const auto arrow = name.find("->");
    if (open == std::string_view::npos || arrow == std::string_view::npos || arrow < open) {
        return {};
    }
    return {memory_kind_of(name.substr(open, arrow - open)), memory_kind_of(name.substr(arrow))};
}

CounterRecord::Unit unit_of(std::string_view name)
{
    const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
    return has("bytes") || has("Bytes") ? CounterRecord::bytes
        : has("%") || has("percent")    ? CounterRecord::percent
                                        : CounterRecord::none;
}

std::optional<CounterRecord::Unit> unit_of_word(std::string_view word)
{
    return word == "bytes"  ? std::optional(CounterRecord::bytes)
        : word == "percent" ? std::optional(CounterRecord::percent)
        : word == "number"  ? std::optional(CounterRecord::none)
                            : std::nullopt;
}

SyncRecord::Type sync_type_of(std::string_view name)
{
    return name == "Event Sync"                           ? SyncRecord::event
        : name == "Stream Wait Event"                     ? SyncRecord::stream_wait_event
        : name == "Stream Sync"                           ? SyncRecord::stream_sync
        : name == "Context Sync" || name == "Device Sync" ? SyncRecord::context_sync
                                                          : SyncRecord::unknown;
}

OverheadRecord::Type overhead_type_of(std::string_view name)
{
    struct Word {
        std::string_view text;
        OverheadRecord::Type type;
    };
    static constexpr std::array words {Word {"Command Buffer Full", OverheadRecord::command_buffer_full},
        Word {"Buffer Flush", OverheadRecord::buffer_flush}, Word {"Instrumentation", OverheadRecord::instrumentation},
        Word {"Resource", OverheadRecord::resource},
        Word {"Lazy Function Loading", OverheadRecord::lazy_function_loading},
        Word {"Runtime Triggered Module Loading", OverheadRecord::module_loading},
        Word {"Activity Buffer Request", OverheadRecord::activity_buffer_request},
        Word {"Driver Compiler", OverheadRecord::driver_compiler}, Word {"UVM Init", OverheadRecord::uvm_init}};
    const auto* found = std::find_if(words.begin(), words.end(), [&](const Word& word) { return word.text == name; });
    return found == words.end() ? OverheadRecord::unknown : found->type;
}

}  // namespace lanes
