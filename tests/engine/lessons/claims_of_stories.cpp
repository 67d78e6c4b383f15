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

double blocked_by(const Lesson& lesson, const char* variant, BlockCause cause)
{
    return static_cast<double>(lesson.main(variant).blocked_by[static_cast<std::size_t>(cause)].value_or(0));
}

/// Wall time of the ranges whose names begin with this, ns.
double ranges(const Lesson& lesson, const char* variant, std::string_view name)
{
    const Shown& shown = lesson.shown(variant);
    Ns sum = 0;
    for (const auto& range : shown.report.ranges) {
        sum += shown.trace.text(range.name).starts_with(name) ? range.wall : 0;
    }
    return static_cast<double>(sum);
}

/// Of the kernel or kernels of that name, ns.
double kernels(const Lesson& lesson, const char* variant, std::string_view name)
{
    const Trace& trace = lesson.shown(variant).trace;
    Ns sum = 0;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        sum += trace.text(trace.operations.name[row]).find(name) != std::string_view::npos
            ? trace.operations.end[row] - trace.operations.start[row]
            : 0;
    }
    return static_cast<double>(sum);
}

/// 1 if the run failed at this kind of step, else 0.
double failed_at(const Lesson& lesson, const char* variant, std::string_view label)
{
    const auto& meta = lesson.shown(variant).trace.meta;
    const auto said = meta.find("error");
    return said != meta.end() && said->second.starts_with("step \"" + std::string(label)) ? 1 : 0;
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
            [](L l) { return l.hidden("own-stream"); }},
        {"prefetcher", "so does a prefetcher", 0.75, 1, [](L l) { return l.hidden("prefetcher"); }},
        {"prefetcher", "both are faster", 1.3, any,
            [](L l) { return std::min(l.ratio("one-stream", "own-stream"), l.ratio("one-stream", "prefetcher")); }},
        {"prefetcher", "with .item() a stream of its own hides nothing", 0, 0.01,
            [](L l) { return l.hidden("own-stream-item"); }},
        {"prefetcher", "and gains nothing", 0.97, 1.03,
            [](L l) { return l.ratio("one-stream-item", "own-stream-item"); }},
        {"prefetcher", "a prefetcher still hides all but the first", 0.75, 1,
            [](L l) { return l.hidden("prefetcher-item"); }},
        {"prefetcher", "and is faster", 1.2, any, [](L l) { return l.ratio("own-stream-item", "prefetcher-item"); }},
        {"prefetcher", "no variant reads a batch that is not there", 0, 0, [](L l) { return l.stale("prefetcher"); }},

        {"pinning", "locking takes many times as long as the copy", 8, any,
            [](L l) {
                return l.longest_call("fresh", "cudaMallocHost") * 16 / static_cast<double>(l.gpu("fresh").h2d);
            }},
        {"pinning", "fresh pinned memory is slower than none", 1.3, any,
            [](L l) { return l.ratio("fresh", "pageable"); }},
        {"pinning", "the cache saves most of it", 1.8, any, [](L l) { return l.ratio("fresh", "cached"); }},
        {"pinning", "a thread for it is faster still", 1.03, any, [](L l) { return l.ratio("cached", "pin-thread"); }},
        {"pinning", "no buffer is filled again before its copy has run", 0, 0,
            [](L l) { return l.stale("cached") + l.stale("pin-thread"); }},
        {"pinning", "with a thread for it a call of main is long only while that thread pins one of three blocks", 0, 3,
            [](L l) { return l.calls_longer_than("pin-thread", "cudaMemcpy", 1'000'000); }},

        {"hidden-syncs", "torch.where waits once, at the end", 1, 1, [](L l) { return syncs(l, "where"); }},
        {"hidden-syncs", "x[mask] in every iteration", 13, 13, [](L l) { return syncs(l, "mask"); }},
        {"hidden-syncs", "so does if", 13, 13, [](L l) { return syncs(l, "condition"); }},
        {"hidden-syncs", "each leaves the GPU idle", 2, any,
            [](L l) { return part(l.gpu("mask").idle, l.gpu("where").idle); }},
        {"hidden-syncs", "x[mask] takes longer than torch.where", 1.2, any,
            [](L l) { return l.ratio("mask", "where"); }},
        {"hidden-syncs", "so does if", 1.2, any, [](L l) { return l.ratio("condition", "where"); }},
        {"hidden-syncs", "and .tolist()", 1.2, any, [](L l) { return l.ratio("tolist", "where"); }},

        {"record-stream", "without record_stream most losses are wrong", 0.5, 1,
            [](L l) { return l.stale("dropped"); }},
        {"record-stream", "with it none", 0, 0, [](L l) { return l.stale("record-stream"); }},
        {"record-stream", "nor with two buffers and an event", 0, 0, [](L l) { return l.stale("two-buffers"); }},
        {"record-stream", "the wrong one is no faster", 0.9, 1.1,
            [](L l) { return l.ratio("dropped", "record-stream"); }},

        {"timing-mistakes", "without a synchronisation the stopwatch shows a sliver", 0, 0.1,
            [](L l) { return ranges(l, "no-sync", "stopwatch") / kernels(l, "no-sync", "step"); }},
        {"timing-mistakes", "with one behind it also shows the work before", 2, 3,
            [](L l) { return ranges(l, "sync-after", "stopwatch") / kernels(l, "sync-after", "step"); }},
        {"timing-mistakes", "with one on each side it is right", 1, 1.05,
            [](L l) { return ranges(l, "sync-both", "stopwatch") / kernels(l, "sync-both", "step"); }},
        {"timing-mistakes", "the kernel takes as long in all of them", 0.97, 1.03,
            [](L l) { return kernels(l, "no-sync", "step") / kernels(l, "events", "step"); }},

        {"stream-priority", "high priority answers within a fraction of the time", 3, any,
            [](L l) { return ranges(l, "same-priority", "request") / ranges(l, "high-priority", "request"); }},
        {"stream-priority", "and the large kernels take hardly longer", 0.95, 1.1,
            [](L l) { return kernels(l, "high-priority", "large") / kernels(l, "same-priority", "large"); }},
        {"stream-priority", "a copy waits for no kernel", 0, 1 * ms,
            [](L l) { return ranges(l, "copy-only", "request"); }},
        {"stream-priority", "an all-reduce, too, is done within a fraction of the time", 3, any,
            [](L l) {
                return ranges(l, "all-reduce-same-priority", "request")
                    / ranges(l, "all-reduce-high-priority", "request");
            },
            "all-reduce-high-priority"},
        {"stream-priority", "and the kernels beside it take hardly longer", 0.95, 1.1,
            [](L l) {
                return kernels(l, "all-reduce-high-priority", "large")
                    / kernels(l, "all-reduce-same-priority", "large");
            },
            "all-reduce-high-priority"},

        {"offload", "on one stream no copy is hidden", 0, 0.01, [](L l) { return l.hidden("one-stream"); }},
        {"offload", "on a stream of its own nearly all are", 0.9, 1, [](L l) { return l.hidden("own-stream"); }},
        {"offload", "and it is faster", 1.3, any, [](L l) { return l.ratio("one-stream", "own-stream"); }},
        {"offload", "fresh pinned memory makes it far slower", 2, any,
            [](L l) { return l.ratio("fresh-pinned", "own-stream"); }},
        {"offload", "though its copies are hidden all the same", 0.9, 1, [](L l) { return l.hidden("fresh-pinned"); }},

        {"overwritten-source", "without a wait most batches are not what was sent", 0.5, 1,
            [](L l) { return l.stale("overwritten"); }},
        {"overwritten-source", "with an event all are", 0, 0, [](L l) { return l.stale("event"); }},
        {"overwritten-source", "with two buffers too", 0, 0, [](L l) { return l.stale("two-buffers"); }},
        {"overwritten-source", "and from pageable memory", 0, 0, [](L l) { return l.stale("pageable"); }},
        {"overwritten-source", "two buffers make main wait less for events", 1.2, any,
            [](L l) {
                return blocked_by(l, "event", BlockCause::event_sync)
                    / blocked_by(l, "two-buffers", BlockCause::event_sync);
            }},

        {"launch-blocking", "a launch takes as long as its kernel", 0.9, 1.3,
            [](L l) {
                return l.longest_call("launch-blocking", "cudaLaunchKernel") * 12
                    / (kernels(l, "launch-blocking", "left") + kernels(l, "launch-blocking", "right"));
            }},
        {"launch-blocking", "and holds main for nearly as long", 0.9, 1.1,
            [](L l) {
                return blocked_by(l, "launch-blocking", BlockCause::launch)
                    / static_cast<double>(l.gpu("launch-blocking").kernel);
            }},
        {"launch-blocking", "else it takes next to nothing", 0, 0.1 * ms,
            [](L l) { return l.longest_call("normal", "cudaLaunchKernel"); }},
        {"launch-blocking", "the two streams take turns", 0, 0.01,
            [](L l) { return part(l.report("launch-blocking").overlap, l.report("launch-blocking").wall); }},
        {"launch-blocking", "which they do not without it", 0.6, 1,
            [](L l) { return part(l.report("normal").overlap, l.report("normal").wall); }},
        {"launch-blocking", "and all takes longer", 1.8, any, [](L l) { return l.ratio("launch-blocking", "normal"); }},

        {"late-error", "the error shows up in the copy of the loss", 1, 1,
            [](L l) { return failed_at(l, "late", "copy"); }},
        {"late-error", "with CUDA_LAUNCH_BLOCKING in the launch itself", 1, 1,
            [](L l) { return failed_at(l, "launch-blocking", "fault"); }},
        {"late-error", "with a synchronisation after each layer in that one", 1, 1,
            [](L l) { return failed_at(l, "sync-each", "sync"); }},

        {"broken-capture", ".item() ends the capture", 1, 1, [](L l) { return failed_at(l, "item", "copy"); }},
        {"broken-capture", "and cudaMalloc", 1, 1, [](L l) { return failed_at(l, "malloc", "alloc"); }},
        {"broken-capture", "nothing of what was captured has run", 5, 5,
            [](L l) { return static_cast<double>(l.report("item").counts.kernels); }},
        {"broken-capture", "without either it is right", 0, 0, [](L l) { return l.stale("static"); }},
    };
}

}  // namespace lanes::tests
