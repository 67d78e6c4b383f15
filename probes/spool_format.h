// SPDX-License-Identifier: MIT
// What a chunk of the spool looks like on disk; shared by its writer and its reader.
#pragma once

#include "probes/record.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <zlib.h>

namespace lanes {

inline constexpr std::uint32_t spool_magic = 0x4C50534CU;  // "LSPL"
inline constexpr std::uint16_t spool_version = 2;  ///< of the records' layout

/// A chunk that claims to be longer is damage: the writer makes none above 4 MiB but for very many new texts at once.
inline constexpr std::size_t most_payload = std::size_t {64} << 20U;

struct SpoolHeader {
    std::uint32_t magic;
    std::uint16_t version;
    RecordKind kind;
    std::uint32_t writer;
    std::uint32_t sequence;  ///< of this writer, from 0
    std::uint32_t payload_bytes;
    std::uint32_t count;
    std::uint32_t checksum;  ///< CRC-32 of the header with this field 0, then of the payload
    std::uint32_t reserved;  ///< 0
};
static_assert(sizeof(SpoolHeader) == 32);

inline std::uint32_t spool_checksum(SpoolHeader header, std::span<const std::byte> payload)
{
    header.checksum = 0;
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(&header), sizeof header);
    return static_cast<std::uint32_t>(crc32_z(sum, reinterpret_cast<const Bytef*>(payload.data()), payload.size()));
}

/// The chunk at `at`, if a sound one begins there and is entirely in `bytes`.
inline bool sound_chunk(std::span<const std::byte> bytes, std::size_t at, SpoolHeader& header)
{
    if (bytes.size() - at < sizeof header) {
        return false;
    }
    std::memcpy(&header, bytes.data() + at, sizeof header);
    return header.magic == spool_magic && header.version == spool_version && header.payload_bytes <= most_payload
        && header.payload_bytes <= bytes.size() - at - sizeof header
        && header.checksum == spool_checksum(header, bytes.subspan(at + sizeof header, header.payload_bytes));
}

/// Where the next header might begin, from `at` on; the end of `bytes` if nowhere.
inline std::size_t next_magic(std::span<const std::byte> bytes, std::size_t at)
{
    const auto* magic = reinterpret_cast<const std::byte*>(&spool_magic);
    const auto found
        = std::search(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), magic, magic + sizeof spool_magic);
    return static_cast<std::size_t>(found - bytes.begin());
}

}  // namespace lanes
