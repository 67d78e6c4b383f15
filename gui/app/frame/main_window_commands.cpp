// SPDX-License-Identifier: MIT
// The window's commands: where those of the controllers come in the menus, and those that are the window's own.
#include "gui/app/commands/command_actions.h"
#include "gui/app/commands/lane_commands.h"
#include "gui/app/compare/compare.h"
#include "gui/app/edit/workload_texts.h"
#include "gui/app/explore/annotate.h"
#include "gui/app/explore/longest_kernel.h"
#include "gui/app/explore/mark_menu.h"
#include "gui/app/explore/measure.h"
#include "gui/app/explore/operation_menu.h"
#include "gui/app/export/pictures.h"
#include "gui/app/frame/appearance.h"
#include "gui/app/frame/code_column.h"
#include "gui/app/frame/controllers.h"
#include "gui/app/frame/keys_page.h"
#include "gui/app/frame/legend_strip.h"
#include "gui/app/frame/main_window.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/app/frame/side_column.h"
#include "gui/app/frame/stage.h"
#include "gui/app/frame/status_line.h"
#include "gui/app/learn/gallery_page.h"
#include "gui/app/learn/lessons.h"
#include "gui/app/open/files.h"
#include "gui/app/open/foreign_files.h"
#include "gui/app/open/sessions.h"
#include "gui/app/record/live_recording.h"
#include "gui/app/run/runs.h"
#include "gui/app/what_if/predictions.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/details_panel.h"
#include "gui/panels/events_panel.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/comparison_view.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMessageBox>

namespace lanes::gui {

namespace {

void showAbout(QWidget* window)
{
    auto* about = new QMessageBox(window);
    about->setObjectName(QStringLiteral("about"));
    about->setAttribute(Qt::WA_DeleteOnClose);
    about->setWindowTitle(MainWindow::tr("About Lanescope"));
    about->setIconPixmap(window->windowIcon().pixmap(64, 64));
    about->setText(QStringLiteral("Lanescope %1").arg(QCoreApplication::applicationVersion()));
    about->setInformativeText(
        MainWindow::tr("Shows what the CPU and the GPU do at the same time, and whether work blocks or overlaps.\n\n"
                       "MIT licence. Made with Qt %1.")
            .arg(QLatin1String(qVersion())));
    about->open();
}

}  // namespace

/// In each menu the commands stand in the order in which they come here.
void MainWindow::fillCommands()
{
    const LaneCommands lanes(&m_workspace, m_timeline);
    m_controllers->files->addOpening(m_commands);
    m_controllers->sessions->addCommands(m_commands);
    (new Pictures(m_timeline, m_notice, [this] { return handout(); }))->addCommands(m_commands);
    (new Annotate(&m_workspace, m_timeline, m_notice))->addCommands(m_commands);
    m_controllers->files->addClosing(m_commands);
    addEditing();
    auto* measure = new Measure(&m_workspace, m_timeline);
    measure->addCommands(m_commands);
    connect(measure, &Measure::hintChanged, static_cast<StatusLine*>(statusBar()), &StatusLine::setHint);
    lanes.addRanges(m_commands);
    lanes.addViews(m_commands);
    addWindowParts();
    m_controllers->lessons->addCommands(m_commands);
    m_controllers->appearance->addCommands(m_commands);
    lanes.addLanes(m_commands);
    lanes.addPlaces(m_commands);
    (new LongestKernel(&m_workspace, this))->addCommands(m_commands);
    addPanels();
    (new Compare(&m_workspace, m_timeline))->addCommands(m_commands);
    m_controllers->predictions->addCommands(m_commands);
    m_controllers->runs->addCommands(m_commands, m_controllers->variants);
    m_controllers->recorded->addCommands(m_commands);
    m_controllers->texts->addCommands(m_commands);
    addHelp();
    m_actions->fill(m_commands);
    new OperationMenu({&m_workspace, m_timeline, m_actions, [this] { m_stage->focus(PanelName::events); },
        [this](const QString& query, const QString& title) {
            m_stage->focus(PanelName::what_if);
            m_stage->panels()->whatIf()->limitTo(query, title);
        }});
    m_actions->menu(Menu::file)->insertMenu(action("file.save-a"), m_controllers->files->recentMenu());
    m_actions->menu(Menu::go)->insertMenu(action("go.findings"), (new MarkMenu(&m_workspace, m_timeline))->menu());
}

/// Of the lesson that is shown, if one is.
Handout MainWindow::handout() const
{
    Handout handout;
    if (!showsForeign(m_workspace)) {
        for (const LessonPanel::Section& section : m_stage->panels()->lesson()->sections()) {
            handout.sections.emplace_back(section.heading, section.text);
        }
        handout.code = handout.sections.empty() ? QString() : m_side->code()->shownCode();
    }
    return handout;
}

void MainWindow::addEditing()
{
    CommandTable& table = m_commands;
    const auto open = [this] { return m_workspace.count() > 0; };
    table.add(
        {"file.quit", tr("&Quit"), tr("Quits Lanescope"), Menu::file, "Ctrl+Q", {}, [this] { close(); }, {}, true});
    table.add({"edit.copy-details", tr("Cop&y details"), tr("Copies all fields of the selection"), Menu::edit,
        "Ctrl+Shift+C", [this] { return static_cast<bool>(m_workspace.selection().event); },
        [this] { QGuiApplication::clipboard()->setText(m_stage->panels()->details()->asText()); }});
    table.add({"edit.find", tr("Find e&vents"), tr("Searches the lanes by name, kind, lane, length, bytes or start"),
        Menu::edit, "Ctrl+F", open, [this] { m_timeline->hits()->bar()->open(); }});
    table.add({"edit.filter", tr("F&ilter the table of events"), tr("Goes to the table of events and its filter"),
        Menu::edit, "Ctrl+Shift+F", open, [this] {
            m_stage->focus(PanelName::events);
            m_stage->panels()->events()->focusFilter();
        }});
    table.add({"edit.clear", tr("C&lear the selection"),
        tr("Clears the selected event and range and puts the keyboard into the timeline. First it stops playing, "
           "leaves the steps and leaves full screen"),
        Menu::edit, "Esc", [this, open] { return open() || m_controllers->lessons->isFull(); },
        [this] {
            if (!m_controllers->lessons->leaveOne()) {
                m_timeline->perform(TimelineAction::clear);
                m_timeline->hits()->endAsked();
                m_stage->focusLanes();
            }
        },
        {}, false, TimelineAction::clear});
}

void MainWindow::addWindowParts()
{
    CommandTable& table = m_commands;
    PanelTabs* panels = m_stage->panels();
    table.add({"view.side", tr("&Workloads and parameters"), tr("Shows or hides the column on the left"), Menu::view,
        "Ctrl+B", {}, [this] { m_side->setVisible(m_side->isHidden()); }, [this] { return !m_side->isHidden(); },
        true});
    table.add({"view.code", tr("Code &beside the lanes"),
        tr("Shows the code in a separate column, as wide as its lines; again: under the parameters"), Menu::view,
        "Ctrl+Shift+J", {}, [this] { showCodeBeside(!m_code->isOn()); }, [this] { return m_code->isOn(); }});
    table.add({"view.panels", tr("Pan&els below"), tr("Shows or hides findings, statistics, events and details"),
        Menu::view, "Ctrl+J", {}, [panels] { panels->setVisible(panels->isHidden()); },
        [panels] { return !panels->isHidden(); }});
    auto* legend = m_stage->findChild<LegendStrip*>();
    table.add({"view.legend", tr("Le&gend"), tr("Shows or hides what the colours and patterns of the lanes mean"),
        Menu::view, "Ctrl+Shift+H", {}, [legend] { legend->setVisible(legend->isHidden()); },
        [legend] { return !legend->isHidden(); }});
}

void MainWindow::addPanels()
{
    CommandTable& table = m_commands;
    const auto hasLessons = [this] { return !showsForeign(m_workspace); };
    table.add({"go.findings", tr("&Findings"), tr("What cost time"), Menu::go, "Ctrl+1", {},
        [this] { m_stage->focus(PanelName::findings); }, {}, true});
    table.add({"go.summary", tr("Summar&y"), tr("What took the time, by name: kernels, copies, API calls, ranges"),
        Menu::go, "Ctrl+2", {}, [this] { m_stage->focus(PanelName::summary); }});
    table.add({"go.statistics", tr("&Statistics"), tr("Busy, overlap, hidden copies, blocked time"), Menu::go, "Ctrl+3",
        {}, [this] { m_stage->focus(PanelName::statistics); }});
    table.add({"go.events", tr("&Events"), tr("The table of API calls and GPU operations"), Menu::go, "Ctrl+4", {},
        [this] { m_stage->focus(PanelName::events); }});
    table.add({"go.details", tr("&Details"), tr("All fields of the selection"), Menu::go, "Ctrl+5", {},
        [this] { m_stage->focus(PanelName::details); }});
    table.add({"go.lesson", tr("&Lesson"), tr("What to look at, why it is so, the rule to remember"), Menu::go,
        "Ctrl+6", hasLessons, [this] { m_stage->focus(PanelName::lesson); }});
    table.add({"go.variants", tr("Var&iants"), tr("All variants of the workload beside one another"), Menu::go,
        "Ctrl+7", hasLessons, [this] { m_stage->focus(PanelName::variants); }});
    table.add(
        {"go.workloads", tr("&Workloads"), tr("Puts the keyboard into the list of workloads"), Menu::go, "Ctrl+L", {},
            [this] {
                if (m_stage->galleryShown()) {  // its cards are the list
                    m_stage->gallery()->setFocus(Qt::ShortcutFocusReason);
                    return;
                }
                m_side->show();
                m_side->workloads()->setFocus(Qt::ShortcutFocusReason);
            },
            {}, true});
    table.add({"go.path", tr("Critical path"), tr("What the critical path is made of, by lane and by name"), Menu::go,
        "Ctrl+8", {}, [this] { m_stage->focus(PanelName::path); }});
    table.add({"go.iterations", tr("Iterations"), tr("The iterations of the recording, and why some were longer"),
        Menu::go, "Ctrl+9", {}, [this] { m_stage->focus(PanelName::iterations); }});
    table.add({"go.timeline", tr("&Timeline"), tr("Puts the keyboard into the timeline"), Menu::go, "Ctrl+T",
        [this] { return m_workspace.count() > 0; }, [this] { m_stage->focusLanes(); }});
}

void MainWindow::addHelp()
{
    CommandTable& table = m_commands;
    table.add({"help.keys", tr("All &keys"), tr("All commands, their keys, and what the mouse does"), Menu::help,
        "?; F1", {}, [this] {
            auto* page = new KeysPage(m_commands, this);
            page->setAttribute(Qt::WA_DeleteOnClose);
            page->open();
        }});
    table.add({"help.about", tr("&About Lanescope"), tr("Version and licence"), Menu::help, "", {},
        [this] { showAbout(this); }});
}

}  // namespace lanes::gui
