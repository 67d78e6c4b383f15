// SPDX-License-Identifier: MIT
// The statements in the texts of the catalogue's workloads, as figures: each holds on every
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
    const char* needs = nullptr;  ///< a variant that some machines have no recording of
};

/// Of all workloads.
const std::vector<Claim>& claims();
/// Those of the workloads about hidden mistakes: prefetcher to broken-capture.
std::vector<Claim> claims_of_stories();
/// Those of the workloads about a model that is trained or served.
std::vector<Claim> claims_of_models();

}  // namespace lanes::tests
