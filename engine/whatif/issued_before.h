// SPDX-License-Identifier: MIT
// What the GPU still had to do when the recording began. A thread that runs ahead of the GPU has issued work before, as
// in every recording that begins in the middle of a program: PyTorch's profiler behind a warm-up, Nsight Systems with a
// delay. Private to engine/whatif.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes::whatif {

/// Work that lies ready begins 1 to 10 us behind what its stream waits for; where a GPU has nothing to do for this
/// long, what comes next was issued meanwhile, and why no call is known of it is another question.
inline constexpr Ns most_idle_before = 50'000;

/// Operations without a call, before all others of their streams, that kept their GPU busy without a pause. In the
/// order in which they began. A stream of which no call is known at all is not meant: another thread or process that is
/// not recorded may work with it.
std::vector<Row> issued_before(const Trace& trace);

}  // namespace lanes::whatif
