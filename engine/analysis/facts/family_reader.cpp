// SPDX-License-Identifier: MIT
// Reads files of rules: resources/families.yaml says how they are written.
#include "engine/analysis/facts/families.h"
#include "engine/workload/nearest.h"
#include "engine/workload/workload.h"
#include "engine/workload/yaml_tree.h"

#include <charconv>
#include <initializer_list>

namespace lanes {

class FamilyReader {
public:
    FamilyReader(const std::string& text, const std::string& file)
        : m_file(file)
        , m_root(parse_yaml(text, file))
    {
    }

    FamilyRules read()
    {
        expect_map(m_root, {"version", "families", "default", "rules"});
        if (const auto* version = m_root.find("version"); version != nullptr && text_of(*version) != "1") {
            fail(*version, "found version " + described(*version) + ", expected 1, the only one that is known");
        }
        if (const auto* families = m_root.find("families")) {
            read_colours(*families);
        }
        if (const auto* otherwise = m_root.find("default")) {
            m_rules.m_default = family(*otherwise);
        }
        if (const auto* rules = m_root.find("rules")) {
            for (const auto& rule : list(*rules, "a list of rules")) {
                read_rule(rule);
            }
        }
        return std::move(m_rules);
    }

private:
    [[noreturn]] void fail(const YamlNode& at, const std::string& message) const
    {
        throw WorkloadError(m_file, at.place.line, at.place.column, message);
    }

    /// A map with no other keys than these.
    void expect_map(const YamlNode& node, std::initializer_list<const char*> keys) const
    {
        const std::vector<std::string> known(keys.begin(), keys.end());
        if (node.kind != YamlNode::Kind::map) {
            fail(node, "found " + described(node) + ", expected a map with " + alternatives(known));
        }
        for (std::size_t i = 0; i < node.pair_count(); ++i) {
            if (std::find(known.begin(), known.end(), node.key(i).text) == known.end()) {
                fail(node.key(i), unknown_name("key", node.key(i).text, known));
            }
        }
    }

    const std::vector<YamlNode>& list(const YamlNode& node, const char* expected) const
    {
        if (node.kind != YamlNode::Kind::list) {
            fail(node, "found " + described(node) + ", expected " + expected);
        }
        return node.items;
    }

    const std::string& text_of(const YamlNode& node) const
    {
        if (node.kind != YamlNode::Kind::scalar) {
            fail(node, "found " + described(node) + ", expected a text");
        }
        return node.text;
    }

    Family family(const YamlNode& node) const
    {
        const auto found = family_named(text_of(node));
        if (!found) {
            std::vector<std::string> known;
            for (std::size_t i = 0; i < family_count; ++i) {
                known.emplace_back(word_of(static_cast<Family>(i)));
            }
            fail(node, unknown_name("family", node.text, known));
        }
        return *found;
    }

    void read_colours(const YamlNode& families)
    {
        if (families.kind != YamlNode::Kind::map) {
            fail(families, "found " + described(families) + ", expected a map of families");
        }
        for (std::size_t i = 0; i < families.pair_count(); ++i) {
            const auto& node = families.value(i);
            FamilyColour colour;
            const Family of = family(families.key(i));
            expect_map(node, {"colour", "band"});
            const auto* rgb = node.find("colour");
            if (rgb == nullptr) {
                fail(node, "there is no 'colour' here, expected one such as \"#6da5f0\"");
            }
            const auto& text = text_of(*rgb);
            const auto* const end = text.data() + text.size();
            if (text.size() != 7 || text[0] != '#'
                || std::from_chars(text.data() + 1, end, colour.rgb, 16).ptr != end) {
                fail(*rgb, "found " + described(*rgb) + ", expected a colour such as \"#6da5f0\"");
            }
            if (const auto* band = node.find("band")) {
                const auto& number = text_of(*band);
                const auto* const last = number.data() + number.size();
                const bool is_number = std::from_chars(number.data(), last, colour.band).ptr == last;
                if (!is_number || !(colour.band >= 0 && colour.band <= 0.2)) {
                    fail(*band, "found " + described(*band) + ", expected a number from 0 to 0.2");
                }
            }
            m_rules.m_colours[static_cast<std::size_t>(of)] = colour;
        }
    }

    void read_rule(const YamlNode& node)
    {
        expect_map(node, {"family", "name", "path", "whole"});
        const auto* const of = node.find("family");
        if (of == nullptr || node.pair_count() != 2) {
            fail(node, "expected a 'family' and one list of patterns: name, path or whole");
        }
        FamilyRules::Rule rule;
        rule.family = family(*of);
        const std::size_t pair = node.key(0).text == "family" ? 1 : 0;
        const auto& in = node.key(pair).text;
        rule.in = in == "name" ? FamilyRules::In::last : in == "path" ? FamilyRules::In::path : FamilyRules::In::whole;
        for (const auto& pattern : list(node.value(pair), "a list of patterns")) {
            const auto& text = text_of(pattern);
            if (const auto mistake = NamePattern::mistake_in(text); !mistake.empty()) {
                fail(pattern, mistake);
            }
            rule.patterns.emplace_back(text);
        }
        m_rules.m_rules.push_back(std::move(rule));
    }

    std::string m_file;
    YamlNode m_root;
    FamilyRules m_rules;
};

FamilyRules FamilyRules::read(const std::string& text, const std::string& file)
{
    return FamilyReader(text, file).read();
}

}  // namespace lanes
