// SPDX-License-Identifier: MIT
// What overlap-all-reduce and buckets have in common.
#pragma once

#include "engine/replay/changes/edit.h"

namespace lanes::replay::changes {

/// Collectives in a row that stand behind the same kernels: of n, each follows an n-th more of the kernels. Short
/// kernels between them, which work on what was added up, keep none apart.
void follow_parts(Edit& edit);

}  // namespace lanes::replay::changes
