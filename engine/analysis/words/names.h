// SPDX-License-Identifier: MIT
// What threads and GPUs are called in reports and sentences.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <string>

namespace lanes {

/// "main (1234)", or "thread 1234" if it has no name.
Message thread_message(const Trace& trace, Row thread);

/// "NVIDIA H100 80GB HBM3", or "GPU 0" if it has no name.
std::string device_name(const Trace& trace, std::uint32_t device);

}  // namespace lanes
