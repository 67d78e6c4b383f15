// SPDX-License-Identifier: MIT
// Files that are not read, by how they begin: what they are, and the command that makes one of them that is. Private to
// engine/store.
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// "is ...", for an error line. `begin`: the first 512 bytes; `path`: its ending decides where the content says
/// nothing. Never empty.
std::string what_foreign_file_is(std::string_view begin, std::string_view path);

/// "; it seems to be ...", of JSON that is no trace; `keys` of it, each in quotes. Empty where they say nothing.
std::string what_json_is(std::string_view keys);

/// "is ...", of an SQLite file; the names of its tables, each in quotes. Empty where they say nothing.
std::string what_database_is(std::string_view tables);

/// The first 512 bytes of what `begin`, of a gzip file, holds packed; nothing where it is damaged.
std::string unpacked_beginning(std::string_view begin);

}  // namespace lanes
