// SPDX-License-Identifier: MIT
#include "engine/job/gather.h"

#include "engine/analysis/cut_out.h"
#include "engine/analysis/steps.h"
#include "engine/input_error.h"
#include "engine/job/job_file.h"
#include "engine/job/summarize.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace lanes {

namespace {

namespace files = std::filesystem;

constexpr std::string_view sent_mark = "\nlanescope-job ";  // then the number of bytes and a line's end
constexpr std::size_t most_sent = std::size_t {4} << 30U;

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

/// The files of a folder, sorted; of X.spool, X.sqlite and their summaries only the best.
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
            || (name.ends_with(".sum") && names.contains(without(".sum"))) || name.ends_with(".lanes");
        if (!is_double) {
            found.push_back(name);
        }
    }
    return found;
}

/// Everything that `ssh HOST ...` writes. Its errors go to ours, and it may ask for a password on the terminal.
std::string output_of(const std::vector<std::string>& arguments)
{
    std::array<int, 2> ends {};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "cannot start ssh");
    }
    std::vector<char*> words;
    for (const auto& argument : arguments) {
        words.push_back(const_cast<char*>(argument.c_str()));
    }
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    pid_t child = 0;
    const int failed = ::posix_spawnp(&child, words.front(), &actions, nullptr, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    std::string text;
    std::array<char, 65536> buffer {};
    for (ssize_t got = 0; failed == 0; text.append(buffer.data(), static_cast<std::size_t>(got))) {
        got = ::read(ends[0], buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) {
            got = 0;
            continue;
        }
        if (got <= 0 || text.size() > most_sent) {
            break;
        }
    }
    ::close(ends[0]);
    if (failed != 0) {
        throw std::system_error(failed, std::generic_category(), "cannot start '" + arguments.front() + "'");
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        const auto why = !WIFEXITED(status) ? "was killed"
            : WEXITSTATUS(status) == 127    ? "found no lanes there"
                                            : "ended with status " + std::to_string(WEXITSTATUS(status));
        throw InputError(arguments[1] + ": ssh " + why + ": nothing was fetched");
    }
    return text;
}

/// For the shell of the other host.
std::string quoted(const std::string& word)
{
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return text + '\'';
}

/// A file that vanishes with this.
struct ScratchFile {
    std::string path;
    explicit ScratchFile(const std::string& bytes)
    {
        auto name = (files::temp_directory_path() / "lanes-gather-XXXXXX").string();
        const int descriptor = ::mkstemp(name.data());
        if (descriptor < 0) {
            throw std::system_error(errno, std::generic_category(), "cannot write " + name);
        }
        path = name;
        ::close(descriptor);
        std::ofstream file(path, std::ios::binary);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!file.flush()) {
            ::unlink(path.c_str());
            throw std::system_error(ENOSPC, std::generic_category(), "cannot write " + path);
        }
    }
    ~ScratchFile() { ::unlink(path.c_str()); }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
};

void fetch(const RemoteFolder& place, Gathered& gathered)
{
    const auto text
        = output_of({"ssh", place.host, "lanes gather --send " + quoted(place.folder.empty() ? "." : place.folder)});
    const auto mark = text.rfind(sent_mark);
    std::size_t size = 0;
    const auto line = mark == std::string::npos ? mark : text.find('\n', mark + 1);
    if (line == std::string::npos
        || std::from_chars(text.data() + mark + sent_mark.size(), text.data() + line, size).ec != std::errc {}
        || text.size() - line - 1 < size) {
        throw InputError(place.host + ": what lanes gather sent is not whole; found "
            + std::to_string(line == std::string::npos ? 0 : text.size() - line - 1) + " bytes of summaries, expected "
            + std::to_string(size));
    }
    const ScratchFile file(text.substr(line + 1, size));
    for (auto& rank : load_ranks(file.path)) {
        rank.file = place.host + ':' + rank.file;
        rank.identity.host = rank.identity.host.empty() ? place.host : rank.identity.host;
        // What has no boot id shares a clock with nothing but its own file.
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
            return load_ranks(beside);
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

Gathered gather(const std::vector<std::string>& places, const std::function<void(const std::string&)>& found)
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
        if (found) {
            found(file);
        }
        try {
            auto ranks = summaries_of(file);
            std::move(ranks.begin(), ranks.end(), std::back_inserter(gathered.ranks));
        } catch (const InputError& error) {
            if (was_named) {
                throw;
            }
            leave_out(file, error.what());
        }
    };
    for (const auto& place : places) {
        const auto remote = remote_folder(place);
        std::error_code error;
        if (!remote.host.empty()) {
            if (found) {
                found(place);
            }
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

void send_gathered(const Gathered& gathered)
{
    const ScratchFile file("");
    save_ranks(gathered.ranks, nullptr, file.path);
    std::ifstream in(file.path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto head = std::string(sent_mark) + std::to_string(bytes.size()) + '\n';
    std::fwrite(head.data(), 1, head.size(), stdout);
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
}

}  // namespace lanes
