// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/purpose.h"

#include <map>
#include <utility>
#include <vector>

namespace oracle {

namespace {

bool starts(const std::string& text, const std::string& with)
{
    return text.compare(0, with.size(), with) == 0;
}

}  // namespace

Purpose purpose_of(std::string name)
{
    for (const std::string variant : {"_ptsz", "_ptds"}) {
        if (name.size() > variant.size() && name.substr(name.size() - variant.size()) == variant) {
            name.resize(name.size() - variant.size());
        }
    }
    if (starts(name, "cuda")) {
        name = name.substr(4);
    } else if (starts(name, "hip")) {
        name = name.substr(3);
    } else if (starts(name, "cu")) {
        name = name.substr(2);
    } else {
        return Purpose::other;
    }
    static const std::map<std::string, Purpose> whole {{"StreamSynchronize", Purpose::stream_sync},
        {"DeviceSynchronize", Purpose::device_sync}, {"ThreadSynchronize", Purpose::device_sync},
        {"CtxSynchronize", Purpose::device_sync}, {"EventSynchronize", Purpose::event_sync},
        {"StreamQuery", Purpose::query}, {"EventQuery", Purpose::query}, {"StreamWaitEvent", Purpose::wait},
        {"GetLastError", Purpose::own_state}, {"PeekAtLastError", Purpose::own_state},
        {"GetDevice", Purpose::own_state}, {"SetDevice", Purpose::own_state}};
    if (const auto found = whole.find(name); found != whole.end()) {
        return found->second;
    }
    static const std::vector<std::pair<std::string, Purpose>> begins {{"GraphLaunch", Purpose::graph},
        {"Memcpy", Purpose::copy}, {"CtxGet", Purpose::own_state}, {"LaunchHostFunc", Purpose::unseen},
        {"StreamAddCallback", Purpose::unseen}, {"MemPrefetch", Purpose::unseen}, {"Malloc", Purpose::memory},
        {"Free", Purpose::memory}, {"HostAlloc", Purpose::memory}, {"HostRegister", Purpose::memory},
        {"HostUnregister", Purpose::memory}, {"MemAlloc", Purpose::memory}, {"MemFree", Purpose::memory},
        {"MemHost", Purpose::memory}, {"MemUnmap", Purpose::memory}, {"MemRelease", Purpose::memory},
        {"MemCreate", Purpose::memory}, {"MemMap", Purpose::memory}, {"Array", Purpose::memory}};
    for (const auto& [prefix, purpose] : begins) {
        if (starts(name, prefix)) {
            return purpose;
        }
    }
    return Purpose::other;
}

}  // namespace oracle
