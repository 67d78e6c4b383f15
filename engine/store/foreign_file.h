// SPDX-License-Identifier: MIT
// Files that cannot be read, by how they begin: what they are, and the command that converts one into a readable file.
// Private to engine/store.
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// What is said of a file of which nothing is known.
inline constexpr std::string_view unknown_format = "is not a file that Lanescope can open";

/// "is ...", for an error line. `begin`: the first 512 bytes; `path`: its ending decides if the content says nothing.
/// Never empty.
std::string what_foreign_file_is(std::string_view begin, std::string_view path);

/// "; it seems to be ...", for JSON that is no trace; `keys`: its keys, each in quotes. Empty: they say nothing.
std::string what_json_is(std::string_view keys);

/// "is ...", for an SQLite file; `tables`: the names of its tables, each in quotes. Empty: they say nothing.
std::string what_database_is(std::string_view tables);

/// The first 512 unpacked bytes of a gzip file that begins with `begin`; nothing if it is damaged.
std::string unpacked_beginning(std::string_view begin);

}  // namespace lanes
