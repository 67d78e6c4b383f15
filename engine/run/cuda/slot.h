// SPDX-License-Identifier: MIT
// The address of a buffer, shared by the threads that use the buffer and by the one that allocates it.
#pragma once

#include <atomic>

namespace lanes {

/// Where a buffer lies; null while an `alloc` step has not run.
using Slot = std::atomic<void*>;

}  // namespace lanes
