// SPDX-License-Identifier: MIT
#include "probes/spool.h"
#include "probes/spool_format.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/uio.h>
#include <unistd.h>

namespace lanes {

namespace {

constexpr std::size_t max_payload = 4U << 20;

void put(std::vector<std::byte>& out, const void* data, std::size_t size)
{
    const auto* bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
}

void put_text(std::vector<std::byte>& out, std::string_view text)
{
    const auto length = static_cast<std::uint32_t>(text.size());
    put(out, &length, sizeof length);
    put(out, text.data(), text.size());
}

// Two writers of one process (the probe and the runner) must differ, and so must
// those of two processes: the process id alone is not enough.
std::uint32_t new_writer_id()
{
    static std::atomic<std::uint64_t> writers {0};  // two threads may read the clock in one tick of it
    timespec now {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const auto seed = ++writers * 0xD1B54A32D192ED03ULL
        ^ static_cast<std::uint64_t>(now.tv_nsec) * 0x9E3779B97F4A7C15ULL
        ^ (static_cast<std::uint64_t>(getpid()) << 32U) ^ static_cast<std::uint64_t>(now.tv_sec);
    return static_cast<std::uint32_t>((seed * 0xBF58476D1CE4E5B9ULL) >> 32U);
}

// A write beyond RLIMIT_FSIZE sends the thread SIGXFSZ, which would end a program that
// knows nothing of this file. It is blocked and taken, so that the write just fails.
class NoFileSizeSignal {
public:
    NoFileSizeSignal()
    {
        sigemptyset(&m_signal);
        sigaddset(&m_signal, SIGXFSZ);
        pthread_sigmask(SIG_BLOCK, &m_signal, &m_before);
    }
    ~NoFileSizeSignal()
    {
        if (sigismember(&m_before, SIGXFSZ) == 0) {
            const timespec at_once {};
            while (sigtimedwait(&m_signal, nullptr, &at_once) < 0 && errno == EINTR) { }
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    NoFileSizeSignal(const NoFileSizeSignal&) = delete;
    NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

private:
    sigset_t m_signal {}, m_before {};
};

ssize_t write_at_once(int descriptor, std::span<const iovec> parts, int& error)
{
    const NoFileSizeSignal guard;
    ssize_t written = -1;
    do {
        written = ::writev(descriptor, parts.data(), static_cast<int>(parts.size()));
    } while (written < 0 && errno == EINTR);
    error = written < 0 ? errno : 0;
    return written;
}

}  // namespace

SpoolWriter::~SpoolWriter()
{
    close();
}

bool SpoolWriter::open(const std::string& path)
{
    const std::lock_guard lock(m_mutex);
    m_descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    m_error = m_descriptor < 0 ? errno : 0;
    m_descriptor = high_descriptor(m_descriptor);
    m_file = FileIdentity(m_descriptor);
    if (m_descriptor >= 0) {
        // Nothing is written before the lock is held: a process that looks for writers of the file holds it for a
        // moment. Where locks don't exist nobody can ask for one.
        for (int tries = 0; tries < 200 && ::flock(m_descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
             ++tries) {
            ::usleep(1000);
        }
    }
    m_writer = new_writer_id();
    m_sequence = 0;
    m_ids.clear();
    return m_descriptor >= 0;
}

void SpoolWriter::close()
{
    const std::lock_guard lock(m_mutex);
    if (m_descriptor >= 0) {
        flush_strings();
        if (m_file.is_of(m_descriptor)) {
            ::close(m_descriptor);
        }
        m_descriptor = -1;
    }
}

StringId SpoolWriter::intern(std::string_view text)
{
    if (text.empty()) {
        return 0;
    }
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_ids.find(text); known != m_ids.end()) {
        return known->second;
    }
    const auto id = static_cast<StringId>(m_ids.size() + 1);
    m_ids.emplace(text, id);
    put(m_new_strings, &id, sizeof id);
    put_text(m_new_strings, text);
    ++m_new_string_count;
    return id;
}

void SpoolWriter::write_meta(std::string_view key, std::string_view value)
{
    std::vector<std::byte> payload;
    put_text(payload, key);
    put_text(payload, value);
    const std::lock_guard lock(m_mutex);
    write_chunk(RecordKind::meta, payload, 1);
}

void SpoolWriter::append(RecordKind kind, std::span<const std::byte> payload, std::size_t record_size)
{
    const std::lock_guard lock(m_mutex);
    flush_strings();
    const std::size_t step = max_payload / record_size * record_size;
    for (std::size_t at = 0; at < payload.size(); at += step) {
        const auto part = payload.subspan(at, std::min(step, payload.size() - at));
        write_chunk(kind, part, static_cast<std::uint32_t>(part.size() / record_size));
    }
}

void SpoolWriter::flush_strings()
{
    if (m_new_string_count > 0) {
        write_chunk(RecordKind::strings, m_new_strings, m_new_string_count);
        m_new_strings.clear();
        m_new_string_count = 0;
    }
}

void SpoolWriter::write_chunk(RecordKind kind, std::span<const std::byte> payload, std::uint32_t count)
{
    if (m_descriptor < 0 || m_error != 0) {
        return;
    }
    if (!m_file.is_of(m_descriptor)) {
        m_error = EBADF;
        return;
    }
    SpoolHeader header {spool_magic, spool_version, kind, m_writer, m_sequence++,
        static_cast<std::uint32_t>(payload.size()), count, 0, 0};
    header.checksum = spool_checksum(header, payload);
    const iovec parts[] = {{&header, sizeof header}, {const_cast<std::byte*>(payload.data()), payload.size()}};
    int error = 0;
    const auto written = write_at_once(m_descriptor, parts, error);
    if (written < 0) {
        m_error = error;
    } else if (static_cast<std::size_t>(written) != sizeof header + payload.size()) {
        m_error = ENOSPC;  // a short write to a regular file: no room for the rest
    }
}

}  // namespace lanes
