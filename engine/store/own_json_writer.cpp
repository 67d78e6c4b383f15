// SPDX-License-Identifier: MIT
#include "engine/store/export/export_text.h"
#include "engine/store/nsys_layout.h"
#include "engine/store/own_json.h"
#include "engine/trace/event.h"
#include "engine/trace/meta_keys.h"

namespace lanes {

namespace {

/// Rows of numbers and texts: [[1, "a"], [2, "b"]].
class Rows {
public:
    Rows(TextFile& file, const char* name, bool first = false)
        : m_file(file)
    {
        m_file << (first ? "\n    \"" : ",\n    \"") << name << "\": [";
    }
    ~Rows() { m_file << "]"; }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    template <class... Values> void operator()(const Values&... values)
    {
        m_file << (m_first ? "[" : ", [");
        m_first = false;
        const char* separator = "";
        const auto put = [&](const auto& value) {
            m_file << separator;
            separator = ", ";
            if constexpr (std::is_convertible_v<decltype(value), std::string_view>) {
                m_file << json_string(value);
            } else {
                m_file << static_cast<std::int64_t>(value);
            }
        };
        (put(values), ...);
        m_file << "]";
    }

private:
    TextFile& m_file;
    bool m_first = true;
};

struct ThreadIds {
    std::uint32_t process = 0, thread = no_id;
};

ThreadIds ids_of(const Trace& trace, Row thread)
{
    return thread == no_row ? ThreadIds {} : ThreadIds {trace.threads[thread].process, trace.threads[thread].id};
}

std::uint32_t correlation_of(const Trace& trace, Row call)
{
    return call == no_row ? 0 : trace.calls.correlation[call];
}

/// The stream of a row; where it has none, one of no number.
Stream stream_of(const Trace& trace, Row stream, Row call)
{
    if (stream != no_row) {
        return trace.streams[stream];
    }
    Stream none {};
    none.id = none.device = no_id;
    none.process = call == no_row ? 0 : ids_of(trace, trace.calls.thread[call]).process;
    return none;
}

}  // namespace

void write_own_head(const Trace& trace, TextFile& file)
{
    file << "{\"format\": \"" << layout::format_major << "." << layout::format_minor
         << "\", \"source\": " << json_string(name_of(trace.source))
         << ", \"dropped\": " << static_cast<std::int64_t>(trace.dropped) << ",\n    \"meta\": {";
    const char* separator = "";
    for (const auto& [key, value] : trace.meta) {
        if (key != meta::notice && key != meta::not_shown) {
            file << separator << json_string(key) << ": " << json_string(value);
            separator = ", ";
        }
    }
    file << "}";
    {
        Rows rows(file, "processes");
        for (const auto& p : trace.processes) {
            rows(p.id, p.parent, trace.text(p.name));
        }
    }
    {
        Rows rows(file, "threads");
        for (const auto& t : trace.threads) {
            rows(t.process, t.id, trace.text(t.name), t.order);
        }
    }
    {
        Rows rows(file, "devices");
        for (const auto& d : trace.devices) {
            rows(d.id, trace.text(d.name), trace.text(d.uuid), trace.text(d.pci), d.multiprocessors, d.copy_engines,
                d.compute_major, d.compute_minor, d.core_clock_khz, d.memory_bytes, d.memory_bandwidth);
        }
    }
    {
        Rows rows(file, "contexts");
        for (const auto& c : trace.contexts) {
            rows(c.process, c.device, c.id, c.null_stream);
        }
    }
    {
        Rows rows(file, "streams");
        for (const auto& s : trace.streams) {
            rows(s.process, s.context, s.id, trace.text(s.name), s.priority, s.flag);
        }
    }
    {
        Rows rows(file, "counters");
        for (const auto& c : trace.counters) {
            rows(c.process, c.device, trace.text(c.name), c.unit);
        }
    }
    file << "}";
}

void write_own_records(const Trace& trace, const std::vector<UserMark>& marks, TextFile& file)
{
    file << "{";
    {
        Rows rows(file, "events", true);
        for (const auto& e : trace.events) {
            const auto s = stream_of(trace, e.stream, e.call);
            rows(e.device_time < 0 ? 0 : e.device_time, s.process, s.device, s.context, s.id,
                correlation_of(trace, e.call), e.event_id, e.event_sync);
        }
    }
    {
        Rows rows(file, "steps");
        for (const auto& s : trace.steps) {
            const auto ids = ids_of(trace, s.thread);
            rows(s.start, ids.process, ids.thread, s.step, s.instruction);
        }
    }
    {
        Rows rows(file, "host_functions");
        for (const auto& f : trace.host_functions) {
            const auto s = stream_of(trace, f.stream, f.call);
            rows(f.start, f.end, s.process, s.context, s.id, correlation_of(trace, f.call), f.timed);
        }
    }
    {
        Rows rows(file, "query_spins");
        for (const auto& s : trace.query_spins) {
            const auto ids = ids_of(trace, trace.calls.thread[s.call]);
            rows(s.start, s.end, ids.process, ids.thread, correlation_of(trace, s.call), s.queries, s.succeeded);
        }
    }
    {
        Rows rows(file, "memory");
        for (const auto& m : trace.memory) {
            const auto s = stream_of(trace, m.stream, no_row);
            rows(m.time, m.address, m.bytes, m.process, m.device, s.context, s.id, correlation_of(trace, m.call),
                m.operation, m.memory, m.async);
        }
    }
    {
        Rows rows(file, "errors");
        for (const auto& e : trace.errors) {
            const auto ids = ids_of(trace, e.thread);
            rows(e.time, ids.process, ids.thread, e.step, e.code, trace.text(e.message));
        }
    }
    {
        Rows rows(file, "marks");
        for (const auto& m : marks) {
            rows(m.time, m.text);
        }
    }
    file << "}";
}

}  // namespace lanes
