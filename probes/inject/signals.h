// SPDX-License-Identifier: MIT
// Lets a program that SIGINT, SIGTERM, SIGHUP or SIGABRT ends hand over its last records first.
//
// Only where the program left the signal at its default: then a handler writes a byte
// to a pipe, a thread does the last work and sends the signal again, with its default
// restored, so that the program ends as it would have. A thread that sends the signal
// to itself, as raise and abort do, waits for that. A second signal ends the program at
// once. A forked child behaves as without this, and so does a program that closes the pipe.
#pragma once

namespace lanes {

/// `last_work` runs on a thread of its own and must come to an end by itself. Once a process. False: no pipe or
/// no thread to be had, and nothing was changed.
bool keep_records_on_signals(void (*last_work)());

/// From here on a signal that was caught ends the process at once: before the last work begins, and in a forked child,
/// which has no thread to do it. Leaves handlers of the program's own alone. Async-signal-safe.
void restore_default_signals();

}  // namespace lanes
