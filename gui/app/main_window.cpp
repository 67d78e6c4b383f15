// SPDX-License-Identifier: MIT
#include "gui/app/main_window.h"

#include "engine/trace/meta_keys.h"
#include "engine/workload/catalogue.h"
#include "gui/app/activity_bar.h"
#include "gui/app/chrome.h"
#include "gui/app/command_line.h"
#include "gui/app/device_choice.h"
#include "gui/app/export_dialog.h"
#include "gui/app/file_watch.h"
#include "gui/app/gallery_page.h"
#include "gui/app/keys_page.h"
#include "gui/app/lanes_job.h"
#include "gui/app/lecture.h"
#include "gui/app/live_run.h"
#include "gui/app/model_job.h"
#include "gui/app/notice_bar.h"
#include "gui/app/resource_folder.h"
#include "gui/app/step_through.h"
#include "gui/paint/glyphs.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/details.h"
#include "gui/panels/details_panel.h"
#include "gui/panels/events_panel.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/run_titles.h"
#include "gui/panels/statistics_panel.h"
#include "gui/panels/variants_panel.h"
#include "gui/panels/workload_editor.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/comparison_view.h"

#include <QAction>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>

namespace lanes::gui {

MainWindow::MainWindow()
{
    undress();  // setTheme() dresses everything at once
    setWindowTitle(QStringLiteral("Lanescope"));
    setWindowIcon(QIcon(QStringLiteral(":/lanescope/app/icons/lanescope.svg")));
    buildCommands();
    buildLayout();
    connectParts();
    loadCatalogue();
    restore();
    setTheme(m_theme);
    m_gallery->setFocus();
    m_device->askFor(lanesProgram());
    sessionChanged();
    if (const QString missing = missingGlyphs(QLocale().name()); !missing.isEmpty()) {
        m_notice->showOffer(missing, QStringLiteral("English"), [this] { setLanguage(QStringLiteral("en")); });
    }
}

MainWindow::~MainWindow()
{
    m_session.disconnect(this);
    m_jobs.disconnect(this);
    m_jobs.cancel();
}

QAction* MainWindow::action(const char* id) const
{
    QAction* found = m_actions.value(id);
    Q_ASSERT_X(found != nullptr, "MainWindow::action", id);
    return found;
}

void MainWindow::connectParts()
{
    connect(&m_session, &Session::changed, this, &MainWindow::sessionChanged);
    connect(&m_session, &Session::renewed, this, &MainWindow::sessionRenewed);
    connect(m_live, &LiveRun::made, this, &MainWindow::showLive);
    connect(m_live, &LiveRun::failed, m_notice, &NoticeBar::showError);
    connect(m_live, &LiveRun::failed, this, &MainWindow::refresh);
    connect(m_parameters, &ParameterForm::edited, this, &MainWindow::knobTurned);
    connect(m_parameters, &ParameterForm::released, this, [this] {
        if (!m_live->isBusy()) {
            m_timeline->settle();
        }
    });
    connect(m_device, &DeviceChoice::deviceChanged, this, &MainWindow::deviceChosen);
    connect(&m_jobs, &JobQueue::begun, this, [this](const QString& title) {
        m_activity->begin(title);
        refresh();
    });
    connect(&m_jobs, &JobQueue::progressed, m_activity, &ActivityBar::setProgress);
    connect(&m_jobs, &JobQueue::idle, this, [this] {
        m_activity->end();
        if (m_timeline->isIndexing()) {
            m_activity->begin(tr("Indexing the lanes"));
        }
        refresh();
    });
    connect(m_timeline, &ComparisonView::indexed, this, [this](double fraction) {
        if (!m_jobs.busy()) {
            fraction == 0 ? m_activity->begin(tr("Indexing the lanes")) : m_activity->setProgress(fraction);
            if (fraction == 1) {
                m_activity->end();
            }
        }
    });
    connect(m_activity, &ActivityBar::cancelWanted, this, &MainWindow::cancel);
    connect(m_workloads, &WorkloadList::workloadSelected, this, &MainWindow::workloadSelected);
    connect(m_workloads, &QListWidget::itemActivated, action("run.run"), &QAction::trigger);
    connect(m_parameters, &ParameterForm::changed, this, &MainWindow::refresh);
    connect(m_parameters, &ParameterForm::problemChanged, this, &MainWindow::refresh);
    connectLesson();
    connectEditor();
    connectVariants();
    connect(m_timeline, &ComparisonView::lanesChanged, this, &MainWindow::refresh);
    for (int side = 0; side < 2; ++side) {
        connect(m_timeline->view(side), &TimelineView::markReached, this, &MainWindow::refresh);
    }
    connect(m_timeline, &ComparisonView::laneMenuRequested, this, [this](QPoint at) {
        refresh();
        m_lanesMenu->popup(at);
    });
    connect(m_timeline, &ComparisonView::selectionChanged, this, &MainWindow::select);
    connect(m_timeline, &ComparisonView::timeScaleChanged, this, [this] {
        m_events->setVisibleRanges(rangesOf(m_timeline->view(0)->visibleRange()));
    });
    connect(m_timeline, &ComparisonView::rangeChanged, this, &MainWindow::rangeChanged);
    connect(m_timeline, &ComparisonView::alignmentChanged, this, &MainWindow::rangeChanged);
    connect(m_events, &EventsPanel::selectWanted, m_timeline, &ComparisonView::select);
    connect(m_events, &EventsPanel::jumpWanted, this, &MainWindow::jump);
    connect(m_findings, &FindingsPanel::evidenceWanted, m_timeline, &ComparisonView::follow);
    connect(m_details, &DetailsPanel::followWanted, this,
        [this](ItemRef item) { m_timeline->view(m_selectedSide)->follow(item); });
    connect(m_watch, &FileWatch::changed, this, &MainWindow::fileChanged);
    connect(m_watch, &FileWatch::vanished, this, &MainWindow::fileVanished);
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    connect(m_marksMenu, &QMenu::aboutToShow, this, &MainWindow::fillMarksMenu);
    connect(m_timeline, &ComparisonView::activeChanged, this, &MainWindow::refresh);
    connect(m_timeline, &ComparisonView::marksChanged, this, &MainWindow::marksChanged);
}

WindowState MainWindow::state() const
{
    WindowState state;
    state.recordings = m_session.count();
    state.busy = m_jobs.busy();
    state.runnable = m_parameters->workload() != nullptr && m_parameters->problem().isEmpty();
    const OpenRecordingPtr active = m_session.at(m_timeline->activeIndex());
    state.allArrows = m_timeline->activeView()->showsAllArrows();
    state.marks = active && !active->marks->all().empty();
    state.selection = static_cast<bool>(m_selected);
    state.range = m_rangeSelected;
    state.mark = m_timeline->activeView()->currentMark().has_value();
    const TimelineView& lanes = *m_timeline->activeView();
    if (const auto lane = lanes.targetLane()) {
        const LaneKey& key = lanes.model()->lanes()[*lane].key;
        state.lane = true;
        state.lanePinned = lanes.arrangement().isPinned(key);
        state.laneCollapsed = lanes.arrangement().isCollapsed(key);
    }
    state.lanesHidden = lanes.arrangement().hides();
    state.lanesFiltered = lanes.choice().filter != nullptr;
    state.lanesByEngine = lanes.choice().grouping == LaneGrouping::engine;
    state.lanesArranged = !lanes.arrangement().isEmpty();
    state.aligned = !m_timeline->alignment().atStarts();
    state.reference = m_timeline->reference();
    state.gallery = galleryShown();
    state.fullScreen = m_lecture->isOn();
    state.asking = m_asking;
    state.stepping = m_stepThrough->isOn();
    state.playing = m_stepThrough->isPlaying();
    state.frameTimes = m_timeline->view(0)->frameTimesShown();
    state.liveKnobs = m_liveKnobs;
    state.variants = m_parameters->workload() && m_parameters->workload()->variants.size() > 1;
    state.repeatable = sideToRepeat() >= 0;
    state.editor = !m_editor->isHidden();
    state.source = !m_editor->file().isEmpty() && state.editor;
    state.sourceChanged = state.source && m_editor->isModified();
    const bool wrong = state.source && !m_editor->problem().isEmpty();  // what would run is not what is read there
    state.runnable = state.runnable && !(wrong && m_parameters->workload()->file == m_editor->file().toStdString());
    if (const auto chosen = m_workloads->selected()) {
        state.workload = true;
        state.ownWorkload = m_workloads->isOwn(QString::fromStdString(chosen->file));
    }
    state.sideColumn = !m_side->isHidden();
    state.lowerPanels = !m_tabs->isHidden();
    state.theme = m_theme;
    state.language = m_language;
    return state;
}

void MainWindow::refresh()
{
    const WindowState now = state();
    for (const Command& command : commandTable()) {
        QAction* act = action(command.id);
        act->setEnabled(command.enabled == nullptr || command.enabled(now));
        if (command.checked != nullptr) {
            act->setChecked(command.checked(now));
        }
    }
    m_recentMenu->setEnabled(!m_recent.isEmpty() && !now.busy);
    const bool both = m_parameters->runs().size() > 1;
    const bool opens = m_device->device().kind == RunDevice::Kind::recorded;
    m_run->setText(opens ? (both ? tr("Open both") : tr("Open")) : (both ? tr("▶  Run both") : tr("▶  Run")));
    m_runAll->setText(opens ? tr("Open all") : tr("Run all"));
    const QString instead = m_live->isBusy() ? QString() : shownInstead(m_session.recordings(), m_parameters->workload(), m_parameters->runs());
    m_notRun->setText(tr("Not run yet: the lanes show %1.").arg(instead));
    m_notRun->setVisible(!instead.isEmpty());
    if (const auto workload = m_parameters->workload()) {
        m_gallery->setRun(
            (opens ? tr("Open “%1” on %2") : tr("Run “%1” on %2")).arg(titleOf(*workload), m_device->currentText()),
            action("run.run")->isEnabled());
    }
}

void MainWindow::sessionChanged()
{
    m_selected = {};
    m_rangeSelected = false;
    const std::vector<OpenRecordingPtr>& recordings = m_session.recordings();
    m_before = recordings;
    m_timeline->setRecordings({recordings.begin(), recordings.end()});
    present(recordings);
    m_details->present(nullptr, {});
    m_stepThrough->setRecordings(recordings);
    m_asked.clear();
    if (recordings.empty()) {
        m_lecture->setOn(false);
    }
    m_stage->setCurrentWidget(recordings.empty() ? static_cast<QWidget*>(m_gallery) : m_rows);
    m_gallery->setRecentFiles(m_recent);
    watchFiles();
    refresh();
}

void MainWindow::present(const std::vector<OpenRecordingPtr>& recordings)
{
    m_findings->setRecordings(recordings);
    m_statistics->setRecordings(recordings);
    m_events->setRecordings(recordings);
    presentLesson();
    m_variants->setShown({m_session.at(0), m_session.at(1)});
    m_tabs->setTabText(0, m_findings->findings() > 0 ? tr("Findings %1").arg(m_findings->findings()) : tr("Findings"));
    QStringList titles;
    for (const OpenRecordingPtr& recording : recordings) {
        titles += longTitle(*recording);
    }
    setWindowTitle(titles.isEmpty() ? QStringLiteral("Lanescope")
                                    : titles.join(QStringLiteral(" | ")) + QStringLiteral(" – Lanescope"));
}

void MainWindow::rangeChanged()
{
    const auto range = m_timeline->view(0)->selectedRange();
    m_rangeSelected = range.has_value();
    m_statistics->setRanges(range ? rangesOf(*range) : std::array<Interval, 2> {});
    refresh();
}

void MainWindow::select(int side, ItemRef item)
{
    const OpenRecordingPtr recording = m_session.at(side);
    m_selectedSide = side;
    m_selected = recording ? eventOf(*recording, item) : EventRef {};
    m_details->present(recording, m_selected);
    m_events->select(side, m_selected);
    const StepInfo* step = recording && m_selected ? stepOf(*recording, m_selected) : nullptr;
    for (CodePanel* panel : {m_code, m_lecture->code()}) {
        if (recording && m_selected && (!recording->codePyTorch.isEmpty() || !recording->codeCuda.isEmpty())) {
            panel->setCode(recording->codePyTorch, recording->codeCuda);
        }
        panel->markLines(step ? static_cast<int>(step->pytorch_line) : 0, step ? static_cast<int>(step->cuda_line) : 0);
    }
    refresh();
}

void MainWindow::jump(int side, ItemRef item)
{
    m_timeline->select(side, item);
    m_timeline->view(side)->perform(TimelineAction::focusSelection);
}

// ---- running

void MainWindow::workloadSelected(const std::shared_ptr<const Workload>& workload)
{
    m_parameters->setWorkload(workload);
    for (CodePanel* panel : {m_code, m_lecture->code()}) {
        panel->setCode(workload ? QString::fromStdString(workload->code_pytorch) : QString(), workload ? QString::fromStdString(workload->code_cuda) : QString());
    }
    presentSource();
    watchFiles();
    m_caption->setText(workload ? titleOf(*workload) : QString());
    presentLesson();
    refresh();
}

void MainWindow::run()
{
    std::vector<RunRequest> wanted = requests();
    for (RunRequest& request : wanted) {
        request.output = outputOf(request);
    }
    startRun(wanted);
}

QString MainWindow::outputOf(const RunRequest& request)
{
    const QString name = QString::fromStdString(
        request.run.variant.empty() ? request.workload->name : request.workload->name + "." + request.run.variant);
    return m_runs.filePath(QStringLiteral("%1-%2.sqlite").arg(++m_runNumber).arg(name));
}

void MainWindow::startRun(const std::vector<RunRequest>& requests, bool asking)
{
    m_live->stop();
    m_notice->hide();
    const bool fromButton = m_run->hasFocus() || m_gallery->isAncestorOf(focusWidget());
    auto made = std::make_shared<std::vector<OpenRecordingPtr>>();
    for (const RunRequest& request : requests) {
        m_jobs.add(jobOf(request), [this, made, fromButton, asking, all = requests.size()](const JobResult& result) {
            showEnd(result);
            if (!result.recording && asking && !made->empty()) {
                m_session.set(*made);  // there is nothing to ask about
            }
            if (result.recording) {
                made->push_back(result.recording);
                if (asking) {
                    if (made->size() == all) {
                        ask(*made);
                    }
                    return;
                }
                m_session.set(*made);
                if (fromButton) {
                    focusTimeline();  // the button was disabled under the keyboard: what it made is next
                }
            }
        });
    }
    const bool changed = std::any_of(requests.begin(), requests.end(), [](const RunRequest& request) {
        return request.device.kind == RunDevice::Kind::recorded && !request.run.settings.empty();
    });
    if (changed) {
        m_notice->showNotice(tr("These recordings were made with the variants' own parameters: your changes to the "
                                "parameters are not in them."));
    }
}

std::unique_ptr<Job> MainWindow::jobOf(const RunRequest& request)
{
    const QString name
        = QString::fromStdString(request.run.variant.empty() ? request.workload->name : request.run.variant);
    RunRequest sent = request;
    switch (request.device.kind) {
    case RunDevice::Kind::model:
        return makeModelJob(tr("%1 on the model").arg(name), request);
    case RunDevice::Kind::gpu:
        sent.file = fileToRun(*request.workload);
        return std::make_unique<LanesJob>(tr("%1 on the GPU").arg(name), lanesProgram(), lanesArguments(sent));
    case RunDevice::Kind::recorded:
        break;
    }
    return std::unique_ptr<Job>(makeOpenJob(recordedFile(request.device.argument,
        QString::fromStdString(request.workload->name), QString::fromStdString(request.run.variant))));
}

void MainWindow::cancel()
{
    m_jobs.cancel();
    m_timeline->stopIndexing();
    m_activity->end();
}

void MainWindow::showEnd(const JobResult& result)
{
    if (!result.error.isEmpty()) {
        m_notice->showError(result.error);
        return;
    }
    const QString text = result.recording ? caveats(*result.recording->trace).join(QLatin1Char(' ')) : QString();
    if (text.isEmpty()) {
        return;
    }
    if (result.recording->trace->meta.contains(meta::error)) {
        m_notice->showError(text);
    } else {
        m_notice->showNotice(text);
    }
}

// ---- what commands do

PictureSource MainWindow::pictureSource() const
{
    const TimelineView& upper = *m_timeline->view(0);
    PictureSource source{{}, upper.visibleRange(), upper.selectedRange(), upper.width(), upper.theme().name};
    for (const int side : {0, 1}) {
        if (ViewState state = m_timeline->view(side)->state(); state.model) {
            source.views.push_back(std::move(state));
        }
    }
    return source;
}

void MainWindow::chooseExport()
{
    PictureSource source = pictureSource();
    if (source.views.empty()) {
        return;
    }
    auto* dialog = new ExportDialog(std::move(source), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::copyPicture()
{
    try {
        const PictureSource source = pictureSource();
        QGuiApplication::clipboard()->setMimeData(pictureForClipboard(source.views, viewOptions(source)).release());
        m_notice->showNotice(tr("Copied what the timeline shows as a picture."));
    } catch (const std::exception& error) {
        m_notice->showError(QString::fromUtf8(error.what()));
    }
}

void MainWindow::copyDetails()
{
    QGuiApplication::clipboard()->setText(m_details->asText());
}

void MainWindow::filterEvents()
{
    showPanel(2);
    m_events->focusFilter();
}

/// Esc ends one thing at a time, the innermost first.
void MainWindow::clearSelection()
{
    if (m_stepThrough->isPlaying()) {
        m_stepThrough->setPlaying(false);
        return;
    }
    if (m_stepThrough->isOn()) {
        m_stepThrough->setOn(false);
        return;
    }
    if (m_lecture->isOn()) {
        m_lecture->setOn(false);
        return;
    }
    m_timeline->perform(TimelineAction::clear);
    focusTimeline();
}

void MainWindow::toggleFrameTimes()
{
    const bool shown = !m_timeline->view(0)->frameTimesShown();
    for (const int side : {0, 1}) {
        m_timeline->view(side)->setFrameTimesShown(shown);
    }
}

void MainWindow::toggleSideColumn()
{
    m_side->setVisible(m_side->isHidden());
}

void MainWindow::toggleLowerPanels()
{
    m_tabs->setVisible(m_tabs->isHidden());
}

void MainWindow::setTheme(const QString& name)
{
    m_theme = name == QLatin1String("dark") || name == QLatin1String("light") ? name : QStringLiteral("system");
    const ThemeChoice choice = m_theme == QLatin1String("dark") ? ThemeChoice::dark
        : m_theme == QLatin1String("light")                     ? ThemeChoice::light
                                                                : ThemeChoice::system;
    dress(choice);
    m_timeline->setTheme(Theme::named(themeName(choice)));
}

void MainWindow::setLanguage(const QString& name)
{
    QSettings().setValue(QStringLiteral("language"), name);
    emit languageChanged(name);
}

void MainWindow::showPanel(int index)
{
    m_stage->setCurrentWidget(m_rows);
    m_tabs->show();
    m_tabs->setCurrentIndex(index);
    m_tabs->currentWidget()->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::focusWorkloads()
{
    m_side->show();
    m_workloads->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::focusTimeline()
{
    m_stage->setCurrentWidget(m_rows);
    m_timeline->activeView()->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::showKeys()
{
    auto* page = new KeysPage(this);
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->open();
}

void MainWindow::showAbout()
{
    auto* about = new QMessageBox(this);
    about->setObjectName(QStringLiteral("about"));
    about->setAttribute(Qt::WA_DeleteOnClose);
    about->setWindowTitle(tr("About Lanescope"));
    about->setIconPixmap(windowIcon().pixmap(64, 64));
    about->setText(QStringLiteral("Lanescope %1").arg(QCoreApplication::applicationVersion()));
    about->setInformativeText(tr("Shows what a CPU and a GPU do at the same time, and whether it blocks or "
                                 "overlaps.\n\nMIT licence. Made with Qt %1.")
                                  .arg(QLatin1String(qVersion())));
    about->open();
}

}  // namespace lanes::gui
