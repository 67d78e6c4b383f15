// SPDX-License-Identifier: MIT
#include "engine/run/child_process.h"

#include "engine/formatted.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanes {

namespace {

volatile std::sig_atomic_t first_signal = 0;
volatile std::sig_atomic_t signal_count = 0;

/// In the order in which they are passed on: what asks a program to save itself comes before what ends it.
constexpr int caught_signals[CaughtSignals::caught] = {SIGUSR1, SIGUSR2, SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
volatile std::sig_atomic_t is_sent[CaughtSignals::caught] {};  ///< and not yet taken

/// Whether SIGXFSZ was ignored before this process itself ignored it.
const bool began_without_size_signal = [] {
    struct sigaction action { };
    return sigaction(SIGXFSZ, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}();

/// Gets a byte with each caught signal, so that a wait that begins just after the signal ends at once, whichever thread
/// got the signal. -1 until there is a CaughtSignals, and if no pipe can be made.
int signal_pipe[2] = {-1, -1};

void note_signal(int signal, siginfo_t* info, void*)
{
    const int saved = errno;
    // SI_USER and the like; positive if the kernel itself sent it, which does so to the program as well, except for the
    // end of an alarm that was set before this process became lanes.
    if (info->si_code <= 0 || signal == SIGALRM) {
        for (int i = 0; i < CaughtSignals::caught; ++i) {
            is_sent[i] = is_sent[i] != 0 || caught_signals[i] == signal ? 1 : 0;
        }
    }
    if (first_signal == 0) {
        first_signal = signal;
    }
    signal_count = signal_count + 1;
    const char byte = 0;
    [[maybe_unused]] const auto written = ::write(signal_pipe[1], &byte, 1);  // if it is full, it wakes as well
    errno = saved;
}

std::vector<std::string> merged_environment(const std::vector<EnvironmentVariable>& over)
{
    std::vector<std::string> all;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        bool replaced = false;
        for (const auto& it : over) {
            replaced = replaced || (text.starts_with(it.name) && text.substr(it.name.size()).starts_with('='));
        }
        if (!replaced) {
            all.emplace_back(text);
        }
    }
    for (const auto& it : over) {
        all.push_back(it.name + "=" + it.value);
    }
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (auto& text : texts) {
        result.push_back(text.data());
    }
    result.push_back(nullptr);
    return result;
}

/// Whether a folder of PATH has a file of this name, readable or not. If some folder of PATH is not readable, execvp
/// fails with EACCES, also for a program that does not exist; shells say "not found".
bool is_in_path(const std::string& program)
{
    const char* const variable = std::getenv("PATH");
    std::string_view folders = variable == nullptr ? "/bin:/usr/bin" : variable;
    for (;;) {
        const auto end = folders.find(':');
        const std::string folder(folders.substr(0, end));
        struct stat status { };
        const auto file = (folder.empty() ? "." : folder) + "/" + program;
        if (stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
            return true;
        }
        if (end == std::string_view::npos) {
            return false;
        }
        folders.remove_prefix(end + 1);
    }
}

/// Closed by close() or by the destructor; -1: none.
struct Descriptor {
    int number = -1;
    explicit Descriptor(int descriptor = -1)
        : number(descriptor)
    {
    }
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    void close()
    {
        if (number >= 0) {
            ::close(number);
            number = -1;
        }
    }
};

/// A pipe whose ends are closed by exec, too.
struct Pipe {
    Descriptor read, write;
    int error = 0;  ///< errno of a failed pipe2()
    Pipe()
    {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) == 0) {
            read.number = ends[0];
            write.number = ends[1];
        } else {
            error = errno;
        }
    }
};

/// Splits the text from a pipe into lines.
class Lines {
public:
    /// False at the end of the pipe.
    bool read_from(int descriptor, const std::function<void(const std::string&)>& take)
    {
        char bytes[4096];
        const ssize_t count = ::read(descriptor, bytes, sizeof bytes);
        if (count <= 0) {
            return count < 0 && errno == EINTR;
        }
        m_rest.append(bytes, static_cast<std::size_t>(count));
        for (auto end = m_rest.find('\n'); end != std::string::npos; end = m_rest.find('\n')) {
            take(m_rest.substr(0, end));
            m_rest.erase(0, end + 1);
        }
        return true;
    }

private:
    std::string m_rest;
};

/// While this lives, an ended child keeps its exit status until it is asked for. The starter of this process may have
/// ignored SIGCHLD, which exec keeps; then the kernel forgets a child as it ends.
class KeptEnds {
public:
    KeptEnds()
    {
        struct sigaction usual { };
        usual.sa_handler = SIG_DFL;
        sigaction(SIGCHLD, nullptr, &m_old);
        if (is_ignored()) {
            sigaction(SIGCHLD, &usual, nullptr);
        }
    }
    ~KeptEnds() { give_back(); }
    KeptEnds(const KeptEnds&) = delete;
    KeptEnds& operator=(const KeptEnds&) = delete;
    /// Also called in a forked process: the program finds the signal as it would without Lanescope.
    void give_back() const
    {
        if (is_ignored()) {
            sigaction(SIGCHLD, &m_old, nullptr);
        }
    }

private:
    bool is_ignored() const { return m_old.sa_handler == SIG_IGN; }
    struct sigaction m_old { };
};

/// Turns the forked process into the program. Writes errno to `failure` if that fails.
[[noreturn]] void become(
    const ChildProcess& child, char* const* arguments, char* const* environment, pid_t parent, int report, int failure)
{
    // Caught signals get their default back by exec.
    if (!began_without_size_signal) {
        signal(SIGXFSZ, SIG_DFL);
    }
    if (child.dies_with_parent) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) {
            _exit(125);  // the parent ended before prctl
        }
    }
    if (child.on_line) {
        fcntl(report, F_SETFD, 0);
    }
    execvpe(arguments[0], arguments, environment);
    const int error = errno;
    [[maybe_unused]] const auto written = ::write(failure, &error, sizeof error);
    _exit(127);
}

/// The errno that become() wrote, 0 if the program was started. Returns once either is certain.
int error_in(int failure)
{
    int error = 0;
    ssize_t count = 0;
    do {
        count = ::read(failure, &error, sizeof error);
    } while (count < 0 && errno == EINTR);
    return count == static_cast<ssize_t>(sizeof error) ? error : 0;
}

/// A descriptor that can be read once the process has ended; -1: the kernel has none (before Linux 5.3, and in some
/// sandboxes).
int end_descriptor(pid_t pid)
{
    constexpr long pidfd_open = 434;  // on all processors; glibc names it since 2.36
    const auto descriptor = static_cast<int>(::syscall(pidfd_open, pid, 0));
    return descriptor < 0 ? -1 : descriptor;
}

/// Passes caught signals on as run_child_process() says.
class SignalsPassedOn {
public:
    SignalsPassedOn(pid_t pid, int patience_ms)
        : m_pid(pid)
        , m_patience(patience_ms)
    {
    }

    /// Returns the milliseconds until it has to be called again if no signal comes; -1: never.
    int pass()
    {
        const int count = CaughtSignals::count();
        if (count > m_count) {
            m_kill_at = m_count == 0 ? Clock::now() + m_patience : m_kill_at;
            m_count = count;
            if (m_patience.count() > 0) {
                kill(m_pid, m_count > 2 ? SIGKILL : SIGTERM);
            } else {
                pass_all_sent();
            }
        }
        if (m_patience.count() == 0 || m_count == 0 || m_killed) {
            return -1;
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(m_kill_at - Clock::now());
        if (left.count() > 0) {
            return static_cast<int>(left.count());
        }
        kill(m_pid, SIGKILL);
        m_killed = true;
        return -1;
    }

private:
    void pass_all_sent() const
    {
        const bool group_has_them = std::getenv(group_signals_variable) != nullptr;
        for (int sent = CaughtSignals::take_sent(); sent != 0; sent = CaughtSignals::take_sent()) {
            if (!group_has_them || (sent != SIGINT && sent != SIGHUP)) {
                kill(m_pid, sent);
            }
        }
    }

    using Clock = std::chrono::steady_clock;
    const pid_t m_pid;
    const std::chrono::milliseconds m_patience;
    int m_count = 0;
    bool m_killed = false;
    Clock::time_point m_kill_at {};
};

/// Waits for the end of the child, hands its lines on, and passes signals on.
ChildEnd wait_for_end(pid_t pid, const ChildProcess& child, int report, int patience_ms)
{
    Lines lines;
    SignalsPassedOn signals(pid, patience_ms);
    Descriptor ended(end_descriptor(pid));
    bool open = static_cast<bool>(child.on_line);
    for (;;) {
        int status = 0;
        if (waitpid(pid, &status, WNOHANG) == pid) {
            while (open && lines.read_from(report, child.on_line)) { }
            return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
        }
        const int left = signals.pass();
        constexpr int look_again = 20;  // ms, if there is no end_descriptor()
        const int limit = ended.number >= 0 ? left : left < 0 ? look_again : std::min(left, look_again);
        pollfd waiting[] = {{open ? report : -1, POLLIN, 0}, {signal_pipe[0], POLLIN, 0}, {ended.number, POLLIN, 0}};
        if (poll(waiting, std::size(waiting), limit) <= 0) {
            continue;
        }
        if (waiting[0].revents != 0) {
            open = lines.read_from(report, child.on_line);
        }
        char bytes[64];
        while (waiting[1].revents != 0 && ::read(signal_pipe[0], bytes, sizeof bytes) > 0) { }
    }
}

}  // namespace

CaughtSignals::CaughtSignals()
{
    first_signal = 0;
    signal_count = 0;
    while (take_sent() != 0) { }
    if (signal_pipe[0] < 0) {
        [[maybe_unused]] const int failed = pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK);
    }
    struct sigaction action { };
    action.sa_sigaction = note_signal;
    action.sa_flags = SA_SIGINFO;
    for (std::size_t i = 0; i < std::size(caught_signals); ++i) {
        sigaction(caught_signals[i], nullptr, &m_old[i]);
        if (m_old[i].sa_handler != SIG_IGN) {
            sigaction(caught_signals[i], &action, nullptr);
        }
    }
}

CaughtSignals::~CaughtSignals()
{
    for (std::size_t i = 0; i < std::size(caught_signals); ++i) {
        sigaction(caught_signals[i], &m_old[i], nullptr);
    }
}

int CaughtSignals::first()
{
    return first_signal;
}

int CaughtSignals::take_sent()
{
    for (int i = 0; i < caught; ++i) {
        if (is_sent[i] != 0) {
            is_sent[i] = 0;
            return caught_signals[i];
        }
    }
    return 0;
}

int CaughtSignals::count()
{
    return signal_count;
}

ChildEnd run_child_process(const ChildProcess& child, int patience_ms)
{
    // All memory is allocated before fork: after it only async-signal-safe calls are allowed.
    Pipe report;
    Pipe failure;
    if (report.error != 0 || failure.error != 0) {
        return {.start_error = report.error != 0 ? report.error : failure.error};
    }
    auto arguments = child.arguments;
    auto variables = child.environment;
    variables.push_back({report_variable, std::to_string(report.write.number)});
    auto environment = merged_environment(variables);
    const auto argument_pointers = pointers(arguments);
    const auto environment_pointers = pointers(environment);
    const KeptEnds ends;
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) {
        return {.start_error = errno};
    }
    if (pid == 0) {
        ends.give_back();
        become(child, argument_pointers.data(), environment_pointers.data(), parent, report.write.number,
            failure.write.number);
    }
    report.write.close();
    failure.write.close();
    const int error = error_in(failure.read.number);
    auto end = wait_for_end(pid, child, report.read.number, patience_ms);
    if (error != 0) {
        const auto& program = child.arguments[0];
        const bool is_searched = program.find('/') == std::string::npos;
        end.start_error = error == EACCES && is_searched && !is_in_path(program) ? ENOENT : error;
    }
    return end;
}

std::string text_of(const ChildEnd& end)
{
    if (end.start_error != 0) {
        return formatted("could not be started: {}", std::strerror(end.start_error));
    }
    if (end.signal != 0) {
        return formatted("was killed by signal {} ({})", end.signal, strsignal(end.signal));
    }
    return formatted("ended with exit status {}", end.status);
}

}  // namespace lanes
