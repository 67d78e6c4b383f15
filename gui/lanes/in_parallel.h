// SPDX-License-Identifier: MIT
// Does a few dozen short pieces of work on this thread and on whatever threads of a small pool are free. This thread
// never waits for one that has not begun, so a busy pool costs nothing.
//
// The pool has a thread less than the machine runs at once. It starts with the first call, with the priority of the
// thread that makes it, which is to be the window's, and ends with the program.
// Cost: some microseconds.
#pragma once

#include <cstddef>
#include <functional>

namespace lanes::gui {

/// Calls work(0) to work(count - 1), each once, in any order; returns when all have returned.
///
/// If one throws, those that have not begun are left out, and when those that had begun are over the first exception is
/// thrown here. Either way no thread runs `work`, or touches what it refers to, after this has returned or thrown.
void inParallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace lanes::gui
