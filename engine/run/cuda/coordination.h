// SPDX-License-Identifier: MIT
// What the threads of a running program share: the start, the stop, queues and
// joins. A stop wakes every thread that waits here.
#pragma once

#include "engine/workload/program.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace lanes {

class Coordination {
public:
    explicit Coordination(const Program& program)
        : m_queues(program.queues)
        , m_filled(program.queues.size(), 0)
        , m_ended(program.threads.size(), false)
    {
    }

    bool stopped() const { return m_stop.load(std::memory_order_relaxed); }
    void stop()
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
        m_changed.notify_all();
    }

    /// These wait until the thread may go on; false: stopped instead.
    bool put(Index queue)
    {
        return wait_until([&] { return m_filled[queue] < m_queues[queue].capacity; }, [&] { ++m_filled[queue]; });
    }
    bool get(Index queue)
    {
        return wait_until([&] { return m_filled[queue] > 0; }, [&] { --m_filled[queue]; });
    }
    bool join(Index thread)
    {
        return wait_until([&] { return m_ended[thread]; }, [] {});
    }
    bool ended(Index thread)
    {
        const std::lock_guard lock(m_mutex);
        return m_ended[thread];
    }
    void end(Index thread)
    {
        const std::lock_guard lock(m_mutex);
        m_ended[thread] = true;
        m_changed.notify_all();
    }

private:
    template <class Ready, class Then> bool wait_until(const Ready& ready, const Then& then)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_stop.load() || ready(); });
        if (m_stop.load()) {
            return false;
        }
        then();
        lock.unlock();
        m_changed.notify_all();
        return true;
    }

    const std::vector<QueueSpec>& m_queues;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::uint32_t> m_filled;
    std::vector<bool> m_ended;
    std::atomic<bool> m_stop = false;
};

}  // namespace lanes
