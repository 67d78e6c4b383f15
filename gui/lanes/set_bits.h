// SPDX-License-Identifier: MIT
// Counts bits without a call: std::popcount() calls the compiler's library where the oldest x86-64 is the target.
// Compilers know this form and make one instruction of it in functions of LANES_CLONES.
#pragma once

#include <cstdint>

namespace lanes::gui {

constexpr std::uint64_t set_bits(std::uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555U;
    word = (word & 0x3333333333333333U) + (word >> 2 & 0x3333333333333333U);
    return ((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FU) * 0x0101010101010101U >> 56;
}

}  // namespace lanes::gui
