// SPDX-License-Identifier: MIT
#include "engine/run/cuda/memory_need.h"

#include "engine/formatted.h"
#include "engine/workload/memory.h"
#include "engine/workload/workload.h"

#include <algorithm>
#include <fstream>

namespace lanes {

namespace {

bool uses(const Action& action, Index buffer)
{
    const auto has = [buffer](const std::vector<Index>& buffers) {
        return std::find(buffers.begin(), buffers.end(), buffer) != buffers.end();
    };
    if (const auto* kernel = std::get_if<KernelAction>(&action)) {
        return has(kernel->reads) || has(kernel->writes);
    }
    if (const auto* copy = std::get_if<CopyAction>(&action)) {
        return copy->from == buffer || copy->to == buffer;
    }
    if (const auto* memset = std::get_if<MemsetAction>(&action)) {
        return memset->to == buffer;
    }
    if (const auto* read = std::get_if<ReadAction>(&action)) {
        return has(read->buffers);
    }
    const auto* const alloc = std::get_if<AllocAction>(&action);
    return alloc != nullptr && alloc->buffer == buffer;
}

/// `gpu` no_id: it is the host that has too little.
[[noreturn]] void refuse(const Program& program, std::uint32_t gpu, std::uint64_t need, std::uint64_t have)
{
    Index largest = no_id;
    for (Index b = 0; b < program.buffers.size(); ++b) {
        if (program.buffers[b].gpu == gpu
            && (largest == no_id || program.buffers[b].bytes > program.buffers[largest].bytes)) {
            largest = b;
        }
    }
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    for (const auto& thread : program.threads) {
        for (const auto& instruction : thread.instructions) {
            if (line == 0 && uses(instruction.action, largest) && instruction.step < program.steps.size()) {
                line = program.steps[instruction.step].line;
                column = program.steps[instruction.step].column;
            }
        }
    }
    constexpr double mib = 1U << 20;
    throw WorkloadError(program.file, line, column,
        formatted("the buffers need {:.0f} MiB of {} memory, but {:.0f} MiB are free: give smaller "
                    "buffers or fewer (the largest here is {}, {:.0f} MiB)",
            static_cast<double>(need) / mib, gpu == no_id ? "host" : "GPU", static_cast<double>(have) / mib,
            program.buffers[largest].name, static_cast<double>(program.buffers[largest].bytes) / mib));
}

}  // namespace

std::uint64_t free_host_memory()
{
    std::ifstream info("/proc/meminfo");
    std::string key;
    std::uint64_t kib = 0;
    for (std::string rest; info >> key >> kib && std::getline(info, rest);) {
        if (key == "MemAvailable:") {
            return kib << 10U;
        }
    }
    return 0;
}

void check_memory_need(const Program& program, const std::vector<std::uint64_t>& gpu_free, std::uint64_t overhead)
{
    const auto needed = memory_needed(program);
    const std::uint64_t host = needed.pageable + needed.pinned;
    for (std::uint32_t gpu = 0; gpu < gpu_free.size() && gpu < needed.gpu.size(); ++gpu) {
        if (needed.gpu[gpu] > 0 && needed.gpu[gpu] + overhead > gpu_free[gpu]) {
            refuse(program, gpu, needed.gpu[gpu] + overhead, gpu_free[gpu]);
        }
    }
    if (const auto free_bytes = free_host_memory(); free_bytes > 0 && host > free_bytes) {
        refuse(program, no_id, host, free_bytes);
    }
}

}  // namespace lanes
