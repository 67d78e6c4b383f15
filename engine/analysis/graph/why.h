// SPDX-License-Identifier: MIT
// Explanations as text: what an operation waited for, what blocked a thread, and the chain of causes.
#pragma once

#include "engine/analysis/graph/critical_path.h"
#include "engine/analysis/words/messages.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanes {

class JsonWriter;

/// "compute", "stream 7"; with several GPUs "stream 7 (GPU 1)".
std::string stream_label(const Trace& trace, Row stream);

/// "kernel matmul on stream compute", "copy D2H of 64 MiB on stream copy".
Message operation_message(const Trace& trace, Row operation);

/// Why an operation started when it did: "ready for 1.2 ms, waited for the copy engine, which carried copy D2H of …".
Message start_message(const Graph& graph, Row operation);

/// One line of a chain.
struct WhyLine {
    Interval span;
    Message text;
    EventRef event;  ///< the event it is about; none: nothing is recorded there
};

/// A path back as lines: one for each operation with the reason for its start, one for what a thread did until it
/// waited. Four or more operations that follow one another on a stream, each waiting only for the one before it, are
/// one line; those that take 1 ms, or a twentieth of the whole, have separate lines. Times of 1 ms, or of a
/// twentieth of the whole, in one named range or in nothing that is recorded have separate lines; the latter with the
/// range that was open then.
std::vector<WhyLine> why_lines(const Graph& graph, const std::vector<PathPart>& parts);

/// Where Python was in those parts of a path in which its thread was in no call and in no operator; empty without
/// samples.
PlaceTally python_places(const Graph& graph, const std::vector<PathPart>& parts);
/// The same of the critical path of a stretch.
PlaceTally python_places(const Graph& graph, Interval range);

/// "spin (prog.py:8)", count and all, as arguments of a message; nothing without samples.
std::optional<Message> python_message(const Graph& graph, const char* id, const PlaceTally& tally);

/// The output of `lanes why`.
std::string why_text(std::span<const WhyLine> lines, const Messages& messages);
/// {"schema": 2, "chain": […], "lines": […]}, on one line.
std::string why_json(const Graph& graph, const std::vector<PathPart>& parts, const Messages& messages);

/// Writes an event as in `lanes report --json`; null for none.
void write_event(JsonWriter& json, const Trace& trace, EventRef event);

/// Writes whose work an operation is, with why it is nobody's.
void write_owner(JsonWriter& json, const Owners& owners, const Owner& owner);
/// "collectives": [{"function": "ncclAllReduce", "communicator": …, "call": 3, "bytes": …, "op": …, "root": null,
/// "peer": null}] into an object; nothing if the operation is none or nothing is known of it.
void write_collectives(JsonWriter& json, const Graph& graph, Row operation);

/// Writes the keys `starts`, `waits` and `critical_path` of `lanes report --json`, for `range`.
void write_why(JsonWriter& json, const Graph& graph, Interval range);

/// The section of `lanes report` about the critical path, with its largest names and lanes.
std::string critical_path_text(const Graph& graph, const CriticalPath& path, const Messages& messages);

}  // namespace lanes
