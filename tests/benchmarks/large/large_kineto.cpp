// SPDX-License-Identifier: MIT
#include "tests/benchmarks/large/large_files.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <system_error>

namespace lanes {

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// What a step is made of: an operator of C++ inside one of Python's, with the kernel that it launches.
struct Layer {
    const char *outer, *inner, *kernel;
    int grid, block, us;
};
constexpr std::array layers {
    Layer {"aten::linear", "aten::addmm", "ampere_sgemm_128x64_tn", 512, 256, 41},
    Layer {"aten::conv2d", "aten::cudnn_convolution",
        "void cutlass::Kernel<cutlass_80_tensorop_f16_s16816fprop_optimized_f16_128x128_32x4_nhwc_align8>(cutlass_80_"
        "tensorop_f16_s16816fprop_optimized_f16_128x128_32x4_nhwc_align8::Params)",
        1024, 128, 77},
    Layer {"aten::batch_norm", "aten::cudnn_batch_norm",
        "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, int, 512, true, 1, true>(cudnnTensorStruct, float const*, "
        "cudnnTensorStruct, float*, float const*, float const*, float, float, float*, float*, float*, float*, float, "
        "float)",
        256, 512, 19},
    Layer {"aten::relu_", "aten::clamp_min_",
        "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous "
        "namespace)::clamp_min_scalar_kernel_impl(at::TensorIteratorBase&, "
        "c10::Scalar)::{lambda()#1}::operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1}, "
        "at::detail::Array<char*, 2> >(int, at::native::(anonymous namespace)::clamp_min_scalar_kernel_impl)",
        3136, 64, 8},
    Layer {"autograd::engine::evaluate_function: AddmmBackward0", "aten::mm", "ampere_sgemm_64x64_nt", 640, 128, 52},
};

}  // namespace

void write_large_kineto(const std::string& path, std::size_t events)
{
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
    if (!file) {
        throw std::system_error(errno, std::generic_category(), path);
    }
    auto* to = file.get();
    std::mt19937_64 random(20261123);
    std::fputs(
        "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\n      \"id\": 0, \"name\": \"NVIDIA H200\", "
        "\"totalGlobalMem\": 150754820096,\n      \"computeMajor\": 9, \"computeMinor\": 0, \"numSms\": 132\n    }\n  "
        "],\n  \"traceEvents\": [\n",
        to);
    constexpr long long base = 1761000000000000;  // µs since 1970
    long long host = 0;  // ns
    std::array<long long, 2> free {};
    unsigned long long id = 1;
    std::size_t written = 0;
    const auto begin = [&] { std::fputs(written++ == 0 ? "  {\n" : ",\n  {\n", to); };
    const auto time = [](long long ns) { return base + ns / 1000; };
    while (written < events) {
        const auto& layer = layers[id % layers.size()];
        const long long outer = host;
        const long long inner = host + 1500;
        const long long launch = host + 4000;
        const long long launched = launch + 3000 + static_cast<long long>(random() % 3000);
        const long long inner_end = launched + 1200;
        host = inner_end + 900;
        const auto stream = id % 11 == 0 ? 1U : 0U;
        const bool copies = stream == 1;
        const long long start = std::max(free[stream], launched + 800);
        const long long end = start + layer.us * 1000LL + static_cast<long long>(random() % 4000);
        free[stream] = end + 300;
        const auto correlation = id + 1000;
        const auto op = [&](const char* name, long long from, long long until) {
            begin();
            std::fprintf(to,
                "    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"pid\": 8137, \"tid\": 8137,\n    \"ts\": "
                "%lld.%03lld, \"dur\": %lld.%03lld,\n    \"args\": {\n      \"External id\": %llu,\"Record function "
                "id\": 0, \"Sequence number\": %llu, \"Fwd thread id\": 0, \"Input Dims\": [[32, 512], [512], []], "
                "\"Input type\": [\"float\", \"float\", \"Scalar\"], \"Ev Idx\": %llu\n    }\n  }",
                name, time(from), from % 1000, (until - from) / 1000, (until - from) % 1000, id, id / 2, id);
        };
        op(layer.outer, outer, host - 200);
        op(layer.inner, inner, inner_end);
        begin();
        std::fprintf(to,
            "    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"%s\", \"pid\": 8137, \"tid\": 8137,\n    "
            "\"ts\": %lld.%03lld, \"dur\": %lld.%03lld,\n    \"args\": {\n      \"External id\": %llu, \"cbid\": 211, "
            "\"correlation\": %llu\n    }\n  }",
            copies ? "cudaMemcpyAsync" : "cudaLaunchKernel", time(launch), launch % 1000, (launched - launch) / 1000,
            (launched - launch) % 1000, id, correlation);
        begin();
        std::fprintf(to,
            "    \"ph\": \"s\", \"id\": %llu, \"pid\": 8137, \"tid\": 8137, \"ts\": %lld.%03lld,\n    \"cat\": "
            "\"ac2g\", \"name\": \"ac2g\"\n  }",
            correlation, time(launch), launch % 1000);
        begin();
        if (copies) {
            std::fprintf(to,
                "    \"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"name\": \"Memcpy HtoD (Pinned -> Device)\", \"pid\": 0, "
                "\"tid\": 20,\n    \"ts\": %lld.%03lld, \"dur\": %lld.%03lld,\n    \"args\": {\n      \"External id\": "
                "%llu,\n      \"device\": 0, \"context\": 1,\n      \"stream\": 20, \"correlation\": %llu,\n      "
                "\"bytes\": 1048576, \"memory bandwidth (GB/s)\": 24.117\n    }\n  }",
                time(start), start % 1000, (end - start) / 1000, (end - start) % 1000, id, correlation);
        } else {
            std::fprintf(to,
                "    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": 0, \"tid\": 7,\n    \"ts\": "
                "%lld.%03lld, \"dur\": %lld.%03lld,\n    \"args\": {\n      \"External id\": %llu,\n      \"queued\": "
                "0, \"device\": 0, \"context\": 1,\n      \"stream\": 7, \"correlation\": %llu,\n      \"registers per "
                "thread\": 32,\n      \"shared memory\": 0,\n      \"blocks per SM\": 23.757576,\n      \"warps per "
                "SM\": 190.060606,\n      \"grid\": [%d, 1, 1],\n      \"block\": [%d, 1, 1],\n      \"est. achieved "
                "occupancy %%\": 100\n    }\n  }",
                layer.kernel, time(start), start % 1000, (end - start) / 1000, (end - start) % 1000, id, correlation,
                layer.grid, layer.block);
        }
        begin();
        std::fprintf(to,
            "    \"ph\": \"f\", \"id\": %llu, \"pid\": 0, \"tid\": %d, \"ts\": %lld.%03lld,\n    \"cat\": \"ac2g\", "
            "\"name\": \"ac2g\", \"bp\": \"e\"\n  }",
            correlation, copies ? 20 : 7, time(start), start % 1000);
        if (id % 200 == 0) {  // a step's end: the thread waits
            const long long from = host;
            host = std::max(host, free[0]) + 2000;
            begin();
            std::fprintf(to,
                "    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaDeviceSynchronize\", \"pid\": 8137, "
                "\"tid\": 8137,\n    \"ts\": %lld.%03lld, \"dur\": %lld.%03lld,\n    \"args\": {\n      \"cbid\": 165, "
                "\"correlation\": %llu\n    }\n  }",
                time(from), from % 1000, (host - from) / 1000, (host - from) % 1000, correlation + 1'000'000'000);
        }
        ++id;
    }
    std::fputs("\n  ],\n  \"traceName\": \"large.json\"\n}\n", to);
    if (std::fflush(to) != 0 || std::ferror(to) != 0) {
        throw std::system_error(errno, std::generic_category(), path);
    }
}

}  // namespace lanes
