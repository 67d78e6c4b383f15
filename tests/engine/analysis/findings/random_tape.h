// SPDX-License-Identifier: MIT
// Recordings of random programs: threads that launch, copy, record and wait on a few streams of two GPUs, work, read,
// allocate, and put and get. Times are such as a GPU could have: work of one stream in order, a wait until it is done.
#pragma once

#include "tests/engine/analysis/tape.h"

#include <algorithm>
#include <array>
#include <random>

namespace lanes {

inline Trace random_recording(unsigned seed)
{
    constexpr Ns us = 1000;
    constexpr std::uint32_t threads = 2, streams = 4;
    std::mt19937 random(seed);
    const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
    const auto time = [&](unsigned limit) { return (1 + static_cast<Ns>(below(limit))) * us / 2; };
    Tape tape;
    tape.stream(Tape::legacy_stream, StreamRecord::null);
    for (std::uint32_t stream = 1; stream < streams; ++stream) {
        tape.stream(10 + stream, below(2) == 0 ? StreamRecord::blocking : StreamRecord::non_blocking);
    }
    const auto id_of = [&](unsigned stream) { return stream == 0 ? Tape::legacy_stream : 10 + stream; };
    std::array<Ns, streams> busy_until {};  // by stream; the last one is of the second GPU
    std::array<Ns, threads> now {};
    unsigned event = 0;
    for (int i = 0; i < 120; ++i) {
        const unsigned at = now[0] <= now[1] ? 0 : 1;
        const unsigned thread = at + 1;
        Ns& clock = now[at];
        const unsigned stream = below(streams);
        const std::uint32_t device = stream == streams - 1 ? 1 : 0;
        const auto run = [&](Ns issued) {
            const Ns start = std::max(issued + 2 * us, busy_until[stream]) + time(4);
            busy_until[stream] = start + time(200);
            return start;
        };
        clock += time(20);
        const Ns begin = clock;
        switch (below(9)) {
        case 0:
        case 1: {
            clock += time(10);
            const Ns start = run(begin);
            tape.kernel(tape.call("cudaLaunchKernel", begin, clock, thread), id_of(stream), start, busy_until[stream],
                device, below(8) == 0 ? "ncclDevKernel_AllReduce_Sum_f32_RING_LL(args)" : "work(int)");
            break;
        }
        case 2:
        case 3: {
            const Ns start = run(begin);
            const bool is_pageable = below(2) == 0;
            clock = is_pageable ? busy_until[stream] + time(4) : begin + time(10);
            tape.copy(tape.call("cudaMemcpyAsync", begin, clock, thread), id_of(stream), start, busy_until[stream],
                below(2) == 0 ? CopyKind::h2d : CopyKind::d2h, is_pageable ? MemoryKind::pageable : MemoryKind::pinned,
                true, device, below(3) == 0 ? 8 : 1 << 20);
            break;
        }
        case 4: {
            clock = std::max(begin, busy_until[stream]) + time(6);
            const auto sync = tape.call("cudaStreamSynchronize", begin, clock, thread);
            tape.sync(sync, SyncRecord::stream_sync, begin, clock, id_of(stream));
            break;
        }
        case 5: {
            clock = std::max({begin, busy_until[0], busy_until[1], busy_until[2]}) + time(6);
            const auto sync = tape.call("cudaDeviceSynchronize", begin, clock, thread);
            tape.sync(sync, SyncRecord::context_sync, begin, clock);
            break;
        }
        case 6: {
            const auto other = below(streams);
            ++event;
            tape.event(tape.call("cudaEventRecord", begin, begin + us, thread), id_of(stream), event, event);
            tape.sync(tape.call("cudaStreamWaitEvent", begin + us, begin + 2 * us, thread),
                SyncRecord::stream_wait_event, begin + us, begin + 2 * us, id_of(other), event, event);
            busy_until[other] = std::max(busy_until[other], busy_until[stream]);
            clock += 2 * us;
            break;
        }
        case 7:
            clock += time(150);
            if (below(3) == 0) {
                tape.read("y", begin, clock, 8, 0);
            } else {
                tape.host_span(below(3) == 0 ? HostSpanRecord::queue_put : HostSpanRecord::work, begin, clock, thread);
            }
            break;
        default:
            clock = below(2) == 0 ? std::max(begin, busy_until[0]) + time(10) : begin + time(60);
            static_cast<void>(tape.call(below(2) == 0 ? "cudaMalloc" : "cudaFree", begin, clock, thread));
            break;
        }
    }
    return tape.finish();
}

}  // namespace lanes
