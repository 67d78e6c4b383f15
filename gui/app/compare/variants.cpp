// SPDX-License-Identifier: MIT
#include "gui/app/compare/variants.h"

#include "gui/app/compare/variant_runs.h"
#include "gui/app/frame/job_queue.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/run/device_choice.h"
#include "gui/app/run/run_jobs.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/variants_panel.h"
#include "gui/session/workspace.h"

namespace lanes::gui {

Variants::Variants(Workspace* workspace, JobQueue* jobs, RunJobs* maker, ParameterForm* form, DeviceChoice* device,
    NoticeBar* notice, VariantsPanel* panel)
    : QObject(panel)
    , m_workspace(workspace)
    , m_jobs(jobs)
    , m_maker(maker)
    , m_form(form)
    , m_device(device)
    , m_notice(notice)
    , m_runs(new VariantRuns(this))
{
    connect(m_runs, &VariantRuns::changed, this, [this, panel] {
        panel->present(m_runs->workload(), m_runs->outcomes(), m_runs->caption());
        if (panel->isVisible()) {
            m_runs->fill();
        }
    });
    connect(panel, &VariantsPanel::shown, m_runs, &VariantRuns::fill);
    connect(panel, &VariantsPanel::chosen, this, &Variants::show);
    connect(jobs, &JobQueue::progressed, panel, &VariantsPanel::setProgress);
    connect(jobs, &JobQueue::idle, this, &Variants::showMade);  // also after a cancel
}

void Variants::present(const std::shared_ptr<const Workload>& workload)
{
    m_runs->present(workload);
}

void Variants::continueFrom(const Variants& other)
{
    m_runs->continueFrom(*other.m_runs);
}

/// One after the other: two runs at once would disturb each other's times. Why one of them fails is said in its row.
void Variants::runAll()
{
    const std::shared_ptr<const Workload> workload = m_form->workload();
    const Settings settings = m_form->runs().front().settings;
    const std::vector<VariantSettings> all = runsOfAll(*workload, settings);
    const RunDevice device = m_device->device();
    emit begun();
    m_notice->hide();
    m_runs->begin(workload, device.kind == RunDevice::Kind::recorded ? Settings() : settings);
    emit panelWanted();
    for (std::size_t row = 0; row < all.size(); ++row) {
        std::unique_ptr<Job> job = m_maker->make({workload, all[row], device, {}, {}});
        job->setTitle(tr("%1 of %2: %3").arg(row + 1).arg(all.size()).arg(QString::fromStdString(all[row].variant)));
        m_jobs->add(
            std::move(job), [this, row](const JobResult& result) { m_runs->ended(row, result); },
            [this, row] { m_runs->runs(row); });
    }
}

/// After a run of all: the two that the form names, of those that were made; where neither was made, the first that
/// was.
void Variants::showMade()
{
    if (!m_runs->isRunning()) {
        return;
    }
    m_runs->stop();
    if (const std::size_t failures = m_runs->failures(); failures > 0) {
        m_notice->showError((failures == 1 ? tr("%1 of %2 variants failed: its row says why.")
                                           : tr("%1 of %2 variants failed: their rows say why."))
                                .arg(failures)
                                .arg(m_runs->outcomes().size()));
    }
    for (const OpenRecordingPtr& shown : m_workspace->recordings()) {
        for (const VariantOutcome& outcome : m_runs->outcomes()) {
            if (isSameRun(outcome.recording, shown)) {
                return;  // chosen in the meantime
            }
        }
    }
    std::vector<OpenRecordingPtr> made;
    for (const VariantSettings& run : m_form->runs()) {
        if (OpenRecordingPtr recording = m_runs->recordingOf(run.variant)) {
            made.push_back(std::move(recording));
        }
    }
    for (const VariantOutcome& outcome : m_runs->outcomes()) {
        if (made.empty() && outcome.recording) {
            made.push_back(outcome.recording);
        }
    }
    if (!made.empty()) {
        m_workspace->set(made);
    }
}

void Variants::show(int row, int side)
{
    const OpenRecordingPtr wanted = m_runs->outcomes()[static_cast<std::size_t>(row)].recording;
    std::vector<OpenRecordingPtr> shown = m_workspace->recordings();
    if (!wanted || isSameRun(wanted, m_workspace->at(side))) {
        return;
    }
    if (isSameRun(wanted, m_workspace->at(1 - side))) {
        m_workspace->swap();
        return;
    }
    if (static_cast<std::size_t>(side) < shown.size()) {
        shown[static_cast<std::size_t>(side)] = wanted;
    } else {
        shown.push_back(wanted);
    }
    std::vector<VariantSettings> runs;
    for (const OpenRecordingPtr& recording : shown) {
        if (recording->workload && recording->workload->name == m_runs->workload()->name) {
            runs.push_back(recording->run);
        }
    }
    const std::shared_ptr<const Workload>& chosen = m_form->workload();
    if (chosen && chosen->name == m_runs->workload()->name && runs.size() == shown.size()) {
        m_form->setRuns(runs);  // the form is of what is shown
    }
    m_workspace->set(shown);
}

}  // namespace lanes::gui
