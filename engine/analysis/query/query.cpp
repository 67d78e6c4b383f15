// SPDX-License-Identifier: MIT
#include "engine/analysis/query/query.h"

#include "engine/ascii.h"
#include "engine/trace/utf8.h"
#include "engine/workload/expression.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lanes {

namespace {

using Node = Query::Node;
using Is = Node::Is;

constexpr std::size_t most_bytes = 1000, most_depth = 32;

struct Key {
    std::string_view name;
    Is is;
};
constexpr std::array<Key, 10> key_table {{
    {"name", Is::name},
    {"kind", Is::kind},
    {"family", Is::family},
    {"lane", Is::lane},
    {"stream", Is::stream},
    {"thread", Is::thread},
    {"dur", Is::duration},
    {"bytes", Is::bytes},
    {"at", Is::start},
    {"blocked", Is::blocked},
}};

constexpr bool is_quantity(Is is)
{
    return is == Is::duration || is == Is::bytes || is == Is::start || is == Is::blocked;
}

constexpr bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

constexpr bool ends_word(char c)
{
    return is_space(c) || c == '(' || c == ')' || c == '"';
}

const Key* find_key(std::string_view name)
{
    const std::string word = ascii::in_lower_case(name);
    const auto* found
        = std::find_if(key_table.begin(), key_table.end(), [&](const Key& key) { return key.name == word; });
    return found == key_table.end() ? nullptr : found;
}

class Parser {
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {
    }

    Node parse()
    {
        if (m_text.size() > most_bytes) {
            fail(most_bytes, m_text.size() - most_bytes, "query.too_long", {{"most", std::to_string(most_bytes)}});
        }
        skip_space();
        if (m_at == m_text.size()) {
            return {};
        }
        Node node = alternatives_of(0);
        if (m_at < m_text.size()) {
            fail(m_at, 1, "query.stray_bracket", {});
        }
        return node;
    }

private:
    using Arguments = std::vector<std::pair<std::string, std::string>>;

    [[noreturn]] void fail(std::size_t at, std::size_t length, const char* id, Arguments arguments) const
    {
        throw QueryError(m_text, at, length, {id, std::move(arguments)});
    }

    void skip_space()
    {
        while (m_at < m_text.size() && is_space(m_text[m_at])) {
            ++m_at;
        }
    }

    bool ended() const { return m_at >= m_text.size() || m_text[m_at] == ')'; }

    /// The word at the cursor, in lower case, if it is a keyword; the cursor stays.
    std::string_view keyword() const
    {
        const std::string word = ascii::in_lower_case(m_text.substr(m_at, word_end(m_at) - m_at));
        for (const std::string_view known : {"or", "and", "not"}) {
            if (word == known) {
                return known;
            }
        }
        return {};
    }

    std::size_t word_end(std::size_t at) const
    {
        while (at < m_text.size() && !ends_word(m_text[at])) {
            ++at;
        }
        return at;
    }

    Node alternatives_of(std::size_t depth)
    {
        Node any {.is = Is::any, .word = {}, .parts = {}};
        any.parts.push_back(conjunction(depth));
        while (!ended() && keyword() == "or") {
            m_before = m_text.substr(m_at, 2);
            m_at += 2;
            skip_space();
            any.parts.push_back(conjunction(depth));
        }
        return any.parts.size() == 1 ? std::move(any.parts.front()) : any;
    }

    Node conjunction(std::size_t depth)
    {
        Node all;
        while (!ended() && keyword() != "or") {
            if (keyword() == "and") {
                if (all.parts.empty()) {
                    missing();
                }
                m_before = m_text.substr(m_at, 3);
                m_at += 3;
                skip_space();
                if (ended() || keyword() == "or" || keyword() == "and") {
                    missing();
                }
                continue;
            }
            all.parts.push_back(term(depth));
            skip_space();
        }
        if (all.parts.empty()) {
            missing();
        }
        return all.parts.size() == 1 ? std::move(all.parts.front()) : all;
    }

    [[noreturn]] void missing() const
    {
        if (m_at < m_text.size()) {
            const std::size_t end = m_text[m_at] == ')' ? m_at + 1 : word_end(m_at);
            fail(m_at, end - m_at, "query.nothing_before", {{"found", std::string(m_text.substr(m_at, end - m_at))}});
        }
        fail(m_at, 0, "query.nothing_behind", {{"before", std::string(m_before)}});
    }

    Node term(std::size_t depth)
    {
        if (depth >= most_depth) {
            fail(m_at, 1, "query.too_deep", {{"most", std::to_string(most_depth)}});
        }
        const char first = m_text[m_at];
        const bool word_not = keyword() == "not";
        if (first == '-' || word_not) {
            m_before = m_text.substr(m_at, word_not ? 3 : 1);
            m_at += m_before.size();
            skip_space();
            if (ended() || keyword() == "or" || keyword() == "and") {
                missing();
            }
            Node none {.is = Is::none, .word = {}, .parts = {}};
            none.parts.push_back(term(depth + 1));
            return none;
        }
        if (first == '(') {
            const std::size_t open = m_at++;
            m_before = "(";
            skip_space();
            Node node = alternatives_of(depth + 1);
            if (m_at >= m_text.size()) {
                fail(open, 1, "query.unclosed_bracket", {});
            }
            ++m_at;
            return node;
        }
        if (first == '"') {
            return {.is = Is::text, .word = quoted(), .parts = {}};
        }
        if (auto node = keyed()) {
            return std::move(*node);
        }
        const std::size_t from = m_at;
        m_at = word_end(m_at);
        return {.is = Is::text, .word = ascii::in_lower_case(m_text.substr(from, m_at - from)), .parts = {}};
    }

    std::string quoted()
    {
        const std::size_t open = m_at++;
        std::string word;
        while (m_at < m_text.size() && m_text[m_at] != '"') {
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size()
                && (m_text[m_at + 1] == '"' || m_text[m_at + 1] == '\\')) {
                ++m_at;
            }
            word += m_text[m_at++];
        }
        if (m_at == m_text.size()) {
            fail(open, 1, "query.unclosed_quote", {});
        }
        ++m_at;
        return ascii::in_lower_case(word);
    }

    /// `key:value` or `key<value`; nothing if the next is a plain word.
    std::optional<Node> keyed()
    {
        const std::size_t from = m_at;
        std::size_t end = from;
        while (end < m_text.size() && ascii::begins_identifier(m_text[end])) {
            ++end;
        }
        if (end == from) {
            return {};
        }
        const std::string_view name = m_text.substr(from, end - from);
        const Key* key = find_key(name);
        std::size_t sign = end;
        if (key != nullptr && is_quantity(key->is)) {  // "dur > 1 ms"
            while (sign < m_text.size() && is_space(m_text[sign])) {
                ++sign;
            }
        }
        if (m_text.substr(sign).starts_with("::")) {
            return {};
        }
        if (end < m_text.size() && m_text[end] == ':') {
            return colon(key, name, from, end);
        }
        const auto comparison = comparison_at(sign);
        if (!comparison) {
            return {};
        }
        std::size_t value = sign + comparison->second;
        while (value < m_text.size() && is_space(m_text[value])) {
            ++value;
        }
        if (key == nullptr) {
            if (value < m_text.size() && ascii::is_digit(m_text[value])) {
                unknown_key(name, from);
            }
            return {};
        }
        if (!is_quantity(key->is)) {
            fail(sign, comparison->second, "query.wants_colon",
                {{"key", std::string(key->name)}, {"found", std::string(m_text.substr(sign, comparison->second))}});
        }
        m_before = m_text.substr(from, sign + comparison->second - from);
        m_at = value;
        Node node {.is = key->is, .word = {}, .comparison = comparison->first, .parts = {}};
        node.value = quantity(key->is);
        return node;
    }

    Node colon(const Key* key, std::string_view name, std::size_t from, std::size_t at)
    {
        if (key == nullptr) {
            unknown_key(name, from);
        }
        if (is_quantity(key->is)) {
            fail(at, 1, "query.wants_comparison", {{"key", std::string(key->name)}});
        }
        m_at = at + 1;
        if (m_at == m_text.size() || is_space(m_text[m_at]) || m_text[m_at] == ')' || m_text[m_at] == '(') {
            fail(m_at, 0, "query.wants_value", {{"key", std::string(key->name)}});
        }
        Node node {.is = key->is, .word = {}, .parts = {}};
        const std::size_t value = m_at;
        if (m_text[m_at] == '"') {
            node.word = quoted();
        } else {
            m_at = word_end(m_at);
            node.word = ascii::in_lower_case(m_text.substr(value, m_at - value));
        }
        if (key->is == Is::kind) {
            const auto& kinds = Query::kinds();
            const auto kind = std::find(kinds.begin(), kinds.end(), node.word);
            if (kind == kinds.end()) {
                unknown("query.unknown_kind", m_text.substr(value, m_at - value), value, kinds);
            }
            node.kind = static_cast<QueryKind>(kind - kinds.begin());
        }
        if (key->is == Is::family) {
            const auto family = family_named(node.word);
            if (!family) {
                unknown("query.unknown_family", m_text.substr(value, m_at - value), value, Query::families());
            }
            node.family = *family;
        }
        return node;
    }

    std::optional<std::pair<Node::Comparison, std::size_t>> comparison_at(std::size_t at) const
    {
        using enum Node::Comparison;
        const std::string_view rest = m_text.substr(std::min(at, m_text.size()));
        for (const auto& [sign, comparison] :
            std::initializer_list<std::pair<std::string_view, Node::Comparison>> {{"<=", at_most}, {">=", at_least},
                {"!=", unequal}, {"==", equal}, {"<", less}, {">", more}, {"=", equal}}) {
            if (rest.starts_with(sign)) {
                return std::pair(comparison, sign.size());
            }
        }
        return {};
    }

    [[noreturn]] void unknown_key(std::string_view name, std::size_t at) const
    {
        unknown("query.unknown_key", name, at, Query::keys());
    }

    /// Fails with `id`, or with id_near if a known name is similar.
    [[noreturn]] void unknown(
        const std::string& id, std::string_view found, std::size_t at, const std::vector<std::string>& known) const
    {
        const std::string nearest = nearest_name(found, known);
        std::string expected;
        for (const std::string& name : known) {
            expected += (expected.empty() ? "" : ", ") + name;
        }
        Arguments arguments {{"found", std::string(found)}, {"expected", expected}};
        if (!nearest.empty()) {
            arguments.emplace_back("nearest", nearest);
        }
        fail(at, found.size(), (nearest.empty() ? id : id + "_near").c_str(), std::move(arguments));
    }

    /// The number at the cursor with its unit, directly or after a space: ns or bytes.
    std::int64_t quantity(Is key)
    {
        const Dimension wanted = key == Is::bytes ? Dimension::bytes : Dimension::time;
        const char* const wrong = wanted == Dimension::bytes ? "query.wants_size" : "query.wants_time";
        const std::size_t from = m_at;
        m_at = word_end(m_at);
        const std::string_view first = m_text.substr(from, m_at - from);
        if (first.empty() || (!ascii::is_digit(first.front()) && first.front() != '.')) {
            fail(from, first.size(), first.empty() ? "query.wants_quantity" : wrong,
                first.empty() ? Arguments {{"before", std::string(m_before)}}
                              : Arguments {{"found", std::string(first)}});
        }
        if (ascii::is_digit(first.back()) || first.back() == '.') {  // "1 ms": the next word is the unit, if it is one
            std::size_t unit = m_at;
            while (unit < m_text.size() && is_space(m_text[unit])) {
                ++unit;
            }
            if (const std::size_t end = word_end(unit); unit_value(m_text.substr(unit, end - unit))) {
                m_at = end;
            }
        }
        const std::string_view text = m_text.substr(from, m_at - from);
        Value value;
        try {
            value = parse_literal(text);
        } catch (const ExpressionError&) {
            const std::size_t unit = text.find_first_not_of("0123456789. ");
            if (unit == std::string_view::npos) {
                fail(from, text.size(), wrong, {{"found", std::string(text)}});
            }
            std::vector<std::string> units;
            for (const std::string& name : unit_names()) {
                if (unit_value(name)->dimension == wanted && (static_cast<unsigned char>(name.front()) < 0x80)) {
                    units.push_back(name);
                }
            }
            unknown("query.unknown_unit", text.substr(unit), from + unit, units);
        }
        const bool right = value.dimension == wanted || value.dimension == Dimension::number;
        if (!right || !(value.number >= 0 && value.number < 9e18)) {
            fail(from, text.size(), wrong, {{"found", std::string(text)}});
        }
        return static_cast<std::int64_t>(std::llround(value.number));
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string_view m_before;  // the text before a missing term
};

std::size_t column_of(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    return 1 + static_cast<std::size_t>(std::count_if(before.begin(), before.end(), [](char c) {
        return !continues_utf8(c);
    }));
}

}  // namespace

QueryError::QueryError(std::string_view query, std::size_t offset, std::size_t length, Message message)
    : std::runtime_error("column " + std::to_string(column_of(query, offset)) + ": " + std::string(message))
    , m_message(std::move(message))
    , m_column(column_of(query, offset))
    , m_offset(offset)
    , m_length(length)
{
}

Query Query::parse(std::string_view text)
{
    Query query;
    query.m_root = Parser(text).parse();
    query.m_text = text;
    return query;
}

const std::vector<std::string>& Query::keys()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        all.reserve(key_table.size());
        for (const Key& key : key_table) {
            all.emplace_back(key.name);
        }
        return all;
    }();
    return names;
}

const std::vector<std::string>& Query::kinds()
{
    static const std::vector<std::string> names {"kernel", "h2d", "d2h", "d2d", "p2p", "h2h", "memset", "copy",
        "operation", "call", "sync", "blocked", "range", "mark", "host", "read", "communication"};
    return names;
}

const std::vector<std::string>& Query::families()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < family_count; ++i) {
            all.emplace_back(word_of(static_cast<Family>(i)));
        }
        return all;
    }();
    return names;
}

std::string query_of_name(std::string_view name)
{
    constexpr std::size_t most_of_name = 400;  // bytes, twice as many where each is escaped: a query has 1000
    std::string query = "name:\"";
    for (const char c : utf8_head(name, most_of_name)) {
        query += c == '"' || c == '\\' ? "\\" : "";
        query += c;
    }
    return query + '"';
}

}  // namespace lanes
