// SPDX-License-Identifier: MIT
// Does a few dozen short pieces of work on this thread and on whatever threads of the
// global pool are free. This thread never waits for one that has not begun, so a busy
// pool costs nothing. Cost: some microseconds.
#pragma once

#include <QThreadPool>
#include <atomic>
#include <memory>

namespace lanes::gui {

/// Calls work(0) … work(count - 1), each once, in any order; returns when all have returned.
template <class Work>
void inParallel(std::size_t count, const Work& work)
{
    struct Shared {
        std::atomic<std::size_t> next = 0, done = 0;
    };
    const auto shared = std::make_shared<Shared>();
    // A helper that comes late finds nothing left, and touches nothing but what it shares.
    const auto help = [shared, count, &work] {
        for (std::size_t i = shared->next++; i < count; i = shared->next++) {
            work(i);
            ++shared->done;
            shared->done.notify_one();
        }
    };
    QThreadPool* pool = QThreadPool::globalInstance();
    for (int i = 1; i < pool->maxThreadCount() && static_cast<std::size_t>(i) < count && pool->tryStart(help); ++i) {
    }
    help();
    for (std::size_t done = shared->done; done < count; done = shared->done) {
        shared->done.wait(done);
    }
}

}  // namespace lanes::gui
