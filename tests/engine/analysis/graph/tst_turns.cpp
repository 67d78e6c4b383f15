// SPDX-License-Identifier: MIT
// PyTorch's backward pass: which thread went on because another one was done, and the path back through both.
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/graph/critical_path.h"
#include "engine/analysis/graph/idle_reasons.h"
#include "engine/analysis/graph/slack.h"
#include "engine/analysis/graph/why.h"
#include "engine/replay/whatif.h"
#include "engine/trace/event.h"
#include "tests/engine/analysis/graphed.h"

using namespace lanes;

namespace {

constexpr Ns us = 1000;
constexpr auto domain = "Operator";

/// Thread 1 goes forward to 100 us and on from 600 us, thread 2 backward from 130 us to 570 us; both launch.
struct Pass {
    Tape tape;
    Pass()
    {
        tape.thread(1, "main", 0);
        tape.thread(2, "autograd", 1);
        tape.range("ProfilerStep#3", 0, 900 * us, 1, domain);
        operators("aten::conv2d", 0, 100 * us, 1);
        operators("Optimizer.step#SGD.step", 600 * us, 800 * us, 1);
        launch(90 * us, 1);
        launch(700 * us, 1);
    }
    void operators(const char* name, Ns start, Ns end, std::uint32_t thread)
    {
        tape.range(name, start, end, thread, domain);
    }
    void launch(Ns at, std::uint32_t thread)
    {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 4 * us, thread), 7, at + 6 * us, at + 40 * us);
    }
    void backward(Ns start, Ns end, const char* name = "CudnnConvolutionBackward")
    {
        operators(name, start, end, 2);
        launch(start + 20 * us, 2);
    }
};

}  // namespace

class tst_Turns : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void turnsOfABackwardPass();
    void noTurns_data();
    void noTurns();
    void wayBackThroughBoth();
    void stepsBackThroughBoth();
    void idleBecauseOfTheOther();
    void slackOfTheOther();
    void replayedThroughBoth();
    void watchdogsAreNotTheEnd();
};

void tst_Turns::turnsOfABackwardPass()
{
    Pass pass;
    pass.backward(130 * us, 300 * us);
    pass.backward(350 * us, 570 * us, "AddmmBackward0");
    const auto trace = pass.tape.finish(Source::kineto);
    const Row main = trace.calls.thread[0];
    const Row autograd = trace.calls.thread[1];
    const auto expected = main < autograd
        ? std::vector<Turn> {{main, 600 * us, autograd, 570 * us}, {autograd, 130 * us, main, 100 * us}}
        : std::vector<Turn> {{autograd, 130 * us, main, 100 * us}, {main, 600 * us, autograd, 570 * us}};
    QVERIFY(find_turns(trace) == expected);
}

void tst_Turns::noTurns_data()
{
    QTest::addColumn<int>("what");
    QTest::newRow("it goes on beside the other") << 0;
    QTest::newRow("it began before the gap") << 1;
    QTest::newRow("its operators go forward") << 2;
    QTest::newRow("in the midst of a long gap") << 3;
    QTest::newRow("the other waits in a call") << 4;
    QTest::newRow("not of PyTorch") << 5;
}

void tst_Turns::noTurns()
{
    QFETCH(int, what);
    Pass pass;
    if (what == 0) {
        pass.backward(130 * us, 650 * us);
    } else if (what == 1) {
        pass.backward(80 * us, 570 * us);
    } else if (what == 2) {
        pass.backward(130 * us, 570 * us, "aten::copy_");
    } else if (what == 3) {
        pass.operators("aten::add", 5000 * us, 5100 * us, 1);
        pass.backward(1500 * us, 3000 * us);
    } else {
        pass.backward(130 * us, 570 * us);
    }
    if (what == 4) {
        static_cast<void>(pass.tape.call("cudaStreamSynchronize", 110 * us, 590 * us, 1));
    }
    QVERIFY(find_turns(pass.tape.finish(what == 5 ? Source::nsys : Source::kineto)).empty());
}

void tst_Turns::wayBackThroughBoth()
{
    Pass pass;
    pass.backward(130 * us, 570 * us);
    const Graphed told(pass.tape.finish(Source::kineto));
    const auto path = critical_path(told.graph, {0, told.trace.duration});
    // 30 us before and 30 us after the backward pass; all else is in operators and calls.
    QCOMPARE(path.of(PathPart::inferred), 60 * us);
    QCOMPARE(path.of(PathPart::between), 0);
    Ns sum = 0;
    Ns backward = 0;
    for (const auto& part : path.parts) {
        sum += part.span.end - part.span.start;
        if (part.kind == PathPart::work
            && told.trace.text(name_of(told.trace, part.event)) == "CudnnConvolutionBackward") {
            backward += part.span.end - part.span.start;
        }
    }
    QCOMPARE(sum, path.range.end - path.range.start);
    QCOMPARE(backward, 440 * us - 4 * us);  // its launch is a call
    const auto text = why_text(why_lines(told.graph, path.parts), Messages::english());
    QVERIFY2(text.find("main (1): continued when autograd (2) was done (inferred") != std::string::npos, text.c_str());
}

/// From what the main thread launches after the backward pass to autograd's last work, and from there to main's.
void tst_Turns::stepsBackThroughBoth()
{
    Pass pass;
    pass.backward(130 * us, 570 * us);
    const Graphed told(pass.tape.finish(Source::kineto));
    const auto call = [](Row row) { return LinkEnd(EventRef {EventTable::calls, row}); };
    QCOMPARE(told.trace.calls.start[1], 150 * us);
    QCOMPARE(step_back(told.graph, call(2)), call(1));
    QCOMPARE(step_back(told.graph, call(1)), call(0));
    QCOMPARE(step_back(told.graph, call(0)), LinkEnd());
}

/// Autograd's thread allocates for 300 us before it launches: that is why the stream was idle after main's launch,
/// and after its own until main's next one.
void tst_Turns::idleBecauseOfTheOther()
{
    Pass pass;
    pass.backward(130 * us, 570 * us);
    static_cast<void>(pass.tape.call("cudaMalloc", 200 * us, 500 * us, 2));
    const Graphed told(pass.tape.finish(Source::kineto));
    const auto reasons = idle_reasons(told.graph, {0, told.trace.duration});
    QCOMPARE(reasons.lanes.size(), 1U);
    const auto& lane = reasons.lanes.front();
    QCOMPARE(lane.of(IdleReason::memory), 300 * us);
}

/// Autograd's thread waits for its own kernel; main goes on after that, and the run ends with what main launches.
void tst_Turns::slackOfTheOther()
{
    Pass pass;
    pass.backward(130 * us, 570 * us);
    const auto sync = pass.tape.call("cudaStreamSynchronize", 160 * us, 195 * us, 2);
    pass.tape.sync(sync, SyncRecord::stream_sync, 160 * us, 195 * us, 7);
    const Graphed told(pass.tape.finish(Source::kineto));
    const auto slack = find_slack(told.graph, {0, 740 * us});
    QCOMPARE(told.trace.operations.start[0], 96 * us);
    QCOMPARE(told.trace.operations.start[1], 156 * us);
    QCOMPARE(slack[1], 0);
}

/// Time that autograd's thread saves reaches main, and time that main saves reaches autograd's.
void tst_Turns::replayedThroughBoth()
{
    for (const bool of_main : {false, true}) {
        Pass pass;
        pass.backward(130 * us, 570 * us);
        static_cast<void>(
            pass.tape.call("cudaMalloc", of_main ? 10 * us : 200 * us, of_main ? 60 * us : 500 * us, of_main ? 1 : 2));
        const Graphed told(pass.tape.finish(Source::kineto));
        const replay::WhatIf what_if(told.graph);
        const Ns end = what_if.total({});
        QCOMPARE(end, 740 * us);
        const Ns without = what_if.total({{replay::ChangeKind::at_once, Query::parse("name:cudaMalloc")}});
        QCOMPARE(end - without, (of_main ? 50 : 300) * us - 2 * us);
    }
}

/// NCCL's watchdog queries after all is done, a helper process asks for devices; one that waits for the device works.
void tst_Turns::watchdogsAreNotTheEnd()
{
    for (const char* call : {"cuModuleGetLoadingMode", "cudaGetDeviceCount", "cuDeviceGetAttribute"}) {
        QVERIFY(only_asks(call));
    }
    for (const char* call : {"cudaDeviceSynchronize", "cudaFree", "cuLaunchKernel", "cudaGraphInstantiate"}) {
        QVERIFY(!only_asks(call));
    }
    for (const char* call : {"cuModuleGetLoadingMode", "cudaDeviceSynchronize"}) {
        Tape tape;
        tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 7, 6 * us, 100 * us);
        static_cast<void>(tape.call(call, 500 * us, 502 * us, 2));
        const Graphed told(tape.finish(Source::cupti));
        QCOMPARE(last_of(told.graph, {0, told.trace.duration}).time, only_asks(call) ? 100 * us : 502 * us);
    }
    for (const bool alone : {false, true}) {
        Tape tape;
        if (!alone) {
            tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 7, 6 * us, 100 * us);
        }
        static_cast<void>(tape.call("cudaEventQuery", 500 * us, 502 * us, 2));
        const Graphed told(tape.finish(Source::kineto));
        QCOMPARE(last_of(told.graph, {0, told.trace.duration}).time, alone ? 502 * us : 100 * us);
    }
}

QTEST_GUILESS_MAIN(tst_Turns)
#include "tst_turns.moc"
