// SPDX-License-Identifier: MIT
// The C library keeps memory that is freed in small pieces: 30 bytes an operation after a recording of millions was
// analysed.
#pragma once

namespace lanes {

/// Returns it to the system, as far as whole pages are free. Cost: linear in how much there is. Does nothing under a
/// sanitizer, which has a heap of its own, and with other C libraries than glibc.
void return_freed_memory();

}  // namespace lanes
