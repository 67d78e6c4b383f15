// SPDX-License-Identifier: MIT
// A JSON file as a stream of text, plain or unpacked, and the places of values in it; private to engine/store.
//
// Traces may be cut short, have extra commas, and names that are not UTF-8: a parser of whole documents refuses that.
// So this finds the outer brackets, and the end of an event that simdjson refuses, by quotes and brackets alone.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace lanes {

/// Bytes after a text that simdjson may read and ignores (SIMDJSON_PADDING of Debian's versions is 64).
inline constexpr std::size_t json_padding = 64;

/// The text of a regular file, unpacked if it is gzip.
class JsonSource {
public:
    /// Throws std::system_error or NotAFile if it cannot be read.
    explicit JsonSource(const std::string& path);
    ~JsonSource();
    JsonSource(const JsonSource&) = delete;
    JsonSource& operator=(const JsonSource&) = delete;

    /// The next bytes of the text, `size` of them unless it ends before. Throws StoreError if gzip data is damaged from
    /// its start, or the text is longer than `most_json_bytes`; std::system_error. The text ends where gzip data breaks
    /// off.
    std::size_t read(char* to, std::size_t size);
    bool cut_short() const;
    /// How much of the file has been read.
    double fraction() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

inline constexpr std::size_t most_json_bytes = std::size_t {16} << 30U;

/// The first byte at or after `at` that is no white space; text.size() if there is none.
std::size_t skip_space(std::string_view text, std::size_t at);

/// One past the value that begins at `at` (a bracket, a quote, or a word); npos if the text ends before it.
/// Cost: its length.
std::size_t end_of_value(std::string_view text, std::size_t at);

/// The last comma in `text`, at or after `at`, that seems to be between two objects by the quotes and brackets near it:
/// it may be inside a text or a nested array. npos: none.
std::size_t last_gap(std::string_view text, std::size_t at);

/// Both from 1; columns count bytes.
struct JsonPlace {
    std::size_t line = 1, column = 1;
};

/// Where a byte of the text of `path` is. Cost: reading all before it.
JsonPlace place_in_json(const std::string& path, std::size_t at);
/// "line 3, column 14".
std::string in_words(JsonPlace place);

}  // namespace lanes
