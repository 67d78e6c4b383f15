// SPDX-License-Identifier: MIT
// What a change gains within a part of a recording. A copy that the end of the part cuts in two gains more than the
// part shows, and a change may move work from the part to what comes after it. Private to engine/replay.
#pragma once

#include "engine/replay/change.h"
#include "engine/replay/interval.h"

#include <vector>

namespace lanes::replay {

/// Whether it is a part at all; if not, all of the recording is meant.
inline bool is_part(Interval part)
{
    return part.end > part.start;
}

/// The part of the recording to which all of the changes are limited; empty: there is none.
Interval part_of_all(const std::vector<Change>& changes);

/// How much of what the changed run is shorter or longer is outside the part: negative, if the run gains there. Of what
/// a run gains, no more is gained in the part than its streams and threads are further at its end. 0 for all of the
/// recording, and where the run gains nothing. Cost: linear.
Ns longer_elsewhere(const BothRuns& runs, const Trace& trace, Interval part);

/// No run is shorter: for that long its GPUs run kernels, or one of its streams works, in the part, and the rest of the
/// run takes what it takes. `recorded`: how long the part takes; ignored for all of the recording. Cost: n log n in
/// operations.
Ns least_total(const BothRuns& runs, Interval part, Ns recorded, Ns elsewhere);

}  // namespace lanes::replay
