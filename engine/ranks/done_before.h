// SPDX-License-Identifier: MIT
// What a GPU has done so far, of what was issued before a moment: an operation follows nothing that its host issued
// later. The sum of a first part of the gradients follows no kernel of the next part, even where, as it waited for a
// late rank, that kernel ended before it began.
#pragma once

#include "engine/trace/units.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <utility>

namespace lanes {

/// As a moment of issue: not known.
inline constexpr Ns issue_unknown = std::numeric_limits<Ns>::max();

/// `State`: of a stream, after one of its operations has ended.
template <class State> class DoneBefore {
public:
    /// After all that was added of that stream.
    void add(std::uint32_t stream, Ns issued, State state)
    {
        auto& of = m_streams[stream];
        const Ns before = of.empty() ? std::numeric_limits<Ns>::min() : of.back().issued;
        of.push_back({issued == issue_unknown ? before : std::max(before, issued), std::move(state)});
    }

    /// Of that stream, the last state; nullptr: nothing has ended there.
    const State* last(std::uint32_t stream) const
    {
        const auto of = m_streams.find(stream);
        return of == m_streams.end() ? nullptr : &of->second.back().state;
    }

    /// Calls `see` with each stream's state after what was issued at `issued` or before. Cost: log n for each stream.
    template <class See> void for_each(Ns issued, const See& see) const
    {
        for (const auto& [stream, of] : m_streams) {
            const auto after = std::upper_bound(
                of.begin(), of.end(), issued, [](Ns time, const Entry& entry) { return time < entry.issued; });
            if (after != of.begin()) {
                see(std::prev(after)->state);
            }
        }
    }

    /// Nothing will be asked about what was issued before `issued` alone.
    void forget(Ns issued)
    {
        for (auto& [stream, of] : m_streams) {
            while (of.size() > 1 && of[1].issued <= issued) {
                of.pop_front();
            }
        }
    }

private:
    struct Entry {
        Ns issued;
        State state;
    };
    std::map<std::uint32_t, std::deque<Entry>> m_streams;
};

}  // namespace lanes
