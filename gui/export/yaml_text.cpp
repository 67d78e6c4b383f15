// SPDX-License-Identifier: MIT
#include "gui/export/yaml_text.h"

#include "engine/formatted.h"
#include "engine/trace/utf8.h"
#include "engine/workload/expression.h"
#include "engine/workload/nearest.h"
#include "engine/workload/quantity.h"
#include "engine/workload/workload.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lanes::gui {

namespace {

constexpr double most_time = 1e18;  // ns

}  // namespace

std::string yamlQuoted(std::string_view text)
{
    std::string out = "\"";
    // yaml-cpp reads "\N" (U+0085) as a lone byte, which it refuses to read again.
    for (const char c : valid_utf8(text)) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c == '\n'                          ? std::string("\\n")
            : static_cast<unsigned char>(c) < ' ' ? formatted("\\x{:02x}", static_cast<unsigned>(c))
                                                  : std::string(1, c);
    }
    return out + '"';
}

std::string yamlTime(Ns time)
{
    return formatted("{}{}.{:03} us", time < 0 ? "-" : "", std::abs(time / 1000), std::abs(time % 1000));
}

void YamlReader::fail(Place place, const std::string& message) const
{
    throw WorkloadError(m_file, place.line, place.column, message);
}

void YamlReader::expect(const YamlNode& node, YamlNode::Kind kind, const std::string& expected) const
{
    if (node.kind != kind) {
        fail(node.place, "found " + described(node) + ", expected " + expected);
    }
}

void YamlReader::expectKeys(const YamlNode& map, const std::vector<std::string>& keys, const std::string& where) const
{
    for (std::size_t i = 0; i < map.pair_count(); ++i) {
        const YamlNode& key = map.key(i);
        if (std::find(keys.begin(), keys.end(), key.text) == keys.end()) {
            fail(key.place, unknown_name("key", key.text, keys) + where);
        }
    }
}

const YamlNode& YamlReader::needed(const YamlNode& map, const std::string& key) const
{
    const YamlNode* node = map.find(key);
    if (node == nullptr) {
        fail(map.place, "'" + key + "' is missing");
    }
    return *node;
}

Ns YamlReader::time(const YamlNode& node, bool maybeNegative) const
{
    const bool minus = maybeNegative && node.text.starts_with('-');
    try {
        const Value found = parse_literal(node.text.substr(minus ? 1 : 0));
        if (found.dimension == Dimension::time && found.number >= 0 && found.number < most_time) {
            return (minus ? -1 : 1) * static_cast<Ns>(std::llround(found.number));
        }
    } catch (const ExpressionError&) {  // said below
    }
    fail(node.place, "found " + described(node) + ", expected a time such as 2.5 ms");
}

}  // namespace lanes::gui
