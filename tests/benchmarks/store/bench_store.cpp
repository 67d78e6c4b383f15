// SPDX-License-Identifier: MIT
// How fast recordings are made, saved and opened, in rows a second: a row is an API
// call or a GPU operation. `bench_store [CALLS]`, a million if not said.
#include "engine/store/recording_file.h"
#include "engine/trace/trace_builder.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <unistd.h>

using namespace lanes;

namespace {

/// A launch-bound program: one kernel a call, on four streams, every eighth call a copy.
void write_program(RecordSink& sink, std::uint32_t calls)
{
    const auto launch = sink.intern("cudaLaunchKernel");
    const auto copy = sink.intern("cudaMemcpyAsync");
    std::vector<StringId> kernels;
    for (int i = 0; i < 50; ++i) {
        kernels.push_back(sink.intern("void ns::kernel_" + std::to_string(i) + "<float, 4>(float*, int)"));
    }
    for (std::uint32_t i = 0; i < calls; ++i) {
        const Ns start = 1'785'620'044'423'518'993 + Ns {i} * 4'000;
        const bool is_copy = i % 8 == 7;
        sink.write(ApiCallRecord {
            start, start + 3'000, 4242, 4242, i + 1, is_copy ? copy : launch, ApiCallRecord::runtime, 0});
        if (is_copy) {
            CopyRecord r {};
            r.start = start + 2'500;
            r.end = start + 9'000;
            r.process = 4242;
            r.context = 1;
            r.stream = 13 + i % 4;
            r.correlation = i + 1;
            r.bytes = 1U << 20;
            r.source_device = r.target_device = no_id;
            r.copy = CopyKind::h2d;
            r.source = MemoryKind::pinned;
            r.target = MemoryKind::device;
            r.async = 1;
            sink.write(r);
        } else {
            KernelRecord r {};
            r.start = start + 2'500;
            r.end = start + 6'000;
            r.process = 4242;
            r.context = 1;
            r.stream = 13 + i % 4;
            r.correlation = i + 1;
            r.name = kernels[i % kernels.size()];
            r.grid[0] = 1024;
            r.block[0] = 256;
            r.grid[1] = r.grid[2] = r.block[1] = r.block[2] = 1;
            sink.write(r);
        }
    }
}

/// What one piece of work took. On a busy machine the CPU's time says more than the clock.
struct Took {
    double wall, cpu;
};

template <class Work> Took measure(Work work)
{
    const auto cpu = std::clock();
    const auto start = std::chrono::steady_clock::now();
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
        static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC};
}

}  // namespace

int main(int count, char** arguments)
{
    const auto calls = static_cast<std::uint32_t>(count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 1'000'000);
    const auto folder = std::filesystem::temp_directory_path() / ("bench_store." + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const auto report = [](const char* what, double rows, Took took) {
        std::printf("%-24s %8.2f M rows/s %9.3f s, %6.2f M rows a CPU second\n", what, rows / took.wall / 1e6,
            took.wall, rows / took.cpu / 1e6);
    };

    TraceBuilder builder;
    write_program(builder, calls);
    Trace trace;
    const auto build = measure([&] { trace = builder.finish(Source::cupti); });
    const auto rows = static_cast<double>(trace.operations.size() + trace.calls.size());
    std::printf("%.0f rows: API calls and operations\n", rows);
    report("build from records", rows, build);
    for (const char* name : {"a.sqlite", "a.json", "a.json.gz", "a.csv"}) {
        const auto path = (folder / name).string();
        report((std::string("save ") + name).c_str(), rows, measure([&] { save_recording(trace, path); }));
        std::printf("%-24s %8.1f bytes a row\n", "", static_cast<double>(std::filesystem::file_size(path)) / rows);
    }
    Trace opened;
    report("open a.sqlite", rows, measure([&] { opened = open_recording((folder / "a.sqlite").string()); }));
    std::filesystem::remove_all(folder);
    return opened.operations.size() == trace.operations.size() ? 0 : 1;
}
