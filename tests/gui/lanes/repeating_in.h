// SPDX-License-Identifier: MIT
#pragma once

#include "gui/lanes/shown_recording.h"

namespace lanes::gui {

/// The same recording, as if what repeats in it were in `span`, with all of its work.
inline RecordingPtr repeatingIn(Interval span, const RecordingPtr& recording)
{
    auto report = recording->report ? std::make_shared<Report>(*recording->report) : std::make_shared<Report>();
    report->steady.emplace().span = span;
    report->parts = std::make_shared<const ReportParts>();
    auto shown = std::make_shared<ShownRecording>(*recording);
    shown->report = report;
    return shown;
}

}  // namespace lanes::gui
