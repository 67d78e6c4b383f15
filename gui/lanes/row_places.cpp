// SPDX-License-Identifier: MIT
#include "gui/lanes/row_places.h"

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr std::size_t most_bits = 16;  // an item: half of what a list takes

}  // namespace

RowPlaces::RowPlaces(std::vector<Row> list)
    : m_size(list.size())
{
    if (list.empty()) {
        return;
    }
    const bool ascends = std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
    const std::size_t span = ascends ? std::size_t {list.back()} - list.front() + 1 : 0;
    if (!ascends || span > most_bits * list.size()) {
        list.shrink_to_fit();
        m_list = std::move(list);
        return;
    }
    m_first = list.front();
    if (span == list.size()) {
        return;
    }
    m_bits.resize((span + 63) / 64);
    m_samples.reserve((list.size() + sampled - 1) / sampled);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::size_t bit = list[i] - m_first;
        m_bits[bit / 64] |= std::uint64_t {1} << bit % 64;
        if (i % sampled == 0) {
            m_samples.push_back(static_cast<std::uint32_t>(bit));
        }
    }
}

}  // namespace lanes::gui
