// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "engine/trace/trace_builder.h"
#include "tests/benchmarks/large/large_files.h"

#include <algorithm>
#include <random>

namespace lanes {

namespace {

constexpr int streams = 20;
constexpr int threads = 4;

}  // namespace

void write_large_recording(const std::string& path, std::size_t operations)
{
    TraceBuilder builder;
    std::mt19937_64 random(20261121);
    const std::uint32_t process = 100;
    builder.write(ContextRecord {.process = process, .device = 0, .context = 1, .null_stream = 7});
    std::vector<StringId> names;
    for (int i = 0; i < 200; ++i) {
        names.push_back(builder.intern("layer_" + std::to_string(i) + "_kernel(float*, float const*, int)"));
    }
    const StringId launch = builder.intern("cudaLaunchKernel");
    const StringId copy = builder.intern("cudaMemcpyAsync");
    const StringId sync = builder.intern("cudaStreamSynchronize");
    std::vector<Ns> host(threads, 1000);
    std::vector<Ns> free(streams, 0);
    for (std::size_t i = 0; i < operations; ++i) {
        const auto correlation = static_cast<std::uint32_t>(2 * i + 1);
        const std::uint32_t stream = static_cast<std::uint32_t>(random() % streams);
        const std::uint32_t thread = stream % threads;
        Ns& now = host[thread];
        const bool is_copy = random() % 4 == 0;
        const Ns start = now;
        now += 3000 + static_cast<Ns>(random() % 4000);
        builder.write(ApiCallRecord {.start = start,
            .end = now,
            .process = process,
            .thread = thread + 1,
            .correlation = correlation,
            .name = is_copy ? copy : launch,
            .api = ApiCallRecord::runtime,
            .result = 0});
        const Ns begin = std::max(free[stream], now + 1000);
        const Ns end = begin + 2000 + static_cast<Ns>(random() % 20000);
        free[stream] = end;
        const auto fill = [&](OperationRecord& record) {
            record.start = begin;
            record.end = end;
            record.process = process;
            record.device = 0;
            record.context = 1;
            record.stream = stream + 7;
            record.correlation = correlation;
        };
        if (is_copy) {
            CopyRecord record {};
            fill(record);
            record.bytes = 1 << 16;
            record.source_device = record.target_device = no_id;
            record.copy = CopyKind::d2h;
            record.source = MemoryKind::device;
            record.target = MemoryKind::pinned;
            record.async = 1;
            builder.write(record);
        } else {
            KernelRecord record {};
            fill(record);
            record.name = names[random() % names.size()];
            record.grid[0] = record.block[0] = 128;
            record.grid[1] = record.grid[2] = record.block[1] = record.block[2] = 1;
            builder.write(record);
        }
        if (i % 50 == 49) {  // the thread waits for its stream
            const Ns from = now;
            now = std::max(now, end) + 1000;
            builder.write(ApiCallRecord {.start = from,
                .end = now,
                .process = process,
                .thread = thread + 1,
                .correlation = correlation + 1,
                .name = sync,
                .api = ApiCallRecord::runtime,
                .result = 0});
            builder.write(SyncRecord {.start = from,
                .end = now,
                .process = process,
                .context = 1,
                .stream = stream + 7,
                .correlation = correlation + 1,
                .event_id = no_id,
                .event_sync = 0,
                .type = SyncRecord::stream_sync,
                .result = 0});
        }
    }
    save_recording(builder.finish(Source::cupti), path);
}

}  // namespace lanes
