// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/callless_work.h"

#include "engine/analysis/blocking/blocked_rule.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr auto earlier = [](const Interval& a, Ns time) { return a.start < time; };

}  // namespace

CalllessWork::CalllessWork(const Trace& trace)
    : m_trace(trace)
    , m_order(trace)
{
    const auto take = [&](Row stream, Interval times, Ns submitted) {
        m_streams.resize(trace.streams.size());
        auto& of = m_streams[stream];
        of.times.push_back(times);
        of.submitted.push_back(of.submitted.empty() ? submitted : std::max(submitted, of.submitted.back()));
    };
    const auto& operations = trace.operations;
    for (Row row = 0; row < operations.size(); ++row) {
        if (operations.call[row] == no_row) {
            take(operations.stream[row], {operations.start[row], operations.end[row]}, submitted(row));
        }
    }
    bool sorted = true;
    for (const auto& function : trace.host_functions) {
        if (function.call == no_row && function.timed && function.stream != no_row) {
            take(function.stream, {function.start, function.end}, function.start);
            sorted = false;
        }
    }
    for (Row stream = 0; stream < m_streams.size(); ++stream) {
        auto& [times, by, latest, all] = m_streams[stream];
        if (!sorted) {
            std::stable_sort(
                times.begin(), times.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
            std::transform(times.begin(), times.end(), by.begin(), [](const Interval& of) { return of.start; });
        }
        Ns last = INT64_MIN;
        for (const auto& interval : times) {
            latest.push_back(last = std::max(last, interval.end));
        }
        all = std::make_shared<const std::vector<From>>(1, From {stream, INT64_MAX});
    }
}

Ns CalllessWork::submitted(Row operation) const
{
    const auto& operations = m_trace.operations;
    const Ns before
        = m_order.before(m_trace.streams[operations.stream[operation]].process, operations.correlation[operation]);
    return std::min(operations.start[operation], before - 1);
}

void CalllessWork::extend(Reach& reach, Row stream, Ns from) const
{
    if (m_streams.empty() || m_streams[stream].times.empty()) {
        return;
    }
    // It is kept even where all of them are surely part of it: for an earlier event that is not known.
    const auto& of = m_streams[stream];
    const bool sure = of.submitted.back() < from;
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
        const auto& [times, by, latest, all] = m_streams[part.stream];
        auto at = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), end, earlier) - times.begin());
        for (; at > 0 && by[at - 1] >= part.from && latest[at - 1] > start; --at) {
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
    const auto& by = m_streams[stream].submitted;
    return static_cast<std::size_t>(by.end() - std::lower_bound(by.begin(), by.end(), from));
}

}  // namespace lanes
