// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_workers.h"

#include <algorithm>

namespace lanes::gui {

unsigned LaneWorkers::threadCount()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

LaneWorkers::LaneWorkers(std::shared_ptr<LaneBuilder> builder, OnMade onMade)
    : m_builder(std::move(builder))
    , m_onMade(std::move(onMade))
{
    for (std::size_t piece = 0; piece < m_builder->pieces(); ++piece) {
        m_total += m_builder->weight(piece);
    }
    const std::size_t threads = std::min<std::size_t>(threadCount(), m_builder->pieces());
    for (std::size_t i = 0; i < threads; ++i) {
        m_threads.emplace_back([this] { work(); });
    }
}

LaneWorkers::~LaneWorkers()
{
    stop();
    wait();
}

void LaneWorkers::wait()
{
    for (std::thread& thread : m_threads) {
        thread.join();
    }
    m_threads.clear();
}

void LaneWorkers::work()
{
    const std::stop_token stop = m_stop.get_token();
    for (std::size_t piece = m_next++; piece < m_builder->pieces(); piece = m_next++) {
        std::vector<LaneRows> rows = m_builder->make(piece, stop);
        const std::lock_guard lock(m_telling);
        if (stop.stop_requested()) {
            return;
        }
        m_done += m_builder->weight(piece);
        m_onMade(std::move(rows), m_total == 0 ? 1 : static_cast<double>(m_done) / static_cast<double>(m_total));
    }
}

}  // namespace lanes::gui
