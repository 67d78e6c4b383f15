// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_layout.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double least_stretch = 0.75;
constexpr double most_stretch = 2;
constexpr int padding = 4;
constexpr int gap = 2;
constexpr int header_height = 26;
constexpr int ribbon_height = 14;
constexpr int least_lane = 36;  // room for title and subtitle

int naturalRow(const Lane& lane, const LaneRow& row)
{
    if (lane.kind == LaneKind::overlap) {
        return ribbon_height;
    }
    if (lane.kind == LaneKind::stream) {
        return lane.rows.size() == 1 ? 34 : 20;
    }
    return row.kind == ItemKind::read ? 14 : row.kind == ItemKind::call || row.kind == ItemKind::blocked ? 24 : 22;
}

}  // namespace

LaneLayout::LaneLayout(const std::vector<Lane>& lanes, int availableHeight)
{
    place(lanes, least_stretch);
    if (m_height >= availableHeight) {
        return;
    }
    double low = least_stretch;
    double high = most_stretch;
    for (int i = 0; i < 8; ++i) {
        const double middle = (low + high) / 2;
        place(lanes, middle);
        (m_height <= availableHeight ? low : high) = middle;
    }
    place(lanes, low);
}

void LaneLayout::place(const std::vector<Lane>& lanes, double stretch)
{
    m_lanes.clear();
    int y = 0;
    for (const Lane& lane : lanes) {
        PlacedLane placed{y, 0, {}};
        int at = y + padding;
        for (std::size_t i = 0; i < lane.rows.size(); ++i) {
            if (lane.rows[i].overlay && !placed.rows.empty()) {
                placed.rows.push_back(placed.rows.back());
                continue;
            }
            const double factor = lane.kind == LaneKind::overlap ? std::max(1.0, 1 + (stretch - 1) / 2) : stretch;
            const int height = static_cast<int>(std::lround(naturalRow(lane, lane.rows[i]) * factor));
            if (i > 0) {
                at += gap;
            }
            placed.rows.push_back({at, height});
            at += height;
        }
        placed.height = lane.kind == LaneKind::gpu ? header_height : at + padding - y;
        if (lane.kind == LaneKind::thread || lane.kind == LaneKind::stream) {
            const int missing = std::max(0, least_lane - placed.height);
            for (PlacedRow& row : placed.rows) {
                row.y += missing / 2;
            }
            placed.height += missing;
        }
        y += placed.height;
        m_lanes.push_back(std::move(placed));
    }
    m_height = y + footer_height;
}

int LaneLayout::heightOf(const std::vector<Lane>& lanes, double stretch)
{
    LaneLayout layout;
    layout.place(lanes, stretch);
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

}  // namespace lanes::gui
