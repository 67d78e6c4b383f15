// SPDX-License-Identifier: MIT
// What a recording that was cut out of a longer one knows of it (meta::cut), ns.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lanes {

struct Cut {
    Ns begin = 0;  ///< where t = 0 was in the longer recording
    Ns length = 0;  ///< its own duration, though its last event may end earlier
    Ns work_end = 0;  ///< the last end of a call or operation of the longer recording, at most `length`
    std::uint64_t calls = 0, operations = 0, ranges = 0;  ///< that reached over an end, and are cut there
};

std::string text_of(const Cut& cut);

/// Nothing for a recording that was not cut out of another, or a text that no version wrote: the file may come from
/// anywhere.
std::optional<Cut> cut_of(const Trace& trace);

/// Makes the recording as long as its cut. To be called once its meta data are known.
void extend_to_cut(Trace& trace);

}  // namespace lanes
