// SPDX-License-Identifier: MIT
// The constants of a model device: what the discrete-event model knows about one
// kind of GPU and its host. Their values are in resources/devices/*.yaml, each with
// its source; nothing in the model's code is a measured number.
//
// Units: times in ns, rates in bytes/s, sizes in bytes. Every constant below must be
// in the file; the file has no others.
#pragma once

#include "engine/trace/units.h"

#include <cstdint>
#include <string>

namespace lanes {

struct ModelDevice {
    std::string name;  ///< of the GPU in recordings; it says that it is a model

    // The GPU.
    std::uint32_t multiprocessors = 0;
    std::uint32_t copy_engines = 0;
    std::uint32_t compute_major = 0, compute_minor = 0;
    std::uint32_t core_clock_khz = 0;
    std::uint32_t gpus = 0;  ///< how many a host has
    double memory_bytes = 0;  ///< of each
    double memory_bandwidth = 0;  ///< of the GPU's own memory, peak
    double flops = 0;  ///< floating-point operations/s that a full grid reaches
    double kernel_bandwidth = 0;  ///< bytes/s that a full grid of a memory-bound kernel moves
    std::uint32_t threads_per_block = 0;  ///< of the runners' kernels
    std::uint32_t blocks_per_multiprocessor = 0;  ///< how many of those are resident at once
    std::uint32_t blocks_to_saturate_memory = 0;  ///< on the whole GPU
    std::uint32_t resident_grids = 0;  ///< most kernels at once
    double fill_bandwidth = 0;  ///< at which a full grid writes its outputs
    double fill_bandwidth_per_block = 0;  ///< the same for one block
    Ns value_time = 0;  ///< how much longer a kernel takes if it computes its output from buffers
    Ns value_block_time = 0;  ///< and for each of its blocks, which all ask the first for the value

    // Between two operations.
    Ns shortest_kernel = 0;  ///< an empty kernel's time
    Ns kernel_excess = 0;  ///< how much longer a kernel of a given time takes, outside a graph
    Ns kernel_gap = 0;  ///< end of an operation to the start of the next of its stream
    Ns cross_stream_gap = 0;  ///< end of an operation to the start of one that waits for it on another stream
    Ns engine_switch = 0;  ///< how much longer either is between a copy and other work
    Ns graph_gap = 0;  ///< the first of these between two nodes of a graph
    Ns graph_start = 0;  ///< start of a graph to that of its first node

    // Copies.
    double h2d_bandwidth = 0, d2h_bandwidth = 0;  ///< pinned
    double d2d_bandwidth = 0;  ///< payload
    double p2p_bandwidth = 0;  ///< with peer access
    double p2p_bandwidth_without_access = 0;
    double memset_bandwidth = 0;
    double h2d_duplex = 0, d2h_duplex = 0;  ///< part of its bandwidth that a direction keeps beside the other
    Ns h2d_overhead = 0, d2h_overhead = 0;  ///< part of a copy's time that its size does not change
    Ns copy_overhead = 0;  ///< the same for other copies and for memsets

    // Copies from and to pageable memory: see staging.h.
    double staged_h2d_bandwidth = 0, staged_d2h_bandwidth = 0;  ///< large ones: the host's own copying bounds them
    double staged_at_once = 0;  ///< an upload up to this size does not wait for earlier work of its stream
    double staging_chunk = 0;  ///< a piece: what the driver's pinned buffer holds
    double staging_bandwidth = 0;  ///< at which the host copies an upload that fits into it
    double inline_bytes = 0;  ///< uploads up to this size are part of the command
    double inline_bandwidth = 0;  ///< at which the host copies those

    // The host's calls: time in a call that waits for nothing.
    Ns launch_call = 0;
    Ns h2d_call = 0, d2h_call = 0, d2d_call = 0, p2p_call = 0, memset_call = 0;
    Ns event_record_call = 0, stream_wait_call = 0, sync_call = 0;
    Ns pool_alloc_call = 0, pool_free_call = 0;
    Ns alloc_call = 0, free_call = 0;  ///< of any size
    double alloc_bandwidth = 0, free_bandwidth = 0;  ///< and for each byte
    double pin_bandwidth = 0, unpin_bandwidth = 0;  ///< cudaMallocHost, cudaFreeHost
    Ns capture_call = 0, instantiate_call = 0, instantiate_node = 0, graph_call = 0, graph_node = 0;
    Ns all_reduce_call = 0;  ///< for each rank
    Ns launch_latency = 0;  ///< start of a launch's call to the start of the kernel on an idle GPU
    Ns copy_latency = 0;  ///< the same for a copy or memset
    Ns wake_up = 0;  ///< end of what a synchronisation waits for to its return
    std::uint32_t launch_queue = 0;  ///< operations of one stream that may be pending
    Ns refused_call = 0;  ///< a call that a capture refuses: longer than an accepted one
    Ns fault_report = 0;  ///< a kernel's fault to the return of the call that reports it, the middle of what was seen
    Ns fault_report_spread = 0;  ///< by how much a run's may be shorter or longer; nothing in a program decides it

    // The host.
    Ns step = 0;  ///< a runner's own time between two calls
    Ns branch = 0;  ///< of a condition
    Ns sleep_overshoot = 0;  ///< how much longer than requested a sleep takes
    Ns queue_call = 0;  ///< a put or get that need not wait
    Ns thread_wake_up = 0;  ///< from the end of a queue's or join's wait until the thread goes on
    double host_memcpy_bandwidth = 0;
    double read_bandwidth = 0;  ///< at which a read step compares every word
    Ns read_page_time = 0;  ///< to compare one word of a page

    // Collectives.
    double all_reduce_bandwidth = 0;  ///< bus bandwidth
    Ns all_reduce_latency = 0;
    std::uint32_t all_reduce_blocks = 0;  ///< block slots it occupies on each GPU
};

}  // namespace lanes
