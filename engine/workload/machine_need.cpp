// SPDX-License-Identifier: MIT
#include "engine/workload/machine_need.h"

#include "engine/formatted.h"
#include "engine/workload/workload.h"

#include <algorithm>

namespace lanes {

namespace {

/// Throws at the first step that `wanted(action)` holds for; of none: for the file as a whole.
template <class Wanted>
[[noreturn]] void refuse_at_first(const Program& program, const Wanted& wanted, const std::string& message)
{
    for (const auto& thread : program.threads) {
        for (const auto& instruction : thread.instructions) {
            if (instruction.step < program.steps.size() && wanted(instruction.action)) {
                const auto& step = program.steps[instruction.step];
                throw WorkloadError(program.file, step.line, step.column, message);
            }
        }
    }
    throw WorkloadError(program.file, 0, 0, message);
}

bool uses(const Action& action, Index buffer)
{
    bool found = false;
    each_buffer(action, [&](Index used) { found = found || used == buffer; });
    const auto* const alloc = std::get_if<AllocAction>(&action);
    return found || (alloc != nullptr && alloc->buffer == buffer);
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
    constexpr double mib = 1U << 20;
    refuse_at_first(
        program, [&](const Action& action) { return uses(action, largest); },
        formatted("the buffers need {:.0f} MiB of {} memory, but {:.0f} MiB are free: give smaller buffers or fewer "
                  "(the largest here is {}, {:.0f} MiB)",
            static_cast<double>(need) / mib, gpu == no_id ? "host" : "GPU", static_cast<double>(have) / mib,
            program.buffers[largest].name, static_cast<double>(program.buffers[largest].bytes) / mib));
}

}  // namespace

MemoryNeeded memory_needed(const Program& program)
{
    MemoryNeeded needed;
    needed.gpu.resize(program.gpus);
    for (const auto& buffer : program.buffers) {
        switch (buffer.memory) {
        case MemoryKind::pageable:
            needed.pageable += buffer.bytes;
            break;
        case MemoryKind::pinned:
            needed.pinned += buffer.bytes;
            break;
        default:
            needed.gpu[buffer.gpu] += buffer.bytes;
        }
    }
    return needed;
}

std::uint32_t gpu_of(const Program& program, const Action& action)
{
    return std::visit(
        [&](const auto& it) -> std::uint32_t {
            if constexpr (requires { it.gpu; }) {
                return it.gpu;
            } else {
                if constexpr (requires { it.stream; }) {
                    if (it.stream != no_id) {
                        return program.streams[it.stream].gpu;
                    }
                }
                if constexpr (requires { it.buffer; }) {
                    return program.buffers[it.buffer].gpu;  // alloc and free without a pool; no_id: host memory
                }
                return no_id;
            }
        },
        action);
}

void check_gpus(const Program& program, std::uint32_t have, const std::string& machine)
{
    if (program.gpus <= have) {
        return;
    }
    const auto is_beyond = [&](const Action& action) {
        const auto gpu = gpu_of(program, action);
        return gpu != no_id && gpu >= have;
    };
    refuse_at_first(
        program, is_beyond, formatted("the workload uses {} GPUs, but {} has {}", program.gpus, machine, have));
}

void check_memory(const Program& program, const MemoryFree& free)
{
    const auto needed = memory_needed(program);
    for (std::uint32_t gpu = 0; gpu < free.gpu.size() && gpu < needed.gpu.size(); ++gpu) {
        if (needed.gpu[gpu] > 0 && needed.gpu[gpu] + free.overhead > free.gpu[gpu]) {
            refuse(program, gpu, needed.gpu[gpu] + free.overhead, free.gpu[gpu]);
        }
    }
    const std::uint64_t host = needed.pageable + needed.pinned;
    if (free.host > 0 && host > free.host) {
        refuse(program, no_id, host, free.host);
    }
}

}  // namespace lanes
