// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/lane_hand.h"

#include "gui/paint/frame_hits.h"
#include "gui/paint/lane_labels.h"
#include "gui/paint/over/stack_path.h"
#include "gui/timeline/timeline_actions.h"

#include <cmath>
#include <QGuiApplication>
#include <QStyleHints>
#include <utility>

namespace lanes::gui {

namespace {

constexpr double scroll_edge = 16;  // a lane dragged this near to the edge scrolls the others
constexpr int drop_scroll_step = 12;

}  // namespace

/// The nearest edge of a lane that the one in hand can be put beside.
std::optional<LaneHandTool::Drop> LaneHandTool::dropAt(double y) const
{
    const auto lane = m_timeline.target().inHand();
    if (!lane) {
        return {};
    }
    const TimelineFrame frame = m_timeline.frame();
    const auto& lanes = frame.model.lanes();
    const auto& placed = frame.layout.lanes();
    std::optional<Drop> best;
    const auto offer = [&](const Drop& drop) {
        if (!best || std::fabs(drop.y - y) < std::fabs(best->y - y)) {
            best = drop;
        }
    };
    for (std::size_t i = 0; i < placed.size(); ++i) {
        if (placed[i].lane != *lane && !m_timeline.state().arrangement.canMove(lanes, *lane, placed[i].lane)) {
            continue;
        }
        std::size_t last = i;  // of a header that is not collapsed: its last lane
        while (isHeader(lanes[placed[i].lane].key) && last + 1 < placed.size()
            && placed[last + 1].pinned == placed[i].pinned && headOf(lanes, placed[last + 1].lane) == placed[i].lane) {
            ++last;
        }
        offer({placed[i].lane, false, double(frame.yOf(placed[i]))});
        offer({placed[i].lane, true, double(frame.yOf(placed[last]) + placed[last].height)});
    }
    return best;
}

std::optional<Qt::CursorShape> LaneHandTool::hover(QPointF at)
{
    const TimelineFrame frame = m_timeline.frame();
    const auto inHand = m_timeline.target().inHand();
    if (const PlacedLane* lane = laneAt(frame, at); inHand && lane != nullptr && lane->lane != *inHand) {
        m_timeline.target().take({});
    }
    if (stackTriangleAt(frame, at) != nullptr) {
        return Qt::PointingHandCursor;
    }
    const LabelPart part = labelAt(frame, at).part;
    return part == LabelPart::triangle || part == LabelPart::hidden ? std::optional(Qt::PointingHandCursor)
                                                                    : std::nullopt;
}

/// Also takes presses on the title row, where nothing can be done.
bool LaneHandTool::press(const Pointer& pointer)
{
    const TimelineFrame frame = m_timeline.frame();
    const FrameGeometry& geometry = frame.geometry;
    m_pressed = pointer.at;
    m_dragging = false;
    m_drop.reset();
    return pointer.at.x() < geometry.labelWidth || pointer.at.y() < geometry.rulerTop()
        || stackTriangleAt(frame, pointer.at) != nullptr;
}

void LaneHandTool::move(const Pointer& pointer)
{
    if (!m_dragging) {
        const LabelHit hit = labelAt(m_timeline.frame(), m_pressed);  // none in the lanes
        const bool far
            = std::fabs(pointer.at.y() - m_pressed.y()) >= QGuiApplication::styleHints()->startDragDistance() / 2.0;
        if (!far || pointer.button != Qt::LeftButton
            || (hit.part != LabelPart::name && hit.part != LabelPart::triangle)) {
            return;
        }
        m_dragging = true;
        m_timeline.target().take(hit.lane);
    }
    const TimelineFrame frame = m_timeline.frame();
    if (pointer.at.y() < frame.scrollTop() + scroll_edge) {
        m_timeline.scrollTo(frame.geometry.scroll - drop_scroll_step);
    } else if (pointer.at.y() > frame.geometry.size.height() - scroll_edge) {
        m_timeline.scrollTo(frame.geometry.scroll + drop_scroll_step);
    }
    m_drop = dropAt(pointer.at.y());
    m_overlay.dropLine = m_drop ? std::optional(m_drop->y) : std::nullopt;
}

void LaneHandTool::release(const Pointer& pointer)
{
    const bool dragged = m_dragging;
    const auto drop = m_drop;
    cancel();
    if (pointer.button != Qt::LeftButton) {
        return;
    }
    if (dragged) {
        const auto lane = m_timeline.target().inHand();
        LaneArrangement arrangement = m_timeline.state().arrangement;
        if (drop && lane && arrangement.move(m_timeline.model()->lanes(), *lane, drop->beside, drop->behind)) {
            m_timeline.arrange(arrangement);
        }
        return;
    }
    if (const PlacedLane* lane = stackTriangleAt(m_timeline.frame(), pointer.at)) {
        m_timeline.target().take(lane->lane);
        perform(m_timeline, TimelineAction::allDepths);
        return;
    }
    const LabelHit hit = labelAt(m_timeline.frame(), pointer.at);
    if (hit.part == LabelPart::hidden) {
        perform(m_timeline, TimelineAction::showHiddenLanes);
    } else if (hit.part != LabelPart::none) {
        m_timeline.target().take(hit.lane);
        if (hit.part == LabelPart::triangle) {
            perform(m_timeline, TimelineAction::collapseLane);
        }
    }
}

void LaneHandTool::cancel()
{
    m_dragging = false;
    m_drop.reset();
    m_overlay.dropLine.reset();
}

bool LaneHandTool::doubleClick(const Pointer& pointer)
{
    const TimelineFrame frame = m_timeline.frame();
    if (pointer.button != Qt::LeftButton || pointer.at.x() >= frame.geometry.labelWidth) {
        return false;
    }
    if (const LabelHit hit = labelAt(frame, pointer.at);
        hit.part == LabelPart::name || hit.part == LabelPart::triangle) {
        m_timeline.target().take(hit.lane);
        perform(m_timeline, TimelineAction::collapseLane);
    }
    return true;
}

}  // namespace lanes::gui
