// SPDX-License-Identifier: MIT
// A file that is there whole or not at all: written under a name beside, brought to
// the disk, then renamed.
#pragma once

#include <csignal>
#include <string>

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
    sigset_t m_before{};
    bool m_held = false;
};

/// Write to beside(), then commit(). Without commit() the destructor removes what was written.
class AtomicFile {
public:
    explicit AtomicFile(std::string path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    const std::string& beside() const { return m_beside; }
    /// Flushes to the disk and renames. Throws std::system_error naming the file; then nothing is left.
    void commit();

private:
    FileSizeSignalHeld m_signal;
    std::string m_path, m_beside;
    bool m_committed = false;
};

}  // namespace lanes
