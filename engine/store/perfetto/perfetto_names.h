// SPDX-License-Identifier: MIT
// What a sequence of packets has named once, to be referred to by number (InternedData); private to engine/store.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace lanes {

/// Texts that live as long as the reader: each is kept once.
class PerfettoTexts {
public:
    std::string_view keep(std::string_view text)
    {
        const auto known = m_texts.find(text);
        return known != m_texts.end() ? *known : *m_texts.emplace(text).first;
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view> {}(text); }
    };
    std::unordered_set<std::string, Hash, std::equal_to<>> m_texts;
};

/// From one clearing of a sequence's state to the next.
class PerfettoNames {
public:
    /// Fields of InternedData.
    enum Kind : std::uint8_t { category, event, argument, value, stage, kernel, launch_argument };
    static constexpr int kinds = 7;

    /// Takes an InternedData. Throws ProtobufDamage.
    void take(std::string_view data, PerfettoTexts& texts);
    /// "" if there is none of that number.
    std::string_view text(Kind kind, std::uint64_t number) const;

private:
    std::unordered_map<std::uint64_t, std::string_view> m_texts[kinds];
};

}  // namespace lanes
