// SPDX-License-Identifier: MIT
// Counts the GPU operations of a process independently of the recorder: for tests/gpu/strangers.sh, which compares
// both. Loaded by libcuda (CUDA_INJECTION64_PATH); appends a line to $STRANGERS_COUNT at the end of each process:
// kernels, copies, memsets, dropped records.
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cupti.h>

namespace {

constexpr std::size_t buffer_bytes = 2U << 20;

enum Counted { kernels, copies, memsets, dropped, counted };
std::array<std::atomic<unsigned long long>, counted> counts {};

void CUPTIAPI give(std::uint8_t** buffer, std::size_t* size, std::size_t* records)
{
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
    *size = buffer_bytes;
    *records = 0;
}

void CUPTIAPI take(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid)
{
    CUpti_Activity* record = nullptr;
    // All of these begin with the kind; start and end are in different places. What has no time did not run.
    while (valid > 0 && cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
            counts[kernels] += reinterpret_cast<const CUpti_ActivityKernel10*>(record)->end != 0;
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
            counts[memsets] += reinterpret_cast<const CUpti_ActivityMemset4*>(record)->end != 0;
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
            counts[copies] += reinterpret_cast<const CUpti_ActivityMemcpy6*>(record)->end != 0;
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY2) {
            counts[copies] += reinterpret_cast<const CUpti_ActivityMemcpyPtoP4*>(record)->end != 0;
        }
    }
    std::size_t lost = 0;
    if (cuptiActivityGetNumDroppedRecords(nullptr, 0, &lost) == CUPTI_SUCCESS) {
        counts[dropped] += lost;
    }
    std::free(buffer);
}

void tell()
{
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const char* const path = std::getenv("STRANGERS_COUNT");
    std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "a");
    if (file != nullptr) {
        std::fprintf(file, "%llu %llu %llu %llu\n", counts[kernels].load(), counts[copies].load(),
            counts[memsets].load(), counts[dropped].load());
        std::fclose(file);
    }
}

}  // namespace

extern "C" int InitializeInjection()
{
    cuptiActivityRegisterCallbacks(give, take);
    for (const auto kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
             CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET}) {
        cuptiActivityEnable(kind);
    }
    cuptiActivityFlushPeriod(200);
    std::atexit(tell);
    return 1;
}
