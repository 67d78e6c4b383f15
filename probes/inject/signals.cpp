// SPDX-License-Identifier: MIT
#include "probes/inject/signals.h"

#include "probes/blocked_signals.h"
#include "probes/high_descriptor.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

namespace lanes {

namespace {

/// SIGABRT: of abort(), which ends a C++ program after an uncaught exception or a failed assert.
constexpr int kept_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGABRT};
int pipe_ends[2] = {-1, -1};
FileIdentity pipe_identity;  ///< of both ends
sem_t sent_again;  ///< posted when the work is done and the signal is pending once more
void (*work)() = nullptr;

extern "C" void on_signal(int number, siginfo_t* info, void*)
{
    const int saved = errno;
    const auto byte = static_cast<unsigned char>(number);
    const bool is_written = pipe_identity.is_of(pipe_ends[1]) && ::write(pipe_ends[1], &byte, 1) == 1;
    if (!is_written) {  // the program closed the pipe: it ends as without the probe, when this handler returns
        ::signal(number, SIG_DFL);
        ::raise(number);
    }
    // A signal that a thread sends itself must end the program before its next line, so the thread waits. It is in no
    // call of CUDA, whose locks the work might need.
    if (is_written && info->si_code == SI_TKILL && info->si_pid == ::getpid()) {
        while (::sem_wait(&sent_again) != 0 && errno == EINTR) { }
        ::sem_post(&sent_again);
    }
    errno = saved;
}

bool is_ours(int number)
{
    struct sigaction action { };
    return ::sigaction(number, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) != 0
        && action.sa_sigaction == on_signal;
}

void* wait_for_signal(void*)
{
    unsigned char number = 0;
    ssize_t got = 0;
    do {
        got = ::read(pipe_ends[0], &number, 1);
    } while (got < 0 && errno == EINTR);
    if (got != 1) {  // the program closed the pipe
        restore_default_signals();
        return nullptr;
    }
    // From here on a signal ends the program at once; the one that came is sent again when the work is done.
    restore_default_signals();
    work();
    ::kill(::getpid(), number);
    ::sem_post(&sent_again);
    return nullptr;
}

}  // namespace

bool keep_records_on_signals(void (*last_work)())
{
    bool any = false;
    for (const int number : kept_signals) {
        struct sigaction action { };
        any = any || (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_DFL);
    }
    if (!any) {
        return true;
    }
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0 || ::sem_init(&sent_again, 0, 0) != 0) {
        return false;
    }
    for (int& end : pipe_ends) {
        end = high_descriptor(end);
    }
    pipe_identity = FileIdentity(pipe_ends[0]);
    work = last_work;
    pthread_t thread {};
    {
        const AllSignalsBlocked thread_keeps_them_blocked;
        if (pthread_create(&thread, nullptr, wait_for_signal, nullptr) != 0) {
            return false;
        }
    }
    pthread_setname_np(thread, "lanes-signals");
    pthread_detach(thread);
    for (const int number : kept_signals) {
        struct sigaction action { };
        if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
            action = {};
            action.sa_sigaction = on_signal;
            action.sa_flags = SA_RESTART | SA_ONSTACK | SA_SIGINFO;
            sigemptyset(&action.sa_mask);
            ::sigaction(number, &action, nullptr);
        }
    }
    return true;
}

void restore_default_signals()
{
    for (const int number : kept_signals) {
        if (is_ours(number)) {
            ::signal(number, SIG_DFL);
        }
    }
}

}  // namespace lanes
