// SPDX-License-Identifier: MIT
// Two reports side by side: what B has more or less of than A.
#pragma once

#include "engine/analysis/report.h"

#include <string>

namespace lanes {

/// One side of a comparison; both must outlive the calls below.
struct ReportedRecording {
    const Trace& trace;
    const Report& report;
    std::string name;  ///< as people know it: the variant, or the file's name
};

/// {"a": report, "b": report, "delta": {…}}. Each figure of delta is B's less A's, null where either is unknown;
/// GPUs are paired by their number and copies summed over them, threads by their place.
std::string comparison_to_json(
    const ReportedRecording& a, const ReportedRecording& b, const Messages& messages = Messages::english());
/// A table of both, what changed and by what factor.
std::string comparison_to_text(
    const ReportedRecording& a, const ReportedRecording& b, const Messages& messages = Messages::english());

}  // namespace lanes
