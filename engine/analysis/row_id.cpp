// SPDX-License-Identifier: MIT
#include "engine/analysis/row_id.h"

#include "engine/analysis/iterations.h"
#include "engine/analysis/report.h"
#include "engine/trace/event.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <stdexcept>

namespace lanes {

namespace {

constexpr std::string_view finding_word = "finding", iteration_word = "iteration", wait_word = "wait";

[[noreturn]] void complain(std::string_view id, const std::string& expected)
{
    throw std::invalid_argument("found \"" + std::string(id) + "\", expected " + expected);
}

[[noreturn]] void complain_of_number(
    std::string_view id, std::string_view word, std::size_t count, std::size_t first = 0)
{
    const auto number = [&](std::size_t at) { return std::string(word) + ':' + std::to_string(first + at); };
    complain(id,
        count == 0 ? "another row: this recording has no " + std::string(word)
                   : number(0) + " to " + number(count - 1));
}

FoundRow event_row(const Trace& trace, std::string_view id, EventRef event)
{
    const auto count = size_of(trace, event.table);
    if (event.row >= count) {
        complain_of_number(id, id.substr(0, id.find(':')), count);
    }
    return {event, span_of(trace, event)};
}

FoundRow wait_row(const Trace& trace, std::string_view id, Row row)
{
    const auto blocking = find_blocking(trace);
    if (row >= blocking.calls.size()) {
        complain_of_number(id, wait_word, blocking.calls.size());
    }
    const auto& stretch = blocking.calls[row];
    return {{EventTable::calls, stretch.call}, {stretch.start, stretch.end}};
}

FoundRow finding_row(const Trace& trace, std::string_view id)
{
    const auto report = make_report(trace, find_blocking(trace));
    std::vector<std::string> known;
    for (const auto& finding : report.findings) {
        known.push_back(finding_id(finding));
        if (known.back() == id && !finding.evidence.empty()) {
            FoundRow found {finding.evidence.front(), span_of(trace, finding.evidence.front())};
            for (const auto event : finding.evidence) {
                const auto [start, end] = span_of(trace, event);
                found.span = {std::min(found.span.start, start), std::max(found.span.end, end)};
            }
            return found;
        }
    }
    complain(id, known.empty() ? "another row: this recording has no findings" : alternatives(known));
}

FoundRow iteration_row(const Trace& trace, std::string_view id, Row number)
{
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    const auto iterations = iterations_of(graph, RecordingBounds(trace, blocking));
    const auto count = iterations ? iterations->all.size() : 0;
    if (number < 1 || number > count) {
        complain_of_number(id, iteration_word, count, 1);
    }
    return {{}, iterations->all[number - 1].span};
}

}  // namespace

std::string finding_id(const Finding& finding)
{
    return std::string(finding_word) + ':' + finding.key();
}

std::string iteration_id(std::size_t index)
{
    return std::string(iteration_word) + ':' + std::to_string(index + 1);
}

FoundRow find_row(const Trace& trace, std::string_view id)
{
    if (const auto event = event_of(id)) {
        return event_row(trace, id, *event);
    }
    if (id.starts_with(finding_word) && id.substr(finding_word.size()).starts_with(':')) {
        return finding_row(trace, id);
    }
    const auto parts = split_id(id);
    if (parts && parts->first == wait_word) {
        return wait_row(trace, id, parts->second);
    }
    if (parts && parts->first == iteration_word) {
        return iteration_row(trace, id, parts->second);
    }
    complain(id, "the id of a row, such as operation:12, call:0, range:7, wait:3, iteration:4 or finding:RULE");
}

}  // namespace lanes
