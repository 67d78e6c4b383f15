// SPDX-License-Identifier: MIT
// A range of an NVTX domain as liblanes-nvtx.so gives it to the probe. Both are libraries with their own C++ library,
// so it is plain data.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanes {

struct GivenValue {
    const char* name;
    const char* words;
    std::uint64_t value;
    std::uint32_t type;  ///< RangeValueRecord::Type
};

struct GivenRange {
    const char* domain;
    const char* name;  ///< of a push
    std::uint32_t color;  ///< ARGB; 0: none
    const GivenValue* values;
    std::size_t value_count;
};

/// lanescope_domain_push: false if nothing records. lanescope_domain_pop: false if the thread has no such range of this
/// domain.
using DomainPushFunction = bool(const GivenRange*);
using DomainPopFunction = bool(const GivenRange*);

}  // namespace lanes
