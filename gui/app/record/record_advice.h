// SPDX-License-Identifier: MIT
// Why a program was not recorded, in plain words, and what can be done about it.
#pragma once

#include "gui/app/record/record_run.h"

namespace lanes::gui {

/// Of one that left no recording: a sentence or two. Where none of ours fits, what `lanes` said.
QString whyNotRecorded(const RecordEnd& end);

/// Of one that left a recording: "" where all went well, else how the program ended, or what the recording lacks.
QString howItEnded(const RecordEnd& end);

}  // namespace lanes::gui
