// SPDX-License-Identifier: MIT
// What is taken for granted of the buffers of copies that go to another stream than their kernels. Private to
// engine/replay.
#pragma once

#include "engine/replay/changes/edit.h"

#include <cstdint>
#include <vector>

namespace lanes::replay::changes {

/// Uploads may bring back what was downloaded: if a stream copied some number of bytes to the host before it first
/// copied as many to the GPU, uploads of that size wait for the downloads before them. Others need as many buffers as
/// are under way.
void assume_buffers(Edit& edit, const std::vector<std::uint32_t>& uploads);

}  // namespace lanes::replay::changes
