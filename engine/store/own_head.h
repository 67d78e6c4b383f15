// SPDX-License-Identifier: MIT
// What Lanescope adds to the JSON that it writes: about the recording as a whole and its rows; private to engine/store.
//
//   "lanescope"   {"source", "dropped", "meta": {…}}, before the events
//
// The events are those of PyTorch's profiler, with the few arguments that export_text.h lists, and are read as such
// (chrome_records.h). Up to format 1.3 the head had tables of a Trace, and "lanescopeRecords" after the events had more
// of them. These are ignored.
#pragma once

#include "engine/store/chrome/chrome_event.h"
#include "engine/trace/trace.h"

#include <map>
#include <optional>
#include <set>
#include <simdjson.h>
#include <string>
#include <utility>

namespace lanes {

class TextFile;

struct OwnHead {
    Source source = Source::unknown;
    std::uint64_t dropped = 0;
    std::map<std::string, std::string> meta;
};

/// What metadata events add about the rows of a file of ours.
class OwnRows {
public:
    /// False: it is read as in any file.
    bool take(const ChromeEvent& metadata);
    /// The process of a pid: if a GPU has the process's number, the file has another one.
    std::uint32_t process_of(std::int64_t pid) const;
    /// Whether the pid is that of a GPU.
    bool is_gpu(const ChromeId& pid) const { return pid.number && m_gpus.contains(*pid.number); }
    std::string stream_name(std::uint32_t device, std::uint32_t stream) const;  ///< "": it has none
    const std::map<std::int64_t, std::uint32_t>& processes() const { return m_processes; }  ///< by pid

private:
    std::set<std::int64_t> m_gpus;
    std::map<std::int64_t, std::uint32_t> m_processes;
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> m_stream_names;  ///< by GPU and stream
};
/// The name of the metadata with such a process's true number.
inline constexpr auto true_process = "lanescope_process";

/// The pid of events without a known thread.
inline constexpr std::int64_t no_thread_process = -2;

/// Writes the value of "lanescope".
void write_own_head(const Trace& trace, TextFile& file);
/// Reads it; nothing if it is something else.
std::optional<OwnHead> own_head_of(const simdjson::dom::element& value);
/// How many rows the value of "lanescopeRecords" has.
std::size_t own_rows_in(const simdjson::dom::element& value);

/// The category of the instants that are marks of a user.
inline constexpr auto user_mark = "user_mark";

}  // namespace lanes
