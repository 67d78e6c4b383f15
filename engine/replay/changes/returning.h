// SPDX-License-Identifier: MIT
// Copies that go to another stream than their kernels, and what is taken for granted of their buffers. Private to
// engine/replay.
#pragma once

#include "engine/replay/changes/edit.h"

#include <cstdint>
#include <functional>

namespace lanes::replay::changes {

/// Gives the copies of the change that no earlier one moved to the stream that `target_of` returns; none: it stays.
/// Each costs its thread an event and a wait for it. Uploads may bring back what was downloaded: if a stream copied
/// some number of bytes to the host before it first copied as many to the GPU, uploads of that size wait for the
/// downloads before them. Others need as many buffers as are under way.
void move_copies(Edit& edit, const std::function<std::uint32_t(const Operation& copy)>& target_of);

}  // namespace lanes::replay::changes
