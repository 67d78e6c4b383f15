// SPDX-License-Identifier: MIT
// The model device in whose proportions the staging of a recording's pageable copies is sketched.
#pragma once

#include "engine/run/model/model_device.h"
#include "engine/trace/trace.h"

#include <memory>

namespace lanes {

/// The device that was fitted to this recording's GPU, else that of an H100. Null if its file (resources/devices) is
/// missing or wrong: a recording can be shown without a sketch. Reads each file once; any thread may call it.
std::shared_ptr<const ModelDevice> staging_device(const Trace& trace);

}  // namespace lanes
