// SPDX-License-Identifier: MIT
// What works behind a window, or beside a program that is being recorded, gives way to it.
#pragma once

namespace lanes {

/// The calling thread yields to all that have ordinary priority, and so do those that it starts; where a core is free
/// it is as fast as before. It stays so. Elsewhere than on Linux it does nothing. Cost: a system call, once a thread.
void lower_priority_of_this_thread();

}  // namespace lanes
