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

/// A query that ends as query_of() writes it: that stretch of time, and the words before it.
struct Limit {
    std::string words;
    Interval part;
};

std::optional<Limit> limit_of(const Query& on)
{
    using Node = Query::Node;
    const auto& parts = on.root().parts;
    if (on.root().is != Node::Is::all || parts.size() < 2) {
        return std::nullopt;
    }
    const auto& from = parts[parts.size() - 2];
    const auto& until = parts.back();
    if (from.is != Node::Is::start || from.comparison != Node::Comparison::at_least || until.is != Node::Is::start
        || until.comparison != Node::Comparison::less) {
        return std::nullopt;
    }
    const Interval part {from.value, until.value};
    const auto written = query_of(part).text();
    if (!on.text().ends_with(written)) {
        return std::nullopt;
    }
    auto words = on.text().substr(0, on.text().size() - written.size());
    words.erase(words.find_last_not_of(' ') + 1);
    if (words.size() > 2 && words.front() == '(' && words.find_first_of("()", 1) == words.size() - 1) {
        words = words.substr(1, words.size() - 2);  // which kept an "or" together
    }
    return Limit {std::move(words), part};
}

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

Query query_of(Interval part)
{
    return Query::parse("at>=" + std::to_string(part.start) + "ns at<" + std::to_string(part.end) + "ns");
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
    const auto limit = limit_of(change.on);
    if (const auto words = limit ? limit->words : change.on.text(); !words.empty()) {
        message = {"whatif.change.selected", {{"query", words}}, {{"change", message}}};
    }
    if (limit) {
        const auto [from, until] = limit->part;
        const auto step = std::max<Ns>((until - from) / 100, 1);
        message = {"whatif.change.within",
            {{"from", shown_moment(from, until, step)}, {"to", shown_moment(until, until, step)}},
            {{"change", message}}};
    }
    return message;
}

std::string_view name_of(Reliability reliability)
{
    constexpr std::array<std::string_view, 5> names {"reliable", "good", "conditional", "bound", "unsafe"};
    return names[static_cast<std::size_t>(reliability)];
}

}  // namespace lanes::whatif
