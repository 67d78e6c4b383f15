// SPDX-License-Identifier: MIT
// Which CUPTI would record here, or why none can.
//
// Needs neither a GPU, a driver nor the CUDA headers, so that `lanes doctor` answers
// on any machine. A process may hold one CUPTI only: two of them fight over the
// driver's hook. Hence a library that is already loaded is taken or refused, never
// passed over. Then come $LANES_CUPTI (taken or refused, for it was asked for), the
// folder `beside` and its ../lib, $CUDA_HOME, /usr/local/cuda*, the loader's path; of
// these the first sound one.
//
// Cost: the library is loaded and stays loaded (a few ms; it is not made to be unloaded).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

struct CuptiLibrary {
    enum Verdict {
        good,
        untested,  ///< newer than anything this was tried with: used, with a warning in `note`
        refused,  ///< found, but known not to work: see `note`
        absent,
    };
    Verdict verdict = absent;
    void* handle = nullptr;  ///< of dlopen; null unless usable()
    std::string path;  ///< of the file, "" when absent
    std::string place;  ///< the rule that found it: "already loaded", "$LANES_CUPTI", …
    std::uint32_t version = 0;  ///< as cuptiGetVersion says, 130001 is 13.0 Update 1; 0: not known
    std::string note;  ///< one line: what is wrong with it, or where it was sought
    bool usable() const { return verdict == good || verdict == untested; }
};

/// Finds and loads it. `beside`: the folder of the probe or of `lanes`.
CuptiLibrary find_cupti(const std::string& beside);

/// The folder of the shared object or program that holds `address`, "" if unknown.
std::string folder_of_code(const void* address);

/// Whether that version works.
CuptiLibrary::Verdict verdict_on_cupti(std::uint32_t version, std::string& note);

/// "13.0 (130001)".
std::string cupti_version_text(std::uint32_t version);

}  // namespace lanes
