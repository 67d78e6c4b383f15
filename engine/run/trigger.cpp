// SPDX-License-Identifier: MIT
#include "engine/run/trigger.h"

#include "engine/formatted.h"
#include "engine/run/output_files.h"
#include "engine/store/atomic_file.h"
#include "probes/inject/environment.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <ctime>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

/// Until each process has seen the request: two of the probe's flush periods.
constexpr Ns lead = 300'000'000;

std::string text_of_file(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::uint32_t number_of(const std::string& text)
{
    std::uint32_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && last == end ? number : 0;
}

/// The processes that each process has started, of those that run.
std::multimap<std::uint32_t, std::uint32_t> all_children()
{
    std::multimap<std::uint32_t, std::uint32_t> children;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const auto process = number_of(entry.path().filename().string());
        // "PID (NAME) STATE PARENT ...": a name may have spaces and parentheses.
        const auto line = process == 0 ? std::string() : text_of_file(entry.path().string() + "/stat");
        const auto after_name = line.rfind(')');
        if (after_name != std::string::npos && after_name + 4 < line.size()) {
            children.emplace(
                number_of(line.substr(after_name + 4, line.find(' ', after_name + 4) - after_name - 4)), process);
        }
    }
    return children;
}

struct Job {
    std::string spool;
    ControlSettings control;
};

/// The job of the process or of those that it has started; its spool is "" if there is none.
Job job_of(std::uint32_t process)
{
    const auto children = all_children();
    std::map<std::string, Job> jobs;
    std::deque<std::uint32_t> next {process};
    while (!next.empty()) {
        const auto environment = text_of_file(formatted("/proc/{}/environ", next.front()));
        if (auto spool = value_in_environment(environment, probe_variable::spool); !spool.empty()) {
            jobs[spool] = {spool, control_of_text(value_in_environment(environment, probe_variable::control))};
        } else {
            const auto [first, last] = children.equal_range(next.front());
            for (auto child = first; child != last; ++child) {
                next.push_back(child->second);
            }
        }
        next.pop_front();
    }
    if (jobs.size() > 1) {
        throw InputError(formatted(
            "process {} has started {} programs that lanes records: expected one of theirs", process, jobs.size()));
    }
    return jobs.empty() ? Job {} : jobs.begin()->second;
}

/// At once or not at all.
void write_request(const std::string& path, const std::string& text)
{
    AtomicFile whole(path);
    errno = 0;
    std::ofstream file(whole.beside());
    file << text << '\n';
    file.close();
    if (!file) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), "cannot write " + path);
    }
    whole.commit();
}

}  // namespace

std::string value_in_environment(const std::string& environment, const std::string& name)
{
    for (std::size_t begin = 0; begin < environment.size();) {
        const auto end = std::min(environment.find('\0', begin), environment.size());
        if (environment.compare(begin, name.size() + 1, name + "=") == 0) {
            return environment.substr(begin + name.size() + 1, end - begin - name.size() - 1);
        }
        begin = end + 1;
    }
    return {};
}

Ns trigger(const TriggerRequest& request)
{
    const auto process = number_of(request.process);
    if (process == 0) {
        throw InputError(formatted("found \"{}\", expected the id of a process", request.process));
    }
    const std::string folder = formatted("/proc/{}", process);
    if (!std::filesystem::exists(folder)) {
        throw InputError(formatted("there is no process {}", process));
    }
    if (::access((folder + "/environ").c_str(), R_OK) != 0) {
        throw InputError(formatted("process {} is another user's: {}", process, std::strerror(errno)));
    }
    const auto job = job_of(process);
    if (job.spool.empty() || !std::filesystem::exists(job.spool) || !is_written_to(job.spool)) {
        throw InputError(formatted("lanes does not record process {}, nor one that it started: expected one that runs "
                                   "under lanes record --idle",
            process));
    }
    if (!job.control.idle) {
        throw InputError(formatted(
            "process {} is recorded without --idle, so it cannot be triggered: expected lanes record --idle", process));
    }
    const auto path = trigger_file_of(job.spool);
    const Ns now = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
    if (const auto last = control_of_text(text_of_file(path));
        last.start > 0 && now < last.earliest() + last.duration) {
        throw InputError(formatted("process {} is already triggered: its part ends in {:.1f} s", process,
            static_cast<double>(last.earliest() + last.duration - now) / 1e9));
    }
    ControlSettings part;
    part.start = now + lead;
    part.duration = request.duration;
    part.at = request.at;
    write_request(path, to_text(part));
    return part.earliest();
}

}  // namespace lanes
