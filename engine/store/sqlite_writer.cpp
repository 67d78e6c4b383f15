// SPDX-License-Identifier: MIT
#include "engine/store/nsys_layout.h"
#include "engine/store/row_codes.h"
#include "engine/store/sqlite_insert.h"
#include "engine/store/sqlite_recording.h"
#include "engine/trace/event.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/profiler_overhead.h"
#include "engine/trace/tables.h"

#include <array>
#include <cerrno>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <type_traits>

namespace lanes {

namespace {

/// Process and thread ids for the layout's 24 bits. Larger ones, which Linux does not give out, get a free number;
/// LANESCOPE_PROCESS and LANESCOPE_THREAD have the true ones.
class GlobalIds {
public:
    explicit GlobalIds(const Trace& trace)
    {
        std::set<std::uint32_t> ids;
        for (const auto& process : trace.processes) {
            ids.insert(process.id);
        }
        for (const auto& thread : trace.threads) {
            ids.insert({thread.process, thread.id});
        }
        std::uint32_t free = 0xFFFFFF;
        for (const auto id : ids) {
            if (id > 0xFFFFFF) {
                while (ids.contains(free)) {
                    --free;
                }
                m_packed.emplace(id, free--);
            }
        }
    }
    std::int64_t process(std::uint32_t id) const { return layout::global_id(packed(id)); }
    std::int64_t thread(const Thread& thread) const
    {
        return layout::global_id(packed(thread.process), packed(thread.id));
    }

private:
    std::uint32_t packed(std::uint32_t id) const
    {
        const auto found = m_packed.find(id);
        return found == m_packed.end() ? id : found->second;
    }
    std::map<std::uint32_t, std::uint32_t> m_packed;
};

/// 32 hexadecimal digits as Nsight writes a device's UUID.
std::string dashed(std::string_view uuid)
{
    std::string text(uuid);
    if (text.size() == 32 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos) {
        for (const auto at : {20U, 16U, 12U, 8U}) {
            text.insert(at, "-");
        }
    }
    return text;
}

std::string utc_of(Ns epoch)
{
    const time_t seconds = static_cast<time_t>(epoch / 1'000'000'000 - (epoch % 1'000'000'000 < 0 ? 1 : 0));
    tm parts {};
    std::array<char, 32> text {};
    gmtime_r(&seconds, &parts);
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    return text.data();
}

std::size_t rows_of(const Trace& t)
{
    return t.operations.size() + t.calls.size() + t.syncs.size() + t.events.size() + t.ranges.size()
        + t.overheads.size() + t.memory.size() + t.steps.size() + t.samples.size() + t.graph_nodes.size();
}

/// Each of the layout's tables takes a page even if empty: with pages of 4 KiB that is nine tenths of a small
/// recording. Large recordings are written a third faster with large pages.
int page_bytes_of(std::size_t rows)
{
    constexpr std::size_t few_rows = 20'000;  // about 1 MB
    return rows <= few_rows ? 512 : 4096;
}

class Writer {
public:
    Writer(const Trace& trace, const std::vector<UserMark>& marks, const std::string& path, const Progress& progress,
        std::size_t coded_rows)
        : m_trace(trace)
        , m_marks(marks)
        , m_database(Database::create(path, page_bytes_of(rows_of(trace))))
        , m_progress(progress)
        , m_ids(trace)
        , m_total(rows_of(trace) + 1)
        , m_is_coded(rows_of(trace) >= coded_rows)
    {
        for (const auto& c : trace.contexts) {
            m_device_of_context.try_emplace({c.process, c.id}, c.device);
        }
    }

    /// True: seal the file once this object is gone.
    bool run()
    {
        m_database.run("BEGIN");
        for (const auto* table : layout::tables()) {
            m_database.run(layout::create_sql(*table).c_str());
        }
        write_enums();
        write_meta();
        write_target();
        write_calls();
        write_operations();
        const bool has_codes = m_codes.write(m_database);
        write_syncs();
        write_events();
        write_overheads();
        write_memory();
        write_graph_nodes();
        write_ranges();
        write_own();
        write_counters();
        write_strings();
        m_database.run("COMMIT");
        return has_codes;
    }

private:
    /// The layout's id of a text; it counts from 1 in the order of first use.
    std::int64_t text(StringId id)
    {
        if (id >= m_text_ids.size()) {
            m_text_ids.resize(m_trace.strings.size());
        }
        if (id >= m_text_ids.size()) {
            id = 0;
        }
        auto& known = m_text_ids[id];
        if (known == 0) {
            m_texts.push_back(m_trace.text(id));
            known = static_cast<std::int64_t>(m_texts.size());
        }
        return known;
    }
    std::int64_t text(const char* fixed)
    {
        auto& known = m_fixed_ids[fixed];
        if (known == 0) {
            m_texts.emplace_back(fixed);
            known = static_cast<std::int64_t>(m_texts.size());
        }
        return known;
    }
    static Number graph_node(std::uint32_t graph, std::uint32_t node)
    {
        return node == 0 ? Number {} : Number {layout::from_graph_node({graph, node})};
    }
    Number thread(Row row) const { return row == no_row ? Number {} : m_ids.thread(m_trace.threads[row]); }
    Number correlation(Row call) const
    {
        return call == no_row || m_trace.calls.correlation[call] == 0 ? Number {} : m_trace.calls.correlation[call];
    }
    static Number unless(std::uint32_t value, std::uint32_t none) { return value == none ? Number {} : Number {value}; }
    std::uint32_t device_of(std::uint32_t process, std::uint32_t context) const
    {
        const auto found = m_device_of_context.find({process, context});
        return found == m_device_of_context.end() ? 0 : found->second;
    }
    void tick()
    {
        if (++m_done % 16384 == 0) {
            m_progress.report(static_cast<double>(m_done) / static_cast<double>(m_total));
        }
    }

    /// Adds the row that a table was given last to the codes.
    void note(row_codes::Kind kind, const layout::Table& layout, const Insert& table, const OwnOperation& own = {})
    {
        if (m_is_coded) {
            m_codes.add(kind, layout, table, own);
        }
    }

    void write_enums()
    {
        for (const auto& table : layout::enum_tables()) {
            const auto name = std::string(table.name);
            m_database.run(
                ("CREATE TABLE " + name + " (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)").c_str());
            Statement insert(m_database, "INSERT INTO " + name + " VALUES (?, ?, ?)");
            for (const auto& value : table.values) {
                insert.bind(0, std::int64_t {value.id});
                insert.bind(1, std::string_view(value.name));
                insert.bind(2, std::string_view(value.label));
                insert.step();
                insert.reset();
            }
        }
    }

    void write_meta()
    {
        Insert meta(m_database, layout::own_meta);
        auto pairs = m_trace.meta;
        pairs.erase(meta::notice);
        pairs.erase(meta::not_shown);
        pairs.erase(meta::first_damage);
        pairs[meta::format_version] = std::to_string(layout::format_major) + "." + std::to_string(layout::format_minor);
        pairs[meta::source] = name_of(m_trace.source);
        pairs[meta::dropped] = std::to_string(m_trace.dropped);
        for (const auto& [key, value] : pairs) {
            meta(key, value);
        }
        Insert exported(m_database, layout::meta_data_export);
        exported("EXPORT_PRODUCT_NAME", layout::product_name);
        exported("EXPORT_PRODUCT_VERSION", LANES_VERSION);
        exported("EXPORT_SCHEMA_VERSION", layout::schema_version);
        exported("EXPORT_SCHEMA_VERSION_MAJOR", "3");
        exported("EXPORT_SCHEMA_VERSION_MINOR", "25");
        exported("EXPORT_SCHEMA_VERSION_MICRO", "0");
        Insert capture(m_database, layout::meta_data_capture);
        capture("CAPTURE_EVENT_TYPE", "Cuda");
        capture("CAPTURE_EVENT_TYPE", "NvtxEvents");
        const auto utc = utc_of(m_trace.origin);
        Insert(m_database, layout::session_start)(m_trace.origin, utc, utc);
        Insert(m_database, layout::analysis_details)(layout::global_vm, m_trace.duration, m_trace.duration);
    }

    void write_target()
    {
        Insert process(m_database, layout::processes);
        Insert own_process(m_database, layout::own_process);
        for (const auto& p : m_trace.processes) {
            process(m_ids.process(p.id), p.id, layout::without_folder(m_trace.text(p.name)));
            own_process(m_ids.process(p.id), p.id, p.parent);
        }
        Insert thread_name(m_database, layout::thread_names);
        Insert own_thread(m_database, layout::own_thread);
        for (const auto& t : m_trace.threads) {
            thread_name(text(t.name), m_ids.thread(t));
            own_thread(m_ids.thread(t), t.process, t.id, t.order);
        }
        Insert gpu(m_database, layout::gpu);
        for (const auto& d : m_trace.devices) {
            gpu(layout::global_vm, d.id, m_trace.text(d.name), m_trace.text(d.pci), d.memory_bytes, d.memory_bandwidth,
                std::int64_t {d.core_clock_khz} * 1000, d.multiprocessors, dashed(m_trace.text(d.uuid)), d.id,
                d.copy_engines, d.compute_major, d.compute_minor, d.compute_major, d.compute_minor);
        }
        std::set<std::pair<std::uint32_t, std::uint32_t>> used;
        Insert context(m_database, layout::cuda_context);
        for (const auto& c : m_trace.contexts) {
            context(c.null_stream, c.process, c.device, c.id);
            used.emplace(c.device, c.process);
        }
        Insert stream(m_database, layout::cuda_stream);
        Insert stream_name(m_database, layout::nvtx_cuda_stream);
        for (const auto& s : m_trace.streams) {
            stream(s.id, s.process, s.context, static_cast<std::uint32_t>(s.priority), s.flag);
            if (s.name != 0) {
                stream_name(m_trace.text(s.name), s.process, s.context, s.id);
            }
            used.emplace(s.device, s.process);
        }
        Insert cuda_device(m_database, layout::cuda_device);
        for (const auto& [device, pid] : used) {
            std::string uuid;
            std::uint32_t multiprocessors = 0;
            for (const auto& d : m_trace.devices) {
                if (d.id == device) {
                    uuid = dashed(m_trace.text(d.uuid));
                    multiprocessors = d.multiprocessors;
                }
            }
            cuda_device(device, device, pid, uuid, multiprocessors);
        }
    }

    void write_calls()
    {
        Insert insert(m_database, layout::runtime);
        const auto& calls = m_trace.calls;
        for (Row row = 0; row < calls.size(); ++row) {
            insert(calls.start[row], calls.end[row], calls.api[row], thread(calls.thread[row]),
                unless(calls.correlation[row], 0), text(calls.name[row]), calls.result[row]);
            note(row_codes::calls, layout::runtime, insert);
            tick();
        }
    }

    void write_operations()
    {
        Insert kernel(m_database, layout::kernel);
        Insert memcpy(m_database, layout::memcpy);
        Insert memset(m_database, layout::memset);
        Insert own(m_database, layout::own_operation);
        const auto& table = m_trace.operations;
        for (const auto row : m_trace.operations_by_time()) {  // as Nsight Systems has them
            const auto& s = m_trace.streams[table.stream[row]];
            const auto process = m_ids.process(s.process);
            const auto correlation = unless(table.correlation[row], 0);
            const auto detail = table.detail[row];
            std::uint32_t channel = no_id;
            bool async = false;
            int kind = 0;
            std::int64_t rows = 0;
            if (table.kind[row] == OperationKind::kernel) {
                const auto& k = m_trace.kernels[detail];
                kernel(table.start[row], table.end[row], s.device, s.context, s.id, correlation, process,
                    text(k.full_name), text(table.name[row]), k.registers, k.grid[0], k.grid[1], k.grid[2], k.block[0],
                    k.block[1], k.block[2], k.static_shared, k.dynamic_shared, kernel.rows() + 1,
                    graph_node(k.graph, k.graph_node), is_whole_graph(k) ? Number {k.graph} : Number {});
                channel = k.channel;
                rows = kernel.rows();
                note(row_codes::kernels, layout::kernel, kernel, {channel, async});
            } else if (table.kind[row] == OperationKind::memset) {
                const auto& m = m_trace.memsets[detail];
                memset(table.start[row], table.end[row], s.device, s.context, s.id, correlation, process, m.value,
                    m.bytes, graph_node(m.graph, m.graph_node), layout::from_memory_kind(m.target));
                channel = m.channel;
                async = m.async;
                kind = 2;
                rows = memset.rows();
                note(row_codes::memsets, layout::memset, memset, {channel, async});
            } else {
                const auto& c = m_trace.copies[detail];
                memcpy(table.start[row], table.end[row], s.device, s.context, s.id, correlation, process, c.bytes,
                    static_cast<int>(c.copy), layout::from_memory_kind(c.source), layout::from_memory_kind(c.target),
                    unless(c.source_device, no_id), unless(c.target_device, no_id), graph_node(c.graph, c.graph_node));
                channel = c.channel;
                async = c.async;
                kind = 1;
                rows = memcpy.rows();
                note(row_codes::copies, layout::memcpy, memcpy, {channel, async});
            }
            if (channel != no_id || async) {
                own(kind, rows, unless(channel, no_id), async);
            }
            tick();
        }
    }

    void write_syncs()
    {
        Insert insert(m_database, layout::synchronization);
        for (const auto& s : m_trace.syncs) {
            const bool about_stream = s.stream != no_row;
            insert(s.start, s.end, about_stream ? m_trace.streams[s.stream].device : device_of(s.process, s.context),
                s.context, about_stream ? m_trace.streams[s.stream].id : no_id, correlation(s.call),
                m_ids.process(s.process), s.type, s.event_id, unless(s.event_sync, 0));
            tick();
        }
    }

    void write_events()
    {
        Insert insert(m_database, layout::cuda_event);
        for (const auto& e : m_trace.events) {
            Stream s {};
            s.id = no_id;
            if (e.stream != no_row) {
                s = m_trace.streams[e.stream];
            } else if (e.call != no_row && m_trace.calls.thread[e.call] != no_row) {
                s.process = m_trace.threads[m_trace.calls.thread[e.call]].process;
            }
            insert(e.device_time < 0 ? 0 : e.device_time, s.device, s.context, s.id, correlation(e.call),
                m_ids.process(s.process), e.event_id, unless(e.event_sync, 0));
            tick();
        }
    }

    void write_overheads()
    {
        Insert cuda(m_database, layout::overhead);
        Insert profiler(m_database, layout::profiler_overhead);
        const auto label = [](int type) {
            for (const auto& table : layout::enum_tables()) {
                if (std::string_view(table.name) == "ENUM_CUPTI_OVERHEAD_TYPE") {
                    return table.values[static_cast<std::size_t>(type)].label;
                }
            }
            return "";
        };
        for (const auto& o : m_trace.overheads) {
            const auto type = layout::from_overhead(o.type);
            if (is_profiler_overhead(o.type) && o.call == no_row) {
                profiler(o.start, o.end, thread(o.thread), text(label(type)), type);
            } else {
                cuda(o.start, o.end, thread(o.thread), correlation(o.call), text(label(type)), type);
            }
            tick();
        }
    }

    void write_memory()
    {
        Insert insert(m_database, layout::memory_usage);
        Insert own(m_database, layout::own_operation);
        for (const auto& m : m_trace.memory) {
            const bool on_stream = m.stream != no_row;
            insert(m.time, m_ids.process(m.process), m.device,
                on_stream ? Number {m_trace.streams[m.stream].context} : Number {}, m.address, m.bytes,
                layout::from_memory_kind(m.memory),
                m.operation == MemoryRecord::unknown ? 255 : static_cast<int>(m.operation) - 1, correlation(m.call),
                on_stream ? Number {m_trace.streams[m.stream].id} : Number {});
            if (m.async) {
                own(3, insert.rows(), std::nullopt, 1);
            }
            tick();
        }
    }

    void write_graph_nodes()
    {
        if (m_trace.graph_nodes.empty()) {
            return;
        }
        m_database.run(layout::create_sql(layout::graph_node_events).c_str());
        Insert insert(m_database, layout::graph_node_events);
        for (const auto& n : m_trace.graph_nodes) {
            const auto name = n.within != 0 ? text(n.within)
                : n.original_node == 0      ? text(layout::graph_node_made)
                                            : text(layout::graph_node_copied);
            insert(n.time, thread(n.thread), name, layout::from_graph_node({n.graph, n.graph_node}),
                graph_node(n.original_graph, n.original_node));
            tick();
        }
    }

    void write_ranges()
    {
        Insert insert(m_database, layout::nvtx_events);
        std::map<std::pair<std::uint32_t, StringId>, int> domains;  // domains are per process
        const auto process_of = [this](Row row) { return row == no_row ? 0 : m_trace.threads[row].process; };
        for (const auto& r : m_trace.ranges) {
            const auto id = static_cast<int>(domains.size()) + 1;
            if (r.domain != 0 && domains.try_emplace({process_of(r.thread), r.domain}, id).second) {
                insert(0, std::nullopt, layout::nvtx_domain, std::nullopt, std::nullopt, m_trace.text(r.domain),
                    thread(r.thread), std::nullopt, id);
            }
        }
        const auto before = insert.rows();
        std::int64_t id = 0;
        for (const auto& r : m_trace.ranges) {
            insert(r.start, r.open || r.mark ? Number {} : Number {r.end},
                r.mark ? layout::nvtx_mark : layout::nvtx_push_pop, ++id, r.color == 0 ? Number {} : Number {r.color},
                std::nullopt, thread(r.thread), text(r.name),
                r.domain == 0 ? 0 : domains.at({process_of(r.thread), r.domain}));
            tick();
        }
        Insert autograd(m_database, layout::own_autograd);
        const auto row_of = [before](Row range) { return before + std::int64_t {range} + 1; };
        for (const auto& a : m_trace.autograd) {
            autograd(row_of(a.range), unless(a.number, no_id), a.forward_thread,
                a.forward == no_row ? Number {} : row_of(a.forward));
        }
        if (m_trace.range_values.empty()) {
            return;
        }
        m_database.run(layout::create_sql(layout::own_range_value).c_str());
        Insert value(m_database, layout::own_range_value);
        for (const auto& v : m_trace.range_values) {
            value(row_of(v.range), text(v.name), static_cast<std::int64_t>(v.value), text(v.words), v.type);
        }
    }

    /// The number stored for a cell in a column of ours.
    template <class Column, class Value> Number stored(const Column&, const Value& value, const layout::Column& to)
    {
        if constexpr (Column::template is_row_of<&Trace::threads>) {
            return thread(value);
        } else if constexpr (Column::kind == ColumnKind::text) {
            return text(value);
        } else if constexpr (std::is_same_v<Value, std::uint32_t>) {
            return to.may_be_null() ? unless(value, no_id) : Number {value};
        } else {
            return static_cast<std::int64_t>(value);
        }
    }
    /// Writes a table of ours that has the columns of the trace, in the same order.
    template <class Table> void write_rows(Table table, const layout::Table& layout)
    {
        Insert insert(m_database, layout);
        for (Row row = 0; row < (m_trace.*Table::rows).size(); ++row) {
            std::apply(
                [&](const auto&... columns) {
                    const auto* to = layout.columns.data();
                    const std::array values {stored(columns, cell_of(table, columns, m_trace, row), *to++)...};
                    std::apply(insert, values);
                },
                Table::columns);
            tick();
        }
    }

    void write_own()
    {
        write_rows(tables::Steps {}, layout::own_step);
        write_rows(tables::HostSpans {}, layout::own_host_span);
        Insert function(m_database, layout::own_host_function);
        for (const auto& f : m_trace.host_functions) {
            if (f.stream != no_row) {
                const auto& s = m_trace.streams[f.stream];
                function(f.timed ? Number {f.start} : Number {}, f.timed ? Number {f.end} : Number {},
                    m_ids.process(s.process), s.context, s.id, correlation(f.call));
            }
        }
        Insert spin(m_database, layout::own_query_spin);
        for (const auto& s : m_trace.query_spins) {
            spin(s.start, s.end, thread(m_trace.calls.thread[s.call]), m_trace.calls.correlation[s.call], s.queries,
                unless(s.succeeded, QuerySpinRecord::not_known));
        }
        write_rows(tables::Reads {}, layout::own_read);
        write_rows(tables::Errors {}, layout::own_error);
        if (!m_trace.clocks.empty()) {
            m_database.run(layout::create_sql(layout::own_clock_sample).c_str());
            write_rows(tables::Clocks {}, layout::own_clock_sample);
        }
        Insert mark(m_database, layout::own_mark);
        for (const auto& m : m_marks) {
            mark(m.time, text(m.text.c_str()));
        }
    }

    void write_counters()
    {
        Insert counter(m_database, layout::own_counter);
        Insert sample(m_database, layout::own_sample);
        for (const auto& c : m_trace.counters) {
            const auto id = counter.rows() + 1;
            counter(id, m_ids.process(c.process), unless(c.device, no_id), text(c.name), c.unit);
            for (auto row = c.samples.begin; row < c.samples.end; ++row) {
                sample(id, m_trace.samples.time[row], m_trace.samples.value[row]);
                tick();
            }
        }
    }

    void write_strings()
    {
        Insert insert(m_database, layout::string_ids);
        std::int64_t id = 0;
        for (const auto& value : m_texts) {
            insert(++id, value);
        }
    }

    const Trace& m_trace;
    const std::vector<UserMark>& m_marks;
    Database m_database;
    const Progress& m_progress;
    GlobalIds m_ids;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_device_of_context;  // by process and context
    std::vector<std::int64_t> m_text_ids;
    std::map<std::string, std::int64_t> m_fixed_ids;
    std::vector<std::string_view> m_texts;
    row_codes::Writer m_codes;
    std::uint64_t m_done = 0, m_total;
    bool m_is_coded;
};

}  // namespace

void write_sqlite(const Trace& trace, const std::vector<UserMark>& marks, const std::string& path,
    const Progress& progress, std::size_t coded_rows)
{
    try {
        if (Writer(trace, marks, path, progress, coded_rows).run()) {
            Database::seal(path);
        }
    } catch (const SqliteError& error) {
        throw std::system_error(
            error.system != 0 ? error.system : EIO, std::generic_category(), path + ": " + error.what());
    }
}

}  // namespace lanes
