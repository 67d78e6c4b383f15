// SPDX-License-Identifier: MIT
#include "probes/regular_file.h"
#include "probes/spool.h"
#include "probes/spool_format.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

/// What is to be read of a spool, a piece at a time: a file that becomes shorter meanwhile just ends there.
class Pieces {
public:
    explicit Pieces(std::span<const std::byte> bytes)
        : m_here(bytes)
    {
    }
    explicit Pieces(const std::string& path)
        : m_path(path)
        , m_file(open_file(path))
    {
        struct stat status { };
        if (::fstat(m_file, &status) != 0) {
            const int error = errno;
            ::close(m_file);
            throw std::system_error(error, std::generic_category(), path);
        }
        m_left = static_cast<std::uint64_t>(status.st_size);  // not what is written meanwhile, so that reading ends
    }
    ~Pieces()
    {
        if (m_file >= 0) {
            ::close(m_file);
        }
    }
    Pieces(const Pieces&) = delete;
    Pieces& operator=(const Pieces&) = delete;

    /// At least `size` bytes from the current place, or all that are left. Valid until the next call.
    std::span<const std::byte> at_least(std::size_t size)
    {
        while (m_here.size() < size && m_left > 0) {
            read(size);
        }
        return m_here;
    }
    void skip(std::size_t size)
    {
        m_here = m_here.subspan(size);
        m_offset += size;
    }
    /// Offset of the current place.
    std::uint64_t offset() const { return m_offset; }
    /// Whether at_least() has no more to give.
    bool is_last() const { return m_left == 0; }

private:
    void read(std::size_t size)
    {
        constexpr std::size_t piece = std::size_t {1} << 20U;  // fits a processor's cache
        const auto before = m_here.size();
        if (const auto needed = std::max(size, before + 1) + piece; needed > m_room) {
            auto larger = std::make_unique_for_overwrite<std::byte[]>(needed);
            std::copy(m_here.begin(), m_here.end(), larger.get());
            m_bytes = std::move(larger);
            m_room = needed;
        } else {
            std::memmove(m_bytes.get(), m_here.data(), before);
        }
        m_here = {m_bytes.get(), before};
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(m_room - before, m_left));
        const auto at = static_cast<off_t>(m_offset + before);
        const ssize_t got = ::pread(m_file, m_bytes.get() + before, wanted, at);
        if (got < 0 && errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), m_path);
        }
        if (got >= 0) {
            m_here = {m_bytes.get(), before + static_cast<std::size_t>(got)};
            m_left = got == 0 ? 0 : m_left - static_cast<std::uint64_t>(got);
        }
    }

    std::string m_path;
    int m_file = -1;
    std::uint64_t m_left = 0;  ///< not read yet
    std::uint64_t m_offset = 0;
    std::unique_ptr<std::byte[]> m_bytes;
    std::size_t m_room = 0;
    std::span<const std::byte> m_here;
};

/// The chunk that begins where `pieces` are, and its bytes; empty if no sound one does.
std::span<const std::byte> chunk_at(Pieces& pieces, SpoolHeader& header)
{
    auto bytes = pieces.at_least(sizeof header);
    if (bytes.size() >= sizeof header) {
        std::memcpy(&header, bytes.data(), sizeof header);
        if (header.magic == spool_magic && header.payload_bytes <= most_payload) {
            bytes = pieces.at_least(sizeof header + header.payload_bytes);
        }
    }
    return sound_chunk(bytes, 0, header) ? bytes.first(sizeof header + header.payload_bytes)
                                         : std::span<const std::byte>();
}

/// Goes on to the next place after the first byte where a chunk might begin.
void skip_damage(Pieces& pieces)
{
    constexpr auto length = sizeof spool_magic;
    for (std::size_t from = 1;; from = 0) {
        const auto bytes = pieces.at_least(from + length);
        const auto next = next_magic(bytes, std::min(from, bytes.size()));
        if (next < bytes.size() || pieces.is_last()) {
            pieces.skip(next);
            return;
        }
        pieces.skip(std::max(from, bytes.size() - (length - 1)));  // the next chunk's first bytes may be there already
    }
}

SpoolEnd read_pieces(Pieces& pieces, const std::function<void(const SpoolChunk&)>& take)
{
    SpoolEnd end;
    bool damaged = false;
    std::uint16_t other_version = 0;
    std::map<std::uint32_t, std::uint32_t> next_sequence;
    while (!pieces.at_least(1).empty()) {
        SpoolHeader header {};
        const auto bytes = chunk_at(pieces, header);
        if (bytes.empty()) {
            if (header.magic == spool_magic && header.version != spool_version) {
                other_version = header.version;
            }
            if (!damaged) {
                end.damaged_at = pieces.offset();
                damaged = true;
            }
            skip_damage(pieces);
            continue;
        }
        auto& expected = next_sequence[header.writer];
        if (header.sequence > expected) {
            end.lost_chunks += header.sequence - expected;
        }
        expected = header.sequence + 1;
        ++end.chunks;
        end.sound_bytes += bytes.size();
        take({header.kind, header.writer, header.count, bytes.subspan(sizeof header)});
        pieces.skip(bytes.size());
    }
    end.bytes = pieces.offset();
    if (end.chunks == 0 && other_version != 0) {
        throw std::runtime_error("a spool of version " + std::to_string(other_version) + ", this Lanescope reads "
            + std::to_string(spool_version));
    }
    if (end.chunks == 0) {
        throw std::runtime_error("not a spool: no valid chunk in " + std::to_string(end.bytes) + " bytes");
    }
    if (damaged) {
        end.note = std::to_string(end.bytes - end.sound_bytes) + " of " + std::to_string(end.bytes)
            + " bytes could not be read, the first at byte " + std::to_string(end.damaged_at);
    }
    return end;
}

/// Takes `size` bytes off the front of `rest`; false if there are fewer.
bool take_front(std::span<const std::byte>& rest, std::size_t size, std::span<const std::byte>& front)
{
    if (rest.size() < size) {
        return false;
    }
    front = rest.first(size);
    rest = rest.subspan(size);
    return true;
}

bool take_number(std::span<const std::byte>& rest, std::uint32_t& number)
{
    std::span<const std::byte> front;
    if (!take_front(rest, sizeof number, front)) {
        return false;
    }
    std::memcpy(&number, front.data(), sizeof number);
    return true;
}

bool take_text(std::span<const std::byte>& rest, std::string_view& text)
{
    std::uint32_t length = 0;
    std::span<const std::byte> front;
    if (!take_number(rest, length) || !take_front(rest, length, front)) {
        return false;
    }
    text = {reinterpret_cast<const char*>(front.data()), front.size()};
    return true;
}

}  // namespace

SpoolEnd read_spool(const std::string& path, const std::function<void(const SpoolChunk&)>& take)
{
    Pieces pieces(path);
    try {
        return read_pieces(pieces, take);
    } catch (const std::system_error&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(path + ": " + error.what());
    }
}

SpoolEnd read_spool(std::span<const std::byte> bytes, const std::function<void(const SpoolChunk&)>& take)
{
    Pieces pieces(bytes);
    return read_pieces(pieces, take);
}

std::vector<SpoolText> strings_of(const SpoolChunk& chunk)
{
    std::vector<SpoolText> texts;
    auto rest = chunk.payload;
    for (SpoolText entry {};
         chunk.kind == RecordKind::strings && take_number(rest, entry.id) && take_text(rest, entry.text);) {
        texts.push_back(entry);
    }
    return texts;
}

std::vector<std::array<std::string_view, 2>> meta_of(const SpoolChunk& chunk)
{
    std::vector<std::array<std::string_view, 2>> pairs;
    auto rest = chunk.payload;
    for (std::array<std::string_view, 2> pair;
         chunk.kind == RecordKind::meta && take_text(rest, pair[0]) && take_text(rest, pair[1]);) {
        pairs.push_back(pair);
    }
    return pairs;
}

}  // namespace lanes
