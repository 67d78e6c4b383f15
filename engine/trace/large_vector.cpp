// SPDX-License-Identifier: MIT
#include "engine/trace/large_vector.h"

#include <cstdint>
#include <sys/mman.h>

namespace lanes {

void prefer_huge_pages(void* begin, std::size_t bytes)
{
    constexpr std::uintptr_t huge = std::uintptr_t {2} << 20U;  // on x86-64, and on aarch64 with pages of 4 KiB
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const auto first = (address + huge - 1) / huge * huge;
    const auto last = (address + bytes) / huge * huge;
    if (last >= first + 2 * huge) {
        // Only a request: a refusal is no error.
        ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
    }
}

}  // namespace lanes
