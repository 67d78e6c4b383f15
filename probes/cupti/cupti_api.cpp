// SPDX-License-Identifier: MIT
#include "probes/cupti/cupti_api.h"

#include <dlfcn.h>

namespace lanes {

std::string CuptiApi::load(void* handle)
{
#define LANES_CUPTI_LOAD(function)                                                                                     \
    function = reinterpret_cast<decltype(function)>(::dlsym(handle, #function));                                       \
    if (function == nullptr) {                                                                                         \
        return "this CUPTI lacks " #function;                                                                          \
    }
    LANES_CUPTI_FUNCTIONS(LANES_CUPTI_LOAD)
#undef LANES_CUPTI_LOAD
    return {};
}

std::string CuptiApi::text(CUptiResult result) const
{
    const char* words = nullptr;
    if (cuptiGetResultString == nullptr || cuptiGetResultString(result, &words) != CUPTI_SUCCESS || words == nullptr) {
        return "CUPTI result " + std::to_string(static_cast<int>(result));
    }
    return words;
}

}  // namespace lanes
