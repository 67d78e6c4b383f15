// SPDX-License-Identifier: MIT
// A call of NVTX, as CUPTI reports it to its subscriber.
#pragma once

#include <cstdint>
#include <cupti.h>
#include <span>
#include <string>

namespace lanes {

struct NvtxCall {
    enum Kind : std::uint8_t { other, push, pop, start, end, registered };
    Kind kind = other;
    std::string name;  ///< UTF-8; "" where `handle` is given in its place
    const void* handle = nullptr;  ///< of a registered string
    std::uint64_t domain = 0;  ///< 0: the default one
    std::uint64_t id = 0;  ///< of start and end
};

/// The calls that it understands, which are to be subscribed to.
std::span<const CUpti_CallbackId> nvtx_calls();

/// `data` is what CUPTI hands over; it may allocate.
NvtxCall read_nvtx_call(CUpti_CallbackId id, const CUpti_NvtxData& data);

}  // namespace lanes
