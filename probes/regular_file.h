// SPDX-License-Identifier: MIT
// Whether a path leads to a regular file: nothing else is read or replaced. The open() of a FIFO, a device, a folder
// or a socket may wait for ever, and a rename would destroy it. Links are followed. Cost: a stat.
#pragma once

#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace lanes {

/// Something that is there but is no regular file: "PATH: found a FIFO, expected a file".
class NotAFile : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// "a FIFO", "a folder", "a device", "a socket"; "" for a regular file or if nothing is there.
inline std::string other_than_file(const struct stat& status)
{
    switch (status.st_mode & S_IFMT) {
    case S_IFREG:
        return "";
    case S_IFIFO:
        return "a FIFO";
    case S_IFDIR:
        return "a folder";
    case S_IFSOCK:
        return "a socket";
    default:
        return "a device";
    }
}
inline std::string other_than_file(const std::string& path)
{
    struct stat status { };
    return ::stat(path.c_str(), &status) == 0 ? other_than_file(status) : "";
}

/// Opens a regular file for reading and never waits; the caller closes the descriptor. Throws NotAFile and
/// std::system_error.
inline int open_file(const std::string& path)
{
    if (const auto other = other_than_file(path); !other.empty()) {  // a socket cannot even be opened
        throw NotAFile(path + ": found " + other + ", expected a file");
    }
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status { };
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
        const int error = errno;
        if (descriptor >= 0) {
            ::close(descriptor);
        }
        throw std::system_error(error, std::generic_category(), path);
    }
    if (const auto other = other_than_file(status); !other.empty()) {  // replaced since the first look
        ::close(descriptor);
        throw NotAFile(path + ": found " + other + ", expected a file");
    }
    return descriptor;
}

}  // namespace lanes
