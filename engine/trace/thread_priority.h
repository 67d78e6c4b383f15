// SPDX-License-Identifier: MIT
// Low priority for background threads: after the window, or beside a program that is being recorded.
#pragma once

namespace lanes {

/// Gives the calling thread, and threads that it starts later, a low priority (nice 10) for good. On a free core they
/// are as fast as before. Does nothing on other systems than Linux. Cost: one system call.
void lower_priority_of_this_thread();

}  // namespace lanes
