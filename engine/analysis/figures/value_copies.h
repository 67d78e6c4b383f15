// SPDX-License-Identifier: MIT
// Copies by which the host fetches a value (.item(), a count, a loss), not data: nobody would hide one behind a kernel;
// its cost is the wait for it.
#pragma once

#include "engine/trace/trace.h"

namespace lanes {

inline constexpr std::uint64_t most_of_a_value = std::uint64_t {64} * 1024;  ///< bytes

inline constexpr std::size_t least_to_gather = 4;  ///< from this number on, small copies in a row are worth making one

/// Whether `operation` is a copy to the host of 64 KiB or less.
inline bool fetches_value(const Trace& trace, Row operation)
{
    return trace.operations.kind[operation] == OperationKind::d2h && trace.bytes_of(operation) <= most_of_a_value;
}

inline constexpr std::uint64_t most_of_a_number = 16;  ///< bytes: a complex number of doubles

/// Whether `operation` is a copy to the host of one number, as .item() makes.
inline bool fetches_number(const Trace& trace, Row operation)
{
    return trace.operations.kind[operation] == OperationKind::d2h && trace.bytes_of(operation) <= most_of_a_number;
}

}  // namespace lanes
