// SPDX-License-Identifier: MIT
#include "engine/trace/thread_priority.h"

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace lanes {

void lower_priority_of_this_thread()
{
#ifdef __linux__
    constexpr int yielding = 10;  // when threads compete for a core, it then gets a tenth of an ordinary thread's time
    thread_local const bool lowered = [] {
        const auto thread = static_cast<id_t>(::syscall(SYS_gettid));  // on Linux each thread has its nice value
        return ::getpriority(PRIO_PROCESS, thread) >= yielding || ::setpriority(PRIO_PROCESS, thread, yielding) == 0;
    }();
    static_cast<void>(lowered);
#endif
}

}  // namespace lanes
