// SPDX-License-Identifier: MIT
// A recording that is open in the window: what the timeline shows, where it lies on
// disk, and the workload that it carries. Computed once, on the worker thread that
// opened or made it; it does not change afterwards.
#pragma once

#include "engine/workload/workload.h"
#include "gui/lanes/shown_recording.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace lanes::gui {

/// One variant with settings: what one run takes.
struct VariantSettings {
    std::string variant;
    Settings settings;
    friend bool operator==(const VariantSettings&, const VariantSettings&) = default;
};

struct OpenRecording : ShownRecording {
    QString path;  ///< absolute; empty: made in this window and not saved
    /// That it is told by (engine/analysis/told_run.h); null: it is of a program, or its workload is not readable.
    std::shared_ptr<const Workload> workload;
    VariantSettings run;  ///< of that workload
    std::vector<StepInfo> steps;  ///< of that run; empty: as above
    QString codePyTorch, codeCuda;  ///< of that workload
};
using OpenRecordingPtr = std::shared_ptr<const OpenRecording>;

/// Computes what ShownRecording::of does of a recording in a file, and finds the workload that it is told by.
OpenRecordingPtr analysed(Trace trace, const QString& path, const Progress& progress = {});
/// The same of one that was made here.
OpenRecordingPtr analysed(Trace trace, std::shared_ptr<const Workload> workload, VariantSettings run,
    std::vector<StepInfo> steps, const Progress& progress = {});
/// The same of one that was analysed already; it has no path.
OpenRecordingPtr withWorkload(const ShownRecording& recording);
/// The same recording, with its note in the present language of the window.
OpenRecordingPtr retold(const OpenRecordingPtr& recording);
/// The same recording with the marks and annotations of an earlier version of it, whose lists both then share: what is
/// being written or drawn over the one arrives in the other.
OpenRecordingPtr withMarkupOf(const OpenRecording& earlier, const OpenRecordingPtr& recording);
/// The same recording under another title, which what has neither workload, command nor path is called by.
OpenRecordingPtr titled(const OpenRecordingPtr& recording, const QString& title);
/// The same recording of a prediction that is too wide for a single figure.
OpenRecordingPtr withWideTotal(const OpenRecordingPtr& recording, const WideTotal& total);
/// The same recording of a rank, with what its job knows of it.
OpenRecordingPtr withAwaited(const OpenRecordingPtr& recording, AwaitedRanks awaited);

/// "Copy results back · Overlapped copies", in the window's language; of a program the file's name.
QString longTitle(const OpenRecording& recording);
/// What a file of it is called, without ending: "copy-results-back.overlapped".
QString nameForFile(const OpenRecording& recording);
/// The GPU's name: "NVIDIA H100 80GB HBM3", "model:h100"; "": the trace does not say.
QString deviceName(const Trace& trace);
/// Where it comes from: "NVIDIA H100 80GB HBM3, recorded with CUPTI" or "Model of an H100: computed, not measured".
QString sourceText(const Trace& trace);
/// From which iteration on all of them take another time, as when the GPU became hot; "": none is known.
QString lengthStepText(const OpenRecording& recording);
/// What limits how far it and its figures can be trusted: dropped records, cut short, an error, clock trouble, and
/// lengthStepText(). One line each.
QStringList caveats(const OpenRecording& recording);

}  // namespace lanes::gui
