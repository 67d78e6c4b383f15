// SPDX-License-Identifier: MIT
// Names of counters that have two sources: traces of PyTorch's profiler, and `lanes record --pytorch`.
#pragma once

namespace lanes::counter_name {

inline constexpr auto allocated = "torch allocated";  ///< bytes of tensors, as torch.cuda.memory_allocated()
inline constexpr auto reserved
    = "torch reserved";  ///< bytes that the caching allocator holds, as torch.cuda.memory_reserved()

}  // namespace lanes::counter_name
