// SPDX-License-Identifier: MIT
// The parts that `lanes record --idle` and `--every` recorded into one spool. Each becomes a recording of its own.
//
// The parts of several processes belong together where they overlap in time: processes are triggered at one moment,
// and one that starts CUDA meanwhile takes part in the rest.
#pragma once

#include "engine/trace/recorded_intervals.h"
#include "probes/spool.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lanes {

struct SpoolPartOfAll {
    Interval time {};  ///< from the first begin to the last end, on the records' own clock
    bool is_whole = false;  ///< all its processes have handed over all of it
};

class SpoolParts {
public:
    /// Takes what matters of a chunk; chunks may come while the program runs. Cost: that of its window records and
    /// meta.
    void take(const SpoolChunk& chunk);

    /// In order of time. Cost: sorts all edges.
    std::vector<SpoolPartOfAll> all() const;

private:
    std::vector<WindowRecord> m_edges;
    std::map<std::uint32_t, std::size_t> m_handed_over;  ///< by process: how many of its parts
};

/// All parts in the spool at `path`. Throws as open_spool(). Cost: reads it once.
std::vector<SpoolPartOfAll> parts_of_spool(const std::string& path);

}  // namespace lanes
