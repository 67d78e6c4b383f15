// SPDX-License-Identifier: MIT
// Random programs: threads that issue every kind of work to every kind of stream.
#pragma once

#include "program_builder.h"

#include <cstdint>
#include <random>

namespace lanes::tests {

using Random = std::mt19937;

inline std::uint32_t below(Random& random, std::uint32_t n)
{
    return static_cast<std::uint32_t>(random() % n);
}

struct Wait {
    Index wait, record;  ///< steps
};

struct RandomProgram {
    ProgramBuilder builder;
    std::vector<Wait> waits;
};

inline RandomProgram random_program(unsigned seed)
{
    Random random(seed);
    RandomProgram result;
    auto& b = result.builder;
    const std::uint32_t gpus = 1 + below(random, 2);
    std::vector<Index> streams;
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        streams.push_back(b.stream(StreamSpec::Kind::legacy, gpu));
        streams.push_back(b.stream(StreamSpec::Kind::per_thread, gpu));
        for (std::uint32_t k = 0; k < 1 + below(random, 4); ++k) {
            const auto kind = below(random, 2) == 0 ? StreamSpec::Kind::blocking : StreamSpec::Kind::non_blocking;
            streams.push_back(b.stream(kind, gpu, static_cast<int>(below(random, 3)) - 1));
        }
    }
    std::vector<Index> host;
    std::vector<std::vector<Index>> on_gpu(gpus);
    const std::uint64_t bytes = below(random, 2) == 0 ? 256 * kib : 4 * mib;
    for (int k = 0; k < 3; ++k) {
        host.push_back(b.buffer(below(random, 2) == 0 ? MemoryKind::pinned : MemoryKind::pageable, bytes));
        for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
            on_gpu[gpu].push_back(b.buffer(MemoryKind::device, bytes, gpu));
        }
    }
    std::vector<Index> events;
    std::vector<Index> recorded(4, no_id);  // step of the last record, main thread only
    for (int k = 0; k < 4; ++k) {
        events.push_back(b.event());
    }
    const std::uint32_t threads = 1 + below(random, 3);
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        if (thread > 0) {
            b.new_thread("t" + std::to_string(thread));
        }
        for (int k = 0; k < 60; ++k) {
            const auto s = streams[below(random, static_cast<std::uint32_t>(streams.size()))];
            const auto gpu = b.program.streams[s].gpu;
            const auto device = on_gpu[gpu][below(random, 3)];
            const auto h = host[below(random, 3)];
            const auto e = below(random, 4);
            switch (below(random, 12)) {
            case 0:
            case 1:
            case 2: {
                static constexpr std::uint32_t blocks[] = {0, 1, 100, 500, 5000};
                static constexpr KernelWork works[] = {KernelWork::spin, KernelWork::fma, KernelWork::memory};
                b.kernel(s, (1 + below(random, 300)) * us, blocks[below(random, 5)], works[below(random, 3)]);
                break;
            }
            case 3:
                b.copy(h, device, s, below(random, 4) == 0);
                break;
            case 4:
                b.copy(device, h, s, below(random, 4) == 0);
                break;
            case 5:
                b.copy(device, on_gpu[below(random, gpus)][below(random, 3)], s);
                break;
            case 6:
                b.memset(device, s, 7);
                break;
            case 7:
                if (thread == 0) {
                    recorded[e] = b.step(RecordAction {events[e], s});
                }
                break;
            case 8:
                if (thread == 0) {
                    const auto wait = b.step(WaitAction {events[e], s});
                    if (recorded[e] != no_id) {
                        result.waits.push_back({wait, recorded[e]});
                    }
                }
                break;
            case 9:
                b.spin(below(random, 200) * us);
                break;
            case 10:
                if (below(random, 3) == 0) {
                    b.step(SyncStreamAction {s});
                }
                break;
            default:
                b.writing_kernel(s, 20 * us, device);
                break;
            }
        }
    }
    b.thread = 0;
    for (Index thread = 1; thread < threads; ++thread) {
        b.step(JoinAction {thread});
    }
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        b.step(SyncDeviceAction {gpu});
    }
    return result;
}

}  // namespace lanes::tests
