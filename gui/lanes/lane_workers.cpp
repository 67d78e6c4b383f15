// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_workers.h"

#include "engine/trace/thread_priority.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace lanes::gui {

unsigned LaneWorkers::threadCount()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

LaneWorkers::LaneWorkers(std::shared_ptr<LaneBuilder> builder, OnMade onMade, OnFailed onFailed)
    : m_builder(std::move(builder))
    , m_onMade(std::move(onMade))
    , m_onFailed(std::move(onFailed))
{
    for (std::size_t piece = 0; piece < m_builder->pieces(); ++piece) {
        m_total += m_builder->weight(piece);
    }
    const std::size_t threads = std::min<std::size_t>(threadCount(), m_builder->pieces());
    m_threads.reserve(threads);
    try {
        for (std::size_t i = 0; i < threads; ++i) {
            m_threads.emplace_back([this] { work(); });
        }
    } catch (const std::system_error&) {  // no more threads are to be had: those that there are do it
        if (m_threads.empty()) {
            const std::lock_guard lock(m_telling);
            fail(std::current_exception());
        }
    }
}

LaneWorkers::~LaneWorkers()
{
    stop();
    join();
}

void LaneWorkers::wait()
{
    join();
    if (const std::exception_ptr failure = std::exchange(m_failure, nullptr)) {
        std::rethrow_exception(failure);
    }
}

void LaneWorkers::join()
{
    for (std::thread& thread : m_threads) {
        thread.join();
    }
    m_threads.clear();
}

void LaneWorkers::work()
{
    lower_priority_of_this_thread();
    const std::stop_token stop = m_stop.get_token();
    try {
        make(stop);
    } catch (...) {
        const std::lock_guard lock(m_telling);
        fail(std::current_exception());
    }
}

void LaneWorkers::fail(const std::exception_ptr& failure)
{
    if (m_stop.request_stop()) {  // the first, of a run that nobody stopped
        m_failure = failure;
        if (m_onFailed) {
            m_onFailed(failure);
        }
    }
}

void LaneWorkers::make(const std::stop_token& stop)
{
    for (std::size_t piece = m_next++; piece < m_builder->pieces(); piece = m_next++) {
        std::vector<LaneRows> rows = m_builder->make(piece, stop);
        const std::lock_guard lock(m_telling);
        if (stop.stop_requested()) {
            return;
        }
        m_done += m_builder->weight(piece);
        try {
            m_onMade(std::move(rows), m_total == 0 ? 1 : static_cast<double>(m_done) / static_cast<double>(m_total));
        } catch (...) {  // here, while no other thread can tell of its piece
            fail(std::current_exception());
            return;
        }
    }
}

}  // namespace lanes::gui
