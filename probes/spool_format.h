// SPDX-License-Identifier: MIT
// What a chunk of the spool looks like on disk; shared by its writer and its reader.
#pragma once

#include "probes/record.h"

#include <cstddef>
#include <span>
#include <zlib.h>

namespace lanes {

inline constexpr std::uint32_t spool_magic = 0x4C50534CU;  // "LSPL"
inline constexpr std::uint16_t spool_version = 1;

struct SpoolHeader {
    std::uint32_t magic;
    std::uint16_t version;
    RecordKind kind;
    std::uint32_t writer;
    std::uint32_t sequence;  ///< of this writer, from 0
    std::uint32_t payload_bytes;
    std::uint32_t count;
    std::uint32_t checksum;  ///< CRC-32 of the header with this field 0, then of the payload
    std::uint32_t reserved;
};
static_assert(sizeof(SpoolHeader) == 32);

inline std::uint32_t spool_checksum(SpoolHeader header, std::span<const std::byte> payload)
{
    header.checksum = 0;
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(&header), sizeof header);
    return static_cast<std::uint32_t>(crc32_z(sum, reinterpret_cast<const Bytef*>(payload.data()), payload.size()));
}

}  // namespace lanes
