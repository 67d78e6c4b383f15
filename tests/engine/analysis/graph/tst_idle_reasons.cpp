// SPDX-License-Identifier: MIT
// Why streams were idle: on tapes written by hand, on recordings that are understood, and against what the model
// device knows of random workloads.
#include "engine/analysis/graph/idle_reasons.h"
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/analysis/graphed.h"

#include <QTest>

using namespace lanes;

class tst_IdleReasons : public QObject {
    Q_OBJECT

private slots:
    void reasonsBeforeTheCall();
    void reasonsBehindTheCall();
    void loadingIsTheFirstLaunchAlone();
    void theFirstCallStartsCuda_data();
    void theFirstCallStartsCuda();
    void whatIsNotRecordedIsUnknown();
    void aRangeCuts();
    void streamsThatNobodyUsesDoNotCount();
    void shortPartsAreInTheSumsAlone();
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
        , idle(idle_reasons(graph, {0, trace.duration}))
    {
    }
    const LaneIdle& lane(std::uint32_t stream) const
    {
        for (const auto& lane : idle.lanes) {
            if (trace.streams[lane.stream].id == stream) {
                return lane;
            }
        }
        qFatal("no such stream");
    }

    IdleReasons idle;
};

QString shown(const LaneIdle& lane)
{
    QString text;
    for (const auto& part : lane.parts) {
        text += QString("%1-%2 %3  ")
                    .arg(part.span.start / us)
                    .arg(part.span.end / us)
                    .arg(QString::fromUtf8(name_of(part.reason).data()));
    }
    return text.trimmed();
}

}  // namespace

void tst_IdleReasons::reasonsBeforeTheCall()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 10 * us, 14 * us), 13, 15 * us, 100 * us);
    tape.sync(tape.call("cudaStreamSynchronize", 20 * us, 102 * us), SyncRecord::stream_sync, 20 * us, 102 * us, 13);
    tape.kernel(tape.call("cudaLaunchKernel", 150 * us, 154 * us), 14, 155 * us, 200 * us);
    const auto copy = tape.call("cudaMemcpyAsync", 160 * us, 402 * us);
    tape.copy(copy, 13, 165 * us, 400 * us, CopyKind::d2h, MemoryKind::pageable, true);
    tape.call("cudaMalloc", 410 * us, 460 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 470 * us, 474 * us), 14, 475 * us, 500 * us);
    const Told told(tape);
    // Until its first call the thread does nothing that is recorded; then it is held by what stream 13 does.
    QCOMPARE(shown(told.lane(14)),
        "0-20 late  20-102 sync  102-150 late  150-155 hand_over  200-402 pageable  402-410 late  410-460 memory  "
        "460-470 late  470-475 hand_over");
    QCOMPARE(shown(told.lane(13)),
        "0-10 late  10-15 hand_over  100-102 sync  102-160 late  160-165 hand_over  400-500 nothing");
    QCOMPARE(told.lane(14).of(IdleReason::pageable), 202 * us);
    QCOMPARE(told.lane(14).parts.at(1).because, (EventRef {EventTable::calls, 1}));
}

void tst_IdleReasons::reasonsBehindTheCall()
{
    Tape tape;
    begin_for_each_reason(tape);
    const Told told(tape);
    QCOMPARE(shown(told.lane(13)), "0-5 hand_over  100-105 hand_over  300-600 nothing");
    QCOMPARE(told.lane(14).parts.back().reason, IdleReason::nothing);
    QVERIFY(told.lane(14).of(IdleReason::engine) > 250 * us);
    QCOMPARE(told.lane(14).of(IdleReason::unknown), 0);
    QCOMPARE(shown(told.lane(15)), "0-40 late  40-400 event  400-402 hand_over  500-600 nothing");
    QCOMPARE(told.lane(15).parts.at(1).because, (EventRef {EventTable::operations, 3}));
    QCOMPARE(shown(told.lane(Tape::legacy_stream)), "0-50 late  50-500 legacy  500-502 hand_over");
}

void tst_IdleReasons::loadingIsTheFirstLaunchAlone()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 3000 * us), 13, 2990 * us, 3100 * us, 0, "first(int)");
    tape.kernel(tape.call("cudaLaunchKernel", 3200 * us, 5200 * us), 13, 5190 * us, 5300 * us, 0, "first(int)");
    const Told told(tape);
    QCOMPARE(shown(told.lane(13)), "0-2990 loading  3100-3200 late  3200-5190 hand_over");
    // If CUPTI has a record of it, the reason says so.
    Tape recorded;
    recorded.stream(13, StreamRecord::non_blocking);
    const auto call = recorded.call("cudaLaunchKernel", 0, 300 * us);
    recorded.overhead(OverheadRecord::lazy_function_loading, call, 1, 10 * us, 250 * us);
    recorded.kernel(call, 13, 290 * us, 400 * us);
    QCOMPARE(shown(Told(recorded).lane(13)), "0-10 hand_over  10-250 loading  250-290 hand_over");
}

void tst_IdleReasons::theFirstCallStartsCuda_data()
{
    QTest::addColumn<QString>("earlier");
    QTest::addColumn<QString>("call");
    QTest::addColumn<Ns>("length");
    QTest::addColumn<bool>("is_workload");
    QTest::addColumn<IdleReason>("reason");
    constexpr Ns ms = 1000 * us;
    constexpr auto asks = "cuModuleGetLoadingMode";
    QTest::newRow("an allocation") << asks << "cudaMalloc" << 120 * ms << false << IdleReason::start_up;
    QTest::newRow("a synchronisation") << asks << "cudaDeviceSynchronize" << 120 * ms << false << IdleReason::start_up;
    QTest::newRow("a copy") << asks << "cudaMemcpyAsync" << 120 * ms << false << IdleReason::start_up;
    QTest::newRow("a launch") << asks << "cudaLaunchKernel" << 120 * ms << false << IdleReason::start_up;
    QTest::newRow("after one that needs no context") << "cuMemCreate"
                                                     << "cudaFree" << 120 * ms << false << IdleReason::start_up;
    QTest::newRow("the context was there") << "cudaMalloc"
                                           << "cudaMalloc" << 120 * ms << false << IdleReason::memory;
    QTest::newRow("code is loaded") << asks << "cuLibraryLoadData" << 120 * ms << false << IdleReason::loading;
    QTest::newRow("too short for it") << asks << "cudaMalloc" << 5 * ms << false << IdleReason::memory;
    QTest::newRow("a workload's set-up is not recorded")
        << asks << "cudaMalloc" << 120 * ms << true << IdleReason::memory;
}

/// Whichever call is the first one makes the context; that is no allocation, and a copy does not wait for itself.
void tst_IdleReasons::theFirstCallStartsCuda()
{
    QFETCH(const QString, earlier);
    QFETCH(const QString, call);
    QFETCH(const Ns, length);
    QFETCH(const bool, is_workload);
    QFETCH(const IdleReason, reason);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.call(earlier.toStdString(), 2 * us, 4 * us);
    const auto first = tape.call(call.toStdString(), 10 * us, 10 * us + length);
    if (call == "cudaLaunchKernel") {
        tape.kernel(first, 13, length, length + 100 * us);
    } else if (call == "cudaMemcpyAsync") {
        tape.copy(first, 13, length, length + 8 * us, CopyKind::h2d, MemoryKind::pageable, true);
    }
    tape.call("cudaMalloc", length + 110 * us, length + 160 * us);
    tape.kernel(
        tape.call("cudaLaunchKernel", length + 170 * us, length + 174 * us), 13, length + 180 * us, length + 200 * us);
    if (is_workload) {
        tape.builder().write_meta(meta::workload, "some");
    }
    const Told told(tape);
    const auto& lane = told.lane(13);
    QVERIFY2(lane.of(reason) >= length - 20 * us, qPrintable(shown(lane)));
    // A later allocation is one.
    QVERIFY2(lane.of(IdleReason::memory) >= 50 * us, qPrintable(shown(lane)));
}

void tst_IdleReasons::whatIsNotRecordedIsUnknown()
{
    Tape tape;
    tape.kernel(900, 13, 50 * us, 100 * us);  // of no call
    tape.kernel(901, 13, 101 * us, 200 * us);
    tape.kernel(902, 13, 300 * us, 400 * us);
    const Told callless(tape);
    QCOMPARE(shown(callless.lane(13)), "0-50 unknown  100-101 hand_over  200-300 unknown");

    // A synchronisation that does not name its stream, and two streams that it may have waited for.
    Tape nameless;
    nameless.kernel(nameless.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 200 * us);
    nameless.kernel(nameless.call("cudaLaunchKernel", 10 * us, 14 * us), 14, 16 * us, 500 * us);
    nameless.call("cudaStreamSynchronize", 20 * us, 202 * us);
    nameless.kernel(nameless.call("cudaLaunchKernel", 600 * us, 604 * us), 15, 605 * us, 700 * us);
    const Told unnamed(nameless);
    QCOMPARE(shown(unnamed.lane(15)), "0-20 late  20-202 unknown  202-600 late  600-605 hand_over");
}

void tst_IdleReasons::aRangeCuts()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 100 * us);
    tape.sync(tape.call("cudaStreamSynchronize", 20 * us, 102 * us), SyncRecord::stream_sync, 20 * us, 102 * us, 13);
    tape.kernel(tape.call("cudaLaunchKernel", 300 * us, 304 * us), 13, 305 * us, 400 * us);
    Told told(tape);
    told.idle = idle_reasons(told.graph, {50 * us, 250 * us});
    QCOMPARE(told.lane(13).busy, 50 * us);
    QCOMPARE(shown(told.lane(13)), "100-102 sync  102-250 late");
    told.idle = idle_reasons(told.graph, {150 * us, 200 * us});
    QCOMPARE(shown(told.lane(13)), "150-200 late");
    told.idle = idle_reasons(told.graph, {20 * us, 80 * us});
    QCOMPARE(told.lane(13).busy, 60 * us);
    QVERIFY(told.lane(13).parts.empty());
}

/// Four streams with work only long before a range do not count as idle in it four times.
void tst_IdleReasons::streamsThatNobodyUsesDoNotCount()
{
    Tape tape;
    for (std::uint32_t stream = 13; stream < 17; ++stream) {
        tape.stream(stream, StreamRecord::non_blocking);
        const Ns at = (stream - 13) * 10 * us;
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 4 * us), stream, at + 5 * us, at + 100 * us);
    }
    tape.kernel(tape.call("cudaLaunchKernel", 300 * us, 304 * us), 13, 305 * us, 400 * us);
    Told told(tape);
    told.idle = idle_reasons(told.graph, {200 * us, 500 * us});
    QCOMPARE(std::count_if(told.idle.lanes.begin(), told.idle.lanes.end(), [](const auto& of) { return of.counts; }),
        std::ptrdiff_t {1});
    QCOMPARE(told.idle.idle, told.lane(13).idle);
    QCOMPARE(told.lane(14).of(IdleReason::nothing), 200 * us);
    told.idle = idle_reasons(told.graph, {200 * us, 300 * us});  // if none works, none is left out
    QVERIFY(std::all_of(told.idle.lanes.begin(), told.idle.lanes.end(), [](const auto& of) { return of.counts; }));
}

void tst_IdleReasons::shortPartsAreInTheSumsAlone()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 100 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 300 * us, 304 * us), 13, 305 * us, 400 * us);
    Told told(tape);
    const auto all = told.idle;
    told.idle = idle_reasons(told.graph, {0, told.trace.duration}, 50 * us);
    QCOMPARE(told.idle.idle, all.idle);
    QCOMPARE(shown(told.lane(13)), "100-300 late");
}

void tst_IdleReasons::shipped_data()
{
    rows_of_shipped_recordings();
}

/// Parts and busy time fill the range; a range has the same parts as the whole does there.
void tst_IdleReasons::shipped()
{
    QFETCH(QString, path);
    const auto trace = open_recording(path.toStdString());
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    const auto report = make_report(trace, blocking);
    const auto check = [&](Interval range) {
        const auto idle = idle_reasons(graph, range);
        ReasonTimes sums {};
        for (const auto& lane : idle.lanes) {
            Ns told = 0;
            Ns at = idle.range.start;
            for (const auto& part : lane.parts) {
                QVERIFY(part.span.start >= at && part.span.end > part.span.start);
                at = part.span.end;
                told += part.span.end - part.span.start;
                sums[static_cast<std::size_t>(part.reason)] += lane.counts ? part.span.end - part.span.start : 0;
            }
            QVERIFY(at <= idle.range.end);
            QCOMPARE(told + lane.busy, idle.range.end - idle.range.start);
        }
        QCOMPARE(sums, idle.idle);
    };
    check({0, trace.duration});
    check({trace.duration / 3, trace.duration / 2});
    const auto whole = idle_reasons(graph, {0, trace.duration});
    std::map<Row, Ns> busy;
    for (const auto& gpu : report.gpus) {
        for (const auto& stream : gpu.streams) {
            busy[stream.stream] = stream.busy;
        }
    }
    Ns unknown = 0;
    Ns all = 0;
    for (const auto& lane : whole.lanes) {
        QCOMPARE(lane.busy, busy[lane.stream]);
        unknown += lane.of(IdleReason::unknown);
        all += whole.range.end - whole.range.start - lane.busy;
    }
    QVERIFY2(unknown <= all / 100, qPrintable(QString("%1 of %2 unknown").arg(unknown).arg(all)));
    // A range has the same parts as the whole does there.
    const Interval range {trace.duration / 3, trace.duration / 2};
    const auto part = idle_reasons(graph, range);
    for (std::size_t i = 0; i < part.lanes.size(); ++i) {
        ReasonTimes cut {};
        for (const auto& of : whole.lanes[i].parts) {
            const Ns time = std::min(of.span.end, range.end) - std::max(of.span.start, range.start);
            cut[static_cast<std::size_t>(of.reason)] += std::max<Ns>(0, time);
        }
        QCOMPARE(part.lanes[i].idle, cut);
    }
}

void tst_IdleReasons::stories_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<bool>("much");
    QTest::newRow("the legacy default stream") << "default-stream.legacy"
                                               << "legacy" << true;
    QTest::newRow("no legacy stream, none waits for it") << "default-stream.non-blocking"
                                                         << "legacy" << false;
    QTest::newRow("pageable copies hold the thread") << "copy-results-back.blocking"
                                                     << "pageable" << true;
    QTest::newRow("nothing holds it") << "copy-results-back.overlapped"
                                      << "pageable" << false;
    QTest::newRow("allocations") << "allocate-in-the-loop.malloc"
                                 << "memory" << true;
    QTest::newRow("a pool") << "allocate-in-the-loop.pool"
                            << "memory" << false;
    QTest::newRow(".item()") << "item-every-batch.every"
                             << "sync" << true;
    QTest::newRow("the CPU waits for events") << "events-across-streams.stream-sync"
                                              << "sync" << true;
    QTest::newRow("streams wait for events") << "events-across-streams.event-wait"
                                             << "event" << true;
    QTest::newRow("loaders") << "data-loader.workers-2-pinned"
                             << "host_wait" << true;
}

void tst_IdleReasons::stories()
{
    QFETCH(QString, name);
    QFETCH(QString, reason);
    QFETCH(bool, much);
    const auto trace = shipped_recording(name);
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    const auto idle = idle_reasons(graph, {0, trace.duration});
    Ns of = 0;
    Ns all = 0;
    QString text;
    for (std::size_t i = 0; i < idle_reason_count; ++i) {
        const auto told = name_of(static_cast<IdleReason>(i));
        all += idle.idle[i];
        of += reason.toStdString() == told ? idle.idle[i] : 0;
        text += QString("%1 %2 us  ").arg(QString::fromUtf8(told.data())).arg(idle.idle[i] / us);
    }
    qInfo().noquote() << text;
    QVERIFY2(much ? of > all / 10 : of < trace.duration / 50, qPrintable(text));
}

QTEST_GUILESS_MAIN(tst_IdleReasons)
#include "tst_idle_reasons.moc"
