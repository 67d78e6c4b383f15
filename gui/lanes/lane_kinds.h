// SPDX-License-Identifier: MIT
// The kinds of lanes: what whoever treats them differently has to know, a row a kind. A kind without a row does not
// compile; its name and what is written under that is in gui/paint/words/lane_names.cpp, how its rows are made in
// LaneModel and LaneBuilder.
#pragma once

#include "engine/trace/trace.h"
#include "gui/lanes/lane_key.h"

#include <array>
#include <string>
#include <string_view>

namespace lanes::gui {

struct LaneKindRow {
    /// Of what the rows of the lane are: how high they are, and which of them lie over one another.
    enum class Rows : std::uint8_t { none, ribbon, host, device, graph };
    /// What is written beside its name of the time in view; a curve's value.
    enum class Figure : std::uint8_t { none, overlap, blocked, busyOfGpu, busy, value, gpuTime };
    /// How soon a picture leaves it out that is too low for all lanes: the last go first. Of a header as of its lanes.
    enum class Weight : std::uint8_t { first, thread, work, aside };

    LaneKind kind;
    std::string_view word;  ///< in sessions, for good
    Rows rows;
    Figure figure;
    Weight weight;
    /// Whether it belongs to that header, which comes before it.
    bool (*isUnder)(const LaneKey& head, const LaneKey& key);
    /// By which it is found again in another recording and in annotations, "" where it has none. Else the lane of the
    /// same place is the other's.
    std::string_view (*name)(const Trace& trace, Row row);
    /// What annotations call it; `row` is its row in the trace.
    std::string (*inAnnotations)(const Trace& trace, const LaneKey& key, Row row);
};

/// In the order of LaneKind.
const std::array<LaneKindRow, laneKindCount>& laneKinds();
inline const LaneKindRow& laneKindRow(LaneKind kind)
{
    return laneKinds()[static_cast<std::size_t>(kind)];
}

/// "GPU 0 SMs": what annotations call a part of a GPU; `id` is an Engine.
std::string engineInAnnotations(std::uint32_t device, std::uint32_t id);

}  // namespace lanes::gui
