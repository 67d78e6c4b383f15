// SPDX-License-Identifier: MIT
// Finds the window: the timed part of a workload, or the recorded parts of a program's processes.
#include "engine/trace/meta_keys.h"
#include "engine/trace/recorded_intervals.h"
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace lanes {

namespace {

constexpr Ns never = std::numeric_limits<Ns>::max();
constexpr Ns always = std::numeric_limits<Ns>::min();

std::string time_or_none(Ns time, Ns origin)
{
    return time == never || time == always ? "-" : std::to_string(time - origin);
}

}  // namespace

void TraceAssembly::find_window()
{
    auto edges = m_records.of<WindowRecord>();
    std::erase_if(edges, [](const WindowRecord& edge) { return !is_sane(edge.time); });
    std::stable_sort(edges.begin(), edges.end(), [](const WindowRecord& a, const WindowRecord& b) {
        return std::pair(a.time, a.edge) < std::pair(b.time, b.edge);
    });
    take_parts(edges);
    // Overlapping windows are of several threads of one repetition, and count as one.
    std::vector<Interval> windows;
    int open = 0;
    for (const auto& edge : edges) {
        if (edge.edge == WindowRecord::begin) {
            if (open++ == 0) {
                windows.push_back({edge.time, never});
            }
        } else if (open > 0 && --open == 0) {
            windows.back().end = edge.time;
        }
    }
    m_repetitions = windows.size();
    if (!windows.empty()) {
        const auto window = windows[std::min(m_records.repetition, windows.size() - 1)];
        m_window_begin = window.start;
        m_window_end = window.end;
    } else if (!edges.empty()) {
        m_window_end = edges.back().time;
    }
}

/// Moves the edges that concern one process from `edges` to m_parts.
void TraceAssembly::take_parts(std::vector<WindowRecord>& edges)
{
    const auto& wanted = m_records.recorded;
    for (const auto& [process, parts] : recorded_intervals(edges)) {
        auto& kept = m_parts.try_emplace(process, Part {{never, always}, 0}).first->second;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!wanted || (parts[i].start <= wanted->end && parts[i].end >= wanted->start)) {
                kept = {parts[i], i + 1};
            }
        }
    }
    std::erase_if(edges, [](const WindowRecord& edge) { return edge.process != 0; });
    if (!m_parts.empty()) {
        // For processes without a recorded part, which have only ranges.
        m_window_begin = never;
        m_window_end = always;
        for (const auto& [process, part] : m_parts) {
            m_window_begin = std::min(m_window_begin, part.time.start);
            m_window_end = std::max(m_window_end, part.time.end);
        }
    }
    if (m_records.cut) {
        m_window_begin = std::max(m_window_begin, m_records.cut->start);
        m_window_end = std::min(m_window_end, m_records.cut->end - 1);
    }
}

/// Fills meta::windows from the probes' notes about their parts, or from the cut; and meta::not_begun.
void TraceAssembly::describe_parts()
{
    auto& meta = m_trace.meta;
    const std::string prefix = meta::window_of(0).substr(0, meta::window_of(0).size() - 1);
    std::string lines;
    std::set<std::string> reasons;
    for (auto said = meta.lower_bound(prefix); said != meta.end() && said->first.starts_with(prefix);) {
        std::uint32_t process = 0;
        std::size_t number = 1;
        const auto* const key_end = said->first.data() + said->first.size();
        const auto dot = std::from_chars(said->first.data() + prefix.size(), key_end, process).ptr;
        if (dot != key_end) {
            std::from_chars(dot + 1, key_end, number);
        }
        const auto part = m_parts.find(process);
        if (part != m_parts.end() && part->second.number != number) {
            said = meta.erase(said);
            continue;
        }
        const auto& words = said->second;
        const auto space = words.find(' ');
        const auto begun = words.substr(0, space);
        const auto ended = words.substr(std::min(words.size(), space + 1), words.find(' ', space + 1) - space - 1);
        if (begun == "none") {
            reasons.insert(words.substr(std::min(words.size(), words.find(' ', space + 1) + 1)));
        } else if (!m_records.cut && (begun != "program" || ended != "program")) {
            const Interval whole = part == m_parts.end() ? Interval {always, never} : part->second.time;
            lines += std::to_string(process) + " " + time_or_none(whole.start, m_origin) + " "
                + time_or_none(whole.end, m_origin) + " " + begun + " " + ended + "\n";
        }
        said = meta.erase(said);
    }
    for (auto said = meta.lower_bound(handed_over_key);
         said != meta.end() && said->first.starts_with(handed_over_key);) {
        said = meta.erase(said);
    }
    for (Row row = 0; m_records.cut && row < m_trace.processes.size(); ++row) {
        lines += std::to_string(m_trace.processes[row].id) + " " + time_or_none(m_window_begin, m_origin) + " "
            + time_or_none(m_window_end, m_origin) + " steps steps\n";
    }
    if (!lines.empty()) {
        meta[meta::windows] = lines;
    }
    std::string all;
    for (const auto& reason : reasons) {
        all += (all.empty() ? "" : "; ") + reason;
    }
    if (!all.empty()) {
        meta[meta::not_begun] = all;
    }
}

}  // namespace lanes
