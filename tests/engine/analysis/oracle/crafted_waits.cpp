// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/crafted.h"

namespace oracle {

namespace {

constexpr std::int64_t legacy = 7, blocking = 13, side = 14, other_side = 15;
constexpr std::int64_t pageable = 0, pinned = 1, device = 2;
constexpr std::int64_t h2d = 1, d2h = 2;
constexpr Ns us = 1'000, ms = 1'000'000;

/// One process, one thread, one GPU, a legacy stream, a blocking one and two that are not.
Script start()
{
    Script s;
    s.gpu(0, "GPU", "00");
    s.context(legacy);
    s.stream(legacy, 3);
    s.stream(blocking, 1);
    s.stream(side, 2);
    s.stream(other_side, 2);
    s.thread("main", 0);
    return s;
}

/// A kernel, launched at `at` in 5 us.
void kernel(Script& s, std::int64_t stream, Ns at, Ns from, Ns to)
{
    s.kernel(s.call("cudaLaunchKernel", at, at + 5 * us), stream, from, to);
}
void stream_sync(Script& s, std::int64_t stream, Ns from, Ns to)
{
    s.sync(s.call("cudaStreamSynchronize", from, to), Sync::stream, from, to, stream);
}
void device_sync(Script& s, Ns from, Ns to)
{
    s.sync(s.call("cudaDeviceSynchronize", from, to), Sync::context, from, to);
}
void record(Script& s, std::int64_t stream, std::int64_t event, Ns at)
{
    s.event(s.call("cudaEventRecord", at, at + us), stream, event, event);
}
void event_sync(Script& s, std::int64_t event, Ns from, Ns to)
{
    s.sync(s.call("cudaEventSynchronize", from, to), Sync::event, from, to, no_number, event, event);
}
void wait_event(Script& s, std::int64_t stream, std::int64_t event, Ns at)
{
    s.sync(s.call("cudaStreamWaitEvent", at, at + us), Sync::stream_waits, at, at + us, stream, event, event);
}

/// The only thread was blocked by this and nothing else.
Figures blocked(const std::string& cause, Ns length)
{
    Figures figures {{"cpu[0].blocked_ns", std::to_string(length)}};
    for (const auto& known : causes()) {
        figures["cpu[0].blocked_by." + known] = known == cause ? std::to_string(length) : "0";
    }
    return figures;
}
Figures unknown(const std::string& cause)
{
    return {{"cpu[0].blocked_ns", "null"}, {"cpu[0].blocked_by." + cause, "null"}, {"cpu_free_ns", "null"}};
}
Figures with(Figures figures, const Figures& more)
{
    figures.insert(more.begin(), more.end());
    return figures;
}

using Cases = std::vector<Crafted>;

void tolerance(Cases& cases)
{
    // 10 ms: 2 us and a 500th of the call are 22 us; 20 us is the limit.
    for (const auto& [name, late, length] :
        std::vector<std::tuple<std::string, Ns, Ns>> {{"long sync, 6 us before the end of its work", 6 * us, 10 * ms},
            {"long sync, at the limit", 20 * us, 10 * ms}, {"long sync, beyond the limit", 20 * us + 1, 0}}) {
        auto s = start();
        kernel(s, side, 0, 10 * us, 10 * ms + 50 * us + late);
        stream_sync(s, side, 50 * us, 10 * ms + 50 * us);
        cases.push_back({name, s, blocked("stream_sync", length)});
    }
    // 50 us: 2 us and 100 ns.
    for (const auto& [name, late, length] : std::vector<std::tuple<std::string, Ns, Ns>> {
             {"short sync, at the limit", 2'100, 50 * us}, {"short sync, beyond the limit", 2'101, 0}}) {
        auto s = start();
        kernel(s, side, 0, 10 * us, 100 * us + late);
        stream_sync(s, side, 50 * us, 100 * us);
        cases.push_back({name, s, blocked("stream_sync", length)});
    }
    auto ended = start();
    kernel(ended, side, 0, 10 * us, 50 * us);
    stream_sync(ended, side, 50 * us, 100 * us);
    cases.push_back({"work that ends as the sync begins", ended, blocked("", 0)});

    auto later = start();
    kernel(later, side, 0, 10 * us, 100 * us);
    stream_sync(later, side, 50 * us, 104 * us);
    kernel(later, side, 60 * us, 200 * us, 300 * us);  // another thread's call would do the same
    cases.push_back({"work submitted while the sync lasts", later, blocked("stream_sync", 54 * us)});

    auto after = start();
    after.copy(
        after.call("cudaMemcpyAsync", 0, 13'900), side, 13'900 + 700, 13'900 + 1'500, h2d, pageable, device, true);
    cases.push_back({"a small copy that begins when its call has returned", after, blocked("", 0)});
}

void copies(Cases& cases)
{
    auto sync = start();
    sync.copy(sync.call("cudaMemcpy", 0, 500 * us), legacy, 20 * us, 499 * us, d2h, device, pinned, false);
    cases.push_back({"a synchronous copy", sync, with(blocked("copy", 500 * us), {{"counts.syncs", "1"}})});

    auto async = start();
    async.copy(async.call("cudaMemcpyAsync", 0, 500 * us), side, 20 * us, 499 * us, d2h, device, pageable, true);
    cases.push_back({"an Async copy of pageable memory", async, blocked("copy", 500 * us)});

    auto unsaid = start();
    unsaid.copy(unsaid.call("cudaMemcpyAsync", 0, 500 * us), side, 20 * us, 499 * us, h2d, 7, 7, true);
    cases.push_back({"an Async copy of memory of no recorded kind, awaited", unsaid, blocked("copy", 500 * us)});

    auto unsaid_free = start();
    unsaid_free.copy(unsaid_free.call("cudaMemcpyAsync", 0, 5 * us), side, 20 * us, 499 * us, h2d, 7, 7, true);
    cases.push_back({"an Async copy of memory of no recorded kind, not awaited", unsaid_free,
        with(blocked("", 0), {{"counts.syncs", "0"}, {"cpu_free_ns", "479000"}})});

    auto free = start();
    free.copy(free.call("cudaMemcpyAsync", 0, 5 * us), side, 20 * us, 499 * us, d2h, device, pinned, true);
    cases.push_back({"an Async copy of pinned memory", free,
        with(blocked("", 0), {{"counts.syncs", "0"}, {"cpu_free_ns", "479000"}})});

    auto staged = start();
    staged.copy(staged.call("cudaMemcpyAsync", 0, 120 * us), side, 20 * us, 499 * us, h2d, pageable, device, true);
    cases.push_back({"staging", staged, blocked("staging", 100 * us)});

    auto lost = start();
    kernel(lost, side, 0, 10 * us, 20 * us);
    lost.call("cudaMemcpyAsync", 50 * us, 120 * us);
    cases.push_back({"a copy call without its copy", lost, unknown("copy")});
}

void without_calls(Cases& cases)
{
    auto window = start();
    kernel(window, other_side, 0, 10 * us, 20 * us);
    window.kernel(0, side, 100 * us, 200 * us);
    stream_sync(window, side, 30 * us, 200 * us);
    cases.push_back({"a sync behind work without a call", window, unknown("stream_sync")});

    // Whether that work precedes the event is not known; that it precedes the sync is: it had begun.
    auto certain = start();
    record(certain, side, 1, 5 * us);
    wait_event(certain, other_side, 1, 10 * us);
    certain.kernel(0, side, 40 * us, 200 * us);
    kernel(certain, side, 50 * us, 900 * us, 1000 * us);
    device_sync(certain, 60 * us, 200 * us);
    cases.push_back({"a sync behind work without a call that had begun", certain, blocked("", 0)});

    auto values = start();  // copied repeatedly by unknown calls
    for (Ns at = 0; at < 800 * us; at += 200 * us) {
        kernel(values, side, at, at + 10 * us, at + 20 * us);
        values.copy(0, side, at + 20 * us, at + 90 * us, d2h, device, pinned, true);
        stream_sync(values, side, at + 30 * us, at + 91 * us);
    }
    kernel(values, side, 800 * us, 810 * us, 820 * us);
    cases.push_back({"syncs behind small copies without a call", values, blocked("stream_sync", 4 * 61 * us)});

    auto trimmed = start();
    trimmed.kernel(999, side, 50 * us, 200 * us);  // its call is outside of the window
    kernel(trimmed, other_side, 0, 10 * us, 20 * us);
    device_sync(trimmed, 30 * us, 200 * us);
    cases.push_back({"a sync behind work whose call was cut off", trimmed, unknown("device_sync")});

    auto unnamed = start();
    kernel(unnamed, side, 0, 10 * us, 200 * us);
    unnamed.call("cudaStreamSynchronize", 30 * us, 200 * us);  // of this stream, or of an idle one
    cases.push_back({"a sync without its record", unnamed, unknown("stream_sync")});

    auto untimed = start();
    kernel(untimed, other_side, 0, 10 * us, 20 * us);
    untimed.host_function(untimed.call("cudaLaunchHostFunc", 10 * us, 12 * us), side, std::nullopt);
    stream_sync(untimed, side, 30 * us, 200 * us);
    cases.push_back({"a sync behind a function without a time", untimed, unknown("stream_sync")});

    auto outlasted = start();
    kernel(outlasted, other_side, 0, 10 * us, 20 * us);
    outlasted.host_function(outlasted.call("cudaLaunchHostFunc", 10 * us, 12 * us), side, std::nullopt);
    outlasted.host_function(
        outlasted.call("cudaLaunchHostFunc", 14 * us, 16 * us), side, std::make_pair(18 * us, 25 * us));
    stream_sync(outlasted, side, 30 * us, 200 * us);
    cases.push_back({"a function without a time and one behind it", outlasted, blocked("", 0)});

    auto unrecorded = start();
    kernel(unrecorded, other_side, 0, 10 * us, 20 * us);
    unrecorded.call("cudaLaunchHostFunc", 10 * us, 12 * us);
    stream_sync(unrecorded, side, 30 * us, 200 * us);
    cases.push_back({"a sync behind a function without a record", unrecorded, unknown("stream_sync")});

    auto before = start();
    kernel(before, side, 0, 10 * us, 200 * us);
    event_sync(before, 9, 30 * us, 200 * us);
    cases.push_back({"an event that was recorded before the window", before, unknown("event_sync")});

    auto copied = start();
    kernel(copied, side, 0, 10 * us, 20 * us);
    copied.call("cudaMemcpy", 50 * us, 60 * us);
    copied.copy(0, legacy, 52 * us, 59 * us, d2h, device, pinned, false);
    cases.push_back({"a copy that names no call", copied, unknown("copy")});

    auto nothing = start();
    nothing.kernel(0, side, 0, 100 * us);
    nothing.call("cudaSetDevice", 0, us);
    cases.push_back({"nothing joins calls and work", nothing,
        {{"cpu[0].blocked_ns", "null"}, {"cpu_free_ns", "null"}, {"gpu_busy_ns", "100000"}}});
}

void other_calls(Cases& cases)
{
    auto memset = start();
    memset.memset(memset.call("cudaMemset", 0, 135 * us), legacy, 5 * us, 134 * us, pinned, false);
    cases.push_back({"a synchronous memset of host memory", memset, blocked("other", 135 * us)});

    auto quick = start();
    quick.memset(quick.call("cudaMemset", 0, 21 * us), legacy, 15 * us, 600 * us, device, false);
    cases.push_back({"a memset of the device's memory returns", quick, blocked("", 0)});

    for (const auto* name : {"cudaFree", "cuMemUnmap", "cuMemFree_v2", "cudaFreeHost", "cuMemRelease"}) {
        auto s = start();
        kernel(s, side, 0, 10 * us, 900 * us);
        s.allocation(s.call(name, 30 * us, 901 * us), 31 * us, true);
        cases.push_back({std::string(name) + " while the GPU works", s, blocked("memory", 850 * us)});
    }

    auto launch = start();
    launch.kernel(launch.call("cudaLaunchKernel", 0, 9070 * us), side, 8 * us, 9060 * us);
    cases.push_back({"CUDA_LAUNCH_BLOCKING", launch, blocked("launch", 9070 * us)});

    auto late = start();  // an H100's: the sleeping thread was woken 24 us after the kernel
    late.kernel(late.call("cudaLaunchKernel", 0, 9045 * us), side, 20 * us, 9021 * us);
    cases.push_back({"CUDA_LAUNCH_BLOCKING, woken late", late, blocked("launch", 9045 * us)});

    for (const bool works : {false, true}) {  // a first launch loads its code; or waits while its GPU does other work
        auto loads = start();
        loads.kernel(loads.call("cudaLaunchKernel", 0, 5'000 * us), side, 4'980 * us, 4'990 * us);
        loads.kernel(loads.call("cudaLaunchKernel", 5'100 * us, 14'170 * us), side, 5'108 * us, 14'160 * us);
        if (works) {
            loads.memset(0, other_side, 100 * us, 4'900 * us, device, false);
        }
        cases.push_back({works ? "CUDA_LAUNCH_BLOCKING, behind other work" : "CUDA_LAUNCH_BLOCKING, and loads code",
            loads, blocked("launch", (works ? 5'000 : 20) * us + 9'070 * us)});
    }

    auto full = start();
    const auto held = full.call("cudaLaunchKernel", 0, 400 * us);
    full.kernel(held, side, 405 * us, 500 * us);
    full.overhead(held, 8, 10 * us, 390 * us);
    cases.push_back({"a full queue, recorded", full, blocked("queue_full", 380 * us)});

    auto function = start();
    function.host_function(function.call("cudaLaunchHostFunc", 0, 5 * us), side, std::make_pair(20 * us, 10020 * us));
    kernel(function, other_side, 10 * us, 20 * us, 30 * us);
    stream_sync(function, side, 40 * us, 10025 * us);
    cases.push_back({"a function of the host as work of the stream", function, blocked("stream_sync", 9985 * us)});

    auto poll = start();
    kernel(poll, side, 0, 10 * us, 900 * us);
    const auto spin = poll.call("cudaStreamQuery", 20 * us, 902 * us);
    poll.sync(spin, Sync::stream, 20 * us, 902 * us, side);
    poll.spin(spin, 20 * us, 902 * us, 400, true);
    cases.push_back({"a spin of queries, joined", poll, blocked("poll", 882 * us)});

    for (const Ns pause : {100 * us, 100 * us + 1}) {  // the recorder joins queries of one CUPTI buffer
        auto pieces = start();
        kernel(pieces, side, 0, 10 * us, 900 * us);
        const auto piece = [&](Ns from, Ns to, std::int64_t queries) {
            const auto asked = pieces.call("cudaStreamQuery", from, to, false, to > 900 * us ? 0 : 600);
            pieces.sync(asked, Sync::stream, from, to, side);
            if (queries > 1) {
                pieces.spin(asked, from, to, queries, to > 900 * us);
            }
        };
        piece(20 * us, 300 * us, 150);
        piece(301 * us, 302 * us, 1);
        piece(302 * us + pause, 902 * us, 250);
        cases.push_back(
            {pause > 100 * us ? "a spin of queries, in pieces with a pause" : "a spin of queries, in pieces", pieces,
                blocked("poll", (pause > 100 * us ? 902 * us - 302 * us - pause : 882 * us))});
    }
}

void many_calls(Cases& cases)
{
    for (const bool succeeds : {true, false}) {
        auto s = start();
        kernel(s, side, 0, 10 * us, 60 * us);
        for (const Ns at : {20 * us, 40 * us, 61 * us}) {
            const auto query = s.call("cudaStreamQuery", at, at + us, false, succeeds && at > 60 * us ? 0 : 600);
            s.sync(query, Sync::stream, at, at + us, side);
            s.call("cudaGetLastError", at + 2 * us, at + 2 * us + 100);
        }
        cases.push_back({succeeds ? "queries until success" : "queries without success", s,
            blocked("poll", succeeds ? 42 * us : 0)});
    }
    auto paused = start();
    kernel(paused, side, 0, 10 * us, 60 * us);
    for (const Ns at : {20 * us, 121 * us + 1}) {  // 100 us and 1 ns between them
        const auto query = paused.call("cudaStreamQuery", at, at + us, false, at > 100 * us ? 0 : 600);
        paused.sync(query, Sync::stream, at, at + us, side);
    }
    cases.push_back({"two queries with a pause", paused, blocked("", 0)});

    auto tiny = start();  // a first launch loads its module
    tiny.kernel(tiny.call("cudaLaunchKernel", 0, 1'500 * us), side, 1'490 * us, 1'500 * us);
    cases.push_back({"a long launch of a tiny kernel", tiny, blocked("", 0)});

    auto most = start();  // 19 of 20 launches wait
    for (Ns i = 0; i < 20; ++i) {
        const Ns at = i * 200 * us;
        most.kernel(
            most.call("cudaLaunchKernel", at, at + 100 * us), side, at + 10 * us, at + (i == 7 ? 150 : 98) * us);
    }
    cases.push_back({"nineteen launches of twenty that wait", most, blocked("launch", 1'900 * us)});

    for (const int pending : {999, 1000}) {
        auto s = start();
        for (Ns i = 0; i < pending; ++i) {
            s.kernel(s.call("cudaLaunchKernel", i * us, i * us + 900), side, 2 * ms + i * us, 2 * ms + i * us + 500);
        }
        s.kernel(s.call("cudaLaunchKernel", 1'500 * us, 1'800 * us), side, 4 * ms, 4 * ms + us);
        cases.push_back(
            {std::to_string(pending) + " pending operations", s, blocked("queue_full", pending < 1000 ? 0 : 280 * us)});
    }

    auto cut = start();
    kernel(cut, side, 0, 10 * us, 50 * us);
    cut.meta("complete", "no");
    stream_sync(cut, side, 60 * us, 900 * us);
    cases.push_back({"a wait behind the end of a run cut short", cut,
        with(unknown("stream_sync"), {{"complete", "false"}, {"ends_ns.api", "900000"}, {"ends_ns.gpu", "50000"}})});
}

void across_streams(Cases& cases)
{
    auto graph = start();
    const auto launch = graph.call("cudaGraphLaunch", 0, 10 * us);
    graph.kernel(launch, side, 20 * us, 4500 * us, "node", 1);
    graph.kernel(launch, 17, 20 * us, 9000 * us, "node", 2);
    stream_sync(graph, side, 30 * us, 9002 * us);
    cases.push_back({"a graph's nodes on another stream", graph, blocked("stream_sync", 8972 * us)});

    // An event on a blocking stream waits for legacy work before it; a sync of that stream does not.
    auto event = start();
    kernel(event, legacy, 0, 10 * us, 9000 * us);
    record(event, blocking, 1, 20 * us);
    event_sync(event, 1, 30 * us, 9002 * us);
    cases.push_back({"an event on a blocking stream behind legacy work", event, blocked("event_sync", 8972 * us)});

    auto sync = start();
    kernel(sync, legacy, 0, 10 * us, 90 * us);
    stream_sync(sync, blocking, 30 * us, 92 * us);
    cases.push_back({"a sync of an idle blocking stream beside legacy work", sync, blocked("", 0)});

    auto free = start();
    kernel(free, legacy, 0, 10 * us, 90 * us);
    record(free, side, 1, 20 * us);
    event_sync(free, 1, 30 * us, 92 * us);
    cases.push_back({"an event on a non-blocking stream beside legacy work", free, blocked("", 0)});

    auto all = start();
    kernel(all, blocking, 0, 10 * us, 90 * us);
    stream_sync(all, legacy, 30 * us, 92 * us);
    cases.push_back({"a sync of the legacy stream waits for blocking ones", all, blocked("stream_sync", 62 * us)});

    auto wait = start();
    kernel(wait, side, 0, 10 * us, 90 * us);
    record(wait, side, 1, 15 * us);
    wait_event(wait, other_side, 1, 20 * us);
    stream_sync(wait, other_side, 30 * us, 92 * us);
    cases.push_back({"a sync of a stream that waits for an event", wait,
        with(blocked("stream_sync", 62 * us), {{"counts.waits", "1"}})});

    auto early = start();
    record(early, side, 1, 0);
    kernel(early, side, 5 * us, 10 * us, 90 * us);
    event_sync(early, 1, 30 * us, 92 * us);
    cases.push_back({"work behind the event is not waited for", early, blocked("", 0)});
}

/// A synchronisation in a capture does not wait, however long it takes while work runs.
void refused_calls(Cases& cases)
{
    for (const std::int64_t result : {900, 908, 719}) {
        auto s = start();
        kernel(s, side, 0, 10 * us, 90 * us);
        const auto call = s.call("cudaStreamSynchronize", 30 * us, 92 * us, false, result);
        s.sync(call, Sync::stream, 30 * us, 92 * us, side);
        cases.push_back(
            {"a sync that returned " + std::to_string(result), s, blocked("stream_sync", result == 719 ? 62 * us : 0)});
    }
    auto cut = start();
    kernel(cut, side, 0, 10 * us, 90 * us);
    cut.sync(cut.call("cudaStreamSynchronize", 100 * us, 130 * us, false, 900), Sync::stream, 100 * us, 101 * us, side);
    cut.meta("complete", "no");
    cases.push_back({"a sync that a capture refused, in a run that ended there", cut, blocked("", 0)});
}

/// A host function without a record is in some stream of the process.
void unseen_work(Cases& cases)
{
    for (const bool timed_later : {false, true}) {
        auto s = start();
        s.call("cudaLaunchHostFunc", 0, 5 * us);
        kernel(s, legacy, 10 * us, 20 * us, 25 * us);
        if (timed_later) {
            kernel(s, blocking, 30 * us, 40 * us, 45 * us);
        }
        stream_sync(s, legacy, 50 * us, 90 * us);
        cases.push_back(
            {timed_later ? "blocking streams went on behind unseen work" : "unseen work in a blocking stream", s,
                timed_later ? blocked("", 0) : unknown("stream_sync")});
    }
    auto behind = start();  // the stream's kernel began when that work was done
    behind.call("cudaLaunchHostFunc", 0, 5 * us);
    record(behind, side, 1, 10 * us);
    wait_event(behind, other_side, 1, 12 * us);
    kernel(behind, other_side, 20 * us, 25 * us, 30 * us);
    stream_sync(behind, other_side, 50 * us, 90 * us);
    cases.push_back({"work of a stream behind its wait for unseen work", behind, blocked("", 0)});

    // The event follows unseen work of its stream, and precedes a kernel of it that is waited for as well.
    auto own = start();
    own.call("cudaLaunchHostFunc", 0, 5 * us);
    record(own, side, 1, 10 * us);
    kernel(own, side, 20 * us, 25 * us, 30 * us);
    wait_event(own, side, 1, 35 * us);
    stream_sync(own, side, 50 * us, 90 * us);
    cases.push_back({"a wait for unseen work that its stream outlasted", own, blocked("", 0)});

    for (const bool all : {false, true}) {
        auto across = start();
        across.host_function(across.call("cudaLaunchHostFunc", 0, 5 * us), side, std::nullopt);
        record(across, side, 1, 10 * us);
        kernel(across, side, 20 * us, 25 * us, 30 * us);
        wait_event(across, other_side, 1, 35 * us);
        if (all) {
            device_sync(across, 50 * us, 90 * us);
        } else {
            stream_sync(across, other_side, 50 * us, 90 * us);
        }
        cases.push_back({all ? "another stream's wait for a function that a later kernel outlasted"
                             : "another stream's wait for a function without a time",
            across, all ? blocked("", 0) : unknown("stream_sync")});
    }

    auto event = start();
    kernel(event, side, 0, 10 * us, 15 * us);
    event.call("cudaLaunchHostFunc", 20 * us, 25 * us);
    event.call("cudaEventSynchronize", 50 * us, 90 * us);
    cases.push_back({"an unknown event behind unseen work", event, unknown("event_sync")});
}

}  // namespace

std::vector<Crafted> crafted_waits()
{
    Cases cases;
    tolerance(cases);
    copies(cases);
    without_calls(cases);
    other_calls(cases);
    many_calls(cases);
    across_streams(cases);
    refused_calls(cases);
    unseen_work(cases);
    return cases;
}

}  // namespace oracle
