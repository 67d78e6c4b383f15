// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_arrangement.h"

#include "gui/lanes/lane_kinds.h"

#include <algorithm>
#include <iterator>

namespace lanes::gui {

std::optional<std::size_t> headOf(const std::vector<Lane>& lanes, std::size_t lane)
{
    for (std::size_t i = lane; i-- > 0 && !isHeader(lanes[lane].key);) {
        if (isHeader(lanes[i].key)) {
            return laneKindRow(lanes[lane].key.kind).isUnder(lanes[i].key, lanes[lane].key) ? std::optional(i)
                                                                                            : std::nullopt;
        }
    }
    return {};
}

std::vector<std::optional<std::size_t>> headsOf(const std::vector<Lane>& lanes)
{
    std::vector<std::optional<std::size_t>> heads(lanes.size());
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (isHeader(lanes[i].key)) {
            last = i;
        } else if (last && laneKindRow(lanes[i].key.kind).isUnder(lanes[*last].key, lanes[i].key)) {
            heads[i] = last;
        }
    }
    return heads;
}

bool LaneArrangement::isPinned(const LaneKey& key) const
{
    return std::find(m_pinned.begin(), m_pinned.end(), key) != m_pinned.end();
}

void LaneArrangement::setPinned(const LaneKey& key, bool pinned)
{
    if (key.kind == LaneKind::overlap) {
        return;
    }
    std::erase(m_pinned, key);
    if (pinned) {
        m_pinned.push_back(key);
    }
}

void LaneArrangement::setCollapsed(const LaneKey& key, bool collapsed)
{
    if (key.kind == LaneKind::overlap) {
        return;
    }
    if (collapsed) {
        m_collapsed.insert(key);
    } else {
        m_collapsed.erase(key);
    }
}

void LaneArrangement::setAllDepths(const LaneKey& key, bool all)
{
    if (all) {
        m_allDepths.insert(key);
    } else {
        m_allDepths.erase(key);
    }
}

/// The lanes of a header, or those without one, as they were moved. One that was not there when its group was put in
/// order follows the lane that it follows by nature.
std::vector<std::size_t> LaneArrangement::ordered(const std::vector<Lane>& lanes, std::optional<std::size_t> head,
    const std::vector<std::optional<std::size_t>>& heads) const
{
    std::vector<std::size_t> natural;
    for (std::size_t i = head ? *head + 1 : 0;
         i < lanes.size() && (!head || laneKindRow(lanes[i].key.kind).isUnder(lanes[*head].key, lanes[i].key)); ++i) {
        if (head || (lanes[i].key.kind != LaneKind::overlap && !heads[i])) {
            natural.push_back(i);
        }
    }
    const auto moved = m_moved.find(head ? lanes[*head].key : LaneKey {});
    if (moved == m_moved.end()) {
        return natural;
    }
    std::vector<std::size_t> order;
    for (const LaneKey& key : moved->second) {
        const auto at
            = std::find_if(natural.begin(), natural.end(), [&](std::size_t i) { return lanes[i].key == key; });
        if (at != natural.end()) {
            order.push_back(*at);
        }
    }
    for (std::size_t i = 0; i < natural.size(); ++i) {
        if (std::find(order.begin(), order.end(), natural[i]) == order.end()) {
            auto at = order.begin();
            if (i > 0) {
                at = std::find(order.begin(), order.end(), natural[i - 1]) + 1;
            }
            order.insert(at, natural[i]);
        }
    }
    return order;
}

ArrangedLanes ArrangedLanes::withoutEmptyStreams(const std::vector<Lane>& all, Interval span) const
{
    const auto isEmpty = [span](const LaneRow& row) {
        const std::size_t first = row.items.firstEndingAfter(span.start);
        return first == row.items.size() || row.items.start(first) >= span.end;
    };
    ArrangedLanes left {.lanes = {}, .hidden = hidden};
    std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(left.lanes), [&](const ArrangedLane& arranged) {
        const Lane& lane = all[arranged.lane];
        return lane.key.kind != LaneKind::stream || arranged.pinned
            || !std::all_of(lane.rows.begin(), lane.rows.end(), isEmpty);
    });
    return left;
}

ArrangedLanes LaneArrangement::arrange(const std::vector<Lane>& lanes) const
{
    ArrangedLanes arranged;
    const auto heads = headsOf(lanes);
    // A header with those of its lanes that are shown with it; nothing if there are none.
    const auto addBlock = [&](std::size_t head, bool pinned) {
        std::vector<std::size_t> own;
        for (const std::size_t lane : ordered(lanes, head, heads)) {
            if (!isHidden(lanes[lane].key) && !isPinned(lanes[lane].key)) {
                own.push_back(lane);
            }
        }
        if (own.empty()) {
            return;
        }
        const bool collapsed = isCollapsed(lanes[head].key);
        arranged.lanes.push_back({head, pinned, collapsed, collapsed ? own : std::vector<std::size_t>()});
        if (!collapsed) {
            for (const std::size_t lane : own) {
                arranged.lanes.push_back(
                    {lane, pinned, isCollapsed(lanes[lane].key), {}, showsAllDepths(lanes[lane].key)});
            }
        }
    };
    const auto add = [&](std::size_t lane, bool pinned) {
        if (isHeader(lanes[lane].key)) {
            addBlock(lane, pinned);
        } else {
            arranged.lanes.push_back({lane, pinned, isCollapsed(lanes[lane].key), {}, showsAllDepths(lanes[lane].key)});
        }
    };
    const auto isShown = [&](std::size_t lane) {
        const auto head = heads[lane];
        return !isHidden(lanes[lane].key) && (!head || !isHidden(lanes[*head].key));
    };
    // Above the lanes of GPUs their graphs say what the ribbon says, and more.
    const bool hasGraphs = std::any_of(lanes.begin(), lanes.end(), [&](const Lane& lane) {
        return lane.key.kind == LaneKind::gpuTime && isShown(static_cast<std::size_t>(&lane - lanes.data()));
    });
    const bool gpusFirst = lanes.size() > 1 && lanes[1].key.kind == LaneKind::gpu;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (lanes[i].key.kind == LaneKind::overlap && isShown(i) && !(hasGraphs && gpusFirst)) {
            arranged.lanes.push_back({i, true, false});
        }
        arranged.hidden += !isHeader(lanes[i].key) && !isShown(i);
    }
    for (const LaneKey& key : m_pinned) {
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            if (lanes[i].key == key && isShown(i)) {
                add(i, true);
            }
        }
    }
    for (const std::size_t lane : ordered(lanes, {}, heads)) {
        if (isShown(lane) && !isPinned(lanes[lane].key)) {
            add(lane, false);
        }
    }
    return arranged;
}

bool LaneArrangement::canMove(const std::vector<Lane>& lanes, std::size_t lane, std::size_t beside) const
{
    const LaneKey& key = lanes[lane].key;
    const LaneKey& target = lanes[beside].key;
    if (lane == beside || isPinned(key) != isPinned(target) || key.kind == LaneKind::overlap
        || target.kind == LaneKind::overlap) {
        return false;
    }
    return isPinned(key) || headOf(lanes, lane) == headOf(lanes, beside);
}

bool LaneArrangement::move(const std::vector<Lane>& lanes, std::size_t lane, std::size_t beside, bool behind)
{
    if (!canMove(lanes, lane, beside)) {
        return false;
    }
    const LaneKey& key = lanes[lane].key;
    const auto put = [behind](auto& order, const auto& what, const auto& where) {
        order.erase(std::find(order.begin(), order.end(), what));
        const auto at = std::find(order.begin(), order.end(), where);
        order.insert(behind ? at + 1 : at, what);
    };
    if (isPinned(key)) {
        put(m_pinned, key, lanes[beside].key);
        return true;
    }
    const auto head = headOf(lanes, lane);
    auto order = ordered(lanes, head, headsOf(lanes));
    put(order, lane, beside);
    auto& moved = m_moved[head ? lanes[*head].key : LaneKey {}];
    std::vector<LaneKey> keys;
    for (const std::size_t i : order) {
        keys.push_back(lanes[i].key);
        std::erase(moved, lanes[i].key);
    }
    // Those that are not there just now keep their order after these.
    moved.insert(moved.begin(), keys.begin(), keys.end());
    return true;
}

bool LaneArrangement::moveBy(const std::vector<Lane>& lanes, std::size_t lane, int by)
{
    std::vector<std::size_t> group;  // with itself, top to bottom
    for (const ArrangedLane& shown : arrange(lanes).lanes) {
        if (shown.lane == lane || canMove(lanes, lane, shown.lane)) {
            group.push_back(shown.lane);
        }
    }
    const auto at = std::find(group.begin(), group.end(), lane) - group.begin() + by;
    return at >= 0 && at < static_cast<std::ptrdiff_t>(group.size())
        && move(lanes, lane, group[static_cast<std::size_t>(at)], by > 0);
}

LaneArrangement LaneArrangement::following(const LaneArrangement& other, const std::map<LaneKey, LaneKey>& same) const
{
    std::set<LaneKey> followers;
    for (const auto& [theirs, own] : same) {
        followers.insert(own);
    }
    const auto translated = [&same](const auto& keys) {
        std::vector<LaneKey> all;
        for (const LaneKey& key : keys) {
            if (const auto own = same.find(key); own != same.end()) {
                all.push_back(own->second);
            }
        }
        return all;
    };
    LaneArrangement result = *this;
    const auto take = [&](std::set<LaneKey>& to, const std::set<LaneKey>& from) {
        std::erase_if(to, [&](const LaneKey& key) { return followers.contains(key); });
        for (const LaneKey& key : translated(from)) {
            to.insert(key);
        }
    };
    take(result.m_hidden, other.m_hidden);
    take(result.m_collapsed, other.m_collapsed);
    take(result.m_allDepths, other.m_allDepths);
    std::erase_if(result.m_pinned, [&](const LaneKey& key) { return followers.contains(key); });
    const std::vector<LaneKey> pinned = translated(other.m_pinned);
    result.m_pinned.insert(result.m_pinned.begin(), pinned.begin(), pinned.end());
    std::erase_if(result.m_moved, [&](const auto& group) { return followers.contains(group.first); });
    for (const auto& [group, order] : other.m_moved) {
        if (const auto own = same.find(group); own != same.end()) {
            result.m_moved[own->second] = translated(order);
        }
    }
    return result;
}

}  // namespace lanes::gui
