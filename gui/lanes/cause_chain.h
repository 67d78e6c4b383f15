// SPDX-License-Identifier: MIT
// The chain of causes of an item, step by step: what it waited for last, what that waited for, and so on. What `[` goes
// along one step at a time.
#pragma once

#include "gui/lanes/item_ref.h"

#include <vector>

namespace lanes::gui {

/// From something to what waited for it.
struct ChainStep {
    enum Why : std::uint8_t {
        unknown,
        launch,  ///< a call -> the operation that it issued
        stream,  ///< an operation -> one that had to wait for it: see StartCause
        event,
        graph,
        legacy,
        engine,
        multiprocessors,
        partner,  ///< a kernel of a collective -> another one, which could not go on before
        release,  ///< an operation -> the blocked stretch that it ended
        thread,  ///< what a thread waited in last -> what it did then
        handover,  ///< what another thread did -> the wait that it ended
    };
    Why why = unknown;
    ItemRef from, to;
    Ns start = 0;  ///< the end of `from`, as far as it was waited for; of a call that issued something its start
    Ns end = 0;  ///< when `to` went on
};

/// The nearest first, at most `most`. Empty where nothing is known. Cost: log n for each thing that lies on the way, of
/// which few thousand are looked at.
std::vector<ChainStep> chainOf(const Recording& recording, ItemRef item, std::size_t most = 24);

/// Steps of a chain that come again and again, along the same streams and threads for the same reason: launch, CPU,
/// launch, CPU, …
struct ChainCycle {
    std::size_t first = 0, length = 0;
    std::size_t times = 0;  ///< 0: nothing repeats
    /// Of a step that repeats what was said of the first ones.
    bool isAgain(std::size_t step) const
    {
        return times > 0 && step >= first + length && step < first + length * times;
    }
    bool isLastOfFirst(std::size_t step) const { return times > 0 && step + 1 == first + length; }
};

/// The first cycle that comes three times or more, as short as it can be. Cost: linear in the chain.
ChainCycle cycleOf(const Recording& recording, const std::vector<ChainStep>& chain);

}  // namespace lanes::gui
