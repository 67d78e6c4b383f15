// SPDX-License-Identifier: MIT
// The pairs of shipped recordings that a change connects: pairs.txt.
#pragma once

#include "engine/whatif/change.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace lanes::whatif {

struct Pair {
    std::string workload, a, b, words;
    std::vector<Change> changes;
    double most_off = 0;  ///< %

    std::string file_of(const std::string& variant) const { return workload + '.' + variant + ".sqlite"; }
};

inline std::vector<Change> read_changes(const std::string& words)
{
    std::vector<Change> changes;
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
        const auto equals = word.find('=');
        const auto kind = change_of(word.substr(0, equals));
        if (!kind) {
            throw std::runtime_error("no change: " + word);
        }
        changes.push_back({*kind, {}, equals == std::string::npos ? 0 : std::stod(word.substr(equals + 1))});
    }
    return changes;
}

inline std::vector<Pair> read_pairs(const std::string& path)
{
    std::vector<Pair> pairs;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        std::vector<std::string> cells;
        std::istringstream stream(line);
        for (std::string cell; std::getline(stream, cell, '|');) {
            cell.erase(0, cell.find_first_not_of(' '));
            cell.erase(cell.find_last_not_of(' ') + 1);
            cells.push_back(cell);
        }
        if (cells.size() != 5) {
            throw std::runtime_error("pairs.txt: " + line);
        }
        pairs.push_back({cells[0], cells[1], cells[2], cells[3], read_changes(cells[3]), std::stod(cells[4])});
    }
    return pairs;
}

}  // namespace lanes::whatif
