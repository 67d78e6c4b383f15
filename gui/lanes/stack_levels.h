// SPDX-License-Identifier: MIT
// How deep each range of a thread lies among those of its kind, by which the ranges of deep stacks share few rows: the
// outermost frame or range, the module, the outer and the inner operator. At one level nothing overlaps, so that each
// is a row, also where ranges do not nest as they should.
#pragma once

#include "engine/trace/range_kinds.h"
#include "gui/lanes/row_items.h"

#include <functional>

namespace lanes::gui {

/// What a range is to a folded stack. sampled: below all others, since it nests with
/// none of them. plumbing: nothing, it is shown with all depths only.
enum class StackPart : std::uint8_t { frame, module, torchOperator, sampled, plumbing };

struct StackLevel {
    StackPart part = StackPart::plumbing;
    std::uint16_t level = 0;  ///< 0: no other of its part is open around it
    friend bool operator==(const StackLevel&, const StackLevel&) = default;
};

/// Rows that the stack of a thread is folded to, at most; a lane without Python's frames and with no more is not.
inline constexpr std::size_t most_stack_rows = 4;

/// By range of `places`, which are those of one thread by start, longer ones first. Cost: linear for ranges that nest.
std::vector<StackLevel> stackLevels(const std::vector<Row>& places, const TimeColumn& start, const TimeColumn& end,
    const std::function<RangeKind(Row)>& kindOf);

}  // namespace lanes::gui
