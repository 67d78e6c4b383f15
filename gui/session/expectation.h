// SPDX-License-Identifier: MIT
// "What do you expect?": how long the second of two runs takes, asked before its lanes
// are shown. All choices but the truth are what one would get by other rules from the figures of the same two runs
// (nothing changes, nothing overlaps, everything does, no waiting, ...), so that none looks made up beside the others.
#pragma once

#include "engine/analysis/report.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace lanes::gui {

struct Expectation {
    Ns known = 0;  ///< total of the first run
    std::vector<Ns> choices;  ///< totals of the second to choose from, in no order, at least a fifth apart
    std::size_t right = 0;  ///< which of them it is

    /// Four choices; of a recording of nothing one. `seed` decides their order and nothing else.
    static Expectation of(const Report& first, const Report& second, std::uint32_t seed = 0);
    /// "“Blocking” took 49.2 ms. How long does “Overlapped” take?": `a` and `b` are the variants' titles.
    QString question(const QString& a, const QString& b) const;
    /// "17.3 ms, 2.9 times as fast".
    QString text(std::size_t choice) const;
    /// "You expected 25.3 ms; it took 17.3 ms, 2.9 times as fast".
    QString outcome(std::size_t chosen) const;
    /// Of a show of hands, one number for each choice (none at all: the truth alone): "Hands for 25.3 ms: 4 · 17.3 ms:
    /// 11; it took 17.3 ms, 2.9 times as fast".
    QString outcome(const std::vector<int>& hands) const;
};

}  // namespace lanes::gui
