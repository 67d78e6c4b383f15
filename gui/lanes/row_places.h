// SPDX-License-Identifier: MIT
// Which rows of a table the items of a lane row are, in their order: all of a stretch of the table; or, where rows of
// others lie between them, a bit for each row of the stretch; or, where that would be larger or they are in another
// order, a list.
#pragma once

#include "engine/trace/trace.h"
#include "gui/lanes/set_bits.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes::gui {

/// Cost: in memory nothing, some two bits or less an item that is every second row, or four bytes; to ask for an item a
/// few ns, of bits some 20.
class RowPlaces {
public:
    RowPlaces(Row first, std::size_t size)
        : m_first(first)
        , m_size(size)
    {
    }
    explicit RowPlaces(std::vector<Row> list);

    /// Items between two whose bits are kept: a walk from such an item on begins without a search.
    static constexpr std::size_t sampled = 48;

    std::size_t size() const { return m_size; }
    bool isStretch() const { return m_list.empty() && m_bits.empty(); }
    Row first() const { return m_first; }  ///< of a stretch
    Row operator[](std::size_t i) const
    {
        return !m_bits.empty() ? m_first + static_cast<Row>(bitOf(i))
            : !m_list.empty()  ? m_list[i]
                               : m_first + static_cast<Row>(i);
    }
    /// The item after the one that is at `place`; there is one.
    Row next(std::size_t i, Row place) const
    {
        if (m_bits.empty()) {
            return (*this)[i + 1];
        }
        const std::size_t from = place - m_first + 1;
        std::size_t word = from / 64;
        std::uint64_t rest = m_bits[word] & (~std::uint64_t {0} << from % 64);
        while (rest == 0) {
            rest = m_bits[++word];
        }
        return m_first + static_cast<Row>(64 * word + static_cast<std::size_t>(std::countr_zero(rest)));
    }
    std::size_t bytes() const
    {
        return m_list.capacity() * sizeof(Row) + m_bits.capacity() * sizeof(std::uint64_t)
            + m_samples.capacity() * sizeof(std::uint32_t);
    }

private:
    /// The bit of item i. Inlined, so that a function of LANES_CLONES counts bits with the processor's own instruction.
    std::size_t bitOf(std::size_t i) const
    {
        const std::size_t from = m_samples[i / sampled];
        std::size_t before = i % sampled;
        if (before == 0) {
            return from;
        }
        std::size_t word = from / 64;
        std::uint64_t rest = m_bits[word] & (~std::uint64_t {0} << from % 64);
        for (std::size_t count = set_bits(rest); before >= count; count = set_bits(rest)) {
            before -= count;
            rest = m_bits[++word];
        }
        return 64 * word + bitAfter(rest, before);
    }
    /// The place of the bit that has `before` set bits under it; there is one.
    static std::size_t bitAfter(std::uint64_t word, std::size_t before)
    {
        std::size_t place = 0;
        for (unsigned half = 32; half > 0; half /= 2) {
            const std::size_t under = set_bits(word & ((std::uint64_t {1} << half) - 1));
            if (before >= under) {
                before -= under;
                word >>= half;
                place += half;
            }
        }
        return place;
    }

    Row m_first = 0;
    std::size_t m_size = 0;
    std::vector<Row> m_list;
    std::vector<std::uint64_t> m_bits;
    std::vector<std::uint32_t> m_samples;  // the bit of every item `sampled` after another
};

}  // namespace lanes::gui
