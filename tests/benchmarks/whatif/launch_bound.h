// SPDX-License-Identifier: MIT
// A recording of any length, for measuring cost by length.
#pragma once

#include "engine/trace/trace_builder.h"

#include <algorithm>
#include <vector>

namespace lanes::bench {

/// One thread that launches a kernel on each stream in turn and sometimes waits for a stream.
inline Trace launch_bound(std::size_t operations)
{
    constexpr std::uint32_t streams = 4;
    TraceBuilder builder;
    std::vector<ApiCallRecord> calls;
    std::vector<KernelRecord> kernels;
    std::vector<SyncRecord> syncs;
    const auto launch = builder.intern("cudaLaunchKernel");
    const auto wait = builder.intern("cudaStreamSynchronize");
    const auto name = builder.intern("kernel");
    DeviceRecord device {};
    device.multiprocessors = 132;
    device.compute_major = 9;
    builder.write(device);
    builder.write(ContextRecord {.process = 1, .device = 0, .context = 1, .null_stream = 7});
    for (std::uint32_t i = 0; i < streams; ++i) {
        builder.write(StreamRecord {.process = 1,
            .context = 1,
            .stream = 13 + i,
            .priority = 0,
            .flag = StreamRecord::non_blocking,
            .name = 0});
    }
    std::vector<Ns> ends(streams, 0);
    Ns now = 1'000;
    std::uint32_t correlation = 0;
    for (std::size_t i = 0; i < operations; ++i) {
        const auto stream = static_cast<std::uint32_t>(i % streams);
        calls.push_back({now, now + 2'000, 1, 1, ++correlation, launch, ApiCallRecord::runtime, 0});
        KernelRecord kernel {};
        kernel.start = std::max(now + 4'000, ends[stream] + 1'000);
        kernel.end = ends[stream] = kernel.start + 8'000 + static_cast<Ns>(i * 7919 % 4'000);
        kernel.process = kernel.context = 1;
        kernel.stream = 13 + stream;
        kernel.correlation = correlation;
        kernel.name = name;
        kernel.grid[0] = 132;
        kernel.grid[1] = kernel.grid[2] = kernel.block[1] = kernel.block[2] = 1;
        kernel.block[0] = 256;
        kernels.push_back(kernel);
        now += 3'000;
        if (i % 50 == 49) {
            const Ns end = std::max(now + 1'000, ends[stream] + 2'000);
            calls.push_back({now, end, 1, 1, ++correlation, wait, ApiCallRecord::runtime, 0});
            syncs.push_back({now, end, 1, 1, 13 + stream, correlation, no_id, 0, SyncRecord::stream_sync, 0});
            now = end + 500;
        }
    }
    builder.write(std::span<const ApiCallRecord>(calls));
    builder.write(std::span<const KernelRecord>(kernels));
    builder.write(std::span<const SyncRecord>(syncs));
    return builder.finish(Source::cupti);
}

}  // namespace lanes::bench
