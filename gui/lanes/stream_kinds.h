// SPDX-License-Identifier: MIT
// Which kinds of operations each stream did and for how long, and which of them a filter lets through: enough to know
// what lanes there are before any of them is made, what each is for, and in which order they come.
//
// Cost: a look at each operation's kind, times and, of a kernel, name; the filter's few ns for each until one of its
// kind and part is let through; on all cores.
#pragma once

#include "engine/analysis/facts/communication.h"
#include "gui/lanes/lane_choice.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace lanes::gui {

/// A set of OperationKind: bit 1 << kind.
using KindSet = std::uint8_t;

constexpr bool has(KindSet kinds, OperationKind kind)
{
    return (kinds >> static_cast<unsigned>(kind) & 1U) != 0;
}

/// By StreamPart.
template <class T> using ByPart = std::array<T, static_cast<std::size_t>(StreamPart::last) + 1>;

struct StreamKinds {
    KindSet all = 0;
    KindSet shown = 0;
    ByPart<bool> does = {}, shows = {};  ///< whether it has operations of a part; whether the filter lets any through
    ByPart<Ns> busy = {};  ///< the sum of their lengths in the span, each at least 1: 0 where there are none

    bool has(StreamPart part) const { return does[static_cast<std::size_t>(part)]; }
    bool hasShown(StreamPart part) const { return shows[static_cast<std::size_t>(part)]; }
    Ns busyWith(StreamPart part) const { return busy[static_cast<std::size_t>(part)]; }
    Ns busyWithAll() const { return std::accumulate(busy.begin(), busy.end(), Ns {0}); }
    /// Whether all that it did is of one part.
    bool isOnly(StreamPart part) const { return has(part) && std::count(does.begin(), does.end(), true) == 1; }
};

/// Not whole.
StreamPart partOf(const Trace& trace, const CommunicationKernels& communicates, Row operation);

/// By row of the trace's streams; `span` is what they were busy in.
std::vector<StreamKinds> kindsOfStreams(
    const Trace& trace, const CommunicationKernels& communicates, const ShownEvents& shown, Interval span);

}  // namespace lanes::gui
