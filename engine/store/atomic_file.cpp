// SPDX-License-Identifier: MIT
#include "engine/store/atomic_file.h"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace lanes {

FileSizeSignalHeld::FileSizeSignalHeld()
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGXFSZ);
    m_held = pthread_sigmask(SIG_BLOCK, &held, &m_before) == 0 && sigismember(&m_before, SIGXFSZ) == 0;
}

FileSizeSignalHeld::~FileSizeSignalHeld()
{
    if (m_held) {
        sigset_t held;
        sigemptyset(&held);
        sigaddset(&held, SIGXFSZ);
        const timespec now{};
        while (sigtimedwait(&held, nullptr, &now) > 0) {  // what came meanwhile would end the process now
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
}

AtomicFile::AtomicFile(std::string path)
    : m_path(std::move(path)), m_beside(m_path + ".partial-" + std::to_string(getpid()))
{
    ::unlink(m_beside.c_str());  // left by a process of this number that was killed
}

AtomicFile::~AtomicFile()
{
    if (!m_committed) {
        ::unlink(m_beside.c_str());
    }
}

void AtomicFile::commit()
{
    const int file = ::open(m_beside.c_str(), O_RDONLY | O_CLOEXEC);
    const bool flushed = file >= 0 && ::fsync(file) == 0;
    const int flush_error = errno;
    if (file >= 0) {
        ::close(file);
    }
    if (!flushed) {
        throw std::system_error(flush_error, std::generic_category(), m_path);
    }
    if (::rename(m_beside.c_str(), m_path.c_str()) != 0) {
        throw std::system_error(errno, std::generic_category(), m_path);
    }
    m_committed = true;
    // The name itself reaches the disk with its folder; a file system that cannot do that is no failure.
    const auto slash = m_path.rfind('/');
    const auto folder = slash == std::string::npos ? std::string(".") : m_path.substr(0, slash + 1);
    if (const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); descriptor >= 0) {
        (void)::fsync(descriptor);
        ::close(descriptor);
    }
}

}  // namespace lanes
