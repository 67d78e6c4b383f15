// SPDX-License-Identifier: MIT
#include "gui/session/open_recording.h"

#include "engine/analysis/caveats.h"
#include "engine/analysis/lesson_figures.h"
#include "engine/analysis/lesson_texts.h"
#include "engine/analysis/repeats.h"
#include "engine/analysis/told_run.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/workload/workload.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/session/format.h"
#include "gui/session/predicted_changes.h"
#include "gui/session/run_titles.h"
#include "gui/session/texts.h"
#include "gui/timeline/freed_elsewhere.h"

#include <QFileInfo>

namespace lanes::gui {

namespace {

constexpr std::size_t worth_a_thread = 200'000;  // calls and operations whose freeing is felt

QString sentence(const Message& message)
{
    return QString::fromStdString(engineMessages().format(message))
        + (windowLanguage() == "en" ? QLatin1Char('.') : QChar(u'。'));
}

QString metaText(const Trace& trace, const char* key)
{
    return nameText(meta::text_of(trace.meta, key));
}

void setWorkload(OpenRecording& recording, std::shared_ptr<const Workload> workload)
{
    recording.codePyTorch = QString::fromStdString(workload->code_pytorch);
    recording.codeCuda = QString::fromStdString(workload->code_cuda);
    recording.workload = std::move(workload);
}

/// As the catalogue's workload tells it if that does the same, else as the recorded one does. What a newer version of
/// the language says is no error here: the recording is shown without it.
void readWorkload(OpenRecording& recording)
{
    if (auto told = told_run(*recording.trace)) {
        setWorkload(recording, std::move(told->workload));
        recording.run = {std::move(told->variant), std::move(told->settings)};
        recording.steps = std::move(told->steps);
    }
}

/// Which program ran, where it comes from, and how far its runs differ where they do.
QString noteText(const Trace& trace)
{
    const auto repeats = repeats_of(trace);
    const QString line = metaText(trace, meta::command_line);
    const QString command = line.isEmpty() ? metaText(trace, meta::command) : line;
    const QString source = command.isEmpty() ? sourceText(trace) : tr("%1 · %2").arg(command, sourceText(trace));
    return !repeats || !spreads(repeats->wall)
        ? source
        : tr("%1 · median of %2 runs, %3 to %4")
              .arg(source)
              .arg(repeats->runs)
              .arg(formatTime(repeats->wall.least), formatTime(repeats->wall.most));
}

/// Without the workload.
std::shared_ptr<OpenRecording> measured(Trace trace, const QString& path, const Progress& progress)
{
    const bool large = trace.operations.size() + trace.calls.size() > worth_a_thread;
    auto recording = large ? freedElsewhere(std::make_unique<OpenRecording>()) : std::make_shared<OpenRecording>();
    recording->ShownRecording::operator=(
        *ShownRecording::of(std::move(trace), recording_name(path.toStdString()), progress));
    recording->path = path;
    if (!recording->is_model()) {  // the title says that by itself
        recording->note = noteText(*recording->trace).toStdString();
    }
    return recording;
}

/// In the window's language.
void takeHeading(OpenRecording& recording)
{
    if (recording.workload) {
        recording.compared = compared_value(*recording.workload,
            {recording.run.variant, recording.trace.get(), recording.report.get()}, windowLanguage());
    }
    if (recording.workload && !recording.run.variant.empty()) {
        recording.title = variant_title(*recording.workload, recording.run.variant, windowLanguage());
    }
    const QString changes = predictedChanges(*recording.trace);
    if (recording.workload && !changes.isEmpty()) {
        recording.title = tr("%1, if: %2").arg(text(recording.title), changes).toStdString();
    }
}

}  // namespace

OpenRecordingPtr analysed(Trace trace, const QString& path, const Progress& progress)
{
    auto recording = measured(std::move(trace), path, progress);
    readWorkload(*recording);
    takeHeading(*recording);
    return recording;
}

OpenRecordingPtr analysed(Trace trace, std::shared_ptr<const Workload> workload, VariantSettings run,
    std::vector<StepInfo> steps, const Progress& progress)
{
    auto recording = measured(std::move(trace), {}, progress);
    setWorkload(*recording, std::move(workload));
    recording->run = std::move(run);
    recording->steps = std::move(steps);
    takeHeading(*recording);
    return recording;
}

OpenRecordingPtr withWorkload(const ShownRecording& recording)
{
    auto opened = std::make_shared<OpenRecording>();
    opened->ShownRecording::operator=(recording);
    readWorkload(*opened);
    return opened;
}

OpenRecordingPtr retold(const OpenRecordingPtr& recording)
{
    auto copy = std::make_shared<OpenRecording>(*recording);
    if (!copy->note.empty()) {
        copy->note = noteText(*copy->trace).toStdString();
    }
    takeHeading(*copy);
    return copy;
}

OpenRecordingPtr withMarkupOf(const OpenRecording& earlier, const OpenRecordingPtr& recording)
{
    auto copy = freedElsewhere(std::make_unique<OpenRecording>(*recording));
    copy->marks = earlier.marks;
    copy->annotations = earlier.annotations;
    return copy;
}

OpenRecordingPtr titled(const OpenRecordingPtr& recording, const QString& title)
{
    auto copy = std::make_shared<OpenRecording>(*recording);
    copy->title = title.toStdString();
    return copy;
}

OpenRecordingPtr withWideTotal(const OpenRecordingPtr& recording, const WideTotal& total)
{
    auto copy = std::make_shared<OpenRecording>(*recording);
    copy->wideTotal = total;
    return copy;
}

OpenRecordingPtr withAwaited(const OpenRecordingPtr& recording, AwaitedRanks awaited)
{
    auto copy = std::make_shared<OpenRecording>(*recording);
    copy->awaited = std::make_shared<const AwaitedRanks>(std::move(awaited));
    return copy;
}

namespace {

/// Of what was recorded, also where it is predicted from that.
QString recordedTitle(const OpenRecording& recording)
{
    const QString workload = metaText(*recording.trace, meta::workload);
    const QString variant = metaText(*recording.trace, meta::variant);
    if (recording.workload) {
        const QString title = titleOf(*recording.workload);
        return variant.isEmpty()
            ? title
            : QStringLiteral("%1 · %2").arg(title, variantTitle(*recording.workload, variant.toStdString()));
    }
    if (!workload.isEmpty()) {
        return variant.isEmpty() ? workload : QStringLiteral("%1 · %2").arg(workload, variant);
    }
    return !recording.path.isEmpty() ? printable(QFileInfo(recording.path).fileName())
        : recording.title.empty()    ? tr("Untitled recording")
                                     : nameText(recording.title);
}

}  // namespace

QString longTitle(const OpenRecording& recording)
{
    const QString title = recordedTitle(recording);
    return isPredicted(*recording.trace) ? tr("%1 (predicted)").arg(title) : title;
}

QString nameForFile(const OpenRecording& recording)
{
    const QString workload = metaText(*recording.trace, meta::workload);
    const QString variant = metaText(*recording.trace, meta::variant);
    if (workload.isEmpty() && !recording.path.isEmpty()) {
        return QString::fromStdString(recording_name(recording.path.toStdString()));
    }
    const QString name = workload.isEmpty() ? recordedTitle(recording)
        : variant.isEmpty()                 ? workload
                                            : QStringLiteral("%1.%2").arg(workload, variant);
    return isPredicted(*recording.trace) ? name + QStringLiteral(".predicted") : name;
}

QString deviceName(const Trace& trace)
{
    if (!trace.devices.empty() && trace.devices.front().name != 0) {
        return nameText(trace.text(trace.devices.front().name));
    }
    return metaText(trace, meta::device);
}

QString sourceText(const Trace& trace)
{
    const QString device = deviceName(trace);
    switch (trace.source) {
    case Source::cupti:
        return tr("%1, recorded with CUPTI").arg(device.isEmpty() ? tr("GPU") : device);
    case Source::model:
        return tr("%1: computed, not measured").arg(device.isEmpty() ? tr("Model of a GPU") : device);
    case Source::predicted:
        return tr("Predicted from a recording: computed, not measured");
    case Source::kineto:
        return tr("PyTorch trace");
    case Source::nsys:
        return device.isEmpty() ? tr("Nsight Systems export") : tr("%1, Nsight Systems export").arg(device);
    case Source::chrome:
        return tr("Chrome trace");
    case Source::unknown:
        return tr("%1: measured or computed, the recording does not say").arg(device.isEmpty() ? tr("GPU") : device);
    }
    return {};
}

QString lengthStepText(const OpenRecording& recording)
{
    const Report* report = recording.report.get();
    // Without the part that repeats it is the report of a beginning (makeOpenJob()): the rest may say otherwise.
    return report != nullptr && report->steady && report->length_step
        ? sentence(length_step_message(*report->length_step))
        : QString();
}

QStringList caveats(const OpenRecording& recording)
{
    QStringList lines;
    for (Message caveat : caveats_of(*recording.trace)) {
        if (const QString changes = predictedChanges(*recording.trace);
            caveat.id == "caveat.changes" && !changes.isEmpty()) {
            caveat.arguments = {{"changes", changes.toStdString()}};  // the engine's are those of the command line
        }
        lines += sentence(caveat);
    }
    if (const QString step = lengthStepText(recording); !step.isEmpty()) {
        lines += step;
    }
    return lines;
}

}  // namespace lanes::gui
