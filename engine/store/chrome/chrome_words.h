// SPDX-License-Identifier: MIT
// The meaning of Kineto's names for copies, waits and overheads; private to engine/store. export_words.cpp has the
// reverse.
#pragma once

#include "probes/record.h"

#include <optional>
#include <string_view>

namespace lanes {

/// From "Memcpy HtoD (Pageable -> Device)", "CopyHostToDevice" (old ROCm),
/// "MEMORY_COPY_HOST_TO_DEVICE" (rocprofv3) or "MemcpyH2D" (XLA).
CopyKind copy_kind_of(std::string_view name);

MemoryKind memory_kind_of(std::string_view name);

struct CopyEnds {
    MemoryKind source = MemoryKind::unknown, target = MemoryKind::unknown;
};

/// From "(Pageable -> Device)".
CopyEnds ends_of(std::string_view name);

/// The unit by the name of a counter: "bytes" or "%" in it.
CounterRecord::Unit unit_of(std::string_view name);
/// The unit that a file of ours names; nothing: an earlier version wrote it, without.
std::optional<CounterRecord::Unit> unit_of_word(std::string_view word);

SyncRecord::Type sync_type_of(std::string_view name);
OverheadRecord::Type overhead_type_of(std::string_view name);

}  // namespace lanes
