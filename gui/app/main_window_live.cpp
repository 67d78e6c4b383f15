// SPDX-License-Identifier: MIT
// The window and its knobs: what runs when Run is pressed, what follows a knob of a run on the model.
#include "gui/app/device_choice.h"
#include "gui/app/live_run.h"
#include "gui/app/main_window.h"
#include "gui/app/notice_bar.h"
#include "gui/app/resource_folder.h"
#include "gui/app/step_through.h"
#include "gui/panels/details.h"
#include "gui/panels/details_panel.h"
#include "gui/panels/events_panel.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/statistics_panel.h"
#include "gui/timeline/comparison_view.h"

#include <QSplitter>
#include <QStackedWidget>

namespace lanes::gui {

std::vector<RunRequest> MainWindow::requests()
{
    std::vector<RunRequest> all;
    for (const VariantSettings& run : m_parameters->runs()) {
        all.push_back({m_parameters->workload(), run, m_device->device(), {}, {}});
    }
    return all;
}

/// What is shown follows the knobs where it is of the same workload, and a run made here or what came with Lanescope:
/// a user's own recordings are not replaced by turning a knob.
bool MainWindow::followsKnobs() const
{
    const std::vector<OpenRecordingPtr>& shown = m_session.recordings();
    return m_liveKnobs && !m_jobs.busy() && m_device->device().kind == RunDevice::Kind::model
        && std::all_of(shown.begin(), shown.end(), [this](const OpenRecordingPtr& recording) {
               const std::shared_ptr<const Workload>& chosen = m_parameters->workload();
               const bool ours = recording->path.isEmpty() ? recording->is_model() : isShipped(recording->path);
               return ours && recording->workload && chosen && recording->workload->name == chosen->name;
           });
}

bool MainWindow::isFollowing() const
{
    return m_live->isBusy();
}

void MainWindow::knobTurned()
{
    if (!followsKnobs() || m_parameters->fieldsProblem()) {
        m_live->stop();
        return;
    }
    m_live->want(requests(), m_session.recordings());
    refresh();
}

void MainWindow::showLive(const std::vector<OpenRecordingPtr>& recordings)
{
    if (followsKnobs()) {
        m_session.renew(recordings);
        m_stage->setCurrentWidget(m_rows);
        if (!m_parameters->isHeld()) {
            m_timeline->settle();
        }
    }
    refresh();
}

/// The recordings are others of the same: nothing of what the user looks at moves.
void MainWindow::sessionRenewed()
{
    const std::vector<OpenRecordingPtr>& recordings = m_session.recordings();
    m_timeline->renewRecordings({recordings.begin(), recordings.end()});
    const OpenRecordingPtr selectedIn = m_session.at(m_selectedSide);
    m_selected = selectedIn ? eventOf(*selectedIn, m_timeline->view(m_selectedSide)->selection()) : EventRef {};
    present(recordings);
    m_details->present(m_selected ? selectedIn : nullptr, m_selected);
    if (m_rangeSelected) {
        m_statistics->setRanges(rangesOf(*m_timeline->view(0)->selectedRange()));
    }
    m_events->setVisibleRanges(rangesOf(m_timeline->view(0)->visibleRange()));
    m_events->select(m_selectedSide, m_selected);
    m_stepThrough->setRecordings(recordings);
    refresh();
}

/// The active side if it is of the chosen workload; else -1.
int MainWindow::sideToRepeat() const
{
    const int side = m_timeline->activeIndex();
    const OpenRecordingPtr shown = m_session.at(side);
    const std::shared_ptr<const Workload>& chosen = m_parameters->workload();
    return shown && chosen && shown->workload && shown->workload->name == chosen->name ? side : -1;
}

/// The old above, the new below; the form then has a column for each.
void MainWindow::runAgain()
{
    const int side = sideToRepeat();
    const std::vector<RunRequest> wanted = requests();
    if (side < 0 || wanted.empty()) {
        return;
    }
    const OpenRecordingPtr old = static_cast<std::size_t>(side) < m_before.size() ? m_before[static_cast<std::size_t>(side)] : m_session.at(side);
    RunRequest request = wanted[std::min<std::size_t>(static_cast<std::size_t>(side), wanted.size() - 1)];
    request.output = outputOf(request);
    m_live->stop();
    m_notice->hide();
    m_jobs.add(jobOf(request), [this, old, request](const JobResult& result) {
        showEnd(result);
        if (result.recording) {
            m_parameters->setRuns({old->run, request.run});
            m_session.set({old, result.recording});
        }
    });
}

void MainWindow::deviceChosen()
{
    refresh();
    if (m_session.count() > 0) {
        knobTurned();
    }
}

void MainWindow::toggleLiveKnobs()
{
    m_liveKnobs = !m_liveKnobs;
    deviceChosen();
}

}  // namespace lanes::gui
