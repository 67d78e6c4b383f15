// SPDX-License-Identifier: MIT
// What Lanescope adds to the JSON that it writes, so that opening it again gives the same recording; private to
// engine/store. Other viewers pass over it.
//
//   "lanescope" at the head: {"format", "source", "dropped", "meta", and in rows of numbers and names "processes",
//       "threads", "devices", "contexts", "streams", "counters"}
//   "lanescopeRecords" behind the events: rows of what the format has no events for, "events" (of cudaEventRecord),
//       "steps", "host_functions", "query_spins", "memory", "errors", "marks"
//   "lanescope" of a counter's event: its row of "counters"
//   args.lanescope of an event: see OwnFields in chrome_event.h
// The columns of each are where they are written, own_json_writer.cpp, and read, own_json_reader.cpp.
#pragma once

#include "engine/store/text_file.h"
#include "engine/trace/trace_builder.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <simdjson.h>
#include <string>
#include <vector>

namespace lanes {

/// The value of "lanescope".
void write_own_head(const Trace& trace, TextFile& file);
/// The value of "lanescopeRecords".
void write_own_records(const Trace& trace, const std::vector<UserMark>& marks, TextFile& file);

/// What was read of both.
struct OwnJson {
    Source source = Source::unknown;
    std::uint64_t dropped = 0;
    std::map<std::string, std::string> meta;
    std::vector<UserMark> marks;
    std::vector<CounterRecord> counters;  ///< without time and value
    std::optional<std::uint32_t> sole_process;  ///< where there is but one: events do not name it
};

/// Takes the value of "lanescope" and gives its rows to `builder`; nothing where the value is not what this version
/// writes: the file is then read as anybody's. A newer minor version is taken with a notice.
std::optional<OwnJson> read_own_head(const simdjson::dom::element& value, TraceBuilder& builder);
/// Takes the value of "lanescopeRecords"; rows that are too short or hold something else are left out.
void read_own_records(const simdjson::dom::element& value, TraceBuilder& builder, OwnJson& own);

/// Events that begin and end together are in the file by row, in a trace in the order in which they came.
template <class R> void order_by_place(std::vector<R>& records, const std::vector<std::uint32_t>& places)
{
    if (places.size() != records.size()
        || std::none_of(places.begin(), places.end(), [](auto place) { return place > 0; })) {
        return;
    }
    std::vector<std::uint32_t> by_place(records.size());
    std::iota(by_place.begin(), by_place.end(), 0U);
    std::stable_sort(by_place.begin(), by_place.end(), [&](auto a, auto b) { return places[a] < places[b]; });
    std::vector<R> sorted;
    sorted.reserve(records.size());
    for (const auto index : by_place) {
        sorted.push_back(records[index]);
    }
    records = std::move(sorted);
}

}  // namespace lanes
