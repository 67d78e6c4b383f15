// SPDX-License-Identifier: MIT
// Random recordings: threads that issue every kind of work to every kind of stream, and waits that end at,
// shortly before, shortly after and far from what they waited for.
#pragma once

#include <cstdint>
#include <string>

namespace oracle {

/// Writes the recording of `seed` to a new file. The same seed gives the same file.
void write_random(std::uint32_t seed, const std::string& path);

}  // namespace oracle
