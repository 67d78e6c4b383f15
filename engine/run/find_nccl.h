// SPDX-License-Identifier: MIT
// Which NCCL would do an all-reduce here, or why none can.
//
// Needs no toolkit and no NCCL headers. Sought in this order: $LANES_NCCL (taken or
// refused, for it was asked for), the loader's path, nvidia/nccl/lib among the
// packages of the python3 in $PATH, /usr/local/cuda*; the first that says its version.
//
// Cost: the library is loaded and stays loaded. Finding Python's packages starts no Python.
#pragma once

#include <string>
#include <vector>

namespace lanes {

struct NcclLibrary {
    void* handle = nullptr;  ///< of dlopen; null: none, see `note`
    std::string file;  ///< as it was asked of the loader
    std::string place;  ///< the rule that found it: "$LANES_NCCL", "the loader's path", …
    int version = 0;  ///< as ncclGetVersion says, 22807 is 2.28.7
    std::string note;  ///< one line: what is wrong, or where it was sought
};

NcclLibrary find_nccl();

/// One place to look at: a file, or a bare name for the loader to find.
struct NcclCandidate {
    std::string place, file;
};
/// Where find_nccl() looks, in that order; files that are there, and what the loader may find.
std::vector<NcclCandidate> nccl_candidates();

/// "2.28.7".
std::string nccl_version_text(int version);

}  // namespace lanes
