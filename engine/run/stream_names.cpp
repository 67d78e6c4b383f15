// SPDX-License-Identifier: MIT
#include "engine/run/stream_names.h"

#include "engine/workload/effects.h"

#include <algorithm>
#include <map>

namespace lanes {

namespace {

/// The instruction that each thread was at, over time.
class InstructionsOverTime {
public:
    explicit InstructionsOverTime(const Trace& trace)
        : m_trace(trace)
        , m_by_thread(trace.threads.size())
    {
        for (Row row = 0; row < trace.steps.size(); ++row) {
            if (trace.steps[row].thread < m_by_thread.size()) {
                m_by_thread[trace.steps[row].thread].push_back(row);  // the table is sorted by start
            }
        }
    }

    /// The instruction that issued a call; null if none did.
    const Instruction* of_call(Row call, const Program& program) const
    {
        if (call >= m_trace.calls.size() || m_trace.calls.thread[call] >= m_by_thread.size()) {
            return nullptr;
        }
        const Row thread = m_trace.calls.thread[call];
        const auto& rows = m_by_thread[thread];
        const Ns start = m_trace.calls.start[call];
        const auto next = std::upper_bound(
            rows.begin(), rows.end(), start, [&](Ns time, Row row) { return time < m_trace.steps[row].start; });
        const auto order = m_trace.threads[thread].order;
        if (next == rows.begin() || order >= program.threads.size()) {
            return nullptr;
        }
        const auto& instructions = program.threads[order].instructions;
        const auto index = m_trace.steps[*std::prev(next)].instruction;
        return index < instructions.size() ? &instructions[index] : nullptr;
    }

private:
    const Trace& m_trace;
    std::vector<std::vector<Row>> m_by_thread;
};

}  // namespace

void name_streams(Trace& trace, const Program& program)
{
    const InstructionsOverTime instructions(trace);
    // An all-reduce names a stream for each GPU, and the run's GPU 0 may have been another device than 0.
    std::map<std::uint32_t, std::uint32_t> gpu_of_device;
    const auto spec_of = [&](const Action& action, std::uint32_t device) {
        const auto* const reduce = std::get_if<CollectiveAction>(&action);
        if (reduce == nullptr) {
            return effects_of(program, action).stream;
        }
        const auto known = gpu_of_device.find(device);
        const auto is_rank = [&](Index stream) {
            const auto gpu = program.streams[stream].gpu;
            const bool taken = std::any_of(
                gpu_of_device.begin(), gpu_of_device.end(), [&](const auto& other) { return other.second == gpu; });
            return known != gpu_of_device.end() ? gpu == known->second : !taken;
        };
        // If several are left, the first: devices are in the order of their numbers.
        const auto rank = std::find_if(reduce->streams.begin(), reduce->streams.end(), is_rank);
        return rank != reduce->streams.end() ? *rank : no_id;
    };
    const auto join = [&](Row stream, Row call, bool all_reduces) {
        if (stream >= trace.streams.size() || trace.streams[stream].name != 0) {
            return;
        }
        const auto* const instruction = instructions.of_call(call, program);
        if (instruction != nullptr && std::holds_alternative<CollectiveAction>(instruction->action) != all_reduces) {
            return;
        }
        const auto device = trace.streams[stream].device;
        const Index spec = instruction != nullptr ? spec_of(instruction->action, device) : no_id;
        if (spec < program.streams.size()) {
            trace.streams[stream].name = trace.strings.intern(program.streams[spec].name);
            gpu_of_device.try_emplace(device, program.streams[spec].gpu);
        }
    };
    for (const bool all_reduces : {false, true}) {  // all-reduces last: they need the names that the others found
        for (Row row = 0; row < trace.operations.size(); ++row) {
            join(trace.operations.stream[row], trace.operations.call[row], all_reduces);
        }
        for (const auto& sync : trace.syncs) {
            join(sync.stream, sync.call, all_reduces);
        }
        for (const auto& event : trace.events) {
            join(event.stream, event.call, all_reduces);
        }
    }
}

}  // namespace lanes
