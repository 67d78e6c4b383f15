// SPDX-License-Identifier: MIT
// The last chance to write records: the usual ends of a process, and those that run no exit handlers.
//
// exit and quick_exit run handlers. _exit and _Exit run none (os._exit of Python, which ends each child that its
// multiprocessing forks): their calls are caught in the tables of the modules that make them
// (import_table.h). A raw exit_group and most fatal signals cannot be seen; the recording then says that it lacks its
// last flush (unflushed_key).
#pragma once

#include "probes/inject/import_table.h"

#include <span>

namespace lanes {

/// `last_work` runs before the process ends by exit or quick_exit, and by the imports of ends_without_handlers() once
/// they are replaced; perhaps more than once, perhaps in a signal handler. To be called once a process.
void work_before_end(void (*last_work)());

/// For replace_imports(), after work_before_end().
std::span<const ReplacedImport> ends_without_handlers();

}  // namespace lanes
