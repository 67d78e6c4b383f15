// SPDX-License-Identifier: MIT
#include "probes/regular_file.h"
#include "probes/spool.h"
#include "probes/spool_format.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

/// A file mapped for reading, unmapped at the end of the scope.
class MappedFile {
public:
    explicit MappedFile(const std::string& path)
    {
        const int descriptor = open_file(path);
        struct stat status { };
        ::fstat(descriptor, &status);
        m_size = static_cast<std::size_t>(status.st_size);
        if (m_size > 0) {
            m_data = ::mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        }
        const int error = errno;
        ::close(descriptor);
        if (m_data == MAP_FAILED) {
            throw std::system_error(error, std::generic_category(), path);
        }
    }
    ~MappedFile()
    {
        if (m_data != nullptr) {
            ::munmap(m_data, m_size);
        }
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(m_data), m_size}; }

private:
    void* m_data = nullptr;
    std::size_t m_size = 0;
};

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
    const MappedFile file(path);
    try {
        return read_spool(file.bytes(), take);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(path + ": " + error.what());
    }
}

SpoolEnd read_spool(std::span<const std::byte> bytes, const std::function<void(const SpoolChunk&)>& take)
{
    SpoolEnd end;
    end.bytes = bytes.size();
    bool damaged = false;
    std::map<std::uint32_t, std::uint32_t> next_sequence;
    for (std::size_t at = 0; at < bytes.size();) {
        SpoolHeader header {};
        if (!sound_chunk(bytes, at, header)) {
            if (!damaged) {
                end.damaged_at = at;
                damaged = true;
            }
            at = next_magic(bytes, at + 1);
            continue;
        }
        auto& expected = next_sequence[header.writer];
        if (header.sequence > expected) {
            end.lost_chunks += header.sequence - expected;
        }
        expected = header.sequence + 1;
        const auto size = sizeof header + header.payload_bytes;
        ++end.chunks;
        end.sound_bytes += size;
        take({header.kind, header.writer, header.count, bytes.subspan(at + sizeof header, header.payload_bytes)});
        at += size;
    }
    if (end.chunks == 0) {
        throw std::runtime_error("not a spool: no valid chunk in " + std::to_string(bytes.size()) + " bytes");
    }
    if (damaged) {
        end.note = std::to_string(end.bytes - end.sound_bytes) + " of " + std::to_string(end.bytes)
            + " bytes could not be read, the first at byte " + std::to_string(end.damaged_at);
    }
    return end;
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
