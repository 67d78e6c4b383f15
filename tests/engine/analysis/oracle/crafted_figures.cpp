// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/crafted.h"

namespace oracle {

namespace {

constexpr std::int64_t h2d = 1, d2h = 2, peer = 10, from_unified = 12;
constexpr std::int64_t pinned = 1, device = 2, managed = 4;

Script start(bool own = true)
{
    Script s(own);
    s.gpu(0, "GPU", "00");
    s.context(7);
    s.stream(7, 3);
    s.stream(13, 2);
    s.stream(14, 2);
    s.thread("main", 0);
    return s;
}
void kernel(Script& s, std::int64_t stream, Ns from, Ns to, const std::string& name = "work")
{
    s.kernel(s.call("cudaLaunchKernel", from - 10, from - 5), stream, from, to, name);
}

}  // namespace

std::vector<Crafted> crafted_figures()
{
    std::vector<Crafted> cases;

    auto sides = start();
    kernel(sides, 13, 100, 300);
    kernel(sides, 14, 200, 500);
    sides.copy(sides.call("cudaMemcpyAsync", 10, 20), 7, 250, 600, h2d, pinned, device, true);
    sides.copy(sides.call("cudaMemcpyAsync", 30, 40), 7, 600, 700, d2h, device, pinned, true);
    cases.push_back({"three streams", sides,
        {{"wall_ns", "700"}, {"gpu_busy_ns", "600"}, {"overlap_ns", "300"}, {"concurrency_ns[0]", "100"},
            {"concurrency_ns[1]", "300"}, {"concurrency_ns[2]", "250"}, {"concurrency_ns[3]", "50"},
            {"gpu[0].kernel_ns", "400"}, {"gpu[0].kernel_concurrency_ns", "100"}, {"gpu[0].copy_ns", "450"},
            {"gpu[0].copy_hidden_ns", "250"}, {"gpu[0].copy_exposed_ns", "200"}, {"gpu[0].idle_ns", "100"},
            {"gpu[0].h2d_d2h_overlap_ns", "0"}, {"gpu[0].streams[0].busy_ns", "450"}, {"counts.copies", "2"}}});

    auto both = start();
    both.copy(both.call("cudaMemcpyAsync", 10, 20), 13, 100, 400, h2d, pinned, device, true);
    both.copy(both.call("cudaMemcpyAsync", 30, 40), 14, 300, 500, d2h, device, pinned, true);
    both.copy(both.call("cudaMemcpyPeerAsync", 50, 60), 7, 600, 650, peer, device, device, true);
    cases.push_back({"copies both ways", both,
        {{"gpu[0].h2d_d2h_overlap_ns", "100"}, {"gpu[0].h2d_ns", "300"}, {"gpu[0].d2h_ns", "200"},
            {"gpu[0].p2p_ns", "50"}, {"gpu[0].copy_exposed_ns", "450"}, {"gpu[0].copy_hidden_ns", "0"}}});

    auto nccl = start();
    kernel(nccl, 13, 100, 300, "ncclDevKernel_AllReduce");
    kernel(nccl, 14, 250, 400);
    cases.push_back({"communication", nccl,
        {{"gpu[0].communication_ns", "200"}, {"gpu[0].communication_exposed_ns", "150"}, {"gpu[0].kernel_ns", "300"}}});

    auto unified = start();
    kernel(unified, 13, 100, 300);
    unified.copy(0, no_number, 200, 500, from_unified, managed, managed, false);
    cases.push_back({"a migration of unified memory is no stream and hides nothing", unified,
        {{"overlap_ns", "0"}, {"gpu[0].overlap_ns", "0"}, {"gpu[0].copy_hidden_ns", "0"},
            {"gpu[0].streams[0].stream", "13"}}});

    auto ranks = Script(false);
    for (const std::int64_t process : {100, 200}) {
        ranks.as(process, process).in(1, 0);
        ranks.context(7);
        ranks.stream(13, 2);
        ranks.device_of_process(process / 100, 0);
        ranks.gpu(process / 100, "GPU", "a" + std::to_string(process));
        kernel(ranks, 13, 100 + process, 400 + process);
    }
    cases.push_back({"two ranks that each call theirs 0", ranks,
        {{"gpu[0].busy_ns", "300"}, {"gpu[1].busy_ns", "300"}, {"gpu[1].kernel_concurrency_ns", "0"},
            {"overlap_ns", "200"}, {"source", "\"nsys\""}, {"cpu[0].host_wait_ns", "null"}}});

    auto helper = start();  // the first step is the second thread's
    helper.call("cudaSetDevice", 0, 10);
    helper.span(0, 400, 1000);
    helper.as(100, 101).thread("trainer", 1);
    helper.step(0, 20);
    kernel(helper, 13, 100, 1100);
    helper.span(2, 300, 500);
    helper.as(100, 100).step(3, 5);
    cases.push_back({"the first thread is the one with the first step", helper,
        {{"cpu_free_ns", "800"}, {"cpu[0].name", "\"main\""}, {"cpu[0].host_wait_ns", "0"},
            {"cpu[1].host_wait_ns", "200"}}});

    auto busiest = Script();
    busiest.context(7);
    busiest.stream(13, 2);
    busiest.as(100, 101).call("cudaSetDevice", 0, 10);
    busiest.as(100, 102);
    kernel(busiest, 13, 30'000, 90'000);
    kernel(busiest, 13, 90'000, 100'000);
    busiest.sync(busiest.call("cudaStreamSynchronize", 95'000, 100'000), Sync::stream, 95'000, 100'000, 13);
    cases.push_back({"the first thread is the one with the most calls", busiest, {{"cpu_free_ns", "65000"}}});

    auto late = start();  // a compile worker asks for the GPU's properties long after the last kernel
    kernel(late, 13, 100, 300);
    late.as(200, 200).call("cudaGetDeviceProperties", 400, 900);
    cases.push_back({"a helper process makes the run no longer", late,
        {{"wall_ns", "300"}, {"range_ns[1]", "900"}, {"counts.api_calls", "2"}}});

    auto alone = start();
    alone.call("cudaGetDeviceProperties", 400, 900);
    cases.push_back({"calls alone", alone, {{"wall_ns", "900"}, {"cpu[0].blocked_ns", "null"}}});

    auto ranges_alone = start();
    ranges_alone.range("load", 100, 700);
    ranges_alone.span(0, 100, 900);
    cases.push_back({"a trace of the CPU alone", ranges_alone, {{"wall_ns", "700"}, {"range_ns[1]", "900"}}});

    auto launcher = start();  // of ranks: it waits for them, and issues nothing
    launcher.call("cudaGetDeviceCount", 0, 10);
    launcher.span(3, 10, 120'000);
    launcher.as(200, 200).context(7);
    launcher.stream(13, 2);
    kernel(launcher, 13, 100, 100'000);
    launcher.sync(launcher.call("cudaStreamSynchronize", 40'000, 100'000), Sync::stream, 40'000, 100'000, 13);
    cases.push_back({"the first thread is none of a launcher's", launcher,
        {{"cpu_free_ns", "39900"}, {"cpu[0].process", "100"}, {"cpu[1].blocked_ns", "60000"}}});

    for (const bool named : {true, false}) {  // a process that only fetches a value, whose call is cut off
        auto fetches = start();
        fetches.call("cudaGetDeviceCount", 0, 10);
        fetches.copy(named ? fetches.call("cudaMemcpyAsync", 50, 60) : 0, 13, 100, 200, d2h, device, pinned, true);
        fetches.as(200, 200).context(7);
        fetches.stream(13, 2);
        kernel(fetches, 13, 100, 100'000);
        fetches.sync(fetches.call("cudaStreamSynchronize", 40'000, 100'000), Sync::stream, 40'000, 100'000, 13);
        cases.push_back({named ? "the first thread may only fetch a value" : "the first thread's work may name no call",
            fetches, {{"cpu_free_ns", "99900"}, {"cpu[0].process", "100"}, {"cpu[1].blocked_ns", "60000"}}});
    }

    auto nested = start();
    const auto outer = nested.call("cudaDeviceSynchronize", 1'000, 90'000);
    nested.sync(outer, Sync::context, 1'000, 90'000);
    nested.call("cuCtxSynchronize", 2'000, 89'000, true);
    kernel(nested, 13, 500, 89'500);
    cases.push_back({"a driver call within a runtime call", nested,
        {{"counts.api_calls", "2"}, {"counts.syncs", "1"}, {"cpu[0].blocked_ns", "89000"},
            {"cpu[0].api_ns", "89005"}}});

    auto ranges = start();
    kernel(ranges, 13, 1'000, 60'000);
    ranges.sync(ranges.call("cudaDeviceSynchronize", 10'000, 60'500), Sync::context, 10'000, 60'500);
    ranges.range("batch", 5'000, 20'000);
    ranges.range("batch", 15'000, 30'000);
    ranges.range("tail", 60'000, std::nullopt);
    ranges.mark("here", 100);
    ranges.read("y", 61'000, 70'000, 4096, 64);
    cases.push_back({"ranges and reads", ranges,
        {{"ranges[0].count", "2"}, {"ranges[0].wall_ns", "25000"}, {"ranges[0].gpu_busy_ns", "25000"},
            {"ranges[0].blocked_ns", "20000"}, {"ranges[1].name", "\"tail\""}, {"ranges[1].wall_ns", "10000"},
            {"counts.ranges", "3"}, {"reads[0].wrong_bytes", "64"}, {"wall_ns", "60500"}, {"range_ns[1]", "70000"}}});

    auto together = start();  // two threads wait in ranges of one name
    kernel(together, 13, 1'000, 60'000);
    for (const std::int64_t thread : {100, 101}) {
        together.as(100, thread);
        together.sync(together.call("cudaDeviceSynchronize", 10'000, 60'500), Sync::context, 10'000, 60'500);
        together.range("batch", 5'000, 80'000);
    }
    cases.push_back({"a range of two threads", together,
        {{"ranges[0].count", "2"}, {"ranges[0].wall_ns", "75000"}, {"ranges[0].blocked_ns", "101000"}}});
    return cases;
}

}  // namespace oracle
