// SPDX-License-Identifier: MIT
// What the hand of TimelineView does to lanes: hide, pin, collapse, move.
#include "gui/paint/lane_figure.h"
#include "gui/paint/lane_labels.h"
#include "gui/timeline/freed_elsewhere.h"
#include "gui/timeline/lane_scroll.h"
#include "gui/timeline/timeline_view.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double scroll_edge = 16;  // a lane dragged this near to the edge scrolls the others
constexpr int scroll_step = 12;

std::optional<std::size_t> laneOf(const LaneModel& model, const LaneKey& key)
{
    const auto& lanes = model.lanes();
    const auto found = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) { return lane.key == key; });
    return found == lanes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - lanes.begin()));
}

/// Where the lane that `mouse` drags would go: the nearest edge of one that it can stand beside.
std::optional<LaneDrop> dropAt(const TimelineFrame& frame, const LaneArrangement& arrangement, std::size_t lane, double mouse)
{
    const auto& lanes = frame.model.lanes();
    const auto& placed = frame.layout.lanes();
    std::optional<LaneDrop> best;
    const auto offer = [&](const LaneDrop& drop) {
        if (!best || std::fabs(drop.y - mouse) < std::fabs(best->y - mouse)) {
            best = drop;
        }
    };
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const bool self = placed[i].lane == lane;
        if (!self && !arrangement.canMove(lanes, lane, placed[i].lane)) {
            continue;
        }
        std::size_t last = i;  // of a GPU that is not collapsed: its last lane
        while (lanes[placed[i].lane].key.kind == LaneKind::gpu && last + 1 < placed.size() && placed[last + 1].pinned == placed[i].pinned
            && gpuOf(lanes, placed[last + 1].lane) == placed[i].lane) {
            ++last;
        }
        offer({placed[i].lane, false, double(frame.yOf(placed[i]))});
        offer({placed[i].lane, true, double(frame.yOf(placed[last]) + placed[last].height)});
    }
    return best;
}

}  // namespace

void TimelineView::setArrangement(const LaneArrangement& arrangement)
{
    m_arrangement = arrangement;
    rearranged();
}

void TimelineView::setChoice(const LaneChoice& choice)
{
    if (choice == m_choice) {
        return;
    }
    m_choice = choice;
    if (!m_model) {
        return;
    }
    stopIndexing();
    auto old = std::exchange(m_model, std::make_shared<LaneModel>(m_model->pointer(), LaneModel::Rows::laterIfMany, m_choice));
    m_hits.forgetRows();
    m_overlay.hovered = {};
    m_overlay.tip.clear();
    rearranged();
    updateGeometry();
    emit choiceChanged();  // whoever still refers to the old lanes lets go of them now
    freeLater(std::move(old));
    if (!m_model->isReady()) {
        startIndexing();
    }
}

void TimelineView::rearranged()
{
    relayout();
    m_overlay.lane = m_laneInHand && m_model ? laneOf(*m_model, *m_laneInHand) : std::nullopt;
    emit lanesChanged();
}

void TimelineView::takeInHand(std::optional<std::size_t> lane)
{
    const auto key = lane && m_model ? std::optional(m_model->lanes()[*lane].key) : std::nullopt;
    if (key != m_laneInHand) {
        m_laneInHand = key;
        m_overlay.lane = lane;
        update();
        emit lanesChanged();
    }
}

std::optional<std::size_t> TimelineView::targetLane() const
{
    if (!m_model) {
        return {};
    }
    if (const auto lane = m_laneInHand ? laneOf(*m_model, *m_laneInHand) : std::nullopt; lane && m_layout.find(*lane) != nullptr) {
        return lane;
    }
    if (const PlacedLane* lane = m_mouse.x() < 0 ? nullptr : laneAt(m_mouse)) {
        return lane->lane;
    }
    if (const auto place = m_model->find(m_overlay.selected)) {
        const auto shown = m_layout.find(place->lane, place->row);
        return shown ? std::optional(shown->lane->lane) : std::nullopt;
    }
    return {};
}

void TimelineView::performOnLanes(TimelineAction action)
{
    if (!m_model) {
        return;
    }
    const auto& lanes = m_model->lanes();
    switch (action) {
    case TimelineAction::groupByEngine:
        setChoice({m_choice.grouping == LaneGrouping::stream ? LaneGrouping::engine : LaneGrouping::stream, m_choice.filter});
        return;
    case TimelineAction::showHiddenLanes:
        m_arrangement.showAll();
        rearranged();
        return;
    case TimelineAction::resetLanes:
        m_arrangement.reset();
        rearranged();
        return;
    case TimelineAction::collapseLanes: {
        const bool allCollapsed = std::all_of(m_layout.lanes().begin(), m_layout.lanes().end(), [&](const PlacedLane& lane) {
            const LaneKind kind = lanes[lane.lane].key.kind;
            return lane.collapsed || kind == LaneKind::overlap || kind == LaneKind::gpu;
        });
        for (const Lane& lane : lanes) {
            m_arrangement.setCollapsed(lane.key, !allCollapsed && lane.key.kind != LaneKind::gpu);
        }
        rearranged();
        return;
    }
    default:
        break;
    }
    const auto target = targetLane();
    if (!target) {
        return;
    }
    const LaneKey key = lanes[*target].key;
    if (action == TimelineAction::pinLane) {
        m_arrangement.setPinned(key, !m_arrangement.isPinned(key));
    } else if (action == TimelineAction::collapseLane) {
        m_arrangement.setCollapsed(key, !m_arrangement.isCollapsed(key));
    } else if (action == TimelineAction::hideLane) {
        m_arrangement.hide(key);
    } else if (action == TimelineAction::laneUp || action == TimelineAction::laneDown) {
        m_arrangement.moveBy(lanes, *target, action == TimelineAction::laneUp ? -1 : 1);
    }
    takeInHand(action == TimelineAction::hideLane ? std::nullopt : target);
    rearranged();
    if (const PlacedLane* lane = m_layout.find(*target)) {
        scrollTo(*lane);
    }
}

void TimelineView::hoverLabel(QPointF at)
{
    if (const PlacedLane* lane = laneAt(at); m_laneInHand && lane != nullptr && m_model->lanes()[lane->lane].key != *m_laneInHand) {
        takeInHand({});
    }
    if (!m_model || at.x() >= labelWidth()) {
        unsetCursor();
        return;
    }
    const LabelHit hit = labelAt(frame(), at);
    if (hit.part == LabelPart::triangle || hit.part == LabelPart::hidden) {
        setCursor(Qt::PointingHandCursor);
    } else {
        unsetCursor();
    }
    if (hit.part == LabelPart::name || hit.part == LabelPart::triangle) {
        m_overlay.tip = labelTip(frame(), hit.lane);
        if (const auto figure = figureOf(*m_model, hit.lane, visibleRange(), m_overlay.range)) {
            m_overlay.tip << figure->sentence();
        }
    }
}

void TimelineView::dragLane(QPointF at)
{
    const LabelHit hit = labelAt(frame(), m_pressed);
    if (m_drag == Drag::label) {
        const bool far = std::fabs(at.y() - m_pressed.y()) >= QApplication::startDragDistance() / 2.0;
        if (!far || (hit.part != LabelPart::name && hit.part != LabelPart::triangle)) {
            return;
        }
        m_drag = Drag::lane;
        takeInHand(hit.lane);
        setCursor(Qt::ClosedHandCursor);
    }
    if (at.y() < frame().scrollTop() + scroll_edge) {
        setScroll(m_scroll - scroll_step);
    } else if (at.y() > area().height() - scroll_edge) {
        setScroll(m_scroll + scroll_step);
    }
    m_drop = m_overlay.lane ? dropAt(frame(), m_arrangement, *m_overlay.lane, at.y()) : std::nullopt;
    m_overlay.dropLine = m_drop ? std::optional(m_drop->y) : std::nullopt;
    update();
}

/// The lane in hand, and where it is dragged to, are forgotten.
void TimelineView::letLaneGo()
{
    if (m_drag == Drag::label || m_drag == Drag::lane) {
        m_drag = Drag::none;
        unsetCursor();
    }
    m_drop.reset();
    m_overlay.dropLine.reset();
    takeInHand({});
    update();
}

bool TimelineView::pressScrollBar(QPointF at)
{
    const auto bar = m_model ? ScrollBar::of(frame()) : std::nullopt;
    if (!bar || !bar->track.adjusted(-3, 0, 3, 0).contains(at)) {
        return false;
    }
    if (at.y() < bar->thumb.top() || at.y() > bar->thumb.bottom()) {  // beside the thumb: it comes here
        setScroll(bar->scrolled(m_scroll, at.y() - bar->thumb.center().y()));
    }
    m_pressedScroll = m_scroll;
    return true;
}

void TimelineView::dragScrollBar(QPointF at)
{
    if (const auto bar = ScrollBar::of(frame())) {
        setScroll(bar->scrolled(m_pressedScroll, at.y() - m_pressed.y()));
    }
}

void TimelineView::finishLabelDrag(Drag drag, QPointF at)
{
    const auto drop = std::exchange(m_drop, std::nullopt);
    m_overlay.dropLine.reset();
    update();
    if (drag == Drag::lane) {
        if (drop && m_overlay.lane && m_arrangement.move(m_model->lanes(), *m_overlay.lane, drop->beside, drop->behind)) {
            rearranged();
        }
        return;
    }
    const LabelHit hit = labelAt(frame(), at);
    if (hit.part == LabelPart::hidden) {
        perform(TimelineAction::showHiddenLanes);
    } else if (hit.part != LabelPart::none) {
        takeInHand(hit.lane);
        if (hit.part == LabelPart::triangle) {
            perform(TimelineAction::collapseLane);
        }
    }
}

bool TimelineView::doubleClickLabel(QPointF at)
{
    if (!m_model || at.x() >= labelWidth()) {
        return false;
    }
    if (const LabelHit hit = labelAt(frame(), at); hit.part == LabelPart::name || hit.part == LabelPart::triangle) {
        takeInHand(hit.lane);
        perform(TimelineAction::collapseLane);
    }
    return true;
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const PlacedLane* lane = nullptr;
    if (byKey) {
        const auto target = targetLane();
        lane = target ? m_layout.find(*target) : nullptr;
    } else if (inFrame(event->pos()).x() < labelWidth()) {
        lane = laneAt(inFrame(event->pos()));
    }
    if (lane == nullptr) {
        QWidget::contextMenuEvent(event);
        return;
    }
    takeInHand(lane->lane);
    emit laneMenuRequested(byKey ? mapToGlobal(QPoint(labelWidth() / 2, frame().yOf(*lane) + lane->height / 2) * m_magnification) : event->globalPos());
    event->accept();
}

}  // namespace lanes::gui
