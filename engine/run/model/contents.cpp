// SPDX-License-Identifier: MIT
#include "engine/run/model/contents.h"

namespace lanes::model {

Part written_by(const CollectiveAction& action, std::size_t rank, const Memory& memory)
{
    const std::uint64_t bytes = memory.size(action.buffers[rank]);
    const std::uint64_t part = bytes / action.buffers.size();
    return action.kind == CollectiveKind::reduce_scatter ? Part {rank * part, part} : Part {0, bytes};
}

std::vector<Values> values_of_ranks(
    const CollectiveAction& action, const Memory& memory, const std::vector<Values>& state)
{
    const std::size_t ranks = action.buffers.size();
    if (action.kind == CollectiveKind::all_gather) {
        const std::uint64_t bytes = memory.size(action.buffers.front());
        const std::uint64_t part = bytes / ranks;
        Values whole;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            whole.write(bytes, rank * part, part, state[action.buffers[rank]].slice(rank * part, part));
        }
        return std::vector<Values>(ranks, whole);
    }
    std::vector<Values> values;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        double sum = 0;
        for (const auto buffer : action.buffers) {
            sum += state[buffer].at(written_by(action, rank, memory).offset);
        }
        values.emplace_back(sum);
    }
    return values;
}

void write(std::vector<Values>& state, const Memory& memory, const Operation& operation, const Values& values)
{
    if (operation.kernel != nullptr) {
        for (const auto buffer : operation.kernel->writes) {
            state[buffer].write(memory.size(buffer), 0, memory.size(buffer), values);
        }
    } else if (operation.to != none) {
        state[operation.to].write(memory.size(operation.to), operation.offset, operation.bytes, values);
    }
}

void expect(Core& core, const GpuSide& gpus, const Operation& operation)
{
    auto& memory = core.memory;
    auto& expected = memory.expected;
    if (operation.kind == Operation::Kind::graph) {
        for (const auto& node : gpus.captures().graph(operation.graph).nodes) {
            expect(core, gpus, node);
        }
    } else if (operation.kind != Operation::Kind::collective) {
        write(expected, memory, operation, values_written(operation, expected));
    } else if (const auto& action = gpus.group(operation.group); operation.to == action.buffers.front()) {
        const auto values = values_of_ranks(action, memory, expected);
        for (std::size_t rank = 0; rank < values.size(); ++rank) {
            const auto buffer = action.buffers[rank];
            const Part part = written_by(action, rank, memory);
            expected[buffer].write(memory.size(buffer), part.offset, part.bytes, values[rank]);
        }
    }
}

}  // namespace lanes::model
