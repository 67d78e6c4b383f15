// SPDX-License-Identifier: MIT
#include "probes/cupti/buffer_pool.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace lanes {

BufferPool::BufferPool(std::size_t bytes)
    : m_bytes(bytes)
{
    m_idle.reserve(max_idle);
}

BufferPool::~BufferPool()
{
    for (auto* buffer : m_idle) {
        std::free(buffer);
    }
}

std::uint8_t* BufferPool::take()
{
    {
        const std::lock_guard lock(m_mutex);
        ++m_taken;
        if (!m_idle.empty()) {
            auto* buffer = m_idle.back();
            m_idle.pop_back();
            return buffer;
        }
        ++m_made;
    }
    return static_cast<std::uint8_t*>(std::calloc(m_bytes, 1));
}

void BufferPool::give_back(std::uint8_t* buffer, std::size_t used)
{
    std::memset(buffer, 0, std::min(used, m_bytes));
    {
        const std::lock_guard lock(m_mutex);
        --m_taken;
        if (m_idle.size() < max_idle) {
            m_idle.push_back(buffer);
            return;
        }
    }
    std::free(buffer);
}

std::size_t BufferPool::made() const
{
    const std::lock_guard lock(m_mutex);
    return m_made;
}

std::size_t BufferPool::taken() const
{
    const std::lock_guard lock(m_mutex);
    return m_taken;
}

}  // namespace lanes
