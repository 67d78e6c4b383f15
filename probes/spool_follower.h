// SPDX-License-Identifier: MIT
// Reads a spool while it is being written: each read() takes what is new since the last one.
//
// An incomplete chunk at the end of the file is read later. A complete chunk with a wrong checksum is damage: it is
// skipped up to the next sound chunk, as in read_spool(). Everything in the file is untrusted.
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
    /// The file need not exist yet.
    explicit SpoolFollower(std::string path);
    ~SpoolFollower();
    SpoolFollower(const SpoolFollower&) = delete;
    SpoolFollower& operator=(const SpoolFollower&) = delete;

    /// Calls `take` for each new sound chunk, in file order. Returns their number; 0 if the file does not exist yet.
    /// Throws std::runtime_error if the file is not a spool or has become shorter, NotAFile and std::system_error if it
    /// cannot be read. Cost: reads what is new once; memory for the longest chunk.
    std::size_t read(const std::function<void(const SpoolChunk&)>& take);

private:
    bool open();
    std::size_t take_chunks(const std::function<void(const SpoolChunk&)>& take);

    std::string m_path;
    int m_descriptor = -1;
    std::uint64_t m_offset = 0;  ///< of the first byte that was not read
    bool m_has_chunk = false;
    std::vector<std::byte> m_rest;  ///< read, but no whole chunk yet
};

}  // namespace lanes
