// SPDX-License-Identifier: MIT
// CUDA errors in the set-up as exceptions, and their texts.
#pragma once

#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace lanes {

/// "cudaErrorIllegalAddress: an illegal memory access was encountered"
inline std::string text_of(cudaError_t error)
{
    return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

class CudaError : public std::runtime_error {
public:
    CudaError(cudaError_t error, const std::string& what)
        : std::runtime_error(what + ": " + text_of(error))
        , m_code(error)
    {
    }
    cudaError_t code() const { return m_code; }

private:
    cudaError_t m_code;
};

/// Throws CudaError unless `error` is cudaSuccess; `what` says what was tried.
inline void check(cudaError_t error, const char* what)
{
    if (error != cudaSuccess) {
        throw CudaError(error, what);
    }
}

}  // namespace lanes
