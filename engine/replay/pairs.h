// SPDX-License-Identifier: MIT
// The pairs of variants of workloads that a change connects: resources/workloads/changes.txt.
#pragma once

#include "engine/replay/assumption.h"
#include "engine/replay/change.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lanes::replay {

struct Pair {
    std::string workload;
    std::string a, b;  ///< variants: `a` with the changes does what `b` does
    std::string words;  ///< the changes as the file has them
    std::vector<Change> changes;
    Answers answers;  ///< "lift:behind-launch" among the words: what is known about `b`
    double most_off = 0;  ///< %: by how much a prediction of b from the shipped recording of a may be off
};

/// The changes in "pin drop-values=10 lift:gaps-go". Throws std::runtime_error for a word that is neither change nor
/// answer.
std::vector<Change> read_changes(const std::string& words);
/// The answers among the same words: lift:NAME, confirm:NAME.
Answers read_answers(const std::string& words);

/// Throws std::runtime_error for a file that cannot be read and for a line that is no pair.
std::vector<Pair> read_pairs(const std::filesystem::path& path);

}  // namespace lanes::replay
