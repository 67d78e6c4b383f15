// SPDX-License-Identifier: MIT
#include "gui/app/what_if/prediction_check.h"

#include "engine/replay/pairs.h"
#include "engine/trace/meta_keys.h"
#include "gui/app/compare/variant_runs.h"
#include "gui/app/frame/job_queue.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/frame/resource_folder.h"
#include "gui/app/run/device_choice.h"
#include "gui/app/run/run_jobs.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/session/format.h"
#include "gui/session/predicted_changes.h"
#include "gui/session/run_titles.h"

#include <QFileInfo>

#include <algorithm>

namespace lanes::gui {

namespace {

/// Empty where the file did not come along.
const std::vector<replay::Pair>& pairs()
{
    static const auto all = [] {
        try {
            return replay::read_pairs(resourcePath(QStringLiteral("workloads/changes.txt")).toStdString());
        } catch (const std::exception&) {
            return std::vector<replay::Pair>();
        }
    }();
    return all;
}

/// How many launches a graph has is the workload's to say.
bool areSame(const Changes& a, const Changes& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const replay::Change& x, const replay::Change& y) {
        return x == y || (x.kind == replay::ChangeKind::graph && y.kind == x.kind && x.on.empty());
    });
}

}  // namespace

PredictionCheck::PredictionCheck(const Parts& parts)
    : QObject(parts.panel)
    , m_parts(parts)
{
    connect(parts.panel, &WhatIfPanel::chosenChanged, this, &PredictionCheck::say);
    connect(parts.panel, &WhatIfPanel::measuredWanted, this, &PredictionCheck::show);
    connect(parts.workspace, &Workspace::changed, this, &PredictionCheck::say);
    connect(parts.device, &DeviceChoice::gpusKnown, this, &PredictionCheck::say);
    connect(parts.device, &DeviceChoice::deviceChanged, this, &PredictionCheck::say);
}

/// The variant that has what was chosen; "": none is known.
std::string PredictionCheck::rewritten() const
{
    const auto priced = m_parts.whatIfs->priced();
    const Changes chosen = m_parts.panel->chosen();
    if (!priced || chosen.empty() || !priced->recording->workload) {
        return {};
    }
    const OpenRecording& of = *priced->recording;
    const auto found = std::find_if(pairs().begin(), pairs().end(), [&](const replay::Pair& pair) {
        return pair.workload == of.workload->name && pair.a == of.run.variant && areSame(chosen, pair.changes);
    });
    return found == pairs().end() ? std::string() : found->b;
}

/// The run of that variant that is open, or was shown last; null: neither is.
OpenRecordingPtr PredictionCheck::real(const std::string& variant) const
{
    const OpenRecordingPtr of = m_parts.whatIfs->priced()->recording;
    const auto isIt = [&](const OpenRecordingPtr& each) {
        return each && each->workload && each->workload->name == of->workload->name && each->run.variant == variant
            && !isPredicted(*each->trace) && each->is_model() == of->is_model();
    };
    for (const OpenRecordingPtr& each : m_parts.workspace->recordings()) {
        if (isIt(each)) {
            return each;
        }
    }
    return m_of == of && isIt(m_real) ? m_real : nullptr;
}

/// The recording beside the one in question, else a run like it: on the model, or on this machine's GPU.
PredictionCheck::Offer PredictionCheck::wayTo(const std::string& variant) const
{
    const OpenRecording& of = *m_parts.whatIfs->priced()->recording;
    const QString title = variantTitle(*of.workload, variant);
    if (of.is_model()) {
        RunDevice device;  // as it ran
        if (const auto model = meta::text_of(of.trace->meta, meta::model_device); !model.empty()) {
            device.argument = text(model);
        }
        return {tr("Run “%1” on the model").arg(title), {}, device};
    }
    const QString file
        = QFileInfo(of.path).dir().filePath(QString::fromStdString(run_name(of.workload->name, variant) + ".sqlite"));
    if (!of.path.isEmpty() && QFileInfo::exists(file)) {
        return {tr("Show the recorded “%1”").arg(title), file, {}};
    }
    const auto gpu = m_parts.device->gpu();
    return gpu ? Offer {tr("Run “%1” on this GPU").arg(title), {}, *gpu} : Offer {};
}

void PredictionCheck::say()
{
    const std::string variant = rewritten();
    if (variant.empty()) {
        m_parts.panel->setMeasured({}, {});
        return;
    }
    const OpenRecordingPtr shown = real(variant);
    const replay::Prediction* prediction = m_parts.panel->chosenPrediction();
    if (!shown || prediction == nullptr || !isWhole(*prediction)) {
        m_parts.panel->setMeasured({}, shown ? QString() : wayTo(variant).offer);
        return;
    }
    const Ns took = shown->report->wall;
    const QString title = variantTitle(*shown->workload, variant);
    const QString said = shown->is_model() ? tr("“%1” on the model: %2, predicted %3 (%4 to %5).")
                                           : tr("“%1” recorded: %2, predicted %3 (%4 to %5).");
    const QString all = said.arg(title, formatTime(took), formatTime(prediction->total), formatTime(prediction->low),
        formatTime(prediction->high));
    const bool isWithin = prediction->low <= took && took <= prediction->high;
    const bool isBeside = shown == m_parts.workspace->at(0) || shown == m_parts.workspace->at(1);
    m_parts.panel->setMeasured(isWithin ? all : all + QLatin1Char(' ') + tr("That is outside the interval."),
        isBeside ? QString() : tr("Show the recorded “%1”").arg(title));
}

void PredictionCheck::show()
{
    const std::string variant = rewritten();
    if (variant.empty() || m_parts.jobs->busy()) {
        return;
    }
    const OpenRecordingPtr of = m_parts.whatIfs->priced()->recording;
    if (const OpenRecordingPtr known = real(variant)) {
        emit realWanted(of, known);
        return;
    }
    const Offer way = wayTo(variant);
    std::unique_ptr<Job> job;
    if (!way.file.isEmpty()) {
        job = std::unique_ptr<Job>(makeOpenJob(way.file));
    } else {
        const auto runs = runsOfAll(*of->workload, of->run.settings);
        const auto run = std::find_if(
            runs.begin(), runs.end(), [&variant](const VariantSettings& each) { return each.variant == variant; });
        if (way.offer.isEmpty() || run == runs.end()) {
            return;
        }
        job = m_parts.maker->make({of->workload, *run, way.device, {}, {}});
    }
    m_parts.notice->hide();
    m_parts.jobs->add(std::move(job), [this, of](const JobResult& result) {
        m_parts.notice->showEnd(result);
        if (result.recording) {
            m_of = of;
            m_real = result.recording;
            emit realWanted(of, result.recording);
        }
    });
}

}  // namespace lanes::gui
