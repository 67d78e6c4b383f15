// SPDX-License-Identifier: MIT
#include "gui/app/frame/end_signals.h"

#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace lanes::gui {

namespace {

constexpr std::array ends {SIGTERM, SIGHUP, SIGINT};
constexpr int shell_offset = 128;  // of a status that is a signal

std::array<int, 2> pipe_ends {-1, -1};

/// Nothing but a write is allowed here.
void hear(int signal)
{
    const int before = errno;
    const auto number = static_cast<unsigned char>(signal);
    [[maybe_unused]] const ssize_t written = ::write(pipe_ends[1], &number, 1);
    errno = before;
}

}  // namespace

EndSignals::EndSignals(QObject* parent)
    : QObject(parent)
{
    if (pipe_ends[0] < 0 && ::pipe2(pipe_ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        return;  // the program then ends as before
    }
    auto* notifier = new QSocketNotifier(pipe_ends[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        unsigned char number = 0;
        if (::read(pipe_ends[0], &number, 1) == 1) {
            m_received = number;
            emit came();
        }
    });
    for (const int signal : ends) {
        struct sigaction now { };
        if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) {
            struct sigaction wanted { };
            wanted.sa_handler = hear;
            wanted.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
            ::sigaction(signal, &wanted, nullptr);
        }
    }
}

void endOf(int signal)
{
    std::signal(signal, SIG_DFL);
    ::raise(signal);
    std::_Exit(shell_offset + signal);
}

}  // namespace lanes::gui
