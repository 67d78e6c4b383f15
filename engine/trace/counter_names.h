// SPDX-License-Identifier: MIT
// What counters are called that come from more than one place: PyTorch's profiler, and our own recording of PyTorch.
#pragma once

namespace lanes::counter_name {

inline constexpr auto allocated = "torch allocated";  ///< bytes of tensors, as torch.cuda.memory_allocated()
inline constexpr auto reserved = "torch reserved";  ///< bytes that its allocator holds, as memory_reserved()

}  // namespace lanes::counter_name
