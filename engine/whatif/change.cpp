// SPDX-License-Identifier: MIT
#include "engine/whatif/change.h"

#include "engine/analysis/words/shown.h"
#include "engine/formatted.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lanes::whatif {

namespace {

constexpr std::array<std::string_view, 18> kind_words {"pin", "non-blocking", "event-waits", "drop-syncs",
    "drop-values", "leave-legacy", "own-stream", "pool", "graph", "faster", "more-streams", "overlap-all-reduce",
    "faster-link", "prefetch", "split", "buckets", "gather", "workers"};
static_assert(kind_words.size() == change_kinds);

}  // namespace

std::string_view name_of(ChangeKind kind)
{
    return kind_words[static_cast<std::size_t>(kind)];
}

std::optional<ChangeKind> change_of(std::string_view name)
{
    const auto* const found = std::find(kind_words.begin(), kind_words.end(), name);
    return found == kind_words.end() ? std::nullopt
                                     : std::optional(static_cast<ChangeKind>(found - kind_words.begin()));
}

bool has_amount(ChangeKind kind)
{
    return kind == ChangeKind::drop_syncs || kind == ChangeKind::drop_values || kind == ChangeKind::graph
        || kind == ChangeKind::more_streams || kind == ChangeKind::prefetch || kind == ChangeKind::split
        || kind == ChangeKind::buckets || kind == ChangeKind::workers || needs_amount(kind);
}

std::string words_of(const Change& change)
{
    auto text = std::string(name_of(change.kind));
    if (has_amount(change.kind) && change.amount > 0) {
        text += formatted(" {:g}", change.amount);
    }
    return change.on.empty() ? text : text + ' ' + change.on.text();
}

std::optional<Change> change_in(std::string_view words)
{
    const auto name_end = std::min(words.find(' '), words.size());
    const auto kind = change_of(words.substr(0, name_end));
    if (!kind) {
        return std::nullopt;
    }
    Change change {*kind};
    words.remove_prefix(std::min(name_end + 1, words.size()));
    if (has_amount(*kind)) {
        const char* const end = words.data() + words.size();
        const auto [last, error] = std::from_chars(words.data(), end, change.amount);
        if (error == std::errc() && (last == end || *last == ' ')) {
            words.remove_prefix(std::min(static_cast<std::size_t>(last - words.data()) + 1, words.size()));
        } else {
            change.amount = 0;
        }
    }
    try {
        change.on = Query::parse(words);
    } catch (const QueryError&) {
        return std::nullopt;
    }
    return change;
}

Message message_of(const Change& change)
{
    const auto id = std::string("whatif.change.") + std::string(name_of(change.kind));
    Message::Arguments arguments;
    const bool some = has_amount(change.kind) && change.amount > 0;
    if (some) {
        arguments.emplace_back("amount", shown_ratio(change.amount));
    }
    Message message {some && !needs_amount(change.kind) ? id + "-every" : id, std::move(arguments)};
    return change.on.empty() ? message
                             : Message {"whatif.change.selected", {{"query", change.on.text()}}, {{"change", message}}};
}

std::string_view name_of(Reliability reliability)
{
    constexpr std::array<std::string_view, 5> names {"reliable", "good", "conditional", "bound", "unsafe"};
    return names[static_cast<std::size_t>(reliability)];
}

}  // namespace lanes::whatif
