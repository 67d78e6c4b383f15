// SPDX-License-Identifier: MIT
// The CUDA runner with several GPUs, all-reduce, graphs and pools, over doubles.
#include "engine/run/find_nccl.h"
#include "tests/engine/run/cuda_double/cuda_runtime_double.h"
#include "tests/engine/run/cuda_double/run_on_double.h"
#include "tests/engine/workload/every_step.h"

#include <algorithm>
#include <QTest>

using namespace lanes;

namespace {

const std::string two_gpus = R"(
buffers:
  a: {on: gpu 0, bytes: 64 KiB}
  b: {on: gpu 1, bytes: 64 KiB}
  a_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  b_cpu: {on: host, memory: pinned, bytes: 64 KiB}
streams:
  s: {gpu: 0}
  t: {gpu: 1}
events: {done: {}}
)";

const std::string one_gpu = R"(
buffers:
  x: {on: gpu 0, bytes: 64 KiB, count: 2}
  x_cpu: {on: host, memory: pinned, bytes: 64 KiB, count: 2}
streams:
  s: {gpu: 0}
  t: {gpu: 0}
events: {fork: {}, back: {}}
)";

std::vector<std::string> calls_of_timed_part(std::size_t count)
{
    auto calls = cuda_double::state().calls;
    std::erase_if(calls, [](const std::string& call) { return call == "cudaFree" || call == "cudaFreeHost"; });
    return {calls.end() - static_cast<std::ptrdiff_t>(std::min(count, calls.size())), calls.end()};
}

std::string failure_of(const Outcome& outcome)
{
    return outcome.result.failure ? outcome.result.failure->message : "";
}

}  // namespace

class tst_CudaRunnerGpus : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        cuda_double::reset();
        cuda_double::state().devices = 2;
        qputenv("LANES_NCCL", LANES_NCCL_DOUBLE);
    }
    void everyStepDoesItsPart();
    void launchesFindTheirGpuCurrent();
    void defaultStreamsAreThoseOfTheirGpu();
    void peersAreLetIn();
    void peersThatAreNoneAreRefused();
    void copiesBetweenGpusArePeerCopies();
    void anEventBelongsToOneGpu();
    void laterGpusComeFirstWhenAskedFor();
    void memoryIsCheckedOnEachGpu();
    void allReduceSumsOverTheGpus();
    void failureOfAStepEndsTheGroups();
    void failureBesideAllReduceEndsWhatWaitsForIt_data();
    void failureBesideAllReduceEndsWhatWaitsForIt();
    void allReduceWithoutNcclSaysWhereItLooked();
    void cacheGivesBackWhatIsUnusedAtItsLimit();
    void graphDoesItsWorkWithEachLaunch();
    void graphTakesInTheStreamsThatJoinIt();
    void graphIsCapturedAnew();
    void poolIsKeptAndUsed();
    void leftoversOfAllocStepsAreFreedBetweenRepeats();
};

// tst_model_steps runs the same on the model device.
void tst_CudaRunnerGpus::everyStepDoesItsPart()
{
    const auto outcome = run(every_step);
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(outcome.trace.reads.size(), 1U);
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
    std::vector<std::string> work;
    for (const auto& span : outcome.trace.host_spans) {
        if (span.type == HostSpanRecord::work) {
            work.emplace_back(outcome.trace.text(span.name));
        }
    }
    QCOMPARE(work, work_of_every_step);
    const auto fault = failure_of(run(fault_step));
    QVERIFY2(fault.find("cudaErrorIllegalAddress") != std::string::npos, fault.c_str());
}

void tst_CudaRunnerGpus::launchesFindTheirGpuCurrent()
{
    // The double refuses a launch on a stream of another GPU than the current one.
    const auto outcome = run(two_gpus + R"(
threads:
  main:
    - kernel: {name: k, stream: t, time: 10 us, blocks: 1, writes: b}
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: a}
    - record: {event: done, stream: t}
    - wait: {event: done, stream: s}
    - memset: {to: b, stream: t, value: 3}
    - copy: {from: b, to: b_cpu, stream: t}
    - copy: {from: a, to: a_cpu, stream: s}
    - sync: device
    - read: {buffer: [a_cpu, b_cpu], expect: fresh}
  other:
    - kernel: {name: k, stream: t, time: 10 us, blocks: 1}
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1}
)");
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(outcome.trace.reads.size(), 1U);
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
}

void tst_CudaRunnerGpus::defaultStreamsAreThoseOfTheirGpu()
{
    const auto outcome = run(two_gpus + R"(
threads:
  main:
    - kernel: {name: k, stream: legacy.1, time: 10 us, blocks: 1, writes: b}
    - kernel: {name: k, stream: legacy, time: 10 us, blocks: 1, writes: a}
    - copy: {from: b, to: b_cpu, call: cudaMemcpy}
    - copy: {from: a, to: a_cpu, stream: per_thread}
    - sync: {stream: per_thread}
    - read: {buffer: b_cpu, expect: fresh}
    - sync: device
)");
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
}

void tst_CudaRunnerGpus::peersAreLetIn()
{
    const auto outcome = run(two_gpus + R"(
peers: [[0, 1], [1, 0]]
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: b, value: 7}
    - copy: {from: b, to: b_cpu, stream: t, blocking: true}
    - sync: device
    - read: {buffer: b_cpu, expect: stale}
)");
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(cuda_double::state().peers, (std::set<std::pair<int, int>> {{0, 1}, {1, 0}}));
}

void tst_CudaRunnerGpus::peersThatAreNoneAreRefused()
{
    cuda_double::state().peers_possible = false;
    try {
        run(two_gpus + "peers: [[0, 1]]\nthreads:\n  main:\n    - sync: device\n");
        QFAIL("GPUs that cannot reach each other");
    } catch (const WorkloadError& error) {
        QVERIFY2(error.message().find("cannot access each other's memory") != std::string::npos, error.what());
    }
}

void tst_CudaRunnerGpus::copiesBetweenGpusArePeerCopies()
{
    const auto outcome = run(two_gpus + R"(
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: a}
    - copy: {from: a, to: b, stream: s, blocking: true}
    - copy: {from: b, to: b_cpu, stream: t, blocking: true}
    - read: {buffer: b_cpu, expect: fresh}
)");
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(cuda_double::state().peer_copies, 2);  // one of them before the timed part
    QCOMPARE(outcome.trace.reads.size(), 1U);
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
    QVERIFY(cuda_double::state().peers.empty());
}

void tst_CudaRunnerGpus::anEventBelongsToOneGpu()
{
    try {
        run(two_gpus + R"(
threads:
  main:
    - record: {event: done, stream: s}
    - record: {event: done, stream: t}
)");
        QFAIL("one event on two GPUs");
    } catch (const WorkloadError& error) {
        QCOMPARE(error.line(), 16U);
    }
}

void tst_CudaRunnerGpus::laterGpusComeFirstWhenAskedFor()
{
    CudaRunOptions options;
    options.gpu = 1;
    const auto outcome = run(two_gpus + R"(
peers: [[0, 1]]
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: a}
    - kernel: {name: k, stream: t, time: 10 us, blocks: 1, writes: b}
    - sync: device
)",
        options);
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(cuda_double::state().peers.size(), 2U);
}

void tst_CudaRunnerGpus::memoryIsCheckedOnEachGpu()
{
    cuda_double::state().free_memory = 556U << 20U;  // of each; the runner takes 512 MiB itself
    try {
        run(R"(
buffers:
  a: {on: gpu 0, bytes: 1 MiB}
  b: {on: gpu 1, bytes: 100 MiB}
streams: {t: {gpu: 1}}
threads:
  main:
    - kernel: {name: k, stream: t, time: 10 us, blocks: 1, writes: b}
)");
        QFAIL("more memory than there is");
    } catch (const WorkloadError& error) {
        QVERIFY2(error.message().find("the largest here is b, 100 MiB") != std::string::npos, error.what());
        QCOMPARE(error.line(), 9U);
    }
}

void tst_CudaRunnerGpus::allReduceSumsOverTheGpus()
{
    const auto outcome = run(two_gpus + R"(
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: a, value: 3}
    - kernel: {name: k, stream: t, time: 10 us, blocks: 1, writes: b, value: 4}
    - all_reduce: {buffers: [a, b], streams: [s, t]}
    - copy: {from: a, to: a_cpu, stream: s}
    - copy: {from: b, to: b_cpu, stream: t}
    - sync: device
    - read: {buffer: [a_cpu, b_cpu], expect: fresh}
    - while: a_cpu.0 == 7
      at_most: 1
      do:
        - read: {buffer: b_cpu, expect: fresh}
)");
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(outcome.trace.reads.size(), 2U);  // the sum is 7
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
}

void tst_CudaRunnerGpus::failureOfAStepEndsTheGroups()
{
    const auto outcome = run(two_gpus + R"(
threads:
  main:
    - all_reduce: {buffers: [a, b], streams: [s, t]}
    - fault: {stream: t}
    - sync: {stream: t}
)");
    QVERIFY2(failure_of(outcome).find("cudaErrorIllegalAddress") != std::string::npos, failure_of(outcome).c_str());
    QCOMPARE(cuda_double::state().aborted_comms, 2);
}

void tst_CudaRunnerGpus::failureBesideAllReduceEndsWhatWaitsForIt_data()
{
    QTest::addColumn<QString>("wait");
    QTest::addColumn<QString>("where");
    QTest::newRow("a step waits") << "    - sync: {stream: t}\n"
                                  << "step \"sync t\" (test.yaml:17)";
    QTest::newRow("a blocking copy waits") << "    - copy: {from: b, to: b_cpu, stream: t, blocking: true}\n"
                                           << "step \"copy b -> b_cpu on t\" (test.yaml:17)";
    QTest::newRow("the runner waits") << ""
                                      << "after the last step";
}

void tst_CudaRunnerGpus::failureBesideAllReduceEndsWhatWaitsForIt()
{
    QFETCH(QString, wait);
    QFETCH(QString, where);
    const auto outcome = run(two_gpus + R"(
threads:
  main:
    - fault: {stream: s}
    - all_reduce: {buffers: [a, b], streams: [s, t]}
)" + wait.toStdString());
    const auto failure = failure_of(outcome);
    QVERIFY2(failure.find("cudaErrorIllegalAddress") != std::string::npos, failure.c_str());
    QVERIFY2(failure.find(where.toStdString()) != std::string::npos, failure.c_str());
    QCOMPARE(cuda_double::state().aborted_comms, 2);
}

void tst_CudaRunnerGpus::allReduceWithoutNcclSaysWhereItLooked()
{
    const std::string reducing = two_gpus + R"(
threads:
  main:
    - all_reduce: {buffers: [a, b], streams: [s, t]}
)";
    qputenv("LANES_NCCL", "/nowhere/libnccl.so.2");
    QVERIFY(find_nccl().handle == nullptr);
    try {
        run(reducing);
        QFAIL("no NCCL");
    } catch (const std::runtime_error& error) {
        const std::string text = error.what();
        QVERIFY2(text.starts_with("collectives need NCCL: ") && text.find("/nowhere/libnccl.so.2") != std::string::npos,
            text.c_str());
    }
    qputenv("LANES_NCCL", LANES_NCCL_DOUBLE);
    const auto found = find_nccl();
    QCOMPARE(nccl_version_text(found.version), std::string("2.28.7"));
    QCOMPARE(found.place, std::string("$LANES_NCCL"));
}

/// Twice what fits: what a step frees serves the next one, another size does not, and at the limit all that is unused
/// goes back with cudaFree.
void tst_CudaRunnerGpus::cacheGivesBackWhatIsUnusedAtItsLimit()
{
    const std::string head = R"(
cache: {limit: 64 MiB}
buffers:
  small: {on: gpu 0, memory: cached, bytes: 20 MiB}
  large: {on: gpu 0, memory: cached, bytes: 30 MiB}
  larger: {on: gpu 0, memory: cached, bytes: 50 MiB}
  mark: {on: host, memory: pinned, bytes: 8 B}
streams: {s: }
threads:
  main:
    - alloc: {buffer: mark}
)";
    const auto use = [](const std::string& name) {
        return "    - alloc: {buffer: " + name
            + ", stream: s}\n    - kernel: {name: k, stream: s, time: 1 us, blocks: 1, " + "writes: " + name
            + "}\n    - free: {buffer: " + name + "}\n";
    };
    using Calls = std::vector<std::string>;
    const auto calls_between = [](const std::string& last) {
        const auto& calls = cuda_double::state().calls;
        const auto begin = std::ranges::find(calls, "cudaMallocHost");
        Calls found(begin, std::find(begin, calls.end(), last));
        std::erase_if(found, [](const std::string& call) { return call != "cudaMalloc" && call != "cudaFree"; });
        return found;
    };
    cuda_double::state().log = true;
    const auto fits = run(head + use("small") + use("small") + use("large") + use("small") + use("larger")
        + "    - free: {buffer: mark}\n");
    QCOMPARE(failure_of(fits), std::string());
    QCOMPARE(calls_between("cudaFreeHost"), (Calls {"cudaMalloc", "cudaMalloc", "cudaFree", "cudaFree", "cudaMalloc"}));
    cuda_double::state().calls.clear();
    const auto full = run(head + "    - alloc: {buffer: large, stream: s}\n" + use("larger"));
    QVERIFY2(failure_of(full).find("step \"alloc larger on s\"") != std::string::npos, failure_of(full).c_str());
    QCOMPARE(calls_between("cudaFree"), (Calls {"cudaMalloc"}));
}

void tst_CudaRunnerGpus::graphDoesItsWorkWithEachLaunch()
{
    cuda_double::state().log = true;
    const auto outcome = run(one_gpu + R"(
threads:
  main:
    - kernel: {name: start, stream: s, time: 10 us, blocks: 1, writes: x.0, value: 8}
    - capture: {graph: step, stream: s, do: [
        {kernel: {name: halve, stream: s, time: 10 us, blocks: 1, writes: x.0, value: $(x.0 / 2)}},
        {copy: {from: x.0, to: x_cpu.0, stream: s}}]}
    - launch: {graph: step, stream: s}
    - launch: {graph: step, stream: s}
    - sync: {stream: s}
    - read: {buffer: x_cpu.0, expect: fresh}
    - while: x_cpu.0 == 2
      at_most: 1
      do:
        - read: {buffer: x_cpu.0, expect: fresh}
)");
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(outcome.trace.reads.size(), 2U);  // 8 halved twice is 2: the capture itself ran nothing
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
    const std::vector<std::string> expected {"cudaLaunchKernel", "cudaStreamBeginCapture", "cudaLaunchKernel",
        "cudaMemcpyAsync", "cudaStreamEndCapture", "cudaGraphInstantiate", "cudaGraphLaunch", "cudaGraphLaunch",
        "cudaStreamSynchronize", "cudaDeviceSynchronize"};
    const auto calls = calls_of_timed_part(expected.size());
    QCOMPARE(calls, expected);
}

void tst_CudaRunnerGpus::graphTakesInTheStreamsThatJoinIt()
{
    const auto outcome = run(one_gpu + R"(
threads:
  main:
    - capture:
        graph: both
        stream: s
        do:
          - record: {event: fork, stream: s}
          - wait: {event: fork, stream: t}
          - kernel: {name: right, stream: t, time: 10 us, blocks: 1, writes: x.1}
          - kernel: {name: left, stream: s, time: 10 us, blocks: 1, writes: x.0}
          - record: {event: back, stream: t}
          - wait: {event: back, stream: s}
    - copy: {from: x.1, to: x_cpu.1, stream: s, blocking: true}
    - read: {buffer: x_cpu.1, expect: fresh}
    - launch: {graph: both, stream: s}
    - copy: {from: x.1, to: x_cpu.1, stream: s, blocking: true}
    - read: {buffer: x_cpu.1, expect: fresh}
)");
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(outcome.trace.reads.size(), 2U);
    QCOMPARE(wrong_bytes(outcome.trace), 0U);  // as before the launch, then as the captured kernel wrote
}

void tst_CudaRunnerGpus::graphIsCapturedAnew()
{
    CudaRunOptions options;
    options.repeat = 2;
    const auto outcome = run(one_gpu + R"(
threads:
  main:
    - repeat: 3
      as: i
      do:
        - capture: {graph: g, stream: s, do: [
            {kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: x.0, value: $(i + 5)}}]}
        - launch: {graph: g, stream: s}
        - copy: {from: x.0, to: x_cpu.0, stream: s, blocking: true}
        - read: {buffer: x_cpu.0, expect: fresh}
)",
        options);
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(outcome.result.wall.size(), 2U);
    QCOMPARE(outcome.trace.reads.size(), 3U);
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
}

void tst_CudaRunnerGpus::poolIsKeptAndUsed()
{
    cuda_double::state().log = true;
    const auto outcome = run(one_gpu + R"(
threads:
  main:
    - alloc: {buffer: x.1, stream: s}
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: x.1}
    - copy: {from: x.1, to: x_cpu.1, stream: s}
    - free: {buffer: x.1, stream: s}
    - alloc: {buffer: x.0}
    - free: {buffer: x.0}
    - sync: device
    - read: {buffer: x_cpu.1, expect: fresh}
)");
    QCOMPARE(failure_of(outcome), std::string());
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
    QCOMPARE(cuda_double::state().release_threshold, ~std::uint64_t {0});
    const std::vector<std::string> expected {"cudaMallocAsync", "cudaLaunchKernel", "cudaMemcpyAsync", "cudaFreeAsync",
        "cudaMalloc", "cudaDeviceSynchronize", "cudaDeviceSynchronize"};
    const auto calls = calls_of_timed_part(expected.size());
    QCOMPARE(calls, expected);
}

void tst_CudaRunnerGpus::leftoversOfAllocStepsAreFreedBetweenRepeats()
{
    CudaRunOptions options;
    options.repeat = 3;
    cuda_double::state().log = true;
    const auto outcome = run(one_gpu + "threads:\n  main:\n    - alloc: {buffer: x.0}\n", options);
    QCOMPARE(failure_of(outcome), std::string());
    const auto& calls = cuda_double::state().calls;
    QCOMPARE(std::count(calls.begin(), calls.end(), "cudaMalloc"), std::count(calls.begin(), calls.end(), "cudaFree"));
}

QTEST_GUILESS_MAIN(tst_CudaRunnerGpus)
#include "tst_cuda_runner_gpus.moc"
