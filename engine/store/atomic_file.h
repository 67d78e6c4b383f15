// SPDX-License-Identifier: MIT
// A file that exists completely or not at all: written under another name beside it, flushed to the disk, then renamed.
#pragma once

#include <csignal>
#include <optional>
#include <string>
#include <sys/types.h>

namespace lanes {

/// While it lives, a file that grows too large for its limit fails with EFBIG in this thread instead of ending
/// the process with SIGXFSZ.
class FileSizeSignalHeld {
public:
    FileSizeSignalHeld();
    ~FileSizeSignalHeld();
    FileSizeSignalHeld(const FileSizeSignalHeld&) = delete;
    FileSizeSignalHeld& operator=(const FileSizeSignalHeld&) = delete;

private:
    sigset_t m_before {};
    bool m_held = false;
};

/// Throws StoreError if `path` is something other than a file, such as a FIFO, a device or a folder, or a file that
/// this user may not write: a rename would replace it. Links are followed, even if nothing is at their end yet.
void expect_writable_as_file(const std::string& path);

/// Write to beside(), then commit(). Without commit() the destructor removes what was written. If `path` is a link, the
/// file that it leads to is replaced and the link stays. The new file has the permissions of the old one, else those of
/// any new file (umask).
///
/// beside() is PATH.partial-PID and carries a lock as long as this lives: the next AtomicFile of the same path removes
/// what a killed process left there, but not what another one still writes.
class AtomicFile {
public:
    /// Throws StoreError as expect_writable_as_file() does, std::system_error if no file can be made.
    explicit AtomicFile(const std::string& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    const std::string& beside() const { return m_beside; }
    /// Flushes to the disk and renames. Throws std::system_error naming the file; then nothing is left.
    void commit();

private:
    void remove_leftovers() const;
    bool take(const std::string& beside);

    FileSizeSignalHeld m_signal;
    std::string m_path, m_beside;
    std::optional<mode_t> m_old_mode;  ///< permissions of the existing file
    int m_lock = -1;  ///< an open descriptor of beside(), with the lock
    bool m_committed = false;
};

}  // namespace lanes
