// SPDX-License-Identifier: MIT
// What overlap-all-reduce and buckets have in common.
#pragma once

#include "engine/replay/changes/edit.h"

namespace lanes::replay::changes {

/// Changes collectives in a row that follow the same kernels: each of n follows one n-th more of the kernels. Short
/// kernels between them, which work on the sums, do not separate them. These are the kernels of the backward pass,
/// where threads, names, ranges or what other collectives follow tell it; else all kernels, which is an assumption.
void follow_parts(Edit& edit);

}  // namespace lanes::replay::changes
