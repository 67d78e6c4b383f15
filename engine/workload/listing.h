// SPDX-License-Identifier: MIT
// The listing of a workload as a program that runs: with the values of a variant, and with what the listing says is
// given (resources/listings) filled in.
#pragma once

#include "engine/workload/workload.h"

#include <string>

namespace lanes {

enum class ListingLanguage : std::uint8_t { pytorch, cuda };

/// A .py or .cu file. `variant` "": the defaults. Throws InputError where the workload has no such listing, or one that
/// did not come with Lanescope: nobody has said what it takes as given. Cost: reads two files.
std::string runnable_listing(const Workload& workload, const std::string& variant, ListingLanguage language);

}  // namespace lanes
