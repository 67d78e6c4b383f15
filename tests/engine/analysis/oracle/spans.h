// SPDX-License-Identifier: MIT
// Lists of stretches of time and operations on them, slow and plain: each walks over all ends.
#pragma once

#include "tests/engine/analysis/oracle/recorded.h"

#include <algorithm>
#include <functional>

namespace oracle {

using Spans = std::vector<std::pair<Ns, Ns>>;

/// The stretches in which `wanted` holds for the number of members of each list that cover the time. They do not touch.
inline Spans where(const std::vector<Spans>& lists, const std::function<bool(const std::vector<int>&)>& wanted)
{
    struct End {
        Ns time;
        std::size_t list;
        int change;
    };
    std::vector<End> ends;
    for (std::size_t list = 0; list < lists.size(); ++list) {
        for (const auto& [start, end] : lists[list]) {
            if (start < end) {
                ends.push_back({start, list, 1});
                ends.push_back({end, list, -1});
            }
        }
    }
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.time < b.time; });
    std::vector<int> covering(lists.size(), 0);
    Spans result;
    for (std::size_t i = 0; i < ends.size();) {
        const Ns time = ends[i].time;
        for (; i < ends.size() && ends[i].time == time; ++i) {
            covering[ends[i].list] += ends[i].change;
        }
        if (i < ends.size() && wanted(covering)) {
            if (!result.empty() && result.back().second == time) {
                result.back().second = ends[i].time;
            } else {
                result.push_back({time, ends[i].time});
            }
        }
    }
    return result;
}

inline Spans union_of(const Spans& spans)
{
    return where({spans}, [](const auto& n) { return n[0] > 0; });
}
inline Spans common(const Spans& a, const Spans& b)
{
    return where({a, b}, [](const auto& n) { return n[0] > 0 && n[1] > 0; });
}
inline Spans without(const Spans& a, const Spans& b)
{
    return where({a, b}, [](const auto& n) { return n[0] > 0 && n[1] == 0; });
}
/// Where `n` or more of the lists have a member.
inline Spans at_least(int n, const std::vector<Spans>& lists)
{
    return where(lists, [n](const auto& covering) {
        return std::count_if(covering.begin(), covering.end(), [](int c) { return c > 0; }) >= n;
    });
}
/// The sum of their lengths.
inline Ns sum_of(const Spans& spans)
{
    Ns sum = 0;
    for (const auto& [start, end] : spans) {
        sum += end - start;
    }
    return sum;
}
inline Ns length_of(const Spans& spans)
{
    return sum_of(union_of(spans));
}

}  // namespace oracle
