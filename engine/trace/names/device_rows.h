// SPDX-License-Identifier: MIT
// Rows of a device that look like threads: XLA's profiler (JAX, TensorFlow) writes the work of a GPU a second time, as
// rows of a process that is the GPU, such as "XLA Ops" of "/device:GPU:0". That is no work of a CPU.
#pragma once

#include "engine/trace/trace.h"

#include <optional>
#include <string_view>

namespace lanes {

struct XlaDevice {
    std::string_view kind;  ///< "GPU", "TPU"
    std::uint32_t number;
};
/// From the name of such a process; nothing: it is a process of the CPU.
std::optional<XlaDevice> xla_device_of(std::string_view process);

/// The device that a thread is a row of; no_id: it is a thread of the CPU. Cost: log n.
std::uint32_t device_of_row(const Trace& trace, const Thread& thread);

}  // namespace lanes
