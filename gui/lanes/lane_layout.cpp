// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_layout.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double least_stretch = 0.45;
constexpr double roomy_stretch = 0.75;  // from here on two lines of text beside every lane
constexpr double most_stretch = 2;
constexpr int gap = 2;  // between rows
constexpr int collapsed_row = 8;
constexpr int most_rows_height = 132;  // of a lane with many rows, at their natural height
constexpr int least_scrolled = 60;  // of the height that pinned lanes leave to the others

/// Of `roomy` where the lanes have room, of `tight` where they have least.
int between(double stretch, int tight, int roomy)
{
    const double share = std::clamp((stretch - least_stretch) / (roomy_stretch - least_stretch), 0.0, 1.0);
    return static_cast<int>(std::lround(tight + (roomy - tight) * share));
}

int rowHeight(const Lane& lane, const LaneRow& row, double stretch)
{
    const auto high = [stretch](double natural, int least) {
        return std::max(static_cast<int>(std::lround(natural * stretch)), least);
    };
    switch (lane.key.kind) {
    case LaneKind::overlap:
        if (row.kind == ItemKind::band) {
            return high(6, 5);
        }
        return high(14 * (stretch > 1 ? (1 + stretch) / 2 / stretch : 1), 10);
    case LaneKind::stream:
    case LaneKind::engine:
    case LaneKind::gpu: {
        const std::size_t count = lane.rows.size();
        const double natural = count == 1 ? 34
            : count <= 4                  ? 20
                         : std::max(3.0, static_cast<double>(most_rows_height) / static_cast<double>(count));
        return high(natural, count == 1 ? 16 : count <= 4 ? 10 : 3);
    }
    case LaneKind::thread:
        break;
    }
    switch (row.kind) {
    case ItemKind::read:
        return high(14, 8);
    case ItemKind::call:
    case ItemKind::blocked:
        return high(24, 14);
    default:
        return high(22, 14);
    }
}

/// The rows that a collapsed lane shows over one another: of a thread what it called and waited for, if anything.
std::vector<std::size_t> collapsedRows(const Lane& lane)
{
    std::vector<std::size_t> rows;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < lane.rows.size(); ++i) {
        const ItemKind kind = lane.rows[i].kind;
        (kind == ItemKind::call || kind == ItemKind::blocked ? rows : others).push_back(i);
    }
    return rows.empty() ? others : rows;
}

}  // namespace

LaneLayout::LaneLayout(const std::vector<Lane>& lanes, const ArrangedLanes& arranged, int availableHeight)
{
    place(lanes, arranged, least_stretch);
    if (m_height < availableHeight) {
        double low = least_stretch;
        double high = most_stretch;
        for (int i = 0; i < 8; ++i) {
            const double middle = (low + high) / 2;
            place(lanes, arranged, middle);
            (m_height <= availableHeight ? low : high) = middle;
        }
        place(lanes, arranged, low);
    }
    if (m_sticky + least_scrolled > availableHeight && m_height > availableHeight) {
        m_sticky = 0;
    }
}

void LaneLayout::place(const std::vector<Lane>& lanes, const ArrangedLanes& arranged, double stretch)
{
    m_lanes.clear();
    m_hidden = arranged.hidden;
    m_footer = between(stretch, 20, 26);
    m_sticky = 0;
    int y = 0;
    for (const ArrangedLane& shown : arranged.lanes) {
        const Lane& lane = lanes[shown.lane];
        const bool collapsed = shown.collapsed;
        PlacedLane placed {shown.lane, y, 0, shown.pinned, collapsed, {}};
        const int padding
            = collapsed || lane.key.kind == LaneKind::gpu ? between(stretch, 5, 7) : between(stretch, 2, 4);
        int at = y + padding;
        if (collapsed) {
            const auto add = [&](std::size_t of) {
                for (const std::size_t row : collapsedRows(lanes[of])) {
                    placed.rows.push_back({of, row, at, collapsed_row, !placed.rows.empty()});
                }
            };
            if (lane.key.kind != LaneKind::gpu) {
                add(shown.lane);
            }
            for (const std::size_t folded : shown.folded) {
                add(folded);
            }
            at += collapsed_row;
        } else {
            for (std::size_t i = 0; i < lane.rows.size(); ++i) {
                if (lane.rows[i].overlay && !placed.rows.empty()) {
                    placed.rows.push_back(placed.rows.back());
                    placed.rows.back().row = i;
                    placed.rows.back().over = true;
                    continue;
                }
                const int height = rowHeight(lane, lane.rows[i], stretch);
                at += i > 0 ? std::min(gap, std::max(height / 4, 1)) : 0;
                placed.rows.push_back({shown.lane, i, at, height, false});
                at += height;
            }
        }
        placed.height = at + padding - y;
        int least = 0;
        if (lane.key.kind == LaneKind::gpu) {
            least = between(stretch, 20, 26);
        } else if (collapsed) {
            least = between(stretch, 18, 22);
        } else if (lane.key.kind != LaneKind::overlap) {
            least = between(stretch, 20, 36);
        }
        const int missing = std::max(0, least - placed.height);
        for (PlacedRow& row : placed.rows) {
            row.y += missing / 2;
        }
        placed.height += missing;
        y += placed.height;
        if (shown.pinned) {
            m_sticky = y;
        }
        m_lanes.push_back(std::move(placed));
    }
    m_height = y + m_footer;
}

int LaneLayout::heightOf(const std::vector<Lane>& lanes, const ArrangedLanes& arranged, double stretch)
{
    LaneLayout layout;
    layout.place(lanes, arranged, stretch);
    return layout.height();
}

int LaneLayout::laneAt(int y) const
{
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        if (y >= m_lanes[i].y && y < m_lanes[i].y + m_lanes[i].height) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

int LaneLayout::rowAt(int lane, int y) const
{
    const auto& rows = m_lanes[static_cast<std::size_t>(lane)].rows;
    for (int i = static_cast<int>(rows.size()) - 1; i >= 0; --i) {
        const PlacedRow& row = rows[static_cast<std::size_t>(i)];
        if (y >= row.y && y < row.y + row.height) {
            return i;
        }
    }
    return -1;
}

const PlacedLane* LaneLayout::find(std::size_t lane) const
{
    const auto found = std::find_if(
        m_lanes.begin(), m_lanes.end(), [lane](const PlacedLane& placed) { return placed.lane == lane; });
    return found == m_lanes.end() ? nullptr : &*found;
}

std::optional<LaneLayout::RowPlace> LaneLayout::find(std::size_t lane, std::size_t row) const
{
    for (const PlacedLane& placed : m_lanes) {
        for (const PlacedRow& at : placed.rows) {
            if (at.lane == lane && at.row == row) {
                return RowPlace {&placed, &at};
            }
        }
    }
    return {};
}

}  // namespace lanes::gui
