// SPDX-License-Identifier: MIT
// What the user did to the marks and annotations of a recording, to be taken back. A text that is given to what was
// just placed belongs to placing it. Marks and annotations are a few dozen: each step keeps all of them.
#pragma once

#include "gui/lanes/annotation.h"
#include "gui/lanes/marks.h"

#include <QObject>

#include <cstdint>
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
    void undo() { go(m_done, m_undone); }
    void redo() { go(m_undone, m_done); }

    struct Markup {
        std::vector<Annotation> annotations;
        std::vector<UserMark> marks;
        friend bool operator==(const Markup&, const Markup&) = default;
    };

private:
    struct Step {
        Markup other;  ///< what it leads to
        std::uint64_t number;
    };
    void note();
    void go(std::vector<Step>& from, std::vector<Step>& to);
    Markup current() const;

    Timeline& m_timeline;
    Markup m_now;
    std::vector<Step> m_done, m_undone;
    bool m_isWithdrawn = false;  ///< what was placed, before its change is noted
};

}  // namespace lanes::gui
