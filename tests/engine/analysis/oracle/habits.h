// SPDX-License-Identifier: MIT
// What takes more than one call to see: spins of queries, and processes whose launches return only when their kernels
// are done.
#pragma once

#include "tests/engine/analysis/oracle/waited.h"

#include <set>

namespace oracle {

/// Queries of one event or one stream, one behind the other, of which the last one alone found it done.
struct Poll {
    int first, last;
    bool known;  ///< false: what was asked, or what it answered, is not told
};
std::vector<Poll> polls_in(const Recorded& recorded, const Waited& waited);

/// The launches that waited for their kernels.
std::set<int> waiting_launches_in(const Recorded& recorded, const Waited& waited);

}  // namespace oracle
