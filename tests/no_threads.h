// SPDX-License-Identifier: MIT
// A process in which no thread can be started, as when a limit is reached.
#pragma once

#include <cstddef>
#include <pthread.h>

namespace lanes {

/// While it lives, threads that ask for no stack size cannot start: their stack would be as large as all memory.
class NoThreads {
public:
    NoThreads()
    {
        pthread_getattr_default_np(&m_usual);
        pthread_attr_t none;
        pthread_attr_init(&none);
        pthread_attr_setstacksize(&none, std::size_t {1} << 47U);
        pthread_setattr_default_np(&none);
        pthread_attr_destroy(&none);
    }
    ~NoThreads()
    {
        pthread_setattr_default_np(&m_usual);
        pthread_attr_destroy(&m_usual);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    pthread_attr_t m_usual {};
};

}  // namespace lanes
