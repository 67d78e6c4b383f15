// SPDX-License-Identifier: MIT
// Programs for tests, written by hand: every function adds something and returns its index.
#pragma once

#include "engine/workload/program.h"

#include <algorithm>
#include <optional>

namespace lanes::tests {

inline constexpr std::uint64_t kib = 1024;
inline constexpr std::uint64_t mib = 1024 * kib;
inline constexpr Ns us = 1000;
inline constexpr Ns ms = 1000 * us;

struct ProgramBuilder {
    Program program;
    Index thread = 0;  ///< that the next steps go to

    ProgramBuilder()
    {
        program.workload = "test";
        new_thread("main");
    }

    Index new_thread(const std::string& name)
    {
        program.threads.push_back({name, {}});
        return thread = last(program.threads);
    }
    Index stream(StreamSpec::Kind kind = StreamSpec::Kind::non_blocking, std::uint32_t gpu = 0, int priority = 0)
    {
        program.gpus = std::max(program.gpus, gpu + 1);
        program.streams.push_back({"s" + std::to_string(program.streams.size()), gpu, kind, priority});
        return last(program.streams);
    }
    Index buffer(MemoryKind memory, std::uint64_t bytes, std::uint32_t gpu = 0)
    {
        program.buffers.push_back({"b" + std::to_string(program.buffers.size()),
            memory == MemoryKind::device ? gpu : no_id, memory, bytes, false});
        return last(program.buffers);
    }
    Index event()
    {
        program.events.push_back("e" + std::to_string(program.events.size()));
        return last(program.events);
    }
    Index graph()
    {
        program.graphs.push_back("g" + std::to_string(program.graphs.size()));
        return last(program.graphs);
    }
    Index queue(std::uint32_t capacity)
    {
        program.queues.push_back({"q" + std::to_string(program.queues.size()), capacity});
        return last(program.queues);
    }

    /// The step's index, which is also that of its StepInfo.
    Index step(Action action)
    {
        program.steps.push_back({"step", "step", static_cast<std::uint32_t>(program.steps.size() + 1), 1});
        program.threads[thread].instructions.push_back({std::move(action), last(program.steps)});
        return last(program.steps);
    }

    Index kernel(Index on, Ns time, std::uint32_t blocks = 0, KernelWork work = KernelWork::fma)
    {
        KernelAction action;
        action.stream = on;
        action.name = "k" + std::to_string(program.steps.size());
        action.time = time;
        action.blocks = blocks;
        action.work = work;
        return step(action);
    }
    Index writing_kernel(Index on, Ns time, Index writes, std::optional<double> value = {})
    {
        KernelAction action;
        action.stream = on;
        action.name = "w" + std::to_string(program.steps.size());
        action.time = time;
        action.writes = {writes};
        if (value) {
            action.value.items = {{ValueCode::Op::constant, no_id, *value}};
        }
        return step(action);
    }
    Index copy(Index from, Index to, Index on, bool blocking = false)
    {
        return copy_part(from, to, on, 0, program.buffers[to].bytes, blocking);
    }
    Index copy_part(Index from, Index to, Index on, std::uint64_t offset, std::uint64_t bytes, bool blocking = false)
    {
        CopyAction action;
        action.from = from;
        action.to = to;
        action.stream = on;
        action.offset = offset;
        action.bytes = bytes;
        action.blocking = blocking;
        return step(action);
    }
    Index cuda_memcpy(Index from, Index to, Index legacy)
    {
        CopyAction action;
        action.from = from;
        action.to = to;
        action.stream = legacy;
        action.offset = 0;
        action.bytes = program.buffers[to].bytes;
        action.call = CopyAction::Call::memcpy;
        return step(action);
    }
    Index read(Index of, bool expect_stale = false)
    {
        return step(ReadAction {{of}, program.buffers[of].name, expect_stale});
    }
    Index memset(Index to, Index on, std::uint8_t value)
    {
        MemsetAction action;
        action.to = to;
        action.stream = on;
        action.offset = 0;
        action.bytes = program.buffers[to].bytes;
        action.value = value;
        return step(action);
    }
    Index spin(Ns time)
    {
        CpuAction action;
        action.time = time;
        return step(action);
    }

private:
    template <class T> static Index last(const std::vector<T>& of) { return static_cast<Index>(of.size() - 1); }
};

}  // namespace lanes::tests
