// SPDX-License-Identifier: MIT
// The engine's report in the form of the oracle's figures.
#pragma once

#include "engine/analysis/report.h"
#include "tests/engine/analysis/oracle/figures.h"

namespace oracle {

/// A file as the engine opens and analyses it.
class EngineReports {
public:
    explicit EngineReports(const std::string& path);

    /// Every number, word and null in the report of the whole, or of a range, by its place; without sentences, findings
    /// and verdict.
    Figures figures(std::optional<std::pair<Ns, Ns>> range = {}) const;

private:
    const lanes::Trace m_trace;
    const lanes::Blocking m_blocking;
    const lanes::RecordingBounds m_bounds;
};

/// One line a figure that differs, at most ten; empty: they agree.
std::string difference(const Figures& engine, const Figures& oracle);

}  // namespace oracle
