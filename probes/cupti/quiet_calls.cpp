// SPDX-License-Identifier: MIT
#include "probes/cupti/quiet_calls.h"

namespace lanes {

namespace {

#define RUNTIME(name) CUPTI_RUNTIME_TRACE_CBID_##name
#define DRIVER(name) CUPTI_DRIVER_TRACE_CBID_##name

constexpr CUpti_CallbackId runtime_calls[] = {
    RUNTIME(cudaGetDevice_v3020),  // 76 % of all runtime records: PyTorch asks before each call
    RUNTIME(cudaGetLastError_v3020),  // 12 %: PyTorch asks after each launch
    RUNTIME(cudaPeekAtLastError_v3020),  // the same without clearing it
    RUNTIME(cudaStreamIsCapturing_v10000),  // a thread's own state
    RUNTIME(cudaStreamIsCapturing_ptsz_v10000),
    RUNTIME(cudaStreamGetCaptureInfo_v10010),
    RUNTIME(cudaStreamGetCaptureInfo_ptsz_v10010),
    RUNTIME(cudaStreamGetCaptureInfo_v2_v11030),
    RUNTIME(cudaStreamGetCaptureInfo_v2_ptsz_v11030),
    RUNTIME(cudaStreamGetCaptureInfo_v12030),
    RUNTIME(cudaStreamGetCaptureInfo_ptsz_v12030),
    RUNTIME(cudaThreadExchangeStreamCaptureMode_v10010),
    RUNTIME(cudaGetDeviceCount_v3020),
    RUNTIME(cudaDeviceGetAttribute_v5000),  // a constant of the device
    RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessor_v6050),
    RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_v7000),
    RUNTIME(cudaStreamGetPriority_v5050),
    RUNTIME(cudaStreamGetPriority_ptsz_v7000),
    RUNTIME(cudaStreamGetFlags_v5050),
    RUNTIME(cudaStreamGetFlags_ptsz_v7000),
    RUNTIME(cudaGetDriverEntryPoint_v11030),
    RUNTIME(cudaGetDriverEntryPoint_ptsz_v11030),
    RUNTIME(cudaGetDriverEntryPointByVersion_v12050),
    RUNTIME(cudaGetDriverEntryPointByVersion_ptsz_v12050),
};

constexpr CUpti_CallbackId driver_calls[] = {
    DRIVER(cuCtxGetCurrent),  // a thread's own state
    DRIVER(cuCtxGetDevice),
    DRIVER(cuKernelGetAttribute),  // constants of a kernel; Kineto too leaves out this,
    DRIVER(cuFuncGetAttribute),
    DRIVER(cuDevicePrimaryCtxGetState),  // this and cuCtxGetCurrent
    DRIVER(cuDeviceGetAttribute),  // constants
    DRIVER(cuPointerGetAttribute),
    DRIVER(cuStreamIsCapturing),
    DRIVER(cuStreamIsCapturing_ptsz),
    DRIVER(cuGetProcAddress),  // the runtime's own linking
    DRIVER(cuGetProcAddress_v2),
};

#undef RUNTIME
#undef DRIVER

}  // namespace

std::span<const CUpti_CallbackId> quiet_runtime_calls()
{
    return runtime_calls;
}

std::span<const CUpti_CallbackId> quiet_driver_calls()
{
    return driver_calls;
}

}  // namespace lanes
