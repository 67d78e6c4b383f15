// SPDX-License-Identifier: MIT
#include "gui/timeline/timeline_actions.h"

#include "gui/lanes/edge_snap.h"
#include "gui/timeline/time_moves.h"
#include "gui/timeline/timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <QKeyEvent>

namespace lanes::gui {

namespace {

constexpr int scroll_step = 40;

/// Zooms at the mouse where it is over the lanes, else in the middle.
template <TimelineAction action> void move(Timeline& t)
{
    const TimelineFrame frame = t.frame();
    const int left = frame.geometry.labelWidth;
    const double x = t.mouse && t.mouse->x() >= left ? t.mouse->x() : (left + frame.geometry.size.width()) / 2.0;
    t.show(*movedBy(action, t.state().time, (x - left) * frame.ratio));
}

template <int direction> void scroll(Timeline& t)
{
    t.scrollTo(t.state().scroll + direction * scroll_step);
}

void zoomToSelected(Timeline& t)
{
    if (const auto range = t.state().highlights.range) {
        t.showRange(*range);
    }
}

/// The selection to the middle, or as near to it as the recording allows; where it is there already, zooms to it.
void focus(Timeline& t)
{
    if (!t.selection()) {
        zoomToSelected(t);
        return;
    }
    const Interval span = spanOf(t.model()->recording(), t.selection());
    const TimeScale& scale = t.timeScale();
    const double middle = (scale.xOf(span.start) + scale.xOf(span.end)) / 2;
    const TimeScale centred = scale.panned(std::llround(middle - t.state().time.columns() / 2.0));
    if (std::llabs(t.state().time.inside(centred).first() - scale.first()) <= 1) {
        t.zoomTo(span);
        return;
    }
    t.show(centred);
    if (const auto shown = t.lanes().layout().find(*t.model(), t.selection())) {
        t.scrollTo(*shown->lane);
    }
}

/// The first API call or operation that begins in `view`, or with `reachesIn` lies in it at all, of the uppermost row
/// that is shown and has one.
ItemRef firstItem(const Timeline& t, Interval view, bool reachesIn)
{
    for (const PlacedLane& lane : t.lanes().layout().lanes()) {
        for (const PlacedRow& placed : lane.rows) {
            const LaneRow& row = t.model()->lanes()[placed.lane].rows[placed.row];
            const std::size_t first
                = reachesIn ? row.items.firstEndingAfter(view.start) : row.items.firstStartingAt(view.start);
            if (first == row.items.size() || row.items.start(first) >= view.end) {
                continue;
            }
            const ItemRef item = row.itemAt(first);
            if (item.kind == ItemKind::call || item.kind == ItemKind::operation) {
                return item;
            }
        }
    }
    return {};
}

/// Where none begins in view, one that fills it; where none is in view, the first of all.
ItemRef firstItem(const Timeline& t)
{
    const Interval view = t.visibleRange();
    for (const bool reachesIn : {false, true}) {
        if (const ItemRef inView = firstItem(t, view, reachesIn)) {
            return inView;
        }
    }
    return firstItem(t, {0, std::numeric_limits<Ns>::max()}, false);
}

template <int direction> void stepItem(Timeline& t)
{
    if (!t.selection()) {
        const ItemRef first = direction > 0 ? firstItem(t) : ItemRef {};
        t.follow(first);
        t.pick(first);
        return;
    }
    const auto place = t.model()->find(t.selection());
    const auto shown = t.lanes().layout().find(*t.model(), t.selection());
    if (place) {
        const auto& lanes = t.model()->lanes();
        const LaneRow& row
            = shown ? lanes[shown->row->lane].rows[shown->row->row] : lanes[place->lane].rows[place->row];
        const auto at = row.find(t.selection(), spanOf(t.model()->recording(), t.selection()).start);
        const auto next = static_cast<std::ptrdiff_t>(at.value_or(place->item)) + direction;
        if (next >= 0 && next < static_cast<std::ptrdiff_t>(row.items.size())) {
            t.follow(row.itemAt(static_cast<std::size_t>(next)));
        }
    }
}

/// Moves one edge of the range to the next edge of an item: of the selected item's lane, else of any lane. Without a
/// range, the selected item is the range.
template <bool end, int direction> void stepRange(Timeline& t)
{
    const LaneLayout& layout = t.lanes().layout();
    const auto row = layout.find(*t.model(), t.selection());
    const std::optional<std::size_t> lane = row ? std::optional(row->lane->lane) : std::nullopt;
    std::optional<Interval> range = t.state().highlights.range;
    if (!range) {
        if (t.selection()) {
            t.selectRange(spanOf(t.model()->recording(), t.selection()));
        } else if (const auto first = nextEdge(*t.model(), layout, lane, t.visibleRange().start, 1)) {
            t.selectRange(Interval {*first, nextEdge(*t.model(), layout, lane, *first, 1).value_or(*first)});
        }
        return;
    }
    Ns& moved = end ? range->end : range->start;
    if (const auto next = nextEdge(*t.model(), layout, lane, moved, direction)) {
        moved = *next;
        if (range->start < range->end) {
            t.selectRange(range);
            t.bringIntoSight({*next, *next});
        }
    }
}

/// What is done to the arrangement of the lane that commands concern.
template <class Do> void onLane(Timeline& t, bool stays, const Do& change)
{
    const auto target = t.target().lane();
    if (!target) {
        return;
    }
    LaneArrangement arrangement = t.state().arrangement;
    change(arrangement, *target);
    t.target().take(stays ? target : std::nullopt);
    t.arrange(arrangement);
    if (const PlacedLane* lane = t.lanes().layout().find(*target)) {
        t.scrollTo(*lane);
    }
}

void pin(Timeline& t)
{
    onLane(t, true, [&](LaneArrangement& arrangement, std::size_t lane) {
        const LaneKey& key = t.model()->lanes()[lane].key;
        arrangement.setPinned(key, !arrangement.isPinned(key));
    });
}

void collapse(Timeline& t)
{
    onLane(t, true, [&](LaneArrangement& arrangement, std::size_t lane) {
        const LaneKey& key = t.model()->lanes()[lane].key;
        arrangement.setCollapsed(key, !arrangement.isCollapsed(key));
    });
}

/// Of a thread whose stack can be folded.
void turnDepths(Timeline& t)
{
    onLane(t, true, [&](LaneArrangement& arrangement, std::size_t lane) {
        const LaneKey& key = t.model()->lanes()[lane].key;
        const PlacedLane* placed = t.lanes().layout().find(lane);
        if (placed != nullptr && placed->isStack) {
            arrangement.setAllDepths(key, !arrangement.showsAllDepths(key));
        }
    });
}

void hide(Timeline& t)
{
    onLane(t, false,
        [&](LaneArrangement& arrangement, std::size_t lane) { arrangement.hide(t.model()->lanes()[lane].key); });
}

template <int direction> void moveLane(Timeline& t)
{
    onLane(t, true, [&](LaneArrangement& arrangement, std::size_t lane) {
        arrangement.moveBy(t.model()->lanes(), lane, direction);
    });
}

template <TimelineLayers::Layer layer> void toggle(Timeline& t)
{
    t.layers().show(layer, !t.layers().isOn(layer));
}

void collapseAll(Timeline& t)
{
    const auto& lanes = t.model()->lanes();
    const auto& placed = t.lanes().layout().lanes();
    const bool all = std::all_of(placed.begin(), placed.end(), [&](const PlacedLane& lane) {
        const LaneKey& key = lanes[lane.lane].key;
        return lane.collapsed || key.kind == LaneKind::overlap || isHeader(key);
    });
    LaneArrangement arrangement = t.state().arrangement;
    for (const Lane& lane : lanes) {
        arrangement.setCollapsed(lane.key, !all && !isHeader(lane.key));
    }
    t.arrange(arrangement);
}

void regroup(Timeline& t)
{
    LaneChoice choice = t.state().choice;
    choice.grouping = choice.grouping == LaneGrouping::stream ? LaneGrouping::engine : LaneGrouping::stream;
    t.choose(choice);
}

/// The other order than the one shown; as usual, where that is the recording's.
void turnOrder(Timeline& t)
{
    const Trace& trace = t.model()->trace();
    const bool gpusFirst = !areGpusFirst(trace, t.state().choice.order);
    LaneChoice choice = t.state().choice;
    choice.order = gpusFirst == areGpusFirst(trace, LaneOrder::usual) ? LaneOrder::usual
        : gpusFirst                                                   ? LaneOrder::gpusFirst
                                                                      : LaneOrder::cpuFirst;
    t.choose(choice);
}

/// The other colours than the ones shown; as usual, where these are the recording's.
void turnColours(Timeline& t)
{
    const Trace& trace = t.model()->trace();
    const bool families = !areFamiliesShown(trace, t.state().choice.colours);
    LaneChoice choice = t.state().choice;
    choice.colours = families == areFamiliesShown(trace, LaneColours::usual) ? LaneColours::usual
        : families                                                           ? LaneColours::families
                                                                             : LaneColours::kinds;
    t.choose(choice);
}

void unhide(Timeline& t)
{
    LaneArrangement arrangement = t.state().arrangement;
    arrangement.showAll();
    t.arrange(arrangement);
}

/// What was chosen instead of the table's keys. Users have one keyboard: every timeline of the program obeys it.
struct InputChoice {
    std::map<TimelineAction, QList<QKeySequence>> keys;
    bool wheelZooms = false;
};
InputChoice& inputChoice()
{
    static InputChoice chosen;
    return chosen;
}

/// Every action is in the table; a test looks.
const TimelineActionInfo& infoOf(TimelineAction action)
{
    const auto& all = timelineActions();
    return *std::find_if(all.begin(), all.end(), [&](const TimelineActionInfo& info) { return info.action == action; });
}

}  // namespace

const std::vector<TimelineActionInfo>& timelineActions()
{
    using enum TimelineAction;
    static const std::vector<TimelineActionInfo> all {
        {zoomIn, {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}, move<zoomIn>},
        {zoomOut, {Qt::Key_S, Qt::Key_Minus}, move<zoomOut>},
        {panLeft, {Qt::Key_A, Qt::Key_Left}, move<panLeft>},
        {panRight, {Qt::Key_D, Qt::Key_Right}, move<panRight>},
        {scrollUp, {Qt::Key_Up}, scroll<-1>},
        {scrollDown, {Qt::Key_Down}, scroll<1>},
        {showAll, {Qt::Key_Home, Qt::Key_0}, [](Timeline& t) { t.showAll(); }},
        {focusSelection, {Qt::Key_F}, focus},
        {zoomToRange, {Qt::Key_Z}, zoomToSelected},
        {previousView, {Qt::Key_Backspace}, [](Timeline& t) { t.history().back(); }},
        {nextView, {QKeySequence(Qt::SHIFT | Qt::Key_Backspace)}, [](Timeline& t) { t.history().forward(); }},
        {allArrows, {Qt::Key_E}, toggle<TimelineLayers::Layer::arrows>},
        {chains, {QKeySequence(Qt::SHIFT | Qt::Key_E)}, toggle<TimelineLayers::Layer::chain>},
        {criticalPath, {Qt::Key_K}, toggle<TimelineLayers::Layer::path>},
        {idleReasons, {Qt::Key_I}, toggle<TimelineLayers::Layer::idle>},
        {rangeEndLater, {QKeySequence(Qt::SHIFT | Qt::Key_Right)}, stepRange<true, 1>},
        {rangeEndEarlier, {QKeySequence(Qt::SHIFT | Qt::Key_Left)}, stepRange<true, -1>},
        {rangeStartLater, {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Right)}, stepRange<false, 1>},
        {rangeStartEarlier, {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Left)}, stepRange<false, -1>},
        {setMark, {Qt::Key_M}, [](Timeline& t) { t.marks().set(); }},
        {nextMark, {Qt::Key_N}, [](Timeline& t) { t.marks().step(1); }},
        {previousMark, {QKeySequence(Qt::SHIFT | Qt::Key_N)}, [](Timeline& t) { t.marks().step(-1); }},
        {removeChosen, {Qt::Key_Delete}, [](Timeline& t) { t.removeChosen(); }},
        {nextItem, {Qt::Key_Period}, stepItem<1>},
        {previousItem, {Qt::Key_Comma}, stepItem<-1>},
        {goToCause, {Qt::Key_BracketLeft}, [](Timeline& t) { t.follow(causeOf(*t.recording(), t.selection())); }},
        {goToEffect, {Qt::Key_BracketRight}, [](Timeline& t) { t.follow(effectOf(*t.recording(), t.selection())); }},
        {clear, {Qt::Key_Escape}, [](Timeline& t) { t.clear(); }},
        {groupByEngine, {Qt::Key_G}, regroup},
        {gpusFirst, {QKeySequence(Qt::SHIFT | Qt::Key_G)}, turnOrder},
        {familyColours, {QKeySequence(Qt::SHIFT | Qt::Key_F)}, turnColours},
        {pinLane, {Qt::Key_P}, pin},
        {collapseLane, {Qt::Key_C}, collapse},
        {allDepths, {Qt::Key_U}, turnDepths},
        {hideLane, {Qt::Key_H}, hide},
        {laneUp, {QKeySequence(Qt::ALT | Qt::Key_Up)}, moveLane<-1>},
        {laneDown, {QKeySequence(Qt::ALT | Qt::Key_Down)}, moveLane<1>},
        {collapseLanes, {QKeySequence(Qt::SHIFT | Qt::Key_C)}, collapseAll},
        {showHiddenLanes, {QKeySequence(Qt::SHIFT | Qt::Key_H)}, unhide},
        {resetLanes, {QKeySequence(Qt::SHIFT | Qt::Key_R)}, [](Timeline& t) { t.arrange({}); }},
    };
    return all;
}

QList<QKeySequence> keysOf(TimelineAction action)
{
    const auto& given = inputChoice().keys;
    const auto found = given.find(action);
    return found != given.end() ? found->second : infoOf(action).keys;
}

void setKeys(TimelineAction action, const std::optional<QList<QKeySequence>>& keys)
{
    if (keys) {
        inputChoice().keys[action] = *keys;
    } else {
        inputChoice().keys.erase(action);
    }
}

bool wheelZooms()
{
    return inputChoice().wheelZooms;
}

void setWheelZooms(bool zooms)
{
    inputChoice().wheelZooms = zooms;
}

bool isSign(const QKeyEvent& key)
{
    const QString text = key.text();
    return text.size() == 1 && text[0].isPrint() && !text[0].isSpace();
}

std::optional<TimelineAction> actionOf(const QKeyEvent& key)
{
    // As it is pressed; then without Shift, which some keyboards need for + or 0.
    for (const auto without : {Qt::KeyboardModifiers(Qt::KeypadModifier), Qt::KeypadModifier | Qt::ShiftModifier}) {
        const QKeySequence pressed(key.key() | static_cast<int>(key.modifiers() & ~without));
        for (const TimelineActionInfo& info : timelineActions()) {
            if (keysOf(info.action).contains(pressed)) {
                return info.action;
            }
        }
    }
    return {};
}

void perform(Timeline& timeline, TimelineAction action)
{
    if (timeline.model() != nullptr) {
        infoOf(action).perform(timeline);
    }
}

}  // namespace lanes::gui
