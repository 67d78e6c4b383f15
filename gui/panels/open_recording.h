// SPDX-License-Identifier: MIT
// A recording that is open in the window, with what was computed from it once, on
// the worker thread that opened or made it. It does not change afterwards, so it
// is shared freely between threads.
#pragma once

#include "engine/analysis/blocking.h"
#include "engine/analysis/report.h"
#include "engine/trace/trace.h"
#include "engine/workload/program.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace lanes::gui {

struct OpenRecording {
    QString path;  ///< absolute; empty: made in this window and not saved
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const Blocking> blocking;
    std::shared_ptr<const Report> report;  ///< of the whole recording
    std::vector<StepInfo> steps;           ///< of the workload that it carries; empty: of a program, or not readable
    QString codePyTorch, codeCuda;         ///< of that workload
};
using OpenRecordingPtr = std::shared_ptr<const OpenRecording>;

/// Computes blocking and report, and compiles the workload that the recording carries.
/// Cost: that of find_blocking, make_report and compile.
OpenRecordingPtr analysed(Trace trace, const QString& path);

/// "overlapped" or the file's name: what tells this recording from the one beside it.
QString shortTitle(const OpenRecording& recording);
/// "copy-results-back · overlapped".
QString longTitle(const OpenRecording& recording);
/// Where it comes from: "NVIDIA H100 80GB HBM3, recorded with CUPTI" or "Model of an H100: computed, not measured".
QString sourceText(const Trace& trace);
/// What one has to know before trusting it: dropped records, cut short, an error, clock trouble. One line each.
QStringList caveats(const Trace& trace);

}  // namespace lanes::gui
