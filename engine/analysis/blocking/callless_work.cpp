// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/callless_work.h"

#include "engine/analysis/blocking/blocked_rule.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr auto earlier = [](const Interval& a, Ns time) { return a.start < time; };

}  // namespace

CalllessWork::CalllessWork(const Trace& trace)
{
    const auto take = [&](Row stream, Interval times) {
        m_streams.resize(trace.streams.size());
        m_streams[stream].times.push_back(times);
    };
    const auto& operations = trace.operations;
    for (Row row = 0; row < operations.size(); ++row) {
        if (operations.call[row] == no_row) {
            take(operations.stream[row], {operations.start[row], operations.end[row]});
        }
    }
    bool sorted = true;
    for (const auto& function : trace.host_functions) {
        if (function.call == no_row && function.timed && function.stream != no_row) {
            take(function.stream, {function.start, function.end});
            sorted = false;
        }
    }
    for (Row stream = 0; stream < m_streams.size(); ++stream) {
        auto& [times, latest, all] = m_streams[stream];
        if (!sorted) {
            std::stable_sort(
                times.begin(), times.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
        }
        Ns last = INT64_MIN;
        for (const auto& interval : times) {
            latest.push_back(last = std::max(last, interval.end));
        }
        all = std::make_shared<const std::vector<From>>(1, From {stream, INT64_MAX});
    }
}

void CalllessWork::extend(Reach& reach, Row stream, Ns from) const
{
    if (m_streams.empty() || m_streams[stream].times.empty()) {
        return;
    }
    // It is kept even where all of them are surely part of it: for an earlier event that is not known.
    const auto& of = m_streams[stream];
    const bool sure = of.times.back().start < from;
    extend(reach, sure ? of.all : std::make_shared<const std::vector<From>>(1, From {stream, from}));
}

void CalllessWork::extend(Reach& reach, const Reach& other)
{
    if (other == nullptr || reach == other) {
        return;
    }
    if (reach == nullptr) {
        reach = other;
        return;
    }
    std::vector<From> both(reach->size() + other->size());
    std::merge(reach->begin(), reach->end(), other->begin(), other->end(), both.begin(),
        [](const From& a, const From& b) { return a.stream < b.stream; });
    std::size_t kept = 0;
    for (const auto& from : both) {
        if (kept > 0 && both[kept - 1].stream == from.stream) {  // what began before the later moment is certain
            both[kept - 1].from = std::max(both[kept - 1].from, from.from);
        } else {
            both[kept++] = from;
        }
    }
    both.resize(kept);
    reach = std::make_shared<const std::vector<From>>(std::move(both));
}

bool CalllessWork::hold(const Reach& reach, Ns start, Ns end) const
{
    if (reach == nullptr) {
        return false;
    }
    return std::any_of(reach->begin(), reach->end(), [&](const From& part) {
        const auto& [times, latest, all] = m_streams[part.stream];
        auto at = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), end, earlier) - times.begin());
        for (; at > 0 && times[at - 1].start >= part.from && latest[at - 1] > start; --at) {
            if (held(start, end, times[at - 1].start, times[at - 1].end)) {
                return true;
            }
        }
        return false;
    });
}

std::size_t CalllessWork::count(Row stream, Ns from) const
{
    if (m_streams.empty()) {
        return 0;
    }
    const auto& times = m_streams[stream].times;
    return static_cast<std::size_t>(times.end() - std::lower_bound(times.begin(), times.end(), from, earlier));
}

}  // namespace lanes
