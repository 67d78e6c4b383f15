// SPDX-License-Identifier: MIT
// How fast the model device runs: operations (kernels, copies, memsets) a second on one core, from the program to its
// records and to its trace; the time of a small workload, and of all variants of the whole catalogue.
// bench_model [--json]
#include "engine/formatted.h"
#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/resources.h"
#include "engine/workload/workload.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using namespace lanes;

namespace {

/// Counts operations and drops the rest.
class Counting final : public RecordSink {
public:
    StringId intern(std::string_view text) override
    {
        return text.empty() ? 0 : m_ids.try_emplace(std::string(text), m_ids.size() + 1).first->second;
    }
    void write_meta(std::string_view, std::string_view) override { }
    std::uint64_t operations = 0;
    std::uint64_t records = 0;

private:
    void append(RecordKind kind, std::span<const std::byte> payload, std::size_t record_size) override
    {
        const auto count = payload.size() / record_size;
        records += count;
        if (kind == RecordKind::kernel || kind == RecordKind::copy || kind == RecordKind::memset) {
            operations += count;
        }
    }
    std::map<std::string, StringId> m_ids;
};

void add(Program& program, Action action)
{
    program.threads[0].instructions.push_back({std::move(action), 0});
}

/// Like a training loop: for every batch a kernel, an event, a wait and a copy on a second stream.
Program batches(std::uint32_t count)
{
    Program program;
    program.workload = "batches";
    program.streams
        = {{"compute", 0, StreamSpec::Kind::non_blocking, 0}, {"copy", 0, StreamSpec::Kind::non_blocking, 0}};
    program.buffers = {{"y", 0, MemoryKind::device, 65536, false}, {"y_cpu", no_id, MemoryKind::pinned, 65536, false}};
    program.events = {"done"};
    program.steps = {{"step", "step", 1, 1}};
    program.threads = {{"main", {}}};
    KernelAction kernel;
    kernel.stream = 0;
    kernel.name = "forward";
    kernel.time = 8000;
    kernel.writes = {0};
    for (std::uint32_t k = 0; k < count; ++k) {
        add(program, kernel);
        add(program, RecordAction {0, 0});
        add(program, WaitAction {0, 1});
        add(program, CopyAction {0, 1, 1, 0, 65536});
    }
    return program;
}

/// Launch-bound: kernels on eight streams, one thread.
Program launches(std::uint32_t count)
{
    auto program = batches(0);
    KernelAction kernel;
    kernel.name = "small";
    kernel.time = 2000;
    kernel.blocks = 4;
    for (std::uint32_t s = 0; s < 8; ++s) {
        program.streams.push_back({"s" + std::to_string(s), 0, StreamSpec::Kind::non_blocking, 0});
    }
    for (std::uint32_t k = 0; k < count; ++k) {
        kernel.stream = 2 + k % 8;
        add(program, kernel);
    }
    return program;
}

struct Result {
    double seconds;
    std::uint64_t operations, records;
};

/// The median of `rounds` runs.
Result measure(const Program& program, const ModelDevice& device, int rounds)
{
    std::vector<Result> results;
    for (int k = 0; k < rounds; ++k) {
        Counting sink;
        const auto start = std::chrono::steady_clock::now();
        run_model(program, device, sink);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        results.push_back({took.count(), sink.operations, sink.records});
    }
    std::sort(results.begin(), results.end(), [](const Result& a, const Result& b) { return a.seconds < b.seconds; });
    return results[results.size() / 2];
}

/// The same, including making a trace of the records.
double seconds_to_trace(const Program& program, const ModelDevice& device)
{
    const auto start = std::chrono::steady_clock::now();
    TraceBuilder records;
    run_model(program, device, records);
    const auto trace = records.finish(Source::model);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    return trace.operations.size() > 0 ? took.count() : 0;
}

/// Every variant of every workload: read, compiled, run and made into a trace.
double seconds_of_catalogue(const ModelDevice& device)
{
    const auto start = std::chrono::steady_clock::now();
    for (const auto& name : catalogue_names()) {
        const auto workload = find_workload(name);
        for (const auto& variant : workload.variants) {
            TraceBuilder records;
            run_model(compile(workload, variant.name), device, records);
            records.finish(Source::model);
        }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    return took.count();
}

}  // namespace

int main(int argc, char** argv)
{
    const bool json = argc > 1 && std::string(argv[1]) == "--json";
    const auto device = load_model_device(resource("devices/h100.yaml").string());
    const auto mixed = measure(batches(500000), device, 3);
    const auto launched = measure(launches(1000000), device, 3);
    const auto small = measure(batches(1000), device, 21);
    const double to_trace = static_cast<double>(mixed.operations) / seconds_to_trace(batches(500000), device);
    const double catalogue = seconds_of_catalogue(device);
    const auto rate = [](const Result& result) { return static_cast<double>(result.operations) / result.seconds; };
    if (json) {
        std::fputs(
            formatted("{{\"batches_ops_per_s\": {:.0f}, \"launches_ops_per_s\": {:.0f}, \"records_per_s\": {:.0f}, "
                      "\"trace_ops_per_s\": {:.0f}, \"small_ms\": {:.3f}, \"catalogue_s\": {:.3f}}}\n",
                rate(mixed), rate(launched), static_cast<double>(mixed.records) / mixed.seconds, to_trace,
                small.seconds * 1e3, catalogue)
                .c_str(),
            stdout);
        return 0;
    }
    std::fputs(formatted("model device, 1 M operations with events and waits: {:.0f} operations/s ({:.0f} records/s)\n",
                   rate(mixed), static_cast<double>(mixed.records) / mixed.seconds)
                   .c_str(),
        stdout);
    std::fputs(
        formatted("model device, 1 M launches on 8 streams: {:.0f} operations/s\n", rate(launched)).c_str(), stdout);
    std::fputs(formatted("model device, the first of these with the trace made of it: {:.0f} operations/s\n", to_trace)
                   .c_str(),
        stdout);
    std::fputs(
        formatted("model device, all variants of the catalogue's workloads: {:.2f} s\n", catalogue).c_str(), stdout);
    std::fputs(
        formatted("model device, workload of 2000 operations: {:.2f} ms\n", small.seconds * 1e3).c_str(), stdout);
    return 0;
}
