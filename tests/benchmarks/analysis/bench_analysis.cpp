// SPDX-License-Identifier: MIT
// How long the analysis of a recording takes before it is shown, step by step.
// `bench_analysis [OPERATIONS [STREAMS]]`, 10 million on 20 streams if not said.
#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/figures/range_index.h"
#include "engine/analysis/graph/critical_path.h"
#include "engine/analysis/report.h"
#include "engine/trace/freed_memory.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <malloc.h>
#include <random>
#include <string>

using namespace lanes;

namespace {

/// One thread that launches a kernel or a copy on each stream in turn and sometimes waits for a stream.
Trace launch_bound(std::size_t operations, std::size_t streams)
{
    Trace trace;
    std::mt19937_64 random(20261121);
    const auto launch = trace.strings.intern("cudaLaunchKernel");
    const auto copy = trace.strings.intern("cudaMemcpyAsync");
    const auto wait = trace.strings.intern("cudaStreamSynchronize");
    const auto kernel = trace.strings.intern("kernel");
    trace.devices.push_back({});
    trace.threads.push_back({1, 1, 0, 0});
    trace.processes.push_back({1, 0, 0});
    trace.contexts.push_back({1, 0, 1, 7});
    for (std::size_t i = 0; i < streams; ++i) {
        trace.streams.push_back({1, 0, 1, static_cast<std::uint32_t>(13 + i), 0, 0, StreamRecord::non_blocking});
    }
    auto& calls = trace.calls;
    const auto call = [&](Ns start, Ns end, StringId name) {
        calls.start.push_back(start);
        calls.end.push_back(end);
        calls.thread.push_back(0);
        calls.name.push_back(name);
        calls.correlation.push_back(static_cast<std::uint32_t>(calls.size()));
        calls.outer.push_back(no_row);
        calls.step.push_back(no_id);
        calls.result.push_back(0);
        calls.api.push_back(ApiCallRecord::runtime);
        return static_cast<Row>(calls.size() - 1);
    };
    struct Operation {
        Ns start, end;
        Row call;
        bool copy;
    };
    std::vector<std::vector<Operation>> of_stream(streams);
    Ns now = 0;
    for (std::size_t i = 0; i < operations; ++i) {
        auto& work = of_stream[i % streams];
        const bool is_copy = i % 8 == 7;
        const Row issuer = call(now, now + 2'000, is_copy ? copy : launch);
        const Ns start = std::max<Ns>(now + 1'500, work.empty() ? 0 : work.back().end + 500);
        work.push_back({start, start + 1'000 + static_cast<Ns>(random() % (2'500 * streams)), issuer, is_copy});
        now += 3'000;
        if (i % 50 == 49) {
            const Row waits = call(now, std::max(now + 1'000, work.back().end + 1'000), wait);
            trace.syncs.push_back({now + 500, calls.end[waits], waits, static_cast<Row>(i % streams), 1, 1, no_id, 0,
                SyncRecord::stream_sync});
            now = calls.end[waits] + 500;
        }
    }
    auto& table = trace.operations;
    for (Row stream = 0; stream < streams; ++stream) {
        for (const auto& o : of_stream[stream]) {
            table.start.push_back(o.start);
            table.end.push_back(o.end);
            table.stream.push_back(stream);
            table.name.push_back(kernel);
            table.correlation.push_back(o.call + 1);
            table.call.push_back(o.call);
            table.kind.push_back(o.copy ? OperationKind::d2h : OperationKind::kernel);
            table.detail.push_back(static_cast<Row>(o.copy ? trace.copies.size() : trace.kernels.size()));
            if (o.copy) {
                trace.copies.push_back(
                    {1U << 20U, MemoryKind::device, MemoryKind::pinned, CopyKind::d2h, true, no_id, no_id, 0, no_id});
            } else {
                trace.kernels.push_back({});
            }
            trace.duration = std::max({trace.duration, o.end, now});
        }
    }
    return trace;
}

/// Bytes that the process uses now (VmRSS) or used at most (VmHWM).
double resident(const std::string& which)
{
    std::ifstream status("/proc/self/status");
    std::string word;
    double kib = 0;
    while (status >> word) {
        if (word == which + ":") {
            status >> kib;
        }
    }
    return 1024 * kib;
}

template <class Work> auto timed(const char* what, std::size_t operations, Work work)
{
    const auto cpu = std::clock();  // on a busy machine the CPU's time says more than the clock
    const auto start = std::chrono::steady_clock::now();
    auto result = work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    const auto count = static_cast<double>(operations);
    std::printf(
        "%-24s %8.3f s, %8.3f CPU s, %8.2f M operations a CPU second; %.1f bytes an operation are kept, %.1f at most\n",
        what, seconds, cpu_seconds, count / cpu_seconds / 1e6, resident("VmRSS") / count, resident("VmHWM") / count);
    return result;
}

}  // namespace

int main(int count, char** arguments)
{
    const auto number = [&](int at, std::size_t fallback) {
        return count > at ? std::strtoull(arguments[at], nullptr, 10) : fallback;
    };
    const auto operations = std::max<std::size_t>(1, number(1, 10'000'000));
    const auto streams = std::max<std::size_t>(1, number(2, 20));
    const auto trace = launch_bound(operations, streams);
    malloc_trim(0);
    const double of_trace = resident("VmRSS");
    std::printf("%zu operations of %zu streams, %zu API calls\n", operations, streams, trace.calls.size());
    const auto blocking = timed("find_blocking", operations, [&] { return find_blocking(trace); });
    return_freed_memory();  // as analysed() does
    std::printf("%-24s %8zu\n", "blocked stretches", blocking.calls.size());
    const auto report = timed("make_report", operations, [&] { return make_report(trace, blocking); });
    std::printf("busy %.3f s, overlap %.3f s, %zu findings\n", static_cast<double>(report.gpu_busy) / 1e9,
        static_cast<double>(report.overlap) / 1e9, report.findings.size());
    const auto graph = timed("Graph", operations, [&] { return Graph(trace, blocking); });
    return_freed_memory();
    const auto path = timed("critical_path", operations, [&] { return critical_path(graph, {0, trace.duration}); });
    std::printf("%zu parts\n", path.parts.size());
    const auto an_operation = [&](double bytes) { return bytes / static_cast<double>(operations); };
    std::printf("%-24s %8.3f bytes an operation, %.3f more at most\n", "the trace", an_operation(of_trace),
        an_operation(resident("VmHWM") - of_trace));
    const Ns tenth = trace.duration / 10;
    const auto part = timed("critical_path of a tenth", operations, [&] {
        return critical_path(graph, {4 * tenth, 5 * tenth});
    });
    std::printf("%zu parts\n", part.parts.size());
    const auto index = timed("RangeIndex", operations, [&] { return RangeIndex(trace, blocking); });
    std::printf(
        "%-24s %8.3f bytes an operation\n", "", static_cast<double>(index.bytes()) / static_cast<double>(operations));
    std::mt19937_64 random(7);
    std::vector<double> ms;
    for (int i = 0; i < 1000; ++i) {
        const auto moment = [&] { return static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration)); };
        const Ns a = moment();
        const Ns b = moment();
        const auto start = std::chrono::steady_clock::now();
        const auto summary = index.summary({std::min(a, b), std::max(a, b)});
        const auto blocked = index.blocked(0, summary.range);
        ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        if (summary.at_least[0] > summary.range.end - summary.range.start || !blocked) {
            return 1;
        }
    }
    std::sort(ms.begin(), ms.end());
    std::printf(
        "%-24s %8.3f ms median, %.3f ms p95\n", "figures of a range", ms[ms.size() / 2], ms[ms.size() * 95 / 100]);
    return 0;
}
