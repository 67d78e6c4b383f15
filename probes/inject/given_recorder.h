// SPDX-License-Identifier: MIT
// What the rest of the probe tells and asks the recorder that `lanes record` put into the process.
#pragma once

#include <string_view>

namespace lanes {

/// Does nothing if there is no such recorder. To be called after a range has opened, and before it closes.
void tell_range_pushed(std::string_view name);
void tell_range_popped();

/// Whether this process uses CUDA and is recorded.
bool records_cuda();

}  // namespace lanes
