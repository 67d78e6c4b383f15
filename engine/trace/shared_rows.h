// SPDX-License-Identifier: MIT
// Rows of a table; equal ones are kept once. Private to engine/trace.
#pragma once

#include "engine/trace/trace.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace lanes {

/// Gives equal rows the same place, in the order of their first use: most programs launch few different kernels. After
/// very many different ones, every further one gets a new place. Cost: for one of the last few thousand a hash of its
/// words, else a look-up in a hash table. Holds addresses of its own members, so it cannot be moved.
template <class T> class SharedRows {
public:
    SharedRows() = default;
    SharedRows(const SharedRows&) = delete;
    SharedRows& operator=(const SharedRows&) = delete;

    const std::vector<T>& rows() const { return m_rows; }
    Row row_of(const T& wanted)
    {
        auto& recent = m_recent[hash_of(wanted) % m_recent.size()];
        if (recent != no_row && are_alike(m_rows[recent], wanted)) {
            return recent;
        }
        const auto row = static_cast<Row>(m_rows.size());
        m_rows.push_back(wanted);
        const auto known = m_known.find(row);
        if (known != m_known.end()) {
            m_rows.pop_back();
            return recent = *known;
        }
        if (m_known.size() < most_known) {
            m_known.insert(row);
            recent = row;
        }
        return row;
    }

private:
    static constexpr std::size_t most_known = 1U << 18U;

    static_assert(std::has_unique_object_representations_v<T>);
    static std::size_t hash_of(const T& row)
    {
        std::array<std::uint64_t, (sizeof row + 7) / 8> words {};
        std::memcpy(words.data(), &row, sizeof row);
        std::uint64_t hash = 0;
        std::uint64_t factor = 1;  // odd, so that no bit of a word is lost; all are known to the compiler
        for (const auto word : words) {
            factor *= 0x9E3779B97F4A7C15ULL;
            hash += (word ^ word >> 32U) * factor;
        }
        return hash ^ hash >> 32U;
    }
    static bool are_alike(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
    struct Hash {
        const std::vector<T>& rows;
        std::size_t operator()(Row row) const { return hash_of(rows[row]); }
    };
    struct Equal {
        const std::vector<T>& rows;
        bool operator()(Row a, Row b) const { return are_alike(rows[a], rows[b]); }
    };

    std::vector<T> m_rows;
    std::vector<Row> m_recent = std::vector<Row>(1U << 12U, no_row);  ///< the latest rows, each at its hash
    std::unordered_set<Row, Hash, Equal> m_known {64, Hash {m_rows}, Equal {m_rows}};
};

}  // namespace lanes
