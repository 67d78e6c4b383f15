// SPDX-License-Identifier: MIT
// Recordings of runs of several ranks, computed from what each rank does, so that what a late rank costs is known: the
// same run without it ends earlier by that.
#pragma once

#include "engine/trace/trace_builder.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace lanes {

/// Each step, each rank's host works, launches a kernel and an all-reduce of its group, or of two; or several of both.
struct RunOfRanks {
    static constexpr Ns us = 1000, ms = 1000 * us;
    std::uint32_t ranks = 4;
    int steps = 20;
    Ns work = ms;  ///< of the host before it launches
    Ns compute = 4 * ms;  ///< the kernel
    Ns transfer = ms;  ///< the all-reduce, once all have come
    int parts = 1;  ///< of the kernel; of several, each one's all-reduce runs beside those that follow
    bool waits = true;  ///< each host waits for the step's end before it goes on
    std::uint32_t group = 0;  ///< so many ranks one after another meet; 0: all
    bool crosses = false;  ///< after the last part, those that have the same place in their groups meet, too
    bool sends = false;  ///< ranks of a group are stages of a pipeline: each sends to the next one what it computed
    bool scatters = false;  ///< beside each all-reduce a reduce-scatter of the same ranks waits on a stream of its own
    std::function<Ns(std::uint32_t rank, int step)> late;  ///< host time more
    std::function<Ns(std::uint32_t rank, int step)> heavier;  ///< kernel time more
    std::function<Ns(std::uint32_t rank, int step)> loads;  ///< host time before its work, in PyTorch's DataLoader
    std::function<Ns(std::uint32_t rank, int step)> takes;  ///< likewise, from a queue of the program's
    std::function<Ns(std::uint32_t rank, int step)> recorder;  ///< likewise, for the buffers of the profiler
    std::function<Ns(std::uint32_t rank)> ahead;  ///< by which the rank's clock is wrong

    std::function<bool(std::uint32_t rank, int step)> lacks;  ///< the recording has no all-reduce of it
    bool says_steps = false;  ///< in ranges of PyTorch's profiler, from ProfilerStep#5 on
    bool says_communicators = false;  ///< in ranges of NCCL's around the launches of all-reduces

    struct Made {
        Trace trace;
        Ns end = 0;  ///< of the last all-reduce
    };
    Made make() const;
    /// A recording of each rank.
    std::vector<Trace> make_each() const;

private:
    struct State {
        Ns host = 0, gpu = 0, came = 0;
        Ns sums = 0;  ///< of the stream of the all-reduces, if they have their own
    };
    /// Where the records of a rank go.
    struct Sink {
        TraceBuilder builder = {};
        StringId kernel = builder.intern("work(int)");
        StringId reduce = builder.intern("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)");
        StringId send = builder.intern("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)");
        StringId scatter = builder.intern("ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgs)");
        StringId launch = builder.intern("cudaLaunchKernel");
        StringId sync = builder.intern("cudaStreamSynchronize");
        std::uint64_t ranges = 0;
    };
    Ns write(std::vector<Sink>& sinks) const;
};

inline RunOfRanks::Made RunOfRanks::make() const
{
    std::vector<Sink> sinks(1);
    const Ns end = write(sinks);
    return {sinks.front().builder.finish(Source::cupti), end};
}

inline std::vector<Trace> RunOfRanks::make_each() const
{
    std::vector<Sink> sinks(ranks);
    write(sinks);
    std::vector<Trace> traces;
    for (auto& sink : sinks) {
        traces.push_back(sink.builder.finish(Source::cupti));
    }
    return traces;
}

/// Returns the end of the last all-reduce.
inline Ns RunOfRanks::write(std::vector<Sink>& sinks) const
{
    constexpr Ns origin = 1'000'000'000;
    constexpr Ns call = 5 * us;
    constexpr std::uint32_t first_process = 100, context = 1, stream = 13, stream_of_scatters = 15;
    const std::uint32_t stream_of_sums = parts > 1 ? 14 : stream;
    const bool waits_for_context = parts > 1 || scatters;
    const auto sink = [&](std::uint32_t rank) -> Sink& { return sinks[rank % sinks.size()]; };
    std::vector<State> state(ranks);
    std::uint32_t correlation = 0;
    const auto clock = [&](std::uint32_t rank) { return origin + (ahead ? ahead(rank) : 0); };
    const auto add_call = [&](std::uint32_t rank, StringId name, Ns start, Ns end) {
        sink(rank).builder.write(ApiCallRecord {.start = clock(rank) + start,
            .end = clock(rank) + end,
            .process = first_process + rank,
            .thread = 1 + rank,
            .correlation = ++correlation,
            .name = name,
            .api = ApiCallRecord::runtime,
            .result = 0});
        return correlation;
    };
    /// What the host does that is no call. Returns its end.
    const auto add_host_time = [&](std::uint32_t rank, int step, Ns from) {
        auto& to = sink(rank).builder;
        const auto process = first_process + rank;
        if (const Ns time = loads ? loads(rank, step) : 0; time > 0) {
            const auto id = ++sink(rank).ranges;
            const auto name = to.intern("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
            to.write(RangeRecord {clock(rank) + from, id, process, 1 + rank, name, 0, 0, RangeRecord::begin});
            from += time;
            to.write(RangeRecord {clock(rank) + from, id, process, 1 + rank, 0, 0, 0, RangeRecord::finish});
        }
        if (const Ns time = takes ? takes(rank, step) : 0; time > 0) {
            HostSpanRecord record {};
            record.start = clock(rank) + from;
            record.end = record.start + time;
            record.process = process;
            record.thread = 1 + rank;
            record.name = to.intern("batches");
            record.type = HostSpanRecord::queue_get;
            to.write(record);
            from += time;
        }
        if (const Ns time = recorder ? recorder(rank, step) : 0; time > 0) {
            const Ns start = clock(rank) + from;
            to.write(
                OverheadRecord {start, start + time, process, 1 + rank, 0, OverheadRecord::activity_buffer_request});
            from += time;
        }
        return from;
    };
    const auto add_kernel
        = [&](std::uint32_t rank, std::uint32_t by, StringId name, std::uint32_t on, Ns start, Ns end) {
              KernelRecord record {};
              record.start = clock(rank) + start;
              record.end = clock(rank) + end;
              record.process = first_process + rank;
              record.device = rank;
              record.context = context;
              record.stream = on;
              record.correlation = by;
              record.channel = no_id;
              record.name = name;
              sink(rank).builder.write(record);
          };
    /// The range of a call as NCCL makes it: its communicator, the n-th call of it, bytes.
    const auto add_range = [&](std::uint32_t rank, std::uint64_t communicator, int call_number, Ns start, Ns end) {
        auto& to = sink(rank);
        const auto process = first_process + rank;
        const auto id = ++to.ranges;
        auto value = [&, place = std::uint16_t {0}](
                         const char* name, std::uint64_t number, RangeValueRecord::Type type) mutable {
            to.builder.write(RangeValueRecord {id, number, process, to.builder.intern(name), 0, type, place++});
        };
        to.builder.write(RangeRecord {clock(rank) + start, id, process, 1 + rank, to.builder.intern("ncclAllReduce"),
            to.builder.intern("NCCL"), 0, RangeRecord::begin});
        value(collective_value::communicator, communicator, RangeValueRecord::id);
        value(collective_value::call, static_cast<std::uint64_t>(call_number) + 1, RangeValueRecord::natural);
        value(collective_value::bytes, 4 << 20, RangeValueRecord::natural);
        to.builder.write(RangeRecord {clock(rank) + end, id, process, 1 + rank, 0, 0, 0, RangeRecord::finish});
    };
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        sink(rank).builder.write(
            ContextRecord {.process = first_process + rank, .device = rank, .context = context, .null_stream = 7});
    }
    const std::uint32_t meet = group == 0 ? ranks : group;
    const auto send = [&](std::uint32_t from, std::uint32_t to) {
        std::map<std::uint32_t, std::pair<std::uint32_t, Ns>> begins;  // by rank: its call and its kernel's start
        Ns ends = 0;
        for (const auto rank : {from, to}) {
            auto& [host, gpu, came, sums] = state[rank];
            begins[rank] = {add_call(rank, sink(rank).launch, host, host + call), std::max(gpu + us, host + call)};
            ends = std::max(ends, begins[rank].second + 200 * us);
            host += call + us;
        }
        for (const auto& [rank, begin] : begins) {
            add_kernel(rank, begin.first, sink(rank).send, stream, begin.second, ends);
            state[rank].gpu = ends;
        }
    };
    Ns end = 0;
    std::vector<Ns> begins_step(ranks);
    for (int step = 0; step < steps; ++step) {
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            begins_step[rank] = state[rank].host;
        }
        for (int part = 0; part < parts; ++part) {
            for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                auto& [host, gpu, came, sums] = state[rank];
                if (part == 0) {
                    host = add_host_time(rank, step, host) + work + (late ? late(rank, step) : 0);
                    if (sends && rank % meet > 0) {
                        send(rank - 1, rank);
                    }
                }
                const auto launch = add_call(rank, sink(rank).launch, host, host + call);
                const Ns begins = std::max(gpu, host + call);
                gpu = begins + compute / parts + (heavier && part == 0 ? heavier(rank, step) : 0);
                add_kernel(rank, launch, sink(rank).kernel, stream, begins, gpu);
                host += call + us;
            }
            for (int round = 0; round < (crosses && part + 1 == parts ? 2 : 1); ++round) {
                std::map<std::uint32_t, Ns> last;  // by group
                std::vector<std::uint32_t> reduces(ranks);
                std::vector<std::uint32_t> beside(ranks);  // reduce-scatters
                const auto group_of = [&](std::uint32_t rank) { return round == 0 ? rank / meet : rank % meet; };
                for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                    auto& [host, gpu, came, sums] = state[rank];
                    if (says_communicators) {
                        add_range(rank, 0x4D200U + static_cast<std::uint32_t>(round) * 0x100U + group_of(rank),
                            round == 0 ? step * parts + part : step, host, host + call);
                    }
                    reduces[rank] = add_call(rank, sink(rank).launch, host, host + call);
                    came = std::max({gpu + us, sums + us, host + call});
                    host += call;
                    if (scatters) {
                        beside[rank] = add_call(rank, sink(rank).launch, host, host + call);
                        host += call;
                    }
                    last[group_of(rank)] = std::max(last[group_of(rank)], came);
                }
                for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                    auto& [host, gpu, came, sums] = state[rank];
                    const Ns ends = last[group_of(rank)] + transfer + rank % 3 * us;  // they leave nearly together
                    (parts > 1 ? sums : gpu) = ends;
                    if (!lacks || !lacks(rank, step)) {
                        add_kernel(rank, reduces[rank], sink(rank).reduce, stream_of_sums, came, ends);
                    }
                    if (scatters) {
                        add_kernel(rank, beside[rank], sink(rank).scatter, stream_of_scatters, came + call, ends);
                    }
                    end = std::max(end, ends);
                }
            }
        }
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            auto& [host, gpu, came, sums] = state[rank];
            gpu = std::max(gpu, sums);
            if (waits) {
                const auto wait = add_call(rank, sink(rank).sync, host, std::max(host, gpu) + call);
                sink(rank).builder.write(SyncRecord {.start = clock(rank) + host,
                    .end = clock(rank) + std::max(host, gpu) + call,
                    .process = first_process + rank,
                    .context = context,
                    .stream = waits_for_context ? no_id : stream,
                    .correlation = wait,
                    .event_id = no_id,
                    .event_sync = 0,
                    .type = waits_for_context ? SyncRecord::context_sync : SyncRecord::stream_sync,
                    .result = 0});
                host = std::max(host, gpu) + call;
            }
            if (says_steps) {
                auto& to = sink(rank).builder;
                const auto id = ++sink(rank).ranges;
                const auto name = to.intern("ProfilerStep#" + std::to_string(step + 5));
                const auto process = first_process + rank;
                to.write(RangeRecord {
                    clock(rank) + begins_step[rank], id, process, 1 + rank, name, 0, 0, RangeRecord::begin});
                to.write(RangeRecord {clock(rank) + host, id, process, 1 + rank, 0, 0, 0, RangeRecord::finish});
            }
        }
    }
    return end;
}

/// Runs in which one rank holds up the others.
struct LateRun {
    const char* name;
    RunOfRanks run;
    unsigned rank;  ///< the late one
};

inline std::vector<LateRun> late_runs()
{
    constexpr Ns ms = RunOfRanks::ms;
    std::vector<LateRun> runs;
    const auto add = [&](const char* name, const RunOfRanks& run, unsigned rank) { runs.push_back({name, run, rank}); };
    // The first collective counts for nothing: what is late is so from the second step on.
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    add("5 ms a step on the host", run, 2);
    RunOfRanks beside = run;  // a wait hides the rest of the kernels, beside which the other sums would run
    beside.parts = 4;
    beside.compute = 8 * ms;
    add("5 ms a step, sums beside kernels", beside, 2);
    beside.waits = false;
    beside.work = 12 * ms;
    add("likewise, hosts that never wait", beside, 2);
    RunOfRanks heavier;
    heavier.heavier = [](auto rank, int step) { return rank == 3 && step > 0 ? 2 * ms : 0; };
    add("2 ms a step on the GPU", heavier, 3);
    heavier.waits = false;
    add("likewise, the hosts far ahead", heavier, 3);
    RunOfRanks stays;  // hosts slower than GPUs: who falls back never catches up
    stays.waits = false;
    stays.work = 8 * ms;
    stays.late = [](auto rank, int step) { return rank == 1 && step == 3 ? 36 * ms : 0; };
    add("late once and staying late", stays, 1);
    RunOfRanks grows = stays;
    grows.late = [](auto rank, int step) { return rank == 0 && step > 0 ? 2 * ms : 0; };
    add("falling back by 2 ms a step", grows, 0);
    RunOfRanks two = run;
    two.ranks = 2;
    two.late = [](auto rank, int step) { return rank == 1 && step > 0 ? 5 * ms : 0; };
    add("one of two", two, 1);
    RunOfRanks many = run;
    many.ranks = 16;
    many.steps = 40;
    many.late = [](auto rank, int step) { return rank == 7 && step % 3 == 1 ? 9 * ms : 0; };
    add("each third time one of sixteen, where chance is one of sixteen", many, 7);
    return runs;
}

}  // namespace lanes
