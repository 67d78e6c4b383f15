// SPDX-License-Identifier: MIT
#include "engine/ranks/clock_alignment.h"

#include "engine/trace/median.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace lanes {

namespace {

constexpr Ns no_bound = std::numeric_limits<Ns>::max() / 4;
constexpr double least_known_drift = 1e-6;  // temperature moves a clock by less within minutes
constexpr int most_rounds = 4;  // of narrowing windows by those of clocks other than the first

/// A bound by one meeting on one clock.
struct Bound {
    Ns at;
    Ns low, high;
    std::size_t meeting;
};

Ns drifted(double drift, Ns time)
{
    return static_cast<Ns>(std::llround(drift * static_cast<double>(time)));
}

bool is_wrong(const Bound& bound)
{
    return bound.low > bound.high;
}

/// Makes each bound as tight as those of other moments let it be. Nothing if they contradict each other, then `failed`
/// is the first bound that those before it exclude.
std::optional<std::vector<ClockWindow>> narrowed(
    const std::vector<Bound>& bounds, double least_drift, double greatest_drift, std::size_t& failed)
{
    std::vector<ClockWindow> windows;
    windows.reserve(bounds.size());
    for (const auto& bound : bounds) {
        windows.push_back({bound.at, bound.low, bound.high});
    }
    for (std::size_t i = 1; i < windows.size(); ++i) {
        const Ns apart = windows[i].at - windows[i - 1].at;
        windows[i].low = std::max(windows[i].low, windows[i - 1].low + drifted(least_drift, apart));
        windows[i].high = std::min(windows[i].high, windows[i - 1].high + drifted(greatest_drift, apart));
        if (windows[i].low > windows[i].high) {
            failed = i;
            return std::nullopt;
        }
    }
    for (std::size_t i = windows.size(); i-- > 1;) {
        const Ns apart = windows[i].at - windows[i - 1].at;
        windows[i - 1].low = std::max(windows[i - 1].low, windows[i].low - drifted(greatest_drift, apart));
        windows[i - 1].high = std::min(windows[i - 1].high, windows[i].high - drifted(least_drift, apart));
    }
    return windows;
}

class ClockSearch {
public:
    ClockSearch(std::size_t clocks, const std::vector<ClockMeeting>& meetings, const std::vector<std::vector<Ns>>& set)
        : m_meetings(meetings)
        , m_set(set)
        , m_known(clocks, false)
    {
        m_found.clocks.resize(clocks);
    }

    ClockAlignment find()
    {
        for (std::uint32_t first = 0; first < m_known.size(); ++first) {
            if (!m_known[first]) {
                find_from(first);
            }
        }
        for (int round = 0; round < most_rounds && narrow(); ++round) { }
        for (auto& clock : m_found.clocks) {
            clock.agrees = clock.pieces.size() == 1
                && std::all_of(clock.pieces.front().windows.begin(), clock.pieces.front().windows.end(),
                    [](const ClockWindow& window) { return window.low <= 0 && window.high >= 0; });
        }
        return std::move(m_found);
    }

private:
    /// All clocks that `first` meets, directly or through others.
    void find_from(std::uint32_t first)
    {
        m_first = first;
        m_known[first] = true;
        m_found.clocks[first].compared_with = first;
        std::vector<bool> layer(m_known.size());
        layer[first] = true;
        for (bool found = true; found;) {
            m_found.clocks[first].method = AlignedClock::Method::first;
            found = find_next_layer(layer);
        }
        if (std::count(layer.begin(), layer.end(), true) == 1 && first > 0) {
            m_found.clocks[first].method = AlignedClock::Method::unknown;
        }
    }

    /// What a meeting says of each of its members, by clock; `tight`: also by how long data takes.
    template <class Use>
    void for_bounds(std::size_t index, bool tight, const std::vector<bool>& known, const Use& use) const
    {
        const auto& meeting = m_meetings[index];
        const auto& members = meeting.members;
        const Ns takes = tight ? std::max<Ns>(0, meeting.shortest - alignment_margin(meeting.shortest)) : 0;
        // A member's clock is ahead by `a`. It has come at last_start - a, and leaves at first_end - a. Of the others'
        // the two latest starts and the two earliest ends count, as one of them may be this member itself.
        struct Best {
            Ns value = -no_bound;
            std::size_t member = ClockMeeting::all;
        };
        std::array<Best, 2> starts {}, ends {};
        const auto put = [](std::array<Best, 2>& best, Ns value, std::size_t member) {
            if (value > best[0].value) {
                best[1] = std::exchange(best[0], {value, member});
            } else if (value > best[1].value) {
                best[1] = {value, member};
            }
        };
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (!known[members[i].clock]) {
                continue;
            }
            const auto& clock = m_found.clocks[members[i].clock];
            if (meeting.sender == ClockMeeting::all || meeting.sender == i) {
                put(starts, members[i].last_start - high_of(clock, members[i].last_start), i);
            }
            if (meeting.sender == ClockMeeting::all || meeting.sender != i) {
                put(ends, -(members[i].first_end - low_of(clock, members[i].first_end)), i);
            }
        }
        for (std::size_t i = 0; i < members.size(); ++i) {
            const auto other = [&](const std::array<Best, 2>& best) { return best[best[0].member == i ? 1 : 0]; };
            Bound bound {members[i].last_start, -no_bound, no_bound, index};
            const auto came = other(starts);  // first_end - a >= came + takes
            if (came.member != ClockMeeting::all && (meeting.sender == ClockMeeting::all || meeting.sender != i)) {
                bound.high = members[i].first_end - came.value - takes;
            }
            const auto left = other(ends);  // left >= last_start - a + takes
            if (left.member != ClockMeeting::all && (meeting.sender == ClockMeeting::all || meeting.sender == i)) {
                bound.low = members[i].last_start + left.value + takes;
            }
            if (bound.low > -no_bound || bound.high < no_bound) {
                use(members[i].clock, bound);
            }
        }
    }
    static Ns low_of(const AlignedClock& clock, Ns own)
    {
        return clock.method == AlignedClock::Method::first ? 0 : clock.window(own).low;
    }
    static Ns high_of(const AlignedClock& clock, Ns own)
    {
        return clock.method == AlignedClock::Method::first ? 0 : clock.window(own).high;
    }

    std::vector<std::vector<Bound>> bounds_of(bool tight, const std::vector<bool>& by) const
    {
        std::vector<std::vector<Bound>> bounds(m_known.size());
        for (std::size_t i = 0; i < m_meetings.size(); ++i) {
            for_bounds(i, tight, by, [&](std::uint32_t clock, const Bound& bound) {
                if (m_found.clocks[clock].method != AlignedClock::Method::first) {
                    bounds[clock].push_back(bound);
                }
            });
        }
        for (auto& of : bounds) {
            std::stable_sort(of.begin(), of.end(), [](const Bound& a, const Bound& b) { return a.at < b.at; });
        }
        return bounds;
    }

    /// Clocks that meet one that is known, which `by` has, and then these, too. False: there is none left.
    bool find_next_layer(std::vector<bool>& by)
    {
        const auto plain = bounds_of(false, by);
        const auto tight = bounds_of(true, by);
        bool found = false;
        for (std::uint32_t clock = 0; clock < m_known.size(); ++clock) {
            if (!m_known[clock] && !plain[clock].empty()) {
                settle(clock, plain[clock], tight[clock]);
                m_found.clocks[clock].compared_with = m_first;
                by[clock] = m_known[clock] = found = true;
            }
        }
        return found;
    }

    void settle(std::uint32_t clock, const std::vector<Bound>& plain, const std::vector<Bound>& tight)
    {
        auto& of = m_found.clocks[clock];
        of.method = AlignedClock::Method::collectives;
        of.is_tight = true;
        std::size_t begin = 0;
        while (begin < plain.size()) {
            const std::size_t end = end_of_piece(clock, plain, begin);
            if (end == begin) {
                ++begin;  // it contradicts itself
                continue;
            }
            const auto piece = [&](const std::vector<Bound>& bounds) {
                return std::vector<Bound>(bounds.begin() + static_cast<std::ptrdiff_t>(begin),
                    bounds.begin() + static_cast<std::ptrdiff_t>(end));
            };
            std::size_t ignored = 0;
            auto windows = narrowed(piece(tight), -most_drift, most_drift, ignored);
            of.is_tight = of.is_tight && windows.has_value();
            if (!windows) {
                windows = narrowed(piece(plain), -most_drift, most_drift, ignored);
            }
            narrow_drift(of, *windows);
            const Ns first = windows->front().at;
            const auto set = last_set(clock, first);
            const bool is_after = !of.pieces.empty() && set > of.pieces.back().windows.back().at;
            of.pieces.push_back({std::move(*windows), is_after ? set : first});
            begin = end;
        }
        if (of.pieces.empty()) {
            of = {};
        }
    }

    /// When a clock was last set before `time`; long before all: never.
    Ns last_set(std::uint32_t clock, Ns time) const
    {
        const auto times = times_set(clock, time);
        return times == 0 ? -no_bound : m_set[clock][times - 1];
    }
    std::size_t times_set(std::uint32_t clock, Ns until) const
    {
        if (clock >= m_set.size()) {
            return 0;
        }
        const auto& set = m_set[clock];
        return static_cast<std::size_t>(std::upper_bound(set.begin(), set.end(), until) - set.begin());
    }
    /// How often its own clock and the one that it is compared with had been set.
    std::pair<std::size_t, std::size_t> times_set(std::uint32_t clock, const Bound& bound) const
    {
        const auto& members = m_meetings[bound.meeting].members;
        const auto first = std::find_if(
            members.begin(), members.end(), [&](const ClockMeeting::Member& each) { return each.clock == m_first; });
        return {times_set(clock, bound.at), first == members.end() ? 0 : times_set(m_first, first->last_start)};
    }

    /// Where a clock was set, or the bounds from `begin` on begin to contradict each other.
    std::size_t end_of_piece(std::uint32_t clock, const std::vector<Bound>& bounds, std::size_t begin)
    {
        Ns low = -no_bound;
        Ns high = no_bound;
        std::size_t by_low = begin;
        std::size_t by_high = begin;
        const auto times = m_set.empty() ? std::pair<std::size_t, std::size_t> {} : times_set(clock, bounds[begin]);
        for (std::size_t i = begin; i < bounds.size(); ++i) {
            if (!m_set.empty() && times_set(clock, bounds[i]) != times) {
                return i;
            }
            const Ns apart = i == begin ? 0 : bounds[i].at - bounds[i - 1].at;
            low = std::max(low - drifted(most_drift, apart), -no_bound);
            high = std::min(high + drifted(most_drift, apart), no_bound);
            if (bounds[i].low > high || bounds[i].high < low || is_wrong(bounds[i])) {
                const auto before = is_wrong(bounds[i]) ? i : bounds[i].low > high ? by_high : by_low;
                m_found.contradictions.push_back({clock, bounds[before].meeting, bounds[i].meeting,
                    std::max({bounds[i].low - high, low - bounds[i].high, bounds[i].low - bounds[i].high})});
                return i;
            }
            by_low = bounds[i].low > low ? i : by_low;
            by_high = bounds[i].high < high ? i : by_high;
            low = std::max(low, bounds[i].low);
            high = std::min(high, bounds[i].high);
        }
        return bounds.size();
    }

    /// Of a long piece the windows themselves bound the drift, which narrows them once more.
    static void narrow_drift(AlignedClock& of, std::vector<ClockWindow>& windows)
    {
        if (windows.size() < long_record_meetings || windows.back().at - windows.front().at < long_record) {
            return;
        }
        // The narrowest windows of the first and of the last quarter, far from each other.
        const auto narrowest = [&](std::size_t from, std::size_t to) {
            return *std::min_element(windows.begin() + static_cast<std::ptrdiff_t>(from),
                windows.begin() + static_cast<std::ptrdiff_t>(to),
                [](const ClockWindow& a, const ClockWindow& b) { return a.high - a.low < b.high - b.low; });
        };
        const auto a = narrowest(0, windows.size() / 4);
        const auto b = narrowest(windows.size() - windows.size() / 4, windows.size());
        if (a.low <= -no_bound / 2 || b.low <= -no_bound / 2 || a.high >= no_bound / 2 || b.high >= no_bound / 2) {
            return;
        }
        const auto apart = static_cast<double>(b.at - a.at);
        const double least = std::max(-most_drift, static_cast<double>(b.low - a.high) / apart - least_known_drift);
        const double greatest = std::min(most_drift, static_cast<double>(b.high - a.low) / apart + least_known_drift);
        if (least >= greatest) {
            return;
        }
        std::vector<Bound> bounds;
        bounds.reserve(windows.size());
        for (const auto& window : windows) {
            bounds.push_back({window.at, window.low, window.high, 0});
        }
        std::size_t ignored = 0;
        if (auto better = narrowed(bounds, least, greatest, ignored)) {
            windows = std::move(*better);
            of.least_drift = least;
            of.greatest_drift = greatest;
        }
    }

    /// Narrows the windows by what the clocks other than the first say of each other. False: nothing became narrower.
    bool narrow()
    {
        const auto bounds = bounds_of(true, m_known);
        bool changed = false;
        for (std::uint32_t clock = 0; clock < m_known.size(); ++clock) {
            auto& of = m_found.clocks[clock];
            if (of.pieces.size() != 1 || !of.is_tight || bounds[clock].empty()) {
                continue;
            }
            std::vector<Bound> both;
            for (const auto& bound : bounds[clock]) {
                const auto now = of.window(bound.at);
                both.push_back({bound.at, std::max(bound.low, now.low), std::min(bound.high, now.high), bound.meeting});
            }
            std::size_t ignored = 0;
            const bool is_possible = std::none_of(both.begin(), both.end(), is_wrong);
            auto windows = is_possible ? narrowed(both, of.least_drift, of.greatest_drift, ignored) : std::nullopt;
            if (windows) {
                const Ns before = of.uncertainty();
                of.pieces.front().windows = std::move(*windows);
                changed = changed || of.uncertainty() + 1000 < before;
            }
        }
        return changed;
    }

    const std::vector<ClockMeeting>& m_meetings;
    const std::vector<std::vector<Ns>>& m_set;
    std::vector<bool> m_known;  ///< by clock
    std::uint32_t m_first = 0;  ///< that those found now are compared with
    ClockAlignment m_found;
};

}  // namespace

ClockWindow AlignedClock::window(Ns own) const
{
    if (method == Method::first) {
        return {own, 0, 0};
    }
    if (pieces.empty()) {
        return {own, -no_bound, no_bound};
    }
    // The piece that has begun; before all, the first one.
    auto piece = std::upper_bound(
        pieces.begin(), pieces.end(), own, [](Ns time, const ClockPiece& each) { return time < each.begin; });
    piece -= piece == pieces.begin() ? 0 : 1;
    const auto& windows = piece->windows;
    const auto after = std::lower_bound(
        windows.begin(), windows.end(), own, [](const ClockWindow& each, Ns time) { return each.at < time; });
    ClockWindow found {own, -no_bound, no_bound};
    if (after != windows.end()) {
        found.low = std::max(found.low, after->low - drifted(greatest_drift, after->at - own));
        found.high = std::min(found.high, after->high - drifted(least_drift, after->at - own));
    }
    if (after != windows.begin()) {
        const auto& before = *std::prev(after);
        found.low = std::max(found.low, before.low + drifted(least_drift, own - before.at));
        found.high = std::min(found.high, before.high + drifted(greatest_drift, own - before.at));
    }
    found.high = std::max(found.high, found.low);  // but for rounding
    return found;
}

Ns AlignedClock::ahead(Ns own) const
{
    if (method != Method::collectives || agrees) {
        return 0;
    }
    const auto found = window(own);
    const bool is_bounded = found.low > -no_bound / 2 && found.high < no_bound / 2;
    return is_bounded ? found.middle() : std::clamp<Ns>(0, found.low, found.high);
}

Ns AlignedClock::uncertainty(Ns own) const
{
    if (method == Method::first) {
        return 0;
    }
    const auto found = window(own);
    return agrees ? std::max(-found.low, found.high) : found.half();
}

Ns AlignedClock::uncertainty() const
{
    if (method == Method::first) {
        return 0;
    }
    std::vector<Ns> halves;
    for (const auto& piece : pieces) {
        for (const auto& each : piece.windows) {
            halves.push_back(agrees ? std::max(-each.low, each.high) : each.half());
        }
    }
    return halves.empty() ? no_bound : median_of(halves);
}

ClockAlignment align_clocks(
    std::size_t clocks, const std::vector<ClockMeeting>& meetings, const std::vector<std::vector<Ns>>& set)
{
    return ClockSearch(clocks, meetings, set).find();
}

}  // namespace lanes
