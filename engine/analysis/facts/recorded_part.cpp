// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/recorded_part.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/trace/meta_keys.h"

#include <charconv>
#include <sstream>

namespace lanes {

namespace {

template <class T> bool read_number(const std::string& text, T& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return text == "-" || (error == std::errc() && end == text.data() + text.size());
}

}  // namespace

std::vector<RecordedPart> recorded_parts(const Trace& trace)
{
    std::vector<RecordedPart> parts;
    std::istringstream lines {std::string(meta::text_of(trace.meta, meta::windows))};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        RecordedPart part;
        std::string process, begin, end;
        if (words >> process >> begin >> end >> part.begun_by >> part.ended_by && read_number(process, part.process)
            && read_number(begin, part.begin) && read_number(end, part.end)) {
            parts.push_back(std::move(part));
        }
    }
    return parts;
}

bool gpu_work_is_recorded(const Trace& trace)
{
    if (trace.operations.size() > 0) {
        return true;
    }
    bool any = trace.source != Source::kineto && trace.source != Source::chrome && trace.source != Source::nsys;
    std::vector<bool> known(trace.strings.size()), issues(trace.strings.size());
    for (Row call = 0; call < trace.calls.size(); ++call) {
        const auto name = trace.calls.name[call];
        if (!known[name]) {
            known[name] = true;
            issues[name] = issues_operation(trace.text(name));
            any = any || trace.text(name).starts_with("cu") || trace.text(name).starts_with("hip");
        }
        if (issues[name] && trace.calls.result[call] == 0) {
            return false;
        }
    }
    return any;  // else of a CPU alone, or of a device that has no lane here
}

}  // namespace lanes
