// SPDX-License-Identifier: MIT
#include "engine/store/export_rows.h"
#include "engine/store/export_text.h"
#include "engine/trace/kernel_name.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

namespace lanes {

namespace {

constexpr std::int64_t gpu_sort_index = 5'000'000;  // Kineto's: GPUs below all processes
constexpr std::uint32_t sync_lane = 1'000'000;  // Kineto's: added to the stream for its synchronisations
constexpr std::uint32_t extra_lanes = 2'000'000;  // ours: rows for what does not fit its own
constexpr std::int64_t overhead_process = -1;  // Kineto's

/// Nanoseconds as microseconds with three decimals.
std::string microseconds(Ns time)
{
    const auto size = static_cast<std::uint64_t>(time < 0 ? -time : time);
    const auto rest = std::to_string(size % 1000);
    return (time < 0 ? "-" : "") + std::to_string(size / 1000) + "." + std::string(3 - rest.size(), '0') + rest;
}

/// Something to draw on a row, before it is known on which.
struct Slice {
    enum Kind : std::uint8_t { operation, call, range, span, read, sync, overhead };
    Ns start, end;
    Row row;  ///< in the table of its kind
    Kind kind;
};

class KinetoWriter {
public:
    KinetoWriter(const Trace& trace, TextFile& file, const Progress& progress)
        : m_trace(trace)
        , m_file(file)
        , m_progress(progress)
    {
        const auto& t = trace;
        m_total = t.operations.size() + t.calls.size() + t.ranges.size() + t.syncs.size() + t.overheads.size()
            + t.host_spans.size() + t.reads.size() + 1;
    }

    void run(std::string_view name)
    {
        write_head();
        name_processes();
        write_threads();
        write_devices();
        write_overheads();
        write_instants();
        m_file << "\n  ],\n  \"traceName\": " << json_string(name) << "\n}\n";
    }

private:
    struct Place {
        std::int64_t process = 0;
        std::int64_t thread = 0;
    };

    void write_head()
    {
        m_file << "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [";
        const char* separator = "\n    ";
        for (const auto& d : m_trace.devices) {
            m_file << separator << "{\"id\": " << d.id << ", \"name\": " << json_string(m_trace.text(d.name))
                   << ", \"totalGlobalMem\": " << static_cast<std::int64_t>(d.memory_bytes)
                   << ", \"computeMajor\": " << d.compute_major << ", \"computeMinor\": " << d.compute_minor
                   << ", \"warpSize\": 32, \"numSms\": " << d.multiprocessors << "}";
            separator = ",\n    ";
        }
        m_file << "\n  ],\n";
        write_version("cupti_version", meta::cupti_version);
        write_version("cuda_runtime_version", meta::runtime_version);
        write_version("cuda_driver_version", meta::driver_version);
        m_file << "  \"lanescope\": {\"source\": " << json_string(name_of(m_trace.source));
        for (const char* key : {meta::workload, meta::variant, meta::device, meta::dropped, meta::complete,
                 meta::recovered, meta::error}) {
            if (const auto found = m_trace.meta.find(key); found != m_trace.meta.end()) {
                m_file << ", " << json_string(key) << ": " << json_string(found->second);
            }
        }
        m_file << "},\n  \"distributedInfo\": {\"backend\": \"none\", \"rank\": 0, \"world_size\": 1},\n"
               << "  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": " << m_trace.origin
               << ",\n  \"traceEvents\": [";
    }

    /// A version as Kineto writes it, a number, if the recording has it as one.
    void write_version(const char* name, const char* key)
    {
        const auto found = m_trace.meta.find(key);
        if (found != m_trace.meta.end() && !found->second.empty() && found->second.size() < 10
            && found->second[0] != '0' && found->second.find_first_not_of("0123456789") == std::string::npos) {
            m_file << "  \"" << name << "\": " << found->second << ",\n";
        }
    }

    TextFile& begin_event()
    {
        m_file << (m_first ? "\n    {" : ",\n    {");
        m_first = false;
        return m_file;
    }

    void name(const char* what, const Place& place, const char* key, const std::string& value)
    {
        begin_event() << "\"ph\": \"M\", \"name\": \"" << what << "\", \"pid\": " << place.process
                      << ", \"tid\": " << place.thread << ", \"ts\": 0.000, \"args\": {\"" << key << "\": " << value
                      << "}}";
    }

    void name_processes()
    {
        // A process may have the number of a device, as the model's does: the rows of GPUs have those.
        std::set<std::int64_t> taken;
        for (const auto& d : m_trace.devices) {
            taken.insert(d.id);
        }
        for (const auto& p : m_trace.processes) {
            std::int64_t id = p.id;
            while (taken.contains(id)) {
                id += 100'000;
            }
            taken.insert(id);
            m_process_ids[p.id] = id;
            name("process_name", {id, 0}, "name", json_string(p.name == 0 ? "process" : m_trace.text(p.name)));
            name("process_labels", {id, 0}, "labels", "\"CPU\"");
            name("process_sort_index", {id, 0}, "sort_index", std::to_string(id));
        }
        for (const auto& d : m_trace.devices) {
            name("process_name", {d.id, 0}, "name", json_string(d.name == 0 ? "GPU" : m_trace.text(d.name)));
            name("process_labels", {d.id, 0}, "labels", json_string("GPU " + std::to_string(d.id)));
            name("process_sort_index", {d.id, 0}, "sort_index", std::to_string(gpu_sort_index + d.id));
        }
    }

    std::int64_t process_id(std::uint32_t process) const
    {
        const auto found = m_process_ids.find(process);
        return found == m_process_ids.end() ? process : found->second;
    }

    /// Writes the slices of one row, on further rows of `process` what does not fit.
    void write_row(std::vector<Slice>& slices, Place place, const std::string& label, std::int64_t order, bool flat)
    {
        std::stable_sort(slices.begin(), slices.end(),
            [](const Slice& a, const Slice& b) { return a.start != b.start ? a.start < b.start : a.end > b.end; });
        NestingRows rows(flat);
        std::vector<std::int64_t> threads;
        for (const auto& slice : slices) {
            const auto row = rows.place(slice.start, slice.end);
            while (row >= threads.size()) {
                const auto thread = take_thread(place.process, threads.empty() ? place.thread : extra_lanes);
                name("thread_name", {place.process, thread}, "name",
                    json_string(threads.empty() ? label : label + " (" + std::to_string(threads.size() + 1) + ")"));
                name("thread_sort_index", {place.process, thread}, "sort_index", std::to_string(order));
                threads.push_back(thread);
            }
            write_slice(slice, {place.process, threads[row]});
            if (++m_done % 16384 == 0) {
                m_progress.report(static_cast<double>(m_done) / static_cast<double>(m_total));
            }
        }
    }
    /// `wanted`, or the next number that no other row of the process has.
    std::int64_t take_thread(std::int64_t process, std::int64_t wanted)
    {
        auto& [taken, next] = m_taken[process];
        while (!taken.insert(wanted).second) {
            wanted = next++;
        }
        return wanted;
    }

    void write_threads()
    {
        std::vector<std::vector<Slice>> of_thread(m_trace.threads.size());
        const auto add = [&](Row thread, Ns start, Ns end, Row row, Slice::Kind kind) {
            if (thread != no_row) {
                of_thread[thread].push_back({start, end, row, kind});
            }
        };
        // Ranges first: of two slices with the same times the range is around the call.
        for (Row row = 0; row < m_trace.ranges.size(); ++row) {
            const auto& r = m_trace.ranges[row];
            if (!r.mark) {
                add(r.thread, r.start, r.end, row, Slice::range);
            }
        }
        const auto& calls = m_trace.calls;
        for (Row row = 0; row < calls.size(); ++row) {
            add(calls.thread[row], calls.start[row], calls.end[row], row, Slice::call);
        }
        for (Row row = 0; row < m_trace.host_spans.size(); ++row) {
            const auto& s = m_trace.host_spans[row];
            add(s.thread, s.start, s.end, row, Slice::span);
        }
        for (Row row = 0; row < m_trace.reads.size(); ++row) {
            const auto& r = m_trace.reads[row];
            add(r.thread, r.start, r.end, row, Slice::read);
        }
        m_issues.assign(calls.size(), false);
        for (const auto call : m_trace.operations.call) {
            if (call != no_row) {
                m_issues[call] = true;
            }
        }
        for (Row thread = 0; thread < of_thread.size(); ++thread) {
            const auto& t = m_trace.threads[thread];
            const auto label = t.name == 0 ? "thread " + std::to_string(t.id) : std::string(m_trace.text(t.name));
            write_row(of_thread[thread], {process_id(t.process), t.id}, label, t.order, false);
            of_thread[thread] = {};
        }
    }

    void write_devices()
    {
        std::vector<std::vector<Slice>> of_stream(m_trace.streams.size());
        std::vector<std::vector<Slice>> syncs_of_stream(m_trace.streams.size());
        std::map<std::uint32_t, std::vector<Slice>> syncs_of_device;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> device_of;  // by process and context
        for (const auto& c : m_trace.contexts) {
            device_of.try_emplace({c.process, c.id}, c.device);
        }
        const auto some_device = m_trace.devices.empty() ? 0 : m_trace.devices.front().id;
        const auto& table = m_trace.operations;
        for (Row row = 0; row < table.size(); ++row) {
            of_stream[table.stream[row]].push_back({table.start[row], table.end[row], row, Slice::operation});
        }
        for (Row row = 0; row < m_trace.syncs.size(); ++row) {
            const auto& s = m_trace.syncs[row];
            const auto device = device_of.find({s.process, s.context});
            auto& slices = s.stream != no_row
                ? syncs_of_stream[s.stream]
                : syncs_of_device[device == device_of.end() ? some_device : device->second];
            slices.push_back({s.start, s.end, row, Slice::sync});
        }
        for (Row row = 0; row < m_trace.streams.size(); ++row) {
            const auto& s = m_trace.streams[row];
            const auto label = m_trace.label_of(s);
            write_row(of_stream[row], {s.device, s.id}, label, s.id, true);
            of_stream[row] = {};
            write_row(syncs_of_stream[row], {s.device, std::int64_t {s.id} + sync_lane}, label + " sync", s.id, true);
        }
        for (auto& [device, slices] : syncs_of_device) {
            write_row(slices, {device, 2 * std::int64_t {sync_lane} - 1}, "context sync",
                2 * std::int64_t {sync_lane} - 1, true);
        }
    }
    void write_overheads()
    {
        std::vector<Slice> slices;
        for (Row row = 0; row < m_trace.overheads.size(); ++row) {
            slices.push_back({m_trace.overheads[row].start, m_trace.overheads[row].end, row, Slice::overhead});
        }
        if (!slices.empty()) {
            name("process_name", {overhead_process, 0}, "name", "\"CUPTI\"");
            write_row(slices, {overhead_process, 0}, "overhead", 0, true);
        }
    }

    void write_instants()
    {
        for (const auto& r : m_trace.ranges) {
            if (r.mark && r.thread != no_row) {
                const auto& t = m_trace.threads[r.thread];
                begin_event() << "\"ph\": \"i\", \"s\": \"t\", \"cat\": \"cpu_instant_event\", \"name\": "
                              << json_string(m_trace.text(r.name)) << ", \"pid\": " << process_id(t.process)
                              << ", \"tid\": " << t.id << ", \"ts\": " << microseconds(r.start) << "}";
            }
        }
        for (const auto& e : m_trace.errors) {
            begin_event() << "\"ph\": \"i\", \"s\": \"g\", \"name\": " << json_string(m_trace.text(e.message))
                          << ", \"pid\": \"\", \"tid\": \"\", \"ts\": " << microseconds(e.time) << "}";
        }
        begin_event()
            << "\"ph\": \"i\", \"s\": \"g\", \"name\": \"Record Window End\", \"pid\": \"\", \"tid\": \"\", \"ts\": "
            << microseconds(m_trace.duration) << "}";
    }

    void begin_slice(const Slice& slice, const Place& place, const char* category, std::string_view title)
    {
        begin_event() << "\"ph\": \"X\", \"cat\": \"" << category << "\", \"name\": " << json_string(title)
                      << ", \"pid\": " << place.process << ", \"tid\": " << place.thread
                      << ", \"ts\": " << microseconds(slice.start)
                      << ", \"dur\": " << microseconds(slice.end - slice.start);
    }
    void flow(const char* phase, const Place& place, Ns time, Row call)
    {
        // Correlation ids are a process's own.
        const std::int64_t id
            = m_trace.processes.size() > 1 ? std::int64_t {call} + 1 : std::int64_t {m_trace.calls.correlation[call]};
        begin_event() << "\"ph\": \"" << phase << "\", \"id\": " << id << ", \"pid\": " << place.process
                      << ", \"tid\": " << place.thread << ", \"ts\": " << microseconds(time)
                      << ", \"cat\": \"ac2g\", \"name\": \"ac2g\"" << (phase[0] == 'f' ? ", \"bp\": \"e\"}" : "}");
    }

    void write_slice(const Slice& slice, const Place& place)
    {
        switch (slice.kind) {
        case Slice::operation:
            write_operation(slice, place);
            break;
        case Slice::call: {
            const auto& calls = m_trace.calls;
            begin_slice(slice, place, calls.api[slice.row] == ApiCallRecord::driver ? "cuda_driver" : "cuda_runtime",
                m_trace.text(calls.name[slice.row]));
            m_file << ", \"args\": {\"External id\": " << calls.correlation[slice.row]
                   << ", \"correlation\": " << calls.correlation[slice.row];
            if (calls.result[slice.row] != 0) {
                m_file << ", \"result\": " << calls.result[slice.row];
            }
            m_file << "}}";
            if (m_issues[slice.row]) {
                flow("s", place, slice.start, slice.row);
            }
            break;
        }
        case Slice::range: {
            const auto& r = m_trace.ranges[slice.row];
            begin_slice(slice, place, "user_annotation", m_trace.text(r.name));
            m_file << ", \"args\": {\"domain\": " << json_string(m_trace.text(r.domain)) << "}}";
            break;
        }
        case Slice::span:
            begin_slice(slice, place, "cpu_op", m_trace.text(m_trace.host_spans[slice.row].name));
            m_file << "}";
            break;
        case Slice::read: {
            const auto& r = m_trace.reads[slice.row];
            begin_slice(slice, place, "cpu_op", "read " + std::string(m_trace.text(r.buffer)));
            m_file << ", \"args\": {\"bytes\": " << static_cast<std::int64_t>(r.bytes)
                   << ", \"wrong bytes\": " << static_cast<std::int64_t>(r.wrong_bytes) << "}}";
            break;
        }
        case Slice::sync: {
            const auto& s = m_trace.syncs[slice.row];
            const auto stream = s.stream == no_row ? std::int64_t {-1} : std::int64_t {m_trace.streams[s.stream].id};
            begin_slice(slice, place, "cuda_sync", word_of(s.type));
            m_file << ", \"args\": {\"cuda_sync_kind\": " << json_string(word_of(s.type)) << ", \"stream\": " << stream
                   << ", \"correlation\": " << (s.call == no_row ? 0 : m_trace.calls.correlation[s.call])
                   << ", \"device\": " << place.process << ", \"context\": " << s.context << "}}";
            break;
        }
        case Slice::overhead:
            begin_slice(slice, place, "overhead", word_of(m_trace.overheads[slice.row].type));
            m_file << "}";
            break;
        }
    }

    void write_operation(const Slice& slice, const Place& place)
    {
        const auto& table = m_trace.operations;
        const auto row = slice.row;
        const auto& stream = m_trace.streams[table.stream[row]];
        const auto place_args = [&] {
            m_file << ", \"args\": {\"External id\": " << table.correlation[row] << ", \"device\": " << stream.device
                   << ", \"context\": " << stream.context << ", \"stream\": " << stream.id
                   << ", \"correlation\": " << table.correlation[row];
        };
        const auto graph_args = [&](std::uint32_t node, std::uint32_t channel) {
            if (node != 0) {
                m_file << ", \"graph node id\": " << node;
            }
            if (channel != no_id) {
                m_file << ", \"channel\": " << channel;
            }
            m_file << "}}";
        };
        const auto byte_args = [&](std::uint64_t bytes) {
            m_file << ", \"bytes\": " << static_cast<std::int64_t>(bytes);
            if (slice.end > slice.start) {
                m_file << ", \"memory bandwidth (GB/s)\": " << ratio(bytes, slice.end - slice.start);
            }
        };
        if (table.kind[row] == OperationKind::kernel) {
            const auto& k = m_trace.kernels[table.detail[row]];
            const auto title = kernel_title(row, k);
            begin_slice(slice, place, "kernel", title);
            place_args();
            m_file << ", \"queued\": 0, \"registers per thread\": " << k.registers
                   << ", \"shared memory\": " << std::int64_t {k.static_shared} + k.dynamic_shared << ", \"grid\": ["
                   << k.grid[0] << ", " << k.grid[1] << ", " << k.grid[2] << "], \"block\": [" << k.block[0] << ", "
                   << k.block[1] << ", " << k.block[2] << "]";
            if (title != m_trace.text(k.full_name)) {
                m_file << ", \"kernel\": " << json_string(m_trace.text(k.full_name));
            }
            graph_args(k.graph_node, k.channel);
        } else if (table.kind[row] == OperationKind::memset) {
            const auto& m = m_trace.memsets[table.detail[row]];
            begin_slice(slice, place, "gpu_memset", "Memset (" + std::string(word_of(m.target)) + ")");
            place_args();
            byte_args(m.bytes);
            graph_args(m.graph_node, m.channel);
        } else {
            const auto& c = m_trace.copies[table.detail[row]];
            begin_slice(slice, place, "gpu_memcpy",
                "Memcpy " + std::string(arrow_of(c.copy)) + " (" + std::string(word_of(c.source)) + " -> "
                    + std::string(word_of(c.target)) + ")");
            place_args();
            byte_args(c.bytes);
            if (c.source_device != no_id && c.target_device != no_id) {
                m_file << ", \"fromDevice\": " << c.source_device << ", \"inDevice\": " << stream.device
                       << ", \"toDevice\": " << c.target_device;
            }
            graph_args(c.graph_node, c.channel);
        }
        if (table.call[row] != no_row) {
            flow("f", place, slice.start, table.call[row]);
        }
    }

    /// A workload's own name for a kernel, else the whole demangled one, as Kineto has it.
    std::string kernel_title(Row row, const KernelDetail& kernel)
    {
        const auto shown = m_trace.operations.name[row];
        if (kernel.full_name == 0) {
            return std::string(m_trace.text(shown));
        }
        auto [known, is_new] = m_short_names.try_emplace(kernel.full_name);
        if (is_new) {
            known->second = short_kernel_name(m_trace.text(kernel.full_name));
        }
        return std::string(m_trace.text(shown == 0 || m_trace.text(shown) == known->second ? kernel.full_name : shown));
    }
    static std::string ratio(std::uint64_t bytes, Ns duration)
    {
        std::array<char, 32> digits {};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
            static_cast<double>(bytes) / static_cast<double>(duration), std::chars_format::fixed, 6)
                             .ptr;
        return {digits.data(), end};
    }

    const Trace& m_trace;
    TextFile& m_file;
    const Progress& m_progress;
    bool m_first = true;
    std::uint64_t m_done = 0, m_total = 1;
    std::map<std::uint32_t, std::int64_t> m_process_ids;
    struct Threads {
        std::set<std::int64_t> taken;
        std::int64_t next = extra_lanes;
    };
    std::map<std::int64_t, Threads> m_taken;  // by process
    std::vector<bool> m_issues;  // calls that have operations
    std::unordered_map<StringId, std::string> m_short_names;
};

}  // namespace

void write_kineto(const Trace& trace, TextFile& file, std::string_view name, const Progress& progress)
{
    KinetoWriter(trace, file, progress).run(name);
}

}  // namespace lanes
