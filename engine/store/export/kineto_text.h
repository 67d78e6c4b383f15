// SPDX-License-Identifier: MIT
// Pieces of an event as Kineto writes it; private to engine/store.
#pragma once

#include "engine/store/export/export_text.h"
#include "engine/trace/json_string.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanes {

/// Nanoseconds as microseconds with three decimals.
std::string microseconds(Ns time);
/// A finite number with all digits that are needed to read the same one.
std::string number(double value);
/// Bytes a nanosecond with six decimals; `duration` is not 0.
std::string ratio(std::uint64_t bytes, Ns duration);

/// Writes all before the events: devices, versions, rank, our own head; up to the bracket that opens traceEvents.
void write_kineto_head(const Trace& trace, TextFile& file);

/// One end of an arrow between events, with its closing bracket: 's' from the event at that place and time, 'f' to it.
struct FlowEnd {
    char phase;
    std::int64_t id, process, thread;
    Ns time;
    const char* category;
};
void write_flow(TextFile& file, const FlowEnd& end);

/// Finds the record of an event for which a wait is.
class RecordedEvents {
public:
    explicit RecordedEvents(const Trace& trace)
        : m_trace(trace)
    {
    }
    /// Null: not known.
    const Event* of(const Sync& sync);

private:
    const Trace& m_trace;
    std::unordered_multimap<std::uint32_t, const Event*> m_by_sync;
};

/// Whether a category says what kind of event it is, rather than its author's name for it.
bool is_special(std::string_view category);

/// The args of an event, and the bracket that closes it.
class Arguments {
public:
    explicit Arguments(TextFile& file)
        : m_file(file)
    {
        m_file << ", \"args\": {";
    }
    ~Arguments() { m_file << "}}"; }
    Arguments(const Arguments&) = delete;
    Arguments& operator=(const Arguments&) = delete;

    void add(const char* key, std::int64_t value) { begin(key) << value; }
    void add(const char* key, std::string_view text) { begin(key) << json_string(text); }
    void add_unless(const char* key, std::int64_t value, std::int64_t none)
    {
        if (value != none) {
            add(key, value);
        }
    }

    /// The values of a range, if it has any: "values": {"communicator": "0x00000000000004d2", "bytes": 4096, …}
    void add_values(const Trace& trace, Row range);

private:
    TextFile& begin(const char* key)
    {
        m_file << (m_any ? ", \"" : "\"") << key << "\": ";
        m_any = true;
        return m_file;
    }
    TextFile& m_file;
    bool m_any = false;
};

}  // namespace lanes
