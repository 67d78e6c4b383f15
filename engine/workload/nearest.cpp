// SPDX-License-Identifier: MIT
#include "engine/workload/nearest.h"

#include "engine/ascii.h"
#include "engine/trace/utf8.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr std::size_t longest_word = 64;  // longer ones are no misspellings
constexpr std::size_t longest_list = 12;
constexpr std::size_t least_beginning = 4;  // letters of a name that was not completed

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        above[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above[b.size()];
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& known)
{
    std::string nearest;
    if (word.size() > longest_word) {
        return nearest;
    }
    // "mib" is MiB, whatever the case of its letters.
    const std::string folded = ascii::in_lower_case(word);
    std::size_t best = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
    for (const auto& name : known) {
        if (name.size() > longest_word) {
            continue;
        }
        const std::size_t distance = edit_distance(folded, ascii::in_lower_case(name));
        if (distance < best) {
            best = distance;
            nearest = name;
        }
    }
    if (nearest.empty() && word.size() >= least_beginning) {
        const auto begun = std::find_if(known.begin(), known.end(),
            [&](const std::string& name) { return ascii::in_lower_case(name).starts_with(folded); });
        nearest = begun == known.end() ? "" : *begun;
    }
    return nearest;
}

std::string alternatives(const std::vector<std::string>& names)
{
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        list += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
        list += names[i];
    }
    return list;
}

std::string unknown_name(std::string_view what, std::string_view word, const std::vector<std::string>& known)
{
    std::string message = "unknown " + std::string(what) + " '" + std::string(utf8_head(word, longest_word)) + "'";
    if (known.empty()) {
        return message + ", there is none here";
    }
    if (known.size() <= longest_list) {
        message += ", expected " + alternatives(known);
    }
    const std::string nearest = nearest_name(word, known);
    return nearest.empty() ? message : message + "; did you mean '" + nearest + "'?";
}

}  // namespace lanes
