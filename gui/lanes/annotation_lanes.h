// SPDX-License-Identifier: MIT
// What lanes are called in annotations: the same in every language.
#pragma once

#include "gui/lanes/lane_model.h"

#include <optional>
#include <string>
#include <vector>

namespace lanes::gui {

/// What the lanes are called in annotations, in the order of LaneModel::lanes(): "overlap", a thread's or a stream's
/// own name, "thread 7", "GPU 0", "GPU 0 H2D"; one that occurs again is "compute (2)".
std::vector<std::string> annotationLanes(const LaneModel& model);

/// What an annotation of the recording may call its lane: those names in every grouping, each once, whatever is
/// filtered now. Cost: that of two models without rows.
std::vector<std::string> laneNamesForAnnotations(const RecordingPtr& recording);

/// The lane of an annotation at `time`, by its place in LaneModel::lanes(). Where lanes are grouped otherwise than when
/// it was made, the one that shows the same work: of a stream the engine that works for it then, of an engine the
/// stream that uses it then; else the first that ever does. `names` are those of the model. Nothing where there is
/// none.
std::optional<std::size_t> laneOfAnnotation(
    const LaneModel& model, const std::vector<std::string>& names, const std::string& name, Ns time);

}  // namespace lanes::gui
