// SPDX-License-Identifier: MIT
#include "engine/replay/pairs.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lanes::replay {

namespace {

bool is_answer(const std::string& word)
{
    return word.find(':') != std::string::npos;
}

}  // namespace

std::vector<Change> read_changes(const std::string& words)
{
    std::vector<Change> changes;
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
        if (is_answer(word)) {
            continue;
        }
        const auto equals = word.find('=');
        const auto kind = change_of(word.substr(0, equals));
        if (!kind) {
            throw std::runtime_error("no change: " + word);
        }
        changes.push_back({*kind, {}, equals == std::string::npos ? 0 : std::stod(word.substr(equals + 1))});
    }
    return changes;
}

Answers read_answers(const std::string& words)
{
    Answers answers;
    const auto& known = assumption_words();
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
        if (!is_answer(word)) {
            continue;
        }
        const bool holds = word.starts_with("confirm:");
        const auto name = word.substr(word.find(':') + 1);
        if ((!holds && !word.starts_with("lift:")) || std::find(known.begin(), known.end(), name) == known.end()) {
            throw std::runtime_error("no answer: " + word);
        }
        answers[name] = holds;
    }
    return answers;
}

std::vector<Pair> read_pairs(const std::filesystem::path& path)
{
    std::vector<Pair> pairs;
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error(path.string() + " cannot be read");
    }
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
            throw std::runtime_error(path.string() + ": " + line);
        }
        pairs.push_back({cells[0], cells[1], cells[2], cells[3], read_changes(cells[3]), read_answers(cells[3]),
            std::stod(cells[4])});
    }
    return pairs;
}

}  // namespace lanes::replay
