// SPDX-License-Identifier: MIT
#include "engine/analysis/caveats.h"

#include "engine/analysis/shown.h"
#include "engine/analysis/text_table.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <charconv>

namespace lanes {

namespace {

std::string meta_of(const Trace& trace, const char* key)
{
    const auto found = trace.meta.find(key);
    return found == trace.meta.end() ? "" : printable(found->second);
}

Ns last_of(const std::vector<Ns>& ends)
{
    const auto last = std::max_element(ends.begin(), ends.end());
    return last == ends.end() ? 0 : *last;
}

}  // namespace

bool is_complete(const Trace& trace)
{
    return trace.errors.empty() && meta_of(trace, meta::complete) != "no" && !trace.meta.contains(meta::error)
        && !trace.meta.contains(meta::recovered);
}

RecordEnds ends_of(const Trace& trace)
{
    RecordEnds ends {last_of(trace.calls.end), last_of(trace.operations.end)};
    const auto gpu = meta_of(trace, meta::gpu_end_ns);
    std::from_chars(gpu.data(), gpu.data() + gpu.size(), ends.gpu);
    return ends;
}

Message cut_short_message(const Trace& trace)
{
    if (is_complete(trace)) {
        return {};
    }
    const auto ends = ends_of(trace);
    return {"caveat.cut_short", {{"calls", shown_time(ends.calls)}, {"gpu", shown_time(ends.gpu)}}};
}

std::vector<Message> caveats_of(const Trace& trace)
{
    std::vector<Message> caveats;
    for (const auto* key : {meta::error, meta::recovered}) {
        if (const auto text = meta_of(trace, key); !text.empty()) {
            caveats.push_back({std::string("caveat.") + key, {{"text", text}}});
        }
    }
    if (auto message = cut_short_message(trace); !message.empty()) {
        caveats.push_back(std::move(message));
    }
    if (trace.dropped > 0) {
        caveats.push_back({"caveat.dropped", {{"count", std::to_string(trace.dropped)}}});
    }
    for (const auto* key : {meta::clock_violations, meta::skipped_rows, meta::threadless_rows}) {
        if (const auto count = meta_of(trace, key); !count.empty() && count != "0") {
            caveats.push_back({std::string("caveat.") + key, {{"count", count}}});
        }
    }
    return caveats;
}

}  // namespace lanes
