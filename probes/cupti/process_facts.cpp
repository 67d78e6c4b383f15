// SPDX-License-Identifier: MIT
#include "probes/cupti/process_facts.h"

#include "probes/boot_id.h"

#include <algorithm>
#include <climits>
#include <ctime>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lanes {

namespace {

Ns now(clockid_t clock)
{
    timespec time {};
    ::clock_gettime(clock, &time);
    return static_cast<Ns>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// The kernel's name of a thread, at most 15 bytes; "" if the thread is gone.
std::string comm_of(std::uint32_t thread)
{
    const auto path = "/proc/self/task/" + std::to_string(thread) + "/comm";
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return {};
    }
    char text[64];
    const auto length = ::read(file, text, sizeof text);
    ::close(file);
    std::string name(text, length > 0 ? static_cast<std::size_t>(length) : 0);
    while (!name.empty() && name.back() == '\n') {
        name.pop_back();
    }
    return name;
}

/// The program's file without its folder.
std::string program_name()
{
    char path[PATH_MAX];
    const auto length = ::readlink("/proc/self/exe", path, sizeof path);
    std::string name(path, length > 0 ? static_cast<std::size_t>(length) : 0);
    if (const auto slash = name.rfind('/'); slash != std::string::npos) {
        name.erase(0, slash + 1);
    }
    if (const auto deleted = name.rfind(" (deleted)"); deleted != std::string::npos) {
        name.erase(deleted);
    }
    return name;
}

std::string host_name()
{
    char name[256] {};
    return ::gethostname(name, sizeof name - 1) == 0 ? std::string(name) : std::string();
}

}  // namespace

std::uint32_t this_thread()
{
    return static_cast<std::uint32_t>(::syscall(SYS_gettid));
}

ClockRecord read_clocks()
{
    // The monotonic clock is read before and after: the mean of both is the time of the other clock.
    const Ns before = now(CLOCK_MONOTONIC);
    const Ns realtime = now(CLOCK_REALTIME);
    const Ns after = now(CLOCK_MONOTONIC);
    return {.realtime = realtime, .monotonic = before + (after - before) / 2};
}

ProcessFacts::ProcessFacts(RecordSink& sink, bool with_threads)
    : m_sink(sink)
    , m_process(static_cast<std::uint32_t>(::getpid()))
    , m_with_threads(with_threads)
{
}

void ProcessFacts::write_process()
{
    m_sink.write(ProcessRecord {.process = m_process,
        .parent = static_cast<std::uint32_t>(::getppid()),
        .name = m_sink.intern(program_name())});
    m_sink.write_meta(host_key, host_name());
    m_sink.write_meta(boot_key, boot_id());
}

void ProcessFacts::write_clock()
{
    m_sink.write(read_clocks());
}

void ProcessFacts::see_thread(std::uint32_t thread)
{
    if (!m_with_threads) {
        return;
    }
    const std::lock_guard lock(m_mutex);
    const auto [at, is_new] = m_threads.try_emplace(thread);
    if (is_new) {
        // The main thread's id is the process's, and it comes first; the others in the order in which they appear.
        at->second.order = thread == m_process ? 0 : static_cast<std::uint32_t>(m_threads.size());
        at->second.name = comm_of(thread);
        write_thread(thread, at->second);
    }
}

void ProcessFacts::name_thread(std::uint32_t thread, const std::string& name)
{
    see_thread(thread);
    if (!m_with_threads) {
        return;
    }
    const std::lock_guard lock(m_mutex);
    auto& known = m_threads[thread];
    known.named_by_program = true;
    known.name = name;
    write_thread(thread, known);
}

void ProcessFacts::refresh_threads()
{
    const std::lock_guard lock(m_mutex);
    for (auto& [thread, known] : m_threads) {
        auto name = known.named_by_program ? std::string() : comm_of(thread);
        if (!name.empty() && name != known.name) {
            known.name = std::move(name);
            write_thread(thread, known);
        }
    }
}

void ProcessFacts::write_thread(std::uint32_t thread, const KnownThread& known)
{
    m_sink.write(
        ThreadRecord {.process = m_process, .thread = thread, .name = m_sink.intern(known.name), .order = known.order});
}

void ProcessFacts::describe_stream(const StreamRecord& stream)
{
    const std::lock_guard lock(m_mutex);
    auto& known = m_streams[{stream.context, stream.stream}];
    const StringId name = stream.name != 0 ? stream.name : known.name;
    known = stream;
    known.name = name;
    m_sink.write(known);
}

void ProcessFacts::name_stream(std::uint32_t context, std::uint32_t stream, StringId name)
{
    const std::lock_guard lock(m_mutex);
    const auto [at, is_new] = m_streams.try_emplace({context, stream});
    if (is_new) {
        at->second = {.process = m_process,
            .context = context,
            .stream = stream,
            .priority = 0,
            .flag = StreamRecord::unknown,
            .name = name};
    }
    at->second.name = name;
    m_sink.write(at->second);
}

}  // namespace lanes
