// SPDX-License-Identifier: MIT
// API calls that are not recorded because they only query state.
//
// Of 110,600 runtime API records of a launch-bound PyTorch loop 84,200 were
// cudaGetDevice and 13,500 cudaGetLastError: without such calls a recording is 80 %
// smaller and the program is held up less. Left out is what reads the calling
// thread's or the driver's own state and can wait for nothing. Queries of GPU work
// (cudaEventQuery, cudaStreamQuery) are recorded: a program that polls shows there
// what it waits for. query_spins.h joins them.
#pragma once

#include <cupti.h>
#include <span>

namespace lanes {

std::span<const CUpti_CallbackId> quiet_runtime_calls();
std::span<const CUpti_CallbackId> quiet_driver_calls();

}  // namespace lanes
