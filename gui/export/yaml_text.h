// SPDX-License-Identifier: MIT
// How the small YAML files that the window writes, annotations and sessions, say texts and times, and how they are read
// again.
#pragma once

#include "engine/trace/units.h"
#include "engine/workload/yaml_tree.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanes::gui {

/// In double quotes. Control characters are spaces, but for line breaks.
std::string yamlQuoted(std::string_view text);
/// "-12.345 us": every ns is kept.
std::string yamlTime(Ns time);

/// What readers of such files share. All errors are WorkloadErrors with file, line and column.
class YamlReader {
public:
    explicit YamlReader(std::string file)
        : m_file(std::move(file))
    {
    }
    const std::string& file() const { return m_file; }

    [[noreturn]] void fail(Place place, const std::string& message) const;
    /// `expected` in words.
    void expect(const YamlNode& node, YamlNode::Kind kind, const std::string& expected) const;
    /// All keys of a map are among `keys`; `where` is added to the error.
    void expectKeys(const YamlNode& map, const std::vector<std::string>& keys, const std::string& where = {}) const;
    /// The value of a key that must be there.
    const YamlNode& needed(const YamlNode& map, const std::string& key) const;
    /// What yamlTime() writes, in any unit, up to 1e18 ns.
    Ns time(const YamlNode& node, bool maybeNegative) const;

private:
    std::string m_file;
};

}  // namespace lanes::gui
