// SPDX-License-Identifier: MIT
// A JSON file as text, plain or unpacked, and where its values lie; private to engine/store.
//
// Traces are cut short, have commas too many and names that are not UTF-8: a parser of whole documents takes none of
// it. So the outer brackets are found here, by looking for quotes and brackets alone, and each event is parsed by
// simdjson.
#pragma once

#include "engine/trace/progress.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lanes {

/// Bytes behind the text that simdjson may read, whatever they are (SIMDJSON_PADDING of Debian's versions is 64).
inline constexpr std::size_t json_padding = 64;

/// The text of the regular file `path`, unpacked if it is gzip, with `json_padding` zeros behind it which the view does
/// not count. Throws StoreError where the gzip data is damaged from its start or unpacks to more than
/// `most_json_bytes`, std::system_error if it cannot be read. Where gzip data breaks off, what came before is returned.
class JsonText {
public:
    JsonText(const std::string& path, const Progress& progress);
    std::string_view text() const { return {m_bytes.data(), m_size}; }
    bool cut_short() const { return m_cut; }

private:
    void read_plain(int file, const std::string& path, const Progress& progress);
    void read_gzip(int file, const std::string& path, const Progress& progress);

    std::string m_bytes;
    std::size_t m_size = 0;
    bool m_cut = false;
};

inline constexpr std::size_t most_json_bytes = std::size_t {16} << 30U;

/// The first byte at or behind `at` that is no white space; text.size() if there is none.
std::size_t skip_space(std::string_view text, std::size_t at);

/// One past the value that begins at `at` (a bracket, a quote, or a word); npos where the text ends before it does.
/// Cost: its length.
std::size_t end_of_value(std::string_view text, std::size_t at);

/// "line 3, column 14" of a byte. Cost: what lies before it.
std::string place_in(std::string_view text, std::size_t at);

}  // namespace lanes
