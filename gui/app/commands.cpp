// SPDX-License-Identifier: MIT
#include "gui/app/commands.h"

#include "gui/app/main_window.h"
#include "gui/app/step_through.h"
#include "gui/panels/texts.h"
#include "gui/timeline/comparison_view.h"

namespace lanes::gui {

namespace {

using State = const WindowState&;

constexpr auto idle = [](State state) { return !state.busy; };
constexpr auto busy = [](State state) { return state.busy; };
constexpr auto open = [](State state) { return state.recordings > 0; };
constexpr auto fittable = [](State state) { return state.recordings > 0 && !state.gallery; };  // Home is a list's own key there
constexpr auto two = [](State state) { return state.recordings > 1; };
constexpr auto lane = [](State state) { return state.lane; };
constexpr auto ranged = [](State state) { return state.range; };
constexpr auto marked = [](State state) { return state.marks; };
constexpr auto selected = [](State state) { return state.selection; };

// Keys are in the portable form of QKeySequence. A key that a list or a table needs itself (arrows, Home, letters)
// is the timeline's alone: see timelineActions().
const std::vector<Command> table {
    {"file.open", QT_TR_NOOP("&Open…"),
        QT_TR_NOOP("Opens a recording or a workload; a second recording goes under the first"), Menu::file, "Ctrl+O",
        idle, [](MainWindow& w) { w.chooseFiles(); }},
    {"file.save-a", QT_TR_NOOP("&Save A as…"),
        QT_TR_NOOP("Saves the upper recording: .sqlite, .json, .json.gz or .csv"), Menu::file, "Ctrl+S",
        [](State s) { return !s.busy && s.recordings > 0; }, [](MainWindow& w) { w.chooseSave(0); }, nullptr, true},
    {"file.save-b", QT_TR_NOOP("Save &B as…"),
        QT_TR_NOOP("Saves the lower recording: .sqlite, .json, .json.gz or .csv"), Menu::file, "Ctrl+Shift+S",
        [](State s) { return !s.busy && s.recordings > 1; }, [](MainWindow& w) { w.chooseSave(1); }},
    {"file.export", QT_TR_NOOP("&Export picture…"), QT_TR_NOOP("Writes what the timeline shows as PNG, SVG or PDF"),
        Menu::file, "Ctrl+E", open, [](MainWindow& w) { w.chooseExport(); }},
    {"file.copy-picture", QT_TR_NOOP("Copy p&icture"),
        QT_TR_NOOP("Copies what the timeline shows to the clipboard, as an image and as SVG"), Menu::file,
        "Ctrl+Shift+E", open, [](MainWindow& w) { w.copyPicture(); }},
    {"file.reload", QT_TR_NOOP("Reloa&d"), QT_TR_NOOP("Reads the files of the open recordings again; the view stays"),
        Menu::file, "Ctrl+Shift+R", [](State s) { return !s.busy && s.recordings > 0; },
        [](MainWindow& w) { w.reloadAll(); }},
    {"file.close-a", QT_TR_NOOP("&Close A"), QT_TR_NOOP("Closes the upper recording; the lower one takes its place"),
        Menu::file, "Ctrl+W", open, [](MainWindow& w) { w.session().close(0); }, nullptr, true},
    {"file.close-b", QT_TR_NOOP("C&lose B"), QT_TR_NOOP("Closes the lower recording"), Menu::file, "Ctrl+Shift+W", two,
        [](MainWindow& w) { w.session().close(1); }},
    {"file.quit", QT_TR_NOOP("&Quit"), QT_TR_NOOP("Ends Lanescope"), Menu::file, "Ctrl+Q", nullptr,
        [](MainWindow& w) { w.close(); }, nullptr, true},

    {"edit.copy-details", QT_TR_NOOP("&Copy details"), QT_TR_NOOP("Copies all fields of the selection"), Menu::edit,
        "Ctrl+Shift+C", selected, [](MainWindow& w) { w.copyDetails(); }},
    {"edit.find", QT_TR_NOOP("&Find events"),
        QT_TR_NOOP("Searches the lanes by name, kind, lane, length, bytes or start"), Menu::edit, "Ctrl+F", open,
        [](MainWindow& w) { w.timeline().openSearch(); }},
    {"edit.filter", QT_TR_NOOP("F&ilter the table of events"), QT_TR_NOOP("Goes to the table of events and its filter"),
        Menu::edit, "Ctrl+Shift+F", open, [](MainWindow& w) { w.filterEvents(); }},
    {"edit.clear", QT_TR_NOOP("C&lear the selection"), 
        QT_TR_NOOP("Selects nothing: no event, no range; the keyboard goes to the timeline. Before that it stops playing, leaves the steps and the full screen"),
        Menu::edit, "Esc", open,
        [](MainWindow& w) { w.clearSelection(); }, nullptr, false, TimelineAction::clear},

    {"edit.range-end-later", QT_TR_NOOP("Range's &end to the next edge"),
        QT_TR_NOOP("Moves the end of the selected range to the next start or end of an event; first selects one"),
        Menu::edit, "", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::rangeEndLater); }, nullptr, true,
        TimelineAction::rangeEndLater},
    {"edit.range-end-earlier", QT_TR_NOOP("Range's en&d to the edge before"),
        QT_TR_NOOP("Moves the end of the selected range back to the start or end of an event"), Menu::edit, "", ranged,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::rangeEndEarlier); }, nullptr, false,
        TimelineAction::rangeEndEarlier},
    {"edit.range-start-later", QT_TR_NOOP("Range's &start to the next edge"),
        QT_TR_NOOP("Moves the start of the selected range to the next start or end of an event"), Menu::edit, "",
        ranged, [](MainWindow& w) { w.timeline().perform(TimelineAction::rangeStartLater); }, nullptr, false,
        TimelineAction::rangeStartLater},
    {"edit.range-start-earlier", QT_TR_NOOP("Range's s&tart to the edge before"),
        QT_TR_NOOP("Moves the start of the selected range back to the start or end of an event"), Menu::edit, "", ranged,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::rangeStartEarlier); }, nullptr, false,
        TimelineAction::rangeStartEarlier},

    {"view.fit", QT_TR_NOOP("&Fit all"), QT_TR_NOOP("Shows the recordings from start to end"), Menu::view, "Ctrl+0; Home; 0",
        fittable, [](MainWindow& w) { w.timeline().perform(TimelineAction::showAll); }, nullptr, false,
        TimelineAction::showAll},
    {"view.focus", QT_TR_NOOP("Fo&cus the selection"),
        QT_TR_NOOP("Brings the selection to the middle; again: zooms to it"), Menu::view, "F",
        [](State s) { return s.selection || s.range; },
        [](MainWindow& w) { w.timeline().perform(TimelineAction::focusSelection); }, nullptr, false,
        TimelineAction::focusSelection},
    {"view.zoom-in", QT_TR_NOOP("Zoom &in"), QT_TR_NOOP("Zooms in at the mouse, else in the middle"), Menu::view,
        "Ctrl++; Ctrl+=", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::zoomIn); }, nullptr, false,
        TimelineAction::zoomIn},
    {"view.zoom-out", QT_TR_NOOP("Zoom &out"), QT_TR_NOOP("Zooms out at the mouse, else in the middle"), Menu::view,
        "Ctrl+-", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::zoomOut); }, nullptr, false,
        TimelineAction::zoomOut},
    {"view.left", QT_TR_NOOP("Pan &left"), QT_TR_NOOP("Moves towards the start"), Menu::view, "", open,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::panLeft); }, nullptr, false, TimelineAction::panLeft},
    {"view.right", QT_TR_NOOP("Pan &right"), QT_TR_NOOP("Moves towards the end"), Menu::view, "", open,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::panRight); }, nullptr, false,
        TimelineAction::panRight},
    {"view.up", QT_TR_NOOP("Lanes &up"), QT_TR_NOOP("Scrolls the lanes"), Menu::view, "", open,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::scrollUp); }, nullptr, false,
        TimelineAction::scrollUp},
    {"view.down", QT_TR_NOOP("Lanes &down"), QT_TR_NOOP("Scrolls the lanes"), Menu::view, "", open,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::scrollDown); }, nullptr, false,
        TimelineAction::scrollDown},
    {"view.to-range", QT_TR_NOOP("&Zoom to the range"), QT_TR_NOOP("Shows the selected range of time and no more"),
        Menu::view, "", [](State s) { return s.range; },
        [](MainWindow& w) { w.timeline().perform(TimelineAction::zoomToRange); }, nullptr, false,
        TimelineAction::zoomToRange},
    {"view.back", QT_TR_NOOP("&Previous view"), QT_TR_NOOP("Goes back to what was shown before the last jump or zoom"),
        Menu::view, "Alt+Left", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::previousView); },
        nullptr, false, TimelineAction::previousView},
    {"view.forward", QT_TR_NOOP("Ne&xt view"), QT_TR_NOOP("Goes forward again to what was shown before going back"),
        Menu::view, "Alt+Right", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::nextView); }, nullptr,
        false, TimelineAction::nextView},
    {"view.arrows", QT_TR_NOOP("&All arrows"),
        QT_TR_NOOP("Shows what belongs together for everything in sight, not for the selection alone"), Menu::view, "",
        open, [](MainWindow& w) { w.timeline().perform(TimelineAction::allArrows); },
        [](State s) { return s.allArrows; }, false, TimelineAction::allArrows},
    {"view.side", QT_TR_NOOP("&Workloads and parameters"), QT_TR_NOOP("Shows or hides the column on the left"),
        Menu::view, "Ctrl+B", nullptr, [](MainWindow& w) { w.toggleSideColumn(); },
        [](State s) { return s.sideColumn; }, true},
    {"view.panels", QT_TR_NOOP("Pan&els below"), QT_TR_NOOP("Shows or hides findings, statistics, events and details"),
        Menu::view, "Ctrl+J", nullptr, [](MainWindow& w) { w.toggleLowerPanels(); },
        [](State s) { return s.lowerPanels; }},

    {"view.full-screen", QT_TR_NOOP("Full &screen"),
        QT_TR_NOOP("Title, lanes and text alone, large, for a lecture hall; Esc leaves it"), Menu::view, "F11", open,
        [](MainWindow& w) { w.toggleFullScreen(); }, [](State s) { return s.fullScreen; }},

    {"view.frame-times", QT_TR_NOOP("Frame ti&mes"), QT_TR_NOOP("Shows how long repaints take and what is drawn"),
        Menu::view, "F12", open, [](MainWindow& w) { w.toggleFrameTimes(); },
        [](State s) { return s.frameTimes; }},

    {"lanes.pin", QT_TR_NOOP("&Pin"), QT_TR_NOOP("Keeps the lane at the top while the others scroll; again: lets it go"),
        Menu::lanes, "", lane, [](MainWindow& w) { w.timeline().perform(TimelineAction::pinLane); },
        [](State s) { return s.lanePinned; }, false, TimelineAction::pinLane},
    {"lanes.collapse", QT_TR_NOOP("&Collapse"),
        QT_TR_NOOP("Makes the lane one thin row, or all lanes of a GPU; again: expands it"), Menu::lanes, "", lane,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::collapseLane); },
        [](State s) { return s.laneCollapsed; }, false, TimelineAction::collapseLane},
    {"lanes.hide", QT_TR_NOOP("&Hide"), QT_TR_NOOP("Hides the lane until hidden lanes are shown again"), Menu::lanes,
        "", lane, [](MainWindow& w) { w.timeline().perform(TimelineAction::hideLane); }, nullptr, false,
        TimelineAction::hideLane},
    {"lanes.up", QT_TR_NOOP("Move &up"), QT_TR_NOOP("Puts the lane before the one above it"), Menu::lanes, "", lane,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::laneUp); }, nullptr, false, TimelineAction::laneUp},
    {"lanes.down", QT_TR_NOOP("Move &down"), QT_TR_NOOP("Puts the lane behind the one below it"), Menu::lanes, "",
        lane, [](MainWindow& w) { w.timeline().perform(TimelineAction::laneDown); }, nullptr, false,
        TimelineAction::laneDown},
    {"lanes.group-by-engine", QT_TR_NOOP("&Group by engine"),
        QT_TR_NOOP("One lane for each copy engine and the SMs of a GPU; again: one for each stream"), Menu::lanes, "",
        open, [](MainWindow& w) { w.timeline().perform(TimelineAction::groupByEngine); },
        [](State s) { return s.lanesByEngine; }, true, TimelineAction::groupByEngine},
    {"lanes.filter", QT_TR_NOOP("&Filter…"), QT_TR_NOOP("Shows only the events that match: by name, kind, stream, thread, length"),
        Menu::lanes, "Ctrl+Shift+L", open, [](MainWindow& w) { w.timeline().openFilter(); }},
    {"lanes.clear-filter", QT_TR_NOOP("C&lear the filter"), QT_TR_NOOP("Shows all events again"), Menu::lanes, "",
        [](State s) { return s.lanesFiltered; }, [](MainWindow& w) { w.timeline().clearFilter(); }},
    {"lanes.collapse-all", QT_TR_NOOP("Collapse or expand &all"),
        QT_TR_NOOP("Makes every lane one thin row; expands them if all are"), Menu::lanes, "", open,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::collapseLanes); }, nullptr, true,
        TimelineAction::collapseLanes},
    {"lanes.show-hidden", QT_TR_NOOP("&Show the hidden lanes"), QT_TR_NOOP("Shows the lanes that were hidden"),
        Menu::lanes, "", [](State s) { return s.lanesHidden; },
        [](MainWindow& w) { w.timeline().perform(TimelineAction::showHiddenLanes); }, nullptr, false,
        TimelineAction::showHiddenLanes},
    {"lanes.reset", QT_TR_NOOP("&Reset the lanes"),
        QT_TR_NOOP("Shows all lanes as they were recorded: none hidden, pinned, collapsed or moved"), Menu::lanes, "",
        [](State s) { return s.lanesArranged; },
        [](MainWindow& w) { w.timeline().perform(TimelineAction::resetLanes); }, nullptr, false,
        TimelineAction::resetLanes},

    {"theme.system", QT_TR_NOOP("As the &desktop"), QT_TR_NOOP("Dark or light, as the desktop is"), Menu::theme, "",
        nullptr, [](MainWindow& w) { w.setTheme(QStringLiteral("system")); },
        [](State s) { return s.theme == QLatin1String("system"); }},
    {"theme.dark", QT_TR_NOOP("Dar&k"), QT_TR_NOOP("Light on dark"), Menu::theme, "", nullptr,
        [](MainWindow& w) { w.setTheme(QStringLiteral("dark")); },
        [](State s) { return s.theme == QLatin1String("dark"); }},
    {"theme.light", QT_TR_NOOP("&Light"), QT_TR_NOOP("Dark on light"), Menu::theme, "", nullptr,
        [](MainWindow& w) { w.setTheme(QStringLiteral("light")); },
        [](State s) { return s.theme == QLatin1String("light"); }},

    {"language.en", QT_TR_NOOP("&English"), QT_TR_NOOP("The window in English"), Menu::language, "", idle,
        [](MainWindow& w) { w.setLanguage(QStringLiteral("en")); },
        [](State s) { return s.language == QLatin1String("en"); }},
    {"language.zh", QT_TR_NOOP("&Chinese (中文)"), QT_TR_NOOP("The window in Chinese"), Menu::language, "", idle,
        [](MainWindow& w) { w.setLanguage(QStringLiteral("zh_CN")); },
        [](State s) { return s.language == QLatin1String("zh_CN"); }},

    {"go.next", QT_TR_NOOP("&Next in the lane"),
        QT_TR_NOOP("Selects the next event of the lane; the first if nothing is selected"), Menu::go, ".", open,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::nextItem); }, nullptr, false,
        TimelineAction::nextItem},
    {"go.previous", QT_TR_NOOP("&Previous in the lane"), QT_TR_NOOP("Selects the event before it in the lane"),
        Menu::go, ",", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::previousItem); }, nullptr, false,
        TimelineAction::previousItem},
    {"go.operation", QT_TR_NOOP("To the GPU &operation"),
        QT_TR_NOOP("From an API call to the operation that it issued, or that released it"), Menu::go, "]", selected,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::goToEffect); }, nullptr, false,
        TimelineAction::goToEffect},
    {"go.call", QT_TR_NOOP("To the API &call"), QT_TR_NOOP("From an operation to the API call that issued it"),
        Menu::go, "[", selected, [](MainWindow& w) { w.timeline().perform(TimelineAction::goToCause); }, nullptr, false,
        TimelineAction::goToCause},
    {"go.next-hit", QT_TR_NOOP("Ne&xt hit"), QT_TR_NOOP("Selects the next event that the search found"), Menu::go, "F3",
        open, [](MainWindow& w) { w.timeline().goToHit(1); }, nullptr, true},
    {"go.previous-hit", QT_TR_NOOP("P&revious hit"), QT_TR_NOOP("Selects the event before it that the search found"),
        Menu::go, "Shift+F3", open, [](MainWindow& w) { w.timeline().goToHit(-1); }},
    {"go.mark", QT_TR_NOOP("Set a &mark"), QT_TR_NOOP("Marks the time at the mouse, or the selection's start, with a text"),
        Menu::go, "", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::setMark); }, nullptr, true,
        TimelineAction::setMark},
    {"go.next-mark", QT_TR_NOOP("Next m&ark"), QT_TR_NOOP("Brings the next mark into sight"), Menu::go, "", marked,
        [](MainWindow& w) { w.timeline().perform(TimelineAction::nextMark); }, nullptr, false, TimelineAction::nextMark},
    {"go.previous-mark", QT_TR_NOOP("Previous mar&k"), QT_TR_NOOP("Brings the mark before it into sight"), Menu::go, "",
        marked, [](MainWindow& w) { w.timeline().perform(TimelineAction::previousMark); }, nullptr, false,
        TimelineAction::previousMark},
    {"go.remove-mark", QT_TR_NOOP("Remo&ve the mark"), QT_TR_NOOP("Removes the mark that was set or gone to last"),
        Menu::go, "", marked, [](MainWindow& w) { w.timeline().perform(TimelineAction::removeMark); }, nullptr, false,
        TimelineAction::removeMark},
    {"go.findings", QT_TR_NOOP("&Findings"), QT_TR_NOOP("What cost time"), Menu::go, "Ctrl+1", nullptr,
        [](MainWindow& w) { w.showPanel(0); }, nullptr, true},
    {"go.statistics", QT_TR_NOOP("&Statistics"), QT_TR_NOOP("Busy, overlap, hidden copies, blocked time"), Menu::go,
        "Ctrl+2", nullptr, [](MainWindow& w) { w.showPanel(1); }},
    {"go.events", QT_TR_NOOP("&Events"), QT_TR_NOOP("The table of API calls and GPU operations"), Menu::go, "Ctrl+3",
        nullptr, [](MainWindow& w) { w.showPanel(2); }},
    {"go.details", QT_TR_NOOP("&Details"), QT_TR_NOOP("All fields of the selection"), Menu::go, "Ctrl+4", nullptr,
        [](MainWindow& w) { w.showPanel(3); }},
    {"go.lesson", QT_TR_NOOP("&Lesson"), QT_TR_NOOP("What to look at, why it is so, the rule to remember"), Menu::go,
        "Ctrl+5", nullptr, [](MainWindow& w) { w.showPanel(4); }},
    {"go.variants", QT_TR_NOOP("Var&iants"), QT_TR_NOOP("All variants of the workload beside one another"), Menu::go,
        "Ctrl+6", nullptr, [](MainWindow& w) { w.showVariants(); }},
    {"go.workloads", QT_TR_NOOP("&Workloads"), QT_TR_NOOP("Puts the keyboard into the list of workloads"), Menu::go,
        "Ctrl+L", nullptr, [](MainWindow& w) { w.focusWorkloads(); }, nullptr, true},
    {"go.timeline", QT_TR_NOOP("&Timeline"), QT_TR_NOOP("Puts the keyboard into the timeline"), Menu::go, "Ctrl+T",
        open, [](MainWindow& w) { w.focusTimeline(); }},

    {"compare.swap", QT_TR_NOOP("S&wap A and B"), QT_TR_NOOP("Puts the lower recording above the other"), Menu::compare,
        "Ctrl+Shift+B", two, [](MainWindow& w) { w.session().swap(); }},
    {"compare.reference-a", QT_TR_NOOP("Against &A"), QT_TR_NOOP("Differences and verdict say how B differs from A"),
        Menu::compare, "Ctrl+Shift+1", two, [](MainWindow& w) { w.setReference(0); },
        [](State s) { return s.reference == 0; }},
    {"compare.reference-b", QT_TR_NOOP("Against &B"), QT_TR_NOOP("Differences and verdict say how A differs from B"),
        Menu::compare, "Ctrl+Shift+2", two, [](MainWindow& w) { w.setReference(1); },
        [](State s) { return s.reference == 1; }},
    {"compare.align-here", QT_TR_NOOP("Align at the &selection or mark"),
        QT_TR_NOOP("Takes the start of what is selected, or else the last mark, as this recording's anchor; anchors lie under one another"),
        Menu::compare, "Ctrl+Shift+A", [](State s) { return s.recordings > 1 && (s.selection || s.range || s.mark); },
        [](MainWindow& w) { w.alignHere(); }, nullptr, true},
    {"compare.align-name", QT_TR_NOOP("Align at a &name…"),
        QT_TR_NOOP("Puts marks of the same text, or the n-th occurrence of a name, of both recordings under one another"), Menu::compare,
        "Ctrl+Shift+N", two, [](MainWindow& w) { w.alignAtName(); }},
    {"compare.align-starts", QT_TR_NOOP("Align at the s&tarts"), QT_TR_NOOP("Both recordings begin together again"),
        Menu::compare, "Ctrl+Shift+Home", [](State s) { return s.recordings > 1 && s.aligned; },
        [](MainWindow& w) { w.alignStarts(); }},

    {"lesson.gallery", QT_TR_NOOP("&Gallery"),
        QT_TR_NOOP("Shows a card for every workload, each with a picture of its lanes; again: back to the timeline"),
        Menu::lesson, "Ctrl+G", nullptr, [](MainWindow& w) { w.showGallery(!w.galleryShown()); },
        [](State s) { return s.gallery; }},
    {"lesson.expect", QT_TR_NOOP("&Ask what I expect first"),
        QT_TR_NOOP("A lesson asks how long its second run takes before it shows the lanes, and says how near that was"),
        Menu::lesson, "Ctrl+Shift+G", nullptr, [](MainWindow& w) { w.setAsking(!w.state().asking); },
        [](State s) { return s.asking; }},
    {"lesson.step-through", QT_TR_NOOP("&Step through the run"),
        QT_TR_NOOP("A line moves through the run and the bar says what happens at each step; its code is lit"),
        Menu::lesson, "F7", open, [](MainWindow& w) { w.stepThrough().setOn(!w.stepThrough().isOn()); },
        [](State s) { return s.stepping; }, true},
    {"lesson.play", QT_TR_NOOP("&Play"), QT_TR_NOOP("Plays the run at the chosen speed; again: pauses"), Menu::lesson,
        "F9", open, [](MainWindow& w) { w.stepThrough().setPlaying(!w.stepThrough().isPlaying()); },
        [](State s) { return s.playing; }},
    {"lesson.step-forward", QT_TR_NOOP("Step &forward"), QT_TR_NOOP("To the next thing that happens in the run"),
        Menu::lesson, "F10", open, [](MainWindow& w) { w.stepThrough().step(1); }},
    {"lesson.step-back", QT_TR_NOOP("Step &back"), QT_TR_NOOP("To what happened before it"), Menu::lesson, "F8", open,
        [](MainWindow& w) { w.stepThrough().step(-1); }},
    {"lesson.faster", QT_TR_NOOP("Fas&ter"), QT_TR_NOOP("Plays faster"), Menu::lesson, "Ctrl+F10", open,
        [](MainWindow& w) { w.stepThrough().setSpeed(w.stepThrough().speed() + 1); }},
    {"lesson.slower", QT_TR_NOOP("Slo&wer"), QT_TR_NOOP("Plays slower"), Menu::lesson, "Ctrl+F8", open,
        [](MainWindow& w) { w.stepThrough().setSpeed(w.stepThrough().speed() - 1); }},

    {"run.run", QT_TR_NOOP("&Run"), QT_TR_NOOP("Runs the chosen variants on the chosen device, A above B"), Menu::run,
        "Ctrl+R; F5", [](State s) { return s.runnable && !s.busy; }, [](MainWindow& w) { w.run(); }},
    {"run.all", QT_TR_NOOP("Run all &variants"),
        QT_TR_NOOP("Runs every variant of the workload on the chosen device, one after the other, and compares them"), Menu::run,
        "Ctrl+F5", [](State s) { return s.variants && s.runnable && !s.busy; }, [](MainWindow& w) { w.runAll(); }},
    {"run.again", QT_TR_NOOP("Run again &beside"),
        QT_TR_NOOP("Runs the active recording's variant with the parameters as they are now, under what it was before"),
        Menu::run, "Shift+F5", [](State s) { return s.repeatable && s.runnable && !s.busy; },
        [](MainWindow& w) { w.runAgain(); }},
    {"run.live", QT_TR_NOOP("&Live knobs"),
        QT_TR_NOOP("A run on the model follows its parameters while they are changed"), Menu::run, "Ctrl+Shift+K",
        nullptr, [](MainWindow& w) { w.toggleLiveKnobs(); }, [](State s) { return s.liveKnobs; }},
    {"run.cancel", QT_TR_NOOP("&Cancel"), QT_TR_NOOP("Stops the run or the opening that is under way"), Menu::run,
        "Ctrl+Shift+X", busy, [](MainWindow& w) { w.cancel(); }},
    {"run.edit", QT_TR_NOOP("&Edit the workload"),
        QT_TR_NOOP("Shows the workload's text: what is wrong in it stands at its line, what is right can run at once"),
        Menu::run, "Ctrl+Shift+Y", [](State s) { return s.workload || s.editor; }, [](MainWindow& w) { w.toggleEditor(); },
        [](State s) { return s.editor; }, true},
    {"run.save", QT_TR_NOOP("&Save the workload"),
        QT_TR_NOOP("Writes the workload's text to its file; what came with Lanescope to a file of your own"), Menu::run,
        "Ctrl+Alt+S", [](State s) { return s.sourceChanged; }, [](MainWindow& w) { w.saveWorkload(); }},
    {"run.save-as", QT_TR_NOOP("Save the workload &as…"), QT_TR_NOOP("Writes the workload's text to a file of your own"),
        Menu::run, "Ctrl+Alt+Shift+S", [](State s) { return s.source; }, [](MainWindow& w) { w.saveWorkloadAs(); }},
    {"run.revert", QT_TR_NOOP("&Take back the changes…"),
        QT_TR_NOOP("Shows the workload's text as its file has it; asks before"), Menu::run, "",
        [](State s) { return s.sourceChanged; }, [](MainWindow& w) { w.revertWorkload(); }},
    {"run.forget", QT_TR_NOOP("Take it &off the list"),
        QT_TR_NOOP("Takes a workload of your own off the list; its file stays"), Menu::run, "",
        [](State s) { return s.ownWorkload && !s.sourceChanged; }, [](MainWindow& w) { w.forgetWorkload(); }},

    {"help.keys", QT_TR_NOOP("All &keys"), QT_TR_NOOP("Every command, its keys, and what the mouse does"), Menu::help,
        "?; F1", nullptr, [](MainWindow& w) { w.showKeys(); }},
    {"help.about", QT_TR_NOOP("&About Lanescope"), QT_TR_NOOP("Version and licence"), Menu::help, "", nullptr,
        [](MainWindow& w) { w.showAbout(); }},
};

const std::vector<MouseHelp> mouse {
    {QT_TR_NOOP("Wheel"), QT_TR_NOOP("scrolls the lanes")},
    {QT_TR_NOOP("Ctrl + wheel"), QT_TR_NOOP("zooms at the cursor")},
    {QT_TR_NOOP("Shift + wheel, Shift + drag"), QT_TR_NOOP("pans")},
    {QT_TR_NOOP("Click"), QT_TR_NOOP("selects an event")},
    {QT_TR_NOOP("Double click"), QT_TR_NOOP("zooms to an event")},
    {QT_TR_NOOP("Drag a lane's name"), QT_TR_NOOP("moves the lane")},
    {QT_TR_NOOP("Click a lane's triangle, double click its name"), QT_TR_NOOP("collapses or expands the lane")},
    {QT_TR_NOOP("Right click a lane's name"), QT_TR_NOOP("opens the menu of lanes")},
    {QT_TR_NOOP("Drag"), QT_TR_NOOP("selects a range of time from edge to edge and shows its figures; an edge of it: moves it")},
    {QT_TR_NOOP("Alt + drag"), QT_TR_NOOP("selects a range without snapping to edges")},
    {QT_TR_NOOP("Click, double click a mark"), QT_TR_NOOP("goes to it, edits its text")},
    {QT_TR_NOOP("Click a label at the edge"), QT_TR_NOOP("follows the arrow to what is out of sight")},
    {QT_TR_NOOP("Ctrl + drag, middle drag"), QT_TR_NOOP("zooms to the box")},
};

}  // namespace

const std::vector<Command>& commandTable()
{
    return table;
}

QString commandText(const Command& command)
{
    return tr(command.text);
}

QString plainCommandText(const Command& command)
{
    QString text = commandText(command);
    if (const qsizetype bracket = text.indexOf(QLatin1String("(&")); bracket > 0) {
        text.remove(bracket, 4);  // Chinese menus carry the mnemonic behind the text
    }
    return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

QString commandTip(const Command& command)
{
    return tr(command.tip);
}

QString menuText(Menu menu)
{
    switch (menu) {
    case Menu::file:
        return tr("&File");
    case Menu::edit:
        return tr("&Edit");
    case Menu::view:
        return tr("&View");
    case Menu::lanes:
        return tr("La&nes");
    case Menu::theme:
        return tr("&Theme");
    case Menu::language:
        return tr("Lan&guage");
    case Menu::go:
        return tr("&Go");
    case Menu::compare:
        return tr("&Compare");
    case Menu::lesson:
        return tr("&Lesson");
    case Menu::run:
        return tr("&Run");
    case Menu::help:
        return tr("&Help");
    }
    return {};
}

QList<QKeySequence> windowKeys(const Command& command)
{
    QList<QKeySequence> keys;
    for (const QString& key : QString::fromLatin1(command.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts)) {
        keys += QKeySequence(key, QKeySequence::PortableText);
    }
    return keys;
}

QList<QKeySequence> timelineKeys(const Command& command)
{
    if (command.timeline) {
        for (const TimelineActionInfo& info : timelineActions()) {
            if (info.action == *command.timeline) {
                return info.keys;
            }
        }
    }
    return {};
}

QString keysText(const Command& command)
{
    QStringList texts;
    for (const QKeySequence& key : windowKeys(command) + timelineKeys(command)) {
        if (const QString text = key.toString(QKeySequence::NativeText); !texts.contains(text)) {
            texts += text;
        }
    }
    return texts.join(QStringLiteral(", "));
}

QString tooltipOf(const Command& command)
{
    const QString keys = keysText(command);
    return keys.isEmpty() ? commandTip(command) : QStringLiteral("%1 (%2)").arg(commandTip(command), keys);
}

const std::vector<MouseHelp>& mouseHelp()
{
    return mouse;
}

QString mouseText(const char* source)
{
    return tr(source);
}

}  // namespace lanes::gui
