// SPDX-License-Identifier: MIT
#include "engine/run/model/expected.h"

namespace lanes::model {

void expect(Core& core, const GpuSide& gpus, const Operation& operation)
{
    auto& memory = core.memory;
    auto& expected = memory.expected;
    switch (operation.kind) {
    case Operation::Kind::kernel:
        if (operation.kernel != nullptr) {
            const auto& code = operation.kernel->value;
            const Values written(code.empty() ? operation.number_written : value_of(code, expected));
            for (const auto buffer : operation.kernel->writes) {
                expected[buffer].write(memory.size(buffer), 0, memory.size(buffer), written);
            }
        }
        break;
    case Operation::Kind::copy:
        expected[operation.to].write(memory.size(operation.to), operation.offset, operation.bytes,
            expected[operation.from].slice(operation.offset, operation.bytes));
        break;
    case Operation::Kind::memset:
        expected[operation.to].write(
            memory.size(operation.to), operation.offset, operation.bytes, Values(value_of_bytes(operation.byte)));
        break;
    case Operation::Kind::graph:
        for (const auto& node : gpus.captures().graph(operation.graph).nodes) {
            expect(core, gpus, node);
        }
        break;
    case Operation::Kind::all_reduce:
        if (const auto& buffers = gpus.group(operation.group).buffers; operation.to == buffers.front()) {
            double sum = 0;
            for (const auto buffer : buffers) {
                sum += expected[buffer].at(0);
            }
            for (const auto buffer : buffers) {
                expected[buffer].write(memory.size(buffer), 0, memory.size(buffer), Values(sum));
            }
        }
        break;
    case Operation::Kind::record:
    case Operation::Kind::wait:
        break;
    }
}

}  // namespace lanes::model
