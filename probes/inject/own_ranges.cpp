// SPDX-License-Identifier: MIT
#include "probes/inject/own_ranges.h"

#include <ctime>
#include <functional>
#include <map>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace lanes {

namespace {

constexpr std::size_t most_records = 512;
constexpr Ns oldest = 20'000'000;
constexpr std::uint64_t first_id = std::uint64_t {1} << 40U;  // CUPTI's are of 32 bits

constexpr std::size_t most_names = 4096;

std::atomic<std::uint64_t> numbers {0};

/// CUPTI's axis.
Ns now()
{
    timespec time {};
    ::clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<Ns>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

struct OwnRanges::OfThread {
    std::uint64_t number = 0;
    std::uint32_t thread = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    std::vector<std::uint64_t> open;  ///< the thread's own, and
    std::map<std::string, StringId, std::less<>> names;  ///< those that the sink knows
    std::mutex mutex;  ///< of what follows
    Ns flushed_at = now();
    std::vector<RangeRecord> records;
};

OwnRanges::OwnRanges(RecordSink& sink)
    : m_sink(sink)
    , m_facts(sink, true)
    , m_number(++numbers)
    , m_next_id(first_id + (m_number << 32U))
{
    m_facts.write_process();
    m_facts.write_clock();
}

OwnRanges::~OwnRanges()
{
    flush_all();
}

OwnRanges::OfThread& OwnRanges::of_thread()
{
    // A thread that ends leaves its records here until the next flush of all.
    static thread_local std::shared_ptr<OfThread> own;
    if (own == nullptr || own->number != m_number) {
        own = std::make_shared<OfThread>();
        own->number = m_number;
        own->records.reserve(most_records);
        const std::lock_guard lock(m_mutex);
        m_threads.push_back(own);
    }
    return *own;
}

StringId OwnRanges::id_of(OfThread& thread, std::string_view name)
{
    if (const auto known = thread.names.find(name); known != thread.names.end()) {
        return known->second;
    }
    if (thread.names.size() >= most_names) {
        thread.names.clear();
    }
    const auto id = m_sink.intern(name);
    thread.names.emplace(name, id);
    return id;
}

void OwnRanges::add(OfThread& thread, const char* name, RangeRecord::Edge edge, std::uint64_t id)
{
    const Ns time = now();
    const StringId text = name == nullptr ? 0 : id_of(thread, name);
    const std::lock_guard lock(thread.mutex);
    thread.records.push_back({.time = time,
        .id = id,
        .process = m_facts.process(),
        .thread = thread.thread,
        .name = text,
        .domain = 0,
        .color = 0,
        .edge = edge});
    if (thread.records.size() >= most_records || (thread.open.empty() && time - thread.flushed_at > oldest)) {
        write(thread);
    }
}

void OwnRanges::push(const char* name)
{
    auto& thread = of_thread();
    const auto id = m_next_id++;
    thread.open.push_back(id);
    add(thread, name == nullptr ? "" : name, RangeRecord::begin, id);
}

void OwnRanges::pop()
{
    auto& thread = of_thread();
    if (!thread.open.empty()) {
        const auto id = thread.open.back();
        thread.open.pop_back();
        add(thread, nullptr, RangeRecord::finish, id);
    }
}

void OwnRanges::mark(const char* name)
{
    add(of_thread(), name == nullptr ? "" : name, RangeRecord::mark, m_next_id++);
}

void OwnRanges::name_thread(const char* name)
{
    m_facts.name_thread(of_thread().thread, name == nullptr ? "" : name);
}

void OwnRanges::write(OfThread& thread)
{
    if (!thread.records.empty()) {
        m_facts.see_thread(thread.thread);
        m_sink.write(std::span<const RangeRecord>(thread.records));
        thread.records.clear();
    }
    thread.flushed_at = now();
}

void OwnRanges::flush()
{
    auto& thread = of_thread();
    const std::lock_guard lock(thread.mutex);
    write(thread);
}

void OwnRanges::flush_all()
{
    const std::lock_guard lock(m_mutex);
    for (const auto& thread : m_threads) {
        const std::lock_guard thread_lock(thread->mutex);
        write(*thread);
    }
}

}  // namespace lanes
