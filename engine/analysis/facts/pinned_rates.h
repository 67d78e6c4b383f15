// SPDX-License-Identifier: MIT
// How fast copies from and to pinned memory go in a recording.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// Bytes/ns, by stream: the fastest rate of copies of a MiB or more of pinned memory on its device, else that of the
/// PCI Express generation of its GPU. Cost: linear in operations.
std::vector<double> pinned_rates(const Trace& trace);

}  // namespace lanes
