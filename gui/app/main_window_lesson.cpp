// SPDX-License-Identifier: MIT
// The window as a teacher: the gallery, and the lesson that is open.
#include "gui/app/gallery_list.h"
#include "gui/app/gallery_page.h"
#include "gui/app/lesson.h"
#include "gui/app/main_window.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/workload_list.h"

#include <QAction>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>

namespace lanes::gui {

void MainWindow::connectLesson()
{
    connect(m_gallery, &GalleryPage::runWanted, action("run.run"), &QAction::trigger);
    connect(m_gallery, &GalleryPage::openWanted, action("file.open"), &QAction::trigger);
    connect(m_gallery, &GalleryPage::fileWanted, this, &MainWindow::openRecent);
    connect(m_gallery, &GalleryPage::lessonWanted, this, [this](const std::shared_ptr<const Workload>& workload) { openLesson(workload, lessonVariants(*workload)); });
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
        requests.push_back({workload, {variant, {}}, device, {}});
        runs.push_back({variant, {}});
    }
    if (listed) {
        m_parameters->setRuns(runs);
    }
    m_tabs->setCurrentWidget(m_lesson);
    startRun(requests);
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
    m_lesson->present(workload || m_session.count() > 0 ? workload : m_workloads->selected(), variants);
}

}  // namespace lanes::gui
