// SPDX-License-Identifier: MIT
// A YAML document as a tree with the place of every node. It is built from the events of yaml-cpp's parser, because
// yaml-cpp's own nodes hide duplicate keys and aliases.
//
// Invariant: no aliases, anchors or tags; keys are scalars and distinct in their map; at most 48 levels and 200,000
// nodes, from a text of at most 1 MiB. The text is untrusted: anything else is a WorkloadError at its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes {

/// Line and column from 1; columns count bytes.
struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct YamlNode {
    enum class Kind : std::uint8_t { null, scalar, list, map };
    Kind kind = Kind::null;
    bool quoted = false;  ///< a scalar in quotes or a block
    Place place;
    std::string text;  ///< of a scalar
    std::vector<YamlNode> items;  ///< of a list; of a map: key, value, key, value, …

    std::size_t pair_count() const { return items.size() / 2; }
    const YamlNode& key(std::size_t pair) const { return items[2 * pair]; }
    const YamlNode& value(std::size_t pair) const { return items[2 * pair + 1]; }
    /// The value of `key`, nullptr if the map has none.
    const YamlNode* find(std::string_view key) const;
};

/// "a list", "a map", "nothing", "'text'": for messages.
std::string described(const YamlNode& node);

/// Throws WorkloadError at the first byte that is not part of a UTF-8 sequence. `file` is for messages. Cost: linear.
void check_utf8(std::string_view text, const std::string& file);

/// Throws WorkloadError. `file` is for messages.
YamlNode parse_yaml(const std::string& text, const std::string& file);

}  // namespace lanes
