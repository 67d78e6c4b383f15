// SPDX-License-Identifier: MIT
// How two recordings lie on one time scale: each has an anchor, and the anchors lie
// under one another.
//
// Times are converted exactly. Views are moved by whole columns, so that a column keeps its colour; therefore the same
// time may lie up to half a column apart in the two views.
#pragma once

#include "engine/trace/trace.h"
#include "gui/lanes/shown_recording.h"
#include "gui/lanes/time_scale.h"

#include <array>
#include <optional>
#include <QString>

namespace lanes::gui {

struct Alignment {
    std::array<Ns, 2> anchor {0, 0};  ///< in each recording's own time
    QString name;  ///< "matmul #3" where the anchors are occurrences of a name
    Ns uncertainty = 0;  ///< of a moment that two clocks have in common: so far the anchors may be apart

    bool atStarts() const { return anchor[0] == anchor[1]; }
    /// Added to a time of recording 0, this gives the time of `side`.
    Ns offsetOf(int side) const { return side == 0 ? 0 : anchor[1] - anchor[0]; }
    Ns across(Ns time, int from) const { return from == 0 ? time + offsetOf(1) : time - offsetOf(1); }
    Interval across(Interval span, int from) const { return {across(span.start, from), across(span.end, from)}; }
    /// The scale of the other view: as wide, and moved by the nearest whole number of columns.
    TimeScale across(const TimeScale& scale, int from) const;
    /// The least span in the time of recording 0 that holds both, from where the first of them begins.
    Interval spanOf(const std::array<Ns, 2>& ends) const;
    Alignment swapped() const { return {{anchor[1], anchor[0]}, name, uncertainty}; }

    /// "aligned at matmul #3", "aligned at 3.2 ms of A and the start of B"; "aligned at their starts".
    QString text() const;
    friend bool operator==(const Alignment&, const Alignment&) = default;
};

/// The occurrences of a name in a recording: of marks, or else of ranges, GPU operations, API calls.
struct Occurrences {
    std::size_t count = 0;
    std::optional<Ns> start;  ///< of the n-th
};
/// `n` from 1. Linear in the rows.
Occurrences occurrencesOf(const ShownRecording& recording, std::string_view name, std::size_t n);
/// Every name for which occurrencesOf() finds something, each once.
std::vector<std::string> namesIn(const ShownRecording& recording);
/// The name by which occurrencesOf() finds an item; empty where there is none.
QString nameOf(const Recording& recording, ItemRef item);

}  // namespace lanes::gui
