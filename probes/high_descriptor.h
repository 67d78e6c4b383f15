// SPDX-License-Identifier: MIT
// Descriptors of a guest in another program, and whether they are still its own.
//
// A program may close the low numbers it does not know (os.closerange(3, 64)), and may start with its standard output
// closed: then the next file that anyone opens gets that number. So ours have high numbers, and before a write it is
// asked whether the number still means the same file. The program may take it over between the question and the write;
// nothing prevents that.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanes {

/// Gives a descriptor a number of at least 512, or as high as the limit for open files (RLIMIT_NOFILE) allows; the
/// number given is closed and the new one is closed by exec. Returns the number given if there is no other one or if
/// it is -1. Sets errno only if it returns the number given. Cost: 2 to 9 calls of the kernel.
inline int high_descriptor(int descriptor)
{
    constexpr int high = 512;
    for (int least = descriptor < 0 ? 0 : high; least > STDERR_FILENO; least /= 2) {
        const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, least);
        if (moved >= 0) {
            ::close(descriptor);
            return moved;
        }
    }
    return descriptor;
}

/// Which file a descriptor means. Can be asked in a signal handler.
class FileIdentity {
public:
    FileIdentity() = default;
    explicit FileIdentity(int descriptor)
    {
        struct stat status { };
        if (::fstat(descriptor, &status) == 0) {
            m_device = status.st_dev;
            m_inode = status.st_ino;
            m_is_known = true;
        }
    }
    /// False if the descriptor is closed or means another file. Cost: a stat. Sets errno.
    bool is_of(int descriptor) const
    {
        const FileIdentity now(descriptor);
        return m_is_known && now.m_is_known && m_device == now.m_device && m_inode == now.m_inode;
    }

private:
    dev_t m_device = 0;
    ino_t m_inode = 0;
    bool m_is_known = false;
};

}  // namespace lanes
