// SPDX-License-Identifier: MIT
// The places that views showed before, for going back and forward. Views that move together share one history, so that
// a step back moves both of two linked recordings.
//
// A burst of wheel turns or a held key is one step. The last hundred are kept.
#pragma once

#include "gui/lanes/time_scale.h"

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace lanes::gui {

/// What one view shows.
struct ViewPlace {
    TimeScale scale;
    int scroll = 0;  ///< of the lanes
    friend bool operator==(const ViewPlace&, const ViewPlace&) = default;
};

class ViewHistory {
public:
    ViewHistory();

    /// Adds a view: how its place is read, and how it is moved to a place.
    void add(std::function<ViewPlace()> place, std::function<void(const ViewPlace&)> show);

    /// To be called before the views are moved.
    void remember();
    void back() { step(m_back, m_forward); }
    void forward() { step(m_forward, m_back); }
    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    /// To be called when other recordings are opened.
    void clear();

    /// Of some beginning of its own; without one, of the machine's steady clock. It says what is a burst.
    using Clock = std::function<std::chrono::milliseconds()>;
    void setClock(Clock clock) { m_clock = std::move(clock); }

private:
    using Places = std::vector<ViewPlace>;
    struct View {
        std::function<ViewPlace()> place;
        std::function<void(const ViewPlace&)> show;
    };
    Places here() const;
    void step(std::vector<Places>& from, std::vector<Places>& to);

    std::vector<View> m_views;
    std::vector<Places> m_back, m_forward;
    Clock m_clock;
    std::optional<std::chrono::milliseconds> m_remembered;  // when
    bool m_moving = false;  // the history moves the views itself
};

}  // namespace lanes::gui
