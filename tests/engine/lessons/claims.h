// SPDX-License-Identifier: MIT
// What the texts of the catalogue's workloads say, as figures: every one holds on every
// machine that a workload was recorded on, and on the model device.
#pragma once

#include "lesson.h"

#include <vector>

namespace lanes::tests {

struct Claim {
    const char* workload;
    const char* words;
    double at_least, at_most;
    double (*value)(const Lesson&);
    const char* needs = nullptr;  ///< a variant that not every machine has a recording of
};

/// Of all workloads.
const std::vector<Claim>& claims();
/// Those of the workloads about what goes wrong unseen: prefetcher to broken-capture.
std::vector<Claim> claims_of_stories();

}  // namespace lanes::tests
