// SPDX-License-Identifier: MIT
// table.txt: what each shipped recording must and must not yield.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace shipped {

struct ExpectedFinding {
    std::string rule;
    std::string sibling;  ///< the variant that follows the advice; empty: there is none
    double least = 0.85, most = 1.15;  ///< cost, as a share of the time that the sibling's run is shorter
    bool is_open = false;  ///< the finding has two gains; the sibling's saving is between them, to these shares
    bool may_be_missing = false;  ///< also what it costs is left open then
};

struct Expectation {
    std::vector<std::string> verdicts;  ///< one of these
    std::vector<ExpectedFinding> findings;  ///< these and no others
    std::string reason;  ///< why a cost is not within 15 %
};

/// By "WORKLOAD.VARIANT". Throws std::runtime_error naming the line.
std::map<std::string, Expectation> read_expectations(const std::string& path);

}  // namespace shipped
