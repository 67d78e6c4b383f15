// SPDX-License-Identifier: MIT
// Reads what the program said about itself, and what it ran on.
#include "engine/store/nsys_layout.h"
#include "engine/store/nsys_payloads.h"
#include "engine/store/sqlite_reader.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/tables.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace lanes {

namespace {

/// A UUID as in our records: without Nsight's dashes.
std::string undashed(std::string_view uuid)
{
    std::string text(uuid);
    if (text.size() == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-') {
        text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
    }
    return text;
}

}  // namespace

void SqliteReader::read_ranges()
{
    const std::initializer_list<const char*> columns
        = {"start", "end", "eventType", "color", "text", "globalTid", "textId", "domainId", "binaryData"};
    std::map<std::pair<std::uint32_t, std::int64_t>, StringId> domains;
    for (TableRows rows(m_file, "NVTX_EVENTS", columns); rows.next();) {
        if (rows.number(2, 0) == layout::nvtx_domain) {
            const auto name = rows.is_null(4) ? text(rows.number(6, 0)) : m_builder.intern(rows.text(4));
            domains[{m_ids.thread(rows, 5, false).process, rows.number(7, 0)}] = name;
        }
    }
    std::vector<AutogradRecord> autograd;
    for (TableRows rows(m_file, "LANESCOPE_AUTOGRAD", {"row", "number", "forwardThread", "forwardRow"}); rows.next();) {
        autograd.push_back({rows.count(0), rows.count(3), 0, rows.id(1, no_id), rows.id(2, 0), 0});
    }
    auto of_autograd = autograd.begin();
    NsysPayloads payloads(m_file, m_builder);
    std::vector<RangeValueRecord> values;
    for (TableRows rows(m_file, "LANESCOPE_RANGE_VALUE", {"row", "nameId", "value", "wordsId", "type"}); rows.next();) {
        const auto type = rows.number(4, 0);
        if (type >= 0 && type <= RangeValueRecord::id) {
            values.push_back({rows.count(0), static_cast<std::uint64_t>(rows.number(2, 0)), 0, text(rows.number(1, 0)),
                text(rows.number(3, 0)), static_cast<RangeValueRecord::Type>(type), 0});
        }
    }
    auto of_values = values.begin();
    BuilderBatch<RangeRecord> batch(m_builder);
    for (TableRows rows(m_file, "NVTX_EVENTS", columns); rows.next();) {
        const auto type = rows.number(2, 0);
        const bool mark = type == layout::nvtx_mark;
        if (!mark && type != layout::nvtx_push_pop && type != layout::nvtx_start_end && type != layout::nvtxt_push_pop
            && type != layout::nvtxt_start_end) {
            continue;
        }
        if (!m_ids.has_time(rows, {0})) {
            continue;
        }
        const auto ids = m_ids.thread(rows, 5);
        const auto name = rows.is_null(4) ? text(rows.number(6, 0)) : m_builder.intern(rows.text(4));
        const auto domain = domains.find({ids.process, rows.number(7, 0)});
        of_autograd = std::find_if(of_autograd, autograd.end(), [&](const auto& of) { return of.range >= rows.row(); });
        if (of_autograd != autograd.end() && of_autograd->range == rows.row()) {
            of_autograd->process = ids.process;
            m_builder.write(*of_autograd++);
        }
        of_values = std::find_if(of_values, values.end(), [&](const auto& of) { return of.range >= rows.row(); });
        std::uint16_t place = 0;
        for (; of_values != values.end() && of_values->range == rows.row(); ++of_values) {
            of_values->process = ids.process;
            of_values->place = place++;
            m_builder.write(*of_values);
        }
        if (payloads.any() && !rows.is_null(8)) {
            payloads.take({rows.number(0), rows.row(), ids.process, name}, domain == domains.end() ? 0 : domain->second,
                rows.blob(8));
        }
        batch.add(
            {rows.number(0), rows.row(), ids.process, ids.thread, name, domain == domains.end() ? 0 : domain->second,
                static_cast<std::uint32_t>(rows.number(3, 0)), mark ? RangeRecord::mark : RangeRecord::begin});
        if (!mark && !rows.is_null(1)) {
            batch.add({rows.number(1), rows.row(), ids.process, ids.thread, 0, 0, 0, RangeRecord::finish});
        }
    }
    payloads.finish();
}

void SqliteReader::count_left_out()
{
    std::uint64_t gpu_faults = 0;
    for (TableRows rows(m_file, "CUDA_UM_GPU_PAGE_FAULT_EVENTS", {"numberOfPageFaults"}); rows.next();) {
        gpu_faults += rows.is_null(0) ? 1 : rows.count(0);
    }
    std::uint64_t cpu_faults = 0;
    for (TableRows rows(m_file, "CUDA_UM_CPU_PAGE_FAULT_EVENTS", {"start"}); rows.next();) {
        ++cpu_faults;
    }
    const auto say = [this](const std::string& what, const std::string& which) {
        auto& lines = m_meta[meta::not_shown];
        lines += (lines.empty() ? "" : "\n") + what + ' ' + which;
    };
    for (const auto& [what, count] : {std::pair("gpu_page_faults", gpu_faults),
             std::pair("cpu_page_faults", cpu_faults), std::pair("older_tables", m_file.rows_replaced())}) {
        if (count > 0) {
            say(what, std::to_string(count));
        }
    }
    std::string unread;
    const auto names = m_file.table_names();
    for (const auto* const table : layout::unread_tables) {
        // What is not read may be anything, a view for example, which rows_of() refuses.
        if (names.find('"' + std::string(table)) != std::string::npos && m_file.rows_of(table) > 0) {
            unread += (unread.empty() ? "" : ", ") + std::string(table);
        }
    }
    if (!unread.empty()) {
        say("unread_tables", unread);
    }
}

/// The value for a record from column `at` of a row.
template <class Record, class Column>
void SqliteReader::take(
    Record& record, const Column& column, const TableRows& rows, int at, bool may_be_null, bool used)
{
    auto& to = record.*column.in_record;
    using Value = std::remove_reference_t<decltype(to)>;
    if constexpr (Column::kind == ColumnKind::time) {
        to = rows.number(at);
    } else if constexpr (Column::template is_row_of<&Trace::threads>) {
        const auto ids = m_ids.thread(rows, at, used);
        record.process = ids.process;
        to = ids.thread;
    } else if constexpr (Column::kind == ColumnKind::text) {
        to = text(rows.number(at, 0));
    } else if constexpr (Column::kind == ColumnKind::flag) {
        to = rows.number(at, 0) != 0 ? 1 : 0;
    } else if constexpr (Column::kind == ColumnKind::enumeration) {
        const auto number = rows.number(at, 0);
        to = number >= 0 && static_cast<std::uint64_t>(number) <= column.last ? static_cast<Value>(number) : Value {};
    } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
        to = rows.count(at);
    } else if constexpr (std::is_same_v<Value, std::uint32_t>) {
        to = may_be_null ? rows.id(at, no_id) : rows.id(at);
    } else {
        to = static_cast<Value>(rows.number(at, 0));
    }
}

/// Reads a table of ours that has the columns of the trace, in the same order. `used`: its threads did something.
template <class Table> void SqliteReader::read_rows(Table table, const layout::Table& layout, bool used)
{
    using Record = typename Table::Record;
    constexpr bool lasts = requires(Record record)
    {
        record.end;
    };
    std::vector<const char*> names;
    for (const auto& column : layout.columns) {
        names.push_back(column.name);
    }
    TableRows rows(m_file, layout.name, std::move(names));
    while (lasts ? m_ids.next_timed(rows, {0, 1}) : m_ids.next_timed(rows, {0})) {
        Record record {};
        int at = 0;
        for_each_column(table, [&](const auto& column) {
            take(record, column, rows, at, layout.columns[static_cast<std::size_t>(at)].may_be_null(), used);
            ++at;
        });
        m_builder.write(record);
    }
}

void SqliteReader::read_own()
{
    read_rows(tables::Steps {}, layout::own_step);
    read_rows(tables::HostSpans {}, layout::own_host_span);
    read_rows(tables::Reads {}, layout::own_read);
    read_rows(tables::Errors {}, layout::own_error, false);  // a run may fail outside any thread
    for (TableRows rows(m_file, "LANESCOPE_CLOCK_SAMPLE", {"time", "monotonic"}); rows.next();) {
        m_builder.write(ClockRecord {rows.number(0), rows.number(1)});
    }
    for (TableRows rows(m_file, "LANESCOPE_HOST_FUNCTION",
             {"start", "end", "globalPid", "contextId", "streamId", "correlationId"});
         rows.next();) {
        const std::uint32_t timed = rows.is_null(0) || rows.is_null(1) ? 0 : 1;
        m_builder.write(HostFunctionRecord {timed != 0 ? rows.number(0) : 0, timed != 0 ? rows.number(1) : 0,
            m_ids.process(rows, 2), rows.id(3, 0), rows.id(4, 0), rows.id(5, 0), timed});
    }
    for (TableRows rows(
             m_file, "LANESCOPE_QUERY_SPIN", {"start", "end", "globalTid", "correlationId", "queries", "succeeded"});
         m_ids.next_timed(rows, {0, 1});) {
        const auto ids = m_ids.thread(rows, 2);
        const auto succeeded = rows.number(5, QuerySpinRecord::not_known);
        m_builder.write(
            QuerySpinRecord {rows.number(0), rows.number(1), ids.process, ids.thread, rows.id(3, 0), rows.id(4, 0),
                succeeded == 0 || succeeded == 1 ? static_cast<QuerySpinRecord::Success>(succeeded)
                                                 : QuerySpinRecord::not_known});
    }
}

std::vector<UserMark> SqliteReader::read_marks()
{
    constexpr std::size_t most = 10'000;  // more than any program sets
    std::vector<UserMark> marks;
    for (TableRows rows(m_file, "LANESCOPE_MARK", {"time", "textId"}); marks.size() < most && rows.next();) {
        const auto found = m_texts.find(rows.number(1, 0));
        marks.push_back({rows.number(0), found == m_texts.end() ? std::string() : found->second.text});
    }
    return marks;
}

void SqliteReader::read_target()
{
    for (TableRows rows(
             m_file, "TARGET_INFO_CUDA_CONTEXT_INFO", {"processId", "deviceId", "contextId", "nullStreamId"});
         rows.next();) {
        m_builder.write(ContextRecord {rows.id(0), rows.id(1), rows.id(2), rows.id(3, no_id)});
        m_ids.seen.processes.insert(rows.id(0));
        m_ids.seen.devices.insert(rows.id(1));
    }
    for (TableRows rows(m_file, "TARGET_INFO_CUDA_STREAM", {"processId", "contextId", "streamId", "priority", "flag"});
         rows.next();) {
        const auto flag = rows.number(4, 0);
        m_builder.write(StreamRecord {rows.id(0), rows.id(1), rows.id(2), static_cast<std::int32_t>(rows.number(3, 0)),
            flag >= 0 && flag <= 3 ? static_cast<StreamRecord::Flag>(flag) : StreamRecord::unknown, 0});
    }
    for (TableRows rows(m_file, "TARGET_INFO_NVTX_CUDA_STREAM", {"processId", "contextId", "streamId", "name"});
         rows.next();) {
        m_builder.write(StreamRecord {
            rows.id(0), rows.id(1), rows.id(2), 0, StreamRecord::unknown, m_builder.intern(rows.text(3))});
    }
    read_threads();
    read_devices();
}

void SqliteReader::read_threads()
{
    for (TableRows rows(m_file, "PROCESSES", {"globalPid", "name"}); rows.next();) {
        const auto global = rows.number(0, 0);
        const auto own = m_ids.processes().find(global);
        const auto id = own == m_ids.processes().end() ? layout::process_of(global) : own->second.process;
        if (own != m_ids.processes().end() || m_ids.seen.processes.contains(id)) {
            m_builder.write(ProcessRecord {id, own == m_ids.processes().end() ? 0 : own->second.thread,
                m_builder.intern(layout::without_folder(rows.text(1))), 0});
        }
    }
    std::unordered_map<std::int64_t, std::uint32_t> places;
    for (TableRows rows(m_file, "LANESCOPE_THREAD", {"globalTid", "place"}); rows.next();) {
        places[rows.number(0)] = rows.id(1);
    }
    for (TableRows rows(m_file, "ThreadNames", {"globalTid", "nameId"}); rows.next();) {
        const auto global = rows.number(0, 0);
        const auto own = m_ids.threads().find(global);
        if (own != m_ids.threads().end()) {
            m_builder.write(
                ThreadRecord {own->second.process, own->second.thread, text(rows.number(1, 0)), places[global]});
        } else if (m_ids.seen.threads.contains(global & 0xFFFFFFFFFFFF)) {
            m_builder.write(
                ThreadRecord {layout::process_of(global), layout::thread_of(global), text(rows.number(1, 0)), no_id});
        }
    }
}

void SqliteReader::read_devices()
{
    // A process's device 0 is the machine's gpuId, a column with another name in every schema.
    struct Gpu {
        std::uint32_t id = 0;
        DeviceRecord record {};
    };
    std::vector<Gpu> gpus;
    for (const auto& source : layout::gpu_tables) {
        for (TableRows rows(m_file, source.table,
                 {source.id, source.name, source.memory, source.bandwidth, source.clock, source.multiprocessors, "uuid",
                     source.engines, source.major, source.minor, "busLocation"});
             rows.next();) {
            const auto id = rows.id(0, no_id);
            if (id == no_id || std::any_of(gpus.begin(), gpus.end(), [id](const Gpu& gpu) { return gpu.id == id; })) {
                continue;
            }
            auto& [known, r] = gpus.emplace_back();
            known = r.device = id;
            r.name = m_builder.intern(rows.text(1));
            r.memory_bytes = rows.count(2);
            r.memory_bandwidth = rows.count(3);
            r.core_clock_khz = static_cast<std::uint32_t>(rows.count(4) / source.clock_unit);
            r.multiprocessors = rows.id(5, 0);
            r.uuid = m_builder.intern(undashed(rows.text(6)));
            r.copy_engines = rows.id(7, 0);
            r.compute_major = rows.id(8, 0);
            r.compute_minor = rows.id(9, 0);
            r.pci = m_builder.intern(rows.text(10));
        }
    }
    if (m_own) {
        for (const auto& gpu : gpus) {
            m_builder.write(gpu.record);
        }
        return;
    }
    std::set<std::uint32_t> linked;
    for (TableRows rows(m_file, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid", "uuid"}); rows.next();) {
        const auto gpu
            = std::find_if(gpus.begin(), gpus.end(), [id = rows.id(0, no_id)](const Gpu& g) { return g.id == id; });
        if (gpu == gpus.end() || rows.is_null(1)) {
            continue;
        }
        linked.insert(gpu->id);
        auto r = gpu->record;
        r.device = rows.id(1);
        r.process = rows.id(2, 0);
        if (const auto uuid = undashed(rows.text(3)); !uuid.empty()) {
            r.uuid = m_builder.intern(uuid);
        }
        if (m_ids.seen.devices.contains(r.device) && (r.process == 0 || m_ids.seen.processes.contains(r.process))) {
            m_builder.write(r);
        }
    }
    for (auto& [id, record] : gpus) {
        if (!linked.contains(id) && m_ids.seen.devices.contains(id)) {
            if (gpus.size() > 1
                && m_ids.seen.processes.size() > 1) {  // which one a process calls by this number is not known
                record.uuid = record.pci = 0;
            }
            m_builder.write(record);
        }
    }
}

}  // namespace lanes
