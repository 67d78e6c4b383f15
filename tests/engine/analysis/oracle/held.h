// SPDX-License-Identifier: MIT
// When each thread was held in which call, by the definition of "blocked", one call at a time.
#pragma once

#include "tests/engine/analysis/oracle/recorded.h"

#include <set>

namespace oracle {

/// In the order of the report.
const std::vector<std::string>& causes();

struct Stretch {
    Ns start, end;
    int call;
    std::string cause;
};

struct Held {
    bool known = false;  ///< false: nothing can be said of any thread
    std::vector<Stretch> stretches;
    std::set<std::pair<ThreadId, std::string>> unknown;  ///< threads and causes that the file does not tell

    bool knows(const ThreadId& thread) const;
    bool knows(const ThreadId& thread, const std::string& cause) const;
};

Held held_in(const Recorded& recorded);

}  // namespace oracle
