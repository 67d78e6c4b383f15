// SPDX-License-Identifier: MIT
#include "claims.h"

#include <algorithm>
#include <limits>
#include <map>

namespace lanes::tests {

namespace {

constexpr double any = 1e300;
constexpr double ms = 1e6, us = 1e3;

double blocked_by(const Lesson& lesson, const char* variant, BlockCause cause)
{
    return static_cast<double>(lesson.main(variant).blocked_by[static_cast<std::size_t>(cause)].value_or(0));
}

/// The time until a copy was staged, or done. Microseconds at the end of the call decide which of the two it is.
double held_by_copy(const Lesson& lesson, const char* variant)
{
    return blocked_by(lesson, variant, BlockCause::staging) + blocked_by(lesson, variant, BlockCause::copy);
}

/// When the last launch returned, as a fraction of the time until the last kernel ended.
double launched(const Lesson& lesson, const char* variant)
{
    const Trace& trace = lesson.shown(variant).trace;
    Ns last = 0;
    for (Row row = 0; row < trace.calls.size(); ++row) {
        const std::string_view name = trace.text(trace.calls.name[row]);
        if (name == "cudaLaunchKernel" || name == "cudaGraphLaunch") {
            last = std::max(last, trace.calls.end[row]);
        }
    }
    return static_cast<double>(last) / static_cast<double>(std::ranges::max(trace.operations.end));
}

/// How many kernels were issued and not done when the first launch was held.
double pending_at_first_held_launch(const Lesson& lesson)
{
    const Trace& trace = lesson.shown("queue-full").trace;
    double issued = 0;
    for (Row row = 0; row < trace.calls.size(); ++row) {
        if (trace.text(trace.calls.name[row]) != "cudaLaunchKernel") {
            continue;
        }
        if (trace.calls.end[row] - trace.calls.start[row] > 50'000) {
            return issued - static_cast<double>(std::ranges::count_if(trace.operations.end, [&](Ns end) {
                return end < trace.calls.start[row];
            }));
        }
        ++issued;
    }
    return -1;
}

/// How long after its batch was loaded a copy began, or pinned if a thread does that; the minimum of all
/// batches, ns. Worker w of n loads batches w, w + n, ..., one after another.
double copied_after_loading(const Lesson& lesson, const char* variant)
{
    const Trace& trace = lesson.shown(variant).trace;
    std::map<std::string, std::vector<Ns>> loaded;  // by worker
    for (const HostSpan& span : trace.host_spans) {
        if (span.type == HostSpanRecord::work && trace.text(span.name) == "load") {
            loaded[std::string(trace.text(trace.threads[span.thread].name))].push_back(span.end);
        }
    }
    std::vector<Ns> copied;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        if (is_copy(trace.operations.kind[row])) {
            copied.push_back(trace.calls.start[trace.operations.call[row]]);
        }
    }
    std::ranges::sort(copied);
    Ns least = std::numeric_limits<Ns>::max();
    for (std::size_t batch = 0; batch < copied.size(); ++batch) {
        auto worker = std::next(loaded.begin(), static_cast<std::ptrdiff_t>(batch % loaded.size()));
        least = std::min(least, copied[batch] - worker->second.at(batch / loaded.size()));
    }
    return static_cast<double>(least);
}

double part(Ns a, Ns b)
{
    return static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace

const std::vector<Claim>& claims()
{
    using L = const Lesson&;
    static const std::vector<Claim> first {
        {"pageable-or-pinned", "a pageable copy holds the thread for its whole length, non_blocking or not", 0.9, 1.1,
            [](L l) {
                return held_by_copy(l, "pageable-non-blocking")
                    / static_cast<double>(l.gpu("pageable-non-blocking").h2d);
            }},
        {"pageable-or-pinned", "so does a blocking one", 0.9, 1.1,
            [](L l) {
                return held_by_copy(l, "pageable-blocking") / static_cast<double>(l.gpu("pageable-blocking").h2d);
            }},
        {"pageable-or-pinned", "the call of a pinned non_blocking copy is a sliver", 1 * us, 60 * us,
            [](L l) { return l.longest_call("pinned-non-blocking", "cudaMemcpy"); }},
        {"pageable-or-pinned", "pageable takes far longer", 2, any,
            [](L l) { return l.ratio("pageable-non-blocking", "pinned-non-blocking"); }},
        {"pageable-or-pinned", "waiting for it takes longer than working beside it", 1.4, any,
            [](L l) { return l.ratio("pinned-blocking", "pinned-non-blocking"); }},

        {"cpu-work-while-copying", "blocking is the sum", 0.97, 1.05,
            [](L l) { return l.total("blocking") / (static_cast<double>(l.gpu("blocking").copy) + 4 * ms); }},
        {"cpu-work-while-copying", "pinned async is the longer of the two", 0.97, 1.05,
            [](L l) {
                return l.total("pinned-async")
                    / std::max<double>(static_cast<double>(l.gpu("pinned-async").copy), 4 * ms);
            }},

        {"copy-results-back", "on one stream the blocking form is kernels plus copies", 0.85, 1.15,
            [](L l) { return l.total("run-then-copy-blocking") / (l.total("run-alone") + l.total("copy-alone")); }},
        {"copy-results-back", "non_blocking alone hides no copy", 0, 0.01,
            [](L l) { return l.hidden("run-then-copy-non-blocking"); }},
        {"copy-results-back", "it holds the CPU no longer for the copies", 0, 60 * us,
            [](L l) { return l.longest_call("run-then-copy-non-blocking", "cudaMemcpy"); }},
        {"copy-results-back", "a second stream hides all copies but the last", 0.8, 1,
            [](L l) { return l.hidden("overlapped"); }},
        {"copy-results-back", "overlapped takes hardly longer than the kernels alone", 1, 1.1,
            [](L l) { return l.ratio("overlapped", "run-alone"); }},
        {"copy-results-back", "the first time takes far longer than blocking", 1.5, any,
            [](L l) { return l.ratio("first-time", "run-then-copy-blocking"); }},
        {"copy-results-back", "since each call makes pinned memory", 5 * ms, any,
            [](L l) { return l.longest_call("first-time", "cudaMallocHost"); }},
        {"copy-results-back", "blocking takes more than twice as long as overlapped", 2, any,
            [](L l) { return l.ratio("blocking", "overlapped"); }},

        {"read-too-early", "without a sync the read finds old bytes", 0.2, 0.95,
            [](L l) { return l.stale("no-sync"); }},
        {"read-too-early", "behind an event it finds none", 0, 0, [](L l) { return l.stale("event-sync"); }},
        {"read-too-early", "nor behind the stream", 0, 0, [](L l) { return l.stale("stream-sync"); }},
        {"read-too-early", "the event is done earlier than the stream", 1.03, any,
            [](L l) { return l.ratio("stream-sync", "event-sync"); }},

        {"data-loader", "four workers and pinned memory beat none", 2.5, any,
            [](L l) { return l.ratio("workers-0-pinned", "workers-4-pinned"); }},
        {"data-loader", "from pageable memory four workers are no better than two", 0.9, 1.1,
            [](L l) { return l.ratio("workers-4-pageable", "workers-2-pageable"); }},
        {"data-loader", "two workers cannot keep up", 1.25, any,
            [](L l) { return l.ratio("workers-2-pinned", "workers-4-pinned"); }},
        {"data-loader", "four leave hardly a gap between the kernels", 0.85, 1,
            [](L l) { return part(l.gpu("workers-4-pinned").kernel, l.report("workers-4-pinned").wall); }},
        {"data-loader", "and the copies lie beside them", 0.85, 1, [](L l) { return l.hidden("workers-4-pinned"); }},
        {"data-loader", "from pageable memory they do not", 0, 0.2, [](L l) { return l.hidden("workers-4-pageable"); }},
        {"data-loader", "pinned on one stream, none does", 0, 0.01, [](L l) { return l.hidden("pinned-one-stream"); }},
        {"data-loader", "a prefetcher is faster than that", 1.04, any,
            [](L l) { return l.ratio("pinned-one-stream", "prefetcher"); }},
        {"data-loader", "since its copies lie beside kernels", 0.85, 1, [](L l) { return l.hidden("prefetcher"); }},
        {"data-loader", "no batch is copied before it is loaded", 0, any,
            [](L l) { return copied_after_loading(l, "workers-4-pageable"); }},
        {"data-loader", "nor before it is pinned", 1 * ms, any,
            [](L l) { return copied_after_loading(l, "prefetcher"); }},

        {"run-ahead", "light: the last launch returns when the last kernel ends", 0.9, 1,
            [](L l) { return launched(l, "light"); }},
        {"run-ahead", "heavy: long before", 0, 0.2, [](L l) { return launched(l, "heavy"); }},
        {"run-ahead", "the first launch that is held finds a full queue", 1018, 1024, pending_at_first_held_launch},
        {"run-ahead", "and is said to be held by it", 10 * ms, any,
            [](L l) { return blocked_by(l, "queue-full", BlockCause::queue_full); }},

        {"item-every-batch", "every batch costs half as much again", 1.5, 4,
            [](L l) { return l.ratio("every", "never"); }},
        {"item-every-batch", "without it main is done long before the stream", 0, 0.8,
            [](L l) { return launched(l, "never"); }},
        {"item-every-batch", "every tenth costs little", 0.95, 1.2, [](L l) { return l.ratio("every-10", "never"); }},
        {"item-every-batch", "every hundredth next to nothing", 0.9, 1.1,
            [](L l) { return l.ratio("every-100", "never"); }},
        {"item-every-batch", "and each of them leaves the GPU idle", 1.5, any,
            [](L l) { return part(l.gpu("every").idle, l.gpu("every-10").idle); }},

        {"loop-on-gpu-value", "slower, but not 10 to 30 times", 2, 10,
            [](L l) { return l.ratio("value-dependent", "fixed-count"); }},
        {"loop-on-gpu-value", "the GPU is idle while the CPU decides", 0.2, 1,
            [](L l) { return part(l.gpu("value-dependent").idle, l.report("value-dependent").wall); }},

        {"two-streams", "small kernels overlap", 0.5, 0.6, [](L l) { return l.ratio("two-small", "one-small"); }},
        {"two-streams", "full ones are no faster on two streams", 0.97, 1.03,
            [](L l) { return l.ratio("two-full", "one-full"); }},
        {"two-streams", "since they do not overlap", 0, 0.03,
            [](L l) { return part(l.gpu("two-full").kernel_concurrency, l.gpu("two-full").busy); }},

        {"default-stream", "legacy: a staircase", 2.8, 3.2, [](L l) { return l.ratio("legacy", "per-thread"); }},
        {"default-stream", "legacy: never two at once", 0, 0.001,
            [](L l) { return part(l.report("legacy").overlap, l.report("legacy").wall); }},
        {"default-stream", "per-thread: three at once", 0.9, 1,
            [](L l) { return part(l.report("per-thread").concurrency[3], l.report("per-thread").wall); }},
        {"default-stream", "non-blocking: three at once", 0.9, 1,
            [](L l) { return part(l.report("non-blocking").concurrency[3], l.report("non-blocking").wall); }},
        {"default-stream", "a side stream that does not wait reads old data", 0.9, 1,
            [](L l) { return l.stale("side-stream"); }},
        {"default-stream", "one that waits does not", 0, 0, [](L l) { return l.stale("side-stream-waits"); }},

        {"events-across-streams", "waiting for the whole device costs more than for the stream", 1.1, any,
            [](L l) { return l.ratio("device-sync", "stream-sync"); }},
        {"events-across-streams", "an event is faster than holding the CPU", 1.1, any,
            [](L l) { return l.ratio("stream-sync", "event-wait"); }},
        {"events-across-streams", "with it copies lie beside the next kernel", 0.7, 1,
            [](L l) { return l.hidden("event-wait"); }},
        {"events-across-streams", "and what arrives is right", 0, 0, [](L l) { return l.stale("event-wait"); }},
        {"events-across-streams", "without order it is fastest", 1.1, any,
            [](L l) { return l.ratio("event-wait", "no-wait"); }},
        {"events-across-streams", "and every byte is wrong", 1, 1, [](L l) { return l.stale("no-wait"); }},

        {"copies-both-ways", "one stream hides nothing", 0, 0.01, [](L l) { return l.hidden("one-stream"); }},
        {"copies-both-ways", "two streams gain", 1.5, any, [](L l) { return l.ratio("one-stream", "two-streams"); }},
        {"copies-both-ways", "three gain more", 1.2, any, [](L l) { return l.ratio("two-streams", "three-streams"); }},
        {"copies-both-ways", "three hide the copies behind kernels", 0.8, 1,
            [](L l) { return l.hidden("three-streams"); }},
        {"copies-both-ways", "and copy both ways at once", 0.3, 1,
            [](L l) { return part(l.gpu("three-streams").h2d_d2h_overlap, l.gpu("three-streams").copy); }},

        {"two-gpus", "both take as long as one", 0.9, 1.1, [](L l) { return l.ratio("both", "gpu-0"); }},
        {"two-gpus", "a sync between makes them take turns", 1.9, 2.1,
            [](L l) { return l.ratio("both-with-sync", "both"); }},
        {"two-gpus", "through the host takes several times as long", 2, any,
            [](L l) { return l.ratio("through-host", "peer-copy"); }},
        {"two-gpus", "a peer copy does not hold the CPU", 0, 100 * us,
            [](L l) { return l.longest_call("peer-copy", "cudaMemcpy"); }},
        {"two-gpus", "without peer access the copy takes several times as long", 5, any,
            [](L l) { return part(l.gpu("no-peer-access").p2p, l.gpu("peer-copy").p2p); }},

        {"all-reduce", "in buckets exposes at most half of what it exposes after backward", 0, 0.5,
            [](L l) {
                return part(l.gpu("in-buckets").communication_exposed, l.gpu("after-backward").communication_exposed);
            }},
        {"all-reduce", "after backward all of it is exposed, some ms", 2.5 * ms, 5 * ms,
            [](L l) { return static_cast<double>(l.gpu("after-backward").communication_exposed); }},
        {"all-reduce", "none of it lies beside backward then", 0.99, 1,
            [](L l) {
                return part(l.gpu("after-backward").communication_exposed, l.gpu("after-backward").communication);
            }},
        {"all-reduce", "one GPU that collects is slower still", 1.03, any,
            [](L l) { return l.ratio("data-parallel", "after-backward"); }},

        {"cuda-graph", "a graph is faster than launches", 1.2, any, [](L l) { return l.ratio("launches", "graph"); }},
        {"cuda-graph", "main is done before the kernels of the graph are", 0, 0.85,
            [](L l) { return launched(l, "graph"); }},
        {"cuda-graph", "but not before those of the launches", 0.9, 1, [](L l) { return launched(l, "launches"); }},
        {"cuda-graph", "with the same kernels", 1, 1,
            [](L l) {
                return part(static_cast<Ns>(l.report("graph").counts.kernels),
                    static_cast<Ns>(l.report("launches").counts.kernels));
            }},
        {"cuda-graph", "and far fewer calls", 5, any,
            [](L l) {
                return part(static_cast<Ns>(l.report("launches").counts.api_calls),
                    static_cast<Ns>(l.report("graph").counts.api_calls));
            }},

        {"allocate-in-the-loop", "allocating stops the device", 1.3, any,
            [](L l) { return l.ratio("malloc", "pool"); }},
        {"allocate-in-the-loop", "every free is held by its kernel", 0.5, 1,
            [](L l) { return blocked_by(l, "malloc", BlockCause::memory) / l.total("malloc"); }},
        {"allocate-in-the-loop", "from a pool none is", 0, 0.05,
            [](L l) { return blocked_by(l, "pool", BlockCause::memory) / l.total("pool"); }}};
    static const std::vector<Claim> all = [] {
        auto both = first;
        for (const auto& more : {claims_of_stories(), claims_of_models()}) {
            both.insert(both.end(), more.begin(), more.end());
        }
        return both;
    }();
    return all;
}

}  // namespace lanes::tests
