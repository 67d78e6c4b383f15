// SPDX-License-Identifier: MIT
#include "gui/app/commands.h"

#include "gui/app/main_window.h"
#include "gui/timeline/comparison_view.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

constexpr auto context = "commands";
using State = const WindowState&;

constexpr auto idle = [](State state) { return !state.busy; };
constexpr auto busy = [](State state) { return state.busy; };
constexpr auto open = [](State state) { return state.recordings > 0; };
constexpr auto two = [](State state) { return state.recordings > 1; };
constexpr auto selected = [](State state) { return state.selection; };

#define LANES_TEXT(text) QT_TRANSLATE_NOOP("commands", text)

// Keys are in the portable form of QKeySequence. A key that a list or a table needs itself (arrows, Home, letters)
// is the timeline's alone: see timelineActions().
const std::vector<Command> table{
    {"file.open", LANES_TEXT("&Open…"), LANES_TEXT("Opens a recording or a workload; a second recording goes under the first"),
     Menu::file, "Ctrl+O", idle, [](MainWindow& w) { w.chooseFiles(); }},
    {"file.save-a", LANES_TEXT("&Save A as…"), LANES_TEXT("Saves the upper recording: .sqlite, .json, .json.gz or .csv"),
     Menu::file, "Ctrl+S", [](State s) { return !s.busy && s.recordings > 0; }, [](MainWindow& w) { w.chooseSave(0); }, nullptr, true},
    {"file.save-b", LANES_TEXT("Save &B as…"), LANES_TEXT("Saves the lower recording: .sqlite, .json, .json.gz or .csv"),
     Menu::file, "Ctrl+Shift+S", [](State s) { return !s.busy && s.recordings > 1; }, [](MainWindow& w) { w.chooseSave(1); }},
    {"file.export", LANES_TEXT("&Export picture…"), LANES_TEXT("Writes what the timeline shows as PNG, SVG or PDF"),
     Menu::file, "Ctrl+E", open, [](MainWindow& w) { w.chooseExport(); }},
    {"file.close-a", LANES_TEXT("&Close A"), LANES_TEXT("Closes the upper recording; the lower one takes its place"),
     Menu::file, "Ctrl+W", open, [](MainWindow& w) { w.session().close(0); }, nullptr, true},
    {"file.close-b", LANES_TEXT("C&lose B"), LANES_TEXT("Closes the lower recording"),
     Menu::file, "Ctrl+Shift+W", two, [](MainWindow& w) { w.session().close(1); }},
    {"file.quit", LANES_TEXT("&Quit"), LANES_TEXT("Ends Lanescope"),
     Menu::file, "Ctrl+Q", nullptr, [](MainWindow& w) { w.close(); }, nullptr, true},

    {"edit.copy-details", LANES_TEXT("&Copy details"), LANES_TEXT("Copies all fields of the selection"),
     Menu::edit, "Ctrl+Shift+C", selected, [](MainWindow& w) { w.copyDetails(); }},
    {"edit.find", LANES_TEXT("&Find an event"), LANES_TEXT("Goes to the table of events and its filter"),
     Menu::edit, "Ctrl+F", open, [](MainWindow& w) { w.findEvent(); }},
    {"edit.clear", LANES_TEXT("C&lear the selection"), LANES_TEXT("Selects nothing: no event, no range"),
     Menu::edit, "Esc", [](State s) { return s.selection || s.range; }, [](MainWindow& w) { w.timeline().perform(TimelineAction::clear); }, nullptr, false, TimelineAction::clear},

    {"view.fit", LANES_TEXT("&Fit all"), LANES_TEXT("Shows the recordings from start to end"),
     Menu::view, "Ctrl+0", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::showAll); }, nullptr, false, TimelineAction::showAll},
    {"view.focus", LANES_TEXT("F&ocus the selection"), LANES_TEXT("Brings the selection to the middle; again: zooms to it"),
     Menu::view, "F", [](State s) { return s.selection || s.range; }, [](MainWindow& w) { w.timeline().perform(TimelineAction::focusSelection); }, nullptr, false, TimelineAction::focusSelection},
    {"view.zoom-in", LANES_TEXT("Zoom &in"), LANES_TEXT("Zooms in at the mouse, else in the middle"),
     Menu::view, "Ctrl++; Ctrl+=", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::zoomIn); }, nullptr, false, TimelineAction::zoomIn},
    {"view.zoom-out", LANES_TEXT("Zoom o&ut"), LANES_TEXT("Zooms out at the mouse, else in the middle"),
     Menu::view, "Ctrl+-", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::zoomOut); }, nullptr, false, TimelineAction::zoomOut},
    {"view.left", LANES_TEXT("Pan &left"), LANES_TEXT("Moves towards the start"),
     Menu::view, "", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::panLeft); }, nullptr, false, TimelineAction::panLeft},
    {"view.right", LANES_TEXT("Pan &right"), LANES_TEXT("Moves towards the end"),
     Menu::view, "", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::panRight); }, nullptr, false, TimelineAction::panRight},
    {"view.up", LANES_TEXT("Lanes &up"), LANES_TEXT("Scrolls the lanes"),
     Menu::view, "", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::scrollUp); }, nullptr, false, TimelineAction::scrollUp},
    {"view.down", LANES_TEXT("Lanes &down"), LANES_TEXT("Scrolls the lanes"),
     Menu::view, "", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::scrollDown); }, nullptr, false, TimelineAction::scrollDown},
    {"view.to-range", LANES_TEXT("&Zoom to the range"), LANES_TEXT("Shows the selected range of time and no more"),
     Menu::view, "", [](State s) { return s.range; }, [](MainWindow& w) { w.timeline().perform(TimelineAction::zoomToRange); }, nullptr, false, TimelineAction::zoomToRange},
    {"view.back", LANES_TEXT("&Previous view"), LANES_TEXT("Goes back to what was shown before the last jump or zoom"),
     Menu::view, "Alt+Left", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::previousView); }, nullptr, false, TimelineAction::previousView},
    {"view.side", LANES_TEXT("&Workloads and parameters"), LANES_TEXT("Shows or hides the column on the left"),
     Menu::view, "Ctrl+B", nullptr, [](MainWindow& w) { w.toggleSideColumn(); }, [](State s) { return s.sideColumn; }, true},
    {"view.panels", LANES_TEXT("Pane&ls below"), LANES_TEXT("Shows or hides findings, statistics, events and details"),
     Menu::view, "Ctrl+J", nullptr, [](MainWindow& w) { w.toggleLowerPanels(); }, [](State s) { return s.lowerPanels; }},

    {"theme.system", LANES_TEXT("As the &desktop"), LANES_TEXT("Dark or light, as the desktop is"),
     Menu::theme, "", nullptr, [](MainWindow& w) { w.setTheme(QStringLiteral("system")); }, [](State s) { return s.theme == QLatin1String("system"); }},
    {"theme.dark", LANES_TEXT("Dar&k"), LANES_TEXT("Light on dark"),
     Menu::theme, "", nullptr, [](MainWindow& w) { w.setTheme(QStringLiteral("dark")); }, [](State s) { return s.theme == QLatin1String("dark"); }},
    {"theme.light", LANES_TEXT("&Light"), LANES_TEXT("Dark on light"),
     Menu::theme, "", nullptr, [](MainWindow& w) { w.setTheme(QStringLiteral("light")); }, [](State s) { return s.theme == QLatin1String("light"); }},

    {"language.en", LANES_TEXT("&English"), LANES_TEXT("The window in English"),
     Menu::language, "", idle, [](MainWindow& w) { w.setLanguage(QStringLiteral("en")); }, [](State s) { return s.language == QLatin1String("en"); }},
    {"language.zh", LANES_TEXT("&Chinese (中文)"), LANES_TEXT("The window in Chinese"),
     Menu::language, "", idle, [](MainWindow& w) { w.setLanguage(QStringLiteral("zh_CN")); }, [](State s) { return s.language == QLatin1String("zh_CN"); }},

    {"go.next", LANES_TEXT("&Next in the lane"), LANES_TEXT("Selects the next event of the lane; the first if nothing is selected"),
     Menu::go, ".", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::nextItem); }, nullptr, false, TimelineAction::nextItem},
    {"go.previous", LANES_TEXT("&Previous in the lane"), LANES_TEXT("Selects the event before it in the lane"),
     Menu::go, ",", open, [](MainWindow& w) { w.timeline().perform(TimelineAction::previousItem); }, nullptr, false, TimelineAction::previousItem},
    {"go.operation", LANES_TEXT("To the GPU &operation"), LANES_TEXT("From an API call to the operation that it issued, or that released it"),
     Menu::go, "]", selected, [](MainWindow& w) { w.timeline().perform(TimelineAction::goToEffect); }, nullptr, false, TimelineAction::goToEffect},
    {"go.call", LANES_TEXT("To the API &call"), LANES_TEXT("From an operation to the API call that issued it"),
     Menu::go, "[", selected, [](MainWindow& w) { w.timeline().perform(TimelineAction::goToCause); }, nullptr, false, TimelineAction::goToCause},
    {"go.findings", LANES_TEXT("&Findings"), LANES_TEXT("What cost time"),
     Menu::go, "Ctrl+1", nullptr, [](MainWindow& w) { w.showPanel(0); }, nullptr, true},
    {"go.statistics", LANES_TEXT("&Statistics"), LANES_TEXT("Busy, overlap, hidden copies, blocked time"),
     Menu::go, "Ctrl+2", nullptr, [](MainWindow& w) { w.showPanel(1); }},
    {"go.events", LANES_TEXT("&Events"), LANES_TEXT("The table of API calls and GPU operations"),
     Menu::go, "Ctrl+3", nullptr, [](MainWindow& w) { w.showPanel(2); }},
    {"go.details", LANES_TEXT("&Details"), LANES_TEXT("All fields of the selection"),
     Menu::go, "Ctrl+4", nullptr, [](MainWindow& w) { w.showPanel(3); }},
    {"go.workloads", LANES_TEXT("&Workloads"), LANES_TEXT("Puts the keyboard into the list of workloads"),
     Menu::go, "Ctrl+L", nullptr, [](MainWindow& w) { w.focusWorkloads(); }, nullptr, true},
    {"go.timeline", LANES_TEXT("&Timeline"), LANES_TEXT("Puts the keyboard into the timeline"),
     Menu::go, "Ctrl+T", open, [](MainWindow& w) { w.focusTimeline(); }},

    {"run.run", LANES_TEXT("&Run"), LANES_TEXT("Runs the chosen variants on the chosen device, A above B"),
     Menu::run, "Ctrl+R; F5", [](State s) { return s.runnable && !s.busy; }, [](MainWindow& w) { w.run(); }},
    {"run.cancel", LANES_TEXT("&Cancel"), LANES_TEXT("Stops the run or the opening that is under way"),
     Menu::run, "Ctrl+Shift+X", busy, [](MainWindow& w) { w.cancel(); }},
    {"run.swap", LANES_TEXT("S&wap A and B"), LANES_TEXT("Puts the lower recording above the other"),
     Menu::run, "Ctrl+Shift+B", two, [](MainWindow& w) { w.session().swap(); }, nullptr, true},

    {"help.keys", LANES_TEXT("All &keys"), LANES_TEXT("Every command, its keys, and what the mouse does"),
     Menu::help, "?; F1", nullptr, [](MainWindow& w) { w.showKeys(); }},
    {"help.about", LANES_TEXT("&About Lanescope"), LANES_TEXT("Version and licence"),
     Menu::help, "", nullptr, [](MainWindow& w) { w.showAbout(); }},
};

const std::vector<MouseHelp> mouse{
    {LANES_TEXT("Wheel"), LANES_TEXT("scrolls the lanes")},
    {LANES_TEXT("Ctrl + wheel"), LANES_TEXT("zooms at the cursor")},
    {LANES_TEXT("Shift + wheel, Shift + drag"), LANES_TEXT("pans")},
    {LANES_TEXT("Click"), LANES_TEXT("selects an event")},
    {LANES_TEXT("Double click"), LANES_TEXT("zooms to an event")},
    {LANES_TEXT("Drag"), LANES_TEXT("selects a range of time and shows its figures")},
    {LANES_TEXT("Ctrl + drag, middle drag"), LANES_TEXT("zooms to the box")},
};

#undef LANES_TEXT

}  // namespace

const std::vector<Command>& commandTable()
{
    return table;
}

QString commandText(const Command& command)
{
    return QCoreApplication::translate(context, command.text);
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
    return QCoreApplication::translate(context, command.tip);
}

QString menuText(Menu menu)
{
    switch (menu) {
    case Menu::file: return QCoreApplication::translate(context, "&File");
    case Menu::edit: return QCoreApplication::translate(context, "&Edit");
    case Menu::view: return QCoreApplication::translate(context, "&View");
    case Menu::theme: return QCoreApplication::translate(context, "&Theme");
    case Menu::language: return QCoreApplication::translate(context, "Lan&guage");
    case Menu::go: return QCoreApplication::translate(context, "&Go");
    case Menu::run: return QCoreApplication::translate(context, "&Run");
    case Menu::help: return QCoreApplication::translate(context, "&Help");
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
    return QCoreApplication::translate(context, source);
}

}  // namespace lanes::gui
