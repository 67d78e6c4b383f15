// SPDX-License-Identifier: MIT
#include "probes/inject/refused_profiler.h"

#include "probes/cupti/cupti_api.h"

#include <dlfcn.h>

namespace lanes {

namespace {

void (*tell_refused)(std::string_view) = nullptr;
void* cupti_subscribe = nullptr;
void* cupti_subscribe_v2 = nullptr;

CUptiResult seen(CUptiResult result, const void* caller)
{
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
        Dl_info module {};
        const bool is_known = ::dladdr(caller, &module) != 0 && module.dli_fname != nullptr;
        const std::string_view path = is_known ? module.dli_fname : "";
        tell_refused(path.substr(path.rfind('/') + 1));
    }
    return result;
}

CUptiResult CUPTIAPI subscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data)
{
    const auto original = reinterpret_cast<decltype(&::cuptiSubscribe)>(cupti_subscribe);
    return seen(original(subscriber, callback, data), __builtin_return_address(0));
}

CUptiResult CUPTIAPI subscribe_v2(
    CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data, CUpti_SubscriberParams* parameters)
{
    const auto original = reinterpret_cast<decltype(&::cuptiSubscribe_v2)>(cupti_subscribe_v2);
    return seen(original(subscriber, callback, data, parameters), __builtin_return_address(0));
}

const ReplacedImport calls[] = {
    {"cuptiSubscribe", reinterpret_cast<void*>(&subscribe), &cupti_subscribe},
    {"cuptiSubscribe_v2", reinterpret_cast<void*>(&subscribe_v2), &cupti_subscribe_v2},
};

}  // namespace

std::span<const ReplacedImport> calls_of_profilers(void (*tell)(std::string_view module))
{
    tell_refused = tell;
    return calls;
}

}  // namespace lanes
