// SPDX-License-Identifier: MIT
#include "engine/run/model/contents.h"

namespace lanes::model {

double sum_of(const AllReduceAction& action, const std::vector<Values>& state)
{
    double sum = 0;
    for (const auto buffer : action.buffers) {
        sum += state[buffer].at(0);
    }
    return sum;
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
    } else if (operation.kind != Operation::Kind::all_reduce) {
        write(expected, memory, operation, values_written(operation, expected));
    } else if (const auto& action = gpus.group(operation.group); operation.to == action.buffers.front()) {
        const Values sum(sum_of(action, expected));
        for (const auto buffer : action.buffers) {
            expected[buffer].write(memory.size(buffer), 0, memory.size(buffer), sum);
        }
    }
}

}  // namespace lanes::model
