// SPDX-License-Identifier: MIT
// The C library keeps memory that is freed in small pieces: 30 bytes an operation after a recording of millions was
// analysed.
#pragma once

namespace lanes {

/// Returns that memory to the system, as far as whole pages are free. Cost: linear in its size. Does nothing under a
/// sanitizer, which has another heap, and with other C libraries than glibc.
void return_freed_memory();

}  // namespace lanes
