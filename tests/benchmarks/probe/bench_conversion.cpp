// SPDX-License-Identifier: MIT
// How fast CUPTI's buffers become chunks of a spool: records a second on one core.
//
// The buffers hold what the double of CUPTI can step over; the spool goes to
// /dev/null, so this is the conversion, the texts, the checksum and the write call,
// without a disk.
#include "probes/cupti/buffer_pool.h"
#include "probes/cupti/converter.h"
#include "probes/cupti/find_cupti.h"
#include "probes/cupti/process_facts.h"
#include "probes/spool.h"

#include <array>
#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace {

using namespace lanes;

constexpr std::size_t buffer_bytes = BufferPool::default_bytes;
CuptiApi api;

/// As many of `make(i)` as fit into a buffer; returns the bytes used and counts the records.
template <class Make> std::size_t fill(std::vector<std::uint8_t>& buffer, std::int64_t& records, const Make& make)
{
    buffer.assign(buffer_bytes, 0);
    std::size_t used = 0;
    for (std::uint32_t i = 0;; ++i) {
        const auto one = make(i);
        if (used + sizeof one > buffer.size()) {
            return used;
        }
        std::memcpy(buffer.data() + used, &one, sizeof one);
        used += sizeof one;
        ++records;
    }
}

CUpti_ActivityAPI call(std::uint32_t i)
{
    CUpti_ActivityAPI one {};
    one.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    one.cbid
        = i % 2 == 0 ? CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000 : CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020;
    one.start = 1000 * i;
    one.end = 1000 * i + 500;
    one.processId = one.threadId = static_cast<std::uint32_t>(::getpid());
    one.correlationId = i;
    return one;
}

CUpti_ActivityKernel10 kernel(std::uint32_t i)
{
    // Two names as long as those of templates in today's libraries.
    static const std::array<const char*, 2> names {
        "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEESt5arrayIPcLm3EEEEviT0_T1_",
        "_ZN7cutlass6KernelINS_4gemm6kernel4GemmINS1_11threadblock12MmaPipelinedIiEEEEEEvv"};
    CUpti_ActivityKernel10 one {};
    one.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    one.start = 1000 * i;
    one.end = 1000 * i + 500;
    one.streamId = 7 + i % 4;
    one.correlationId = i;
    one.name = names[i % 2];
    return one;
}

template <class Make> void convert(benchmark::State& state, const Make& make)
{
    SpoolWriter spool;
    if (api.cuptiActivityGetNextRecord == nullptr || !spool.open("/dev/null")) {
        state.SkipWithError("no double of CUPTI beside this benchmark's build folder");
        return;
    }
    ProcessFacts facts(spool, true);
    Converter converter(api, spool, facts);
    std::vector<std::uint8_t> buffer;
    std::int64_t records = 0;
    const auto used = fill(buffer, records, make);
    for (auto _ : state) {
        converter.convert(buffer.data(), used);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * records);
}

void api_calls(benchmark::State& state)
{
    convert(state, call);
}

void kernels(benchmark::State& state)
{
    convert(state, kernel);
}

void recycled_buffer(benchmark::State& state)
{
    BufferPool pool;
    for (auto _ : state) {
        auto* buffer = pool.take();
        benchmark::DoNotOptimize(buffer);
        pool.give_back(buffer, static_cast<std::size_t>(state.range(0)));
    }
}

BENCHMARK(api_calls)->Unit(benchmark::kMillisecond);
BENCHMARK(kernels)->Unit(benchmark::kMillisecond);
BENCHMARK(recycled_buffer)->Arg(64 << 10)->Arg(2 << 20);

}  // namespace

int main(int count, char** words)
{
    const auto path = folder_of_code(reinterpret_cast<const void*>(&api_calls)) + "/../tests/doubles/libcupti.so.13";
    if (void* library = ::dlopen(path.c_str(), RTLD_NOW); library != nullptr) {
        if (const auto problem = api.load(library); !problem.empty()) {
            std::fprintf(stderr, "%s\n", problem.c_str());
            return 1;
        }
    }
    benchmark::Initialize(&count, words);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
