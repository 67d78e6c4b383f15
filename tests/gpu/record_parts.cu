// SPDX-License-Identifier: MIT
// For record_parts.py: record_parts MODE SECONDS [AFTER] launches short kernels for that long, or a CUDA graph of ten
// of them, and prints a line for each 50 ms: ns since 1970 at its end, launches so far, ns that a launch took.
//   plain    kernels
//   graph    the graph, made at the start
//   late     kernels, and AFTER seconds from the start the graph, made then
//   retired  the graph until AFTER seconds, then kernels
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <nvtx3/nvToolsExt.h>
#include <string>

namespace {

constexpr int nodes = 10;

__global__ void add(float* x)
{
    x[threadIdx.x] += 1;
}

long long nanoseconds()
{
    timespec time {};
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

cudaGraphExec_t make_graph(cudaStream_t stream, float* x)
{
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int node = 0; node < nodes; ++node) {
        add<<<1, 32, 0, stream>>>(x);
    }
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t runs = nullptr;
    cudaGraphInstantiate(&runs, graph, 0);
    return runs;
}

}  // namespace

int main(int count, char** words)
{
    const std::string mode = words[1];
    const long long begin = nanoseconds();
    const auto until = begin + static_cast<long long>(std::atof(words[2]) * 1e9);
    const auto change = begin + static_cast<long long>((count > 3 ? std::atof(words[3]) : 1e6) * 1e9);
    float* x = nullptr;
    cudaMalloc(&x, 4096);
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    cudaGraphExec_t graph = mode == "graph" || mode == "retired" ? make_graph(stream, x) : nullptr;
    add<<<1, 32, 0, stream>>>(x);
    cudaStreamSynchronize(stream);
    long long launches = 0, before = 0;
    auto slice = nanoseconds();
    for (auto now = slice; now < until;) {
        if (mode == "late" && graph == nullptr && now >= change) {
            graph = make_graph(stream, x);
        }
        const bool is_graph = graph != nullptr && (mode != "retired" || now < change);
        nvtxRangePushA("hundred");
        for (int i = 0; i < 100; ++i) {
            if (is_graph) {
                cudaGraphLaunch(graph, stream);
            } else {
                add<<<1, 32, 0, stream>>>(x);
            }
        }
        launches += 100;
        const auto failed = cudaStreamSynchronize(stream);
        nvtxRangePop();
        if (failed != cudaSuccess) {
            std::fprintf(stderr, "%s\n", cudaGetErrorString(failed));
            return 1;
        }
        now = nanoseconds();
        if (now - slice >= 50'000'000) {
            std::printf("%lld %lld %lld\n", now, launches, (now - slice) / (launches - before));
            slice = now;
            before = launches;
        }
    }
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
