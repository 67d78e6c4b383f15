// SPDX-License-Identifier: MIT
// Random programs of a realistic structure: a thread loads, another one copies, launches and
// copies back on its own streams, with events between them, and sometimes waits; on several GPUs with an
// all-reduce, with a graph, with full launch queues.
#pragma once

#include "random_program.h"

#include <cstdint>

namespace lanes::tests {

inline ProgramBuilder random_pipeline(unsigned seed)
{
    Random random(seed);
    ProgramBuilder b;
    const auto one_in = [&](std::uint32_t n) { return below(random, n) == 0; };
    const std::uint32_t gpus = 1 + below(random, 2);
    const bool pageable = one_in(3);
    const std::uint64_t bytes = (std::uint64_t {64} << below(random, 8)) * kib;
    const bool own_copy_streams = !one_in(3);
    const std::uint32_t iterations = 4 + below(random, 8);
    const auto memory = pageable ? MemoryKind::pageable : MemoryKind::pinned;
    struct Gpu {
        Index compute, up, down, side, input, output, gradient, copied, done, graph;
    };
    std::vector<Gpu> all;
    std::vector<Index> gradients;
    std::vector<Index> streams;
    const Index from = b.buffer(memory, bytes);
    const Index to = b.buffer(memory, bytes);
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        Gpu g {};
        const auto stream = [&] { return b.stream(StreamSpec::Kind::non_blocking, gpu); };
        g.compute = stream();
        g.up = own_copy_streams ? stream() : g.compute;
        g.down = own_copy_streams ? stream() : g.compute;
        g.side = stream();
        g.input = b.buffer(MemoryKind::device, bytes, gpu);
        g.output = b.buffer(MemoryKind::device, bytes, gpu);
        g.gradient = b.buffer(MemoryKind::device, 1 * mib, gpu);
        g.copied = b.event();
        g.done = b.event();
        g.graph = no_id;
        gradients.push_back(g.gradient);
        streams.push_back(g.compute);
        all.push_back(g);
    }
    const auto time = [&](std::uint32_t most) { return (2 + below(random, most)) * us; };
    const bool with_graph = one_in(3);
    const bool all_reduces = gpus > 1 && one_in(2);
    const Index batches = b.queue(1 + below(random, 3));
    const bool loads = one_in(2);
    const Index main = 0;
    Index loader = no_id;
    if (loads) {
        loader = b.new_thread("loader");
        const Ns work = time(900);
        for (std::uint32_t i = 0; i < iterations; ++i) {
            b.spin(work);
            b.step(PutAction {batches});
        }
        b.thread = main;
    }
    if (with_graph) {
        for (auto& g : all) {
            g.graph = b.graph();
            b.step(CaptureBeginAction {g.graph, g.compute});
            for (std::uint32_t i = 0; i < 3 + below(random, 20); ++i) {
                b.kernel(g.compute, time(40), one_in(2) ? 0 : 50);
            }
            b.step(CaptureEndAction {g.graph, g.compute});
        }
    }
    for (std::uint32_t i = 0; i < iterations; ++i) {
        if (loads) {
            b.step(GetAction {batches});
        }
        for (const auto& g : all) {
            b.copy(from, g.input, g.up);
            b.step(RecordAction {g.copied, g.up});
            if (one_in(2)) {
                b.spin(time(30));
            }
            b.step(WaitAction {g.copied, g.compute});
            for (std::uint32_t k = below(random, 12); k > 0; --k) {
                b.kernel(g.compute, time(300), one_in(3) ? 0 : 60);
            }
            if (with_graph) {
                b.step(LaunchAction {g.graph, g.compute});
            }
            if (one_in(3)) {
                b.kernel(g.side, time(400), one_in(2) ? 0 : 80);
            }
            b.step(RecordAction {g.done, g.compute});
            b.step(WaitAction {g.done, g.down});
            b.copy(g.output, to, g.down, one_in(6));
        }
        if (all_reduces) {
            b.step(CollectiveAction {gradients, streams});
        }
        if (one_in(12)) {
            for (int k = 0; k < 1200; ++k) {
                b.kernel(all.front().compute, 5 * us, 30);
            }
        }
        switch (below(random, 6)) {
        case 0:
            b.step(SyncStreamAction {all.back().down});
            break;
        case 1:
            b.step(SyncEventAction {all.front().done});
            break;
        case 2:
            b.step(SyncDeviceAction {all.front().compute < all.back().compute ? gpus - 1 : 0});
            break;
        default:
            b.spin(time(60));
        }
    }
    if (loads) {
        b.step(JoinAction {loader});
    }
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        b.step(SyncDeviceAction {gpu});
    }
    return b;
}

}  // namespace lanes::tests
