// SPDX-License-Identifier: MIT
#include "engine/workload/workload.h"
#include "engine/workload/yaml_tree.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lanes {

namespace {

using Words = std::array<std::string_view, 8>;  // keys of texts; "" is no key
constexpr Words of_workload {"title", "description", "look", "why", "rule", "view", "usual", "code"};
constexpr Words of_variant {"title", "look"};
constexpr Words of_parameter {"label"};

bool is_same(const YamlNode& a, const YamlNode& b);

bool holds(const Words& words, const std::string& key)
{
    return !key.empty() && std::find(words.begin(), words.end(), key) != words.end();
}

/// Every other key of one is in the other, with the same value.
template <typename Same> bool same_but(const YamlNode& a, const YamlNode& b, const Words& words, Same same)
{
    const auto covers = [&](const YamlNode& from, const YamlNode& to) {
        for (std::size_t i = 0; i < from.pair_count(); ++i) {
            const std::string& key = from.key(i).text;
            const YamlNode* other = to.find(key);
            if (!holds(words, key) && (other == nullptr || !same(key, from.value(i), *other))) {
                return false;
            }
        }
        return true;
    };
    return a.kind == YamlNode::Kind::map && b.kind == YamlNode::Kind::map ? covers(a, b) && covers(b, a)
                                                                          : is_same(a, b);
}

bool is_same(const YamlNode& a, const YamlNode& b)
{
    return a.kind == b.kind && a.quoted == b.quoted && a.text == b.text
        && std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same);
}

/// Of maps of variants or of parameters.
bool same_entries(const YamlNode& a, const YamlNode& b, const Words& words)
{
    return same_but(a, b, {}, [&](const std::string&, const YamlNode& left, const YamlNode& right) {
        return same_but(left, right, words,
            [](const std::string&, const YamlNode& from, const YamlNode& to) { return is_same(from, to); });
    });
}

}  // namespace

bool runs_the_same(const std::string& a, const std::string& b)
{
    if (a == b) {
        return true;
    }
    try {
        return same_but(parse_yaml(a, {}), parse_yaml(b, {}), of_workload,
            [](const std::string& key, const YamlNode& left, const YamlNode& right) {
                return key == "variants"  ? same_entries(left, right, of_variant)
                    : key == "parameters" ? same_entries(left, right, of_parameter)
                                          : is_same(left, right);
            });
    } catch (const WorkloadError&) {
        return false;
    }
}

}  // namespace lanes
