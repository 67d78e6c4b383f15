// SPDX-License-Identifier: MIT
// A child process, its end, and the signals that `lanes` gets while it waits for it.
#pragma once

#include "probes/inject/environment.h"

#include <csignal>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace lanes {

/// Where SIGINT and SIGTERM arrive while this lives, instead of ending the process. One at a time.
class CaughtSignals {
public:
    CaughtSignals();
    ~CaughtSignals();
    CaughtSignals(const CaughtSignals&) = delete;
    CaughtSignals& operator=(const CaughtSignals&) = delete;

    /// The first signal that came, 0 if none; how many came.
    static int first();
    static int count();

private:
    struct sigaction m_old_interrupt {
    }, m_old_terminate {};
};

struct ChildEnd {
    int status = -1;  ///< exit status, -1 if a signal ended it
    int signal = 0;  ///< that ended it, 0 if none
    int start_error = 0;  ///< errno of a start that failed
};

struct ChildProcess {
    std::vector<std::string> arguments;  ///< [0] is the program; sought in PATH without a '/'
    std::vector<EnvironmentVariable> environment;  ///< over that of this process
    bool dies_with_parent = false;  ///< SIGTERM when this process ends, however it ends
    /// Each line that the child writes to the descriptor named in its environment by `report_variable`.
    std::function<void(const std::string&)> on_line;
};

inline constexpr auto report_variable = "LANES_REPORT_FD";

/// Starts the child and waits for its end. With `patience_ms` > 0 a caught signal is passed on as SIGTERM; the
/// third one, or one that is not obeyed in that time, kills it. With 0 the child is its own master: SIGTERM is
/// passed on, SIGINT is not, for the terminal sends it to the child as well.
ChildEnd run_child_process(const ChildProcess& child, int patience_ms);

/// "ended with exit status 3", "was killed by signal 11 (Segmentation fault)"
std::string text_of(const ChildEnd& end);

}  // namespace lanes
