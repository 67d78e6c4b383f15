// SPDX-License-Identifier: MIT
// Runs a child process and passes signals on to it.
#pragma once

#include "probes/inject/environment.h"

#include <csignal>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace lanes {

/// While this lives, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 and SIGALRM are counted and do not end the
/// process. A signal that was ignored (by
/// nohup, or by a shell for background jobs) stays ignored. One object at a time.
class CaughtSignals {
public:
    static constexpr int caught = 7;  ///< how many of them there are

    CaughtSignals();
    ~CaughtSignals();
    CaughtSignals(const CaughtSignals&) = delete;
    CaughtSignals& operator=(const CaughtSignals&) = delete;

    /// The first signal that arrived, 0 if none; and how many arrived.
    static int first();
    static int count();
    /// A signal that a process sent and that was not taken yet, 0 if none. A terminal's signals, which are not among
    /// these, go to every process in the foreground.
    static int take_sent();

private:
    struct sigaction m_old[caught] { };
};

struct ChildEnd {
    int status = -1;  ///< exit status, -1 if a signal ended it
    int signal = 0;  ///< the signal that ended it, 0 if none
    int start_error = 0;  ///< errno of a start that failed
};

struct ChildProcess {
    std::vector<std::string> arguments;  ///< [0] is the program; looked up in PATH if it has no '/'
    std::vector<EnvironmentVariable> environment;  ///< adds to, or replaces, that of this process
    bool dies_with_parent = false;  ///< SIGTERM when this process ends, however it ends
    /// Called with each line that the child writes to the file descriptor whose number is in `report_variable`.
    std::function<void(const std::string&)> on_line;
};

inline constexpr auto report_variable = "LANES_REPORT_FD";

/// If set, the starter of this process sends SIGINT and SIGHUP to its whole process group, and so to the child.
inline constexpr auto group_signals_variable = "LANES_GROUP_SIGNALS";

/// Starts the child and waits for its end. With `patience_ms` > 0 a caught signal is passed on as SIGTERM; the child is
/// killed at the third signal, or when it has not ended that long after the first. With 0 each signal that a process
/// sent is passed on unchanged, and the child is never killed: a terminal's signals reach the child anyway. The child
/// inherits the ignored signals with which this process was started, and no others. If SIGCHLD is ignored, it is not
/// while the child runs.
ChildEnd run_child_process(const ChildProcess& child, int patience_ms);

/// "ended with exit status 3", "was killed by signal 11 (Segmentation fault)"
std::string text_of(const ChildEnd& end);

}  // namespace lanes
