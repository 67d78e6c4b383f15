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
#include "gui/app/frame/card_dock.h"
#include "gui/app/frame/code_column.h"
#include "gui/app/frame/controllers.h"
#include "gui/app/frame/keys_page.h"
#include "gui/app/frame/legend_strip.h"
#include "gui/app/frame/main_window.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/app/frame/scope_bar.h"
#include "gui/app/frame/side_column.h"
#include "gui/app/frame/stage.h"
#include "gui/app/frame/status_line.h"
#include "gui/app/learn/gallery_page.h"
#include "gui/app/learn/lessons.h"
#include "gui/app/open/files.h"
#include "gui/app/open/foreign_files.h"
#include "gui/app/open/sessions.h"
#include "gui/app/ranks/jobs.h"
#include "gui/app/record/live_recording.h"
#include "gui/app/run/runs.h"
#include "gui/app/what_if/hand_predictions.h"
#include "gui/app/what_if/predictions.h"
#include "gui/export/printed_page.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/details_panel.h"
#include "gui/panels/events_panel.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/hit_walk.h"
#include "gui/timeline/timeline.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>

#include <algorithm>

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

/// Each menu has its commands in the order in which they come here.
void MainWindow::fillCommands()
{
    const LaneCommands lanes(&m_workspace, m_timeline);
    m_controllers->files->addOpening(m_commands);
    m_controllers->sessions->addCommands(m_commands);
    (new Pictures(m_timeline, m_notice, [this] { return handout(); }))->addCommands(m_commands);
    m_controllers->ranks->addCommands(m_commands);
    auto* annotate = new Annotate(&m_workspace, m_timeline, m_notice);
    annotate->addCommands(m_commands);
    connect(annotate, &Annotate::hintChanged, static_cast<StatusLine*>(statusBar()), &StatusLine::setHint);
    m_controllers->files->addClosing(m_commands);
    addEditing();
    auto* measure = new Measure(&m_workspace, m_timeline);
    measure->addCommands(m_commands);
    connect(measure, &Measure::hintChanged, static_cast<StatusLine*>(statusBar()), &StatusLine::setHint);
    connect(measure, &Measure::hintChanged, this, &MainWindow::refresh);
    lanes.addRanges(m_commands);
    lanes.addViews(m_commands);
    addWindowParts();
    ScopeBar::addCommands(m_commands, &m_workspace);
    m_controllers->lessons->addCommands(m_commands);
    m_controllers->appearance->addCommands(m_commands);
    lanes.addLanes(m_commands);
    lanes.addPlaces(m_commands);
    (new LongestKernel(&m_workspace, this))->addCommands(m_commands);
    addPanels();
    (new Compare(&m_workspace, m_timeline, m_iterations))->addCommands(m_commands);
    m_controllers->predictions->addCommands(m_commands);
    m_controllers->hand->addCommands(m_commands);
    m_controllers->runs->addCommands(m_commands, m_controllers->variants);
    m_controllers->recorded->addCommands(m_commands);
    m_controllers->texts->addCommands(m_commands);
    addHelp();
    m_commands.setKeys(storedKeys(QSettings()));
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
        [this] { QGuiApplication::clipboard()->setText(m_card->asText()); }});
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
    table.add({"view.panels", tr("Pan&els below"), tr("Shows or hides findings, statistics and events"), Menu::view,
        "Ctrl+J", {}, [panels] { panels->setVisible(panels->isHidden()); }, [panels] { return !panels->isHidden(); }});
    auto* legend = m_stage->findChild<LegendStrip*>();
    table.add({"view.legend", tr("Le&gend"), tr("Shows or hides what the colours and patterns of the lanes mean"),
        Menu::view, "Ctrl+Shift+H", {}, [legend] { legend->setVisible(legend->isHidden()); },
        [legend] { return !legend->isHidden(); }});
}

void MainWindow::addPanels()
{
    CommandTable& table = m_commands;
    const std::function<bool()> hasLessons = [this] { return !showsForeign(m_workspace); };
    const auto add = [&](const PanelRow& row) {
        if (row.name == PanelName::lesson) {
            table.add({"go.details", tr("&Details"), tr("The card of the selection: all that is known of it"), Menu::go,
                "Ctrl+5", [this] { return static_cast<bool>(m_workspace.selection().event); },
                [this] {
                    m_stage->showLanes();
                    m_cardDock->open();
                    m_card->setFocus(Qt::ShortcutFocusReason);
                }});
        }
        if (row.command != nullptr) {
            table.add({row.command, row.text, row.tip, Menu::go, row.keys,
                row.isOfLessons ? hasLessons : std::function<bool()>(),
                [this, name = row.name] { m_stage->focus(name); }, {}, row.name == PanelName::findings});
        }
    };
    const std::vector<PanelRow>& rows = m_stage->panels()->rows();
    const auto afterLessons
        = std::find_if(rows.begin(), rows.end(), [](const PanelRow& row) { return row.name == PanelName::path; });
    std::for_each(rows.begin(), afterLessons, add);
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
    std::for_each(afterLessons, rows.end(), add);
    table.add({"go.timeline", tr("&Timeline"), tr("Puts the keyboard into the timeline"), Menu::go, "Ctrl+T",
        [this] { return m_workspace.count() > 0; }, [this] { m_stage->focusLanes(Qt::ShortcutFocusReason); }});
}

void MainWindow::addHelp()
{
    CommandTable& table = m_commands;
    table.add(
        {"help.keys", tr("All &keys"), tr("All commands and their keys, which can be changed; and what the mouse does"),
            Menu::help, "?; F1", {}, [this] {
                auto* page = new KeysPage(
                    m_commands,
                    [this](const KeyChoice& choice) {
                        QSettings settings;
                        store(choice, settings);
                        m_commands.setKeys(choice);
                        m_actions->showKeys();
                        refresh();
                    },
                    this);
                page->setAttribute(Qt::WA_DeleteOnClose);
                page->open();
            }});
    table.add({"help.about", tr("&About Lanescope"), tr("Version and licence"), Menu::help, "", {},
        [this] { showAbout(this); }});
}

}  // namespace lanes::gui
