// SPDX-License-Identifier: MIT
// Finds and loads NCCL, or says why it cannot.
//
// Needs no CUDA toolkit and no NCCL headers. Search order: $LANES_NCCL (if set, nothing else is tried), the loader's
// path, nvidia/nccl/lib in the packages of the python3 in $PATH, /usr/local/cuda*. The first library that reports a
// version is used.
//
// Cost: the library stays loaded. Python is not started.
#pragma once

#include <string>
#include <vector>

namespace lanes {

struct NcclLibrary {
    void* handle = nullptr;  ///< from dlopen(); null: none, see `note`
    std::string file;  ///< the name given to dlopen()
    std::string place;  ///< the rule that found it: "$LANES_NCCL", "the loader's path", …
    int version = 0;  ///< from ncclGetVersion(): 22807 is 2.28.7
    std::string note;  ///< one line: what is wrong, or where NCCL was searched
};

NcclLibrary find_nccl();

/// One place to try: a file, or a bare name for the loader.
struct NcclCandidate {
    std::string place, file;
};
/// The places that find_nccl() tries, in order; only files that exist.
std::vector<NcclCandidate> nccl_candidates();

/// "2.28.7".
std::string nccl_version_text(int version);

}  // namespace lanes
