// SPDX-License-Identifier: MIT
// From a recording to the summaries of its ranks. A pure function of one file, so that anything may map it: xargs,
// srun, Ray, Dask.
#pragma once

#include "engine/ranks/rank_summary.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

/// Who a process is, as far as the recording and the file's name say it; `process` is the one with the GPU.
RankIdentity identity_of(const Trace& trace, std::uint32_t process, const std::string& file);

/// One for each rank of the recording; `file` is the name that they keep. Throws InputError if no process used a GPU.
/// Cost: n log n in the operations, and that of find_blocking() and find_repetition() for each rank.
std::vector<RankSummary> summarize(const Trace& trace, const std::string& file);

}  // namespace lanes
