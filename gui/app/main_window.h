// SPDX-License-Identifier: MIT
// The window: workloads and parameters on the left, the timelines in the middle,
// what was found below. It ties the parts together and decides nothing about
// recordings itself; what a user can do is in the table of commands.
#pragma once

#include "gui/app/commands.h"
#include "gui/app/job_queue.h"
#include "gui/app/run_request.h"
#include "gui/app/session.h"
#include "gui/lanes/shown_recording.h"

#include <QMainWindow>
#include <QMap>
#include <QTemporaryDir>

#include <array>
#include <memory>
#include <vector>

class QAction;
class QFileDialog;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace lanes::gui {

class ActivityBar;
class CodePanel;
class ComparisonView;
class DetailsPanel;
class DeviceChoice;
class EventsPanel;
class FileWatch;
class FindingsPanel;
class GalleryPage;
class GuessPage;
class Lecture;
class LessonPanel;
class LiveRun;
class NoticeBar;
class ParameterForm;
struct PictureSource;
class StatisticsPanel;
class StepBar;
class StepThrough;
class VariantRuns;
class VariantsPanel;
class WorkloadEditor;
class WorkloadList;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow();
    ~MainWindow() override;

    /// Opens recordings (one as A, two as A and B) and workloads.
    void openFiles(const QStringList& files);
    /// Opens a recording as A if nothing is open, else as B.
    void addFile(const QString& file);

    /// Writes the settings; done at the end of the window as well.
    void remember();

    Session& session() { return m_session; }
    ComparisonView& timeline() { return *m_timeline; }
    WindowState state() const;
    /// Whether a run that follows a knob is under way.
    bool isFollowing() const;
    /// The action of a command of the table.
    QAction* action(const char* id) const;

    // What commands do.
    void chooseFiles();
    void chooseSave(int side);
    void chooseExport();
    void copyPicture();
    void copyDetails();
    void filterEvents();
    void clearSelection();
    void reloadAll();
    void toggleFrameTimes();
    void toggleSideColumn();
    void toggleLowerPanels();
    void setTheme(const QString& name);
    void setLanguage(const QString& name);
    void showPanel(int index);
    void focusWorkloads();
    void focusTimeline();
    void run();
    void cancel();
    void showGallery(bool shown);
    bool galleryShown() const;
    void toggleFullScreen();
    /// Whether a lesson asks what one expects before its lanes are shown.
    void setAsking(bool asking);
    StepThrough& stepThrough() { return *m_stepThrough; }
    /// Opens these variants, at most two, side by side: shipped recordings where there are some, else runs of the model.
    void openLesson(const std::shared_ptr<const Workload>& workload, const std::vector<std::string>& variants);
    void toggleLiveKnobs();
    void runAgain();
    void runAll();
    void showVariants();
    void toggleEditor();
    void saveWorkload();
    void saveWorkloadAs();
    void revertWorkload();
    void forgetWorkload();
    /// Takes over what another window shows and what is not saved in it.
    void continueFrom(const MainWindow& other);
    void alignHere();
    void alignAtName();
    void alignStarts();
    void setReference(int side);
    void showKeys();
    void showAbout();

signals:
    /// The texts of this window are old: make a new one that takes over its recordings.
    void languageChanged(const QString& language);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool event(QEvent* event) override;

private:
    // main_window_layout.cpp
    void buildLayout();
    QWidget* buildTopBar();
    QWidget* buildSideColumn();
    QWidget* buildCentre();
    void buildCommands();
    void connectParts();
    QPushButton* commandButton(const char* id, const QString& text);
    // settings, main_window_layout.cpp
    void restore();

    // main_window_lesson.cpp
    void connectLesson();
    void presentLesson();
    void refreshLecture();
    void makeRoomForSteps();
    void ask(const std::vector<OpenRecordingPtr>& recordings);
    void reveal(std::optional<std::size_t> choice);
    std::shared_ptr<const Workload> known(const std::shared_ptr<const Workload>& recorded) const;

    void loadCatalogue();
    void choose(QFileDialog* chooser);
    void save(const OpenRecordingPtr& recording, const QString& path);
    void addRecentFile(const QString& file);
    void chooseWhatIsShown();
    void openRecent(const QString& file);
    void watchFiles();
    void fileChanged(const QString& path);
    void fileVanished(const QString& path);
    void reload(const QStringList& paths);
    void replaceKeepingView(const QString& path, const OpenRecordingPtr& recording);
    void fillRecentMenu();
    void fillMarksMenu();
    void marksChanged(int side);
    void workloadSelected(const std::shared_ptr<const Workload>& workload);
    /// `asking`: what they made is shown after one has said what one expects.
    void startRun(const std::vector<RunRequest>& requests, bool asking = false);
    std::unique_ptr<Job> jobOf(const RunRequest& request);
    QString outputOf(const RunRequest& request);
    void showEnd(const JobResult& result);
    void sessionChanged();
    void rangeChanged();
    std::array<Interval, 2> rangesOf(TimeSpan ofA) const;
    void select(int side, ItemRef item);
    void jump(int side, ItemRef item);
    PictureSource pictureSource() const;
    void refresh();
    /// The panels below, and the window's title.
    void present(const std::vector<OpenRecordingPtr>& recordings);
    // main_window_editor.cpp
    void connectEditor();
    void openWorkload(const QString& path);
    void loadOwnWorkloads(const QStringList& files);
    void presentSource();
    void workloadEdited(const std::shared_ptr<const Workload>& workload);
    bool writeWorkload(const QString& file, const QString& text);
    void restoreListed(const QString& file);
    QStringList workloadFiles() const;
    bool isWorkloadOpen(const QString& file) const { return workloadFiles().contains(file); }
    void workloadChangedOnDisk(const QString& file);
    void reloadWorkload(const QString& file);
    bool mayClose();
    QString fileToRun(const Workload& workload);
    // main_window_variants.cpp
    void connectVariants();
    void showVariantsMade();
    void showVariant(int row, int side);
    // main_window_live.cpp
    int sideToRepeat() const;
    std::vector<RunRequest> requests();
    bool followsKnobs() const;
    void knobTurned();
    void deviceChosen();
    void showLive(const std::vector<OpenRecordingPtr>& recordings);
    void sessionRenewed();

    Session m_session;
    JobQueue m_jobs;
    LiveRun* m_live = nullptr;
    bool m_liveKnobs = true;
    std::vector<OpenRecordingPtr> m_before;  ///< what was shown before knobs were turned
    QTemporaryDir m_runs;  ///< what runs on a GPU wrote, until the window closes
    int m_runNumber = 0;

    FileWatch* m_watch = nullptr;
    QMap<QByteArray, QAction*> m_actions;  // by the command's id
    QMenu* m_recentMenu = nullptr;
    QMenu* m_lanesMenu = nullptr;
    QMenu* m_marksMenu = nullptr;
    QLabel* m_caption = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_runAll = nullptr;
    QLabel* m_notRun = nullptr;  ///< what the lanes show where the knobs say otherwise
    DeviceChoice* m_device = nullptr;
    ActivityBar* m_activity = nullptr;
    NoticeBar* m_notice = nullptr;
    QSplitter* m_columns = nullptr;
    QSplitter* m_rows = nullptr;
    QSplitter* m_side = nullptr;
    WorkloadList* m_workloads = nullptr;
    WorkloadEditor* m_editor = nullptr;
    ParameterForm* m_parameters = nullptr;
    CodePanel* m_code = nullptr;
    QStackedWidget* m_stage = nullptr;
    GalleryPage* m_gallery = nullptr;
    ComparisonView* m_timeline = nullptr;
    QTabWidget* m_tabs = nullptr;
    FindingsPanel* m_findings = nullptr;
    StatisticsPanel* m_statistics = nullptr;
    EventsPanel* m_events = nullptr;
    DetailsPanel* m_details = nullptr;
    LessonPanel* m_lesson = nullptr;
    VariantsPanel* m_variants = nullptr;
    VariantRuns* m_variantRuns = nullptr;
    StepBar* m_stepBar = nullptr;
    StepThrough* m_stepThrough = nullptr;
    GuessPage* m_guess = nullptr;
    Lecture* m_lecture = nullptr;

    std::vector<OpenRecordingPtr> m_asked;  ///< not shown yet
    bool m_asking = false;
    QList<int> m_rowsBefore;  ///< lanes and panels, before stepping through took room; empty: it did not

    QStringList m_recent;
    QString m_theme, m_language;
    int m_selectedSide = 0;
    EventRef m_selected;
    bool m_rangeSelected = false;
};

}  // namespace lanes::gui
