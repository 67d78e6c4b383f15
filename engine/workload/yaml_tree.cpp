// SPDX-License-Identifier: MIT
#include "engine/workload/yaml_tree.h"

#include "engine/trace/utf8.h"
#include "engine/workload/workload.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <utility>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace lanes {

namespace {

constexpr std::size_t most_bytes = std::size_t {1} << 20;
constexpr std::size_t most_nodes = 200'000;
constexpr std::size_t deepest_tree = 48;

Place place_of(const YAML::Mark& mark)
{
    if (mark.is_null()) {
        return {};
    }
    return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

/// Builds the tree with an explicit stack. Bounding the depth here also bounds yaml-cpp's recursion: an exception from
/// a handler ends its parse.
class Builder final : public YAML::EventHandler {
public:
    explicit Builder(const std::string& file)
        : m_file(file)
    {
    }

    YamlNode root;

    void OnDocumentStart(const YAML::Mark&) override { }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(node(mark, "", anchor)); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override
    {
        fail(place_of(mark), "found an alias ('*'), expected the value itself");
    }
    void OnScalar(
        const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override
    {
        YamlNode scalar = node(mark, tag, anchor);
        scalar.kind = YamlNode::Kind::scalar;
        scalar.quoted = tag == "!";
        scalar.text = value;
        add(std::move(scalar));
    }
    void OnSequenceStart(
        const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override
    {
        open(YamlNode::Kind::list, node(mark, tag, anchor));
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(
        const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override
    {
        open(YamlNode::Kind::map, node(mark, tag, anchor));
    }
    void OnMapEnd() override { close(); }

private:
    [[noreturn]] void fail(Place place, const std::string& message) const
    {
        throw WorkloadError(m_file, place.line, place.column, message);
    }

    YamlNode node(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor)
    {
        YamlNode result;
        result.place = place_of(mark);
        if (anchor != 0) {
            fail(result.place, "found an anchor ('&'), expected a value without one");
        }
        if (!tag.empty() && tag != "?" && tag != "!") {
            fail(result.place, "found a tag ('!'), expected a value without one");
        }
        if (++m_nodes > most_nodes) {
            fail(result.place, "the file holds more than 200000 values");
        }
        return result;
    }

    bool expects_key() const
    {
        return !m_open.empty() && m_open.back().kind == YamlNode::Kind::map && m_open.back().items.size() % 2 == 0;
    }

    void add(YamlNode node)
    {
        if (expects_key()) {
            if (node.kind != YamlNode::Kind::scalar) {
                fail(node.place, "found " + described(node) + ", expected a string as key");
            }
            if (!m_keys.back().insert(node.text).second) {
                fail(node.place, "key '" + node.text + "' occurs twice in this map");
            }
        }
        (m_open.empty() ? root : m_open.back().items.emplace_back()) = std::move(node);
    }

    void open(YamlNode::Kind kind, YamlNode node)
    {
        node.kind = kind;
        if (expects_key()) {
            fail(node.place, "found " + described(node) + ", expected a string as key");
        }
        if (m_open.size() >= deepest_tree) {
            fail(node.place, "this is nested more than 48 deep");
        }
        m_open.push_back(std::move(node));
        m_keys.emplace_back();
    }

    void close()
    {
        YamlNode done = std::move(m_open.back());
        m_open.pop_back();
        m_keys.pop_back();
        add(std::move(done));
    }

    std::string m_file;
    std::vector<YamlNode> m_open;
    std::vector<std::set<std::string>> m_keys;  // of the open maps
    std::size_t m_nodes = 0;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view wanted) const
{
    for (std::size_t pair = 0; kind == Kind::map && pair < pair_count(); ++pair) {
        if (key(pair).text == wanted) {
            return &value(pair);
        }
    }
    return nullptr;
}

std::string described(const YamlNode& node)
{
    switch (node.kind) {
    case YamlNode::Kind::null:
        return "nothing";
    case YamlNode::Kind::scalar:
        return "'" + std::string(utf8_head(node.text, 40)) + "'";
    case YamlNode::Kind::list:
        return "a list";
    case YamlNode::Kind::map:
        return "a map";
    }
    return "";
}

// yaml-cpp silently replaces characters that it cannot read.
void check_utf8(std::string_view text, const std::string& file)
{
    std::size_t at = 0;
    for (std::size_t length = 0; at < text.size(); at += length) {
        length = utf8_length(text.substr(at));
        if (length == 0) {
            break;
        }
    }
    if (at == text.size()) {
        return;
    }
    const auto before = text.substr(0, at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto begin = before.rfind('\n') + 1;  // of the line; npos + 1 is 0
    static constexpr char digits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(text[at]);
    throw WorkloadError(file, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(at - begin + 1),
        std::string("found the byte 0x") + digits[byte >> 4U] + digits[byte & 15U] + ", expected text in UTF-8");
}

namespace {

/// What the parser found, and what it expected there: it says "end of map not found" of a line that is indented
/// wrongly.
WorkloadError not_yaml(const YAML::Exception& error, std::string_view text, const std::string& file)
{
    const Place place = place_of(error.mark);
    std::string_view line;
    for (std::uint32_t number = 0; number < place.line && !text.empty(); ++number) {
        line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (text.empty() && number + 1 < place.line) {
            line = {};
        }
    }
    const auto indentation = std::min(line.find_first_not_of(" \t"), line.size());
    if (const auto tab = line.substr(0, indentation).find('\t'); tab != std::string_view::npos) {
        return {file, place.line, static_cast<std::uint32_t>(tab + 1), "found a tab, expected spaces before a line"};
    }
    const auto at = std::min<std::size_t>(place.column > 0 ? place.column - 1 : 0, line.size());
    const auto rest = line.substr(at);
    const auto found = rest.empty() ? std::string("the end of the line") : "'" + std::string(utf8_head(rest, 20)) + "'";
    const std::array<std::pair<std::string_view, std::string_view>, 7> wanted {{
        {YAML::ErrorMsg::END_OF_MAP_FLOW, "',' or '}'"},
        {YAML::ErrorMsg::END_OF_SEQ_FLOW, "',' or ']'"},
        {YAML::ErrorMsg::MAP_VALUE, "one key and its value; a text with ': ' in it needs quotes"},
        {YAML::ErrorMsg::MAP_KEY, "a key where its map begins"},
        {YAML::ErrorMsg::EOF_IN_SCALAR, "the closing quote of a text"},
        {YAML::ErrorMsg::BLOCK_ENTRY, "an entry of a list, '- ', on a line of its own"},
        {YAML::ErrorMsg::UNKNOWN_TOKEN, "a value; a text that begins so needs quotes"},
    }};
    for (const auto& [said, expected] : wanted) {
        if (error.msg == said) {
            return {file, place.line, place.column, "found " + found + ", expected " + std::string(expected)};
        }
    }
    if (error.msg == YAML::ErrorMsg::END_OF_MAP || error.msg == YAML::ErrorMsg::END_OF_SEQ) {
        return {file, place.line, place.column,
            "found " + found + " after " + std::to_string(indentation) + (indentation == 1 ? " space" : " spaces")
                + ", expected the indentation of the lines that it belongs to"};
    }
    return {file, place.line, place.column, "not YAML: " + error.msg};
}

}  // namespace

YamlNode parse_yaml(const std::string& text, const std::string& file)
{
    if (text.size() > most_bytes) {
        throw WorkloadError(file, 0, 0, "the file is larger than 1 MiB");
    }
    check_utf8(text, file);
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        Builder builder(file);
        if (!parser.HandleNextDocument(builder)) {
            throw WorkloadError(file, 1, 1, "the file is empty");
        }
        Builder second(file);
        if (parser.HandleNextDocument(second)) {
            throw WorkloadError(file, second.root.place.line, second.root.place.column,
                "found a second document, expected one in a file");
        }
        return std::move(builder.root);
    } catch (const YAML::Exception& error) {
        throw not_yaml(error, text, file);
    }
}

}  // namespace lanes
