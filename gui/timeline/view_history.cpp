// SPDX-License-Identifier: MIT
#include "gui/timeline/view_history.h"

namespace lanes::gui {

namespace {

constexpr std::chrono::milliseconds burst(400);
constexpr std::size_t most_steps = 100;

}  // namespace

ViewHistory::ViewHistory()
    : m_clock([] {
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now().time_since_epoch());
    })
{
}

void ViewHistory::add(std::function<ViewPlace()> place, std::function<void(const ViewPlace&)> show)
{
    m_views.push_back({std::move(place), std::move(show)});
}

ViewHistory::Places ViewHistory::here() const
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
    const auto now = m_clock();
    const bool isBurst = m_remembered && now - *m_remembered < burst;
    m_remembered = now;
    if (isBurst && !m_back.empty()) {
        return;
    }
    m_forward.clear();
    m_back.push_back(here());
    if (m_back.size() > most_steps) {
        m_back.erase(m_back.begin());
    }
}

void ViewHistory::step(std::vector<Places>& from, std::vector<Places>& to)
{
    const Places here = this->here();
    while (!from.empty() && from.back() == here) {  // what was remembered before a move that led nowhere
        from.pop_back();
    }
    if (from.empty()) {
        return;
    }
    const Places there = std::move(from.back());
    from.pop_back();
    to.push_back(here);
    m_remembered.reset();
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
    m_remembered.reset();
}

}  // namespace lanes::gui
