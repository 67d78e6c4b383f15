// SPDX-License-Identifier: MIT
#include "gui/app/frame/main_window.h"

#include "engine/analysis/row_id.h"
#include "gui/app/commands/command_actions.h"
#include "gui/app/edit/live_knobs.h"
#include "gui/app/edit/workload_texts.h"
#include "gui/app/frame/activity_bar.h"
#include "gui/app/frame/appearance.h"
#include "gui/app/frame/card_dock.h"
#include "gui/app/frame/controllers.h"
#include "gui/app/frame/folded_parts.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/app/frame/resource_folder.h"
#include "gui/app/frame/settings_page.h"
#include "gui/app/frame/side_column.h"
#include "gui/app/frame/stage.h"
#include "gui/app/frame/top_bar.h"
#include "gui/app/frame/window_style.h"
#include "gui/app/learn/gallery_page.h"
#include "gui/app/learn/lecture.h"
#include "gui/app/learn/lesson.h"
#include "gui/app/learn/lessons.h"
#include "gui/app/open/files.h"
#include "gui/app/open/foreign_files.h"
#include "gui/app/ranks/job_view.h"
#include "gui/app/ranks/jobs.h"
#include "gui/app/record/live_recording.h"
#include "gui/app/record/monitor_strip.h"
#include "gui/app/run/device_choice.h"
#include "gui/app/run/runs.h"
#include "gui/paint/glyphs.h"
#include "gui/paint/words/engine_words.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/editor/workload_editor.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/workload_list.h"
#include "gui/session/run_titles.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QAbstractSlider>
#include <QAction>
#include <QCloseEvent>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QStatusBar>

#include <algorithm>

namespace lanes::gui {

MainWindow::MainWindow()
    : m_actions(new CommandActions(this))
{
    removeStyle();  // the theme is applied once, to everything
    setWindowTitle(QStringLiteral("Lanescope"));
    setWindowIcon(QIcon(QStringLiteral(":/lanescope/app/icons/lanescope.svg")));
    buildParts();
    layOut();
    fillCommands();
    connectParts();
    connectProgress();
    m_controllers->texts->loadCatalogue();
    restore();
    m_stage->gallery()->setFocus();
    m_top->device()->askFor(lanesProgram());
    m_workspace.set({});
    if (const QString missing = missingGlyphs(QString::fromStdString(windowLanguage())); !missing.isEmpty()) {
        m_notice->showOffer(missing, QStringLiteral("English"),
            [this] { m_controllers->appearance->setLanguage(QStringLiteral("en")); });
    }
}

MainWindow::~MainWindow()
{
    removeEventFilter(m_lecture);
    m_workspace.disconnect();
    m_jobs.disconnect();
    m_jobs.cancel();
    delete centralWidget();  // its parts point to what this window holds
}

QAction* MainWindow::action(const char* id) const
{
    return m_actions->action(id);
}

bool MainWindow::isFollowing() const
{
    return m_controllers->live->isBusy();
}

void MainWindow::openFiles(const QStringList& files)
{
    m_controllers->files->open(files);
    showOpening();
}

/// The place of the lanes at once: beside the gallery its cards are drawn while the file opens, which takes longer
/// then.
void MainWindow::showOpening()
{
    const auto isNothingOpen
        = [this] { return m_workspace.count() == 0 && m_controllers->ranks->view()->job() == nullptr; };
    if (!m_jobs.busy() || !isNothingOpen() || !m_stage->galleryShown()) {
        return;
    }
    m_controllers->foreign->setAwaiting(true);
    m_stage->focusLanes();
    const auto once = static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection);
    connect(
        &m_jobs, &JobQueue::idle, this,
        [this, isNothingOpen] {
            m_controllers->foreign->setAwaiting(false);
            if (isNothingOpen() && m_stage->lanesShown()) {
                m_stage->showGallery();
                m_stage->gallery()->setFocus(Qt::OtherFocusReason);
            }
        },
        once);
}

void MainWindow::showRowOnceOpen(const QString& id)
{
    if (id.isEmpty()) {
        return;
    }
    // Queued: what is shown at first is shown before.
    const auto once = static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection);
    connect(
        &m_jobs, &JobQueue::idle, this, [this, id] { showRow(id); }, once);
}

void MainWindow::showRow(const QString& id)
{
    const auto recording = m_workspace.at(0);
    if (!recording) {
        return;
    }
    try {
        const FoundRow row = find_row(*recording->trace, id.toStdString());
        constexpr Ns margin_parts = 4;
        const Ns margin = std::max<Ns>(1, (row.span.end - row.span.start) / margin_parts);
        if (row.event) {
            m_workspace.select(0, row.event);
            m_cardDock->open();
            m_timeline->showRange({row.span.start - margin, row.span.end + margin});
        } else {
            m_workspace.showRange(0, row.span);
        }
    } catch (const std::invalid_argument& error) {
        m_notice->showError(QStringLiteral("--row: ") + QString::fromUtf8(error.what()));
    }
}

void MainWindow::showError(const QString& text)
{
    m_notice->showError(text);
}

void MainWindow::openRanks(const QStringList& files)
{
    m_controllers->files->openRanks(files);
    showOpening();
}

void MainWindow::continueFrom(const MainWindow& other)
{
    std::vector<OpenRecordingPtr> recordings = other.m_workspace.recordings();
    std::transform(recordings.begin(), recordings.end(), recordings.begin(), retold);  // in this window's language
    m_workspace.set(recordings);
    m_notice->hide();  // said once
    m_controllers->continueFrom(*other.m_controllers);
    m_controllers->ranks->continueFrom(*other.m_controllers->ranks);
    m_timeline->continueFrom(*other.m_timeline);
    m_controllers->recorded->continueFrom(*other.m_controllers->recorded);
    refresh();
    if (other.findChild<SettingsPage*>() != nullptr) {  // where the language was chosen
        action("edit.settings")->trigger();
    }
}

void MainWindow::connectParts()
{
    connectWorkspace();
    connectLanes();
    connectMenus();
    connectSide();
    connectGallery();
    connect(m_actions, &CommandActions::done, this, &MainWindow::refresh);
    connect(m_controllers, &Controllers::changed, this, &MainWindow::refresh);
    connect(m_controllers->ranks, &Jobs::changed, this, &MainWindow::showWhatIsOpen);
    connect(m_lecture, &Lecture::turned, this, &MainWindow::sizeMonitor);
    connect(m_lecture, &Lecture::turned, m_notice, &NoticeBar::setOnStage);
    connect(m_lecture, &Lecture::turned, m_cardDock, &CardDock::setOnStage);
    connect(m_controllers->appearance, &Appearance::languageChanged, this, &MainWindow::languageChanged);
}

void MainWindow::connectWorkspace()
{
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {
        connect(&m_workspace, signal, this, &MainWindow::showWhatIsOpen);
        connect(&m_workspace, signal, this, &MainWindow::refresh);
    }
    for (const auto signal : {&Workspace::selectionChanged, &Workspace::selectedRangesChanged, &Workspace::scopeChanged,
             &Workspace::activeChanged}) {
        connect(&m_workspace, signal, this, &MainWindow::refresh);
    }
}

/// What the commands' state depends on.
void MainWindow::connectLanes()
{
    connect(m_timeline, &ComparisonView::lanesChanged, this, &MainWindow::refresh);
    connect(m_stage->panels(), &PanelTabs::currentChanged, m_timeline, &ComparisonView::forgetPointed);
    connect(&m_timeline->pair(), &TimelinePair::alignmentChanged, this, &MainWindow::refresh);
    connect(&m_timeline->pair(), &TimelinePair::marksChanged, this, &MainWindow::refresh);
    connect(
        &m_timeline->pair(), &TimelinePair::layerSwitched, this, &MainWindow::refresh);  // K and I are the lanes' keys
    for (int side = 0; side < 2; ++side) {
        connect(&m_timeline->side(side).marks(), &MarkHand::chose, this, &MainWindow::refresh);
        // comes with whatever changes which annotation can be removed, and whether any can be saved
        connect(&m_timeline->side(side).annotations(), &AnnotationHand::sketched, this, &MainWindow::refresh);
        connect(&m_timeline->side(side).annotations(), &AnnotationHand::changed, this, &MainWindow::refresh);
    }
}

/// The menus of a lane and of a place in the lanes.
void MainWindow::connectMenus()
{
    connect(m_actions->menu(Menu::lanes), &QMenu::aboutToShow, this,
        &MainWindow::refresh);  // which lane is meant changes with the mouse
    auto* lanes = new QMenu(this);  // what concerns a lane: moving about is no affair of one
    lanes->setObjectName(QStringLiteral("laneMenu"));
    lanes->setToolTipsVisible(true);
    for (const Command& command : m_commands) {
        if (command.menu == Menu::lanes && QByteArray(command.id).startsWith("lanes.")) {
            if (command.separator) {
                lanes->addSeparator();
            }
            lanes->addAction(action(command.id));
        }
    }
    connect(m_timeline, &ComparisonView::laneMenuRequested, this, [this, lanes](QPoint at) {
        refresh();
        lanes->popup(at);
    });
    auto* place = new QMenu(this);
    place->setObjectName(QStringLiteral("placeMenu"));
    for (const char* id : {"view.fit", "view.to-range", "view.back", "", "edit.measure", "go.mark", "edit.find", "",
             "file.copy-picture", "file.export"}) {
        *id == 0 ? place->addSeparator() : (place->addAction(action(id)), nullptr);
    }
    connect(m_timeline, &ComparisonView::placeMenuRequested, this, [this, place](QPoint at) {
        refresh();
        place->popup(at);
    });
}

/// The list of workloads and the form of their parameters.
void MainWindow::connectSide()
{
    WorkloadList* workloads = m_side->workloads();
    connect(workloads, &QListWidget::itemActivated, this, [this, workloads] {
        const auto workload = workloads->selected();
        if (workload && !workloads->isOwn(QString::fromStdString(workload->file))) {
            m_controllers->lessons->open(workload, lessonVariants(*workload));  // as its card does
        } else {
            action("run.run")->trigger();
        }
    });
    connect(workloads, &WorkloadList::workloadSelected, this, [this] {
        showWhatIsOpen();
        refresh();
    });
    const auto openLesson = [this, workloads] {
        if (const auto workload = workloads->selected()) {
            m_controllers->lessons->open(workload, lessonVariants(*workload));
        }
    };
    connect(m_side, &SideColumn::lessonWanted, this, openLesson);
    connect(workloads, &QListWidget::itemClicked, this, [this, openLesson] {
        if (isAnotherLessonChosen() && !wouldLose()) {  // a list whose lanes stay another's looks broken
            openLesson();
        }
    });
    connect(m_side, &SideColumn::textWanted, action("run.edit"), &QAction::trigger);
    connect(m_side->form(), &ParameterForm::changed, this, &MainWindow::refresh);
    connect(m_side->form(), &ParameterForm::problemChanged, this, &MainWindow::refresh);
}

void MainWindow::connectGallery()
{
    GalleryPage* gallery = m_stage->gallery();
    const auto listOrCards = [this] { m_side->setListShown(!m_stage->galleryShown()); };
    connect(m_stage, &QStackedWidget::currentChanged, this, [this, listOrCards] {
        listOrCards();
        showWhatIsOpen();
        refresh();
    });
    listOrCards();
    connect(gallery, &GalleryPage::runWanted, action("run.run"), &QAction::trigger);
    connect(gallery, &GalleryPage::openWanted, action("file.open"), &QAction::trigger);
    connect(gallery, &GalleryPage::fileWanted, m_controllers->files, &Files::openRecent);
    connect(m_controllers->files, &Files::recentChanged, gallery,
        [this, gallery] { gallery->setRecentFiles(m_controllers->files->recent()); });
    connect(m_controllers->texts, &WorkloadTexts::listChanged, gallery,
        [this, gallery] { gallery->setWorkloads(m_side->workloads()->workloads(), m_side->workloads()->selected()); });
}

/// What runs, opens or is indexed, in the bar over the lanes.
void MainWindow::connectProgress()
{
    connect(&m_jobs, &JobQueue::begun, this, [this](const QString& title) {
        m_activity->begin(title);
        refresh();
    });
    connect(&m_jobs, &JobQueue::progressed, m_activity, &ActivityBar::setProgress);
    connect(&m_jobs, &JobQueue::idle, this, [this] {
        m_activity->end();
        if (m_timeline->pair().isIndexing()) {
            m_activity->begin(tr("Indexing the lanes"));
        }
        refresh();
    });
    connect(&m_timeline->pair(), &TimelinePair::indexingFailed, this,
        [this] { m_notice->showError(tr("There is not enough memory to draw the lanes of this recording.")); });
    connect(&m_timeline->pair(), &TimelinePair::indexed, this, [this](double fraction) {
        if (!m_jobs.busy() && !m_controllers->recorded->isRunning()) {  // lanes that grow are made anew all the time
            fraction == 0 ? m_activity->begin(tr("Indexing the lanes")) : m_activity->setProgress(fraction);
            if (fraction == 1) {
                m_activity->end();
            }
        }
    });
    connect(m_activity, &ActivityBar::cancelWanted, m_controllers->runs, &Runs::cancel);
    connect(m_controllers->runs, &Runs::cancelled, this, [this] {
        m_timeline->pair().stopIndexing();
        m_activity->end();
    });
    // The button is disabled under the keyboard: what it made is next.
    connect(m_controllers->runs, &Runs::begun, this, [this] {
        const bool fromButton = m_top->run()->hasFocus() || m_stage->gallery()->isAncestorOf(focusWidget());
        disconnect(m_controllers->runs, &Runs::shown, m_stage, nullptr);
        if (fromButton) {
            connect(m_controllers->runs, &Runs::shown, m_stage, [this] { m_stage->focusLanes(); });
        }
    });
}

/// Those that the lanes are of, each once, as their texts are now; the chosen one where nothing is open.
std::vector<std::shared_ptr<const Workload>> MainWindow::shownWorkloads() const
{
    std::vector<std::shared_ptr<const Workload>> shown;
    for (const OpenRecordingPtr& recording : m_workspace.recordings()) {
        const auto isIt = [&](const auto& workload) { return workload->name == recording->workload->name; };
        if (recording->workload && std::none_of(shown.begin(), shown.end(), isIt)) {
            shown.push_back(m_side->workloads()->newest(recording->workload));
        }
    }
    const bool isNothingOpen = m_workspace.count() == 0 && !m_controllers->foreign->isAwaiting();
    if (const auto chosen = m_side->form()->workload(); chosen && isNothingOpen) {
        shown.push_back(chosen);
    }
    return shown;
}

/// Title and code are of what the lanes show, like the lesson; the list and the parameters are of what would run, and
/// say so where that is another. Beside the gallery the code is of the card that is chosen, like the parameters.
void MainWindow::showWhatIsOpen()
{
    const auto workloads = shownWorkloads();
    const auto& chosen = m_side->form()->workload();
    const auto coded = m_stage->galleryShown() && chosen ? chosen : workloads.empty() ? nullptr : workloads.front();
    for (CodePanel* panel : {m_side->code(), m_lecture->code()}) {
        panel->setCode(coded ? QString::fromStdString(coded->code_pytorch) : QString(),
            coded ? QString::fromStdString(coded->code_cuda) : QString());
    }
    QStringList titles;
    for (const OpenRecordingPtr& recording : m_workspace.recordings()) {
        titles += longTitle(*recording);
    }
    setWindowTitle(titles.isEmpty() ? QStringLiteral("Lanescope")
                                    : titles.join(QStringLiteral(" | ")) + QStringLiteral(" – Lanescope"));
    QStringList caption;
    for (const auto& workload : workloads) {
        caption += titleOf(*workload);
    }
    if (showsForeign(m_workspace)) {
        caption = titles;
    }
    if (const OpenJobPtr& job = m_controllers->ranks->view()->job()) {
        caption = QStringList {job->title()};
        setWindowTitle(job->title() + QStringLiteral(" – Lanescope"));
    }
    QStringList sources, devices;  // "NVIDIA H200, recorded with CUPTI", "NVIDIA H200"
    for (const OpenRecordingPtr& recording : m_workspace.recordings()) {
        static const QRegularExpression behind(QStringLiteral("[,:，：].*"));
        sources += sourceText(*recording->trace);
        devices += QString(sources.back()).remove(behind);
    }
    sources.removeDuplicates();
    devices.removeDuplicates();
    const QString name = caption.join(QStringLiteral(" | "));
    const auto with = [&](const QString& more) {
        return QStringList {name, more}.filter(QRegularExpression(QStringLiteral("."))).join(QStringLiteral("  ·  "));
    };
    m_top->setCaption(sources.isEmpty() ? QStringList {name}
                                        : QStringList {with(tr("shown: %1").arg(sources.join(QStringLiteral(" | ")))),
                                            with(devices.join(QStringLiteral(" | "))), name});
}

/// A lesson is chosen, and the lanes are not of it.
bool MainWindow::isAnotherLessonChosen() const
{
    const auto chosen = m_side->form()->workload();
    const auto& shown = m_workspace.recordings();
    return chosen && !chosen->rule.empty() && std::none_of(shown.begin(), shown.end(), [&](const auto& each) {
        return each->workload && each->workload->name == chosen->name;
    });
}

/// Whether what is shown or under way could not be had again: a run, or a recording that is in no file that is kept. A
/// model computes its run again.
bool MainWindow::wouldLose() const
{
    const auto& shown = m_workspace.recordings();
    return isBusy() || m_controllers->recorded->isRunning()
        || std::any_of(shown.begin(), shown.end(), [](const OpenRecordingPtr& each) {
               return !each->is_model()
                   && (each->path.isEmpty() || each->path.startsWith(QDir::tempPath() + QLatin1Char('/')));
           });
}

/// Everything that depends on what can be done now.
void MainWindow::refresh()
{
    m_actions->refresh();
    m_controllers->files->refresh();
    m_top->refresh(m_side->form()->runs().size() > 1);
    m_top->setRunShown(
        m_controllers->ranks->view()->job() == nullptr && (!showsForeign(m_workspace) || !m_side->isHidden()));
    m_top->setMapExported(m_controllers->ranks->view()->job() != nullptr && m_workspace.count() == 0);
    const auto workload = m_side->form()->workload();
    const QString wrong = workload ? m_controllers->texts->problemOf(workload->file) : QString();
    const bool lanes = !m_controllers->lessons->isAsked() && !m_stage->galleryShown();
    if (!wrong.isEmpty() && m_editor->isHidden()) {
        m_side->sayWrong(wrong);
    } else {
        m_side->sayNotRun(lanes ? m_controllers->live->shownInstead() : QString(), isAnotherLessonChosen());
    }
    if (const Command* run = m_commands.find("run.run")) {
        action(run->id)->setToolTip(wrong.isEmpty() ? tooltipOf(*run) : wrong);
    }
    if (workload) {
        const DeviceChoice& device = *m_top->device();
        m_stage->gallery()->setRun(
            (device.device().kind == RunDevice::Kind::recorded ? tr("Open “%1” on %2") : tr("Run “%1” on %2"))
                .arg(titleOf(*workload), device.currentText()),
            action("run.run")->isEnabled());
    }
}

// ---- events

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (!m_lecture->isOn()) {
        makeRoom();
    }
    sizeMonitor();
}

/// Before an audience larger than anything else.
void MainWindow::sizeMonitor()
{
    constexpr double stands_out = 1.3;
    m_monitor->setMagnification(m_lecture->isOn() ? Lecture::magnificationFor(height()) * stands_out : 1);
}

/// As the window is, which is never larger than its screen for long.
void MainWindow::makeRoom()
{
    constexpr int narrow = 800, low = 480;
    const QSize room = size().boundedTo(screen()->availableSize());
    makeRoom(room.width() < narrow, room.height() < low);
}

void MainWindow::makeRoom(bool narrow, bool low)
{
    if (m_folded->fold(narrow, low, !showsForeign(m_workspace))) {
        m_actions->refresh();
    }
}

/// Home and 0 are keys of the window; a slider and a list of choices need them for themselves, as text fields do.
bool MainWindow::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* pressed = static_cast<QKeyEvent*>(event);
        const int key = pressed->key();
        const bool alone = (pressed->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;  // Ctrl+0 is the window's
        const QWidget* focus = focusWidget();
        if (alone && (key == Qt::Key_Home || key == Qt::Key_0)
            && (qobject_cast<const QAbstractSlider*>(focus) || qobject_cast<const QComboBox*>(focus))) {
            event->accept();
            return true;
        }
    }
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_controllers->mayClose()) {
        event->ignore();
        return;
    }
    remember();
    m_jobs.cancel();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!m_jobs.busy() && std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); })) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            files += url.toLocalFile();
        }
    }
    event->acceptProposedAction();
    constexpr qsizetype side_by_side = 2;
    files.size() > side_by_side ? m_controllers->files->openChosen(files) : m_controllers->files->open(files);
}

}  // namespace lanes::gui
