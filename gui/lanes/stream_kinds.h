// SPDX-License-Identifier: MIT
// Which kinds of operations each stream did, and which of them a filter lets through: enough to know what lanes there
// are before any of them is made, and what each is for.
//
// Cost: a byte an operation, and the filter's few ns for each until one of its kind is let through; of
// a stream's kernels the names until one computes; on all cores.
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
    bool computes = false;  ///< a kernel of it does something else than to communicate
};

/// By row of the trace's streams.
std::vector<StreamKinds> kindsOfStreams(const Trace& trace, const ShownEvents& shown);

}  // namespace lanes::gui
