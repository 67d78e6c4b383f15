// SPDX-License-Identifier: MIT
#include "engine/workload/expression.h"
#include "engine/workload/nearest.h"
#include "engine/workload/reader.h"

#include <algorithm>

namespace lanes::syntax {

void Reader::usual(const YamlNode& node)
{
    expect(node, YamlNode::Kind::list, "a list of figures: [{figure: total, of: …, over: …, at_least: 1.5}]");
    if (node.items.size() > 100) {
        fail(node.place, "found more than 100 figures, expected fewer");
    }
    for (const auto& item : node.items) {
        m_workload.usual.push_back(usual_figure(item));
    }
}

UsualFigure Reader::usual_figure(const YamlNode& map) const
{
    static const std::vector<std::string> keys {"figure", "of", "over", "at_least", "at_most"};
    expect(map, YamlNode::Kind::map, "a map: {figure: total, of: …, over: …, at_least: 1.5}");
    for (std::size_t i = 0; i < map.pair_count(); ++i) {
        if (std::find(keys.begin(), keys.end(), map.key(i).text) == keys.end()) {
            fail(map.key(i).place, unknown_name("key", map.key(i).text, keys) + " (in 'usual')");
        }
        expect(map.value(i), YamlNode::Kind::scalar, "a value for '" + map.key(i).text + "'");
    }
    const auto needed = [&](const char* key) -> const YamlNode& {
        const YamlNode* node = map.find(key);
        if (node == nullptr) {
            fail(map.place, "a figure of 'usual' lacks '" + std::string(key) + "'");
        }
        return *node;
    };
    const auto variant = [&](const YamlNode& node) {
        std::vector<std::string> names;
        for (const auto& each : m_workload.variants) {
            names.push_back(each.name);
        }
        if (std::find(names.begin(), names.end(), node.text) == names.end()) {
            fail(node.place, unknown_name("variant", node.text, names));
        }
        return node.text;
    };
    UsualFigure usual;
    usual.of = variant(needed("of"));
    const YamlNode* over = map.find("over");
    if (over != nullptr) {
        usual.over = variant(*over);
        if (usual.over == usual.of) {
            fail(over->place, "found the same variant twice, expected another one");
        }
    }
    const YamlNode& figure = needed("figure");
    try {
        usual.figure = parse_lesson_figure(figure.text, over != nullptr).figure;
    } catch (const ExpressionError& error) {
        fail(figure.place, error.what());
    }
    const YamlNode* least = map.find("at_least");
    const YamlNode* most = map.find("at_most");
    if (least != nullptr) {
        usual.at_least = limit(*least, over == nullptr);
    }
    if (most != nullptr) {
        usual.at_most = limit(*most, over == nullptr);
    }
    if (least == nullptr && most == nullptr) {
        fail(map.place, "a figure of 'usual' lacks 'at_least' or 'at_most'");
    }
    if (usual.at_least && usual.at_most && *usual.at_least > *usual.at_most) {
        fail(least->place, "'at_least' is more than 'at_most'");
    }
    return usual;
}

double Reader::limit(const YamlNode& node, bool share) const
{
    const Value value = literal(node);
    const bool fits = value.dimension == Dimension::number && value.number >= 0 && (!share || value.number <= 1);
    if (!fits) {
        fail(node.place,
            "found " + described(node) + ", expected " + (share ? "a share from 0 to 1" : "a number of 0 or more"));
    }
    return value.number;
}

}  // namespace lanes::syntax
