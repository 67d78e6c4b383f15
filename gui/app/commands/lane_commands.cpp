// SPDX-License-Identifier: MIT
#include "gui/app/commands/lane_commands.h"

#include "gui/lanes/item_ref.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/hit_walk.h"
#include "gui/timeline/timeline.h"

namespace lanes::gui {

namespace {

/// The lane that commands on lanes concern.
std::optional<LaneKey> targetLane(const ComparisonView& timeline)
{
    Timeline& active = timeline.side(timeline.activeIndex());
    const auto lane = active.target().lane();
    return lane ? std::optional(active.model()->lanes()[*lane].key) : std::nullopt;
}

}  // namespace

Command LaneCommands::row(const char* id, const QString& text, const QString& tip, Menu menu, const char* keys,
    TimelineAction action, std::function<bool()> enabled, std::function<bool()> checked, bool separator) const
{
    return {id, text, tip, menu, keys, std::move(enabled),
        [timeline = m_timeline, action] { timeline->perform(action); }, std::move(checked), separator, action};
}

std::function<bool()> LaneCommands::open() const
{
    return [w = m_workspace] { return w->count() > 0; };
}

void LaneCommands::addRanges(CommandTable& table) const
{
    const auto ranged = [w = m_workspace] { return w->hasRange(); };
    table.add(row("edit.range-end-later", tr("Move range &end forward"),
        tr("Moves the end of the selected range to the next start or end of an event; selects a range if there is "
           "none"),
        Menu::edit, "", TimelineAction::rangeEndLater, open(), {}, true));
    table.add(row("edit.range-end-earlier", tr("Move range en&d back"),
        tr("Moves the end of the selected range back to the previous start or end of an event"), Menu::edit, "",
        TimelineAction::rangeEndEarlier, ranged));
    table.add(row("edit.range-start-later", tr("Move range &start forward"),
        tr("Moves the start of the selected range to the next start or end of an event"), Menu::edit, "",
        TimelineAction::rangeStartLater, ranged));
    table.add(row("edit.range-start-earlier", tr("Move range s&tart back"),
        tr("Moves the start of the selected range back to the previous start or end of an event"), Menu::edit, "",
        TimelineAction::rangeStartEarlier, ranged));
}

void LaneCommands::addViews(CommandTable& table) const
{
    const auto ranged = [w = m_workspace] { return w->hasRange(); };
    table.add(row("view.fit", tr("&Fit all"), tr("Shows the recordings from start to end"), Menu::view,
        "Ctrl+0; Home; 0", TimelineAction::showAll,
        [w = m_workspace, t = m_timeline] { return w->count() > 0 && t->isVisibleTo(t->window()); }));
    table.add(row("view.focus", tr("Fo&cus the selection"), tr("Centres the selection; again: zooms to it"), Menu::view,
        "F", TimelineAction::focusSelection, [w = m_workspace] { return w->selection().event || w->hasRange(); }));
    table.add(row("view.zoom-in", tr("Zoom &in"), tr("Zooms in at the mouse, else in the middle"), Menu::view,
        "Ctrl++; Ctrl+=", TimelineAction::zoomIn, open()));
    table.add(row("view.zoom-out", tr("Zoom &out"), tr("Zooms out at the mouse, else in the middle"), Menu::view,
        "Ctrl+-", TimelineAction::zoomOut, open()));
    table.add(row(
        "view.left", tr("Pan lef&t"), tr("Moves towards the start"), Menu::lanes, "", TimelineAction::panLeft, open()));
    table.add(row("view.right", tr("Pan r&ight"), tr("Moves towards the end"), Menu::lanes, "",
        TimelineAction::panRight, open()));
    table.add(
        row("view.up", tr("La&nes up"), tr("Scrolls the lanes"), Menu::lanes, "", TimelineAction::scrollUp, open()));
    table.add(row(
        "view.down", tr("Lanes d&own"), tr("Scrolls the lanes"), Menu::lanes, "", TimelineAction::scrollDown, open()));
    table.add(row("view.to-range", tr("&Zoom to the range"), tr("Shows only the selected time range"), Menu::view, "",
        TimelineAction::zoomToRange, ranged));
    table.add(row("view.back", tr("&Previous view"), tr("Goes back to what was shown before the last jump or zoom"),
        Menu::view, "Alt+Left", TimelineAction::previousView, open()));
    table.add(row("view.forward", tr("Ne&xt view"), tr("Goes forward to the view before going back"), Menu::view,
        "Alt+Right", TimelineAction::nextView, open()));
    table.add(
        row("view.arrows", tr("&All arrows"), tr("Shows the links of everything in view, not only of the selection"),
            Menu::view, "", TimelineAction::allArrows, open(),
            [t = m_timeline] { return t->side(t->activeIndex()).state().highlights.allArrows; }));
    table.add(row("view.chains", tr("Chain of causes"),
        tr("Shows what the selection waited for, what that waited for, and so on; [ follows it step by step"),
        Menu::view, "", TimelineAction::chains, open(),
        [t = m_timeline] { return t->side(t->activeIndex()).state().highlights.chains; }));
    table.add(row("view.path", tr("Critical pat&h"),
        tr("Outlines the chain that determined the length of the scope: from its end back "
           "through what each step waited for last"),
        Menu::view, "", TimelineAction::criticalPath, open(),
        [t = m_timeline] { return t->side(t->activeIndex()).state().pathWanted; }));
    table.add(row("view.idle", tr("Wh&y streams are idle"),
        tr("A bar at the foot of each stream's lane shows what delayed its next operation, by colour and pattern"),
        Menu::view, "", TimelineAction::idleReasons, open(),
        [t = m_timeline] { return t->side(t->activeIndex()).state().idleWanted; }));
    table.add(row("view.gpus-first", tr("GPUs abo&ve the CPU"),
        tr("Shows the lanes of the GPUs first, as in recordings of programs; again: the threads first, as in lessons"),
        Menu::view, "", TimelineAction::gpusFirst, open(), [t = m_timeline] {
            const Timeline& active = t->side(t->activeIndex());
            return active.model() != nullptr && areGpusFirst(active.model()->trace(), active.state().choice.order);
        }));
    table.add(row("view.families", tr("Co&lours by family"),
        tr("Kernels have the colour of what they are for: matmul, attention, communication, …; again: one colour for "
           "all, as in lessons"),
        Menu::view, "", TimelineAction::familyColours, open(), [t = m_timeline] {
            const Timeline& active = t->side(t->activeIndex());
            return active.model() != nullptr
                && areFamiliesShown(active.model()->trace(), active.state().choice.colours);
        }));
}

void LaneCommands::addLanes(CommandTable& table) const
{
    const auto lane = [t = m_timeline] { return t->side(t->activeIndex()).target().lane().has_value(); };
    table.add(row("lanes.pin", tr("&Pin"), tr("Keeps the lane at the top while the others scroll; again: unpins it"),
        Menu::lanes, "", TimelineAction::pinLane, lane, [t = m_timeline] {
            return targetLane(*t) && t->side(t->activeIndex()).state().arrangement.isPinned(*targetLane(*t));
        }));
    table.add(row("lanes.collapse", tr("&Collapse"),
        tr("Makes the lane one thin row, or all lanes of a GPU; again: expands it"), Menu::lanes, "",
        TimelineAction::collapseLane, lane, [t = m_timeline] {
            return targetLane(*t) && t->side(t->activeIndex()).state().arrangement.isCollapsed(*targetLane(*t));
        }));
    table.add(row(
        "lanes.all-depths", tr("All d&epths of the stack"),
        tr("Shows every frame of the thread's stack; again: folds it to the outermost, the module and two operators"),
        Menu::lanes, "", TimelineAction::allDepths,
        [t = m_timeline] {
            Timeline& active = t->side(t->activeIndex());
            const auto target = active.target().lane();
            const PlacedLane* placed = target ? active.lanes().layout().find(*target) : nullptr;
            return placed != nullptr && placed->isStack;
        },
        [t = m_timeline] {
            return targetLane(*t) && t->side(t->activeIndex()).state().arrangement.showsAllDepths(*targetLane(*t));
        }));
    table.add(row("lanes.hide", tr("&Hide"), tr("Hides the lane until hidden lanes are shown again"), Menu::lanes, "",
        TimelineAction::hideLane, lane));
    table.add(row("lanes.up", tr("Move &up"), tr("Moves the lane above the previous one"), Menu::lanes, "",
        TimelineAction::laneUp, lane));
    table.add(row("lanes.down", tr("Move &down"), tr("Moves the lane below the next one"), Menu::lanes, "",
        TimelineAction::laneDown, lane));
    table.add(row(
        "lanes.group-by-engine", tr("&Group by engine"),
        tr("One lane for each copy engine and the SMs of a GPU; again: one for each stream"), Menu::lanes, "",
        TimelineAction::groupByEngine, open(),
        [t = m_timeline] { return t->side(t->activeIndex()).state().choice.grouping == LaneGrouping::engine; }, true));
    table.add(
        {"lanes.filter", tr("&Filter…"), tr("Shows only the events that match: by name, kind, stream, thread, length"),
            Menu::lanes, "Ctrl+Shift+L", open(), [t = m_timeline] { t->filterBar()->open(); }});
    table.add({"lanes.clear-filter", tr("C&lear the filter"), tr("Shows all events again"), Menu::lanes, "",
        [t = m_timeline] { return t->side(t->activeIndex()).state().choice.filter != nullptr; },
        [t = m_timeline] { t->filterBar()->clear(); }});
    table.add(row("lanes.collapse-all", tr("Collapse or expand &all"),
        tr("Makes every lane one thin row; expands them if all are"), Menu::lanes, "", TimelineAction::collapseLanes,
        open(), {}, true));
    table.add(row("lanes.show-hidden", tr("&Show the hidden lanes"), tr("Shows the lanes that were hidden"),
        Menu::lanes, "", TimelineAction::showHiddenLanes,
        [t = m_timeline] { return t->side(t->activeIndex()).state().arrangement.hides(); }));
    table.add(row("lanes.reset", tr("&Reset the lanes"),
        tr("Shows all lanes as they were recorded: none hidden, pinned, collapsed or moved"), Menu::lanes, "",
        TimelineAction::resetLanes,
        [t = m_timeline] { return !t->side(t->activeIndex()).state().arrangement.isEmpty(); }));
}

void LaneCommands::addPlaces(CommandTable& table) const
{
    // Asked of the lanes' own recording: while one is renewed the workspace has the newer one already.
    const auto leads = [w = m_workspace, t = m_timeline](ItemRef (*to)(const Recording&, ItemRef)) {
        return [w, t, to] {
            const Timeline& lanes = t->side(w->selection().side);
            const ItemRef item = lanes.selection();
            return lanes.recording() != nullptr && item && to(*lanes.recording(), item);
        };
    };
    const auto marked = [w = m_workspace, t = m_timeline] {
        const OpenRecordingPtr active = w->at(t->activeIndex());
        return active && !active->marks->all().empty();
    };
    table.add(row("go.next", tr("&Next in the lane"),
        tr("Selects the next event of the lane; the first in view if nothing is selected"), Menu::go, ".",
        TimelineAction::nextItem, open()));
    table.add(row("go.previous", tr("&Previous in the lane"), tr("Selects the previous event in the lane"), Menu::go,
        ",", TimelineAction::previousItem, open()));
    table.add(row("go.operation", tr("T&o the effect"),
        tr("From an API call to the operation it issued or that released it; from an operation to what it allowed to "
           "begin"),
        Menu::go, "]", TimelineAction::goToEffect, leads(effectOf)));
    table.add(row("go.call", tr("To the &cause"),
        tr("One step back: to what the selection waited for last, or to the API call that issued it"), Menu::go, "[",
        TimelineAction::goToCause, leads(causeOf)));
    table.add({"go.next-hit", tr("Ne&xt hit"), tr("Selects the next event that the search found"), Menu::go, "F3",
        open(), [t = m_timeline] { t->hits()->step(1); }, {}, true});
    table.add({"go.previous-hit", tr("P&revious hit"), tr("Selects the previous event that the search found"), Menu::go,
        "Shift+F3", open(), [t = m_timeline] { t->hits()->step(-1); }});
    table.add(
        row("go.mark", tr("Set a &mark"), tr("Marks the time at the mouse, or the selection's start, with a text"),
            Menu::go, "", TimelineAction::setMark, open(), {}, true));
    table.add(row(
        "go.next-mark", tr("Next m&ark"), tr("Shows the next mark"), Menu::go, "", TimelineAction::nextMark, marked));
    table.add(row("go.previous-mark", tr("Pre&vious mark"), tr("Shows the previous mark"), Menu::go, "",
        TimelineAction::previousMark, marked));
}

}  // namespace lanes::gui
