// SPDX-License-Identifier: MIT
#include "engine/run/cuda/expected_write.h"

#include <bit>

namespace lanes {

namespace {

void add_up(const CollectiveOp::Sum& sum, ExpectedContents& expected)
{
    for (std::uint32_t segment = 0; segment < sum.to.front().count; ++segment) {
        std::uint64_t word = expected.word(sum.from.front().first + segment);
        if (sum.from.size() > 1) {
            double value = 0;
            for (const auto& span : sum.from) {
                value += std::bit_cast<double>(expected.word(span.first + segment));
            }
            word = std::bit_cast<std::uint64_t>(value);
        }
        for (const auto& span : sum.to) {
            expected.set({span.first + segment, 1}, word);
        }
    }
}

}  // namespace

void apply(const ExpectedWrite& write, ExpectedContents& expected)
{
    switch (write.kind) {
    case ExpectedWrite::Kind::set:
        expected.set(write.to, write.word);
        break;
    case ExpectedWrite::Kind::copy:
        expected.copy(write.from, write.to);
        break;
    case ExpectedWrite::Kind::compute: {
        const auto& kernel = *write.kernel;
        const double value = evaluate(kernel.items.data(), kernel.args.items, [&](const ValueItem& item) {
            return std::bit_cast<double>(expected.first_word(kernel.load_buffers[item.slot]));
        });
        for (const auto& span : kernel.expected) {
            expected.set(span, std::bit_cast<std::uint64_t>(value));
        }
        break;
    }
    case ExpectedWrite::Kind::communicate:
        for (const auto& sum : write.collective->sums) {
            add_up(sum, expected);
        }
        break;
    }
}

}  // namespace lanes
