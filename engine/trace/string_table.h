// SPDX-License-Identifier: MIT
// Interned strings: each distinct text is stored once; id 0 is "".
#pragma once

#include "engine/trace/units.h"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace lanes {

/// Cost: intern() is one hash lookup, text() an array access. Views of texts are valid as long as the table lives.
class StringTable {
public:
    StringTable() { intern(""); }
    /// The copy has the same texts with the same ids.
    StringTable(const StringTable& other)
    {
        for (const auto& text : other.m_texts) {
            intern(text);
        }
    }
    StringTable& operator=(const StringTable&) = delete;
    StringTable(StringTable&&) = default;
    StringTable& operator=(StringTable&&) = default;

    StringId intern(std::string_view text)
    {
        if (const auto known = m_ids.find(text); known != m_ids.end()) {
            return known->second;
        }
        const auto id = static_cast<StringId>(m_texts.size());
        m_ids.emplace(m_texts.emplace_back(text), id);
        return id;
    }
    /// "" for an id that is not in the table.
    std::string_view text(StringId id) const { return id < m_texts.size() ? std::string_view(m_texts[id]) : ""; }
    std::size_t size() const { return m_texts.size(); }

private:
    std::deque<std::string> m_texts;  // a deque does not move its strings: m_ids has views of them
    std::unordered_map<std::string_view, StringId> m_ids;
};

}  // namespace lanes
