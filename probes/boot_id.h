// SPDX-License-Identifier: MIT
// What tells one start of a host from all others: processes with the same one have the same clocks.
#pragma once

#include <algorithm>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace lanes {

/// Linux's random/boot_id, "" if it cannot be read.
inline std::string boot_id()
{
    const int file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return {};
    }
    char text[64];
    const auto length = ::read(file, text, sizeof text);
    ::close(file);
    std::string id(text, length > 0 ? static_cast<std::size_t>(length) : 0);
    id.erase(std::min(id.find('\n'), id.size()));
    return id;
}

}  // namespace lanes
