// SPDX-License-Identifier: MIT
// A recording that is open in the window: what the timeline shows, where it lies on
// disk, and the workload that it carries. Computed once, on the worker thread that
// opened or made it; it does not change afterwards.
#pragma once

#include "engine/workload/program.h"
#include "gui/timeline/recording.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace lanes::gui {

struct OpenRecording : Recording {
    QString path;  ///< absolute; empty: made in this window and not saved
    std::vector<StepInfo> steps;  ///< of the workload that it carries; empty: of a program, or not readable
    QString codePyTorch, codeCuda;  ///< of that workload
};
using OpenRecordingPtr = std::shared_ptr<const OpenRecording>;

/// Computes what Recording::of does, and compiles the workload that the recording carries.
OpenRecordingPtr analysed(Trace trace, const QString& path, const Progress& progress = {});

/// "copy-results-back · overlapped".
QString longTitle(const OpenRecording& recording);
/// Where it comes from: "NVIDIA H100 80GB HBM3, recorded with CUPTI" or "Model of an H100: computed, not measured".
QString sourceText(const Trace& trace);
/// What one has to know before trusting it: dropped records, cut short, an error, clock trouble. One line each.
QStringList caveats(const Trace& trace);

}  // namespace lanes::gui
