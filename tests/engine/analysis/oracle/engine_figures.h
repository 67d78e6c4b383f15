// SPDX-License-Identifier: MIT
// The engine's report in the form of the oracle's figures.
#pragma once

#include "tests/engine/analysis/oracle/figures.h"

namespace oracle {

/// Every number, word and null of the report of a file, by its place; sentences, findings and verdict left out.
Figures engine_figures(const std::string& path, std::optional<std::pair<Ns, Ns>> range = {});

/// One line a figure that differs, at most ten; empty: they agree.
std::string difference(const Figures& engine, const Figures& oracle);

}  // namespace oracle
