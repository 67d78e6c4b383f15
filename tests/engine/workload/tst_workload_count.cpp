// SPDX-License-Identifier: MIT
#include "engine/workload/machine_need.h"
#include "tests/engine/workload/workload_texts.h"

#include <QTest>

using namespace lanes;

class tst_WorkloadCount : public QObject {
    Q_OBJECT

private slots:
    void counts_data()
    {
        QTest::addColumn<QString>("steps");
        QTest::addColumn<QString>("counts");
        const auto row = [](const char* steps, const char* counts) {
            QTest::newRow(steps) << "    - " + QString(steps) + "\n" << counts;
        };
        row("cpu: {memcpy: 1 MiB}", "0 0 0 0 0 0");
        row("kernel: {stream: a, time: 1 us}", "1 0 0 0 0 0");
        row("repeat: 5\n      do: [{kernel: {stream: a, time: 1 us}}]", "5 0 0 0 0 0");
        row("copy: {from: x.0, to: h.0, stream: a}", "0 1 0 0 0 0");
        row("copy: {from: x.0, to: h.0, stream: a, blocking: true}", "0 1 0 1 0 0");
        row("copy: {from: x.0, to: h.0, call: cudaMemcpy}", "0 1 0 0 0 0");
        row("memset: {to: z, stream: a}", "0 0 1 0 0 0");
        row("memset: {to: z, stream: a, blocking: true}", "0 0 1 1 0 0");
        row("sync: device", "0 0 0 1 0 0");
        row("sync: {stream: a}", "0 0 0 1 0 0");
        row("record: {event: f, stream: a}\n    - sync: {event: f}", "0 0 0 1 0 0");
        row("record: {event: f, stream: a}\n    - wait: {event: f, stream: b}", "0 0 0 0 1 0");
        row("range: r\n      do: [{range: s, do: []}]", "0 0 0 0 0 2");
        row("capture: {graph: g, stream: a, do: [{kernel: {stream: a, time: 1 us}}, {memset: {to: z, stream: a}}]}",
            "0 0 0 0 0 0");
        row("capture: {graph: g, stream: a, do: [{kernel: {stream: a, time: 1 us}}, {memset: {to: z, stream: a}}]}\n"
            "    - repeat: 3\n      do: [{launch: {graph: g, stream: a}}]",
            "3 0 3 0 0 0");
        row("while: h.0 > 1\n      at_most: 2\n      do: []", "unknown");
        row("if: h.0 > 1\n      then: []", "unknown");
        row("fault: {stream: a}", "unknown");
    }
    void counts()
    {
        QFETCH(QString, steps);
        QFETCH(QString, counts);
        const auto c = count(program_of(with_steps(steps.toStdString())));
        QCOMPARE(c ? QString("%1 %2 %3 %4 %5 %6")
                         .arg(c->kernels)
                         .arg(c->copies)
                         .arg(c->memsets)
                         .arg(c->syncs)
                         .arg(c->waits)
                         .arg(c->ranges)
                   : QString("unknown"),
            counts);
    }

    void aThreadMayLaunchWhatALaterOneCaptures()
    {
        const auto c = count(program_of(
            "streams: {a: , b: }\nqueues: {q: {capacity: 1}}\nthreads:\n"
            "  main: [{get: q}, {launch: {graph: g, stream: a}}]\n"
            "  other: [{capture: {graph: g, stream: b, do: [{kernel: {stream: b, time: 1 us}}]}}, {put: q}]\n"));
        QCOMPARE(c->kernels, std::uint64_t(1));
    }

    void memory()
    {
        const auto needed = memory_needed(
            program_of("buffers:\n  a: {on: gpu 0, bytes: 1 KiB, count: 3}\n  b: {on: gpu 2, bytes: 5 KiB}\n"
                       "  c: {on: host, bytes: 7 KiB}\n  d: {on: host, memory: pinned, bytes: 11 KiB, count: 2}\n"
                       "threads: {main: []}\n"));
        QCOMPARE(needed.gpu, (std::vector<std::uint64_t> {3072, 0, 5120}));
        QCOMPARE(needed.pageable, std::uint64_t(7168));
        QCOMPARE(needed.pinned, std::uint64_t(22528));
    }

    /// No more than the cache may take.
    void memoryOfTheCache()
    {
        const auto needed = [](const std::string& cache) {
            return memory_needed(
                program_of(cache
                    + "buffers: {a: {on: gpu 0, memory: cached, bytes: 4 MiB, count: 3}, b: {on: gpu 0, "
                      "bytes: 1 MiB}}\nthreads: {main: []}\n"))
                .gpu;
        };
        QCOMPARE(needed(""), std::vector<std::uint64_t> {13U << 20U});
        QCOMPARE(needed("cache: {limit: 8 MiB}\n"), std::vector<std::uint64_t> {9U << 20U});
        QCOMPARE(needed("cache: {limit: 20 MiB}\n"), std::vector<std::uint64_t> {13U << 20U});
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadCount)
#include "tst_workload_count.moc"
