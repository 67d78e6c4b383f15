// SPDX-License-Identifier: MIT
// Every figure of `lanes report --json`, computed a second time.
#pragma once

#include "tests/engine/analysis/oracle/held.h"
#include "tests/engine/analysis/oracle/recorded.h"

namespace oracle {

/// Figures by their place in the report, "gpu[0].streams[1].busy_ns", as they are written: "17", "null",
/// "\"main\"".
using Figures = std::map<std::string, std::string>;

/// Of the whole recording, or of a range.
Figures figures_of(const Recorded& recorded, const Held& held, std::optional<std::pair<Ns, Ns>> range = {});

}  // namespace oracle
