// SPDX-License-Identifier: MIT
// The model device whose proportions the staging of a recording's pageable copies is sketched in.
#pragma once

#include "engine/run/model/model_device.h"
#include "engine/trace/trace.h"

#include <memory>

namespace lanes {

/// The device that was fitted to recordings of the GPU that this one is of, else the one of an H100. Null where its
/// file (resources/devices) is missing or wrong: a recording can be shown without a sketch. Reads each file once; any
/// thread.
std::shared_ptr<const ModelDevice> staging_device(const Trace& trace);

}  // namespace lanes
