// SPDX-License-Identifier: MIT
// The window as a teacher: the gallery, and the lesson that is open.
#include "gui/app/gallery_list.h"
#include "gui/app/gallery_page.h"
#include "gui/app/guess_page.h"
#include "gui/app/lecture.h"
#include "gui/app/lesson.h"
#include "gui/app/main_window.h"
#include "gui/app/step_through.h"
#include "gui/app/variant_runs.h"
#include "gui/panels/expectation.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/run_titles.h"
#include "gui/panels/workload_list.h"

#include <QAction>
#include <QLocale>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>

#include <utility>

namespace lanes::gui {

void MainWindow::connectLesson()
{
    connect(m_gallery, &GalleryPage::runWanted, action("run.run"), &QAction::trigger);
    connect(m_gallery, &GalleryPage::openWanted, action("file.open"), &QAction::trigger);
    connect(m_gallery, &GalleryPage::fileWanted, this, &MainWindow::openRecent);
    connect(m_gallery, &GalleryPage::lessonWanted, this, [this](const std::shared_ptr<const Workload>& workload) { openLesson(workload, lessonVariants(*workload)); });
    connect(m_stepThrough, &StepThrough::changed, this, [this] {
        makeRoomForSteps();
        refreshLecture();
        refresh();
    });
    connect(m_guess, &GuessPage::chosen, this, [this](std::size_t choice) { reveal(choice); });
    connect(m_guess, &GuessPage::skipped, this, [this] { reveal({}); });
    connect(m_lesson, &LessonPanel::compareWanted, this, [this](const std::string& a, const std::string& b) {
        openLesson(m_lesson->workload(), b.empty() ? std::vector {a} : std::vector {a, b});
    });
}

void MainWindow::showGallery(bool shown)
{
    m_stage->setCurrentWidget(shown || m_session.count() == 0 ? static_cast<QWidget*>(m_gallery) : m_rows);
    if (galleryShown()) {
        m_gallery->list()->setFocus(Qt::ShortcutFocusReason);
    } else {
        focusTimeline();
    }
}

bool MainWindow::galleryShown() const
{
    return m_stage->currentWidget() == m_gallery;
}

void MainWindow::openLesson(const std::shared_ptr<const Workload>& workload, const std::vector<std::string>& variants)
{
    if (m_jobs.busy()) {
        return;
    }
    const bool listed = m_workloads->select(QString::fromStdString(workload->file));
    const RunDevice device = lessonDevice(*workload, variants);
    std::vector<RunRequest> requests;
    std::vector<VariantSettings> runs;
    for (const std::string& variant : variants) {
        requests.push_back({workload, {variant, {}}, device, {}, {}});
        runs.push_back({variant, {}});
    }
    if (listed) {
        m_parameters->setRuns(runs);
    }
    m_tabs->setCurrentWidget(m_lesson);
    m_tabs->setVisible(!m_lecture->isOn());
    startRun(requests, m_asking && requests.size() == 2);
}

/// The workload in the list that a recording was made with, or of the same name: its texts are the newest and its file
/// is there. Itself where there is none.
std::shared_ptr<const Workload> MainWindow::known(const std::shared_ptr<const Workload>& recorded) const
{
    std::shared_ptr<const Workload> found = recorded;
    for (const auto& workload : m_workloads->workloads()) {
        if (workload->source == recorded->source) {
            return workload;
        }
        if (workload->name == recorded->name) {
            found = workload;
        }
    }
    return found;
}

/// Of what is open, else of the workload that is chosen.
void MainWindow::presentLesson()
{
    std::vector<std::string> variants;
    std::shared_ptr<const Workload> workload;
    for (const OpenRecordingPtr& recording : m_session.recordings()) {
        if (recording->workload && (!workload || recording->workload->name == workload->name)) {
            workload = recording->workload;
            variants.push_back(recording->run.variant);
        }
    }
    if (workload) {
        workload = known(workload);
    }
    m_lesson->setOutcome({});
    if (!workload && m_session.count() == 0) {
        workload = m_workloads->selected();
    }
    m_lesson->present(workload, variants);
    m_variantRuns->present(workload);
    refreshLecture();
}

void MainWindow::refreshLecture()
{
    m_lecture->refresh(m_session.count() > 0 ? longTitle(*m_session.at(0)) : QString(), m_stepThrough->isOn());
}

/// In a low window the panels give the lanes what the bar of steps takes from them.
void MainWindow::makeRoomForSteps()
{
    constexpr int low = 700;
    if (m_stepThrough->isOn() && m_rowsBefore.isEmpty() && m_rows->height() < low && !m_tabs->isHidden()) {
        m_rowsBefore = m_rows->sizes();
        const int least = m_tabs->minimumHeight();
        m_rows->setSizes({m_rowsBefore[0] + m_rowsBefore[1] - least, least});
    } else if (!m_stepThrough->isOn() && !m_rowsBefore.isEmpty()) {
        m_rows->setSizes(std::exchange(m_rowsBefore, {}));
    }
}

void MainWindow::toggleFullScreen()
{
    m_lecture->setOn(!m_lecture->isOn());
    refreshLecture();
    focusTimeline();
}

void MainWindow::setAsking(bool asking)
{
    m_asking = asking;
    m_gallery->list()->setAsking(asking);
}

/// What do you expect?
void MainWindow::ask(const std::vector<OpenRecordingPtr>& recordings)
{
    m_asked = recordings;
    const OpenRecording& a = *recordings[0];
    const OpenRecording& b = *recordings[1];
    const std::shared_ptr<const Workload> workload = a.workload ? known(a.workload) : nullptr;
    if (!workload) {
        reveal({});
        return;
    }
    m_guess->ask(titleOf(*workload), QString::fromStdString(in_language(workload->description, QLocale().name().toStdString())),
        variantTitle(*workload, a.run.variant), variantTitle(*workload, b.run.variant), Expectation::of(*a.report, *b.report));
    m_stage->setCurrentWidget(m_guess);
    m_guess->setFocus(Qt::OtherFocusReason);
    refresh();
}

void MainWindow::reveal(std::optional<std::size_t> choice)
{
    const std::vector<OpenRecordingPtr> recordings = std::exchange(m_asked, {});
    m_session.set(recordings);
    if (choice && recordings.size() == 2) {
        m_lesson->setOutcome(Expectation::of(*recordings[0]->report, *recordings[1]->report).outcome(*choice));
    }
    focusTimeline();
    refresh();
}

}  // namespace lanes::gui
