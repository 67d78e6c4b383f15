// SPDX-License-Identifier: MIT
// Reads memory that the program points to, which may be none.
#pragma once

#include <cstddef>
#include <string>

namespace lanes {

/// Copies `size` bytes of this process' memory; false, and nothing is copied, if some of them are not readable. Where
/// the system forbids such reads (seccomp), the memory is read as it is. Cost: a system call.
bool guarded_read(const void* from, void* to, std::size_t size);

/// A text up to its end, at most `most` bytes of it; "" of a null pointer and of memory that is not readable.
std::string guarded_text(const char* from, std::size_t most);

}  // namespace lanes
