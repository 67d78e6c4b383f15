// SPDX-License-Identifier: MIT
#include "engine/run/record_program.h"

#include "engine/formatted.h"
#include "engine/run/child_process.h"
#include "engine/run/exit_status.h"
#include "engine/run/live_lines.h"
#include "engine/run/output_pattern.h"
#include "engine/run/own_program.h"
#include "engine/run/recording_join.h"
#include "engine/shell_quoted.h"
#include "engine/store/atomic_file.h"
#include "engine/store/recording_ending.h"
#include "engine/store/recording_file.h"
#include "engine/store/spool_parts.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/thread_priority.h"
#include "probes/blocked_signals.h"
#include "probes/cupti/other_profiler.h"
#include "probes/inject/environment.h"
#include "probes/inject/process_identity.h"
#include "probes/spool_follower.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace lanes {

namespace {

constexpr std::size_t longest_command_line = 4096;  // that a recording keeps
constexpr int recording_failed = 125;

int fail(const std::string& text)
{
    say(text);
    return recording_failed;
}

std::string counted(std::uint64_t count, const char* what)
{
    return formatted("{} {}{}", count, what, count == 1 ? "" : "s");
}

int status_of(const ChildEnd& end)
{
    if (end.start_error != 0) {
        return end.start_error == ENOENT ? 127 : 126;
    }
    return end.signal != 0 ? 128 + end.signal : end.status;
}

/// The files of one `lanes record`.
struct Destination {
    std::string pattern;  ///< absolute
    NamePlace here;  ///< of this process
    std::string spool;

    bool is_split() const { return has_file_a_process(pattern); }
    std::string file() const { return expand_output(pattern, here); }
};

Destination destination_of(const RecordRequest& request, const std::string& name)
{
    Destination to;
    to.here = {host_name(), rank_of_environment(), static_cast<std::uint32_t>(::getpid()),
        [](const char* variable) -> const char* { return std::getenv(variable); }};
    std::string given = request.output;
    if (given.empty()) {
        given = pattern_of_name(name + ".sqlite");
    }
    // A wrong placeholder or ending is an error before anything is started.
    if (const auto wrong = wrong_ending(expand_output(given, to.here)); !wrong.empty()) {
        throw OutputArgumentError(wrong);
    }
    if (!has_file_a_process(given) && !to.here.rank.empty() && is_one_of_several()) {
        given = with_word(given, "rank" + to.here.rank);
        say(formatted("one of several that a launcher started: this one's recording is {}", given));
    }
    to.pattern = std::filesystem::absolute(given).string();
    to.spool = spool_of(to.file());
    return to;
}

/// Opens the spool. If another `lanes record` is writing to that name, it takes the first free one of X.2, X.3, ...
void open_spool_of(Destination& to, SpoolWriter& writer)
{
    const auto wanted = to;
    for (int n = 2;; ++n) {
        try {
            if (!to.is_split()) {
                expect_writable_as_file(to.file());
            }
            if (const auto left = open_new_spool(writer, to.spool); !left.empty()) {
                say(left);
            }
            if (n > 2) {
                say(formatted("{} is being written by another lanes record: this one's recording is {}", wanted.file(),
                    to.file()));
            }
            return;
        } catch (const SpoolHeldError&) {
            do {
                to.pattern = with_word(wanted.pattern, std::to_string(n));
                to.spool = spool_of(to.file());
            } while (std::filesystem::exists(to.file()) && ++n > 0);
        }
    }
}

/// The message for a full disk. The spool is kept if the probe has written records to it before.
int tell_unwritable(const std::string& spool, int error)
{
    const auto why = formatted("cannot write {}: {}", spool, std::strerror(error));
    bool holds_some = false;
    try {
        const auto trace = open_spool(spool);
        holds_some = trace.calls.size() + trace.operations.size() > 0;
    } catch (const std::exception&) {  // not one chunk
    }
    if (holds_some) {
        return fail(why + "; what was recorded before is in it, and it can be opened");
    }
    ::unlink(spool.c_str());
    return fail(why + "; no recording was made");
}

/// The processes of each file.
std::map<std::string, std::set<std::uint32_t>> files_of(const Destination& to)
{
    std::map<std::string, std::set<std::uint32_t>> files;
    for (const auto& [process, rank] : processes_of_spool(to.spool)) {
        files[expand_output(to.pattern, {to.here.host, rank, process, to.here.variables})].insert(process);
    }
    return files;
}

/// Writes recordings, and says what was written or why nothing was.
class Joining {
public:
    Joining(const Destination& to, const RecordRequest& request)
        : m_to(to)
        , m_request(request)
    {
    }

    /// Writes the files of all that the spool has, or of those of its parts that are over and not yet written: with
    /// `ended` also of those that have not handed over everything. `failure`: how the program ended, "" for well.
    void write(const std::string& failure) { write(nullptr, failure); }
    void write_parts(const std::vector<SpoolPartOfAll>& parts, bool ended, const std::string& failure)
    {
        for (; m_parts < parts.size() && (ended || parts[m_parts].is_whole); ++m_parts) {
            write(&parts[m_parts], parts[m_parts].is_whole ? "" : failure);
        }
    }

    /// After the last write. Returns the exit status.
    int tell(const ChildEnd& end, bool any_process);

private:
    void write(const SpoolPartOfAll* part, const std::string& failure);
    std::string with_number(const std::string& file) const
    {
        return with_word(file, "part" + std::to_string(m_number));
    }

    const Destination& m_to;
    const RecordRequest& m_request;
    std::size_t m_parts = 0;  ///< of the spool that are written
    std::size_t m_number = 0;  ///< in the names of the last one's files
    std::set<std::string> m_notes, m_problems, m_remarks, m_not_begun;
    bool m_fell_silent = false;
    bool m_reached_size = false;
    bool m_started_cuda = false;
    bool m_wrote = false;
};

void Joining::write(const SpoolPartOfAll* part, const std::string& failure)
{
    const auto files
        = m_to.is_split() ? files_of(m_to) : std::map<std::string, std::set<std::uint32_t>> {{m_to.file(), {}}};
    m_fell_silent = m_fell_silent || files.empty();
    if (part != nullptr) {
        // A part of an earlier run is kept.
        do {
            ++m_number;
        } while (std::any_of(files.begin(), files.end(),
            [&](const auto& file) { return std::filesystem::exists(with_number(file.first)); }));
    }
    for (const auto& [name, processes] : files) {
        const auto file = part != nullptr ? with_number(name) : name;
        const auto joined = join_recording(m_to.spool, file, nullptr, failure, {},
            {.processes = m_to.is_split() ? &processes : nullptr,
                .recorded = part != nullptr ? std::optional(part->time) : std::nullopt,
                .is_whole = part != nullptr && part->is_whole,
                .steps = m_request.steps});
        m_notes.insert(joined.note);
        m_problems.insert(joined.probe_problem);
        m_started_cuda = m_started_cuda || joined.started_cuda;
        m_remarks.insert(joined.remarks.begin(), joined.remarks.end());
        if (joined.calls == 0 && joined.operations == 0) {
            m_fell_silent = m_fell_silent || joined.probe_problem.empty();
            m_not_begun.insert(joined.not_begun);
            continue;
        }
        if (!joined.no_steps.empty()) {
            say(formatted("{} was not cut to --steps: {}", file, joined.no_steps));
        }
        m_reached_size = m_reached_size || joined.reached_size;
        m_wrote = true;
        say(formatted("{}, {}{} -> {}", counted(joined.calls, "API call"), counted(joined.operations, "GPU operation"),
            joined.dropped > 0 ? ", " + counted(joined.dropped, "record") + " dropped" : "", file));
    }
}

int Joining::tell(const ChildEnd& end, bool any_process)
{
    for (auto* lines : {&m_notes, &m_remarks, &m_not_begun, &m_problems}) {
        lines->erase("");
    }
    for (const auto& note : m_notes) {
        say(note);
    }
    if (m_reached_size) {
        say("the records had reached the size of --max-size: recording stopped there, and the program ran on");
    }
    for (const auto& remark : m_remarks) {
        say(remark);
    }
    for (const auto& problem : m_problems) {
        say(problem);
    }
    if (!m_wrote) {
        for (const auto& reason : m_not_begun) {
            say("not recorded: " + reason);
        }
    }
    if (!m_wrote && (!m_problems.empty() || !m_not_begun.empty())) {
        return recording_failed;
    }
    if (!m_wrote && m_fell_silent) {
        const auto tool = profiler_of(m_request.command[0]);
        if (!tool.empty()) {
            return fail(formatted("not recorded: {} runs the program itself and keeps this recorder out of it. Record "
                                  "the program without it, or open what it wrote",
                tool));
        }
        say(m_started_cuda
                ? "nothing was recorded: the program started CUDA, but made no call that is recorded, or ended (by "
                  "_exit or a signal) before its first records were written"
                : any_process ? "nothing was recorded: the program marked ranges, but made no CUDA call"
                              : "the program made no CUDA call: there is nothing to record");
    }
    return status_of(end);
}

/// Writes the parts of a running program as they are handed over, on a thread of low priority. If there is no thread to
/// be had, or a part cannot be written, all is left for the end.
class PartsWhileItRuns {
public:
    PartsWhileItRuns(Joining& joining, const std::string& spool)
        : m_joining(joining)
        , m_follower(spool)
    {
        const AllSignalsBlocked signals_are_the_others;
        try {
            m_thread = std::thread([this] { run(); });
        } catch (const std::system_error&) {  // at the end then
        }
    }
    ~PartsWhileItRuns()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
        }
        m_wake.notify_one();
        if (m_thread.joinable()) {
            m_thread.join();
        }
    }
    PartsWhileItRuns(const PartsWhileItRuns&) = delete;
    PartsWhileItRuns& operator=(const PartsWhileItRuns&) = delete;

private:
    void run()
    {
        lower_priority_of_this_thread();
        std::unique_lock lock(m_mutex);
        while (!m_wake.wait_for(lock, std::chrono::milliseconds(250), [this] { return m_ended; })) {
            try {
                if (m_follower.read([this](const SpoolChunk& chunk) { m_parts.take(chunk); }) > 0) {
                    m_joining.write_parts(m_parts.all(), false, "");
                }
            } catch (const std::exception&) {
                return;
            }
        }
    }

    Joining& m_joining;
    SpoolFollower m_follower;
    SpoolParts m_parts;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ended = false;
    std::thread m_thread;
};

/// Writes what is not yet written, or says why there is nothing.
int join(Joining& joining, const Destination& to, const RecordRequest& request, const ChildEnd& end)
{
    const std::string failure = end.signal != 0 ? "the program " + text_of(end) : "";
    const auto parts = request.control.has_parts() ? parts_of_spool(to.spool) : std::vector<SpoolPartOfAll>();
    if (parts.empty()) {
        joining.write(failure);
    } else {
        joining.write_parts(parts, true, failure);
    }
    if (is_written_to(to.spool)) {
        say("a process that the program started still runs: what it does from here on is not recorded");
    }
    const bool any_process = !processes_of_spool(to.spool).empty();
    ::unlink(to.spool.c_str());
    return joining.tell(end, any_process);
}

}  // namespace

int record_program(const RecordRequest& request)
{
    const std::string name = std::filesystem::path(request.command.at(0)).filename().string();
    auto to = destination_of(request, name);
    const std::string probe = find_probe(own_folder());
    if (probe.empty()) {
        return fail(
            "liblanes-probe.so is not beside lanes, so nothing can be recorded: this lanes was built without CUDA, "
            "or moved without it");
    }
    const bool needs_hook = request.pytorch || request.stacks > 0;
    const std::string python = needs_hook ? find_python_hook(probe) : "";
    if (needs_hook && python.empty()) {
        return fail("python/hook is not beside " + probe + ": --pytorch and --stacks need it");
    }
    std::signal(SIGXFSZ, SIG_IGN);  // a full disk is an error of the write, not the end of lanes
    SpoolWriter writer;
    try {
        open_spool_of(to, writer);
    } catch (const std::system_error& error) {
        return fail(formatted("cannot write {}: {}", to.spool, error.code().message()));
    } catch (const std::runtime_error& error) {
        return fail(error.what());
    }
    writer.write_meta(meta::source, name_of(Source::cupti));
    writer.write_meta(meta::command, name);
    writer.write_meta(meta::command_line, shell_line(request.command).substr(0, longest_command_line));
    writer.write_meta(meta::recorded_at, utc_now());

    const CaughtSignals signals;
    ChildProcess child;
    child.arguments = request.command;
    auto control = request.control;
    if (control.is_partial()) {
        control.start = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
    }
    child.environment = probe_environment({.spool = to.spool,
        .probe = probe,
        .cupti = "",
        .python = python,
        .pytorch = request.pytorch,
        .shapes = request.shapes,
        .stacks = request.stacks,
        .control = control});
    std::optional<LiveLines> live;
    if (request.live) {
        live.emplace(to.spool);
    }
    const auto trigger = trigger_file_of(to.spool);
    ::unlink(trigger.c_str());  // of a run that was killed
    Joining joining(to, request);
    std::optional<PartsWhileItRuns> parts;
    if (control.has_parts()) {
        parts.emplace(joining, to.spool);
    }
    const ChildEnd end = run_child_process(child, 0);
    parts.reset();
    live.reset();
    ::unlink(trigger.c_str());
    if (end.start_error != 0) {
        say(formatted("{}: {}", request.command[0], std::strerror(end.start_error)));
        ::unlink(to.spool.c_str());
        return status_of(end);
    }
    // Like a shell, says nothing about SIGINT, which the user sent, and SIGPIPE, which ends the left side of a pipe.
    if (end.signal != 0 && end.signal != SIGINT && end.signal != SIGPIPE) {
        say("the program " + text_of(end));
    }
    end_spool(writer);
    if (writer.error() != 0) {
        return tell_unwritable(to.spool, writer.error());
    }
    writer.close();
    try {
        return join(joining, to, request, end);
    } catch (const std::exception& error) {
        return fail(formatted("{}; the records are still in {}", error.what(), to.spool));
    }
}

}  // namespace lanes
