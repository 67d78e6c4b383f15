// SPDX-License-Identifier: MIT
// How much of the heap an importer holds at once, for a bound on it: a few bytes must not make it ask for gigabytes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

// The header comes with clang.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && __has_include(<sanitizer/allocator_interface.h>)
#define LANES_HEAP_IS_COUNTED
#include <sanitizer/allocator_interface.h>
#endif
#endif

namespace lanes {

/// Bytes of the heap that input of a file may cost an importer, each.
inline constexpr std::size_t heap_per_byte = 20;

/// Aborts in the end when more than `allowance` + 20 bytes for each of `input` were on the heap at once in its
/// lifetime, over what was there before. Only clang's builds with ASan count; every other build says nothing. One at a
/// time.
class HeapPeak {
public:
    HeapPeak(std::size_t input, std::size_t allowance)
        : m_most(allowance + heap_per_byte * input)
        , m_input(input)
    {
#ifdef LANES_HEAP_IS_COUNTED
        [[maybe_unused]] static const int installed = __sanitizer_install_malloc_and_free_hooks(taken, given);
#endif
        held = 0;
        peak = 0;
    }
    HeapPeak(const HeapPeak&) = delete;
    HeapPeak& operator=(const HeapPeak&) = delete;
    ~HeapPeak()
    {
        if (peak.load() > static_cast<std::ptrdiff_t>(m_most)) {
            std::fprintf(stderr, "%td bytes of the heap at once for %zu of input\n", peak.load(), m_input);
            std::abort();
        }
    }

private:
#ifdef LANES_HEAP_IS_COUNTED
    static void taken(const volatile void*, std::size_t bytes)
    {
        const auto now = held.fetch_add(static_cast<std::ptrdiff_t>(bytes), std::memory_order_relaxed)
            + static_cast<std::ptrdiff_t>(bytes);
        auto most = peak.load(std::memory_order_relaxed);
        while (now > most && !peak.compare_exchange_weak(most, now, std::memory_order_relaxed)) { }
    }
    static void given(const volatile void* block)
    {
        if (block != nullptr) {
            held.fetch_sub(
                static_cast<std::ptrdiff_t>(__sanitizer_get_allocated_size(block)), std::memory_order_relaxed);
        }
    }
#endif
    static inline std::atomic<std::ptrdiff_t> held = 0;
    static inline std::atomic<std::ptrdiff_t> peak = 0;

    std::size_t m_most;
    std::size_t m_input;
};

}  // namespace lanes
