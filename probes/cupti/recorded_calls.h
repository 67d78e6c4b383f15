// SPDX-License-Identifier: MIT
// Which API calls are recorded: those that a reader of a timeline can use.
//
// Of 110,600 runtime API records of a launch-bound PyTorch loop 84,200 were cudaGetDevice and 13,500
// cudaGetLastError, and each of 9,073 launches brought a cuKernelGetName. So it is a list of what is let in: launches,
// copies, sets, synchronisations, events, waits, allocation, graphs, modules, what creates and ends streams, contexts
// and devices. Left out is what asks for a state or sets an attribute and waits for nothing; but queries of GPU work
// (cudaEventQuery, cudaStreamQuery) stay: a program that polls shows there what it waits for (query_spins.h).
#pragma once

#include <string_view>

namespace lanes {

/// By the name that CUPTI has for a call, with or without its version ("cudaLaunchKernel_ptsz_v7000"). What belongs
/// to no family that is known is not recorded.
bool is_recorded_call(std::string_view name);

}  // namespace lanes
