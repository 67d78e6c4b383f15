// SPDX-License-Identifier: MIT
#include "engine/run/model/contents.h"

#include "engine/workload/collective.h"

#include <algorithm>

namespace lanes::model {

Part written_by(const CollectiveAction& action, std::size_t rank, const Memory& memory)
{
    std::uint64_t begin = memory.size(action.buffers[rank]), end = 0;
    for (const auto& part : parts_of(action, memory.size(action.buffers[rank]))) {
        if (std::ranges::find(part.to, rank) != part.to.end()) {
            begin = std::min(begin, part.offset);
            end = part.offset + part.bytes;
        }
    }
    return begin < end ? Part {begin, end - begin} : Part {0, 0};
}

std::vector<Values> values_of_ranks(
    const CollectiveAction& action, const Memory& memory, const std::vector<Values>& state)
{
    const std::uint64_t bytes = memory.size(action.buffers.front());
    std::vector<Values> after;
    for (const auto buffer : action.buffers) {
        after.push_back(state[buffer]);
    }
    for (const auto& part : parts_of(action, bytes)) {
        std::vector<Values> held;
        for (const auto rank : part.from) {
            held.push_back(state[action.buffers[rank]].slice(part.offset, part.bytes));
        }
        const Values sum = sum_of(held, part.bytes);
        for (const auto rank : part.to) {
            after[rank].write(bytes, part.offset, part.bytes, sum);
        }
    }
    for (std::size_t rank = 0; rank < after.size(); ++rank) {
        const Part written = written_by(action, rank, memory);
        after[rank] = after[rank].slice(written.offset, written.bytes);
    }
    return after;
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
