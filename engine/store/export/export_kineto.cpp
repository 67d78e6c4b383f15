// SPDX-License-Identifier: MIT
#include "engine/store/export/export_rows.h"
#include "engine/store/export/export_text.h"
#include "engine/store/export/kineto_text.h"
#include "engine/store/own_head.h"
#include "engine/trace/collective_call.h"
#include "engine/trace/json_string.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/names/kernel_name.h"
#include "engine/trace/owners.h"
#include "engine/trace/range_value.h"
#include "engine/trace/ranks.h"
#include "engine/trace/sampled_range.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace lanes {

namespace {

constexpr std::int64_t gpu_sort_index = 5'000'000;  // Kineto's: GPUs below all processes
constexpr std::uint32_t samples_lane = 1'000'000'000;  // added to the thread for where Python was; ids are smaller
constexpr std::uint32_t sync_lane = 1'000'000;  // Kineto's: added to the stream for its synchronisations
constexpr std::uint32_t extra_lanes = 2'000'000;  // ours: further rows for what does not fit on the first
constexpr std::int64_t overhead_process = -1;  // Kineto's

/// Something to draw, before its row is known.
struct Slice {
    enum Kind : std::uint8_t { operation, call, range, span, read, sync, overhead };
    Ns start, end;
    Row row;  ///< in the table of its kind
    Kind kind;
};

class KinetoWriter {
public:
    KinetoWriter(const Trace& trace, const std::vector<UserMark>& marks, TextFile& file, const Progress& progress)
        : m_trace(trace)
        , m_marks(marks)
        , m_file(file)
        , m_progress(progress)
    {
        const auto& t = trace;
        m_total = t.operations.size() + t.calls.size() + t.ranges.size() + t.syncs.size() + t.overheads.size()
            + t.host_spans.size() + t.reads.size() + t.samples.size() + 1;
        for (std::size_t i = 0; i < t.autograd.size(); ++i) {
            if (t.autograd[i].forward != no_row) {
                m_backward.emplace(t.autograd[i].forward, static_cast<std::int64_t>(i) + 1);
            }
        }
    }

    void run(std::string_view name)
    {
        write_kineto_head(m_trace, m_file);
        name_processes();
        write_threads();
        write_devices();
        write_overheads();
        write_counters();
        write_instants();
        m_file << "\n  ],\n  \"traceName\": " << json_string(name) << "\n}\n";
    }

private:
    struct Place {
        std::int64_t process = 0;
        std::int64_t thread = 0;
    };

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
        // A process may have the number of a device, as the model's does, but the rows of GPUs use those numbers.
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
            name("process_labels", {id, 0}, "labels", "\"CPU\"");
            if (id != p.id) {
                name(true_process, {id, 0}, "name", json_string(std::to_string(p.id)));
            }
            if (p.name != 0) {
                name("process_name", {id, 0}, "name", json_string(m_trace.text(p.name)));
            }
            name("process_sort_index", {id, 0}, "sort_index", std::to_string(id));
        }
        for (const auto& d : m_trace.devices) {
            name("process_labels", {d.id, 0}, "labels", json_string("GPU " + std::to_string(d.id)));
            name("process_name", {d.id, 0}, "name", json_string(d.name == 0 ? "GPU" : m_trace.text(d.name)));
            name("process_sort_index", {d.id, 0}, "sort_index", std::to_string(gpu_sort_index + d.id));
        }
    }

    std::int64_t process_id(std::uint32_t process) const
    {
        const auto found = m_process_ids.find(process);
        return found == m_process_ids.end() ? process : found->second;
    }

    /// Writes the slices of one row; those that do not fit go to further rows of `process`.
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
            tick();
        }
    }
    void tick()
    {
        if (++m_done % 16384 == 0) {
            m_progress.report(static_cast<double>(m_done) / static_cast<double>(m_total));
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
        std::vector<std::vector<Slice>> of_thread(m_trace.threads.size() + 1);  // the last: of an unknown thread
        const auto add = [&](Row thread, Ns start, Ns end, Row row, Slice::Kind kind) {
            of_thread[thread == no_row ? m_trace.threads.size() : thread].push_back({start, end, row, kind});
        };
        std::vector<std::vector<Slice>> samples_of_thread(m_trace.threads.size());
        // Ranges first: of a range and a call with the same times, the range is the outer one.
        for (Row row = 0; row < m_trace.ranges.size(); ++row) {
            const auto& r = m_trace.ranges[row];
            if (r.thread != no_row && is_sampled(m_trace, r)) {
                samples_of_thread[r.thread].push_back({r.start, r.end, row, Slice::range});
            } else if (!r.mark) {
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
        write_row(of_thread.back(), {no_thread_process, 0}, "thread not known", 0, false);
        for (Row thread = 0; thread < m_trace.threads.size(); ++thread) {
            const auto& t = m_trace.threads[thread];
            const auto label = t.name == 0 ? "thread " + std::to_string(t.id) : std::string(m_trace.text(t.name));
            write_row(of_thread[thread], {process_id(t.process), t.id}, label, t.order, false);
            of_thread[thread] = {};
            // Viewers draw only what nests, which samples do not.
            write_row(samples_of_thread[thread], {process_id(t.process), std::int64_t {t.id} + samples_lane},
                label + " Python, sampled", t.order, false);
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

    void write_counters()
    {
        for (const auto& c : m_trace.counters) {
            const auto begin = R"("ph": "C", "cat": ")" + std::string(word_of(c.unit))
                + "\", \"name\": " + json_string(m_trace.text(c.name)) + ", \"pid\": "
                + std::to_string(c.device == no_id ? process_id(c.process) : c.device) + ", \"tid\": 0, \"ts\": ";
            for (auto row = c.samples.begin; row < c.samples.end; ++row) {
                begin_event() << begin << microseconds(m_trace.samples.time[row])
                              << ", \"args\": {\"value\": " << number(m_trace.samples.value[row]) << "}}";
                tick();
            }
        }
    }

    void write_instants()
    {
        for (Row row = 0; row < m_trace.ranges.size(); ++row) {
            const auto& r = m_trace.ranges[row];
            if (r.mark) {
                const auto place = r.thread == no_row
                    ? Place {no_thread_process, 0}
                    : Place {process_id(m_trace.threads[r.thread].process), m_trace.threads[r.thread].id};
                write_range({r.start, r.end, row, Slice::range}, place);
            }
        }
        for (const auto& m : m_marks) {
            note(m.text, m.time, user_mark);
        }
        for (const auto& e : m_trace.errors) {
            note(m_trace.text(e.message), e.time);
        }
        note("Record Window End", m_trace.duration);
    }
    /// A note about the whole recording.
    void note(std::string_view text, Ns time, const char* category = "note")
    {
        begin_event() << R"("ph": "i", "s": "g", "cat": ")" << category << R"(", "name": )" << json_string(text)
                      << R"(, "pid": "", "tid": "", "ts": )" << microseconds(time) << "}";
    }

    void begin_slice(const Slice& slice, const Place& place, std::string_view category, std::string_view title)
    {
        begin_event() << "\"ph\": \"X\", \"cat\": " << json_string(category) << ", \"name\": " << json_string(title)
                      << ", \"pid\": " << place.process << ", \"tid\": " << place.thread
                      << ", \"ts\": " << microseconds(slice.start)
                      << ", \"dur\": " << microseconds(slice.end - slice.start);
    }
    void flow(char phase, const Place& place, Ns time, const char* category, std::int64_t id)
    {
        write_flow(begin_event(), {phase, id, place.process, place.thread, time, category});
    }
    /// Correlation ids are unique only within a process.
    std::int64_t flow_id(Row call) const
    {
        return m_trace.processes.size() > 1 ? std::int64_t {call} + 1 : std::int64_t {m_trace.calls.correlation[call]};
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
            {
                Arguments arguments(m_file);
                arguments.add("External id", calls.correlation[slice.row]);
                arguments.add("correlation", calls.correlation[slice.row]);
                add_thread(arguments, calls.thread[slice.row], place);
                arguments.add_unless("result", calls.result[slice.row], 0);
                if (const auto* const spin = m_trace.queries_of(slice.row)) {
                    arguments.add("queries", spin->queries);
                    if (spin->succeeded != QuerySpinRecord::not_known) {
                        arguments.add("answer", spin->succeeded);
                    }
                }
            }
            if (m_issues[slice.row]) {
                flow('s', place, slice.start, "ac2g", flow_id(slice.row));
            }
            break;
        }
        case Slice::range:
            write_range(slice, place);
            break;
        case Slice::span: {
            const auto& span = m_trace.host_spans[slice.row];
            // HTA finds critical paths through this category; the domain says that it is no operator.
            begin_slice(slice, place, operator_domain, m_trace.text(span.name));
            Arguments arguments(m_file);
            arguments.add("domain", "host span");
            add_thread(arguments, span.thread, place);
            break;
        }
        case Slice::read: {
            const auto& r = m_trace.reads[slice.row];
            begin_slice(slice, place, operator_domain, "read " + std::string(m_trace.text(r.buffer)));
            Arguments arguments(m_file);
            arguments.add("domain", "read");
            arguments.add("bytes", static_cast<std::int64_t>(r.bytes));
            arguments.add("wrong bytes", static_cast<std::int64_t>(r.wrong_bytes));
            add_thread(arguments, r.thread, place);
            break;
        }
        case Slice::sync:
            write_sync(slice, place);
            break;
        case Slice::overhead:
            write_overhead(slice, place);
            break;
        }
    }

    void write_range(const Slice& slice, const Place& place)
    {
        const auto& r = m_trace.ranges[slice.row];
        const auto domain = m_trace.text(r.domain);
        // Ranges of other tools have categories; NVTX has domains instead.
        const bool others = m_trace.source == Source::kineto || m_trace.source == Source::chrome;
        const bool says = (others && !is_special(domain)) || domain == operator_domain;
        if (r.mark) {
            begin_event() << R"("ph": "i", "s": "t", "cat": )" << json_string(says ? domain : "cpu_instant_event")
                          << ", \"name\": " << json_string(m_trace.text(r.name)) << ", \"pid\": " << place.process
                          << ", \"tid\": " << place.thread << ", \"ts\": " << microseconds(r.start);
        } else {
            begin_slice(slice, place, says ? domain : "user_annotation", m_trace.text(r.name));
        }
        const auto* const autograd = m_trace.autograd_of(slice.row);
        const auto backward = m_backward.equal_range(slice.row);
        {
            Arguments arguments(m_file);
            if (autograd != nullptr) {
                arguments.add("Fwd thread id", autograd->forward_thread);
                if (autograd->number != no_id) {
                    arguments.add("Sequence number", autograd->number);
                }
            }
            if (!says) {
                arguments.add("domain", domain);
            }
            arguments.add_values(m_trace, slice.row);
            add_thread(arguments, r.thread, place);
        }
        for (auto of = backward.first; of != backward.second; ++of) {
            flow('s', place, slice.start, "fwdbwd", of->second);
        }
        if (autograd != nullptr && autograd->forward != no_row) {
            flow('f', place, slice.start, "fwdbwd", autograd - m_trace.autograd.data() + 1);
        }
    }

    void write_sync(const Slice& slice, const Place& place)
    {
        const auto& s = m_trace.syncs[slice.row];
        const auto stream = s.stream == no_row ? std::int64_t {-1} : std::int64_t {m_trace.streams[s.stream].id};
        begin_slice(slice, place, "cuda_sync", word_of(s.type));
        m_file << ", \"args\": {\"cuda_sync_kind\": " << json_string(word_of(s.type));
        if (s.event_id != no_id) {
            const auto* const event = m_recorded.of(s);
            const bool on_stream = event != nullptr && event->stream != no_row;
            m_file << ", \"wait_on_stream\": " << (on_stream ? std::int64_t {m_trace.streams[event->stream].id} : -1)
                   << ", \"wait_on_cuda_event_record_corr_id\": "
                   << (event != nullptr && event->call != no_row ? std::int64_t {m_trace.calls.correlation[event->call]}
                                                                 : -1)
                   << ", \"wait_on_cuda_event_id\": " << s.event_id;
        }
        m_file << ", \"stream\": " << stream
               << ", \"correlation\": " << (s.call == no_row ? 0 : m_trace.calls.correlation[s.call])
               << ", \"device\": " << place.process << ", \"context\": " << s.context << "}}";
    }

    void write_overhead(const Slice& slice, const Place& place)
    {
        const auto& o = m_trace.overheads[slice.row];
        begin_slice(slice, place, "overhead", word_of(o.type));
        Arguments arguments(m_file);
        if (o.thread != no_row) {
            arguments.add("thread", m_trace.threads[o.thread].id);
        }
        if (o.call != no_row) {
            // Not "correlation": HTA takes an event with one for the call itself.
            arguments.add("call", m_trace.calls.correlation[o.call]);
        }
    }

    /// Adds the thread of an event at `place`, if that is a further row of the thread.
    void add_thread(Arguments& arguments, Row thread, const Place& place)
    {
        if (thread != no_row && m_trace.threads[thread].id != no_id) {
            arguments.add_unless("thread", m_trace.threads[thread].id, place.thread);
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
        const auto graph_args = [&](std::uint32_t graph, std::uint32_t node, std::uint32_t channel) {
            if (node != 0) {  // as CUPTI counts: the graph above, its nodes from 0
                m_file << ", \"graph node id\": " << ((std::int64_t {std::max(graph, 1U)} << 32U) + node - 1);
            }
            if (channel != no_id) {
                m_file << ", \"channel\": " << channel;
            }
        };
        const auto byte_args = [&](std::uint64_t bytes) {
            m_file << ", \"bytes\": " << static_cast<std::int64_t>(bytes);
            if (slice.end > slice.start) {
                m_file << ", \"memory bandwidth (GB/s)\": " << ratio(bytes, slice.end - slice.start);
            }
        };
        if (table.kind[row] == OperationKind::kernel) {
            const auto& k = m_trace.kernels[table.detail[row]];
            const bool renamed = is_renamed(row, k);
            // A workload's own name for a kernel, else the whole demangled one, as Kineto has it.
            begin_slice(slice, place, "kernel", m_trace.text(renamed ? table.name[row] : k.full_name));
            place_args();
            if (!is_whole_graph(k)) {
                m_file << ", \"queued\": 0, \"registers per thread\": " << k.registers
                       << ", \"shared memory\": " << std::int64_t {k.static_shared} + k.dynamic_shared
                       << ", \"grid\": [" << k.grid[0] << ", " << k.grid[1] << ", " << k.grid[2] << "], \"block\": ["
                       << k.block[0] << ", " << k.block[1] << ", " << k.block[2] << "]";
            }
            graph_args(k.graph, k.graph_node, k.channel);
        } else if (table.kind[row] == OperationKind::memset) {
            const auto& m = m_trace.memsets[table.detail[row]];
            begin_slice(slice, place, "gpu_memset", "Memset (" + std::string(word_of(m.target)) + ")");
            place_args();
            byte_args(m.bytes);
            graph_args(m.graph, m.graph_node, m.channel);
        } else {
            const auto& c = m_trace.copies[table.detail[row]];
            begin_slice(slice, place, "gpu_memcpy",
                "Memcpy " + std::string(arrow_of(c.copy)) + " (" + std::string(word_of(c.source)) + " -> "
                    + std::string(word_of(c.target)) + ")");
            place_args();
            byte_args(c.bytes);
            const auto device = [](std::uint32_t id) { return id == no_id ? std::int64_t {-1} : std::int64_t {id}; };
            if (c.source_device != no_id || c.target_device != no_id) {
                m_file << ", \"fromDevice\": " << device(c.source_device) << ", \"inDevice\": " << stream.device
                       << ", \"toDevice\": " << device(c.target_device);
            }
            graph_args(c.graph, c.graph_node, c.channel);
        }
        write_owner(row);
        m_file << "}}";
        if (table.call[row] != no_row) {
            flow('f', place, slice.start, "ac2g", flow_id(table.call[row]));
        }
    }

    void write_owner(Row row)
    {
        if (const auto calls = collective_ranges(m_trace, m_owners, row); !calls.empty()) {
            std::string text;
            for (const Row call : calls) {
                text += text.empty() ? "" : "; ";
                text += m_trace.text(m_trace.ranges[call].name);
                text += " " + values_text(m_trace, call);
            }
            m_file << ", \"collective\": " << json_string(text);
        }
        const auto owner = m_owners.of(row);
        for (const auto part : owner_parts) {
            if (const auto text = m_owners.text(owner, part); !text.empty()) {
                m_file << ", \"" << name_of(part) << "\": " << json_string(text);
            }
        }
        if (owner.from == Owner::From::capture) {
            m_file << ", \"owner from\": \"capture\"";
        }
    }

    /// Whether a kernel's shown name is not made from its full one.
    bool is_renamed(Row row, const KernelDetail& kernel)
    {
        const auto shown = m_trace.operations.name[row];
        if (kernel.full_name == 0 || shown == 0) {
            return shown != 0;
        }
        auto [known, is_new] = m_short_names.try_emplace(kernel.full_name);
        if (is_new) {
            known->second = short_kernel_name(m_trace.text(kernel.full_name));
        }
        return m_trace.text(shown) != known->second;
    }
    const Trace& m_trace;
    const std::vector<UserMark>& m_marks;
    TextFile& m_file;
    const Progress& m_progress;
    RecordedEvents m_recorded {m_trace};
    Owners m_owners {m_trace};
    std::unordered_multimap<Row, std::int64_t> m_backward;  ///< the arrows from forward ranges, by their ids
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

void write_kineto(const Trace& trace, const std::vector<UserMark>& marks, TextFile& file, std::string_view name,
    const Progress& progress)
{
    KinetoWriter(trace, marks, file, progress).run(name);
}

}  // namespace lanes
