// SPDX-License-Identifier: MIT
#include "engine/workload/machine_need.h"

#include "engine/formatted.h"
#include "engine/workload/effects.h"

#include <algorithm>

namespace lanes {

namespace {

/// Throws at the first step for which `wanted(effects)` is true; without one, for the file as a whole.
template <class Wanted>
[[noreturn]] void refuse_at_first(const Program& program, const Wanted& wanted, const std::string& message)
{
    each_effects(program, [&](const Effects& effects, const Instruction& instruction, Index) {
        if (instruction.step < program.steps.size() && wanted(effects)) {
            const auto& step = program.steps[instruction.step];
            throw WorkloadError(program.file, step.line, step.column, message);
        }
    });
    throw WorkloadError(program.file, 0, 0, message);
}

bool uses(const Effects& effects, Index buffer)
{
    return effects.allocates == buffer
        || std::any_of(effects.accesses.begin(), effects.accesses.end(),
            [&](const Access& access) { return access.buffer == buffer; });
}

/// `gpu` no_id: the host has too little.
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
        program, [&](const Effects& effects) { return uses(effects, largest); },
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
    std::vector<std::uint64_t> cached(program.gpus, 0);
    for (const auto& buffer : program.buffers) {
        if (buffer.cached) {
            cached[buffer.gpu] += buffer.bytes;
            continue;
        }
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
    for (std::uint32_t gpu = 0; gpu < program.gpus; ++gpu) {
        needed.gpu[gpu] += program.cache_limit == 0 ? cached[gpu] : std::min(cached[gpu], program.cache_limit);
    }
    return needed;
}

void check_gpus(const Program& program, std::uint32_t have, const std::string& machine)
{
    if (program.gpus <= have) {
        return;
    }
    const auto is_beyond = [&](const Effects& effects) { return effects.gpu != no_id && effects.gpu >= have; };
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
