// SPDX-License-Identifier: MIT
#include "engine/store/sqlite_reader.h"
#include "engine/store/call_name.h"
#include "engine/store/nsys_layout.h"
#include "engine/store/sqlite_recording.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <future>
#include <sqlite3.h>
#include <system_error>

namespace lanes {

namespace {

/// SQLite's messages may quote the file: so much of it as a line holds.
std::string one_line(std::string text)
{
    constexpr std::size_t most = 160;
    if (text.size() > most) {
        text.resize(most);
        text += "...";
    }
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c > 0x7E; }, '?');
    return text;
}

}  // namespace

Trace SqliteReader::run()
{
    read_meta();
    for (const char* table : {"StringIds", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
             "CUPTI_ACTIVITY_KIND_MEMSET", "NVTX_EVENTS"}) {
        m_file.expect(table);
    }
    read_strings();
    read_ids();
    m_file.read_at_most(m_most_rows);
    read_work();
    read_overheads();
    read_memory();
    read_ranges();
    if (m_own) {
        read_own();
        read_counters();
    } else {
        read_gpu_metrics();
    }
    m_file.read_at_most(UntrustedFile::every_row);
    read_target();
    return finish();
}

/// Calls are about as many as what they cause. So they are read on another thread, over a connection of its own, unless
/// it is not worth one.
void SqliteReader::read_work()
{
    constexpr std::uint64_t worth_a_thread = 8'000'000;  // bytes
    const bool aside = m_file.row_limit() * 4 >= worth_a_thread && m_most_rows == UntrustedFile::every_row;
    std::stop_source unwanted;
    const Progress silent(unwanted.get_token());
    auto calls = std::async(aside ? std::launch::async : std::launch::deferred,
        [this, &silent] { return SqliteReader(m_path, silent, m_most_rows).calls_alone(); });
    try {
        if (!aside) {
            calls.wait();
        }
        read_own_operations();
        read_kernels();
        read_graphs();
        read_copies();
        read_memsets();
        read_syncs();
        read_events();
        while (aside && calls.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
            m_reading.report(1);
        }
    } catch (const Cancelled&) {
        unwanted.request_stop();
        throw;
    } catch (...) {
        calls.get();  // what is wrong with the calls comes first
        throw;
    }
    take(calls.get());
}

SqliteReader::Calls SqliteReader::calls_alone()
{
    read_meta();
    read_ids();
    m_file.read_at_most(m_most_rows);
    Calls calls;
    read_calls(calls);
    calls.skipped = m_skipped;
    calls.threadless = m_threadless;
    calls.first_start = m_first_start;
    calls.last_end = m_last_end;
    calls.used_processes = std::move(m_used_processes);
    calls.used_threads = std::move(m_used_threads);
    return calls;
}

void SqliteReader::take(Calls calls)
{
    std::vector<StringId> ids;
    for (const auto stored : calls.names) {
        const auto found = m_texts.find(stored);
        const std::string_view name = found == m_texts.end() ? "" : std::string_view(found->second.text);
        ids.push_back(m_builder.intern(m_own ? name : without_version(name)));
    }
    for (auto& record : calls.records) {
        record.name = ids[record.name];
    }
    m_builder.take(std::move(calls.records));
    m_skipped += calls.skipped;
    m_threadless += calls.threadless;
    m_first_start = std::min(m_first_start, calls.first_start);
    m_last_end = std::max(m_last_end, calls.last_end);
    m_used_processes.merge(calls.used_processes);
    m_used_threads.merge(calls.used_threads);
}

bool SqliteReader::has_time(const TableRows& rows, std::initializer_list<int> times)
{
    const bool has = std::none_of(times.begin(), times.end(), [&](int column) { return rows.is_null(column); });
    m_skipped += has ? 0 : 1;
    return has;
}

bool SqliteReader::next_timed(TableRows& rows, std::initializer_list<int> times)
{
    while (rows.next()) {
        if (has_time(rows, times)) {
            return true;
        }
    }
    return false;
}

/// Tables are there only where they have rows: an export may lack any of them, those of CUDA and the texts too.
bool SqliteReader::is_export()
{
    static constexpr std::array signs {"META_DATA_EXPORT", "EXPORT_META_DATA", "META_DATA_CAPTURE", "ANALYSIS_DETAILS",
        "TARGET_INFO_SESSION_START_TIME", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL",
        "CUPTI_ACTIVITY_KIND_MEMCPY", "NVTX_EVENTS", "OSRT_API"};
    return std::any_of(signs.begin(), signs.end(), [this](const char* table) { return m_file.has_table(table); });
}

void SqliteReader::read_meta()
{
    m_own = m_file.has_table("LANESCOPE_META");
    if (!m_own) {
        if (!is_export()) {
            m_file.fail("is an SQLite file, but neither a recording of Lanescope nor an export of Nsight Systems");
        }
        for (const char* table : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
            for (TableRows rows(m_file, table, {"name", "value"}); rows.next();) {
                if (rows.text(0) == "EXPORT_PRODUCT_VERSION") {
                    m_meta["nsys_version"] = rows.text(1);
                } else if (rows.text(0) == "EXPORT_SCHEMA_VERSION") {
                    m_meta["nsys_schema"] = rows.text(1);
                }
            }
        }
        return;
    }
    for (TableRows rows(m_file, "LANESCOPE_META", {"key", "value"}); rows.next();) {
        m_meta.insert_or_assign(std::string(rows.text(0)), rows.text(1));
    }
    check_version(m_meta[meta::format_version]);
    m_meta.erase(meta::format_version);
}

void SqliteReader::check_version(const std::string& version)
{
    int major = -1;
    int minor = -1;
    const auto* end = version.data() + version.size();
    const auto [dot, error] = std::from_chars(version.data(), end, major);
    if (error != std::errc {} || dot == end || *dot != '.' || std::from_chars(dot + 1, end, minor).ptr != end
        || major < 0 || minor < 0) {
        m_file.fail("its format version is '" + version.substr(0, 40) + "', not a number like "
            + std::to_string(layout::format_major) + "." + std::to_string(layout::format_minor));
    }
    const auto ours = std::to_string(layout::format_major) + "." + std::to_string(layout::format_minor);
    if (major != layout::format_major) {
        m_file.fail("is of format " + version + "; this Lanescope reads " + ours);
    }
    m_meta.erase(meta::notice);
    m_meta.erase(meta::not_shown);
    if (minor > layout::format_minor) {
        m_meta[meta::notice] = "written by a newer Lanescope (format " + version + ", this one reads " + ours
            + "): what it added is not shown";
    }
}

void SqliteReader::read_strings()
{
    for (TableRows rows(m_file, "StringIds", {"id", "value"}); rows.next();) {
        m_texts[rows.number(0)].text = rows.text(1);
    }
}

StringId SqliteReader::text(std::int64_t id)
{
    if (id < 0) {
        return known_text(id);
    }
    auto& recent = m_recent_texts[static_cast<std::size_t>(id) % m_recent_texts.size()];
    if (recent.stored != id) {
        recent = {id, known_text(id)};
    }
    return recent.id;
}

StringId SqliteReader::known_text(std::int64_t id)
{
    const auto found = m_texts.find(id);
    if (found == m_texts.end()) {
        return 0;
    }
    auto& entry = found->second;
    if (!entry.interned) {
        entry.id = m_builder.intern(entry.text);
        entry.interned = true;
    }
    return entry.id;
}

void SqliteReader::read_ids()
{
    for (TableRows rows(m_file, "LANESCOPE_PROCESS", {"globalPid", "process", "parent"}); rows.next();) {
        m_processes[rows.number(0)] = {rows.id(1), rows.id(2)};
    }
    for (TableRows rows(m_file, "LANESCOPE_THREAD", {"globalTid", "process", "thread"}); rows.next();) {
        m_threads[rows.number(0)] = {rows.id(1), rows.id(2)};
    }
}

std::uint32_t SqliteReader::process(const TableRows& rows, int column)
{
    const auto global = rows.number(column, 0) & ~std::int64_t {0xFFFFFF};
    if (global != m_last_global_pid) {
        const auto own = m_processes.find(global);
        m_last_global_pid = global;
        m_last_pid = own == m_processes.end() ? layout::process_of(global) : own->second.process;
        m_used_processes.insert(m_last_pid);
    }
    return m_last_pid;
}

SqliteReader::Ids SqliteReader::thread(const TableRows& rows, int column, bool used)
{
    if (rows.is_null(column)) {
        m_threadless += used ? 1 : 0;
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
        m_used_processes.insert(m_last_thread.process);
        m_used_threads.insert(global & 0xFFFFFFFFFFFF);
        m_last_used = true;
    }
    return m_last_thread;
}

Trace SqliteReader::finish()
{
    Ns start = 0;
    for (TableRows rows(m_file, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}); rows.next();) {
        start = rows.number(0, 0);
    }
    auto source = Source::nsys;
    if (m_own) {
        m_builder.keep_times_and_devices(start);
        source = source_of(m_meta[meta::source]);
        if (const auto names = m_meta.find(meta::step_names); names != m_meta.end()) {
            m_builder.write_meta(meta::step_names, names->second);
        }
    }
    auto trace = m_builder.finish(source, m_finishing);
    if (m_own) {
        const auto& dropped = m_meta[meta::dropped];
        std::from_chars(dropped.data(), dropped.data() + dropped.size(), trace.dropped);
        trace.meta = std::move(m_meta);
        trace.marks = read_marks();
    } else {
        // Both are ns of at most 2^63: their sum wraps rather than overflows.
        trace.origin = static_cast<Ns>(static_cast<std::uint64_t>(trace.origin) + static_cast<std::uint64_t>(start));
        trace.meta.merge(m_meta);
    }
    for (const auto& [key, count] :
        {std::pair(meta::skipped_rows, m_skipped), std::pair(meta::threadless_rows, m_threadless)}) {
        if (count > 0) {
            trace.meta[key] = std::to_string(count);
        }
    }
    return trace;
}

Trace read_sqlite(const std::string& path, const Progress& progress, std::uint64_t most_rows)
{
    progress.report(0);
    try {
        return SqliteReader(path, progress, most_rows).run();
    } catch (const SqliteError& error) {
        if (error.code == SQLITE_INTERRUPT) {
            throw Cancelled();
        }
        if (error.code == SQLITE_CANTOPEN && error.system != 0) {
            throw std::system_error(error.system, std::generic_category(), path);
        }
        throw StoreError(path + ": cannot be read: " + one_line(error.what()));
    }
}

}  // namespace lanes
