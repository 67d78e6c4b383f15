// SPDX-License-Identifier: MIT
#include "probes/inject/process_end.h"

#include <cstdlib>
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lanes {

namespace {

using Exit = void (*)(int);

void (*work_at_end)() = nullptr;
Exit libc_exit = nullptr;  ///< or what another tool has put before it

[[noreturn]] void end_at_once(int status)
{
    work_at_end();
    if (libc_exit != nullptr) {
        libc_exit(status);
    }
    ::syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

const ReplacedImport ends[] = {
    {"_exit", reinterpret_cast<void*>(&end_at_once)},
    {"_Exit", reinterpret_cast<void*>(&end_at_once)},
};

}  // namespace

void work_before_end(void (*last_work)())
{
    work_at_end = last_work;
    libc_exit = reinterpret_cast<Exit>(::dlsym(RTLD_DEFAULT, "_exit"));
    std::atexit(last_work);
    std::at_quick_exit(last_work);
}

std::span<const ReplacedImport> ends_without_handlers()
{
    return ends;
}

}  // namespace lanes
