// SPDX-License-Identifier: MIT
// Names cut into words, and patterns of words that fit some of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// The words of a name in lower case, one space between two: "s16816gemm" is "s 16816 gemm", "CatArrayBatchedCopy" is
/// "cat array batched copy". It is cut at everything that is no letter or digit, at aB, ABc, and between letters and
/// digits. Only the first 4,000 characters count. Cost: linear.
std::string words_of(std::string_view name);

/// Successive words of a name, written together or not: "all reduce" fits "all reduce" and "allreduce".
/// * is any letters or digits of the same word, and alone any words; ? is one letter; ^ at the beginning means that the
/// name begins with it.
class NamePattern {
public:
    static constexpr int most_stars = 4;  ///< each multiplies the cost by the length of the name

    /// What is wrong with a pattern, for messages: "found 'A', expected ..."; "" if nothing is.
    static std::string mistake_in(std::string_view pattern);

    /// `pattern` has no mistake.
    explicit NamePattern(std::string_view pattern);

    bool begins() const { return m_begins; }  ///< it has a ^
    /// Whether it fits somewhere in `words`, from the beginning of a word to the end of one. Cost: for a pattern
    /// without stars linear.
    bool fits(std::string_view words) const;

private:
    struct Part {
        enum Kind : std::uint8_t { letter, any_letter, any_letters, maybe_space, space, any_words };
        Kind kind;
        char is = 0;  ///< of `letter`
    };
    bool fits_here(std::size_t part, std::string_view words) const;

    std::vector<Part> m_parts;
    bool m_begins = false;
};

}  // namespace lanes
