// SPDX-License-Identifier: MIT
// The survey of a build without CUDA.
#include "engine/run/gpu_survey.h"

namespace lanes {

GpuSurvey survey_gpus()
{
    GpuSurvey survey;
    survey.problem = "this lanes was built without CUDA";
    return survey;
}

}  // namespace lanes
