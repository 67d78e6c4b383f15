// SPDX-License-Identifier: MIT
// What the program's own ranges tell the recorder that `lanes record` put into the process.
#pragma once

#include <string_view>

namespace lanes {

/// Does nothing if there is no such recorder. To be called after a range has opened, and before it closes.
void tell_range_pushed(std::string_view name);
void tell_range_popped();

}  // namespace lanes
