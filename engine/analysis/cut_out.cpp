// SPDX-License-Identifier: MIT
#include "engine/analysis/cut_out.h"

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/blocking/cut_waits.h"
#include "engine/analysis/facts/record_ends.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/trace/cut.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_to_builder.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>

namespace lanes {

namespace {

/// A number of ns in the whole as one in the range.
std::string in_part(std::string_view text, Interval range)
{
    Ns time = 0;
    std::from_chars(text.data(), text.data() + text.size(), time);
    return std::to_string(std::clamp(time, range.start, range.end) - range.start);
}

/// The meta data of the whole, as far as they hold for a part.
std::map<std::string, std::string> meta_of_part(const Trace& whole, Interval range)
{
    auto meta = whole.meta;
    for (const auto* of_whole : {meta::cut, meta::cut_waits, meta::repeat_totals_ns, meta::unrecorded_totals_ns}) {
        meta.erase(of_whole);
    }
    if (const auto end = meta.find(meta::gpu_end_ns); end != meta.end()) {
        end->second = in_part(end->second, range);
    }
    // "4711 81000", "4711 -": the last word is a time, of windows the second and the third.
    for (const auto* key : {meta::unflushed, meta::windows}) {
        const auto found = meta.find(key);
        std::istringstream lines(found == meta.end() ? "" : found->second);
        std::string text;
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            int place = 0;
            for (std::string word; words >> word; ++place) {
                const bool is_time = (place == 1 || (place == 2 && key == meta::windows)) && word != "-";
                text += (place > 0 ? " " : "") + (is_time ? in_part(word, range) : word);
            }
            text += '\n';
        }
        if (found != meta.end()) {
            found->second = text;
        }
    }
    if (!is_complete(whole)) {
        meta[meta::complete] = "no";  // what said so may be outside
    }
    return meta;
}

}  // namespace

Trace cut_out(const Trace& whole, Interval range, const std::vector<UserMark>* marks)
{
    range.start = std::clamp<Ns>(range.start, 0, whole.duration);
    range.end = std::clamp<Ns>(range.end, range.start, whole.duration);
    TraceBuilder builder;
    builder.keep_times_and_devices(whole.origin + range.start);
    Resettled same;
    same.clocks = true;
    same.shift = -range.start;
    same.process = [](std::uint32_t id) { return id; };
    same.device = [](std::uint32_t id) { return id; };
    same.range = range;
    same.steps = true;
    if (const auto names = whole.meta.find(meta::step_names); names != whole.meta.end()) {
        builder.write_meta(meta::step_names, names->second);
    }
    const auto given = give_records(whole, builder, same);
    auto part = builder.finish(whole.source);
    part.meta = meta_of_part(whole, range);
    part.dropped = whole.dropped;
    for (const auto& mark : marks != nullptr ? *marks : whole.marks) {
        if (mark.time >= range.start && mark.time <= range.end) {
            part.marks.push_back({mark.time - range.start, mark.text});
        }
    }
    const auto before = cut_of(whole);
    const Ns work_end = std::clamp(end_of_work(whole), range.start, range.end) - range.start;
    part.meta[meta::cut] = text_of({.begin = (before ? before->begin : 0) + range.start,
        .length = range.end - range.start,
        .work_end = work_end,
        .calls = given.calls,
        .operations = given.operations,
        .ranges = given.ranges});
    extend_to_cut(part);
    if (const auto waits = cut_waits(whole, find_blocking(whole), range, part, find_blocking(part)); !waits.empty()) {
        part.meta[meta::cut_waits] = waits;
    }
    return part;
}

}  // namespace lanes
