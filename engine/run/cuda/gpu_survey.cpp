// SPDX-License-Identifier: MIT
#include "engine/run/gpu_survey.h"

#include "engine/run/cuda/cuda_check.h"

#include <cstdio>

namespace lanes {

namespace {

std::string text_of_uuid(const cudaUUID_t& uuid)
{
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char byte[4];
        std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
        text += byte;
        if (i == 3 || i == 5 || i == 7 || i == 9) {
            text += '-';
        }
    }
    return text;
}

}  // namespace

GpuSurvey survey_gpus()
{
    GpuSurvey survey;
    survey.built_with_cuda = true;
    survey.toolkit_version = CUDART_VERSION;
    cudaDriverGetVersion(&survey.driver_version);
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (survey.driver_version == 0) {
        survey.problem = "no NVIDIA driver is installed (libcuda.so.1 is missing)";
        return survey;
    }
    if (error != cudaSuccess) {
        survey.problem = "the driver reports no GPU: " + text_of(error);
        return survey;
    }
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties {};
        if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) {
            continue;
        }
        survey.gpus.push_back({properties.name, text_of_uuid(properties.uuid), properties.totalGlobalMem, 0,
            properties.multiProcessorCount, properties.major, properties.minor, properties.asyncEngineCount});
    }
    if (survey.gpus.empty()) {
        survey.problem = "the driver reports no GPU";
    }
    return survey;
}

}  // namespace lanes
