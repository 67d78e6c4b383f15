// SPDX-License-Identifier: MIT
// How fast copies from and to pinned memory go in a recording.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// What copies of pinned memory get over a GPU's link, bytes/ns.
struct LinkRates {
    double most, least;
};

/// Of 16 lanes of the PCI Express generation that GPUs of this compute capability have; from the slowest to the fastest
/// generation if the recording does not say which one `device` has. Cost: linear in devices.
LinkRates link_rates(const Trace& trace, std::uint32_t device);

/// Bytes/ns, by stream: the fastest rate of copies of a MiB or more of pinned memory on its device, else the
/// most that its GPU's link gives. Cost: linear in operations.
std::vector<double> pinned_rates(const Trace& trace);

}  // namespace lanes
