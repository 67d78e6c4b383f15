// SPDX-License-Identifier: MIT
// The rules that stand on what waited for what: spins, small copies, directions, collectives, iterations.
#include "engine/analysis/graph/graph.h"
#include "engine/replay/gains.h"
#include "tests/engine/analysis/findings/found.h"

using namespace lanes;

namespace {

constexpr Ns us = 1000;
constexpr auto pinned = MemoryKind::pinned;
constexpr auto all_reduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)";

}  // namespace

class tst_FindingsGraph : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void querySpin_data();
    void querySpin();
    void copiesTooSmall_data();
    void copiesTooSmall();
    void whatIsLostAtOnceIsLostOnce();
    void oneDirection_data();
    void oneDirection();
    void communicationLate_data();
    void communicationLate();
    void whatIterationsLoseBehindALongStart();
    void lateBecauseOfACuredWait();
    void collectivesEndTogetherInAReplay();
    void oneSumAfterKernels();
    void oneSumInAPart();
    void idleBetweenIterations_data();
    void idleBetweenIterations();
    void callsOfModels_data();
    void callsOfModels();
    void recorderOverheadOfOthers();
    void oneDirectionByOneEngine();
    void recorderOverhead_data();
    void recorderOverhead();
};

void tst_FindingsGraph::querySpin_data()
{
    QTest::addColumn<bool>("joined");
    QTest::addColumn<bool>("reads");
    QTest::newRow("joined by the recorder") << true << false;
    QTest::newRow("query by query") << false << false;
    QTest::newRow("for a result") << true << true;
}

/// Kernels of 100 us, a spin until each is done, then 40 us of nothing before the next launch.
void tst_FindingsGraph::querySpin()
{
    QFETCH(bool, joined);
    QFETCH(bool, reads);
    Tape tape;
    for (std::uint32_t i = 0; i < 4; ++i) {
        const Ns at = i * 150 * us;
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 5 * us, at + 105 * us);
        tape.event(tape.call("cudaEventRecord", at + 2 * us, at + 3 * us), 13, 5, i + 1);
        const auto query = [&](Ns start, Ns end, int result) {
            const auto call = tape.call("cudaEventQuery", start, end, 1, ApiCallRecord::runtime, result);
            tape.sync(call, SyncRecord::event, start, end, 13, 5, i + 1);
            return call;
        };
        if (joined) {
            tape.query_spin(
                query(at + 4 * us, at + 106 * us, 0), at + 4 * us, at + 106 * us, 50, QuerySpinRecord::ready);
        } else {
            for (Ns turn = 4; turn < 106; turn += 3) {
                static_cast<void>(query(at + turn * us, at + (turn + 2) * us, turn + 3 < 106 ? 600 : 0));
            }
        }
        if (reads) {
            tape.read("y", at + 108 * us, at + 109 * us, 8, 0);
        }
    }
    const auto finding = find_in(tape, "query-spin");
    QCOMPARE(finding.count, reads ? 0U : 3U);  // the last one is a wait for the result
    // Launches are 48 us apart without: the kernels follow one another.
    COMPARE_ABOUT(finding.cost, reads ? 0 : 3 * 50 * us);
}

void tst_FindingsGraph::copiesTooSmall_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<quint64>("bytes");
    QTest::addColumn<bool>("kernels_between");
    QTest::addColumn<Ns>("cost");
    QTest::newRow("forty") << 40 << quint64 {4096} << false << 39 * 10 * us;
    QTest::newRow("a few") << 3 << quint64 {4096} << false << Ns {0};
    QTest::newRow("large enough") << 40 << quint64 {1 << 20} << false << Ns {0};
    QTest::newRow("with work between") << 40 << quint64 {4096} << true << Ns {0};
}

/// A copy each 10 us, of which its call takes all.
void tst_FindingsGraph::copiesTooSmall()
{
    QFETCH(int, count);
    QFETCH(quint64, bytes);
    QFETCH(bool, kernels_between);
    QFETCH(Ns, cost);
    Tape tape;
    for (Ns at = 0; at < count * 10 * us; at += 10 * us) {
        const Ns issued = kernels_between ? 5 * us : 10 * us;
        tape.copy(tape.call("cudaMemcpyAsync", at, at + issued), 13, at + 3 * us, at + 5 * us, CopyKind::h2d, pinned,
            true, 0, bytes);
        if (kernels_between) {
            tape.kernel(tape.call("cudaLaunchKernel", at + 6 * us, at + 9 * us), 13, at + 7 * us, at + 8 * us);
        }
    }
    const auto finding = find_in(tape, "copies-too-small");
    COMPARE_ABOUT(finding.cost, cost);
    QCOMPARE(finding.count, cost > 0 ? static_cast<unsigned>(count) : 0U);
}

/// No replay tells what they cost. Copies wait in the queue together, threads allocate at the same time: that time is
/// lost once.
void tst_FindingsGraph::whatIsLostAtOnceIsLostOnce()
{
    for (const bool copies : {true, false}) {
        Tape tape;
        tape.host_function(tape.call("cudaLaunchHostFunc", 0, us, 3), 14);
        tape.kernel(tape.call("cudaLaunchKernel", 0, us, 1), 15, 2 * us, 3 * us);
        tape.kernel(tape.call("cudaLaunchKernel", us, 2 * us, 2), 16, 3 * us, 4 * us);
        for (int i = 0; i < 40; ++i) {
            if (copies) {
                const Ns at = 10 * us + i * 2 * us;
                tape.copy(tape.call("cudaMemcpyAsync", at, at + us), 13, 100 * us + i * 10 * us, 105 * us + i * 10 * us,
                    CopyKind::h2d, pinned, true, 0, 4096);
            } else {
                static_cast<void>(tape.call("cudaMalloc", 10 * us + i * 10 * us, 20 * us + i * 10 * us, 1));
                static_cast<void>(tape.call("cudaMalloc", 10 * us + i * 10 * us, 20 * us + i * 10 * us, 2));
            }
        }
        tape.kernel(tape.call("cudaLaunchKernel", 20'000 * us, 20'001 * us, 1), 15, 20'002 * us, 20'003 * us);
        tape.kernel(tape.call("cudaLaunchKernel", 20'000 * us, 20'001 * us, 2), 16, 20'002 * us, 20'003 * us);
        const auto finding = find_in(tape, copies ? "copies-too-small" : "allocation-in-loop");
        QVERIFY(!finding.is_replayed);
        QCOMPARE(finding.count, copies ? 40U : 80U);
        COMPARE_ABOUT(finding.cost, copies ? 490 * us : 400 * us);
    }
}

void tst_FindingsGraph::oneDirection_data()
{
    QTest::addColumn<bool>("both");
    QTest::addColumn<bool>("second_stream");
    QTest::addColumn<Ns>("cost");
    // Copies in both directions at once have a part of the link each.
    QTest::newRow("by turns") << true << false << 270 * us;
    QTest::newRow("on two streams") << true << true << Ns {0};
    QTest::newRow("up only") << false << false << Ns {0};
}

/// A GPU with one copy engine has none for the other direction.
void tst_FindingsGraph::oneDirectionByOneEngine()
{
    for (const std::uint32_t engines : {0U, 1U, 2U}) {
        Tape tape;
        DeviceRecord device {};
        device.copy_engines = engines;
        tape.builder().write(device);
        for (int i = 0; i < 6; ++i) {
            const Ns start = 30 * us + i * 100 * us;
            tape.copy(tape.call("cudaMemcpyAsync", i * 3 * us, i * 3 * us + 2 * us), 13, start, start + 100 * us,
                i % 2 == 1 ? CopyKind::d2h : CopyKind::h2d, pinned, true);
        }
        QCOMPARE(find_in(tape, "one-direction").cost > 0, engines != 1);
    }
}

/// Three times up and three times down, issued ahead.
void tst_FindingsGraph::oneDirection()
{
    QFETCH(bool, both);
    QFETCH(bool, second_stream);
    QFETCH(Ns, cost);
    Tape tape;
    Ns at = 30 * us;
    for (int i = 0; i < 6; ++i) {
        const bool down = both && i % 2 == 1;
        const Ns start = second_stream ? 30 * us + i / 2 * 100 * us : at;
        tape.copy(tape.call("cudaMemcpyAsync", i * 3 * us, i * 3 * us + 2 * us), second_stream && down ? 14 : 13, start,
            start + 100 * us, down ? CopyKind::d2h : CopyKind::h2d, pinned, true);
        at += 100 * us;
    }
    const auto finding = find_in(tape, "one-direction");
    COMPARE_ABOUT(finding.cost, cost);
    QCOMPARE(finding.count, cost > 0 ? 6U : 0U);
}

void tst_FindingsGraph::communicationLate_data()
{
    QTest::addColumn<bool>("works");
    QTest::addColumn<bool>("hidden");
    QTest::addColumn<Ns>("cost");
    QTest::newRow("its host is late") << false << false << 4 * 100 * us;
    QTest::newRow("its kernels are") << true << false << 4 * 50 * us;  // half of them could be the other one's
    QTest::newRow("with work beside it") << false << true << Ns {0};
}

/// Four times GPU 0, whose host is far ahead, comes to a collective of 50 us 100 us before GPU 1.
void tst_FindingsGraph::communicationLate()
{
    QFETCH(bool, works);
    QFETCH(bool, hidden);
    QFETCH(Ns, cost);
    Tape tape;
    tape.thread(1, "rank 0", 0);
    tape.thread(2, "rank 1", 1);
    for (Ns at = 0; at < 4 * 300 * us; at += 300 * us) {
        const Ns issued = at / 100;
        tape.kernel(tape.call("cudaLaunchKernel", issued, issued + us, 1), 13, at + 5 * us, at + 100 * us);
        tape.kernel(tape.call("cudaLaunchKernel", issued + us, issued + 2 * us, 1), 13, at + 101 * us, at + 250 * us, 0,
            all_reduce);
        if (hidden) {
            tape.kernel(
                tape.call("cudaLaunchKernel", issued + 2 * us, issued + 3 * us, 1), 14, at + 101 * us, at + 249 * us);
        }
        tape.kernel(
            tape.call("cudaLaunchKernel", at, at + 2 * us, 2), 15, at + 5 * us, at + (works ? 200 : 100) * us, 1);
        const Ns late = works ? at + 3 * us : at + 197 * us;
        tape.kernel(
            tape.call("cudaLaunchKernel", late, late + 2 * us, 2), 15, at + 201 * us, at + 250 * us, 1, all_reduce);
    }
    const auto finding = find_in(tape, "communication-late");
    COMPARE_ABOUT(finding.cost, cost);
    QCOMPARE(finding.count, cost > 0 ? 4U : 0U);
    if (cost > 0) {
        QVERIFY(std::string(finding.title).find("because GPU 1 is late") != std::string::npos);
        QVERIFY(std::string(finding.title).find("{") == std::string::npos);
    }
}

/// 400 us of 51 ms are less than 1 %; of the 1.2 ms that repeat they are a third.
void tst_FindingsGraph::whatIterationsLoseBehindALongStart()
{
    Tape tape;
    tape.thread(1, "rank 0", 0);
    tape.thread(2, "rank 1", 1);
    static_cast<void>(tape.call("cudaGetDeviceCount", 0, 5 * us, 1));
    for (int step = 0; step < 4; ++step) {
        const Ns at = 50'000 * us + step * 300 * us;
        tape.range("step " + std::to_string(step), at, at + 290 * us);
        const Ns issued = 50'000 * us + step * 2 * us;  // far ahead
        tape.kernel(
            tape.call("cudaLaunchKernel", issued, issued + us, 1), 13, at + 100 * us, at + 250 * us, 0, all_reduce);
        tape.kernel(tape.call("cudaLaunchKernel", at + 197 * us, at + 199 * us, 2), 15, at + 201 * us, at + 250 * us, 1,
            all_reduce);
    }
    const auto report = report_of(tape.finish());
    const auto finding = find(report.findings, "communication-late");
    QVERIFY(report.steady.has_value());
    QCOMPARE(finding.count, 4U);
    COMPARE_ABOUT(finding.cost, 4 * 101 * us);
    const std::string title = finding.title;
    QVERIFY2(title.find("GPU 1 is late") != std::string::npos && title.ends_with(" (in the part that repeats)"),
        title.c_str());
}

/// A wait that another rule is about is not said again of the collective that came late by it.
void tst_FindingsGraph::lateBecauseOfACuredWait()
{
    Tape tape;
    tape.thread(1, "rank 0", 0);
    tape.thread(2, "rank 1", 1);
    for (Ns at = 0; at < 4 * 300 * us; at += 300 * us) {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us, 1), 13, at + 5 * us, at + 250 * us, 0, all_reduce);
        const auto value = tape.call("cudaMemcpyAsync", at, at + 2 * us, 2);
        tape.copy(value, 16, at + 5 * us, at + 195 * us, CopyKind::d2h, pinned, true, 1, 8);
        const auto sync = tape.call("cudaStreamSynchronize", at + 3 * us, at + 196 * us, 2);
        tape.sync(sync, SyncRecord::stream_sync, at + 3 * us, at + 196 * us, 16);
        tape.kernel(tape.call("cudaLaunchKernel", at + 197 * us, at + 199 * us, 2), 15, at + 201 * us, at + 250 * us, 1,
            all_reduce);
    }
    const auto findings = report_of(tape.finish()).findings;
    QVERIFY(find(findings, "sync-after-small-copy").cost > 100 * us);
    QCOMPARE(find(findings, "communication-late").count, 0U);
}

/// Once the late GPU comes in time, the other one's kernel is as short as its own.
void tst_FindingsGraph::collectivesEndTogetherInAReplay()
{
    Tape tape;
    tape.thread(1, "rank 0", 0);
    tape.thread(2, "rank 1", 1);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 2 * us, 1), 13, 5 * us, 550 * us, 0, all_reduce);
    tape.kernel(tape.call("cudaLaunchKernel", 3 * us, 5 * us, 1), 13, 551 * us, 651 * us);
    static_cast<void>(tape.call("cudaEventCreate", 10 * us, 490 * us, 2));
    tape.kernel(tape.call("cudaLaunchKernel", 495 * us, 497 * us, 2), 15, 500 * us, 550 * us, 1, all_reduce);
    const auto trace = tape.finish();
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    const replay::Gains gains(graph);
    QVERIFY(gains.can_tell());
    replay::Change change {replay::ChangeKind::at_once, Query::parse("name:cudaEventCreate")};
    const auto gain = gains.of(std::vector {change});
    QVERIFY(gain);
    COMPARE_ABOUT(gain->time, 478 * us);
}

/// Four kernels, then one sum over all gradients: cut into four buckets three of them lie beside kernels. Where several
/// sums are made, by turns with kernels, they are buckets already; where nothing is trained, they are no gradients.
void tst_FindingsGraph::oneSumAfterKernels()
{
    using Case = std::tuple<int, int, std::string>;
    for (const auto& [kernels, sums, name] :
        {Case(4, 1, "backward "), Case(1, 1, "backward "), Case(4, 3, "backward "), Case(4, 1, "gemm ")}) {
        Tape tape;
        Ns at = 10 * us;
        Ns call = 0;
        const auto kernel = [&](Ns length, std::string_view called) {
            tape.kernel(tape.call("cudaLaunchKernel", call, call + us), 13, at, at + length, 0, called);
            call += 2 * us;
            at += length;
        };
        for (int sum = 0; sum < sums; ++sum) {
            for (int i = 0; i < kernels; ++i) {
                kernel(100 * us, name + std::to_string(call));
            }
            kernel(200 * us, all_reduce);
        }
        const bool is_cut = kernels == 4 && sums == 1 && name == "backward ";
        const auto finding = find_in(tape, "communication-after-kernels");
        COMPARE_ABOUT(finding.cost, is_cut ? 150 * us : 0);
        // A change that cannot be made here does not gain too little.
        const auto& said = finding.advice.parts;
        QVERIFY(said.empty() || said.back().message.id != "finding.no_change.gains_nothing");
    }
}

/// What GPUs exchange before a part, as the weights of a model, says nothing about the sums of the part.
void tst_FindingsGraph::oneSumInAPart()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, 2 * us, 300 * us, 0, "ncclDevKernel_AllGather_RING_LL(args)");
    Ns at = 500 * us;
    const Ns start = at - 5 * us;
    Ns call = start;
    const auto kernel = [&](Ns length, std::string_view called) {
        tape.kernel(tape.call("cudaLaunchKernel", call, call + us), 13, at, at + length, 0, called);
        call += 2 * us;
        at += length;
    };
    for (int i = 0; i < 4; ++i) {
        kernel(100 * us, "backward " + std::to_string(i));
    }
    kernel(200 * us, all_reduce);
    const auto trace = tape.finish();
    const auto report = make_report(trace, find_blocking(trace), Interval {start, at});
    COMPARE_ABOUT(find(report.findings, "communication-after-kernels").cost, 150 * us);
    COMPARE_ABOUT(find(report_of(trace).findings, "communication-after-kernels").cost, 0);
}

void tst_FindingsGraph::idleBetweenIterations_data()
{
    QTest::addColumn<Ns>("work");
    QTest::addColumn<bool>("steps");
    QTest::addColumn<Ns>("cost");
    QTest::newRow("60 us longer than the GPU works") << 260 * us << true << 4 * 61 * us;
    QTest::newRow("no iterations") << 260 * us << false << Ns {0};
    QTest::newRow("hardly") << 205 * us << true << Ns {0};
    QTest::newRow("starved, and said so") << 400 * us << true << Ns {0};
}

/// Five iterations of two kernels of 100 us each; the thread works beside them, and for longer.
void tst_FindingsGraph::idleBetweenIterations()
{
    QFETCH(Ns, work);
    QFETCH(bool, steps);
    QFETCH(Ns, cost);
    Tape tape;
    Ns at = 0;
    for (int i = 0; i < 5; ++i) {
        const Ns begin = at;
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 5 * us, at + 105 * us);
        const Ns second = at + 3 * us;
        tape.kernel(tape.call("cudaLaunchKernel", second, second + 2 * us), 13, at + 106 * us, at + 206 * us, 0,
            steps ? "work(int)" : "work " + std::to_string(i));
        tape.host_span(HostSpanRecord::work, at + 6 * us, at + 6 * us + work);
        at += work + 7 * us;
        if (steps) {
            tape.range("step " + std::to_string(i), begin, at);
        }
    }
    const auto findings = report_of(tape.finish()).findings;
    const auto finding = find(findings, "idle-between-iterations");
    COMPARE_ABOUT(finding.cost, cost);
    QCOMPARE(finding.count, cost > 0 ? 4U : 0U);
    QCOMPARE(find(findings, "starved").count > 0, work == 400 * us);
}

void tst_FindingsGraph::callsOfModels_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<Ns>("before");
    QTest::addColumn<Ns>("cost");
    QTest::newRow("a step loads its batch") << "step" << 0 * us << 4 * 61 * us;
    QTest::newRow("a model's own Python") << "Net (train.py:63)" << 0 * us << 0 * us;
    QTest::newRow("work before the model's call") << "Net (train.py:63)" << 60 * us << 4 * 61 * us;
    QTest::newRow("no place") << "Net (63)" << 0 * us << 4 * 61 * us;
}

/// Five iterations of two kernels that take 100 us; the thread is in a range for 60 us before it launches them, or it
/// works for `before` and then enters it.
void tst_FindingsGraph::callsOfModels()
{
    QFETCH(QString, name);
    QFETCH(Ns, before);
    QFETCH(Ns, cost);
    Tape tape;
    Ns at = 0;
    for (int i = 0; i < 5; ++i) {
        const Ns begin = at + before;
        const Ns launch = at + 60 * us;
        tape.kernel(tape.call("cudaLaunchKernel", launch, launch + 2 * us), 13, launch + 5 * us, launch + 55 * us);
        tape.kernel(
            tape.call("cudaLaunchKernel", launch + 3 * us, launch + 5 * us), 13, launch + 56 * us, launch + 106 * us);
        at = launch + 107 * us;
        tape.range(name == "step" ? "step " + std::to_string(i) : name.toStdString(), begin, at - us);
    }
    const auto finding = find_in(tape, "idle-between-iterations");
    COMPARE_ABOUT(finding.cost, cost);
}

void tst_FindingsGraph::recorderOverhead_data()
{
    QTest::addColumn<OverheadRecord::Type>("type");
    QTest::addColumn<Ns>("cost");
    QTest::newRow("buffers") << OverheadRecord::buffer_flush << 2 * 80 * us;
    QTest::newRow("instrumentation") << OverheadRecord::instrumentation << 2 * 80 * us;
    QTest::newRow("the driver's") << OverheadRecord::uvm_init << Ns {0};
}

/// Launches, two of which the recorder held for 80 us, as another thread's that issues nothing.
void tst_FindingsGraph::recorderOverhead()
{
    QFETCH(OverheadRecord::Type, type);
    QFETCH(Ns, cost);
    Tape tape;
    Ns at = 0;
    for (int i = 0; i < 6; ++i) {
        const Ns held = i == 1 || i == 3 ? 80 * us : 0;
        const auto call = tape.call("cudaLaunchKernel", at, at + 4 * us + held);
        tape.kernel(call, 13, at + 6 * us + held, at + 50 * us + held);
        if (held > 0) {
            tape.overhead(type, call, 1, at + 2 * us, at + 2 * us + held);
            tape.overhead(type, 0, 2, at + 2 * us, at + 2 * us + held);
        }
        at += 52 * us + held;
    }
    const auto finding = find_in(tape, "recorder-overhead");
    COMPARE_ABOUT(finding.cost, cost);
    QCOMPARE(finding.count, cost > 0 ? 2U : 0U);
}

/// What another tool recorded is not recorded less by an option of ours.
void tst_FindingsGraph::recorderOverheadOfOthers()
{
    for (const auto source : {Source::cupti, Source::nsys, Source::kineto, Source::chrome}) {
        Tape tape;
        for (int i = 0; i < 6; ++i) {
            const Ns at = i * 200 * us;
            const auto call = tape.call("cudaLaunchKernel", at, at + 84 * us);
            tape.kernel(call, 13, at + 86 * us, at + 130 * us);
            tape.overhead(OverheadRecord::buffer_flush, call, 1, at + 2 * us, at + 82 * us);
        }
        const auto trace = tape.finish(source);
        const auto finding = find(report_of(trace).findings, "recorder-overhead");
        QVERIFY(finding.cost > 0);
        const auto advice = QString::fromStdString(Messages::english().format(finding.advice));
        QCOMPARE(advice.contains("lanes record"), source == Source::cupti);
        QCOMPARE(advice.contains("nsys profile"), source == Source::nsys);
        QVERIFY(advice.contains("compare only with runs recorded the same way"));
    }
}

QTEST_GUILESS_MAIN(tst_FindingsGraph)
#include "tst_findings_graph.moc"
