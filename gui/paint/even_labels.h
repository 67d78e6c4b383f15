// SPDX-License-Identifier: MIT
// The texts of bars: equal bars have equal texts. Bars of one row that are called the same, numbers aside, and are
// about equally long take the longest form that fits on all of them, so that labels come and go together as one zooms.
#pragma once

#include <functional>
#include <QStringList>
#include <vector>

namespace lanes::gui {

struct LabelWish {
    QStringList texts;  ///< the longest first; may be empty
    double room = 0;  ///< logical pixels for the text
    double row = 0;  ///< the same for bars that are compared
    bool cut = false;  ///< a part of the bar is out of sight: it is like no other
};

/// Rooms up to that many times the shortest are about equal.
inline constexpr double about_equal = 1.5;

/// The text of each wish, "" where none fits. Cost: n log n, and a width for every form that is looked at.
std::vector<QString> evenTexts(
    const std::vector<LabelWish>& wishes, const std::function<double(const QString&)>& width);

}  // namespace lanes::gui
