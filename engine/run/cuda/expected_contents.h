// SPDX-License-Identifier: MIT
// What every buffer must hold once all work issued so far is done. The runner
// follows each kernel, copy and memset here as it issues it; a read compares the
// host's bytes with this.
//
// A buffer is cut into segments at the places where partial copies and memsets
// begin and end; within a segment all 8-byte words are the same. Buffers that
// copies or collectives join are cut at the same places, so a copy is a copy of segments, a sum one of segments.
// Invariant: the program issues two writes of one buffer in an order that its
// synchronisation fixes (compile() checked that), so relaxed atomics are enough.
// Cost: one store a segment; most buffers are one segment.
#pragma once

#include "engine/workload/program.h"

#include <atomic>
#include <memory>

namespace lanes {

/// Consecutive segments of one buffer.
struct SegmentSpan {
    std::uint32_t first = 0, count = 0;
};

class ExpectedContents {
public:
    explicit ExpectedContents(const Program& program);

    /// The segments of bytes [offset, offset + bytes) of a buffer; the range was cut there by the constructor.
    SegmentSpan span_of(Index buffer, std::uint64_t offset, std::uint64_t bytes) const;
    SegmentSpan span_of(Index buffer) const;

    void set(SegmentSpan span, std::uint64_t word)
    {
        for (std::uint32_t i = 0; i < span.count; ++i) {
            m_words[span.first + i].store(word, std::memory_order_relaxed);
        }
    }
    void copy(std::uint32_t from, SegmentSpan to)
    {
        for (std::uint32_t i = 0; i < to.count; ++i) {
            m_words[to.first + i].store(m_words[from + i].load(std::memory_order_relaxed), std::memory_order_relaxed);
        }
    }
    std::uint64_t word(std::uint32_t segment) const { return m_words[segment].load(std::memory_order_relaxed); }
    /// The first word of a buffer.
    std::uint64_t first_word(Index buffer) const
    {
        return m_words[m_buffers[buffer].first].load(std::memory_order_relaxed);
    }

    /// Compares the part of `data` that read_sample.h says with what the buffer must hold. Returns the bytes that
    /// differ.
    std::uint64_t wrong_bytes(Index buffer, const void* data) const;

    /// All buffers hold their initial values again.
    void reset();

private:
    std::vector<SegmentSpan> m_buffers;
    std::vector<std::shared_ptr<const std::vector<std::uint64_t>>> m_ends;  ///< of segments, shared by joined buffers
    std::vector<std::uint64_t> m_bytes;
    std::vector<std::uint64_t> m_initial;  ///< words
    std::unique_ptr<std::atomic<std::uint64_t>[]> m_words;
    std::uint32_t m_count = 0;
};

}  // namespace lanes
