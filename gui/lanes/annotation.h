// SPDX-License-Identifier: MIT
// What somebody wrote and drew over a recording to explain it: a text, a bracket with the time between two moments, an
// arrow, a frame. Each has its place at times of the recording and in lanes, so that it stays where it belongs at every
// zoom and in every picture.
//
// Lanes have names of their own here, which depend on no language: see annotation_lanes.h.
#pragma once

#include "engine/trace/trace.h"

#include <string>

namespace lanes::gui {

/// Of one recording, and bytes in the text of one: more is neither placed nor read.
constexpr std::size_t most_annotations = 500, longest_annotation = 500;

struct AnnotationSpot {
    Ns time = 0;  ///< from the recording's start
    std::string lane;  ///< one of annotationLanes(); "": all of them
    double height = 0.5;  ///< in the lane: 0 its upper side, 1 its lower one
    friend bool operator==(const AnnotationSpot&, const AnnotationSpot&) = default;
};

struct Annotation {
    enum class Kind : std::uint8_t { text, bracket, arrow, frame };
    Kind kind = Kind::text;
    int side = 0;  ///< 0: of the first recording, 1: of the second
    AnnotationSpot from, to;  ///< a text is at `from`; a bracket and a frame reach from the one to the other
    std::string text;  ///< UTF-8; "" of a text alone is none
    friend bool operator==(const Annotation&, const Annotation&) = default;
};

}  // namespace lanes::gui
