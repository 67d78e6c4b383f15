// SPDX-License-Identifier: MIT
// The spool that this process writes: $LANES_SPOOL, a pattern that each process expands.
#pragma once

#include "probes/spool.h"

#include <string>

namespace lanes {

/// Its path; "" where nothing is to be recorded: no spool was asked for, or not of this rank ($LANES_RANKS).
std::string own_spool_path();

/// Opens it, after making the folders that lack, and writes who this process is. False: see error() of the spool.
bool open_own_spool(SpoolWriter& spool, const std::string& path);

}  // namespace lanes
