// SPDX-License-Identifier: MIT
#include "claims.h"

#include <algorithm>

namespace lanes::tests {

namespace {

constexpr double any = 1e300;
constexpr double ms = 1e6;

double part(Ns a, Ns b)
{
    return static_cast<double>(a) / static_cast<double>(b);
}

double syncs(const Lesson& lesson, const char* variant)
{
    return static_cast<double>(lesson.report(variant).counts.syncs);
}

}  // namespace

std::vector<Claim> claims_of_stories()
{
    using L = const Lesson&;
    return {
        {"prefetcher", "on one stream non_blocking gains nothing where the CPU has little to do", 0.95, 1.1,
            [](L l) { return l.ratio("blocking", "one-stream"); }},
        {"prefetcher", "it hides no copy", 0, 0.01, [](L l) { return l.hidden("one-stream"); }},
        {"prefetcher", "a stream of its own hides all but the first", 0.75, 1,
            [](L l) { return l.hidden("prefetcher"); }},
        {"prefetcher", "and is faster", 1.3, any, [](L l) { return l.ratio("one-stream", "prefetcher"); }},
        {"prefetcher", "no variant reads a batch that is not there", 0, 0, [](L l) { return l.stale("prefetcher"); }},

        {"pinning", "locking takes many times as long as the copy", 8, any,
            [](L l) {
                return l.longest_call("fresh", "cudaMallocHost") * 16 / static_cast<double>(l.gpu("fresh").h2d);
            }},
        {"pinning", "fresh pinned memory is slower than none", 1.3, any,
            [](L l) { return l.ratio("fresh", "pageable"); }},
        {"pinning", "the cache saves most of it", 1.8, any, [](L l) { return l.ratio("fresh", "cached"); }},
        {"pinning", "a thread for it is faster still", 1.03, any, [](L l) { return l.ratio("cached", "pin-thread"); }},
        {"pinning", "with a thread for it no call of main is long", 0, 1 * ms,
            [](L l) { return l.longest_call("pin-thread", "cudaMemcpy"); }},

        {"hidden-syncs", "torch.where waits once, at the end", 1, 1, [](L l) { return syncs(l, "where"); }},
        {"hidden-syncs", "x[mask] in every iteration", 13, 13, [](L l) { return syncs(l, "mask"); }},
        {"hidden-syncs", "so does if", 13, 13, [](L l) { return syncs(l, "condition"); }},
        {"hidden-syncs", "each leaves the GPU idle", 2, any,
            [](L l) { return part(l.gpu("mask").idle, l.gpu("where").idle); }},
        {"hidden-syncs", "x[mask] takes longer than torch.where", 1.2, any,
            [](L l) { return l.ratio("mask", "where"); }},
        {"hidden-syncs", "so does if", 1.2, any, [](L l) { return l.ratio("condition", "where"); }},
        {"hidden-syncs", "and .tolist()", 1.2, any, [](L l) { return l.ratio("tolist", "where"); }},
    };
}

}  // namespace lanes::tests
