// SPDX-License-Identifier: MIT
// The window: workloads and parameters on the left, the gallery or the lanes in the middle, what was found below. It
// lays the parts out and makes the menus; what the parts do is in the folders of gui/app, a feature
// each, and what is open and selected is in the workspace, which all of them observe.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/app/frame/job_queue.h"
#include "gui/session/workspace.h"

#include <QMainWindow>

class QAction;
class QSplitter;

namespace lanes::gui {

class ActivityBar;
class CardDock;
class CodeColumn;
class CommandActions;
class ComparisonView;
class Controllers;
class DetailsPanel;
class FoldedParts;
class IterationChanges;
class Lecture;
class MonitorStrip;
class NoticeBar;
class SideColumn;
class Stage;
class TopBar;
class WorkloadEditor;
struct Handout;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow();
    ~MainWindow() override;

    /// Opens recordings (one as A if nothing is open, else as B; two as A and B) and workloads.
    void openFiles(const QStringList& files);
    /// The recordings are of a run's ranks and open as one.
    void openRanks(const QStringList& files);
    /// Selects the row with this id of the recording that is being opened, and zooms to it; "": nothing.
    void showRowOnceOpen(const QString& id);
    /// What kept a file from being opened.
    void showError(const QString& text);
    /// Writes the settings; done at the end of the window as well.
    void remember();
    /// The program ends and nobody can be asked: writes the settings, texts that are not saved among them, and leaves a
    /// recording that was not kept on disk.
    void endUnasked();
    /// Takes over what another window shows and what is not saved in it. Shown first, so that its lanes have their
    /// width.
    void continueFrom(const MainWindow& other);

    Workspace& workspace() { return m_workspace; }
    ComparisonView& timeline() { return *m_timeline; }
    const CommandTable& commands() const { return m_commands; }
    /// The action of a command of the table.
    QAction* action(const char* id) const;
    /// A run or an opening is under way.
    bool isBusy() const { return m_jobs.busy(); }
    /// A run that follows a knob is under way.
    bool isFollowing() const;

signals:
    /// The texts of this window are old: make a new one that takes over its recordings.
    void languageChanged(const QString& language);

protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void showOpening();
    void showRow(const QString& id);
    // main_window_layout.cpp
    void buildParts();
    void layOut();
    void restore();
    // main_window_commands.cpp
    void fillCommands();
    void addEditing();
    void addWindowParts();
    void addPanels();
    void addHelp();
    Handout handout() const;

    void connectParts();
    void connectWorkspace();
    void connectLanes();
    void connectMenus();
    void connectSide();
    void connectGallery();
    void connectProgress();
    void showCodeBeside(bool beside);
    std::vector<std::shared_ptr<const Workload>> shownWorkloads() const;
    void showWhatIsOpen();
    bool isAnotherLessonChosen() const;
    bool wouldLose() const;
    void makeRoom();
    void makeRoom(bool narrow, bool low);
    void sizeMonitor();
    void refresh();

    Workspace m_workspace;
    JobQueue m_jobs;
    CommandTable m_commands;
    CommandActions* m_actions;
    ComparisonView* m_timeline = nullptr;
    IterationChanges* m_iterations = nullptr;
    Stage* m_stage = nullptr;
    TopBar* m_top = nullptr;
    SideColumn* m_side = nullptr;
    std::unique_ptr<FoldedParts> m_folded;
    WorkloadEditor* m_editor = nullptr;
    QSplitter* m_columns = nullptr;
    CodeColumn* m_code = nullptr;
    DetailsPanel* m_card = nullptr;
    CardDock* m_cardDock = nullptr;
    ActivityBar* m_activity = nullptr;
    NoticeBar* m_notice = nullptr;
    MonitorStrip* m_monitor = nullptr;
    Lecture* m_lecture = nullptr;
    Controllers* m_controllers = nullptr;
};

}  // namespace lanes::gui
