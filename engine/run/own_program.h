// SPDX-License-Identifier: MIT
// This program's own file and folder: what `lanes` starts again, and where its probe lies.
#pragma once

#include <string>

namespace lanes {

/// Absolute path of the running program, "" if /proc is not there.
std::string own_program();
std::string own_folder();

}  // namespace lanes
