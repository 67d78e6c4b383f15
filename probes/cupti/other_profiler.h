// SPDX-License-Identifier: MIT
// Which other profiler is in the way: CUPTI takes one subscriber a process, and a tool that starts the program itself
// puts its own library where lanes' probe would be loaded.
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// The tool whose library is among the mapped files of a process (the text of /proc/self/maps): "Nsight Systems",
/// "Nsight Compute", ...; "" for none that is known.
std::string profiler_in(std::string_view maps);

/// The same of this process. Cost: reads a file of some 100 kB.
std::string profiler_in_this_process();

/// The tool that a command line starts, by its first word: "Nsight Systems" of "/opt/.../nsys"; "" if it is none.
std::string profiler_of(std::string_view command);

}  // namespace lanes
