// SPDX-License-Identifier: MIT
// Program -> ThreadCode: resolves every name, handle and text before the timed part.
#pragma once

#include "engine/run/cuda/machine.h"
#include "engine/run/cuda/ops.h"
#include "probes/record_sink.h"

#include <functional>

namespace lanes {

/// Kernels that are calibrated together.
struct KernelClass {
    std::uint32_t gpu;
    KernelWork work;
    std::uint32_t blocks;  ///< resolved: never 0
    Ns time;
    std::uint64_t words;  ///< written by it
    auto operator<=>(const KernelClass&) const = default;
};

/// How much work a kernel of this class does to take its time (kernels.h says in what unit).
using WorkOf = std::function<std::uint64_t(const KernelClass&)>;

/// One ThreadCode a thread. Texts are interned in `sink`. Throws WorkloadError for a kernel that has more
/// buffers than a launch takes. Pointers into `program`, `machine` and `expected` stay.
std::vector<ThreadCode> lower(const Program& program, Machine& machine, Communicators& communicators,
    const ExpectedContents& expected, RecordSink& sink, const WorkOf& work_of);

}  // namespace lanes
