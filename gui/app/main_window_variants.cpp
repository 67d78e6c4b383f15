// SPDX-License-Identifier: MIT
// The window and all variants of a workload: run one after the other, compared beside one another, two of them shown.
#include "gui/app/activity_bar.h"
#include "gui/app/device_choice.h"
#include "gui/app/live_run.h"
#include "gui/app/main_window.h"
#include "gui/app/notice_bar.h"
#include "gui/app/variant_runs.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/variants_panel.h"

#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>

namespace lanes::gui {

void MainWindow::connectVariants()
{
    connect(m_variantRuns, &VariantRuns::changed, this, [this] {
        m_variants->present(m_variantRuns->workload(), m_variantRuns->outcomes(), m_variantRuns->caption());
        if (m_variants->isVisible()) {
            m_variantRuns->fill();
        }
    });
    connect(m_variants, &VariantsPanel::shown, m_variantRuns, &VariantRuns::fill);
    connect(m_variants, &VariantsPanel::chosen, this, &MainWindow::showVariant);
    connect(&m_jobs, &JobQueue::progressed, m_variants, &VariantsPanel::setProgress);
    connect(&m_jobs, &JobQueue::idle, this, &MainWindow::showVariantsMade);  // also after a cancel
    connect(m_lesson, &LessonPanel::allWanted, this, &MainWindow::showVariants);
}

/// With room for all rows, as far as that leaves the lanes theirs.
void MainWindow::showVariants()
{
    showPanel(m_tabs->indexOf(m_variants));
    constexpr double most = 0.3;
    const QList<int> sizes = m_rows->sizes();
    const int whole = sizes[0] + sizes[1];
    const int wanted = std::min(m_variants->sizeHint().height() + m_tabs->tabBar()->sizeHint().height(), static_cast<int>(whole * most));
    if (sizes[1] < wanted) {
        m_rows->setSizes({whole - wanted, wanted});
    }
}

/// One after the other: two runs at once would disturb each other's times. What one of them fails of is said in its row.
void MainWindow::runAll()
{
    const std::shared_ptr<const Workload> workload = m_parameters->workload();
    const std::vector<VariantSettings> chosen = m_parameters->runs();
    const std::vector<VariantSettings> all = runsOfAll(*workload, chosen.front().settings);
    const RunDevice device = m_device->device();
    m_live->stop();
    m_notice->hide();
    m_variantRuns->begin(workload, device.kind == RunDevice::Kind::recorded ? Settings() : chosen.front().settings);
    showVariants();
    for (std::size_t row = 0; row < all.size(); ++row) {
        RunRequest request {workload, all[row], device, {}, {}};
        request.output = outputOf(request);
        std::unique_ptr<Job> job = jobOf(request);
        job->setTitle(tr("%1 of %2: %3").arg(row + 1).arg(all.size()).arg(QString::fromStdString(all[row].variant)));
        m_jobs.add(
            std::move(job), [this, row](const JobResult& result) { m_variantRuns->ended(row, result); }, [this, row] { m_variantRuns->runs(row); });
    }
}

/// After a run of all: the two that the form names, of those that were made; where neither was made, the first that was.
void MainWindow::showVariantsMade()
{
    if (!m_variantRuns->isRunning()) {
        return;
    }
    m_variantRuns->stop();
    if (const std::size_t failures = m_variantRuns->failures(); failures > 0) {
        m_notice->showError(tr("%1 of %2 variants failed: their rows say why.").arg(failures).arg(m_variantRuns->outcomes().size()));
    }
    for (const OpenRecordingPtr& shown : m_session.recordings()) {
        for (const VariantOutcome& outcome : m_variantRuns->outcomes()) {
            if (isSameRun(outcome.recording, shown)) {
                return;  // chosen in the meantime
            }
        }
    }
    std::vector<OpenRecordingPtr> made;
    for (const VariantSettings& run : m_parameters->runs()) {
        if (OpenRecordingPtr recording = m_variantRuns->recordingOf(run.variant)) {
            made.push_back(std::move(recording));
        }
    }
    for (const VariantOutcome& outcome : m_variantRuns->outcomes()) {
        if (made.empty() && outcome.recording) {
            made.push_back(outcome.recording);
        }
    }
    if (!made.empty()) {
        m_session.set(made);
    }
}

void MainWindow::showVariant(int row, int side)
{
    const OpenRecordingPtr wanted = m_variantRuns->outcomes()[static_cast<std::size_t>(row)].recording;
    std::vector<OpenRecordingPtr> shown = m_session.recordings();
    if (!wanted || isSameRun(wanted, m_session.at(side))) {
        return;
    }
    if (isSameRun(wanted, m_session.at(1 - side))) {
        if (shown.size() > 1) {
            m_session.swap();
        }
        return;
    }
    if (static_cast<std::size_t>(side) < shown.size()) {
        shown[static_cast<std::size_t>(side)] = wanted;
    } else {
        shown.push_back(wanted);
    }
    std::vector<VariantSettings> runs;
    for (const OpenRecordingPtr& recording : shown) {
        if (recording->workload && recording->workload->name == m_variantRuns->workload()->name) {
            runs.push_back(recording->run);
        }
    }
    const std::shared_ptr<const Workload>& chosen = m_parameters->workload();
    if (chosen && chosen->name == m_variantRuns->workload()->name && runs.size() == shown.size()) {
        m_parameters->setRuns(runs);  // the form is of what is shown
    }
    m_session.set(shown);
}

}  // namespace lanes::gui
