// SPDX-License-Identifier: MIT
// The ranges of PyTorch's DataLoader: those that wait for the next batch, and those in which a worker fetches one.
#pragma once

#include "engine/trace/trace.h"

namespace lanes {

/// As torch itself names the wait ("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__").
inline bool waits_for_batch(std::string_view range)
{
    return range.ends_with("DataLoaderIter.__next__");
}
/// The same for a DataLoader without workers: the thread fetches the batch itself.
inline bool fetches_batch_itself(std::string_view range)
{
    return range.ends_with("_SingleProcessDataLoaderIter.__next__");
}
/// As `lanes record --pytorch` names what a worker does (probes/python).
inline constexpr std::string_view batch_fetch = "DataLoader: fetch a batch";

}  // namespace lanes
