// SPDX-License-Identifier: MIT
#include "engine/workload/expression.h"
#include "engine/workload/reader.h"

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
    static const std::string what = "a figure of 'usual'";
    expect(map, YamlNode::Kind::map, "a map: {figure: total, of: …, over: …, at_least: 1.5}");
    expect_keys(map, {"figure", "of", "over", "at_least", "at_most"}, "'usual'");
    for (std::size_t i = 0; i < map.pair_count(); ++i) {
        expect(map.value(i), YamlNode::Kind::scalar, "a value for '" + map.key(i).text + "'");
    }
    UsualFigure usual;
    usual.of = variant_name(needed(map, "of", what));
    const YamlNode* over = map.find("over");
    if (over != nullptr) {
        usual.over = variant_name(*over);
        if (usual.over == usual.of) {
            fail(over->place, "found the same variant twice, expected another one");
        }
    }
    const YamlNode& figure = needed(map, "figure", what);
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
        fail(map.place, what + " lacks 'at_least' or 'at_most'");
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
