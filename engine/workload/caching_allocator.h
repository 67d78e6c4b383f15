// SPDX-License-Identifier: MIT
// What PyTorch's caching allocator does with the memory of one GPU: which segments it asks of cudaMalloc, which block
// of them a buffer gets, and which segments it gives back with cudaFree when its limit leaves too little (PyTorch's
// does it after a cudaMalloc that failed, too). The CUDA runner and the model device make the calls that it asks for.
//
// Sizes are those of c10/cuda/CUDACachingAllocator (PyTorch 2): requests are rounded up to 512 B; up to 1 MiB they
// share segments of 2 MiB, below 10 MiB segments of 20 MiB, above each has one of its own, rounded up to 2 MiB. The
// smallest free block that is large enough is taken, and split if what is left can be used: 512 B of a small segment,
// more than 1 MiB of a large one. Blocks serve the stream that they were made for, and neighbours that are free are
// joined.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lanes {

class CachingAllocator {
public:
    using Segment = std::uint32_t;  ///< numbered in the order in which they were made

    struct Place {
        Segment segment;
        std::uint64_t offset;  ///< bytes
    };

    struct Released {
        Segment segment;
        std::uint64_t bytes;
    };

    /// The calls to make for a request, in this order.
    struct Answer {
        std::vector<Released> released;  ///< one cudaFree each: no block of them is in use
        std::optional<std::uint64_t> made;  ///< one cudaMalloc of so many bytes; `place` is in this new segment
        std::optional<Place> place;  ///< nothing: the limit leaves too little, even after `released`
    };

    /// `limit`: bytes that all segments may have together; 0: no limit.
    explicit CachingAllocator(std::uint64_t limit)
        : m_limit(limit)
    {
    }

    /// A block of `bytes` > 0 bytes for work on `stream`, any number that names one. Cost: linear in the blocks.
    Answer take(std::uint64_t stream, std::uint64_t bytes);

    /// The block at `place` is free again.
    void give_back(Place place);

private:
    struct Block {
        std::uint64_t bytes;
        bool used;
    };
    struct Held {
        std::uint64_t stream, bytes;
        bool small;
        std::map<std::uint64_t, Block> blocks;  ///< by offset; together they are all of it
    };

    std::optional<Place> find(std::uint64_t stream, std::uint64_t bytes);
    std::vector<Released> release_unused();

    std::uint64_t m_limit;
    std::uint64_t m_reserved = 0;
    Segment m_next = 0;
    std::map<Segment, Held> m_segments;
};

}  // namespace lanes
