// SPDX-License-Identifier: MIT
// Makes what a Machine makes once: contexts, access between peers, pools, streams, events.
#include "engine/formatted.h"
#include "engine/run/cuda/cuda_check.h"
#include "engine/run/cuda/machine.h"
#include "engine/workload/effects.h"
#include "engine/workload/machine_need.h"

#include <algorithm>
#include <fstream>
#include <limits>

namespace lanes {

namespace {

/// Bytes of host memory that are available now, from /proc/meminfo; 0: unknown.
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

}  // namespace

void Machine::find_gpus(int first)
{
    int count = 0;
    check(cudaGetDeviceCount(&count), "cannot count the GPUs");
    check_gpus(m_program, static_cast<std::uint32_t>(count), "this machine");
    for (std::uint32_t gpu = 0; gpu < program_gpus(); ++gpu) {
        Gpu made {(first + static_cast<int>(gpu)) % count};
        check(cudaSetDevice(made.device), "cannot use the GPU");
        check(cudaGetDeviceProperties(&made.properties, made.device), "cannot query the GPU's properties");
        m_gpus.push_back(made);
    }
}

void Machine::check_memory() const
{
    MemoryFree free {.gpu = {}, .overhead = scratches * scratch_bytes, .host = free_host_memory()};
    for (std::uint32_t gpu = 0; gpu < gpus(); ++gpu) {
        std::size_t free_bytes = 0;
        std::size_t all_bytes = 0;
        check(use(gpu), "cannot use the GPU");
        check(cudaMemGetInfo(&free_bytes, &all_bytes), "cannot query the GPU's memory");
        free.gpu.push_back(free_bytes);
    }
    lanes::check_memory(m_program, free);
}

void Machine::let_peers_in()
{
    for (const auto& [a, b] : m_program.peers) {
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
            int can = 0;
            check(cudaDeviceCanAccessPeer(&can, device(from), device(to)), "cannot query peer access");
            if (can == 0) {
                throw WorkloadError(m_program.file, 0, 0,
                    formatted("peers: [{}, {}]: these GPUs cannot access each other's memory (devices {} and {}); "
                              "without 'peers' the copies between them go through the host",
                        a, b, device(a), device(b)));
            }
            check(use(from), "cannot use the GPU");
            const auto error = cudaDeviceEnablePeerAccess(device(to), 0);
            if (error == cudaErrorPeerAccessAlreadyEnabled) {  // the pair is in `peers` twice
                cudaGetLastError();  // else the next call that asks would get it
            } else {
                check(error, "cannot enable peer access");
            }
        }
    }
}

// A pool gives freed memory back to the driver at the next synchronisation, unless it is set to keep it. Without that,
// every iteration of a loop that synchronises would pay for cudaMalloc after all. PyTorch's allocators keep theirs,
// too.
void Machine::keep_pools_filled()
{
    std::vector<std::uint64_t> pooled(gpus(), 0);
    each_effects(m_program, [&](const Effects& effects, const Instruction&, Index) {
        if (effects.allocates != no_id && effects.stream != no_id && !m_program.buffers[effects.allocates].cached) {
            pooled[effects.gpu] += m_program.buffers[effects.allocates].bytes;
        }
    });
    for (std::uint32_t gpu = 0; gpu < gpus(); ++gpu) {
        if (pooled[gpu] == 0) {
            continue;
        }
        cudaMemPool_t pool = nullptr;
        check(cudaDeviceGetDefaultMemPool(&pool, device(gpu)), "cannot query the GPU's memory pool");
        auto keep = std::numeric_limits<std::uint64_t>::max();
        check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "cannot set up the memory pool");
        // Access between peers does not reach into pools by itself.
        for (const auto& [a, b] : m_program.peers) {
            if (a == gpu || b == gpu) {
                cudaMemAccessDesc access {};
                access.location.type = cudaMemLocationTypeDevice;
                access.location.id = device(a == gpu ? b : a);
                access.flags = cudaMemAccessFlagsProtReadWrite;
                check(cudaMemPoolSetAccess(pool, &access, 1), "cannot give a peer access to the memory pool");
            }
        }
    }
}

void Machine::make_streams()
{
    // CUDA has no priority below the default one: if a stream shall have less, the others get more.
    const bool some_low = std::any_of(m_program.streams.begin(), m_program.streams.end(),
        [](const StreamSpec& stream) { return stream.priority > 0; });
    for (const auto& spec : m_program.streams) {
        int least = 0;
        int greatest = 0;
        check(use(spec.gpu), "cannot use the GPU");
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cannot query stream priorities");
        const int normal = some_low ? std::max(least - 1, greatest) : least;
        cudaStream_t stream = nullptr;
        const int priority = spec.priority < 0 ? greatest : spec.priority > 0 ? least : normal;
        switch (spec.kind) {
        case StreamSpec::Kind::legacy:
            break;
        case StreamSpec::Kind::per_thread:
            stream = cudaStreamPerThread;
            break;
        case StreamSpec::Kind::blocking:
            check(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, priority), "cannot make a stream");
            break;
        case StreamSpec::Kind::non_blocking:
            check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority), "cannot make a stream");
            break;
        }
        m_streams.push_back(stream);
    }
}

// An event belongs to the GPU that was current when it was made, and can be recorded only on streams of that GPU.
void Machine::make_events()
{
    std::vector<std::uint32_t> gpu_of_event(m_program.events.size(), no_id);
    each_effects(m_program, [&](const Effects& effects, const Instruction& instruction, Index) {
        if (effects.records == no_id) {
            return;
        }
        auto& known = gpu_of_event[effects.records];
        if (known != no_id && known != effects.gpu) {
            const auto& step = m_program.steps[instruction.step];
            throw WorkloadError(m_program.file, step.line, step.column,
                formatted("event '{}' is recorded on GPU {} and here on GPU {}: CUDA ties an event to one GPU, "
                          "expected an event for each",
                    m_program.events[effects.records], known, effects.gpu));
        }
        known = effects.gpu;
    });
    m_events.resize(m_program.events.size());
    for (Index event = 0; event < m_events.size(); ++event) {
        check(use(gpu_of_event[event] == no_id ? 0 : gpu_of_event[event]), "cannot use the GPU");
        check(cudaEventCreateWithFlags(&m_events[event], cudaEventDisableTiming), "cannot make an event");
    }
}

}  // namespace lanes
