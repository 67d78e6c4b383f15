// SPDX-License-Identifier: MIT
#include "engine/run/cuda/kernels.h"

#include <cuda_runtime.h>

namespace lanes {

namespace {

// Blocks of an SM that fill its thread slots: registers are limited so that all of them fit.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
constexpr int resident = 1024 / static_cast<int>(kernel_threads);
#elif defined(__CUDA_ARCH__)                                                                                           \
    && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
constexpr int resident = 1536 / static_cast<int>(kernel_threads);
#else
constexpr int resident = 2048 / static_cast<int>(kernel_threads);
#endif

__device__ unsigned long long thread_index()
{
    return static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ unsigned long long thread_count()
{
    return static_cast<unsigned long long>(gridDim.x) * blockDim.x;
}

__device__ void spin(std::uint64_t cycles)
{
    const long long start = clock64();
    while (static_cast<std::uint64_t>(clock64() - start) < cycles) { }
}

// One dependent chain in two warps of each block: far from saturating the SM, so that all blocks of a wave
// advance at one pace and end together. Work that saturates it does not: the scheduler prefers older warps, the
// blocks of one wave end up to half their time apart, and the next kernel's blocks seep in between. The shuffle
// makes each step depend on the one before by more than the pipeline's four cycles. The other warps wait in
// their slots. The sum is stored only if it takes a value that it never takes, which the compiler cannot know.
__device__ void multiply_add(std::uint64_t rounds, const Scratch& scratch)
{
    if (threadIdx.x < fma_threads) {
        float chain = static_cast<float>(threadIdx.x);
        for (std::uint64_t round = 0; round < rounds; ++round) {
#pragma unroll
            for (int part = 0; part < static_cast<int>(fma_per_round); ++part) {
                chain = fmaf(__shfl_xor_sync(0xFFFFFFFFU, chain, 1), 0.75F, 0.25F);
            }
        }
        if (chain == -1.0F) {
            static_cast<float*>(scratch.data)[0] = chain;
        }
    }
    __syncthreads();
}

__device__ void stream_over(std::uint64_t units, const Scratch& scratch)
{
    auto* const words = static_cast<uint4*>(scratch.data);
    const unsigned long long step = thread_count();
#pragma unroll 4
    for (unsigned long long i = thread_index(); i < units; i += step) {
        const unsigned long long at = (scratch.start + i) & (scratch.units - 1);
        uint4 word = words[at];
        word.x += 1;
        words[at] = word;
    }
}

template <KernelWork kind> __device__ void work_on(std::uint64_t amount, const Scratch& scratch)
{
    if constexpr (kind == KernelWork::spin) {
        spin(amount);
    } else if constexpr (kind == KernelWork::fma) {
        multiply_add(amount, scratch);
    } else {
        stream_over(amount, scratch);
    }
}

__device__ void fill(std::uint64_t* output, std::uint64_t words, std::uint64_t value)
{
    const unsigned long long step = thread_count();
    for (unsigned long long i = thread_index(); i < words; i += step) {
        output[i] = value;
    }
}

template <KernelWork kind> __global__ void __launch_bounds__(kernel_threads, resident) plain(const PlainArgs args)
{
    work_on<kind>(args.work, args.scratch);
    fill(args.output, args.words, args.value);
}

__device__ __noinline__ std::uint64_t computed_value(const ComputedArgs& args)
{
    const auto load = [&](const ValueItem& item) {
        return __longlong_as_double(
            static_cast<long long>(*static_cast<const volatile std::uint64_t*>(args.load[item.slot])));
    };
    return static_cast<std::uint64_t>(__double_as_longlong(evaluate(args.code, args.items, load)));
}

template <KernelWork kind> __global__ void __launch_bounds__(kernel_threads, resident) computed(const ComputedArgs args)
{
    __shared__ std::uint64_t value;
    ValueCell& cell = *args.cell;
    if (args.items > 0 && threadIdx.x == 0 && atomicAdd(&cell.arrived, 1U) == 0) {
        cell.value = computed_value(args);
        __threadfence();
        atomicExch(&cell.ready, 1U);
    }
    work_on<kind>(args.work, args.scratch);
    if (threadIdx.x == 0) {
        value = args.value;
        if (args.items > 0) {
            while (*static_cast<volatile unsigned*>(&cell.ready) == 0) { }
            __threadfence();
            value = *static_cast<volatile std::uint64_t*>(&cell.value);
            if (atomicAdd(&cell.left, 1U) + 1 == gridDim.x) {
                cell.arrived = 0;
                cell.ready = 0;
                cell.left = 0;
                __threadfence();
            }
        }
    }
    __syncthreads();
    for (std::uint32_t k = 0; k < args.outputs; ++k) {
        fill(args.output[k], args.words[k], value);
    }
}

__global__ void fault()
{
    *reinterpret_cast<volatile int*>(16ULL * (threadIdx.x + 1ULL)) = 1;  // aligned, but not mapped
}

template <class Function> const void* address_of(Function* function)
{
    return reinterpret_cast<const void*>(function);
}

}  // namespace

const void* plain_kernel(KernelWork work)
{
    switch (work) {
    case KernelWork::spin:
        return address_of(plain<KernelWork::spin>);
    case KernelWork::memory:
        return address_of(plain<KernelWork::memory>);
    case KernelWork::fma:
        break;
    }
    return address_of(plain<KernelWork::fma>);
}

const void* computed_kernel(KernelWork work)
{
    switch (work) {
    case KernelWork::spin:
        return address_of(computed<KernelWork::spin>);
    case KernelWork::memory:
        return address_of(computed<KernelWork::memory>);
    case KernelWork::fma:
        break;
    }
    return address_of(computed<KernelWork::fma>);
}

const void* faulting_kernel()
{
    return address_of(fault);
}

}  // namespace lanes
