// SPDX-License-Identifier: MIT
// CUPTI as a table of function pointers, filled from a library that was found at run time.
//
// Nothing here is linked against libcupti: the program that hosts the probe
// may bring its own, and `lanes` must start without any.
#pragma once

#include <cupti.h>
#include <string>

namespace lanes {

// Functions that any 13.0 library has.
#define LANES_CUPTI_FUNCTIONS(apply)                                                                                   \
    apply(cuptiGetVersion) apply(cuptiGetResultString) apply(cuptiGetCallbackName) apply(cuptiSubscribe_v2)            \
        apply(cuptiUnsubscribe) apply(cuptiEnableCallback) apply(cuptiGetContextId) apply(cuptiGetDeviceId)            \
            apply(cuptiGetStreamIdEx) apply(cuptiGetGraphNodeId) apply(cuptiSetThreadIdType)                           \
                apply(cuptiActivitySetAttribute) apply(cuptiActivityRegisterCallbacks) apply(cuptiActivityEnable)      \
                    apply(cuptiActivityEnableAndDump) apply(cuptiActivityDisable) apply(cuptiActivityEnableRuntimeApi) \
                        apply(cuptiActivityEnableDriverApi) apply(cuptiActivityEnableCudaEventDeviceTimestamps)        \
                            apply(cuptiActivityFlushAll) apply(cuptiActivityGetNextRecord)                             \
                                apply(cuptiActivityGetNumDroppedRecords) apply(cuptiFinalize)

struct CuptiApi {
#define LANES_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
    LANES_CUPTI_FUNCTIONS(LANES_CUPTI_MEMBER)
#undef LANES_CUPTI_MEMBER

    /// Fills the table from a handle of dlopen. Returns "" or the one line that says what is missing.
    std::string load(void* handle);

    /// CUPTI's words for a result, "CUPTI_ERROR_…".
    std::string text(CUptiResult result) const;
};

}  // namespace lanes
