// SPDX-License-Identifier: MIT
#include "engine/analysis/words/event_id.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lanes {

namespace {

/// By EventTable.
constexpr std::array<std::string_view, event_tables.size() + 1> table_words {
    "", "operation", "call", "range", "host", "read"};

}  // namespace

std::string row_id(EventRef event)
{
    return std::string(table_words[static_cast<std::size_t>(event.table)]) + ':' + std::to_string(event.row);
}

std::optional<EventRef> event_of(std::string_view id)
{
    const auto parts = split_id(id);
    const auto* const word
        = std::find(table_words.begin() + 1, table_words.end(), parts ? parts->first : std::string_view());
    if (word == table_words.end()) {
        return std::nullopt;
    }
    return EventRef {static_cast<EventTable>(word - table_words.begin()), parts->second};
}

std::string wait_id(Row stretch)
{
    return "wait:" + std::to_string(stretch);
}

std::optional<std::pair<std::string_view, Row>> split_id(std::string_view id)
{
    const auto colon = std::min(id.find(':'), id.size());
    const auto digits = id.substr(std::min(colon + 1, id.size()));
    Row number = 0;
    const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || error != std::errc() || last != digits.data() + digits.size()) {
        return std::nullopt;
    }
    return std::pair(id.substr(0, colon), number);
}

}  // namespace lanes
