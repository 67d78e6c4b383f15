// SPDX-License-Identifier: MIT
// The texts of a workload in the window's language, and titles that distinguish two runs of one variant: by the
// parameters in which they differ.
#pragma once

#include "gui/session/open_recording.h"

namespace lanes::gui {

/// In the window's language, else in English, else in any, else "".
QString inLanguage(const Translated& text);
/// The title in the window's language, else the name.
QString titleOf(const Workload& workload);
/// The variant's title in the window's language, else its name.
QString variantTitle(const Workload& workload, const std::string& variant);
/// In the window's language, else the name with spaces.
QString labelOf(const Parameter& parameter);

/// The value that a run takes: what was set, else the variant's own, else the default.
QString valueIn(const Workload& workload, const VariantSettings& run, const Parameter& parameter);

/// Whether the run has its variant's own value of each parameter.
bool hasOwnValues(const Workload& workload, const VariantSettings& run);

/// Where the two are of the same workload and variant and differ in parameters: the same with titles that name those,
/// "blocking · Size of a matrix 64 MiB"; where both are of programs and their files have one name, with the folders,
/// "before/trace". Else as they are.
std::vector<OpenRecordingPtr> toldApart(std::vector<OpenRecordingPtr> recordings);

/// What the recordings show where the runs that are chosen are not those that made them: "Matrices 8, Host memory
/// pinned", or the title of another workload. "" where each of them is of one of the chosen runs, or of nothing
/// that is known.
QString shownInstead(const std::vector<OpenRecordingPtr>& shown, const std::shared_ptr<const Workload>& workload,
    const std::vector<VariantSettings>& chosen);

}  // namespace lanes::gui
