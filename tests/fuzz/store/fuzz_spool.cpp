// SPDX-License-Identifier: MIT
#include "tests/fuzz/store/fuzz_file.h"

#include "probes/spool_format.h"

#include <cstring>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // Checksums made right, so that what is inside a chunk is reached and not only its rejection.
    std::vector<std::uint8_t> bytes(data, data + size);
    for (std::size_t at = 0; bytes.size() - at >= sizeof(lanes::SpoolHeader);) {
        lanes::SpoolHeader header {};
        std::memcpy(&header, bytes.data() + at, sizeof header);
        const auto room = bytes.size() - at - sizeof header;
        header.magic = lanes::spool_magic;
        header.version = lanes::spool_version;
        header.payload_bytes = static_cast<std::uint32_t>(std::min<std::size_t>(header.payload_bytes, room));
        header.checksum = lanes::spool_checksum(
            header, std::as_bytes(std::span(bytes)).subspan(at + sizeof header, header.payload_bytes));
        std::memcpy(bytes.data() + at, &header, sizeof header);
        at += sizeof header + header.payload_bytes;
    }
    lanes::fuzz_file(bytes.data(), bytes.size(), [](const std::string& path) { return lanes::open_spool(path); });
    return 0;
}
