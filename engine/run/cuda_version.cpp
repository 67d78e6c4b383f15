// SPDX-License-Identifier: MIT
#include "engine/run/gpu_survey.h"

namespace lanes {

std::string cuda_version_text(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace lanes
