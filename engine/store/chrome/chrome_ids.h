// SPDX-License-Identifier: MIT
// Numbers of 32 bits for ids of a Chrome trace that do not fit: handles and counts of 64 bits, texts; private to
// engine/store.
#pragma once

#include "engine/store/chrome/chrome_event.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanes {

/// An id that fits stays unchanged. Any other gets a number from first_made_up_id on.
class ChromeIds {
public:
    static bool fits(const ChromeId& id) { return id.number && *id.number >= 0 && *id.number < first_made_up_id; }

    /// `otherwise`: there is no id.
    std::uint32_t number_of(const ChromeId& id, std::uint32_t otherwise)
    {
        return !id.number && id.text.empty() ? otherwise : number_of(id);
    }
    std::uint32_t number_of(const ChromeId& id)
    {
        if (fits(id)) {
            return static_cast<std::uint32_t>(*id.number);
        }
        const auto next = first_made_up_id + static_cast<std::uint32_t>(m_texts.size());
        const auto add = [&](auto& known, const auto& key) {
            const auto [at, is_new] = known.try_emplace(key, next);
            if (is_new) {
                m_texts.push_back(id.text.empty() && id.number ? std::to_string(*id.number) : std::string(id.text));
            }
            return at->second;
        };
        return id.number ? add(m_numbers, *id.number) : add(m_of_texts, std::string(id.text));
    }
    /// The id in the file; only for a number that was made up here.
    const std::string& text_of(std::uint32_t number) const { return m_texts.at(number - first_made_up_id); }
    bool empty() const { return m_texts.empty(); }
    std::uint32_t next() const { return first_made_up_id + static_cast<std::uint32_t>(m_texts.size()); }

private:
    std::unordered_map<std::int64_t, std::uint32_t> m_numbers;
    std::unordered_map<std::string, std::uint32_t> m_of_texts;
    std::vector<std::string> m_texts;  ///< of the numbers made up
};

}  // namespace lanes
