// SPDX-License-Identifier: MIT
// CUDA graphs whose kernels must lead to the NVTX range in which they were captured: each kernel is named for its
// range.
//   owners CASE            runs it; each graph is launched 20 times
//   owners cost [NODES]    ns a node of the capture and of the instantiation of a graph of NODES kernels (1000), least
//   of 20
// Every kernel `k_NAME` is captured or launched in a range "NAME", so that owners.py can compare the two.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <thread>
#include <vector>

#define KERNEL(name)                                                                                                   \
    __global__ void k_##name(float* x)                                                                                 \
    {                                                                                                                  \
        x[threadIdx.x] += 1;                                                                                           \
    }                                                                                                                  \
    static void name(float* x, cudaStream_t stream)                                                                    \
    {                                                                                                                  \
        nvtxRangePushA(#name);                                                                                         \
        k_##name<<<1, 32, 0, stream>>>(x);                                                                             \
        nvtxRangePop();                                                                                                \
    }
KERNEL(first)
KERNEL(second)
KERNEL(side)
KERNEL(child)
KERNEL(other)
KERNEL(direct)

static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
        std::exit(1);
    }
}
#define CHECK(call) check((call), __LINE__)

static float* memory;
static cudaStream_t stream, side_stream;
static cudaEvent_t fork_event, join_event;

template <class Work> static cudaGraph_t captured(Work work)
{
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    work();
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

static cudaGraphExec_t instantiated(cudaGraph_t graph)
{
    cudaGraphExec_t executable = nullptr;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    return executable;
}

static void replay(cudaGraphExec_t executable)
{
    for (int i = 0; i < 20; ++i) {
        CHECK(cudaGraphLaunch(executable, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
}

static void two_kernels()
{
    first(memory, stream);
    second(memory, stream);
}

/// The node of the executable graph's kernels: those of `graph`, in the order of capture.
static std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph)
{
    std::size_t count = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
    return nodes;
}

static void streams()
{
    auto graph = captured([] {
        first(memory, stream);
        CHECK(cudaEventRecord(fork_event, stream));
        CHECK(cudaStreamWaitEvent(side_stream, fork_event, 0));
        side(memory + 64, side_stream);
        second(memory, stream);
        CHECK(cudaEventRecord(join_event, side_stream));
        CHECK(cudaStreamWaitEvent(stream, join_event, 0));
        nvtxRangePushA("memset");
        CHECK(cudaMemsetAsync(memory, 0, 64, stream));
        nvtxRangePop();
        nvtxRangePushA("copy");
        CHECK(cudaMemcpyAsync(memory, memory + 128, 64, cudaMemcpyDeviceToDevice, stream));
        nvtxRangePop();
    });
    replay(instantiated(graph));
}

static void child_graph()
{
    auto inner = captured([] { child(memory, stream); });
    cudaGraph_t outer = captured(two_kernels);
    const auto nodes = nodes_of(outer);
    cudaGraphNode_t added = nullptr;
    CHECK(cudaGraphAddChildGraphNode(&added, outer, nodes.data() + nodes.size() - 1, 1, inner));
    CHECK(cudaGraphDestroy(inner));
    auto executable = instantiated(outer);
    CHECK(cudaGraphDestroy(outer));  // the executable outlives it
    replay(executable);
}

static void cloned()
{
    auto graph = captured(two_kernels);
    cudaGraph_t clone = nullptr;
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphDestroy(graph));
    replay(instantiated(clone));
}

/// The same kernels in the same order, captured in other ranges: after the update those of the second capture run.
static void updated()
{
    auto graph = captured(two_kernels);
    auto executable = instantiated(graph);
    replay(executable);
    auto again = captured(two_kernels);
    cudaGraphExecUpdateResultInfo result {};
    CHECK(cudaGraphExecUpdate(executable, again, &result));
    replay(executable);
}

static void set_params()
{
    auto graph = captured(two_kernels);
    auto executable = instantiated(graph);
    replay(executable);
    const auto nodes = nodes_of(graph);
    cudaKernelNodeParams parameters {};
    CHECK(cudaGraphKernelNodeGetParams(nodes.front(), &parameters));
    parameters.blockDim.x = 64;
    CHECK(cudaGraphExecKernelNodeSetParams(executable, nodes.front(), &parameters));
    replay(executable);
}

/// A graph that is built, not captured.
static void built()
{
    cudaGraph_t graph = nullptr;
    CHECK(cudaGraphCreate(&graph, 0));
    void* arguments[] = {&memory};
    cudaKernelNodeParams parameters {};
    parameters.func = reinterpret_cast<void*>(&k_other);
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(32);
    parameters.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    nvtxRangePushA("other");
    CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
    nvtxRangePop();
    replay(instantiated(graph));
}

/// The body of a conditional node, captured into it, runs twice a launch.
static void conditional()
{
#if CUDART_VERSION >= 12040
    cudaGraph_t graph = captured(two_kernels);
    const auto nodes = nodes_of(graph);
    cudaGraphConditionalHandle handle {};
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams parameters {};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeIf;
    parameters.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddNode(&node, graph, nodes.data() + nodes.size() - 1, nullptr, 1, &parameters));
#else
    CHECK(cudaGraphAddNode(&node, graph, nodes.data() + nodes.size() - 1, 1, &parameters));
#endif
    cudaGraph_t body = parameters.conditional.phGraph_out[0];
    CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
    child(memory, stream);
    CHECK(cudaStreamEndCapture(stream, &body));
    replay(instantiated(graph));
#endif
}

static void threads()
{
    cudaGraph_t graph = nullptr;
    std::thread([&] {
        graph = captured([] {
            first(memory, stream);
            other(memory, stream);
        });
    }).join();
    replay(instantiated(graph));
}

static void direct_launches()
{
    for (int i = 0; i < 20; ++i) {
        direct(memory, stream);
    }
    CHECK(cudaStreamSynchronize(stream));
}

static void cost(int nodes)
{
    double capture = 1e30, instantiation = 1e30;
    const auto ns = [](auto from, auto to) { return std::chrono::duration<double, std::nano>(to - from).count(); };
    for (int round = 0; round < 20; ++round) {
        const auto begun = std::chrono::steady_clock::now();
        auto graph = captured([nodes] {
            for (int i = 0; i < nodes; ++i) {
                k_first<<<1, 32, 0, stream>>>(memory);
            }
        });
        const auto made = std::chrono::steady_clock::now();
        auto executable = instantiated(graph);
        const auto ready = std::chrono::steady_clock::now();
        capture = std::min(capture, ns(begun, made) / nodes);
        instantiation = std::min(instantiation, ns(made, ready) / nodes);
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaGraphExecDestroy(executable));
        CHECK(cudaGraphDestroy(graph));
    }
    std::printf("%.0f %.0f\n", capture, instantiation);
}

int main(int count, char** words)
{
    const std::string wanted = count > 1 ? words[1] : "";
    CHECK(cudaMalloc(&memory, 4096));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreate(&side_stream));
    CHECK(cudaEventCreate(&fork_event));
    CHECK(cudaEventCreate(&join_event));
    const struct {
        const char* name;
        void (*run)();
    } cases[]
        = {{"streams", streams}, {"child", child_graph}, {"clone", cloned}, {"update", updated}, {"params", set_params},
            {"built", built}, {"conditional", conditional}, {"threads", threads}, {"direct", direct_launches}};
    if (wanted == "cost") {
        cost(count > 2 ? std::atoi(words[2]) : 1000);
        return 0;
    }
    for (const auto& each : cases) {
        if (wanted == each.name) {
            each.run();
            return 0;
        }
    }
    std::fprintf(stderr, "no such case: %s\n", wanted.c_str());
    return 2;
}
