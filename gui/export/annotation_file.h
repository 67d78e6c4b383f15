// SPDX-License-Identifier: MIT
// Annotations as a small YAML file, which `lanescope render --annotations` takes and the window writes:
//
//     annotations:
//       - text:    {at: 12.3 ms, lane: copy, says: nothing overlaps here}
//       - bracket: {from: 2 ms, to: 6.6 ms, lane: copy, says: one copy}
//       - arrow:   {from: 2 ms, from_lane: compute, to: 6.6 ms, to_lane: main}
//       - frame:   {from: 1 ms, to: 4 ms, lane: copy, recording: B}
//
// `says` is needed by a text alone; `height` (0 to 1, an arrow's `from_height` and `to_height`) says where in the lane;
// `recording` is A unless given; a bracket and a frame without a lane go over all lanes.
#pragma once

#include "gui/lanes/annotation.h"
#include "gui/lanes/shown_recording.h"

#include <vector>

namespace lanes {
struct YamlNode;
}

namespace lanes::gui {

/// Throws WorkloadError with file, line and column. `lanes`: those of A and, where there is one, of B; names are
/// checked against them unless none are given. Input is untrusted: at most 500 annotations, texts of 500 bytes.
std::vector<Annotation> parseAnnotations(
    const std::string& text, const std::string& file, const std::vector<std::vector<std::string>>& lanes = {});

/// The same for those recordings, A and perhaps B: a lane may be named as in any grouping of them.
std::vector<Annotation> parseAnnotationsOf(
    const std::vector<RecordingPtr>& recordings, const std::string& text, const std::string& file);

/// The list alone, of a larger file.
std::vector<Annotation> readAnnotations(const YamlNode& list, const std::string& file);

/// What parseAnnotations() reads as the same.
std::string annotationText(const std::vector<Annotation>& annotations);

}  // namespace lanes::gui
