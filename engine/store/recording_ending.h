// SPDX-License-Identifier: MIT
// The endings of files that recordings are written to. Files that are opened are recognised by content instead.
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// True if `path` has a name before `ending`.
bool ends_with(std::string_view path, std::string_view ending);

/// What is wrong with the ending of a file to be written, one line; "" for those that save_recording() writes.
std::string wrong_ending(const std::string& path);

}  // namespace lanes
