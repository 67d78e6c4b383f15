// SPDX-License-Identifier: MIT
// docs/findings-and-verdicts.md, as the shipped recordings make it.
#pragma once

#include "engine/analysis/report.h"
#include "tests/engine/analysis/shipped/expectations.h"

#include <map>
#include <string>

namespace shipped {

struct ShippedReport {
    lanes::Ns wall = 0;
    lanes::Verdict verdict;
    std::vector<lanes::Finding> findings;
};
/// By "GPU/WORKLOAD.VARIANT".
using Reports = std::map<std::string, ShippedReport>;

/// What `name`'s run takes longer than that of another variant on the same GPU; nothing where that is not recorded.
std::optional<lanes::Ns> saved_by(const Reports& reports, const std::string& name, const std::string& sibling);

std::string page_of(const Reports& reports, const std::map<std::string, Expectation>& expectations);

}  // namespace shipped
