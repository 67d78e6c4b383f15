// SPDX-License-Identifier: MIT
#include "gui/app/compare/variant_runs.h"

#include "engine/trace/meta_keys.h"
#include "engine/trace/thread_priority.h"
#include "gui/app/frame/resource_folder.h"
#include "gui/app/learn/lesson.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/session/run_titles.h"
#include "gui/timeline/worker_pool.h"

#include <QFileInfo>
#include <QtConcurrentRun>

#include <algorithm>
#include <iterator>

namespace lanes::gui {

namespace {

bool isOfVariants(const Workload& workload, const std::string& parameter)
{
    return std::any_of(workload.variants.begin(), workload.variants.end(),
        [&](const Variant& variant) { return variant.values.contains(parameter); });
}

QString parameterLabel(const Workload& workload, const std::string& parameter)
{
    const auto found = std::find_if(workload.parameters.begin(), workload.parameters.end(),
        [&](const Parameter& each) { return each.name == parameter; });
    return found == workload.parameters.end() ? QString::fromStdString(parameter) : labelOf(*found);
}

}  // namespace

std::vector<VariantSettings> runsOfAll(const Workload& workload, const Settings& set)
{
    Settings common;
    for (const auto& [name, value] : set) {
        if (!isOfVariants(workload, name)) {
            common.emplace(name, value);
        }
    }
    std::vector<VariantSettings> all;
    for (const Variant& variant : workload.variants) {
        all.push_back({variant.name, common});
    }
    return all;
}

VariantRuns::~VariantRuns()
{
    reset(nullptr);
}

void VariantRuns::reset(const std::shared_ptr<const Workload>& workload)
{
    m_stop.request_stop();
    m_opening.reset();
    m_filled = false;
    m_set.clear();
    m_workload = workload;
    m_outcomes.clear();
    for (const Variant& variant : workload ? workload->variants : std::vector<Variant>()) {
        m_outcomes.push_back({variant.name, VariantOutcome::State::none, {}, {}});
    }
}

void VariantRuns::present(const std::shared_ptr<const Workload>& workload)
{
    const bool same = m_workload && workload
        ? m_workload->name == workload->name && m_workload->source == workload->source
        : m_workload == workload;
    if (!m_running && !same) {
        reset(workload);
        emit changed();
    }
}

void VariantRuns::fill()
{
    if (m_running || m_filled || !m_workload || m_outcomes.size() < 2) {
        return;
    }
    m_filled = true;
    std::vector<std::string> names;
    for (const VariantOutcome& outcome : m_outcomes) {
        names.push_back(outcome.variant);
    }
    // A variant that no GPU has recorded yet keeps its row empty, and not all of them.
    std::vector<std::string> recorded;
    std::copy_if(names.begin(), names.end(), std::back_inserter(recorded), [this](const std::string& name) {
        return lessonDevice(*m_workload, {name}).kind == RunDevice::Kind::recorded;
    });
    const RunDevice device = lessonDevice(*m_workload, recorded);
    if (recorded.empty() || device.kind != RunDevice::Kind::recorded) {
        return;
    }
    QStringList files;
    for (const std::string& name : names) {
        files += recordedFile(device.argument, QString::fromStdString(m_workload->name), QString::fromStdString(name));
    }
    m_stop = std::stop_source();
    m_opening = std::make_unique<QFutureWatcher<Recordings>>();
    connect(m_opening.get(), &QFutureWatcher<Recordings>::finished, this, [this] {
        const Recordings recordings = m_opening->result();
        m_opening.release()->deleteLater();  // it is its signal that we are in
        for (std::size_t i = 0; i < recordings.size() && i < m_outcomes.size(); ++i) {
            m_outcomes[i].recording = recordings[i];
            m_outcomes[i].state = recordings[i] ? VariantOutcome::State::done : VariantOutcome::State::none;
        }
        emit changed();
    });
    m_opening->setFuture(QtConcurrent::run(workerPool(), [files, stop = m_stop.get_token()] {
        lower_priority_of_this_thread();
        Recordings recordings;
        for (const QString& file : files) {
            try {
                recordings.push_back(analysed(open_recording(file.toStdString(), stop), file));
            } catch (const std::exception&) {
                recordings.push_back(nullptr);  // opening it says what is wrong with it
            }
        }
        return recordings;
    }));
}

void VariantRuns::continueFrom(const VariantRuns& other)
{
    if (other.m_running || other.m_opening) {
        return;
    }
    reset(other.m_workload);
    m_outcomes = other.m_outcomes;
    for (VariantOutcome& outcome : m_outcomes) {
        outcome.recording = outcome.recording ? retold(outcome.recording) : nullptr;  // in this window's language
    }
    m_set = other.m_set;
    m_filled = other.m_filled;
    emit changed();
}

void VariantRuns::begin(const std::shared_ptr<const Workload>& workload, const Settings& set)
{
    reset(workload);
    m_set = set;
    m_running = true;
    m_filled = true;
    for (VariantOutcome& outcome : m_outcomes) {
        outcome.state = VariantOutcome::State::waiting;
    }
    emit changed();
}

void VariantRuns::runs(std::size_t row)
{
    m_outcomes[row].state = VariantOutcome::State::running;
    emit changed();
}

void VariantRuns::ended(std::size_t row, const JobResult& result)
{
    if (!m_running) {
        return;
    }
    VariantOutcome& outcome = m_outcomes[row];
    outcome.recording = result.recording;
    outcome.error = result.error;
    if (const QString file = QString::fromStdString(m_workload->file); !file.isEmpty()) {
        outcome.error.replace(file, QFileInfo(file).fileName());
    }
    if (outcome.error.isEmpty() && result.recording) {
        outcome.error = text(meta::text_of(result.recording->trace->meta, meta::error));
    }
    for (const Variant& variant : m_workload->variants) {
        // The error that the lesson is about is no failure.
        if (variant.name == outcome.variant && result.recording && !variant.expected_error.empty()
            && outcome.error.contains(QString::fromStdString(": " + variant.expected_error + ":"))) {
            outcome.error.clear();
        }
    }
    outcome.state = !outcome.error.isEmpty() ? VariantOutcome::State::failed
        : result.recording                   ? VariantOutcome::State::done
                                             : VariantOutcome::State::none;
    emit changed();
}

void VariantRuns::stop()
{
    m_running = false;
    for (VariantOutcome& outcome : m_outcomes) {
        if (outcome.state == VariantOutcome::State::waiting || outcome.state == VariantOutcome::State::running) {
            outcome.state = VariantOutcome::State::none;
        }
    }
    emit changed();
}

std::size_t VariantRuns::failures() const
{
    return static_cast<std::size_t>(std::count_if(m_outcomes.begin(), m_outcomes.end(),
        [](const VariantOutcome& each) { return each.state == VariantOutcome::State::failed; }));
}

OpenRecordingPtr VariantRuns::recordingOf(const std::string& variant) const
{
    const auto found = std::find_if(
        m_outcomes.begin(), m_outcomes.end(), [&](const VariantOutcome& each) { return each.variant == variant; });
    return found == m_outcomes.end() ? nullptr : found->recording;
}

QString VariantRuns::caption() const
{
    const auto first = std::find_if(
        m_outcomes.begin(), m_outcomes.end(), [](const VariantOutcome& each) { return each.recording != nullptr; });
    if (first == m_outcomes.end()) {
        return m_running ? tr("All variants run, one after the other") : tr("Not run yet");
    }
    QStringList parts {sourceText(*first->recording->trace)};
    for (const auto& [name, value] : m_set) {
        parts += isOfVariants(*m_workload, name)
            ? tr("%1 as in each variant").arg(parameterLabel(*m_workload, name))
            : QStringLiteral("%1 %2").arg(parameterLabel(*m_workload, name), QString::fromStdString(value));
    }
    return parts.join(QStringLiteral(" · "));
}

}  // namespace lanes::gui
