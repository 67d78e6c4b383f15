// SPDX-License-Identifier: MIT
#include "probes/spool_follower.h"

#include "probes/regular_file.h"
#include "probes/spool_format.h"

#include <cerrno>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t piece = std::size_t {4} << 20U;  // read at once

/// Whether a chunk may begin at `at` whose bytes are not all there yet. A header may also have been cut, so that the
/// next chunk's header follows in the middle of it. `reserved` tells the two apart: it is 0 as written, and not 0
/// wherever a cut is.
bool may_be_unfinished(std::span<const std::byte> bytes, std::size_t at)
{
    const auto rest = bytes.subspan(at);
    SpoolHeader header {};
    if (rest.size() < sizeof header) {
        const auto* magic = reinterpret_cast<const std::byte*>(&spool_magic);
        return std::equal(
            rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(std::min(rest.size(), sizeof spool_magic)), magic);
    }
    std::memcpy(&header, rest.data(), sizeof header);
    return header.magic == spool_magic && header.version == spool_version && header.reserved == 0
        && header.payload_bytes <= most_payload && header.payload_bytes > rest.size() - sizeof header;
}

}  // namespace

SpoolFollower::SpoolFollower(std::string path)
    : m_path(std::move(path))
{
}

SpoolFollower::~SpoolFollower()
{
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

bool SpoolFollower::open()
{
    if (m_descriptor < 0) {
        try {
            m_descriptor = open_file(m_path);
        } catch (const std::system_error& error) {
            if (error.code() == std::errc::no_such_file_or_directory) {
                return false;
            }
            throw;
        }
    }
    return true;
}

std::size_t SpoolFollower::read(const std::function<void(const SpoolChunk&)>& take)
{
    if (!open()) {
        return 0;
    }
    struct stat status { };
    if (::fstat(m_descriptor, &status) != 0) {
        throw std::system_error(errno, std::generic_category(), m_path);
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size < m_offset) {
        throw std::runtime_error(m_path + ": was cut to " + std::to_string(size)
            + " bytes while it was read up to byte " + std::to_string(m_offset));
    }
    std::size_t chunks = 0;
    while (m_offset < size) {  // what is written meanwhile is left for the next read, so that this one ends
        const auto before = m_rest.size();
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece, size - m_offset));
        m_rest.resize(before + wanted);
        const ssize_t got = ::pread(m_descriptor, m_rest.data() + before, wanted, static_cast<off_t>(m_offset));
        m_rest.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            throw std::system_error(errno, std::generic_category(), m_path);
        }
        if (got == 0) {
            break;
        }
        m_offset += static_cast<std::uint64_t>(got);
        chunks += take_chunks(take);
    }
    return chunks;
}

std::size_t SpoolFollower::take_chunks(const std::function<void(const SpoolChunk&)>& take)
{
    const std::span<const std::byte> bytes(m_rest);
    std::size_t chunks = 0;
    std::size_t at = 0;
    while (at < bytes.size()) {
        SpoolHeader header {};
        if (sound_chunk(bytes, at, header)) {
            m_has_chunk = true;
            take({header.kind, header.writer, header.count, bytes.subspan(at + sizeof header, header.payload_bytes)});
            at += sizeof header + header.payload_bytes;
            ++chunks;
            continue;
        }
        if (may_be_unfinished(bytes, at)) {
            break;
        }
        if (!m_has_chunk && at == 0) {
            throw std::runtime_error(m_path + ": not a spool: its first chunk is not valid");
        }
        // The last bytes may be the beginning of a header whose rest is still to come.
        const auto next = next_magic(bytes, at + 1);
        const auto kept
            = next == bytes.size() ? bytes.size() - std::min(bytes.size() - at - 1, sizeof spool_magic - 1) : next;
        at = kept;
        if (next == bytes.size()) {
            break;
        }
    }
    m_rest.erase(m_rest.begin(), m_rest.begin() + static_cast<std::ptrdiff_t>(at));
    return chunks;
}

}  // namespace lanes
