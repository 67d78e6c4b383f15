// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/name_pattern.h"

#include "engine/ascii.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr std::size_t longest_name = 4000;

}  // namespace

std::string words_of(std::string_view name)
{
    name = name.substr(0, longest_name);
    std::string words;
    words.reserve(name.size() + name.size() / 4);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (!ascii::is_letter_or_digit(c)) {
            continue;
        }
        const char before = i > 0 ? name[i - 1] : ' ';
        const bool next_is_lower = i + 1 < name.size() && ascii::is_lower(name[i + 1]);
        const bool goes_on = ascii::is_digit(c) ? ascii::is_digit(before)
            : ascii::is_upper(c)                ? ascii::is_upper(before) && !next_is_lower
                                                : ascii::is_letter(before);
        if (!goes_on && !words.empty()) {
            words += ' ';
        }
        words += ascii::to_lower(c);
    }
    return words;
}

std::string NamePattern::mistake_in(std::string_view pattern)
{
    const auto found = [](std::string_view what) { return "found '" + std::string(what) + "', expected "; };
    if (pattern.starts_with('^')) {
        pattern.remove_prefix(1);
    }
    if (pattern.empty() || pattern == "*") {
        return found(pattern) + "one or more words";
    }
    if (std::count(pattern.begin(), pattern.end(), '*') > most_stars) {
        return found(pattern) + "at most " + std::to_string(most_stars) + " stars in a pattern";
    }
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        const char before = i > 0 ? pattern[i - 1] : ' ';
        if (!ascii::is_lower(c) && !ascii::is_digit(c) && c != ' ' && c != '*' && c != '?') {
            return found(pattern.substr(i, 1)) + "words of small letters and digits, * and ? between single spaces";
        }
        if ((c == ' ' && (before == ' ' || i + 1 == pattern.size())) || (c == '*' && before == '*')) {
            return found(pattern) + "one space between words";
        }
        if ((ascii::is_lower(c) && ascii::is_digit(before)) || (ascii::is_digit(c) && ascii::is_lower(before))) {
            return found(pattern) + "a space between letters and digits, where names are cut";
        }
    }
    return pattern.starts_with("* ") ? found(pattern) + "a word first" : std::string();
}

NamePattern::NamePattern(std::string_view pattern)
{
    m_begins = pattern.starts_with('^');
    pattern.remove_prefix(m_begins ? 1 : 0);
    bool after_any_words = false;
    while (!pattern.empty()) {
        const auto word = pattern.substr(0, pattern.find(' '));
        pattern.remove_prefix(std::min(pattern.size(), word.size() + 1));
        if (word == "*" && !m_parts.empty()) {
            m_parts.push_back({Part::any_words});
            after_any_words = true;
            continue;
        }
        if (!m_parts.empty()) {
            m_parts.push_back({after_any_words ? Part::space : Part::maybe_space});
        }
        after_any_words = false;
        for (const char c : word) {
            m_parts.push_back({c == '*' ? Part::any_letters : c == '?' ? Part::any_letter : Part::letter, c});
        }
    }
}

/// Whether the parts from `part` on fit `words` from their beginning to the end of a word.
bool NamePattern::fits_here(std::size_t part, std::string_view words) const
{
    for (; part < m_parts.size(); ++part) {
        const auto& [kind, is] = m_parts[part];
        switch (kind) {
        case Part::any_letters:
        case Part::any_words:
            for (std::size_t skipped = 0;;) {
                if (fits_here(part + 1, words.substr(skipped))) {
                    return true;
                }
                if (skipped == words.size() || (words[skipped] == ' ') == (kind == Part::any_letters)) {
                    return false;
                }
                skipped
                    = kind == Part::any_letters ? skipped + 1 : std::min(words.find(' ', skipped + 1), words.size());
            }
        case Part::maybe_space:
            if (words.starts_with(' ')) {
                words.remove_prefix(1);
            }
            break;
        case Part::space:
        case Part::letter:
        case Part::any_letter:
            if (words.empty()
                || (kind == Part::space        ? words.front() != ' '
                        : kind == Part::letter ? words.front() != is
                                               : !ascii::is_lower(words.front()))) {
                return false;
            }
            words.remove_prefix(1);
            break;
        }
    }
    return words.empty() || words.front() == ' ';
}

bool NamePattern::fits(std::string_view words) const
{
    if (m_begins) {
        return fits_here(0, words);
    }
    for (std::size_t at = 0; at < words.size();) {
        if (fits_here(0, words.substr(at))) {
            return true;
        }
        const auto space = words.find(' ', at);
        at = space == std::string_view::npos ? words.size() : space + 1;
    }
    return false;
}

}  // namespace lanes
