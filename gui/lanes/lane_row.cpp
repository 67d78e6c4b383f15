// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_row.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace lanes::gui {

namespace {

constexpr std::size_t items_between_looks = 65536;  // at the stop token

/// From when on a row is free whose last item is this: an item without length takes its first ns.
Ns freeFrom(const TimeColumn& start, const TimeColumn& end, Row item)
{
    return std::max(end[item], start[item] + 1);
}

bool followOneAnother(const TimeColumn& start, const TimeColumn& end, Row first, Row last)
{
    Ns free = INT64_MIN;
    for (Row row = first; row < last; ++row) {
        if (start[row] < free) {
            return false;
        }
        free = freeFrom(start, end, row);
    }
    return true;
}

}  // namespace

LaneRow::LaneRow(ItemKind kind_, RowItems items_, const std::stop_token& stop)
    : kind(kind_)
    , items(std::move(items_))
    , index(items, stop)
{
}

Ns LaneRow::busyIn(Ns start, Ns end) const
{
    return start < end ? index.busyBefore(items, end) - index.busyBefore(items, start) : 0;
}

Ns LaneRow::costIn(Ns start, Ns end) const
{
    if (costs.empty() || start >= end) {
        return 0;
    }
    const auto before = [this](Ns t) {
        const std::size_t i = items.firstEndingAfter(t);
        const Ns over = i < items.size() ? t - items.start(i) : 0;
        return over <= 0 ? costs[i]
                         : costs[i]
                + static_cast<Ns>(static_cast<double>(costs[i + 1] - costs[i]) * static_cast<double>(over)
                    / static_cast<double>(items.end(i) - items.start(i)));
    };
    return before(end) - before(start);
}

std::size_t LaneRow::nearest(Ns from, Ns time, Ns to) const
{
    // Items follow one another: only the first that is not over, and the one before it, can be the nearest.
    const std::size_t next = index.over(items, time);
    std::size_t best = items.size();
    Ns bestDistance = 0;
    for (std::size_t i = next > 0 ? next - 1 : 0; i < std::min(next + 1, items.size()); ++i) {
        const Ns distance = std::max<Ns>({items.start(i) - time, time - items.end(i), 0});
        if (items.start(i) <= to && items.end(i) >= from && (best == items.size() || distance < bestDistance)) {
            best = i;
            bestDistance = distance;
        }
    }
    return best;
}

std::optional<std::size_t> LaneRow::find(ItemRef item, Ns start) const
{
    const std::size_t i = kind == item.kind ? items.firstStartingAt(start) : items.size();
    return i < items.size() && items.place(i) == item.row ? std::optional(i) : std::nullopt;
}

std::vector<std::vector<Row>> splitIntoRows(
    std::vector<Row> places, const TimeColumn& start, const TimeColumn& end, const std::stop_token& stop)
{
    const auto before = [&](Row a, Row b) { return start[a] != start[b] ? start[a] < start[b] : end[a] > end[b]; };
    if (!std::is_sorted(places.begin(), places.end(), before)) {
        std::stable_sort(places.begin(), places.end(), before);
    }
    std::vector<std::vector<Row>> rows;
    const auto overlap = [&](Row a, Row b) { return freeFrom(start, end, a) > start[b]; };
    if (!places.empty() && std::adjacent_find(places.begin(), places.end(), overlap) == places.end()) {
        rows.push_back(std::move(places));  // as most are
        return rows;
    }
    // Each on the first row that is free: items come by their start, so what is free once stays so until it is taken.
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;
    using Taken = std::pair<Ns, std::size_t>;  // from when it is free, which row
    std::priority_queue<Taken, std::vector<Taken>, std::greater<>> taken;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i % items_between_looks == 0 && stop.stop_requested()) {
            return {};
        }
        const Row place = places[i];
        for (; !taken.empty() && taken.top().first <= start[place]; taken.pop()) {
            free.push(taken.top().second);
        }
        if (free.empty()) {
            free.push(rows.size());
            rows.emplace_back();
        }
        taken.emplace(freeFrom(start, end, place), free.top());
        rows[free.top()].push_back(place);
        free.pop();
    }
    return rows;
}

std::vector<RowItems> rowsOf(const TimeColumn& start, const TimeColumn& end, const RoleColumn& role, Row first,
    Row last, const std::stop_token& stop)
{
    std::vector<RowItems> rows;
    if (first == last) {
        return rows;
    }
    if (followOneAnother(start, end, first, last)) {
        rows.emplace_back(start, end, role, first, last - first);
        return rows;
    }
    std::vector<Row> places(last - first);
    std::iota(places.begin(), places.end(), first);
    for (auto& row : splitIntoRows(std::move(places), start, end, stop)) {
        rows.emplace_back(start, end, role, std::move(row));
    }
    return rows;
}

}  // namespace lanes::gui
