// SPDX-License-Identifier: MIT
// Work that could have overlapped but did not, and how short a run could have been.
#include "engine/analysis/facts/sm_room.h"
#include "engine/analysis/graph/kernel_share.h"
#include "engine/analysis/graph/missed_overlap.h"
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/graphed.h"

#include <algorithm>
#include <QFile>
#include <QTest>

using namespace lanes;

class tst_MissedOverlap : public QObject {
    Q_OBJECT

private slots:
    void pairs();
    void noMomentCountsTwice();
    void aChainIsNoPair();
    void chainsAndEngines();
    void copyEngines_data();
    void copyEngines();
    void longStepsOfARecording();
    void otherPeoplesGpus();
    void dependentLaunches_data();
    void dependentLaunches();
    void smallKernelsCouldRunTogether();
    void shipped_data();
    void shipped();
    void stories_data();
    void stories();
};

namespace {

constexpr Ns us = 1000;

struct Told : Graphed {
    explicit Told(Tape& tape)
        : Graphed(tape.finish())
        , missed(missed_overlap(graph, {0, trace.duration}))
        , best(best_time(graph, {0, trace.duration}))
    {
    }

    MissedOverlap missed;
    BestTime best;
};

QString shown(const MissedOverlap& missed)
{
    QString text;
    for (const auto& pair : missed.pairs) {
        text += QString("%1,%2 %3 %4 %5  ")
                    .arg(pair.first)
                    .arg(pair.second)
                    .arg(QString::fromUtf8(name_of(pair.what).data()), QString::fromUtf8(name_of(pair.reason).data()))
                    .arg(pair.time / us);
    }
    return text.trimmed();
}

void copy(Tape& tape, std::uint32_t stream, Ns call, Ns start, Ns end, CopyKind kind)
{
    tape.copy(tape.call("cudaMemcpyAsync", call, call + 4 * us), stream, start, end, kind, MemoryKind::pinned, true);
}

}  // namespace

void tst_MissedOverlap::pairs()
{
    // On one stream, one after the other.
    Tape one;
    one.stream(13, StreamRecord::non_blocking);
    copy(one, 13, 0, 5 * us, 105 * us, CopyKind::h2d);
    copy(one, 13, 10 * us, 107 * us, 167 * us, CopyKind::d2h);
    const Told serial(one);
    QCOMPARE(shown(serial.missed), "0,1 both_directions same_stream 60");

    // A wait of the CPU between.
    Tape held;
    held.stream(13, StreamRecord::non_blocking);
    held.stream(14, StreamRecord::non_blocking);
    held.kernel(held.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 100 * us);
    held.sync(held.call("cudaStreamSynchronize", 10 * us, 102 * us), SyncRecord::stream_sync, 10 * us, 102 * us, 13);
    copy(held, 14, 104 * us, 109 * us, 149 * us, CopyKind::h2d);
    const Told between(held);
    QCOMPARE(shown(between.missed), "0,1 kernel_copy sync 40");
    QCOMPARE(between.missed.pairs.at(0).because, (EventRef {EventTable::calls, 1}));

    // Late: the thread did something else while the kernel ran.
    Tape late;
    late.stream(13, StreamRecord::non_blocking);
    late.stream(14, StreamRecord::non_blocking);
    late.kernel(late.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 100 * us);
    copy(late, 14, 104 * us, 109 * us, 149 * us, CopyKind::h2d);
    QCOMPARE(shown(Told(late).missed), "0,1 kernel_copy late 40");

    // Side by side: nothing was missed.
    Tape both;
    both.stream(13, StreamRecord::non_blocking);
    both.stream(14, StreamRecord::non_blocking);
    both.kernel(both.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 100 * us);
    copy(both, 14, 10 * us, 15 * us, 90 * us, CopyKind::h2d);
    QCOMPARE(shown(Told(both).missed), "");
}

void tst_MissedOverlap::noMomentCountsTwice()
{
    // Copy, kernel, copy, kernel of 50 µs each on one stream: two of them could have hidden the other two.
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    for (int i = 0; i < 4; ++i) {
        const Ns call = 10 * us * i;
        const Ns start = 5 * us + 51 * us * i;
        if (i % 2 == 0) {
            copy(tape, 13, call, start, start + 50 * us, CopyKind::h2d);
        } else {
            tape.kernel(tape.call("cudaLaunchKernel", call, call + 4 * us), 13, start, start + 50 * us);
        }
    }
    const Told told(tape);
    QCOMPARE(told.missed.of(Neighbours::kernel_copy), 100 * us);
    QCOMPARE(told.missed.of(IdleReason::same_stream), 100 * us);
    // Half of that in a range that ends after the first two.
    const auto part = missed_overlap(told.graph, {30 * us, 106 * us});
    QCOMPARE(part.of(IdleReason::same_stream), 25 * us);
}

void tst_MissedOverlap::aChainIsNoPair()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 100 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 10 * us, 14 * us), 13, 101 * us, 200 * us);
    copy(tape, 13, 20 * us, 205 * us, 206 * us, CopyKind::h2d);
    copy(tape, 13, 30 * us, 207 * us, 208 * us, CopyKind::h2d);
    const Told told(tape);
    QCOMPARE(shown(told.missed), "1,2 kernel_copy same_stream 1");
}

void tst_MissedOverlap::chainsAndEngines()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 105 * us);
    copy(tape, 14, 200 * us, 205 * us, 245 * us, CopyKind::h2d);
    tape.event(tape.call("cudaEventRecord", 210 * us, 212 * us), 14, 1, 5);
    tape.sync(tape.call("cudaStreamWaitEvent", 214 * us, 216 * us), SyncRecord::stream_wait_event, 214 * us, 216 * us,
        13, 1, 5);
    tape.kernel(tape.call("cudaLaunchKernel", 220 * us, 224 * us), 13, 250 * us, 280 * us);
    const Told told(tape);
    QCOMPARE(told.best.wall, 280 * us);
    QCOMPARE(told.best.chain, 130 * us);  // both kernels; the copy beside the first one
    QCOMPARE(told.best.busiest, 130 * us);
    QCOMPARE(told.best.engine, BestTime::Engine::kernels);
    const auto part = best_time(told.graph, {205 * us, 280 * us});
    QCOMPARE(part.chain, 70 * us);  // the copy, then what waited for it
    QCOMPARE(part.busiest, 40 * us);
    QCOMPARE(part.engine, BestTime::Engine::h2d);
}

void tst_MissedOverlap::copyEngines_data()
{
    QTest::addColumn<std::uint32_t>("engines");
    QTest::addColumn<QString>("missed");
    QTest::addColumn<StartCause>("cause");
    QTest::addColumn<QString>("busiest");
    const auto row
        = [](const char* name, std::uint32_t engines, const char* missed, StartCause cause, const char* best) {
              QTest::newRow(name) << engines << QString(missed) << cause << QString(best);
          };
    row("not known", 0, "0,1 both_directions unknown 100", StartCause::unknown, "h2d 200");
    row("one", 1, "", StartCause::engine, "copies 300");
    row("two", 2, "0,1 both_directions unknown 100", StartCause::unknown, "h2d 200");
    row("three", 3, "0,1 both_directions unknown 100", StartCause::unknown, "h2d 200");
}

/// A GPU with one copy engine carries one direction at a time, whatever the streams.
void tst_MissedOverlap::copyEngines()
{
    QFETCH(std::uint32_t, engines);
    Tape tape;
    DeviceRecord device {};
    device.copy_engines = engines;
    tape.builder().write(device);
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    copy(tape, 13, 0, 5 * us, 205 * us, CopyKind::h2d);
    copy(tape, 14, 20 * us, 206 * us, 306 * us, CopyKind::d2h);
    const Told told(tape);
    QTEST(shown(told.missed), "missed");
    QTEST(told.graph.starts().cause(1), "cause");
    QTEST(QString("%1 %2").arg(name_of(told.best.engine).data()).arg(told.best.busiest / us), "busiest");
    QCOMPARE(told.best.chain, std::max(200 * us, told.best.busiest));
}

/// A gap that is usual before operations of a recording is no wait for something unknown, however long it is; a single
/// gap of that length says nothing.
void tst_MissedOverlap::longStepsOfARecording()
{
    for (const int pairs : {1, 6}) {
        Tape tape;
        tape.stream(13, StreamRecord::non_blocking);
        for (int i = 0; i < pairs; ++i) {
            const Ns at = i * 1000 * us;
            copy(tape, 13, at, at + 10 * us, at + 400 * us, CopyKind::h2d);
            tape.kernel(
                tape.call("cudaLaunchKernel", at + 20 * us, at + 25 * us), 13, at + (440 + i) * us, at + 600 * us);
        }
        const Told told(tape);
        for (Row row = 1; row < told.trace.operations.size(); row += 2) {
            QCOMPARE(told.graph.starts().cause(row), pairs > 1 ? StartCause::stream : StartCause::unknown);
        }
    }
    // One that takes far longer than the others waited for something else.
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    for (int i = 0; i < 6; ++i) {
        const Ns at = i * 1000 * us;
        copy(tape, 13, at, at + 10 * us, at + 400 * us, CopyKind::h2d);
        tape.kernel(tape.call("cudaLaunchKernel", at + 20 * us, at + 25 * us), 13, at + (i == 3 ? 800 : 440) * us,
            at + 900 * us);
    }
    const Told told(tape);
    QCOMPARE(told.graph.starts().cause(7), StartCause::unknown);
    QCOMPARE(told.graph.starts().cause(5), StartCause::stream);
}

void tst_MissedOverlap::otherPeoplesGpus()
{
    const QString file = qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/bugs/one-engine-4060ti.sqlite";
    if (!QFile::exists(file)) {
        QSKIP("it is not here");
    }
    const Graphed graphed(open_recording(file.toStdString()));
    const Interval whole {0, graphed.trace.duration};
    const auto best = best_time(graphed.graph, whole);
    QCOMPARE(best.engine, BestTime::Engine::copies);
    QCOMPARE(best.busiest / (100 * us), Ns {916});
    QCOMPARE(missed_overlap(graphed.graph, whole).of(Neighbours::both_directions), Ns {0});
    int unknown = 0;
    for (Row row = 0; row < graphed.trace.operations.size(); ++row) {
        unknown += graphed.graph.starts().cause(row) == StartCause::unknown ? 1 : 0;
    }
    QVERIFY2(unknown <= 1, qPrintable(QString::number(unknown)));  // the first copy began 17 ms after its call
}

void tst_MissedOverlap::dependentLaunches_data()
{
    QTest::addColumn<Ns>("overlap");
    QTest::newRow("one behind another") << Ns {0};
    QTest::newRow("less than the clocks tell") << Ns {900};
    QTest::newRow("much") << 20 * us;
}

/// Kernels of one stream, each of which begins before the previous one has ended.
void tst_MissedOverlap::dependentLaunches()
{
    QFETCH(const Ns, overlap);
    Tape tape;
    constexpr int kernels = 10;
    const Ns end = dependent_launches(tape, 13, 40 * us, kernels, overlap);
    const Told told(tape);
    QCOMPARE(told.best.chain, end - 40 * us);
    constexpr Ns length = 100 * us;
    const Interval part {40 * us + length / 2, 40 * us + 2 * length};
    QCOMPARE(best_time(told.graph, part).chain, part.end - part.start);
    // Each waited for the previous one, and slack says so.
    for (Row row = 1; row < kernels; ++row) {
        QCOMPARE(told.graph.starts().cause(row), StartCause::stream);
        QCOMPARE(told.graph.starts().after(row), row - 1);
    }
}

void tst_MissedOverlap::smallKernelsCouldRunTogether()
{
    KernelDetail kernel {};
    kernel.grid = {64, 1, 1};
    kernel.block = {1024, 1, 1};
    QCOMPARE(share_of_gpu(kernel, {sm_room(9, 0), 64}), .5);  // two such blocks fit into a multiprocessor
    kernel.registers = 64;
    QCOMPARE(share_of_gpu(kernel, {sm_room(9, 0), 64}), 1.);  // one: the registers
    kernel.registers = 0;
    kernel.dynamic_shared = 120 * 1024;
    QCOMPARE(share_of_gpu(kernel, {sm_room(9, 0), 128}), .5);  // one: the shared memory
    kernel.grid = {1000, 1, 1};
    QCOMPARE(share_of_gpu(kernel, {sm_room(9, 0), 128}), 1.);
    QCOMPARE(share_of_gpu(kernel, {sm_room(9, 0), 0}), 1.);
}

void tst_MissedOverlap::shipped_data()
{
    rows_of_shipped_recordings();
}

/// What was missed is no more than half of the time in which one thing ran alone; no run is shorter than its best.
void tst_MissedOverlap::shipped()
{
    QFETCH(QString, path);
    const auto trace = open_recording(path.toStdString());
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    for (const Interval range : {Interval {0, trace.duration}, Interval {trace.duration / 4, trace.duration / 2}}) {
        const auto report = make_report(trace, blocking, range);
        const auto missed = missed_overlap(graph, range);
        const auto best = best_time(graph, range);
        Ns sum = 0;
        for (std::size_t what = 0; what < neighbours_count; ++what) {
            sum += missed.of(static_cast<Neighbours>(what));
        }
        Ns busy = 0;
        Ns engine = 0;
        for (const auto& gpu : report.gpus) {
            busy += gpu.busy;
            engine = std::max({engine, gpu.kernel, gpu.h2d, gpu.d2h, gpu.d2d, gpu.p2p});
        }
        QVERIFY(sum <= busy / 2);
        QVERIFY(best.busiest <= engine && (best.busiest == 0) == (engine == 0));
        QCOMPARE(best.wall, report.wall);
        QVERIFY(best.busiest <= best.chain && best.chain <= best.wall);
        QCOMPARE(missed.of(IdleReason::unknown), 0);
        QCOMPARE(missed.of(IdleReason::nothing), 0);
    }
}

void tst_MissedOverlap::stories_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("reason");  // the cause of most of it; "": next to nothing was missed
    QTest::newRow("one stream") << "copies-both-ways.one-stream"
                                << "same_stream";
    QTest::newRow("two streams") << "copies-both-ways.two-streams"
                                 << "";
    QTest::newRow("pageable") << "copy-results-back.blocking"
                              << "pageable";
    QTest::newRow("the legacy default stream") << "default-stream.legacy"
                                               << "legacy";
    QTest::newRow("no legacy default stream") << "default-stream.non-blocking"
                                              << "";
    QTest::newRow("the CPU waits") << "events-across-streams.device-sync"
                                   << "sync";
    QTest::newRow("full kernels on two streams") << "two-streams.two-full"
                                                 << "multiprocessors";
}

void tst_MissedOverlap::stories()
{
    QFETCH(QString, name);
    QFETCH(QString, reason);
    const auto trace = shipped_recording(name);
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    const auto missed = missed_overlap(graph, {0, trace.duration});
    Ns all = 0;
    Ns most = 0;
    QString dearest;
    QString text;
    for (std::size_t i = 0; i < idle_reason_count; ++i) {
        const Ns time = missed.of(static_cast<IdleReason>(i));
        const auto told = QString::fromUtf8(name_of(static_cast<IdleReason>(i)).data());
        all += time;
        dearest = time > most ? told : dearest;
        most = std::max(most, time);
        text += time > 0 ? QString("%1 %2 us  ").arg(told).arg(time / us) : QString();
    }
    qInfo().noquote() << text;
    if (reason.isEmpty()) {
        QVERIFY2(all < trace.duration / 20, qPrintable(text));
    } else {
        QCOMPARE(dearest, reason);
        QVERIFY2(most > all / 2 && most > trace.duration / 20, qPrintable(text));
    }
}

QTEST_GUILESS_MAIN(tst_MissedOverlap)
#include "tst_missed_overlap.moc"
