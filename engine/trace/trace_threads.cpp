// SPDX-License-Identifier: MIT
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <set>

namespace lanes {

void TraceThreads::see(std::uint32_t process, std::uint32_t thread, Ns time)
{
    if (thread != no_id) {
        auto& seen = m_threads[pair_of(process, thread)];
        seen.first = std::min(seen.first, time);
    }
}

void TraceThreads::describe(const std::vector<ThreadRecord>& records, bool only_seen)
{
    for (const auto& record : records) {
        if (only_seen && !m_threads.contains(pair_of(record.process, record.thread))) {
            continue;
        }
        auto& seen = m_threads[pair_of(record.process, record.thread)];
        seen.name = record.name != 0 ? record.name : seen.name;
        seen.order = record.order;
    }
}

void TraceThreads::finish(Trace& trace, const std::vector<ProcessRecord>& records)
{
    // Threads without a description come after the others of their process: first its main thread, then in order of
    // appearance.
    struct Entry {
        std::uint32_t process, id;
        Seen* seen;
        auto rank() const
        {
            return std::tuple(process, seen->order,
                seen->order == no_id ? std::pair(id != process, seen->first) : std::pair(false, Ns {0}), id);
        }
    };
    std::vector<Entry> entries;
    for (auto& [key, seen] : m_threads) {
        entries.push_back({static_cast<std::uint32_t>(key >> 32U), static_cast<std::uint32_t>(key), &seen});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.rank() < b.rank(); });
    std::map<std::uint32_t, Process> processes;
    for (const auto& record : records) {
        auto& process = processes[record.process];
        process = {record.process, record.parent != 0 ? record.parent : process.parent,
            record.name != 0 ? record.name : process.name};
    }
    for (const auto& entry : entries) {
        const bool first = trace.threads.empty() || trace.threads.back().process != entry.process;
        const auto next = first ? 0 : trace.threads.back().order + 1;
        entry.seen->order = entry.seen->order == no_id ? next : entry.seen->order;
        entry.seen->row = static_cast<Row>(trace.threads.size());
        trace.threads.push_back({entry.process, entry.id, entry.seen->name, entry.seen->order});
        processes.try_emplace(entry.process, Process {entry.process, 0, 0});
    }
    for (const auto& context : trace.contexts) {
        processes.try_emplace(context.process, Process {context.process, 0, 0});
    }
    for (const auto& stream : trace.streams) {
        processes.try_emplace(stream.process, Process {stream.process, 0, 0});
    }
    for (const auto& [id, process] : processes) {
        trace.processes.push_back(process);
    }
}

Row TraceThreads::row(std::uint32_t process, std::uint32_t thread) const
{
    const auto key = pair_of(process, thread);
    if (m_last == nullptr || m_last_key != key) {
        const auto found = m_threads.find(key);
        if (found == m_threads.end()) {
            return no_row;
        }
        m_last = &found->second;
        m_last_key = key;
    }
    return m_last->row;
}

}  // namespace lanes
