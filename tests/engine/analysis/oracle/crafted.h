// SPDX-License-Identifier: MIT
// Recordings of one case each, small enough that the expected figures beside them are worked out by hand.
#pragma once

#include "tests/engine/analysis/oracle/figures.h"
#include "tests/engine/analysis/oracle/script.h"

namespace oracle {

struct Crafted {
    std::string name;
    Script script;
    Figures expected;  ///< some of the report
};

/// The definition of "blocked" at its edges.
std::vector<Crafted> crafted_waits();
/// Every other figure.
std::vector<Crafted> crafted_figures();

}  // namespace oracle
