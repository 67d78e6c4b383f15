// SPDX-License-Identifier: MIT
// A thread of a double, which nobody joins.
#pragma once

#include <cstddef>
#include <pthread.h>

namespace lanes {

/// With its own stack size, since tests that leave no room for usual stacks are about the recorder's threads.
/// Returns false if no thread can be had.
inline bool begin_detached(void (*work)())
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t {1} << 20U);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread {};
    const auto run = [](void* of) -> void* {
        reinterpret_cast<void (*)()>(of)();
        return nullptr;
    };
    const bool begun = pthread_create(&thread, &attributes, run, reinterpret_cast<void*>(work)) == 0;
    pthread_attr_destroy(&attributes);
    return begun;
}

}  // namespace lanes
