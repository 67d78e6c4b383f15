// SPDX-License-Identifier: MIT
#include "engine/run/cuda/expected_write.h"

#include <bit>

namespace lanes {

void apply(const ExpectedWrite& write, ExpectedContents& expected)
{
    double value = 0;
    switch (write.kind) {
    case ExpectedWrite::Kind::set:
        expected.set(write.to, write.word);
        break;
    case ExpectedWrite::Kind::copy:
        expected.copy(write.from, write.to);
        break;
    case ExpectedWrite::Kind::compute: {
        const auto& kernel = *write.kernel;
        value = evaluate(kernel.items.data(), kernel.args.items, [&](const ValueItem& item) {
            return std::bit_cast<double>(expected.first_word(kernel.load_buffers[item.slot]));
        });
        for (const auto& span : kernel.expected) {
            expected.set(span, std::bit_cast<std::uint64_t>(value));
        }
        break;
    }
    case ExpectedWrite::Kind::reduce:
        for (const Index buffer : write.reduce->buffers) {
            value += std::bit_cast<double>(expected.first_word(buffer));
        }
        for (const auto& span : write.reduce->expected) {
            expected.set(span, std::bit_cast<std::uint64_t>(value));
        }
        break;
    }
}

}  // namespace lanes
