// SPDX-License-Identifier: MIT
// Which kernels move data between GPUs: those of NCCL and RCCL, of DeepEP and NVSHMEM, the all-reduce of vLLM, SGLang,
// TensorRT-LLM and PyTorch's symmetric memory, oneCCL. Only by their names: nothing else in a recording says so.
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// The communication that a kernel of that name does: "AllReduce" for "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)"
/// and for "void vllm::cross_device_reduce_2stage<half, 8>(...)", "all_reduce" for "nccl all_reduce", "dispatch" for
/// "deep_ep::intranode::dispatch<...>(...)". Empty: it is no communication. `kernel` is demangled, with its namespaces
/// if it has some. Cost: one pass over the name for each row of the table.
std::string communication_of(std::string_view kernel);

}  // namespace lanes
