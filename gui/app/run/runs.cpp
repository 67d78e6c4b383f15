// SPDX-License-Identifier: MIT
#include "gui/app/run/runs.h"

#include "gui/app/compare/variants.h"
#include "gui/app/edit/live_knobs.h"
#include "gui/app/edit/workload_texts.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/run/device_choice.h"
#include "gui/panels/parameter_form.h"
#include "gui/session/workspace.h"

#include <QSettings>

#include <algorithm>

namespace lanes::gui {

Runs::Runs(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_maker([notice = parts.notice](const QString& problem) { notice->showError(problem); })
{
    connect(parts.workloads, &WorkloadList::workloadSelected, parts.form, &ParameterForm::setWorkload);
}

void Runs::addCommands(CommandTable& table, Variants* variants)
{
    const auto ready = [this] { return isRunnable() && !isBusy(); };
    table.add({"run.run", tr("&Run"), tr("Runs the chosen variants on the chosen device, A above B"), Menu::run,
        "Ctrl+R; F5", ready, [this] { run(); }});
    table.add({"run.all", tr("Run all &variants"),
        tr("Runs every variant of the workload on the chosen device, one after the other, and compares them"),
        Menu::run, "Ctrl+F5",
        [this, ready] {
            const auto& workload = m_parts.form->workload();
            return ready() && workload && workload->variants.size() > 1;
        },
        [this, variants] {
            if (mayRun(*m_parts.form->workload())) {
                variants->runAll();
            }
        }});
    table.add({"run.again", tr("Run again &beside"),
        tr("Runs the active recording's variant with the current parameters, shown under the previous result"),
        Menu::run, "Shift+F5", [this, ready] { return ready() && sideToRepeat() >= 0; }, [this] { runAgain(); }});
    m_parts.live->addCommands(table);
    table.add({"run.cancel", tr("&Cancel"), tr("Stops the current run, or opening a file"), Menu::run, "Ctrl+Shift+X",
        [this] { return isBusy(); }, [this] { cancel(); }});
}

bool Runs::isRunnable() const
{
    const std::shared_ptr<const Workload>& workload = m_parts.form->workload();
    return workload && m_parts.form->problem().isEmpty() && m_parts.texts->problemOf(workload->file).isEmpty();
}

bool Runs::mayRun(const Workload& workload)
{
    const std::string file = workload.file;  // the text may become another workload
    m_parts.texts->settle();
    const QString problem = m_parts.texts->problemOf(file);
    if (!problem.isEmpty()) {
        m_parts.notice->showError(problem);
    }
    return problem.isEmpty();
}

void Runs::run()
{
    if (!m_parts.form->workload() || !mayRun(*m_parts.form->workload())) {
        return;
    }
    start(requestsOf(*m_parts.form, *m_parts.device));
}

void Runs::start(
    const std::vector<RunRequest>& requests, const std::function<void(std::vector<OpenRecordingPtr>)>& whenAll)
{
    m_parts.live->stop();
    m_parts.notice->hide();
    emit begun();
    auto made = std::make_shared<std::vector<OpenRecordingPtr>>();
    for (const RunRequest& request : requests) {
        m_parts.jobs->add(m_maker.make(request), [this, made, whenAll, all = requests.size()](const JobResult& result) {
            m_parts.notice->showEnd(result);
            if (result.recording) {
                made->push_back(result.recording);
            }
            if (whenAll && result.recording) {
                if (made->size() == all) {
                    whenAll(*made);
                }
            } else if (result.recording
                || (whenAll && !made->empty())) {  // one of several failed: there is nothing to wait for
                m_parts.workspace->set(*made);
                emit shown();
            }
        });
    }
    const bool changed = std::any_of(requests.begin(), requests.end(), [](const RunRequest& request) {
        return request.device.kind == RunDevice::Kind::recorded && !request.run.settings.empty();
    });
    if (changed) {
        m_parts.notice->showNotice(
            tr("These recordings were made with the variants' own parameters, without your changes."));
    }
}

/// The active side if it is of the chosen workload; else -1.
int Runs::sideToRepeat() const
{
    const int side = m_parts.workspace->active();
    const OpenRecordingPtr shown = m_parts.workspace->at(side);
    const std::shared_ptr<const Workload>& chosen = m_parts.form->workload();
    return shown && chosen && shown->workload && shown->workload->name == chosen->name ? side : -1;
}

/// The old above, the new below; the form then has a column for each.
void Runs::runAgain()
{
    if (!m_parts.form->workload() || !mayRun(*m_parts.form->workload())) {
        return;
    }
    const int side = sideToRepeat();
    const std::vector<RunRequest> wanted = requestsOf(*m_parts.form, *m_parts.device);
    if (side < 0 || wanted.empty()) {
        return;
    }
    const OpenRecordingPtr old = m_parts.live->before(side);
    const RunRequest& request = wanted[std::min<std::size_t>(static_cast<std::size_t>(side), wanted.size() - 1)];
    m_parts.live->stop();
    m_parts.notice->hide();
    m_parts.jobs->add(m_maker.make(request), [this, old, run = request.run](const JobResult& result) {
        m_parts.notice->showEnd(result);
        if (result.recording) {
            m_parts.form->setRuns({old->run, run});
            m_parts.workspace->set({old, result.recording});
        }
    });
}

void Runs::cancel()
{
    m_parts.jobs->cancel();
    emit cancelled();
}

/// Only for what is opened first: later the form holds what the user chose.
void Runs::takeOver()
{
    std::shared_ptr<const Workload> workload;
    std::vector<VariantSettings> runs;
    for (const OpenRecordingPtr& recording : m_parts.workspace->recordings()) {
        if (!recording->workload || (workload && recording->workload->name != workload->name)) {
            return;
        }
        workload = recording->workload;
        runs.push_back(recording->run);
    }
    if (workload && m_parts.workloads->select(QString::fromStdString(m_parts.workloads->newest(workload)->file))) {
        m_parts.form->setRuns(runs);
    }
}

void Runs::restore(QSettings& settings)
{
    m_parts.device->select({static_cast<RunDevice::Kind>(settings.value(QStringLiteral("device/kind"), 0).toInt()),
        settings.value(QStringLiteral("device/argument"), QStringLiteral("h100")).toString(), {}});
    if (!m_parts.workloads->select(settings.value(QStringLiteral("workload")).toString())) {
        m_parts.workloads->selectFirst();  // the gallery opens at its top
    }
    std::vector<VariantSettings> runs;
    const int count = settings.beginReadArray(QStringLiteral("runs"));
    for (int i = 0; i < std::min(count, 2); ++i) {
        settings.setArrayIndex(i);
        VariantSettings& run = runs.emplace_back();
        run.variant = settings.value(QStringLiteral("variant")).toString().toStdString();
        const QVariantMap values = settings.value(QStringLiteral("settings")).toMap();
        for (auto value = values.begin(); value != values.end(); ++value) {
            run.settings[value.key().toStdString()] = value.value().toString().toStdString();
        }
    }
    settings.endArray();
    m_parts.form->setRuns(runs);
}

void Runs::remember(QSettings& settings) const
{
    settings.setValue(QStringLiteral("device/kind"), static_cast<int>(m_parts.device->device().kind));
    settings.setValue(QStringLiteral("device/argument"), m_parts.device->device().argument);
    if (const auto workload = m_parts.workloads->selected()) {
        const QString file = QString::fromStdString(workload->file);
        settings.setValue(
            QStringLiteral("workload"), m_parts.workloads->isOwn(file) ? file : QString::fromStdString(workload->name));
    }
    const std::vector<VariantSettings> runs = m_parts.form->runs();
    settings.beginWriteArray(QStringLiteral("runs"), static_cast<int>(runs.size()));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue(QStringLiteral("variant"), QString::fromStdString(runs[i].variant));
        QVariantMap values;
        for (const auto& [key, value] : runs[i].settings) {
            values[QString::fromStdString(key)] = QString::fromStdString(value);
        }
        settings.setValue(QStringLiteral("settings"), values);
    }
    settings.endArray();
}

}  // namespace lanes::gui
