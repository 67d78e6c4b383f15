// SPDX-License-Identifier: MIT
#include "engine/trace/freed_memory.h"

#include <cstdlib>  // __GLIBC__

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LANES_SANITIZED_HEAP 1
#endif
#endif
// Two threads that trim glibc's heap at once, before it is used, crash in its set-up.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)                              \
    && !defined(LANES_SANITIZED_HEAP)
#define LANES_TRIMS_HEAP 1
#endif
#ifdef LANES_TRIMS_HEAP
#include <malloc.h>
#endif

namespace lanes {

void return_freed_memory()
{
#ifdef LANES_TRIMS_HEAP
    malloc_trim(0);
#endif
}

}  // namespace lanes
