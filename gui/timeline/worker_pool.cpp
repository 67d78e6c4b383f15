// SPDX-License-Identifier: MIT
#include "gui/timeline/worker_pool.h"

#include <QCoreApplication>
#include <QTimer>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace lanes::gui {

namespace {

constexpr int look_again_ms = 15;

struct AllPools {
    std::mutex mutex;  // the first to use workerPool() may be any thread
    std::vector<const WorkerPool*> pools;
};

AllPools& allPools()
{
    static AllPools all;
    return all;
}

}  // namespace

WorkerPool::WorkerPool()
{
    const std::lock_guard lock(allPools().mutex);
    allPools().pools.push_back(this);
}

WorkerPool::~WorkerPool()
{
    const std::lock_guard lock(allPools().mutex);
    std::erase(allPools().pools, this);
}

QThreadPool* workerPool()
{
    static WorkerPool pool;
    static const bool waitsAtTheEnd = [] {
        qAddPostRoutine([] { pool.waitForDone(); });
        return true;
    }();
    Q_UNUSED(waitsAtTheEnd)
    return &pool;
}

bool workersRest()
{
    const std::lock_guard lock(allPools().mutex);
    const auto& pools = allPools().pools;
    return std::none_of(
        pools.begin(), pools.end(), [](const WorkerPool* pool) { return pool->activeThreadCount() > 0; });
}

void onceWorkersRest(QObject* context, std::function<void()> then)
{
    if (workersRest()) {
        then();
        return;
    }
    QTimer::singleShot(look_again_ms, context,
        [context, then = std::move(then)]() mutable { onceWorkersRest(context, std::move(then)); });
}

}  // namespace lanes::gui
