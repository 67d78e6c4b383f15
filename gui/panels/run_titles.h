// SPDX-License-Identifier: MIT
// What two runs of one variant are called, so that one can tell them apart: by the
// parameters in which they differ.
#pragma once

#include "gui/panels/open_recording.h"

namespace lanes::gui {

/// In the window's language, else the name with spaces.
QString labelOf(const Parameter& parameter);

/// The value that a run takes: what was set, else the variant's own, else the default.
QString valueIn(const Workload& workload, const VariantSettings& run, const Parameter& parameter);

/// Where the two are of the same workload and variant and differ in parameters: the same with titles that name those,
/// "blocking · Size of a matrix 64 MiB". Else as they are.
std::vector<OpenRecordingPtr> toldApart(std::vector<OpenRecordingPtr> recordings);

}  // namespace lanes::gui
