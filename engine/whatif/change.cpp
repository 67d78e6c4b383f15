// SPDX-License-Identifier: MIT
#include "engine/whatif/change.h"

#include "engine/analysis/shown.h"
#include "engine/formatted.h"

#include <algorithm>
#include <array>

namespace lanes::whatif {

namespace {

constexpr std::array<std::string_view, change_kinds> words {"pin", "non-blocking", "event-waits", "drop-syncs",
    "drop-values", "leave-legacy", "own-stream", "pool", "graph", "faster"};

}  // namespace

std::string_view name_of(ChangeKind kind)
{
    return words[static_cast<std::size_t>(kind)];
}

std::optional<ChangeKind> change_of(std::string_view name)
{
    const auto* const found = std::find(words.begin(), words.end(), name);
    return found == words.end() ? std::nullopt : std::optional(static_cast<ChangeKind>(found - words.begin()));
}

bool has_amount(ChangeKind kind)
{
    return kind == ChangeKind::drop_syncs || kind == ChangeKind::drop_values || kind == ChangeKind::graph
        || kind == ChangeKind::faster;
}

std::string words_of(const Change& change)
{
    auto text = std::string(name_of(change.kind));
    if (has_amount(change.kind) && change.amount > 0) {
        text += formatted(" {:g}", change.amount);
    }
    return change.on.empty() ? text : text + ' ' + change.on.text();
}

Message message_of(const Change& change)
{
    const auto id = std::string("whatif.change.") + std::string(name_of(change.kind));
    Message::Arguments arguments;
    const bool some = has_amount(change.kind) && change.amount > 0;
    if (some) {
        arguments.emplace_back("amount", shown_ratio(change.amount));
    }
    Message message {some && change.kind != ChangeKind::faster ? id + "-every" : id, std::move(arguments)};
    return change.on.empty() ? message
                             : Message {"whatif.change.selected", {{"query", change.on.text()}}, {{"change", message}}};
}

std::string_view name_of(Reliability reliability)
{
    constexpr std::array<std::string_view, 4> names {"reliable", "good", "conditional", "unsafe"};
    return names[static_cast<std::size_t>(reliability)];
}

}  // namespace lanes::whatif
