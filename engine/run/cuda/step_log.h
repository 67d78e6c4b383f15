// SPDX-License-Identifier: MIT
// The steps that one thread ran, written by it and drained by another.
//
// Invariant: entries below the published count do not change. push() is a store and
// a release; it allocates only if a program runs more steps than foreseen.
#pragma once

#include "probes/record_sink.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

namespace lanes {

class StepLog {
public:
    /// Prepares memory with touched pages for `foreseen` entries.
    explicit StepLog(std::size_t foreseen)
    {
        m_blocks.resize(most_blocks);
        const std::size_t blocks = std::min((foreseen + block - 1) / block + 1, most_blocks);
        for (std::size_t b = 0; b < blocks; ++b) {
            m_blocks[b] = std::make_unique<Block>();  // value-initialised: its pages are touched
        }
    }

    void push(const StepRecord& record)
    {
        const std::size_t at = m_count.load(std::memory_order_relaxed);
        if (at / block >= most_blocks) {
            return;  // after 67 million steps of one thread, further ones are not logged
        }
        auto& place = m_blocks[at / block];
        if (place == nullptr) {
            place = std::make_unique<Block>();
        }
        (*place)[at % block] = record;
        m_count.store(at + 1, std::memory_order_release);
    }

    std::size_t size() const { return m_count.load(std::memory_order_acquire); }

    const StepRecord& at(std::size_t index) const { return (*m_blocks[index / block])[index % block]; }

    /// The last step that began; no_id: none. Any thread may call it.
    std::uint32_t last() const
    {
        const std::size_t count = size();
        return count == 0 ? no_id : at(count - 1).step;
    }

    /// Hands the entries since the last drain to `sink`. One thread at a time.
    void drain(RecordSink& sink)
    {
        for (const std::size_t end = size(); m_drained < end;) {
            const std::size_t in_block = m_drained % block;
            const std::size_t count = std::min(end - m_drained, block - in_block);
            sink.write(std::span<const StepRecord>(m_blocks[m_drained / block]->data() + in_block, count));
            m_drained += count;
        }
    }

private:
    static constexpr std::size_t block = 1U << 14U;
    static constexpr std::size_t most_blocks = 1U << 12U;
    using Block = std::array<StepRecord, block>;
    std::vector<std::unique_ptr<Block>> m_blocks;
    std::atomic<std::size_t> m_count = 0;
    std::size_t m_drained = 0;
};

}  // namespace lanes
