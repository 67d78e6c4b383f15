// SPDX-License-Identifier: MIT
// LANES_CLONES before a function: the function is compiled a second time for newer processors (x86-64-v3), which count
// bits and sum eight-byte numbers several times as fast; the loader chooses. All that it calls must be inlined into it,
// so it belongs on a whole loop. Off under a sanitizer, where such a function takes a minute to compile.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)                  \
    && !defined(__SANITIZE_THREAD__)
#define LANES_CLONES __attribute__((target_clones("arch=x86-64-v3", "default"), flatten, optimize("O3")))
#else
#define LANES_CLONES
#endif
