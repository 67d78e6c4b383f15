// SPDX-License-Identifier: MIT
#include "engine/analysis/recording.h"

namespace lanes {

Recording analysed(Trace trace, const Progress& progress)
{
    Recording recording;
    const auto kept = std::make_shared<const Trace>(std::move(trace));
    recording.trace = kept;
    recording.blocking = std::make_shared<const Blocking>(find_blocking(*kept, progress.part(0, 0.4)));
    recording.ranges = std::make_shared<const RangeIndex>(*kept, *recording.blocking, progress.part(0.4, 0.7));
    recording.report = std::make_shared<const Report>(
        make_report(*kept, *recording.blocking, recording.ranges->bounds(), {}, progress.part(0.7, 1)));
    recording.links = std::make_shared<const Links>(*kept, *recording.blocking);
    return recording;
}

Recording reported(Trace trace, std::optional<Interval> range)
{
    Recording recording;
    const auto kept = std::make_shared<const Trace>(std::move(trace));
    recording.trace = kept;
    recording.blocking = std::make_shared<const Blocking>(find_blocking(*kept));
    recording.report = std::make_shared<const Report>(make_report(*kept, *recording.blocking, range));
    return recording;
}

}  // namespace lanes
