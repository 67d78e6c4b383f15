// SPDX-License-Identifier: MIT
// Why, in words: what an operation waited for before it began, what a thread was held by, and the chain behind either.
#pragma once

#include "engine/analysis/graph/critical_path.h"
#include "engine/analysis/words/messages.h"

#include <span>
#include <string>
#include <vector>

namespace lanes {

class JsonWriter;

/// "compute", "stream 7", where streams of several GPUs are recorded "stream 7 (GPU 1)".
std::string stream_label(const Trace& trace, Row stream);

/// "kernel matmul on stream compute", "copy D2H of 64 MiB on stream copy".
Message operation_message(const Trace& trace, Row operation);

/// Why an operation began when it did: "ready for 1.2 ms, waited for the copy engine, which carried copy D2H of …".
Message start_message(const Graph& graph, Row operation);

/// One line of a chain.
struct WhyLine {
    Interval span;
    Message text;
    EventRef event;  ///< that it is about first; none: nothing is recorded there
};

/// A way back as lines: an operation and why it began in one, what a thread did up to where it waited in one, but for
/// times of 1 ms or a twentieth of it all in one named range or in nothing that is recorded: these have lines of their
/// own, the latter with the range that was open meanwhile.
std::vector<WhyLine> why_lines(const Graph& graph, const std::vector<PathPart>& parts);

/// As `lanes why` prints it.
std::string why_text(std::span<const WhyLine> lines, const Messages& messages);
/// {"schema": 1, "chain": […], "lines": […]}, on one line.
std::string why_json(const Graph& graph, const std::vector<PathPart>& parts, const Messages& messages);

/// An event as `lanes report --json` writes it; null where there is none.
void write_event(JsonWriter& json, const Trace& trace, EventRef event);

/// The keys `starts`, `waits` and `critical_path` of `lanes report --json`, of what lies in `range`.
void write_why(JsonWriter& json, const Graph& graph, Interval range);

/// The section of `lanes report`: what the critical path is made of, with its largest names and lanes.
std::string critical_path_text(const Graph& graph, const CriticalPath& path, const Messages& messages);

}  // namespace lanes
