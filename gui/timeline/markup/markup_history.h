// SPDX-License-Identifier: MIT
// What the user did to the marks, annotations and lanes of a recording and to the filter, to be taken back. A text that
// is given to what was just placed belongs to placing it, a filter that is changed to the filter before it. Marks,
// annotations and arranged lanes are a few dozen: each step keeps all of them.
#pragma once

#include "gui/lanes/annotation.h"
#include "gui/lanes/lane_arrangement.h"
#include "gui/lanes/marks.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <vector>

namespace lanes::gui {

class Timeline;

class MarkupHistory : public QObject {
    Q_OBJECT

public:
    explicit MarkupHistory(Timeline& timeline);

    /// Another recording is shown: there is nothing to take back.
    void begin();
    /// The number of the last step that undo() takes back, and that redo() does again: of all recordings the later one
    /// has the greater number. 0: there is none.
    std::uint64_t lastDone() const { return m_done.empty() ? 0 : m_done.back().number; }
    std::uint64_t lastUndone() const { return m_undone.empty() ? 0 : m_undone.back().number; }
    /// Before the user arranges lanes or filters: what they are now is what the step leads back to, whoever made it so.
    void settle();
    /// After it.
    void note();
    void undo() { go(m_done, m_undone); }
    void redo() { go(m_undone, m_done); }

    struct Markup {
        std::vector<Annotation> annotations;
        std::vector<UserMark> marks;
        LaneArrangement lanes;
        std::shared_ptr<const Query> filter;  ///< null: none
        friend bool operator==(const Markup& a, const Markup& b);
    };

private:
    struct Step {
        Markup other;  ///< what it leads to
        std::uint64_t number = 0;
        bool isOfMarkup = false, isOfLanes = false,
             isOfFilter = false;  ///< of what it changes, as others change lanes, too
    };
    void noteMarkup();
    void go(std::vector<Step>& from, std::vector<Step>& to);
    Markup current() const;

    Timeline& m_timeline;
    Markup m_now;
    std::vector<Step> m_done, m_undone;
    bool m_isGoing = false;  ///< a step is taken back or done again
    bool m_isWithdrawn = false;  ///< what was placed, before its change is noted
};

}  // namespace lanes::gui
