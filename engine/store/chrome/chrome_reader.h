// SPDX-License-Identifier: MIT
// Reads traces in Chrome's JSON format, mostly those of PyTorch's profiler (Kineto), as recordings; private to
// engine/store.
//
// What a category means (old files say "Kernel", "Memcpy", "Memset", "Runtime", "Operator"):
//   kernel, gpu_memcpy, gpu_memset    operations; args.device and args.stream say where, else pid and tid
//   cuda_runtime, cuda_driver         API calls, joined to operations by args.correlation
//   cuda_sync                         what a call waited for
//   overhead                          the recorder's own time
//   anything else with a duration     a range of its thread, its category as the domain
// Events of counters, and PyTorch's "[memory]" with totals, are samples of counters.
// Flows, ranges on GPU rows and samples are not shown; how many there were is in meta "not_shown".
#pragma once

#include "engine/store/json_text.h"
#include "engine/store/recording_file.h"

namespace lanes {

/// Reads plain or gzip JSON: an object with "traceEvents", or the array alone, whole or cut short (meta "complete" is
/// then "no"). Throws StoreError if it is no trace, with the place that shows it. `most_bytes`: reads the text as if it
/// were cut short there. Cost: one pass over the text on two threads; a few MB of it are in memory at a time.
Trace read_chrome_trace(const std::string& path, const Progress& progress, std::size_t most_bytes = most_json_bytes);

}  // namespace lanes
