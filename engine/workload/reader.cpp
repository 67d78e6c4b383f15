// SPDX-License-Identifier: MIT
#include "engine/workload/reader.h"

#include "engine/ascii.h"
#include "engine/workload/lesson_text.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <cmath>

namespace lanes::syntax {

namespace {

bool is_name(std::string_view text)
{
    return text.size() <= 64 && ascii::is_identifier(text);
}

bool is_language(std::string_view text)
{
    const bool plain = text.size() >= 2 && ascii::is_lower(text[0]) && ascii::is_lower(text[1]);
    return plain
        && (text.size() == 2
            || (text.size() == 5 && text[2] == '_' && ascii::is_upper(text[3]) && ascii::is_upper(text[4])));
}

}  // namespace

Reader::Reader(const std::string& file, Workload& workload, Workload::Body& body)
    : m_file(file)
    , m_workload(workload)
    , m_body(body)
{
}

void Reader::fail(Place place, const std::string& message) const
{
    throw WorkloadError(m_file, place.line, place.column, message);
}

void Reader::expect(const YamlNode& node, YamlNode::Kind kind, const std::string& expected) const
{
    if (node.kind != kind) {
        fail(node.place, "found " + described(node) + ", expected " + expected);
    }
}

std::string Reader::identifier(const YamlNode& node, const std::string& what) const
{
    expect(node, YamlNode::Kind::scalar, what);
    if (!is_name(node.text)) {
        fail(node.place,
            "found " + described(node) + ", expected " + what + ": letters, digits and '_', no digit first");
    }
    if (node.text == "true" || node.text == "false" || node.text == "not" || node.text == "and" || node.text == "or") {
        fail(node.place, "found '" + node.text + "', expected " + what + ": this word is reserved");
    }
    return node.text;
}

Value Reader::literal(const YamlNode& node) const
{
    expect(node, YamlNode::Kind::scalar, "a value");
    try {
        return node.quoted ? Value {Dimension::text, 0, node.text} : parse_literal(node.text);
    } catch (const ExpressionError& error) {
        fail({node.place.line, node.place.column + static_cast<std::uint32_t>(error.offset())}, error.what());
    }
}

double Reader::whole_number(const YamlNode& node, double least, double most) const
{
    const Value value = literal(node);
    if (value.dimension != Dimension::number || value.number != std::floor(value.number) || value.number < least
        || value.number > most) {
        fail(node.place,
            "found " + described(node) + ", expected a whole number from " + to_text({Dimension::number, least, {}})
                + " to " + to_text({Dimension::number, most, {}}));
    }
    return value.number;
}

Translated Reader::translated(const YamlNode& node) const
{
    if (node.kind == YamlNode::Kind::scalar) {
        return {{"en", node.text}};
    }
    expect(node, YamlNode::Kind::map, "a text, or a map of languages: {en: …, zh_CN: …}");
    Translated result;
    for (std::size_t i = 0; i < node.pair_count(); ++i) {
        if (!is_language(node.key(i).text)) {
            fail(node.key(i).place, "found " + described(node.key(i)) + ", expected a language such as en or zh_CN");
        }
        expect(node.value(i), YamlNode::Kind::scalar, "a text");
        result[node.key(i).text] = node.value(i).text;
    }
    return result;
}

/// The place in the file of `rest`, an end of the node's text. Lines of a block are folded into one text, so only the
/// beginning of `rest` can be found there unchanged.
Place Reader::place_in_block(const YamlNode& node, std::string_view rest) const
{
    const std::string& source = m_workload.source;
    std::size_t begin = 0;
    for (std::uint32_t line = 1; line < node.place.line && begin != std::string::npos; ++line) {
        begin = source.find('\n', begin);
        begin = begin == std::string::npos ? begin : begin + 1;
    }
    std::size_t at = std::string::npos;
    for (std::size_t length = std::min<std::size_t>(rest.size(), 40); length > 0 && at == std::string::npos; --length) {
        at = source.find(rest.substr(0, length), begin);
    }
    if (begin == std::string::npos || at == std::string::npos) {
        return node.place;
    }
    const auto line = std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const std::size_t start = line == 0 ? 0 : source.rfind('\n', at) + 1;
    return {static_cast<std::uint32_t>(line + 1), static_cast<std::uint32_t>(at - start + 1)};
}

Translated Reader::lesson_text(const YamlNode& node, bool of_variant) const
{
    Translated result = translated(node);
    for (const auto& [language, text] : result) {
        try {
            parse_lesson_text(text, of_variant);
        } catch (const ExpressionError& error) {
            const YamlNode* written = node.kind == YamlNode::Kind::map ? node.find(language) : &node;
            fail(place_in_block(*written, std::string_view(text).substr(error.offset())), error.what());
        }
    }
    return result;
}

Argument Reader::argument(const Key& key, const YamlNode& node) const
{
    const std::string name(key.name);
    Argument result;
    result.key = &key;
    const auto text_of = [&](const YamlNode& scalar) {
        expect(scalar, YamlNode::Kind::scalar, "a value for '" + name + "'");
        result.one_line = result.one_line && scalar.text.find('\n') == std::string::npos;
        result.source += (result.source.empty() ? "" : ", ") + scalar.text;
        return Place {scalar.place.line, scalar.place.column + (scalar.quoted ? 1U : 0U)};
    };
    Place begin = node.place;
    try {
        switch (key.takes) {
        case Takes::number:
        case Takes::bytes:
        case Takes::time:
        case Takes::boolean:
        case Takes::condition:
        case Takes::changing_condition:
        case Takes::value:
            begin = text_of(node);
            result.first = std::make_unique<Expression>(parse_expression(node.text, 0,
                key.takes == Takes::time        ? std::optional(Dimension::time)
                    : key.takes == Takes::bytes ? std::optional(Dimension::bytes)
                                                : std::nullopt));
            break;
        case Takes::span: {
            begin = text_of(node);
            const std::size_t dots = node.text.find("..");
            if (dots == std::string::npos) {
                fail(begin, "found " + described(node) + ", expected a range such as 0 MiB .. 16 MiB");
            }
            const std::string_view text = node.text;
            result.first = std::make_unique<Expression>(parse_expression(text.substr(0, dots), 0, Dimension::bytes));
            result.second
                = std::make_unique<Expression>(parse_expression(text.substr(dots + 2), dots + 2, Dimension::bytes));
            break;
        }
        case Takes::buffers:
        case Takes::streams:
            if (node.kind == YamlNode::Kind::list) {
                for (const auto& item : node.items) {
                    begin = text_of(item);
                    result.texts.push_back(parse_template(item.text));
                    result.text_places.push_back(begin);
                }
                if (node.items.empty()) {
                    fail(node.place, "found an empty list for '" + name + "'");
                }
                begin = node.place;
                break;
            }
            [[fallthrough]];
        default:
            begin = text_of(node);
            result.texts.push_back(parse_template(node.text));
            result.text_places.push_back(begin);
        }
    } catch (const ExpressionError& error) {
        fail(result.at(begin, error.offset()), error.what());
    }
    result.place = begin;
    if (key.takes == Takes::identifier) {
        identifier(node, "a name");
    }
    return result;
}

Place Argument::at(Place begin, std::size_t offset) const
{
    return {begin.line, begin.column + (one_line ? static_cast<std::uint32_t>(offset) : 0U)};
}

const Argument* Arguments::find(std::string_view key) const
{
    for (const auto& argument : all) {
        if (argument.key->name == key) {
            return &argument;
        }
    }
    return nullptr;
}

const Steps* Step::block(std::string_view key) const
{
    for (const auto& [name, steps] : blocks) {
        if (name == key) {
            return &steps;
        }
    }
    return nullptr;
}

const Declaration* find(const Declarations& declarations, std::string_view name)
{
    for (const auto& declaration : declarations) {
        if (declaration.name == name) {
            return &declaration;
        }
    }
    return nullptr;
}

std::vector<std::string> names_of(const Declarations& declarations)
{
    std::vector<std::string> names;
    for (const auto& declaration : declarations) {
        names.push_back(declaration.name);
    }
    return names;
}

}  // namespace lanes::syntax
