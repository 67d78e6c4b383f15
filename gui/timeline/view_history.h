// SPDX-License-Identifier: MIT
// What was shown before, and what was shown before one went back: one history for all views that move together, so
// that a step back is one for both of two linked recordings.
//
// A burst of wheel turns or a held key is one step. The last hundred are kept.
#pragma once

#include "gui/lanes/time_scale.h"

#include <QElapsedTimer>

#include <functional>
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
    /// How to ask a view for its place and how to bring it to one. Views are in the order of this call.
    void add(std::function<ViewPlace()> place, std::function<void(const ViewPlace&)> show);

    /// The views are about to be moved.
    void remember();
    void back() { step(m_back, m_forward); }
    void forward() { step(m_forward, m_back); }
    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    /// Other recordings are shown.
    void clear();

private:
    using Places = std::vector<ViewPlace>;
    struct View {
        std::function<ViewPlace()> place;
        std::function<void(const ViewPlace&)> show;
    };
    Places now() const;
    void step(std::vector<Places>& from, std::vector<Places>& to);

    std::vector<View> m_views;
    std::vector<Places> m_back, m_forward;
    QElapsedTimer m_sinceRemembered;
    bool m_moving = false;  // the history moves the views itself
};

}  // namespace lanes::gui
