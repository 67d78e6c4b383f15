// SPDX-License-Identifier: MIT
// What only several calls show: spins of queries, and processes whose launches return only when their kernels
// are done.
#pragma once

#include "tests/engine/analysis/oracle/waited.h"

#include <set>

namespace oracle {

/// Successive queries of one event or one stream, of which only the last found it done.
struct Poll {
    int first, last;
    bool known;  ///< false: what was asked or answered is not recorded
};
std::vector<Poll> polls_in(const Recorded& recorded, const Waited& waited);

/// The launches that waited for their kernels.
std::set<int> waiting_launches_in(const Recorded& recorded, const Waited& waited);

}  // namespace oracle
