// SPDX-License-Identifier: MIT
// The exit status of the commands that run and record.
#pragma once

#include "engine/run/run_progress.h"

#include <functional>
#include <string>

namespace lanes {

/// Prints "lanes: text" on stderr.
void say(const std::string& text);

/// Returns what `work` returns. An exception becomes a line on stderr, with `progress` json also an object on stdout,
/// and status 2 for an InputError, else 1. From here on a full disk is an error of the write, not a signal (SIGXFSZ).
int exit_status_of(RunProgress::Form progress, const std::function<int()>& work);

}  // namespace lanes
