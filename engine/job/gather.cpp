// SPDX-License-Identifier: MIT
#include "engine/job/gather.h"

#include "engine/analysis/cut_out.h"
#include "engine/analysis/steps.h"
#include "engine/input_error.h"
#include "engine/job/job_file.h"
#include "engine/job/summarize.h"
#include "engine/shell_quoted.h"
#include "engine/store/atomic_file.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "probes/boot_id.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <spawn.h>
#include <string_view>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace lanes {

namespace {

namespace files = std::filesystem;

// Lines that begin what is sent: whatever a login shell prints comes before one of them.
constexpr std::string_view sent_mark = "lanescope-job ";  // then the number of bytes
constexpr std::string_view file_mark = "lanescope-file ";  // the same
constexpr std::string_view clock_mark = "lanescope-clock ";  // then the clock's name; it answers questions now
constexpr std::size_t most_sent = std::size_t {1} << 42U;

/// Who records holds a shared lock on the spool.
bool is_written_now(const std::string& file)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    const bool is_held = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return is_held;
}

bool is_half(const std::string& name)
{
    return name.find(".partial-") != std::string::npos;
}

/// Whether the name is one that recordings have: a folder of a run has logs and checkpoints, too.
bool may_be_recording(const std::string& name)
{
    static constexpr std::array<std::string_view, 8> endings {
        ".spool", ".sqlite", ".json", ".json.gz", ".pftrace", ".pftrace.gz", ".sum", ".lanes"};
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

/// The files of a folder, sorted; of X.spool, X.sqlite and their summaries only the best, and none that were fetched
/// for a job.
std::vector<std::string> files_of(const std::string& folder)
{
    std::set<std::string> names;
    std::error_code error;
    for (files::recursive_directory_iterator at(folder, files::directory_options::skip_permission_denied, error), end;
         !error && at != end; at.increment(error)) {
        std::error_code ignored;
        if (at->is_regular_file(ignored) && (may_be_recording(at->path().filename().string()))) {
            names.insert(at->path().string());
        }
    }
    if (error) {
        throw std::system_error(error, "cannot read '" + folder + "'");
    }
    std::vector<std::string> found;
    for (const auto& name : names) {
        const auto without = [&](std::string_view ending) { return name.substr(0, name.size() - ending.size()); };
        const bool is_double = (name.ends_with(".spool") && names.contains(without(".spool") + ".sqlite"))
            || (name.ends_with(".sum") && names.contains(without(".sum")))
            || (name.ends_with(".spool.sum") && names.contains(without(".spool.sum") + ".sqlite"))
            || name.ends_with(".lanes") || name.find(".lanes.full/", folder.size()) != std::string::npos;
        if (!is_double) {
            found.push_back(name);
        }
    }
    return found;
}

/// `ssh HOST COMMAND`: what is written to it and what comes back. Its errors go to ours, and it may ask for a password
/// on the terminal.
class Conversation {
public:
    Conversation(const std::string& host, const std::string& command)
        : m_host(host)
    {
        std::array<int, 2> output {}, input {};
        if (::pipe2(output.data(), O_CLOEXEC) != 0
            || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0) {
            throw std::system_error(errno, std::generic_category(), "cannot start ssh");
        }
        std::array<std::string, 4> words {"ssh", "--", host, command};  // a host is no option, whatever it is called
        std::array<char*, 5> arguments {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, input[1], STDIN_FILENO);
        const int failed = ::posix_spawnp(&m_child, arguments.front(), &actions, nullptr, arguments.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(output[1]);
        ::close(input[1]);
        m_output = output[0];
        m_input = input[0];
        if (failed != 0) {
            m_child = 0;
            throw std::system_error(failed, std::generic_category(), "cannot start 'ssh'");
        }
    }
    ~Conversation()
    {
        ::close(m_input);
        ::close(m_output);
        if (m_child > 0) {  // what is not waited for to its end is of no use any more
            ::kill(m_child, SIGTERM);
            wait();
        }
    }
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;

    /// False: nobody reads it.
    bool say(std::string_view text) const
    {
        return ::send(m_input, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
    }
    /// Up to the next line's end, without it. Nothing: it ended before.
    std::optional<std::string> line()
    {
        constexpr std::size_t longest = 65536;
        for (;;) {
            if (const auto end = m_read.find('\n'); end != std::string::npos) {
                auto text = m_read.substr(0, end);
                m_read.erase(0, end + 1);
                return text;
            }
            if (m_read.size() > longest) {
                m_read.erase(0, m_read.size() - longest);  // what a login shell prints
            }
            if (!read_more()) {
                return std::nullopt;
            }
        }
    }
    /// The line that follows `mark`, whatever a login shell prints before it; nothing: there is none.
    std::optional<std::string> after(std::string_view mark)
    {
        while (auto text = line()) {
            if (text->starts_with(mark)) {
                return text->substr(mark.size());
            }
        }
        return std::nullopt;
    }
    /// That many bytes, in pieces; returns how many there were.
    std::size_t bytes(std::size_t count, const std::function<void(std::string_view)>& take)
    {
        std::size_t got = 0;
        while (got < count && (!m_read.empty() || read_more())) {
            const auto piece = std::min(count - got, m_read.size());
            take({m_read.data(), piece});
            m_read.erase(0, piece);
            got += piece;
        }
        return got;
    }
    /// Throws InputError unless it ended well.
    void expect_end()
    {
        const int status = wait();
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            const auto why = !WIFEXITED(status) ? "was killed"
                : WEXITSTATUS(status) == 127    ? "found no lanes there"
                                                : "ended with status " + std::to_string(WEXITSTATUS(status));
            throw InputError(m_host + ": ssh " + why + ": nothing was fetched");
        }
    }

private:
    int wait()
    {
        int status = 0;
        while (m_child > 0 && ::waitpid(m_child, &status, 0) < 0 && errno == EINTR) { }
        m_child = 0;
        return status;
    }
    bool read_more()
    {
        std::array<char, 65536> buffer {};
        for (;;) {
            const auto got = ::read(m_output, buffer.data(), buffer.size());
            if (got > 0) {
                m_read.append(buffer.data(), static_cast<std::size_t>(got));
                return true;
            }
            if (got == 0 || errno != EINTR) {
                return false;
            }
        }
    }

    const std::string& m_host;
    pid_t m_child = 0;
    int m_output = -1, m_input = -1;
    std::string m_read;
};

/// A file that vanishes with this, alone in its folder: the summaries in it name no recording from there on.
struct ScratchFile {
    std::string path;
    explicit ScratchFile(const std::string& bytes)
    {
        auto folder = (files::temp_directory_path() / "lanes-gather-XXXXXX").string();
        if (::mkdtemp(folder.data()) == nullptr) {
            throw std::system_error(errno, std::generic_category(), "cannot write " + folder);
        }
        path = folder + "/job.lanes";
        std::ofstream file(path, std::ios::binary);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!file.flush()) {
            remove();
            throw std::system_error(ENOSPC, std::generic_category(), "cannot write " + path);
        }
    }
    ~ScratchFile() { remove(); }
    void remove() const
    {
        std::error_code none;
        files::remove_all(files::path(path).parent_path(), none);
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
};

Ns now()
{
    timespec time {};
    ::clock_gettime(CLOCK_REALTIME, &time);
    return Ns {time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

struct AskedClock {
    std::string name;  ///< its boot id; "": not known
    std::vector<ClockRound> rounds;
};

/// Asks the other host's clock again and again, and keeps the narrowest rounds. Nothing where one of the clocks has no
/// name.
AskedClock ask_clock(Conversation& talk)
{
    constexpr int most_rounds = 200;
    constexpr std::size_t kept = 3;
    constexpr Ns long_enough = 500'000'000;
    AskedClock asked;
    const auto name = talk.after(clock_mark);
    if (!name) {
        return asked;
    }
    asked.name = *name;
    const auto here = boot_id();
    const Ns begin = now();
    for (int i = 0; i < most_rounds && now() - begin < long_enough; ++i) {
        ClockRound round {here, now(), 0, 0};
        const auto answer = talk.say("t\n") ? talk.line() : std::nullopt;
        round.back = now();
        if (!answer
            || std::from_chars(answer->data(), answer->data() + answer->size(), round.there).ec != std::errc {}) {
            break;
        }
        asked.rounds.push_back(std::move(round));
    }
    talk.say("end\n");
    std::sort(asked.rounds.begin(), asked.rounds.end(),
        [](const ClockRound& a, const ClockRound& b) { return a.back - a.sent < b.back - b.sent; });
    asked.rounds.resize(here.empty() || asked.name.empty() ? 0 : std::min(asked.rounds.size(), kept));
    return asked;
}

/// What follows `mark`, a number of bytes and a line's end. Throws InputError if it is not whole.
void receive(Conversation& talk, const std::string& host, std::string_view mark, const char* what,
    const std::function<void(std::string_view)>& take)
{
    std::size_t size = 0;
    const auto head = talk.after(mark);
    const bool has_head = head && std::from_chars(head->data(), head->data() + head->size(), size).ec == std::errc {};
    if (!has_head) {
        talk.expect_end();  // says what went wrong
    }
    if (!has_head || size > most_sent) {
        throw InputError(host + ": what lanes gather sent is not whole; found no " + what);
    }
    if (const auto got = talk.bytes(size, take); got != size) {
        throw InputError(host + ": what lanes gather sent is not whole; found " + std::to_string(got) + " bytes of "
            + what + ", expected " + std::to_string(size));
    }
}

void fetch(const RemoteFolder& place, Gathered& gathered)
{
    Conversation talk(place.host, "lanes gather --send " + in_shell_quotes(place.folder.empty() ? "." : place.folder));
    auto asked = ask_clock(talk);
    std::string text;
    receive(talk, place.host, sent_mark, "summaries", [&](std::string_view piece) { text += piece; });
    auto again = ask_clock(talk);
    std::move(again.rounds.begin(), again.rounds.end(), std::back_inserter(asked.rounds));
    talk.expect_end();
    const ScratchFile file(text);
    for (auto& rank : load_ranks(file.path)) {
        rank.file = place.host + ':' + rank.file;
        rank.identity.host = rank.identity.host.empty() ? place.host : rank.identity.host;
        // What has no boot id shares a clock with nothing but its own file.
        if (!asked.name.empty() && rank.identity.clock == asked.name) {  // since then the host was not started again
            rank.rounds = asked.rounds;
        }
        gathered.ranks.push_back(std::move(rank));
    }
}

}  // namespace

Trace kept_steps(Trace trace, const std::string& file)
{
    const auto wanted = trace.meta.find(meta::keep_steps);
    if (wanted == trace.meta.end()) {
        return trace;
    }
    StepNumbers steps;
    const auto& text = wanted->second;
    const auto colon = std::min(text.find(':'), text.size());
    std::from_chars(text.data(), text.data() + colon, steps.first);
    std::from_chars(text.data() + std::min(colon + 1, text.size()), text.data() + text.size(), steps.end);
    std::string problem;
    const auto part = find_steps(trace, steps, problem);
    if (!part) {
        throw InputError("'" + file + "' was not cut to the steps " + text + ": " + problem);
    }
    return cut_out(trace, *part);
}

RemoteFolder remote_folder(const std::string& place)
{
    const auto colon = place.find(':');
    std::error_code none;
    if (colon == std::string::npos || colon == 0 || place.find('/') < colon || files::exists(place, none)) {
        return {"", place};
    }
    return {place.substr(0, colon), place.substr(colon + 1)};
}

std::vector<RankSummary> summaries_of(const std::string& file)
{
    if (is_ranks_file(file)) {
        return load_ranks(file);
    }
    const auto beside = file + ".sum";
    std::error_code none;
    const auto made = files::last_write_time(beside, none);
    if (!none && made > files::last_write_time(file, none) && !none) {
        try {
            auto ranks = load_ranks(beside);
            for (auto& rank : ranks) {
                rank.file = file;  // the folder may have been moved, or named otherwise
            }
            return ranks;
        } catch (const JobFileError&) {  // it is made again
        }
    }
    auto ranks = summarize(kept_steps(open_recording(file), file), file);
    try {
        save_ranks(ranks, nullptr, beside);
    } catch (const std::system_error&) {  // a folder that nobody may write to: it is made each time
    } catch (const InputError&) {
    }
    return ranks;
}

Gathered gather(const std::vector<std::string>& places)
{
    Gathered gathered;
    const auto leave_out = [&](const std::string& file, const std::string& why) {
        gathered.left_out.push_back({"job.left_out", {{"file", file}, {"why", why}}});
    };
    const auto take = [&](const std::string& file, bool was_named) {
        if (is_half(file) || is_written_now(file)) {
            leave_out(file, "it is still being written");
            return;
        }
        try {
            auto ranks = summaries_of(file);
            std::move(ranks.begin(), ranks.end(), std::back_inserter(gathered.ranks));
        } catch (const InputError& error) {
            if (was_named) {
                throw;
            }
            const std::string said = error.what(), place = file + ": ";
            leave_out(file, said.starts_with(place) ? said.substr(place.size()) : said);
        }
    };
    for (const auto& place : places) {
        const auto remote = remote_folder(place);
        std::error_code error;
        if (!remote.host.empty()) {
            fetch(remote, gathered);
        } else if (files::is_directory(place, error)) {
            for (const auto& file : files_of(place)) {
                take(file, false);
            }
        } else if (files::exists(place, error)) {
            take(place, true);
        } else {
            throw InputError("'" + place
                + "' does not exist; expected a recording, a folder with recordings, or "
                  "HOST:FOLDER");
        }
    }
    return gathered;
}

void answer_clock()
{
    std::printf("\n%s%s\n", clock_mark.data(), boot_id().c_str());
    std::array<char, 64> line {};
    // Where nobody reads the answers, nobody asks any more.
    while (std::fflush(stdout) == 0 && std::fgets(line.data(), line.size(), stdin) != nullptr && line.front() == 't') {
        std::printf("%lld\n", static_cast<long long>(now()));
    }
}

void send_recording(const std::string& file)
{
    std::error_code error;
    const auto size = files::file_size(file, error);
    std::ifstream in(file, std::ios::binary);
    if (error || !in) {
        throw std::system_error(
            error ? error : std::make_error_code(std::errc::io_error), "cannot read '" + file + "'");
    }
    std::printf("\n%s%ju\n", file_mark.data(), static_cast<std::uintmax_t>(size));
    std::vector<char> buffer(std::size_t {1} << 20U);
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) {
        std::fwrite(buffer.data(), 1, static_cast<std::size_t>(in.gcount()), stdout);
    }
    std::fflush(stdout);
}

namespace {

/// What follows the name of the file: ".sqlite", ".json.gz".
std::string ending_of(const std::string& file)
{
    const auto name = files::path(file).filename().string();
    for (const std::string_view ending : {".json.gz", ".pftrace.gz"}) {
        if (name.ends_with(ending)) {
            return std::string(ending);
        }
    }
    return files::path(name).extension().string();
}

void fetch_recording(const RemoteFolder& place, const std::string& to)
{
    AtomicFile whole(to);
    std::ofstream file(whole.beside(), std::ios::binary);
    const auto expect_written = [&] {
        if (!file) {
            throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), "cannot write '" + to + "'");
        }
    };
    Conversation talk(place.host, "lanes gather --send-file " + in_shell_quotes(place.folder));
    receive(talk, place.host, file_mark, "the recording", [&](std::string_view piece) {
        errno = 0;
        file.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        expect_written();
    });
    talk.expect_end();
    errno = 0;
    file.close();
    expect_written();
    whole.commit();
}

}  // namespace

std::vector<std::string> fetch_recordings(
    const std::vector<RankSummary>& ranks, const std::vector<std::int64_t>& wanted, const std::string& folder)
{
    std::vector<std::string> fetched;
    for (const auto number : wanted) {
        const auto rank = std::find_if(
            ranks.begin(), ranks.end(), [&](const RankSummary& each) { return each.identity.rank == number; });
        if (rank == ranks.end()) {
            throw InputError("--full: found rank " + std::to_string(number) + ", which the job does not have");
        }
        const auto place = remote_folder(rank->file);
        if (place.host.empty()) {
            continue;
        }
        files::create_directories(folder);
        std::array<char, 24> name {};
        std::snprintf(name.data(), name.size(), "rank%04lld", static_cast<long long>(number));
        const auto to = (files::path(folder) / (name.data() + ending_of(place.folder))).string();
        fetch_recording(place, to);
        fetched.push_back(to);
    }
    return fetched;
}

void send_gathered(const Gathered& gathered)
{
    const ScratchFile file("");
    save_ranks(gathered.ranks, nullptr, file.path);
    std::ifstream in(file.path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto head = '\n' + std::string(sent_mark) + std::to_string(bytes.size()) + '\n';
    std::fwrite(head.data(), 1, head.size(), stdout);
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
}

}  // namespace lanes
