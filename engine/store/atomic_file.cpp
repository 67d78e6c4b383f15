// SPDX-License-Identifier: MIT
#include "engine/store/atomic_file.h"
#include "engine/store/recording_file.h"
#include "probes/regular_file.h"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

constexpr auto marker = ".partial-";

/// The path at the end of a chain of links; nothing need be there.
std::string end_of_links(std::string path)
{
    for (int links = 0; links < 40; ++links) {
        std::error_code none;
        const auto to = std::filesystem::read_symlink(path, none);
        if (none) {
            return path;
        }
        path = to.is_absolute() ? to.string() : (std::filesystem::path(path).parent_path() / to).string();
    }
    throw std::system_error(ELOOP, std::generic_category(), path);
}

}  // namespace

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
        const timespec now {};
        while (sigtimedwait(&held, nullptr, &now) > 0) {  // else a signal from meanwhile would end the process now
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
}

void expect_writable_as_file(const std::string& path)
{
    if (const auto other = other_than_file(path); !other.empty()) {
        throw StoreError(path + ": found " + other + ", expected a file, or nothing, to write to");
    }
    // A rename needs only the folder's permission, and would replace a file that its owner protected.
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0 && errno == EACCES) {
        throw StoreError(path + ": found a write-protected file, expected one that may be replaced, or nothing");
    }
}

AtomicFile::AtomicFile(const std::string& path)
    : m_path(end_of_links(path))
{
    expect_writable_as_file(path);
    if (struct stat status {}; ::stat(m_path.c_str(), &status) == 0) {
        m_old_mode = status.st_mode & 0777U;
    }
    remove_leftovers();
    constexpr int most = 100;  // writers of one path in one process, or in processes of the same number
    for (int n = 1; n <= most; ++n) {
        if (take(m_path + marker + std::to_string(getpid()) + (n == 1 ? "" : "-" + std::to_string(n)))) {
            return;
        }
    }
    throw std::system_error(EBUSY, std::generic_category(), path);
}

/// Makes a new file of that name and locks it; false: there is one already.
bool AtomicFile::take(const std::string& beside)
{
    // Writers open it by its name, so its owner may always write it until it is finished.
    m_lock
        = ::open(beside.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, m_old_mode.value_or(0666) | S_IRUSR | S_IWUSR);
    if (m_lock < 0) {
        if (errno == EEXIST) {
            return false;
        }
        throw std::system_error(errno, std::generic_category(), m_path);
    }
    // On a file system without locks the file stays unlocked, and remove_leftovers() cannot lock it either.
    (void)::flock(m_lock, LOCK_EX | LOCK_NB);
    struct stat status { };
    if (::fstat(m_lock, &status) == 0 && status.st_nlink == 0) {  // removed as a leftover before it was locked
        ::close(m_lock);
        m_lock = -1;
        return take(beside);
    }
    m_beside = beside;
    return true;
}

/// Removes what killed processes left of this path. Cost: goes through the folder.
void AtomicFile::remove_leftovers() const
{
    const std::filesystem::path path(m_path);
    const auto begin = path.filename().string() + marker;
    std::error_code none;
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    for (std::filesystem::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
        const auto name = at->path().filename().string();
        if (!name.starts_with(begin) || name.find_first_not_of("0123456789-", begin.size()) != std::string::npos) {
            continue;
        }
        const int file = ::open(at->path().c_str(), O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0) {
            continue;
        }
        struct stat status { };
        if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && ::flock(file, LOCK_EX | LOCK_NB) == 0) {
            ::unlink(at->path().c_str());
        }
        ::close(file);
    }
}

AtomicFile::~AtomicFile()
{
    if (!m_committed) {
        ::unlink(m_beside.c_str());
    }
    ::close(m_lock);
}

void AtomicFile::commit()
{
    if ((m_old_mode && ::fchmod(m_lock, *m_old_mode) != 0) || ::fsync(m_lock) != 0) {
        throw std::system_error(errno, std::generic_category(), m_path);
    }
    if (::rename(m_beside.c_str(), m_path.c_str()) != 0) {
        throw std::system_error(errno, std::generic_category(), m_path);
    }
    m_committed = true;
    // The name itself reaches the disk with its folder; it is no failure if the file system cannot do that.
    const auto slash = m_path.rfind('/');
    const auto folder = slash == std::string::npos ? std::string(".") : m_path.substr(0, slash + 1);
    if (const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); descriptor >= 0) {
        (void)::fsync(descriptor);
        ::close(descriptor);
    }
}

}  // namespace lanes
