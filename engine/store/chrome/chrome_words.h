// SPDX-License-Identifier: MIT
// What the names say that Kineto gives to copies, waits and overheads; private to engine/store. export_words.cpp has
// the way back.
#pragma once

#include "probes/record.h"

#include <string_view>

namespace lanes {

/// Of "Memcpy HtoD (Pageable -> Device)", of "CopyHostToDevice" as old ROCm and of "MemcpyH2D" as XLA has it.
CopyKind copy_kind_of(std::string_view name);

MemoryKind memory_kind_of(std::string_view name);

struct CopyEnds {
    MemoryKind source = MemoryKind::unknown, target = MemoryKind::unknown;
};

/// What "(Pageable -> Device)" says.
CopyEnds ends_of(std::string_view name);

/// What the name of a counter says of its unit: "bytes" and "%" in it.
CounterRecord::Unit unit_of(std::string_view name);

SyncRecord::Type sync_type_of(std::string_view name);
OverheadRecord::Type overhead_type_of(std::string_view name);

}  // namespace lanes
