// SPDX-License-Identifier: MIT
// Reads traces in Perfetto's own format (TrackEvent, GpuRenderStageEvent), as PyTorch's profiler and Perfetto's own
// tools write them; private to engine/store. Its events are read as those of the same trace in JSON
// (chrome/chrome_reader.h).
#pragma once

#include "engine/store/json_text.h"
#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <string>
#include <string_view>

namespace lanes {

/// Whether a file that begins so, plain or unpacked, can be one.
bool is_perfetto_trace(std::string_view begin);

/// Reads plain or gzip packets, whole or cut short (meta "complete" is then "no"). Throws StoreError if it is no trace,
/// with the byte that shows it. `most_bytes`: as if it were cut short there. Cost: one pass on two threads; what
/// PerfettoStream holds is in memory.
Trace read_perfetto_trace(const std::string& path, const Progress& progress, std::size_t most_bytes = most_json_bytes);

}  // namespace lanes
