// SPDX-License-Identifier: MIT
// Removes duplicate details of kernels. Private to engine/trace.
#pragma once

#include "engine/trace/trace.h"

#include <array>
#include <cstring>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace lanes {

/// Gives equal details the same row, in the order of their first use: most programs launch few different kernels. After
/// very many different ones, further ones get a row each.
class SharedDetails {
public:
    explicit SharedDetails(std::vector<KernelDetail>& rows)
        : m_rows(rows)
    {
    }
    Row row_of(const KernelDetail& detail)
    {
        auto& recent = m_recent[hash_of(detail) % m_recent.size()];
        if (recent != no_row && are_alike(m_rows[recent], detail)) {
            return recent;
        }
        const auto row = static_cast<Row>(m_rows.size());
        m_rows.push_back(detail);
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

    static_assert(std::has_unique_object_representations_v<KernelDetail>);
    static std::size_t hash_of(const KernelDetail& detail)
    {
        std::array<std::uint32_t, sizeof detail / sizeof(std::uint32_t)> words;
        std::memcpy(words.data(), &detail, sizeof detail);
        std::uint64_t hash = 0;
        for (const auto word : words) {
            hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
            hash ^= hash >> 29U;
        }
        return hash;
    }
    static bool are_alike(const KernelDetail& a, const KernelDetail& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
    struct Hash {
        const std::vector<KernelDetail>& rows;
        std::size_t operator()(Row row) const { return hash_of(rows[row]); }
    };
    struct Equal {
        const std::vector<KernelDetail>& rows;
        bool operator()(Row a, Row b) const { return are_alike(rows[a], rows[b]); }
    };

    std::vector<KernelDetail>& m_rows;
    std::vector<Row> m_recent = std::vector<Row>(1U << 12U, no_row);  ///< what was met last, each at its hash
    std::unordered_set<Row, Hash, Equal> m_known {1024, Hash {m_rows}, Equal {m_rows}};
};

}  // namespace lanes
