// SPDX-License-Identifier: MIT
// The file and folder of the running program. `lanes` starts itself again from it, and finds its probe there.
#pragma once

#include <string>

namespace lanes {

/// Absolute paths; "" if /proc is not mounted.
std::string own_program();
std::string own_folder();

}  // namespace lanes
