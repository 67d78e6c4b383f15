// SPDX-License-Identifier: MIT
// How much a streaming multiprocessor (SM) holds at once, by compute capability, and how much of it a block of a kernel
// takes. Everything that asks how many kernels or blocks fit on a GPU asks here.
//
// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": maximum number of resident
// threads and blocks, of 32-bit registers, and amount of shared memory, each per multiprocessor. Blocks and
// shared memory agree with cuda_occupancy.h of CUDA 13.0.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>

namespace lanes {

/// What an SM holds, or a block takes of one.
struct SmRoom {
    std::uint32_t threads = 0, blocks = 0, registers = 0, shared_bytes = 0;
};

/// The room of an SM. For a compute capability that is not in the table (0: not known), that of Hopper, which holds
/// most.
SmRoom sm_room(std::uint32_t compute_major, std::uint32_t compute_minor);

/// The SMs of a GPU: what each holds, and how many there are.
struct GpuRoom {
    SmRoom sm;
    std::uint32_t sms = 0;  ///< 0: not known
    std::uint64_t threads() const { return std::uint64_t {sms} * sm.threads; }
};
GpuRoom gpu_room(const Device& device);
/// For the device of that id; without SMs if the trace has no such device. Cost: the number of devices.
GpuRoom gpu_room(const Trace& trace, std::uint32_t device);

/// The blocks and threads of a kernel's grid; 0: its size is not recorded.
std::uint64_t blocks_of(const KernelDetail& kernel);
std::uint64_t threads_of(const KernelDetail& kernel);

/// What a block takes: threads in whole warps, registers in units of 8 a thread, and its shared memory plus 1 KiB that
/// the driver keeps.
SmRoom room_of_block(const KernelDetail& kernel);

/// How many blocks that each take `block` fit into `room`; may be 0.
std::uint32_t blocks_in(const SmRoom& room, const SmRoom& block);
/// How many blocks of the kernel an SM holds: 1 at least, for the kernel ran.
std::uint32_t resident_blocks(const KernelDetail& kernel, const SmRoom& room);
/// What is left of `room` beside `taken`; never less than nothing.
SmRoom room_beside(const SmRoom& room, const SmRoom& taken);

}  // namespace lanes
