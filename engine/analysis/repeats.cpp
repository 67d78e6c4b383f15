// SPDX-License-Identifier: MIT
#include "engine/analysis/repeats.h"

#include "engine/analysis/words/shown.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace lanes {

namespace {

/// The times of "812 815 808"; empty for anything else.
std::vector<Ns> times_of(const Trace& trace, const char* key)
{
    const auto found = trace.meta.find(key);
    std::vector<Ns> times;
    if (found == trace.meta.end()) {
        return times;
    }
    const std::string_view text = found->second;
    for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
        Ns time = 0;
        const auto read = std::from_chars(at, end, time);
        if (read.ec != std::errc {} || time < 0 || (read.ptr != end && *read.ptr != ' ')) {
            return {};
        }
        times.push_back(time);
        at = read.ptr == end ? end : read.ptr + 1;
    }
    return times;
}

double share(Ns part, Ns whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

Spread spread_of(std::vector<Ns> times)
{
    std::sort(times.begin(), times.end());
    return {times.front(), times[(times.size() - 1) / 2], times.back()};
}

std::optional<Repeats> repeats_of(const Trace& trace)
{
    const auto recorded = times_of(trace, meta::repeat_totals_ns);
    if (recorded.size() < 2) {
        return std::nullopt;
    }
    Repeats repeats {recorded.size(), spread_of(recorded), std::nullopt};
    if (const auto unrecorded = times_of(trace, meta::unrecorded_totals_ns); !unrecorded.empty()) {
        repeats.unrecorded = spread_of(unrecorded);
    }
    return repeats;
}

bool spreads(const Spread& wall)
{
    return share(wall.most - wall.least, wall.median) > spread_that_matters;
}

std::vector<Message> repeat_messages(const Trace& trace)
{
    const auto repeats = repeats_of(trace);
    std::vector<Message> messages;
    if (repeats && spreads(repeats->wall)) {
        messages.push_back({"repeat.spread",
            {{"count", std::to_string(repeats->runs)}, {"least", shown_time(repeats->wall.least)},
                {"most", shown_time(repeats->wall.most)}}});
    }
    if (repeats && repeats->unrecorded) {
        const auto more = share(repeats->wall.median - repeats->unrecorded->median, repeats->unrecorded->median);
        if (more > spread_that_matters) {
            messages.push_back(
                {"repeat.recorder", {{"time", shown_time(repeats->unrecorded->median)}, {"share", shown_share(more)}}});
        }
    }
    return messages;
}

}  // namespace lanes
