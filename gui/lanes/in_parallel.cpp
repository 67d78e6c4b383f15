// SPDX-License-Identifier: MIT
#include "gui/lanes/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lanes::gui {

namespace {

/// One call of inParallel(); it lies on the stack of its caller.
struct Job {
    Job(std::size_t count_, const std::function<void(std::size_t)>& work_)
        : count(count_)
        , work(work_)
    {
    }

    const std::size_t count;
    const std::function<void(std::size_t)>& work;
    std::atomic<std::size_t> next = 0;
    std::size_t helpers = 0;  // threads of the pool that are at it; guarded by the pool's mutex
    std::exception_ptr failure;  // the first; guarded by the pool's mutex

    bool hasMore() const { return next < count; }
};

class Pool {
public:
    static Pool& instance()
    {
        static Pool pool;
        return pool;
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    void run(Job& job)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_jobs.push_back(&job);
        }
        for (std::size_t i = 1; i < std::min(job.count, m_threads.size() + 1); ++i) {
            m_work.notify_one();
        }
        help(job);
        std::unique_lock lock(m_mutex);
        std::erase(m_jobs, &job);  // from here on nobody joins it
        m_left.wait(lock, [&] { return job.helpers == 0; });
    }

private:
    Pool()
    {
        const unsigned threads = std::thread::hardware_concurrency();
        m_threads.reserve(threads);
        try {
            for (unsigned i = 1; i < threads; ++i) {
                m_threads.emplace_back([this] { serve(); });
            }
        } catch (const std::system_error&) {  // no more threads are to be had: those that there are do it
        }
    }
    ~Pool()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ending = true;
        }
        m_work.notify_all();
        for (std::thread& thread : m_threads) {
            thread.join();
        }
    }

    void serve()
    {
        std::unique_lock lock(m_mutex);
        while (true) {
            std::vector<Job*>::iterator at;
            m_work.wait(lock, [&] {
                at = std::find_if(m_jobs.begin(), m_jobs.end(), [](const Job* job) { return job->hasMore(); });
                return m_ending || at != m_jobs.end();
            });
            if (m_ending) {
                return;
            }
            Job& job = **at;
            ++job.helpers;
            lock.unlock();
            help(job);
            lock.lock();
            if (--job.helpers == 0) {
                m_left.notify_all();
            }
        }
    }

    void help(Job& job)
    {
        for (std::size_t i = job.next++; i < job.count; i = job.next++) {
            try {
                job.work(i);
            } catch (...) {
                job.next = job.count;
                const std::lock_guard lock(m_mutex);
                job.failure = job.failure ? job.failure : std::current_exception();
            }
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_work;  // there is a job, or the end
    std::condition_variable m_left;  // a helper left a job
    std::vector<Job*> m_jobs;
    std::vector<std::thread> m_threads;
    bool m_ending = false;
};

}  // namespace

void inParallel(std::size_t count, const std::function<void(std::size_t)>& work)
{
    Job job(count, work);
    Pool::instance().run(job);
    if (job.failure) {
        std::rethrow_exception(job.failure);
    }
}

}  // namespace lanes::gui
