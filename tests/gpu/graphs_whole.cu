// SPDX-License-Identifier: MIT
// For graphs_whole.py: launches a CUDA graph of 50 short kernels N times and prints the ns that a launch took, the
// least of five rounds. With "two" it launches one graph N times, another one N times, and both in turn, N times each.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int nodes = 50;

__global__ void add(float* x)
{
    x[threadIdx.x] += 1;
}

}  // namespace

int main(int argc, char** argv)
{
    const int launches = std::atoi(argv[1]);
    float* x = nullptr;
    cudaMalloc(&x, 4096);
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int node = 0; node < nodes; ++node) {
        add<<<1, 32, 0, stream>>>(x);
    }
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t runs = nullptr;
    cudaGraphInstantiate(&runs, graph, 0);
    if (argc > 2) {
        cudaGraphExec_t other = nullptr;
        cudaGraphInstantiate(&other, graph, 0);
        for (int i = 0; i < 4 * launches; ++i) {
            cudaGraphLaunch(i < launches || (i >= 2 * launches && i % 2 == 0) ? runs : other, stream);
        }
        cudaStreamSynchronize(stream);
        return cudaGetLastError() == cudaSuccess ? 0 : 1;
    }
    double least = 1e18;
    for (int round = 0; round < 5; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < launches; ++i) {
            cudaGraphLaunch(runs, stream);
        }
        cudaStreamSynchronize(stream);
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
        least = std::min(least, took.count() / launches);
    }
    std::printf("%.0f\n", least);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
