// SPDX-License-Identifier: MIT
#include "engine/run/cuda/effects.h"

#include <bit>

namespace lanes {

void apply(const Effect& effect, ExpectedContents& expected)
{
    double value = 0;
    switch (effect.kind) {
    case Effect::Kind::set:
        expected.set(effect.to, effect.word);
        break;
    case Effect::Kind::copy:
        expected.copy(effect.from, effect.to);
        break;
    case Effect::Kind::compute: {
        const auto& kernel = *effect.kernel;
        value = evaluate(kernel.items.data(), kernel.args.items, [&](const ValueItem& item) {
            return std::bit_cast<double>(expected.first_word(kernel.load_buffers[item.slot]));
        });
        for (const auto& span : kernel.expected) {
            expected.set(span, std::bit_cast<std::uint64_t>(value));
        }
        break;
    }
    case Effect::Kind::reduce:
        for (const Index buffer : effect.reduce->buffers) {
            value += std::bit_cast<double>(expected.first_word(buffer));
        }
        for (const auto& span : effect.reduce->expected) {
            expected.set(span, std::bit_cast<std::uint64_t>(value));
        }
        break;
    }
}

}  // namespace lanes
