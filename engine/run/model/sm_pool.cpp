// SPDX-License-Identifier: MIT
#include "engine/run/model/sm_pool.h"

#include <algorithm>
#include <cmath>

namespace lanes::model {

namespace {

constexpr double tiny = 1e-3;  // ns: below the resolution of a time, above the rounding errors of sums
constexpr std::uint32_t most_waves = 32;  // of one grid; more are taken together

std::size_t index_of(KernelWork work)
{
    return static_cast<std::size_t>(work);
}

}  // namespace

SmPool::SmPool(const ModelDevice& device)
    : m_device(device)
    , m_slots(device.multiprocessors * device.blocks_per_multiprocessor)
    , m_free(m_slots)
{
}

double SmPool::waves(std::uint32_t blocks) const
{
    return std::ceil(static_cast<double>(blocks) / m_slots);
}

void SmPool::add(const Request& request)
{
    Grid grid {.request = request, .unplaced = request.blocks, .block_time = 0};
    const double count = std::min(waves(request.blocks), static_cast<double>(most_waves));
    grid.unplaced = std::min(request.blocks, m_slots * most_waves);
    grid.block_time = request.time / count;
    const auto place = std::upper_bound(m_grids.begin(), m_grids.end(), grid,
        [](const Grid& a, const Grid& b) { return a.request.priority < b.request.priority; });
    const auto at = static_cast<std::size_t>(place - m_grids.begin());
    m_grids.insert(place, grid);
    for (auto& cohort : m_cohorts) {
        cohort.grid += cohort.grid >= at ? 1 : 0;
    }
}

void SmPool::release(std::uint32_t operation)
{
    for (auto& cohort : m_cohorts) {
        if (m_grids[cohort.grid].request.operation == operation) {
            cohort.end = 0;
        }
    }
}

void SmPool::settle(Ns now)
{
    m_started.clear();
    m_finished.clear();
    advance(now);
    end_cohorts();
    place();
    set_rates();
}

void SmPool::advance(Ns now)
{
    const auto passed = static_cast<double>(now - m_now);
    for (std::size_t work = 0; work < m_clock.size(); ++work) {
        m_clock[work] += passed * m_rate[work];
    }
    m_now = now;
}

void SmPool::end_cohorts()
{
    for (std::size_t k = 0; k < m_cohorts.size();) {
        const auto cohort = m_cohorts[k];
        auto& grid = m_grids[cohort.grid];
        if (cohort.end > m_clock[index_of(grid.request.work)] + tiny) {
            ++k;
            continue;
        }
        m_free += cohort.blocks;
        grid.running -= cohort.blocks;
        m_cohorts.erase(m_cohorts.begin() + static_cast<std::ptrdiff_t>(k));
        if (grid.running == 0 && grid.unplaced == 0) {
            m_finished.push_back(grid.request.operation);
            m_grids.erase(m_grids.begin() + static_cast<std::ptrdiff_t>(cohort.grid));
            for (auto& other : m_cohorts) {
                other.grid -= other.grid > cohort.grid ? 1 : 0;
            }
        }
    }
}

void SmPool::place()
{
    auto begun = std::count_if(m_grids.begin(), m_grids.end(), [](const Grid& grid) { return grid.begun; });
    for (std::size_t k = 0; k < m_grids.size() && m_free > 0; ++k) {
        auto& grid = m_grids[k];
        // A grid whose blocks wait for one another waits until all of it fits.
        if (grid.unplaced == 0 || (grid.request.held && grid.unplaced > m_free)) {
            continue;
        }
        if (!grid.begun) {
            if (begun >= static_cast<std::ptrdiff_t>(m_device.resident_grids)) {
                continue;
            }
            ++begun;
            grid.begun = true;
            m_started.push_back(grid.request.operation);
        }
        const auto blocks = std::min(m_free, grid.unplaced);
        m_free -= blocks;
        grid.unplaced -= blocks;
        grid.running += blocks;
        const double start = m_clock[index_of(grid.request.work)];
        m_cohorts.push_back({k, blocks, grid.request.held ? HUGE_VAL : start + grid.block_time});
    }
}

void SmPool::set_rates()
{
    double arithmetic = 0;  // demand, in multiprocessors
    double memory = 0;  // demand, as a part of the bandwidth
    for (const auto& grid : m_grids) {
        if (grid.request.held) {
            continue;
        }
        if (grid.request.work == KernelWork::fma) {
            arithmetic += std::min<double>(grid.running, m_device.multiprocessors);
        } else if (grid.request.work == KernelWork::memory) {
            memory += std::min(1.0, static_cast<double>(grid.running) / m_device.blocks_to_saturate_memory);
        }
    }
    m_rate[index_of(KernelWork::fma)] = std::min(1.0, m_device.multiprocessors / std::max(arithmetic, 1.0));
    m_rate[index_of(KernelWork::memory)] = std::min(1.0, 1.0 / std::max(memory, tiny));
    m_next = never;
    for (const auto& cohort : m_cohorts) {
        const auto work = index_of(m_grids[cohort.grid].request.work);
        if (cohort.end < HUGE_VAL) {
            const double left = std::max(0.0, (cohort.end - m_clock[work]) / m_rate[work] - tiny);
            m_next = std::min(m_next, m_now + static_cast<Ns>(std::ceil(left)));
        }
    }
}

}  // namespace lanes::model
