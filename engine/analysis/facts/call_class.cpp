// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/call_class.h"

#include "engine/trace/names/call_name.h"

#include <initializer_list>

namespace lanes {

namespace {

/// By StringId: `of` of the names that calls have, and `other` of all other texts.
template <class What, class Of> std::vector<What> of_call_names(const Trace& trace, What other, Of of)
{
    std::vector<What> all(trace.strings.size(), other);
    std::vector<bool> done(trace.strings.size());
    for (const StringId name : trace.calls.name) {
        if (!done[name]) {
            done[name] = true;
            all[name] = of(trace.text(name));
        }
    }
    return all;
}

}  // namespace

CallClass class_of(std::string_view name)
{
    for (const std::string_view variant : {"_ptsz", "_ptds"}) {
        if (name.ends_with(variant)) {
            name.remove_suffix(variant.size());
        }
    }
    name = plain_call_name(name);
    bool driver = false;
    if (name.starts_with("cuda")) {
        name.remove_prefix(4);
    } else if (name.starts_with("hip")) {
        name.remove_prefix(3);
    } else if (name.starts_with("cu")) {
        name.remove_prefix(2);
        driver = true;
    } else {
        return CallClass::other;
    }
    const auto starts_with = [&](std::initializer_list<std::string_view> prefixes) {
        for (const auto prefix : prefixes) {
            if (name.starts_with(prefix)) {
                return true;
            }
        }
        return false;
    };
    if (name == "StreamSynchronize") {
        return CallClass::stream_sync;
    }
    if (name == "DeviceSynchronize" || name == "ThreadSynchronize" || name == "CtxSynchronize") {
        return CallClass::device_sync;
    }
    if (name == "EventSynchronize") {
        return CallClass::event_sync;
    }
    if (name == "StreamQuery" || name == "EventQuery") {
        return CallClass::query;
    }
    if (name == "StreamWaitEvent") {
        return CallClass::wait_event;
    }
    if (starts_with({"EventRecord"})) {
        return CallClass::event_record;
    }
    if (starts_with({"Memcpy"})) {
        return name.find("Async") == std::string_view::npos ? CallClass::copy : CallClass::copy_async;
    }
    if (starts_with({"GraphLaunch"})) {
        return CallClass::graph_launch;
    }
    if (starts_with({"LaunchHostFunc", "StreamAddCallback", "MemPrefetch", "MemDiscardAndPrefetch", "StreamWaitValue",
            "StreamBatchMemOp", "WaitExternalSemaphores"})) {
        return CallClass::hidden_work;
    }
    if (name == "GetLastError" || name == "PeekAtLastError" || name == "GetDevice" || name == "SetDevice"
        || starts_with({"CtxGet", "CtxSetCurrent", "CtxPushCurrent", "CtxPopCurrent", "StreamIsCapturing",
            "StreamGetCaptureInfo"})) {
        return CallClass::own_state;
    }
    const bool memory = driver
        ? starts_with({"MemAlloc", "MemFree", "MemHostAlloc", "MemHostRegister", "MemHostUnregister", "MemCreate",
            "MemRelease", "MemMap", "MemUnmap", "MemSetAccess", "MemAddressReserve", "MemAddressFree", "MemPoolCreate",
            "MemPoolDestroy", "MemPoolTrim", "ArrayCreate", "ArrayDestroy", "Array3DCreate", "MipmappedArrayCreate",
            "MipmappedArrayDestroy"})
        : starts_with({"Malloc", "Free", "HostAlloc", "HostMalloc", "HostFree", "HostRegister", "HostUnregister",
            "MemPoolCreate", "MemPoolDestroy", "MemPoolTrim"});
    return memory ? CallClass::memory : CallClass::other;
}

std::vector<CallClass> call_classes(const Trace& trace)
{
    return of_call_names(trace, CallClass::other, class_of);
}

std::vector<CaptureEdge> capture_edges(const Trace& trace)
{
    return of_call_names(trace, CaptureEdge::none, [](std::string_view name) {
        const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
        return has("StreamBeginCapture") ? CaptureEdge::begin
            : has("StreamEndCapture")    ? CaptureEdge::end
                                         : CaptureEdge::none;
    });
}

bool only_asks(std::string_view name)
{
    for (const std::string_view prefix : {"cuda", "hip", "cu"}) {
        if (name.starts_with(prefix)) {
            name.remove_prefix(prefix.size());
            break;
        }
    }
    for (const std::string_view of : {"Device", "Module", "Driver", "Runtime", "Func", "Ctx", "Stream", "Pointer"}) {
        if (name.starts_with(of)) {
            name.remove_prefix(of.size());
            break;
        }
    }
    return name.starts_with("Get");
}

bool loads_code_itself(std::string_view name)
{
    return name.starts_with("cuLibraryLoad") || name.starts_with("cudaLibraryLoad") || name.starts_with("cuModuleLoad")
        || name.starts_with("cuLinkAdd") || name.starts_with("cuLinkComplete");
}

bool issues_operation(std::string_view name)
{
    for (const std::string_view prefix : {"cuda", "hip", "cu", "urEnqueue", "zeCommandList"}) {
        if (name.starts_with(prefix)) {
            name.remove_prefix(prefix.size());
            for (const std::string_view of : {"Append", "Ext", "Module", "USM"}) {
                name.remove_prefix(name.starts_with(of) ? of.size() : 0);
            }
            const auto begins = [&](std::string_view with) { return name.starts_with(with); };
            return (begins("Launch") && !begins("LaunchHostFunc")) || begins("GraphLaunch") || begins("Memcpy")
                || begins("Memset") || begins("KernelLaunch") || begins("MemoryCopy") || begins("MemBuffer");
        }
    }
    return false;
}

}  // namespace lanes
