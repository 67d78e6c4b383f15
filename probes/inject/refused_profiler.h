// SPDX-License-Identifier: MIT
// Profilers in the program itself that ask for CUPTI while this process is being recorded, as torch.profiler does.
// CUPTI serves one subscriber: theirs is refused, and they report no GPU activity.
#pragma once

#include "probes/inject/import_table.h"

#include <span>
#include <string_view>

namespace lanes {

/// For replace_imports(). Each call goes on to CUPTI and returns what CUPTI returned; `tell` gets the name of the
/// module that was refused ("libtorch_cpu.so"), on its thread.
std::span<const ReplacedImport> calls_of_profilers(void (*tell)(std::string_view module));

}  // namespace lanes
