// SPDX-License-Identifier: MIT
// The buffers that CUPTI writes its records into, used over and over.
//
// 2 MiB each. CUPTI asks for one on the program's own thread, so it must come at
// once: from the pool, already zeroed by the thread that read it out. Each thread of
// the program holds one, so large ones cost memory with many threads; but 2 MiB hold
// 50,000 API calls, far more than a thread makes between two flushes, so that a
// buffer that is full, and a request in the midst of a call, is rare. Fresh ones come
// from calloc, which takes whole zero pages from the kernel: what is never written is
// never resident.
//
// All functions may be called from any thread; the lock is held for a push or a pop
// and never while CUPTI is called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace lanes {

class BufferPool {
public:
    static constexpr std::size_t default_bytes = 2U << 20;
    explicit BufferPool(std::size_t bytes = default_bytes);
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    std::size_t bytes() const { return m_bytes; }

    /// A zeroed buffer, aligned to 16 bytes; null when there is no memory.
    std::uint8_t* take();

    /// Takes one back; its first `used` bytes were written. More than `max_idle` idle ones are freed.
    void give_back(std::uint8_t* buffer, std::size_t used);

    /// How many were ever made, for tests of recycling.
    std::size_t made() const;

    /// Buffers that were taken and not yet given back.
    std::size_t taken() const;

private:
    static constexpr std::size_t max_idle = 128;
    const std::size_t m_bytes;
    mutable std::mutex m_mutex;
    std::vector<std::uint8_t*> m_idle;
    std::size_t m_made = 0;
    std::size_t m_taken = 0;
};

}  // namespace lanes
