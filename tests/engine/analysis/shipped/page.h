// SPDX-License-Identifier: MIT
// docs/findings-and-verdicts.md, made from the shipped recordings.
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

/// How much longer `name`'s run takes than another variant's on the same GPU; nothing if that is not recorded.
std::optional<lanes::Ns> saved_by(const Reports& reports, const std::string& name, const std::string& sibling);

std::string page_of(const Reports& reports, const std::map<std::string, Expectation>& expectations);

}  // namespace shipped
