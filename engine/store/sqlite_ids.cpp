// SPDX-License-Identifier: MIT
#include "engine/store/sqlite_ids.h"
#include "engine/store/nsys_layout.h"

#include <algorithm>

namespace lanes {

void SeenInRows::merge(SeenInRows&& other)
{
    skipped += other.skipped;
    threadless += other.threadless;
    first_start = std::min(first_start, other.first_start);
    last_end = std::max(last_end, other.last_end);
    processes.merge(other.processes);
    devices.merge(other.devices);
    threads.merge(other.threads);
}

void SqliteIds::read(UntrustedFile& file)
{
    for (TableRows rows(file, "LANESCOPE_PROCESS", {"globalPid", "process", "parent"}); rows.next();) {
        m_processes[rows.number(0)] = {rows.id(1), rows.id(2)};
    }
    for (TableRows rows(file, "LANESCOPE_THREAD", {"globalTid", "process", "thread"}); rows.next();) {
        m_threads[rows.number(0)] = {rows.id(1), rows.id(2)};
    }
}

std::uint32_t SqliteIds::process(const TableRows& rows, int column)
{
    const auto global = rows.number(column, 0) & ~std::int64_t {0xFFFFFF};
    if (global != m_last_global_pid) {
        const auto own = m_processes.find(global);
        m_last_global_pid = global;
        m_last_pid = own == m_processes.end() ? layout::process_of(global) : own->second.process;
        seen.processes.insert(m_last_pid);
    }
    return m_last_pid;
}

SqliteIds::Ids SqliteIds::thread(const TableRows& rows, int column, bool used)
{
    if (rows.is_null(column)) {
        seen.threadless += used ? 1 : 0;
        return {0, no_id};
    }
    const auto global = rows.number(column);
    if (global != m_last_global_tid) {
        const auto own = m_threads.find(global);
        m_last_global_tid = global;
        m_last_thread
            = own != m_threads.end() ? own->second : Ids {layout::process_of(global), layout::thread_of(global)};
        m_last_used = false;
    }
    if (used && !m_last_used) {
        seen.processes.insert(m_last_thread.process);
        seen.threads.insert(global & 0xFFFFFFFFFFFF);
        m_last_used = true;
    }
    return m_last_thread;
}

void SqliteIds::device(std::uint32_t device)
{
    if (device != m_last_device) {
        seen.devices.insert(device);
        m_last_device = device;
    }
}

bool SqliteIds::next_timed(TableRows& rows, std::initializer_list<int> times)
{
    while (rows.next()) {
        if (has_time(rows, times)) {
            return true;
        }
    }
    return false;
}

}  // namespace lanes
