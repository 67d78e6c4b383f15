// SPDX-License-Identifier: MIT
// Reads a spool while it is written: each look takes what has come since the last one.
//
// A chunk of which a part is missing at the file's end is waited for; what fails its checksum with all its bytes there
// is damage, and is skipped up to the next sound chunk, as read_spool() does. Everything in the file is untrusted.
#pragma once

#include "probes/spool.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanes {

class SpoolFollower {
public:
    /// The file may come later.
    explicit SpoolFollower(std::string path);
    ~SpoolFollower();
    SpoolFollower(const SpoolFollower&) = delete;
    SpoolFollower& operator=(const SpoolFollower&) = delete;

    /// Calls `take` for each sound chunk that is new, in file order; returns how many there were. Throws
    /// std::runtime_error where the file is no spool or was cut, NotAFile and std::system_error where it cannot be
    /// read; a file that is not there yet has no chunk. Cost: what is new is read once; memory for the longest chunk.
    std::size_t read(const std::function<void(const SpoolChunk&)>& take);

    std::uint64_t bytes_read() const { return m_offset; }
    std::uint64_t damaged_bytes() const { return m_damaged; }

    /// No chunk is longer: the writer divides records into parts of 4 MiB. What claims to be is damage, so that nobody
    /// waits for it.
    static constexpr std::size_t most_payload = std::size_t {64} << 20U;

private:
    bool open();
    std::size_t take_chunks(const std::function<void(const SpoolChunk&)>& take);

    std::string m_path;
    int m_descriptor = -1;
    std::uint64_t m_offset = 0;  ///< of the first byte that was not read
    std::uint64_t m_damaged = 0;
    bool m_has_chunk = false;
    std::vector<std::byte> m_rest;  ///< read, but no whole chunk yet
};

}  // namespace lanes
