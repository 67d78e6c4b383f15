// SPDX-License-Identifier: MIT
#include "gui/timeline/view_history.h"

namespace lanes::gui {

namespace {

constexpr qint64 burst_ms = 400;
constexpr std::size_t most_steps = 100;

}  // namespace

void ViewHistory::add(std::function<ViewPlace()> place, std::function<void(const ViewPlace&)> show)
{
    m_views.push_back({std::move(place), std::move(show)});
}

ViewHistory::Places ViewHistory::now() const
{
    Places places;
    for (const View& view : m_views) {
        places.push_back(view.place());
    }
    return places;
}

void ViewHistory::remember()
{
    if (m_moving) {
        return;
    }
    const bool burst = m_sinceRemembered.isValid() && m_sinceRemembered.elapsed() < burst_ms;
    m_sinceRemembered.start();
    if (burst && !m_back.empty()) {
        return;
    }
    m_forward.clear();
    m_back.push_back(now());
    if (m_back.size() > most_steps) {
        m_back.erase(m_back.begin());
    }
}

void ViewHistory::step(std::vector<Places>& from, std::vector<Places>& to)
{
    const Places here = now();
    while (!from.empty() && from.back() == here) {  // what was remembered before a move that led nowhere
        from.pop_back();
    }
    if (from.empty()) {
        return;
    }
    const Places there = std::move(from.back());
    from.pop_back();
    to.push_back(here);
    m_sinceRemembered.invalidate();
    m_moving = true;
    for (std::size_t i = 0; i < m_views.size() && i < there.size(); ++i) {
        m_views[i].show(there[i]);
    }
    m_moving = false;
}

void ViewHistory::clear()
{
    m_back.clear();
    m_forward.clear();
    m_sinceRemembered.invalidate();
}

}  // namespace lanes::gui
