// SPDX-License-Identifier: MIT
// The address of a buffer, shared by the threads that use the buffer and by the one that allocates it.
#pragma once

#include <atomic>

namespace lanes {

/// A buffer's address; null until an `alloc` step has run.
using Slot = std::atomic<void*>;

}  // namespace lanes
