// SPDX-License-Identifier: MIT
#include "probes/inject/guarded_read.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

namespace lanes {

bool guarded_read(const void* from, void* to, std::size_t size)
{
    if (size == 0) {
        return true;
    }
    if (from == nullptr) {
        return false;
    }
    const iovec local {to, size};
    const iovec remote {const_cast<void*>(from), size};
    const auto got = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
    if (got < 0 && (errno == EPERM || errno == ENOSYS)) {
        std::memcpy(to, from, size);
        return true;
    }
    return got == static_cast<ssize_t>(size);
}

std::string guarded_text(const char* from, std::size_t most)
{
    std::string text;
    // A piece does not reach into the next page, which may not be there.
    constexpr std::size_t piece = 64;
    std::array<char, piece> letters {};
    while (text.size() < most) {
        const auto* const at = from + text.size();
        const auto to_next = piece - reinterpret_cast<std::uintptr_t>(at) % piece;
        const auto wanted = std::min(to_next, most - text.size());
        if (!guarded_read(from == nullptr ? nullptr : at, letters.data(), wanted)) {
            return text;
        }
        const auto length = ::strnlen(letters.data(), wanted);
        text.append(letters.data(), length);
        if (length < wanted) {
            break;
        }
    }
    return text;
}

}  // namespace lanes
