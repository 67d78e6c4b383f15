// SPDX-License-Identifier: MIT
#include "gui/app/edit/live_knobs.h"

#include "gui/app/edit/workload_file.h"
#include "gui/app/edit/workload_texts.h"
#include "gui/app/frame/job_queue.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/frame/resource_folder.h"
#include "gui/app/learn/lesson.h"
#include "gui/app/run/device_choice.h"
#include "gui/panels/parameter_form.h"
#include "gui/session/run_titles.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline_pair.h"

#include <QSettings>

#include <algorithm>
#include <iterator>

namespace lanes::gui {

std::vector<RunRequest> requestsOf(const ParameterForm& form, const DeviceChoice& device)
{
    std::vector<RunRequest> all;
    for (const VariantSettings& run : form.runs()) {
        all.push_back({form.workload(), run, device.device(), {}, {}});
    }
    return all;
}

LiveKnobs::LiveKnobs(const Parts& parts)
    : QObject(parts.timeline)
    , m_parts(parts)
    , m_live(new LiveRun(this))
{
    connect(parts.workspace, &Workspace::changed, this, [this] { m_before = m_parts.workspace->recordings(); });
    connect(m_live, &LiveRun::made, this, &LiveKnobs::show);
    connect(m_live, &LiveRun::failed, parts.notice, &NoticeBar::showError);
    connect(m_live, &LiveRun::failed, this, &LiveKnobs::changed);
    connect(parts.form, &ParameterForm::edited, this, &LiveKnobs::turn);
    connect(parts.form, &ParameterForm::released, this, [this] {
        if (!m_live->isBusy()) {
            m_parts.timeline->pair().settle();
        }
    });
    connect(parts.device, &DeviceChoice::deviceChanged, this, &LiveKnobs::reconsider);
}

void LiveKnobs::addCommands(CommandTable& table)
{
    table.add({"run.live", tr("&Live knobs"), tr("A run on the model is updated while you change its parameters"),
        Menu::run, "Ctrl+Shift+K", {},
        [this] {
            m_on = !m_on;
            reconsider();
        },
        [this] { return m_on; }});
}

/// What is shown follows the knobs where it is of the same workload, and a run made here or what came with Lanescope:
/// a user's own recordings are not replaced by turning a knob.
bool LiveKnobs::follows() const
{
    const std::vector<OpenRecordingPtr>& shown = m_parts.workspace->recordings();
    return m_on && !m_parts.jobs->busy() && m_parts.device->device().kind == RunDevice::Kind::model
        && std::all_of(shown.begin(), shown.end(), [this](const OpenRecordingPtr& recording) {
               const std::shared_ptr<const Workload>& chosen = m_parts.form->workload();
               const bool ours = recording->path.isEmpty() ? recording->is_model() : isShipped(recording->path);
               return ours && recording->workload && chosen && recording->workload->name == chosen->name;
           });
}

/// The recordings that came with Lanescope of what is chosen, where such ones were shown before knobs were turned: who
/// chooses another variant, or takes a change back, goes on looking at what was measured. Nothing where there are none.
std::vector<RunRequest> LiveKnobs::recorded() const
{
    const auto shipped
        = [](const OpenRecordingPtr& recording) { return !recording->path.isEmpty() && isShipped(recording->path); };
    const std::shared_ptr<const Workload>& workload = m_parts.form->workload();
    const std::vector<VariantSettings> runs = m_parts.form->runs();
    if (m_before.empty() || !std::all_of(m_before.begin(), m_before.end(), shipped)
        || !runs_the_same(
            workloadText(QString::fromStdString(workload->file)).value_or(QString()).toStdString(), workload->source)
        || !std::all_of(runs.begin(), runs.end(), [&](const auto& run) { return hasOwnValues(*workload, run); })) {
        return {};
    }
    std::vector<std::string> variants;
    std::transform(
        runs.begin(), runs.end(), std::back_inserter(variants), [](const VariantSettings& run) { return run.variant; });
    const RunDevice device = lessonDevice(*workload, variants);
    if (device.kind != RunDevice::Kind::recorded) {
        return {};
    }
    std::vector<RunRequest> requests;
    requests.reserve(variants.size());
    for (const std::string& variant : variants) {
        requests.push_back({workload, {variant, {}}, device, {}, {}});
    }
    return requests;
}

void LiveKnobs::turn()
{
    const std::shared_ptr<const Workload>& chosen = m_parts.form->workload();
    if (!chosen || !follows() || m_parts.form->fieldsProblem() || !m_parts.texts->problemOf(chosen->file).isEmpty()) {
        m_live->stop();
    } else if (const std::vector<RunRequest> requests = recorded(); !requests.empty()) {
        m_live->stop();
        const auto& shown = m_parts.workspace->recordings();
        const bool isShown = std::equal(shown.begin(), shown.end(), requests.begin(), requests.end(),
            [](const OpenRecordingPtr& recording, const RunRequest& request) {
                return !recording->path.isEmpty() && recording->run == request.run;
            });
        if (!isShown) {
            emit recordingsWanted(requests);
        }
    } else {
        m_live->want(requestsOf(*m_parts.form, *m_parts.device), m_parts.workspace->recordings());
    }
    emit changed();
}

/// Nothing that a user did to a knob: where nothing is open, nothing runs.
void LiveKnobs::reconsider()
{
    if (m_parts.workspace->count() > 0) {
        turn();
    } else {
        emit changed();
    }
}

void LiveKnobs::show(const std::vector<OpenRecordingPtr>& recordings)
{
    if (follows()) {
        m_parts.workspace->renew(recordings);
        emit lanesWanted();
        if (!m_parts.form->isHeld()) {
            m_parts.timeline->pair().settle();
        }
    }
    emit changed();
}

OpenRecordingPtr LiveKnobs::before(int side) const
{
    return static_cast<std::size_t>(side) < m_before.size() ? m_before[static_cast<std::size_t>(side)]
                                                            : m_parts.workspace->at(side);
}

QString LiveKnobs::shownInstead() const
{
    return m_live->isBusy()
        ? QString()
        : lanes::gui::shownInstead(m_parts.workspace->recordings(), m_parts.form->workload(), m_parts.form->runs());
}

void LiveKnobs::restore(const QSettings& settings)
{
    m_on = settings.value(QStringLiteral("liveKnobs"), true).toBool();
}

void LiveKnobs::remember(QSettings& settings) const
{
    settings.setValue(QStringLiteral("liveKnobs"), m_on);
}

}  // namespace lanes::gui
