// SPDX-License-Identifier: MIT
// A tournament tree: which of several sorted sequences has the earliest next item.
#pragma once

#include "engine/trace/units.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace lanes {

/// Invariant: every node is the earlier of its two children; for equal times, the sequence with the smaller number.
/// Cost: set() is log2(sequences), first() is constant; 24 to 48 bytes a sequence.
class MergeTree {
public:
    static constexpr Ns never = std::numeric_limits<Ns>::max();

    explicit MergeTree(std::size_t sequences)
    {
        while (m_leaves < sequences) {
            m_leaves *= 2;
        }
        m_times.resize(2 * m_leaves, never);
        m_sequences.resize(2 * m_leaves);
        for (std::size_t i = 2 * m_leaves - 1; i > 0; --i) {
            m_sequences[i] = i >= m_leaves ? static_cast<std::uint32_t>(i - m_leaves) : m_sequences[2 * i];
        }
    }
    /// Sets the time of the next item of `sequence`; `never`: it has no more.
    void set(std::size_t sequence, Ns time)
    {
        // Which of two is earlier cannot be predicted, so there is no branch.
        auto first = static_cast<std::uint32_t>(sequence);
        std::size_t i = m_leaves + sequence;
        m_times[i] = time;
        for (; i > 1; i /= 2) {
            const Ns other_time = m_times[i ^ 1U];
            const auto other = m_sequences[i ^ 1U];
            const bool is_other = (other_time < time) | ((other_time == time) & (other < first));
            time = is_other ? other_time : time;
            first = is_other ? other : first;
            m_times[i / 2] = time;
            m_sequences[i / 2] = first;
        }
    }
    std::size_t first() const { return m_sequences[1]; }
    Ns time() const { return m_times[1]; }

private:
    std::size_t m_leaves = 1;
    // By node: 1 is the root, the second half are the leaves.
    std::vector<Ns> m_times;
    std::vector<std::uint32_t> m_sequences;
};

}  // namespace lanes
