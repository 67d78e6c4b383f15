// SPDX-License-Identifier: MIT
// Which kinds of operations each stream did, and which of them a filter lets through: enough to know what lanes there
// are before any of them is made.
//
// Cost: a byte an operation, and the filter's few ns for each until one of its kind is let through; on all cores.
#pragma once

#include "gui/lanes/lane_choice.h"

#include <vector>

namespace lanes::gui {

/// A set of OperationKind: bit 1 << kind.
using KindSet = std::uint8_t;

constexpr bool has(KindSet kinds, OperationKind kind)
{
    return (kinds >> static_cast<unsigned>(kind) & 1U) != 0;
}

struct StreamKinds {
    KindSet all = 0;
    KindSet shown = 0;
};

/// By row of the trace's streams.
std::vector<StreamKinds> kindsOfStreams(const Trace& trace, const ShownEvents& shown);

}  // namespace lanes::gui
