// SPDX-License-Identifier: MIT
// Memory that does not fit the model device, or is gone when a step uses it. The run finds what compile() cannot
// know.
#include "engine/workload/workload.h"
#include "program_builder.h"
#include "records.h"

#include <QTest>

using namespace lanes;
using namespace lanes::tests;

namespace {

/// "LINE: MESSAGE" of the error that refuses the workload or ends its run; "" if there is none.
QString problem_of(const QByteArray& text)
{
    try {
        Records records;
        const auto program = compile(parse_workload(text.toStdString(), "w.yaml"), "");
        const auto outcome = run_model(program, h100(), records);
        return outcome.error ? QString::fromStdString(outcome.error->message) : QString();
    } catch (const WorkloadError& error) {
        return QString("%1: %2").arg(error.line()).arg(QString::fromStdString(error.message()));
    }
}

}  // namespace

class tst_ModelMemory : public QObject {
    Q_OBJECT

private slots:
    void fits_data();
    void fits();
    void allocation_data();
    void allocation();
};

void tst_ModelMemory::fits_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, const QByteArray& text, const char* problem) {
        QTest::newRow(name) << text << QString(problem);
    };
    const QByteArray fill = "streams: {s: {gpu: 0}}\nthreads:\n  main:\n    - memset: {to: x.0, stream: s}\n";
    row("60 GiB", "buffers: {x: {on: gpu 0, bytes: 60 GiB, count: 1}}\n" + fill, "");
    row("500 GiB", "buffers: {x: {on: gpu 0, bytes: 500 GiB, count: 1}}\n" + fill,
        "5: the buffers need 512000 MiB of GPU memory, but 81080 MiB are free: give smaller buffers or fewer (the "
        "largest "
        "here is x.0, 512000 MiB)");
    row("twice 50 GiB", "buffers: {x: {on: gpu 0, bytes: 50 GiB, count: 2}}\n" + fill,
        "5: the buffers need 102400 MiB of GPU memory, but 81080 MiB are free: give smaller buffers or fewer (the "
        "largest "
        "here is x.0, 51200 MiB)");
    row("50 GiB on each of two",
        "buffers: {x: {on: gpu 0, bytes: 50 GiB, count: 1}, y: {on: gpu 1, bytes: 50 GiB}}\n" + fill, "");
    row("of the second GPU",
        "buffers: {x: {on: gpu 0, bytes: 50 GiB, count: 1}, y: {on: gpu 1, bytes: 90 GiB}}\n" + fill,
        "0: the buffers need 92160 MiB of GPU memory, but 81080 MiB are free: give smaller buffers or fewer (the "
        "largest "
        "here is y, 92160 MiB)");
    const QByteArray kernel = "threads:\n  main:\n    - kernel: {stream: s, time: 1 us}\n";
    row("8 GPUs", "streams: {s: {gpu: 7}}\n" + kernel, "");
    row("9 GPUs", "streams: {s: {gpu: 8}}\n" + kernel, "4: the workload uses 9 GPUs, but the model device has 8");
    row("gpu: 50", "streams: {s: {gpu: 50}}\n" + kernel, "4: the workload uses 51 GPUs, but the model device has 8");
}

void tst_ModelMemory::fits()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, problem);
    QCOMPARE(problem_of(text), problem);
}

void tst_ModelMemory::allocation_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("steps");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, const QByteArray& steps, const char* if_one, const char* if_nought) {
        QTest::addRow("%s, 1", name) << QByteArray("1") << steps << QString(if_one);
        QTest::addRow("%s, 0", name) << QByteArray("0") << steps << QString(if_nought);
    };
    const QByteArray gone = "    - {if: h == 1, then: [{free: {buffer: z}}]}\n";
    row("used after a free that a value decides", gone + "    - memset: {to: z, stream: s}\n",
        "step \"memset z on s\" (w.yaml:7) failed: 'z' is not allocated here, or was freed before", "");
    row("a kernel reads it", gone + "    - kernel: {stream: s, time: 1 us, reads: z}\n",
        "step \"kernel on s\" (w.yaml:7) failed: 'z' is not allocated here, or was freed before", "");
    row("freed after it", gone + "    - free: {buffer: z}\n",
        "step \"free z\" (w.yaml:7) failed: 'z' is not allocated here, or was freed before", "");
    row("allocated after it",
        gone + "    - alloc: {buffer: w}\n    - {if: h == 1, then: [{free: {buffer: w}}]}\n    - alloc: {buffer: w}\n",
        "", "step \"alloc w\" (w.yaml:9) failed: 'w' is allocated already");
    row("launched after it",
        "    - capture: {graph: g, stream: s, do: [{memset: {to: z, stream: s}}]}\n" + gone
            + "    - launch: {graph: g, stream: s}\n",
        "step \"launch g on s\" (w.yaml:8) failed: 'z' is not allocated here, or was freed before", "");
    row("freed in either case", "    - {if: h == 1, then: [{free: {buffer: z}}], else: [{free: {buffer: z}}]}\n", "",
        "");
}

void tst_ModelMemory::allocation()
{
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, steps);
    QFETCH(QString, problem);
    QCOMPARE(
        problem_of("buffers: {z: {on: gpu 0, bytes: 8 B}, w: {on: gpu 0, bytes: 8 B}, h: {on: host, bytes: 8 B, value: "
            + value + "}}\nstreams: {s: {gpu: 0}}\n\nthreads:\n  main:\n" + steps),
        problem);
}

QTEST_GUILESS_MAIN(tst_ModelMemory)
#include "tst_model_memory.moc"
