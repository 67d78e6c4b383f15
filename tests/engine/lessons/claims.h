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
};

const std::vector<Claim>& claims();

}  // namespace lanes::tests
