// SPDX-License-Identifier: MIT
#include "engine/store/sqlite_reader.h"
#include "engine/store/foreign_file.h"
#include "engine/store/nsys_layout.h"
#include "engine/store/own_meta.h"
#include "engine/store/sqlite_recording.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <charconv>
#include <sqlite3.h>
#include <system_error>

namespace lanes {

namespace {

/// SQLite's messages may quote the file: cuts them to a line.
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
    m_ids.read(m_file);
    m_file.read_at_most(m_most_rows);
    read_work();
    read_overheads();
    read_memory();
    read_graph_nodes();
    read_ranges();
    if (m_own) {
        read_own();
        read_counters();
    } else {
        read_gpu_metrics();
        count_left_out();
    }
    m_file.read_at_most(UntrustedFile::every_row);
    read_target();
    return finish();
}

/// Exports have only tables with rows: any may be missing, even those of CUDA and the texts.
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
        const auto tables = m_file.table_names();
        if (const auto what = what_database_is(tables); !what.empty()) {
            const bool is_rocpd = tables.find("\"rocpd_") != std::string::npos;
            m_file.fail(what, is_rocpd ? StoreError::Reason::rocpd : StoreError::Reason::other);
        }
        if (!is_export()) {
            m_file.fail(
                "is an SQLite file, but neither a recording of Lanescope nor an export of Nsight Systems: it has "
                + (tables.empty() ? "no table" : "the tables " + one_line(tables)));
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
    m_meta.erase(meta::first_damage);
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
    m_builder.count_from(m_own ? 0 : start);
    auto trace = m_builder.finish(source, m_finishing);
    if (m_own) {
        const auto& dropped = m_meta[meta::dropped];
        std::from_chars(dropped.data(), dropped.data() + dropped.size(), trace.dropped);
        take_own(trace, std::move(m_meta), read_marks(), start);
    } else {
        trace.meta.merge(m_meta);
    }
    meta::add(trace.meta, meta::skipped_rows, m_ids.seen.skipped);
    if (m_ids.seen.threadless > 0) {  // also possible in a file of ours
        trace.meta[meta::threadless_rows] = std::to_string(m_ids.seen.threadless);
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
        const bool is_damaged
            = (error.code & 0xFF) == SQLITE_CORRUPT || error.code == SQLITE_NOTADB;  // of several kinds
        throw StoreError(path + ": cannot be read: " + one_line(error.what()),
            is_damaged ? StoreError::Reason::damaged_database : StoreError::Reason::other);
    }
}

}  // namespace lanes
