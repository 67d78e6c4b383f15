// SPDX-License-Identifier: MIT
// The ranges of PyTorch's DataLoader: what waits for the next batch, and what a worker fetches it in.
#pragma once

#include "engine/trace/trace.h"

namespace lanes {

/// As torch names the wait in any recording of it ("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__").
inline bool waits_for_batch(std::string_view range)
{
    return range.ends_with("DataLoaderIter.__next__");
}
/// The same of a DataLoader without workers: the thread fetches the batch itself.
inline bool fetches_batch_itself(std::string_view range)
{
    return range.ends_with("_SingleProcessDataLoaderIter.__next__");
}
/// As `lanes record --pytorch` names what a worker does (probes/python).
inline constexpr std::string_view batch_fetch = "DataLoader: fetch a batch";

}  // namespace lanes
