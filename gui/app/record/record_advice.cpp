// SPDX-License-Identifier: MIT
#include "gui/app/record/record_advice.h"

#include <QCoreApplication>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int killed_by = 128;  // as shells say it
constexpr int recorder_failed = 125, not_executable = 126, not_found = 127;

struct AdviceTexts {
    Q_DECLARE_TR_FUNCTIONS(lanes::gui::RecordAdvice)
};

bool says(const QStringList& said, const char* words)
{
    return std::any_of(
        said.begin(), said.end(), [words](const QString& line) { return line.contains(QLatin1String(words)); });
}

}  // namespace

QString whyNotRecorded(const RecordEnd& end)
{
    if (end.startFailed) {
        return AdviceTexts::tr(
            "Could not start “lanes”, which does the recording. It must be in the same folder as lanescope. %1")
            .arg(end.said.join(QLatin1Char(' ')));
    }
    if (end.crashed) {
        return AdviceTexts::tr("It was killed before it recorded anything.");
    }
    if (says(end.said, "liblanes-probe.so is not beside")) {
        return AdviceTexts::tr(
            "This Lanescope came without its recorder (liblanes-probe.so): it can show recordings but not make them. "
            "Install the package that has it, or build Lanescope with the CUDA toolkit.");
    }
    if (says(end.said, "made no CUDA call")) {
        return end.status == 0
            ? AdviceTexts::tr("The program made no CUDA call, so there was nothing to record. See its output; “lanes "
                              "doctor” shows whether this machine has a GPU.")
            : AdviceTexts::tr("The program ended with status %1 before it made a CUDA call. Its output says why.")
                  .arg(end.status);
    }
    const QString last = end.said.isEmpty() ? QString() : end.said.join(QLatin1String("; "));
    if (says(end.said, "CUPTI")) {
        return AdviceTexts::tr("%1. “lanes doctor” says which CUPTI this machine has.").arg(last);
    }
    if (end.status == not_found || end.status == not_executable) {
        return AdviceTexts::tr("The program could not be started: %1.").arg(last);
    }
    return last.isEmpty() ? AdviceTexts::tr("Nothing was recorded; it ended with status %1.").arg(end.status)
                          : AdviceTexts::tr("Nothing was recorded: %1.").arg(last);
}

QString howItEnded(const RecordEnd& end)
{
    if (end.crashed) {
        return AdviceTexts::tr("It was killed; what was recorded until then is shown.");
    }
    if (end.status == recorder_failed) {
        return end.said.join(QLatin1String("; "));
    }
    if (end.status > killed_by) {
        return AdviceTexts::tr("Signal %1 ended it.").arg(end.status - killed_by);
    }
    return end.status > 0 ? AdviceTexts::tr("It ended with status %1.").arg(end.status) : QString();
}

}  // namespace lanes::gui
