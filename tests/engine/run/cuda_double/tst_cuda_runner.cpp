// SPDX-License-Identifier: MIT
#include "tests/engine/run/cuda_double/cuda_runtime_double.h"
#include "tests/engine/run/cuda_double/run_on_double.h"

#include <algorithm>
#include <QTest>

using namespace lanes;

namespace {

const std::string buffers = R"(
buffers:
  x: {on: gpu 0, bytes: 1 MiB, count: 3}
  x_cpu: {on: host, memory: pinned, bytes: 1 MiB, count: 3}
streams:
  s: {gpu: 0}
)";

}  // namespace

class tst_CudaRunner : public QObject {
    Q_OBJECT

private slots:
    void init() { cuda_double::reset(); }
    void freshReadsFindWhatKernelsWrote();
    void staleReadIsARecordOfTheOldBytes();
    void partialCopiesAreFollowed();
    void formulasAreComputedOnTheGpuAndEndALoop();
    void memsetLeavesItsPattern();
    void stepsAreLoggedInOrder();
    void timedPartHoldsTheProgramsCallsAlone();
    void kernelsTakeTheirTime();
    void queuesAndJoinsAreHostWaits();
    void faultNamesTheStepAndStopsAllThreads();
    void cancelStopsBeforeTheNextStep();
    void repeatsGiveATimeEach();
    void wallEndsWithTheLastWait_data();
    void wallEndsWithTheLastWait();
    void repeatsAllocateAgain();
    void memoryThatIsGone_data();
    void memoryThatIsGone();
    void refusesWhatItCannotRun();
};

void tst_CudaRunner::freshReadsFindWhatKernelsWrote()
{
    const auto outcome = run(buffers + R"(
threads:
  main:
    - repeat: 3
      as: i
      do:
        - kernel: {name: k, stream: s, time: 100 us, blocks: all, writes: x.$i}
        - copy: {from: x.$i, to: x_cpu.$i, stream: s}
    - sync: device
    - read: {buffer: x_cpu, expect: fresh}
)");
    QVERIFY(!outcome.result.failure);
    QCOMPARE(outcome.trace.reads.size(), 1U);
    QCOMPARE(outcome.trace.reads[0].bytes, 3U << 20U);
    QCOMPARE(outcome.trace.reads[0].wrong_bytes, 0U);
    QCOMPARE(outcome.trace.text(outcome.trace.reads[0].buffer), std::string_view("x_cpu"));
}

void tst_CudaRunner::staleReadIsARecordOfTheOldBytes()
{
    const auto outcome = run(buffers + R"(
threads:
  main:
    - kernel: {name: k, stream: s, time: 100 us, blocks: all, writes: x.1}
    - copy: {from: x.1, to: x_cpu.1, stream: s}
    - read: {buffer: x_cpu, expect: stale}
    - sync: device
    - read: {buffer: x_cpu, expect: fresh}
)");
    QVERIFY(!outcome.result.failure);
    QCOMPARE(outcome.trace.reads.size(), 2U);
    QCOMPARE(outcome.trace.reads[0].wrong_bytes, 1U << 20U);
    QVERIFY(outcome.trace.reads[0].expect_stale);
    QCOMPARE(outcome.trace.reads[1].wrong_bytes, 0U);
}

void tst_CudaRunner::partialCopiesAreFollowed()
{
    const auto outcome = run(buffers + R"(
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 4, writes: x.0}
    - copy: {from: x.0, to: x_cpu.0, stream: s, range: 0 KiB .. 256 KiB, blocking: true}
    - read: {buffer: x_cpu.0, expect: fresh}
    - kernel: {name: k, stream: s, time: 10 us, blocks: 4, writes: x.0}
    - copy: {from: x.0, to: x_cpu.0, stream: s, range: 512 KiB .. 1024 KiB, blocking: true}
    - read: {buffer: x_cpu.0, expect: fresh}
)");
    QVERIFY(!outcome.result.failure);
    QCOMPARE(outcome.trace.reads.size(), 2U);
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
}

void tst_CudaRunner::formulasAreComputedOnTheGpuAndEndALoop()
{
    const auto outcome = run(R"(
buffers:
  x: {on: gpu 0, bytes: 64 B}
  x_cpu: {on: host, memory: pinned, bytes: 64 B}
streams:
  s: {gpu: 0}
threads:
  main:
    - kernel: {name: start, stream: s, time: 10 us, blocks: 1, writes: x, value: 100}
    - copy: {from: x, to: x_cpu, stream: s, blocking: true}
    - while: x_cpu.0 > 1
      at_most: 100
      do:
        - kernel: {name: halve, stream: s, time: 10 us, blocks: 1, reads: x, writes: x, value: $(x.0 / 2)}
        - copy: {from: x, to: x_cpu, stream: s, blocking: true}
        - read: {buffer: x_cpu, expect: fresh}
)");
    QVERIFY2(!outcome.result.failure, outcome.result.failure ? outcome.result.failure->message.c_str() : "");
    QCOMPARE(outcome.trace.reads.size(), 7U);  // 100 / 2^7 < 1
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
}

void tst_CudaRunner::memsetLeavesItsPattern()
{
    const auto outcome = run(buffers + R"(
threads:
  main:
    - memset: {to: x.2, value: 7, stream: s}
    - copy: {from: x.2, to: x_cpu.2, stream: s, blocking: true}
    - read: {buffer: x_cpu.2, expect: fresh}
)");
    QVERIFY(!outcome.result.failure);
    QCOMPARE(outcome.trace.reads.size(), 1U);
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
}

void tst_CudaRunner::stepsAreLoggedInOrder()
{
    const auto outcome = run(buffers + R"(
threads:
  main:
    - repeat: 50
      as: i
      do:
        - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: x.0}
        - copy: {from: x.0, to: x_cpu.0, stream: s}
    - sync: device
)");
    QCOMPARE(outcome.trace.steps.size(), 101U);
    for (std::uint32_t i = 0; i < 101; ++i) {
        QCOMPARE(outcome.trace.steps[i].instruction, i);
    }
    QCOMPARE(outcome.trace.threads.size(), 1U);
    QCOMPARE(outcome.trace.text(outcome.trace.threads[0].name), std::string_view("main"));
}

void tst_CudaRunner::timedPartHoldsTheProgramsCallsAlone()
{
    cuda_double::state().log = true;
    run(buffers + R"(
events: {done: {}}
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: x.0}
    - record: {event: done, stream: s}
    - copy: {from: x.0, to: x_cpu.0, stream: s}
    - sync: {event: done}
    - copy: {from: x.0, to: x_cpu.1, stream: s, blocking: true}
    - sync: {stream: s}
)");
    auto calls = cuda_double::state().calls;
    std::erase_if(calls, [](const std::string& call) { return call.starts_with("cudaFree"); });
    // The calls after the threads' own warm-up, which ends with a synchronisation; then the wait for the device.
    const std::vector<std::string> expected {"cudaDeviceSynchronize", "cudaLaunchKernel", "cudaEventRecord",
        "cudaMemcpyAsync", "cudaEventSynchronize", "cudaMemcpyAsync", "cudaStreamSynchronize", "cudaStreamSynchronize",
        "cudaDeviceSynchronize"};
    QVERIFY(calls.size() > expected.size());
    QCOMPARE(
        std::vector<std::string>(calls.end() - static_cast<std::ptrdiff_t>(expected.size()), calls.end()), expected);
}

void tst_CudaRunner::kernelsTakeTheirTime()
{
    run(buffers + R"(
threads:
  main:
    - kernel: {name: a, stream: s, time: 2 ms, blocks: all, writes: x.0}
    - kernel: {name: b, stream: s, time: 20 us, blocks: 4}
    - kernel: {name: c, stream: s, time: 500 us, blocks: all, work: memory}
    - kernel: {name: d, stream: s, time: 6 us, blocks: 1, work: spin, writes: [x.0, x.1]}
    - sync: device
)");
    const auto& times = cuda_double::state().kernel_ns;
    QVERIFY(times.size() >= 4);
    const double wanted[] = {2e6, 20e3, 500e3, 6e3};
    for (std::size_t i = 0; i < 4; ++i) {
        const double got = times[times.size() - 4 + i];
        QVERIFY2(std::abs(got - wanted[i]) <= 0.02 * wanted[i], qPrintable(QString::number(got)));
    }
}

void tst_CudaRunner::queuesAndJoinsAreHostWaits()
{
    const auto outcome = run(R"(
queues: {batches: {capacity: 2}}
threads:
  main:
    - repeat: 5
      as: i
      do:
        - get: batches
    - join: loader
  loader:
    - repeat: 5
      as: i
      do:
        - cpu: {time: 1 ms, kind: sleep}
        - put: batches
)");
    QVERIFY(!outcome.result.failure);
    std::map<HostSpanRecord::Type, int> spans;
    for (const auto& span : outcome.trace.host_spans) {
        ++spans[span.type];
    }
    QCOMPARE(spans[HostSpanRecord::queue_get], 5);
    QCOMPARE(spans[HostSpanRecord::queue_put], 5);
    QCOMPARE(spans[HostSpanRecord::work], 5);
    QCOMPARE(spans[HostSpanRecord::join], 1);
    QCOMPARE(outcome.trace.threads.size(), 2U);
    QVERIFY(outcome.result.wall.at(0) >= 5'000'000);
}

void tst_CudaRunner::faultNamesTheStepAndStopsAllThreads()
{
    const auto outcome = run(R"(
buffers:
  x: {on: gpu 0, bytes: 1 KiB}
streams:
  s: {gpu: 0}
queues: {never: {capacity: 1}}
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: x}
    - fault: {stream: s}
    - sync: device
    - put: never
  other:
    - get: never
)");
    QVERIFY(outcome.result.failure.has_value());
    QCOMPARE(outcome.result.failure->code, static_cast<int>(cudaErrorIllegalAddress));
    const auto& message = outcome.result.failure->message;
    QVERIFY2(message.find("cudaErrorIllegalAddress") != std::string::npos, message.c_str());
    QVERIFY2(message.find("test.yaml:") != std::string::npos, message.c_str());
    QCOMPARE(outcome.trace.errors.size(), 1U);
    QCOMPARE(outcome.trace.errors[0].step, outcome.result.failure->step);
    QCOMPARE(outcome.trace.errors[0].code, static_cast<std::int32_t>(cudaErrorIllegalAddress));
}

void tst_CudaRunner::cancelStopsBeforeTheNextStep()
{
    std::atomic<bool> cancelled = false;
    CudaRunOptions options;
    options.cancelled = &cancelled;
    options.progress = [&](double fraction, const char*) {
        if (fraction > 0.3) {  // a step has begun
            cancelled = true;
        }
    };
    const auto outcome = run(R"(
threads:
  main:
    - repeat: 1000
      as: i
      do:
        - cpu: {time: 5 ms, kind: sleep}
)",
        options);
    QVERIFY(outcome.result.cancelled);
    QVERIFY(!outcome.trace.steps.empty());
    QVERIFY(outcome.trace.steps.size() < 500);
}

void tst_CudaRunner::repeatsGiveATimeEach()
{
    CudaRunOptions options;
    options.repeat = 4;
    const auto outcome = run(buffers + R"(
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: x.0}
    - copy: {from: x.0, to: x_cpu.0, stream: s, blocking: true}
    - read: {buffer: x_cpu.0, expect: fresh}
)",
        options);
    QCOMPARE(outcome.result.wall.size(), 4U);
    QCOMPARE(outcome.trace.reads.size(), 1U);
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
}

void tst_CudaRunner::wallEndsWithTheLastWait_data()
{
    QTest::addColumn<QByteArray>("steps");
    QTest::addColumn<bool>("counts");
    QTest::newRow("work after a wait") << QByteArray("    - sync: device\n    - cpu: {time: 30 ms, kind: sleep}\n")
                                       << false;
    QTest::newRow("work after a launch") << QByteArray("    - cpu: {time: 30 ms, kind: sleep}\n") << true;
    QTest::newRow("work before a wait") << QByteArray("    - cpu: {time: 30 ms, kind: sleep}\n    - sync: device\n")
                                        << true;
}

void tst_CudaRunner::wallEndsWithTheLastWait()
{
    QFETCH(QByteArray, steps);
    QFETCH(bool, counts);
    CudaRunOptions options;
    options.repeat = 8;
    const auto outcome = run(buffers + R"(
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: x.0}
)" + steps.toStdString(),
        options);
    // The shortest: a busy machine may delay the runner between its last two readings of the clock, which looks as if
    // the GPU had work left.
    const auto& wall = outcome.result.wall;
    QCOMPARE(wall.size(), 8U);
    QCOMPARE(*std::min_element(wall.begin(), wall.end()) >= 30'000'000, counts);
}

void tst_CudaRunner::repeatsAllocateAgain()
{
    CudaRunOptions options;
    options.repeat = 3;
    const auto outcome = run(buffers + R"(
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: x.0}
    - copy: {from: x.0, to: x_cpu.0, stream: s, blocking: true}
    - free: {buffer: x.0}
    - read: {buffer: x_cpu.0, expect: fresh}
    - free: {buffer: x_cpu}
)",
        options);
    QVERIFY(!outcome.result.failure);
    QCOMPARE(outcome.result.wall.size(), 3U);
    QCOMPARE(wrong_bytes(outcome.trace), 0U);
}

void tst_CudaRunner::memoryThatIsGone_data()
{
    QTest::addColumn<QByteArray>("steps");
    QTest::addColumn<QByteArray>("problem");
    const auto row = [](const char* name, const char* steps, const char* problem) {
        QTest::newRow(name) << QByteArray(steps) << QByteArray(problem);
    };
    const char* const gone = "'x.0' is not allocated here, or was freed before";
    row("a kernel", "    - kernel: {stream: s, time: 1 us, blocks: 1, writes: x.0}\n", gone);
    row("a kernel that says that it reads", "    - kernel: {stream: s, time: 1 us, blocks: 1, reads: x.0}\n", gone);
    row("a memset", "    - memset: {to: x.0, stream: s}\n", gone);
    row("a copy", "    - copy: {from: x.0, to: x.1, stream: s}\n", gone);
    row("a free", "    - free: {buffer: x.0}\n", gone);
    row("another", "    - memset: {to: x.1, stream: s}\n", "");
}

void tst_CudaRunner::memoryThatIsGone()
{
    QFETCH(QByteArray, steps);
    QFETCH(QByteArray, problem);
    for (const bool frees : {true, false}) {
        const auto outcome = run(
            "buffers:\n  x: {on: gpu 0, bytes: 1 KiB, count: 2}\n  h: {on: host, bytes: 8 B, value: "
            + std::string(frees ? "1" : "0")
            + "}\nstreams:\n  s: {gpu: 0}\nthreads:\n  main:\n    - if: h == 1\n      then: [{free: {buffer: x.0}}]\n"
            + steps.toStdString() + "    - sync: device\n");
        const bool fails = frees && !problem.isEmpty();
        QCOMPARE(outcome.result.failure.has_value(), fails);
        if (fails) {
            const auto& message = outcome.result.failure->message;
            QVERIFY2(message.find(problem.toStdString()) != std::string::npos, message.c_str());
            QVERIFY2(message.find("test.yaml:11") != std::string::npos, message.c_str());
        }
    }
}

void tst_CudaRunner::refusesWhatItCannotRun()
{
    cuda_double::state().free_memory = 1U << 20U;
    try {
        run(buffers + "threads:\n  main:\n    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: x.0}\n");
        QFAIL("more memory than there is");
    } catch (const WorkloadError& error) {
        QVERIFY2(error.line() > 0, error.what());
        QVERIFY2(std::string(error.what()).find("GPU memory") != std::string::npos, error.what());
    }
    cuda_double::reset();
    try {
        run(R"(
buffers:
  a: {on: gpu 0, bytes: 1 KiB}
  b: {on: gpu 1, bytes: 1 KiB}
streams:
  s: {gpu: 0}
  t: {gpu: 1}
threads:
  main:
    - kernel: {name: k, stream: s, time: 10 us, blocks: 1, writes: a}
    - kernel: {name: k, stream: t, time: 10 us, blocks: 1, writes: b}
)");
        QFAIL("two GPUs where there is one");
    } catch (const WorkloadError& error) {
        QCOMPARE(error.line(), 12U);
        QCOMPARE(error.message(), std::string("the workload uses 2 GPUs, but this machine has 1"));
    }
}

QTEST_GUILESS_MAIN(tst_CudaRunner)
#include "tst_cuda_runner.moc"
