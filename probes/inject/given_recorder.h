// SPDX-License-Identifier: MIT
// What the program's own ranges and the recorder that `lanes record` put into the process tell each other.
#pragma once

#include "probes/units.h"

#include <string_view>

namespace lanes {

/// Does nothing if there is no such recorder. To be called after a range has opened, and before it closes.
void tell_range_pushed(std::string_view name);
void tell_range_popped();

/// Whether this process uses CUDA and is recorded.
bool records_cuda();

/// Whether ranges since that time (CLOCK_REALTIME) may matter: not if the recorder only waits for its next part.
bool given_ranges_are_kept(Ns since);

/// Writes what the program's threads have gathered, before a part is handed over.
void write_given_ranges();

}  // namespace lanes
