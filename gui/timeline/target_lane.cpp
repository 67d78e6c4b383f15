// SPDX-License-Identifier: MIT
#include "gui/timeline/target_lane.h"

#include "gui/paint/frame_hits.h"
#include "gui/timeline/timeline.h"

#include <algorithm>

namespace lanes::gui {

TargetLane::TargetLane(const Timeline& timeline)
    : m_timeline(timeline)
{
}

void TargetLane::take(std::optional<std::size_t> lane)
{
    const LaneModel* model = m_timeline.model();
    const auto key = lane && model != nullptr ? std::optional(model->lanes()[*lane].key) : std::nullopt;
    if (key != m_inHand) {
        m_inHand = key;
        emit changed();
    }
}

std::optional<std::size_t> TargetLane::inHand() const
{
    if (!m_inHand || m_timeline.model() == nullptr) {
        return {};
    }
    const auto& lanes = m_timeline.model()->lanes();
    const auto found
        = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) { return lane.key == *m_inHand; });
    return found == lanes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - lanes.begin()));
}

std::optional<std::size_t> TargetLane::lane() const
{
    if (m_timeline.model() == nullptr) {
        return {};
    }
    const LaneLayout& layout = m_timeline.lanes().layout();
    if (const auto lane = inHand(); lane && layout.find(*lane) != nullptr) {
        return lane;
    }
    if (const PlacedLane* lane = m_timeline.mouse ? laneAt(m_timeline.frame(), *m_timeline.mouse) : nullptr) {
        return lane->lane;
    }
    const auto shown = layout.find(*m_timeline.model(), m_timeline.selection());
    return shown ? std::optional(shown->lane->lane) : std::nullopt;
}

}  // namespace lanes::gui
