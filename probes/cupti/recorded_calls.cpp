// SPDX-License-Identifier: MIT
#include "probes/cupti/recorded_calls.h"

#include <algorithm>
#include <iterator>

namespace lanes {

namespace {

constexpr std::string_view recorded_beginnings[] = {"Launch", "Graph",  // launches, graphs, and work for a graphics API
    "Mem", "Malloc", "Free", "Host", "Array", "Mipmapped", "Multicast", "Ipc",  // copies, sets, allocation
    "Event", "Stream", "DeviceSynchronize", "CtxSynchronize", "ThreadSynchronize",  // events and waits
    "CtxRecordEvent", "CtxWaitEvent", "Import", "SignalExternal", "WaitExternal", "DestroyExternal", "Module",
    "Library", "Link", "FuncLoad",  // modules
    "Init", "SetDevice", "DeviceReset", "DevicePrimaryCtx", "DeviceEnablePeer", "DeviceDisablePeer",
    "DeviceGraphMemTrim", "ThreadExit", "CtxCreate", "CtxDestroy", "CtxDetach", "CtxEnablePeer", "CtxDisablePeer",
    "GreenCtx", "Profiler", "Checkpoint"};

/// Of those the ones that wait for nothing and load nothing.
constexpr std::string_view asking[] = {"Get", "IsCapturing", "IsEnabled", "SetAttribute", "SetAccessPolicy",
    "UpdateCaptureDependencies", "CopyAttributes", "ExchangeStreamCaptureMode"};

/// They have "Get" in their names and load what they get.
constexpr std::string_view loading[]
    = {"ModuleGetFunction", "ModuleGetGlobal", "ModuleGetLoadingMode", "LibraryGetKernel", "LibraryGetModule",
        "LibraryGetGlobal", "LibraryGetManaged", "IpcGetMemHandle", "IpcGetEventHandle", "GetFuncBySymbol"};

bool begins(std::string_view name, std::string_view with)
{
    return name.starts_with(with);
}

}  // namespace

bool is_recorded_call(std::string_view name)
{
    if (begins(name, "cuda")) {
        name.remove_prefix(4);
    } else if (begins(name, "cu")) {
        name.remove_prefix(2);
    } else {
        return false;
    }
    const auto has_begun = [name](std::string_view with) { return begins(name, with); };
    if (std::any_of(std::begin(loading), std::end(loading), has_begun)) {
        return true;
    }
    return std::any_of(std::begin(recorded_beginnings), std::end(recorded_beginnings), has_begun)
        && std::none_of(std::begin(asking), std::end(asking),
            [name](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

}  // namespace lanes
