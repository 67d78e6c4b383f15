// SPDX-License-Identifier: MIT
// What the buffers of a program hold: the actual contents (`actual`, as operations end on the model's time axis) and
// those that the order of the calls requires once all work is done (`expected`, as operations are issued).
#pragma once

#include "engine/run/model/values.h"
#include "engine/workload/value_code.h"

namespace lanes::model {

/// Cost: that of Values.
class Memory {
public:
    explicit Memory(const Program& program)
        : m_buffers(program.buffers)
    {
        for (const auto& buffer : program.buffers) {
            actual.emplace_back(buffer.initial_value);
        }
        expected = actual;
    }

    std::uint64_t size(Index buffer) const { return m_buffers[buffer].bytes; }

private:
    const std::vector<BufferElement>& m_buffers;

public:
    std::vector<Values> actual, expected;
};

/// The value of `code`, whose loads take the first word of `buffers`' elements. 0 for an empty code.
inline double value_of(const ValueCode& code, const std::vector<Values>& buffers)
{
    return evaluate(code.items.data(), static_cast<std::uint32_t>(code.items.size()),
        [&](const ValueCode::Item& item) { return buffers[item.buffer].at(0); });
}

}  // namespace lanes::model
