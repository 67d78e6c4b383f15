// SPDX-License-Identifier: MIT
#include "engine/trace/context_failure.h"

namespace lanes {

const char* context_failure_name(std::int32_t result)
{
    switch (result) {
    case 214:
        return "cudaErrorECCUncorrectable";
    case 220:
        return "cudaErrorNvlinkUncorrectable";
    case 226:
        return "cudaErrorContained";
    case 700:
        return "cudaErrorIllegalAddress";
    case 702:
        return "cudaErrorLaunchTimeout";
    case 710:
        return "cudaErrorAssert";
    case 714:
        return "cudaErrorHardwareStackError";
    case 715:
        return "cudaErrorIllegalInstruction";
    case 716:
        return "cudaErrorMisalignedAddress";
    case 717:
        return "cudaErrorInvalidAddressSpace";
    case 718:
        return "cudaErrorInvalidPc";
    case 719:
        return "cudaErrorLaunchFailure";
    case 721:
        return "cudaErrorTensorMemoryLeak";
    default:
        return nullptr;
    }
}

}  // namespace lanes
