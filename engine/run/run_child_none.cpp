// SPDX-License-Identifier: MIT
// The child in a build without CUDA: there is none.
#include "engine/run/run_child.h"

namespace lanes {

int run_child(const RunChildRequest&)
{
    return 1;
}

bool can_run_on_cuda()
{
    return false;
}

}  // namespace lanes
