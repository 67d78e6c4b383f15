// SPDX-License-Identifier: MIT
// Which API calls are recorded: those that a reader of a timeline can use.
//
// Of 110,600 runtime API records of a launch-bound PyTorch loop 84,200 were cudaGetDevice and 13,500
// cudaGetLastError, and each of 9,073 launches brought a cuKernelGetName. So it is a list of what is let in: launches,
// copies, sets, synchronisations, events, waits, allocation, graphs, modules, what creates and ends streams, contexts
// and devices. Calls that ask for a state or set an attribute without waiting are left out; but queries of GPU work
// (cudaEventQuery, cudaStreamQuery) stay: they show what a program that polls waits for (query_spins.h).
#pragma once

#include <string_view>

namespace lanes {

/// By CUPTI's name of a call, with or without its version ("cudaLaunchKernel_ptsz_v7000"). Calls of unknown families
/// are not recorded.
bool is_recorded_call(std::string_view name);

}  // namespace lanes
