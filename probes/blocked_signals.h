// SPDX-License-Identifier: MIT
// Keeps a program's signals away from a thread that does not belong to it.
#pragma once

#include <csignal>

namespace lanes {

/// Blocks all signals in this thread while it lives. A thread that is made meanwhile keeps them blocked for good: the
/// signals go to other threads.
class AllSignalsBlocked {
public:
    AllSignalsBlocked()
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }
    ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
    AllSignalsBlocked(const AllSignalsBlocked&) = delete;
    AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

private:
    sigset_t m_before {};
};

}  // namespace lanes
