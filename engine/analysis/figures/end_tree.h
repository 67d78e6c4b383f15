// SPDX-License-Identifier: MIT
// Which intervals of a table reach beyond a moment: the starts of a table are sorted,
// its ends are not.
#pragma once

#include "engine/trace/units.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace lanes {

/// The ends of a table, with the largest of every 64, then of every 64 of these, and so on. Valid as long as the table
/// neither moves nor changes. Cost: linear to build, 0.13 bytes an interval.
class EndTree {
public:
    EndTree() = default;
    explicit EndTree(const std::vector<Ns>& ends)
        : EndTree(reinterpret_cast<const std::byte*>(ends.data()), sizeof(Ns), ends.size())
    {
    }
    template <class T>
    EndTree(const std::vector<T>& table, Ns T::*end)
        : EndTree(table.empty() ? nullptr : reinterpret_cast<const std::byte*>(&(table.front().*end)), sizeof(T),
            table.size())
    {
    }

    /// Calls `take(i)` for every i in [begin, end) whose interval ends after `time`, in their order.
    /// Cost: 64 log64 n, once and for each of them.
    template <class Take> void each_after(std::size_t begin, std::size_t end, Ns time, Take take) const
    {
        for (std::size_t i = begin; i < end;) {
            std::size_t skip = 0;
            std::size_t width = fan;
            for (std::size_t level = 0; level < m_levels.size() && i % width == 0; ++level, width *= fan) {
                if (m_levels[level][i / width] > time) {
                    break;
                }
                skip = width;
            }
            if (skip == 0) {
                if (at(i) > time) {
                    take(i);
                }
                skip = 1;
            }
            i += skip;
        }
    }
    /// The largest end in [begin, end), `none` if that is empty. Cost: 64 log64 n.
    Ns latest(std::size_t begin, std::size_t end, Ns none) const
    {
        Ns largest = none;
        for (std::size_t i = begin; i < end;) {
            std::size_t width = 1;
            std::size_t level = 0;
            while (level < m_levels.size() && i % (width * fan) == 0 && i + width * fan <= end) {
                width *= fan;
                ++level;
            }
            largest = std::max(largest, level == 0 ? at(i) : m_levels[level - 1][i / width]);
            i += width;
        }
        return largest;
    }
    std::size_t bytes() const
    {
        std::size_t sum = 0;
        for (const auto& level : m_levels) {
            sum += level.size() * sizeof(Ns);
        }
        return sum;
    }

private:
    static constexpr std::size_t fan = 64;

    EndTree(const std::byte* base, std::size_t stride, std::size_t size)
        : m_base(base)
        , m_stride(stride)
    {
        for (std::size_t below = size; below > fan;) {
            std::vector<Ns> level((below + fan - 1) / fan);
            for (std::size_t i = 0; i < level.size(); ++i) {
                const auto last = std::min(below, (i + 1) * fan);
                Ns largest = value(i * fan);
                for (std::size_t j = i * fan + 1; j < last; ++j) {
                    largest = std::max(largest, value(j));
                }
                level[i] = largest;
            }
            below = level.size();
            m_levels.push_back(std::move(level));
        }
    }
    Ns at(std::size_t i) const
    {
        Ns end;
        std::memcpy(&end, m_base + i * m_stride, sizeof end);
        return end;
    }
    /// From the level that was built last, or from the table.
    Ns value(std::size_t i) const { return m_levels.empty() ? at(i) : m_levels.back()[i]; }

    const std::byte* m_base = nullptr;
    std::size_t m_stride = 0;
    std::vector<std::vector<Ns>> m_levels;
};

}  // namespace lanes
