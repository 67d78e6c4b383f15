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

/// One figure of two recordings; nothing where one lacks what it is computed from.
struct Difference {
    MaybeNs a, b;
    /// B's less A's.
    MaybeNs delta() const { return a && b ? MaybeNs(*b - *a) : std::nullopt; }
    /// B's as a multiple of A's; nothing where A's is 0.
    std::optional<double> ratio() const
    {
        return a && b && *a != 0 ? std::optional(static_cast<double>(*b) / static_cast<double>(*a)) : std::nullopt;
    }
};
/// What two recordings are compared by first: `total` is wall_ns, `blocked` that of the first thread, hidden and
/// exposed copies are summed over the GPUs.
struct Differences {
    Difference total, busy, overlap, copy_hidden, copy_exposed, blocked, cpu_free;
};
Differences differences_of(const Report& a, const Report& b);

/// {"a": report, "b": report, "delta": {…}}. Each figure of delta is B's less A's, null where either is unknown;
/// GPUs are paired by their number and copies summed over them, threads by their place.
std::string comparison_to_json(
    const ReportedRecording& a, const ReportedRecording& b, const Messages& messages = Messages::english());
/// A table of both, what changed and by what factor.
std::string comparison_to_text(
    const ReportedRecording& a, const ReportedRecording& b, const Messages& messages = Messages::english());

}  // namespace lanes
