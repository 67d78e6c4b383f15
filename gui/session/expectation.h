// SPDX-License-Identifier: MIT
// "What do you expect?": how long the second of two runs takes, asked before its lanes
// are shown. The choices are computed from the recordings: the truth, and what one would
// get if nothing changed, if nothing overlapped, if everything did.
#pragma once

#include "engine/analysis/report.h"

#include <QString>

#include <vector>

namespace lanes::gui {

struct Expectation {
    Ns known = 0;  ///< total of the first run
    std::vector<Ns> choices;  ///< totals of the second to choose from, ascending, at least a fifth apart
    std::size_t right = 0;  ///< which of them it is

    /// Two to four choices.
    static Expectation of(const Report& first, const Report& second);
    /// "17.3 ms, 2.9 × faster".
    QString text(std::size_t choice) const;
    /// "You expected 25.3 ms; it took 17.3 ms, 2.9 × faster".
    QString outcome(std::size_t chosen) const;
};

}  // namespace lanes::gui
