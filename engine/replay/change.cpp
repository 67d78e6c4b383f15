// SPDX-License-Identifier: MIT
#include "engine/replay/change.h"

#include "engine/analysis/words/shown.h"
#include "engine/formatted.h"
#include "engine/replay/changes/changes.h"
#include "engine/shell_quoted.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace lanes::replay {

namespace {

/// A query that ends as query_of() writes it: its stretch of time, and the words before it.
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
        words = words.substr(1, words.size() - 2);  // without the parentheses, which kept an "or" together
    }
    return Limit {std::move(words), part};
}

bool is_of_time(const Query::Node& node)
{
    return node.is == Query::Node::Is::start
        || (!node.parts.empty() && std::all_of(node.parts.begin(), node.parts.end(), is_of_time));
}

/// The change's limits, as words_of() has them: "uploads finding:sync-in-loop at>1ms"; "": none.
std::string limit_words(const Change& change)
{
    std::string words(name_of(change.direction));
    const auto add = [&words](const std::string& more) { words += more.empty() || words.empty() ? more : ' ' + more; };
    add(change.finding.empty() ? "" : "finding:" + change.finding);
    add(change.on.text());
    return words;
}

}  // namespace

std::optional<Ns> FoundRows::time_of(Row operation) const
{
    const auto found
        = std::lower_bound(takes.begin(), takes.end(), std::pair(operation, std::numeric_limits<Ns>::min()));
    return found != takes.end() && found->first == operation ? std::optional(found->second) : std::nullopt;
}

std::string_view name_of(ChangeKind kind)
{
    return row_of(kind).word;
}

std::optional<ChangeKind> change_of(std::string_view name)
{
    const auto rows = change_rows();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const ChangeRow& row) { return row.word == name; });
    return found == rows.end() ? std::nullopt : std::optional(found->kind);
}

bool has_amount(ChangeKind kind)
{
    return row_of(kind).amount != ChangeRow::no_amount;
}

bool needs_amount(ChangeKind kind)
{
    return row_of(kind).amount == ChangeRow::factor || row_of(kind).amount == ChangeRow::number;
}

bool is_number(ChangeKind kind)
{
    return row_of(kind).amount == ChangeRow::number;
}

bool has_direction(ChangeKind kind)
{
    return kind == ChangeKind::pin || kind == ChangeKind::non_blocking;
}

Direction take_direction(std::string& text)
{
    for (const auto direction : {Direction::uploads, Direction::downloads}) {
        const auto word = name_of(direction);
        if (text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ')) {
            text.erase(0, std::min(word.size() + 1, text.size()));
            return direction;
        }
    }
    return Direction::both;
}

std::string_view name_of(Direction direction)
{
    constexpr std::array<std::string_view, 3> names {"", "uploads", "downloads"};
    return names[static_cast<std::size_t>(direction)];
}

bool can_be_limited(ChangeKind kind)
{
    return row_of(kind).limit != ChangeRow::never;
}

bool needs_limit(ChangeKind kind)
{
    return row_of(kind).limit == ChangeRow::needed || row_of(kind).limit == ChangeRow::of_finding;
}

Query query_of(Interval part)
{
    return Query::parse("at>=" + std::to_string(part.start) + "ns at<" + std::to_string(part.end) + "ns");
}

std::optional<Interval> limited_part(const Query& on)
{
    const auto limit = limit_of(on);
    return limit ? std::optional(limit->part) : std::nullopt;
}

bool limits_time_alone(const Query& on)
{
    return is_of_time(on.root());
}

std::vector<Change> without_part(std::vector<Change> changes, Interval part)
{
    for (auto& change : changes) {
        if (const auto limit = limit_of(change.on); limit && limit->part == part) {
            change.on = Query::parse(limit->words);
        }
    }
    return changes;
}

std::string words_of(const Change& change)
{
    auto text = std::string(name_of(change.kind));
    if (has_amount(change.kind) && change.amount > 0) {
        text += formatted(" {:g}", change.amount);
    }
    const auto limit = limit_words(change);
    return limit.empty() ? text : text + ' ' + limit;
}

std::string options_of(const std::vector<Change>& changes)
{
    std::string text;
    for (const auto& change : changes) {
        auto value = limit_words(change);
        if (has_amount(change.kind) && change.amount > 0) {
            value = formatted("{:g}", change.amount) + (value.empty() ? "" : " ") + value;
        }
        text += (text.empty() ? "--" : " --") + std::string(name_of(change.kind));
        text += value.empty() ? "" : ' ' + shell_quoted(value);
    }
    return text;
}

std::string take_finding(std::string& text)
{
    constexpr std::string_view key = "finding:";
    if (!text.starts_with(key)) {
        return {};
    }
    const auto end = std::min(text.find(' '), text.size());
    auto finding = text.substr(key.size(), end - key.size());
    text.erase(0, std::min(end + 1, text.size()));
    return finding;
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
    std::string limit(words);
    change.direction = has_direction(*kind) ? take_direction(limit) : Direction::both;
    change.finding = take_finding(limit);
    try {
        change.on = Query::parse(limit);
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
    const auto direction = std::string(name_of(change.direction));
    Message message {some && !needs_amount(change.kind) ? id + "-every"
            : direction.empty()                         ? id
                                                        : id + '-' + direction,
        std::move(arguments)};
    const auto limit = limit_of(change.on);
    if (const auto words = limit ? limit->words : change.on.text(); !words.empty()) {
        message = {"whatif.change.selected", {{"query", words}}, {{"change", message}}};
    }
    if (limit) {
        constexpr Ns told_apart = 100;
        const auto [from, to] = shown_ends(limit->part, told_apart);
        message = {"whatif.change.within", {{"from", from}, {"to", to}}, {{"change", message}}};
    }
    if (change.finding.empty()) {
        return message;
    }
    // Without its number, and blocked-CAUSE without its cause.
    auto rule = change.finding.substr(0, change.finding.find('.'));
    rule = rule.starts_with("blocked-") ? "blocked" : rule;
    return {"whatif.change.found", {}, {{"change", message}, {"found", {"whatif.found." + rule, {}}}}};
}

std::string_view name_of(Reliability reliability)
{
    constexpr std::array<std::string_view, 5> names {"reliable", "good", "conditional", "bound", "unsafe"};
    return names[static_cast<std::size_t>(reliability)];
}

}  // namespace lanes::replay
