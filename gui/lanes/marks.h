// SPDX-License-Identifier: MIT
// The marks that somebody set in a recording: moments with a text, in the order of time. They are the one thing of an
// open recording that changes, and they stay with it wherever it is shown.
//
// Invariant: sorted by time, no two at the same ns. A few dozen: everything is linear.
#pragma once

#include "engine/trace/trace.h"

#include <optional>

namespace lanes::gui {

class Marks {
public:
    Marks() = default;
    explicit Marks(std::vector<UserMark> marks) { set(std::move(marks)); }

    const std::vector<UserMark>& all() const { return m_marks; }
    void set(std::vector<UserMark> marks);
    /// A mark at that time, the one that is there or a new one without text. Times before the start are the start.
    std::size_t add(Ns time);
    void rename(std::size_t mark, std::string text) { m_marks.at(mark).text = std::move(text); }
    void remove(std::size_t mark) { m_marks.erase(m_marks.begin() + static_cast<std::ptrdiff_t>(mark)); }
    std::optional<std::size_t> at(Ns time) const;
    /// The first mark after `time`, the last before it.
    std::optional<std::size_t> after(Ns time) const;
    std::optional<std::size_t> before(Ns time) const;

private:
    std::vector<UserMark> m_marks;
};

}  // namespace lanes::gui
