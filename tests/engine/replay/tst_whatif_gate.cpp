// SPDX-License-Identifier: MIT
// Which recordings give no prediction, and why.
#include "engine/trace/meta_keys.h"
#include "tests/engine/replay/asked.h"

#include <QtTest>

using namespace lanes;
using namespace lanes::replay;

namespace {

constexpr Ns us = 1'000;

}  // namespace

class tst_WhatIfGate : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", (qEnvironmentVariable("LANES_SOURCE") + "/resources").toUtf8()); }
    void refuses_data();
    void refuses();
    void whatWasIssuedBeforeIsDoneAsItWas();
    void issuedBefore_data();
    void issuedBefore();
    void shortDoubtsAreLetPass();
    void refusesWhatIsStuck();
    void stuckIsSeen();
    void eventsToAndFro();
};

void tst_WhatIfGate::refuses_data()
{
    QTest::addColumn<QString>("why");
    for (const char* why : {"no_operations", "no_calls", "predicted", "failed", "cut", "dropped", "orphans", "graphs",
             "managed", "host_functions", "waits"}) {
        QTest::newRow(why) << why;
    }
}

void tst_WhatIfGate::refuses()
{
    QFETCH(QString, why);
    const bool is_bare = why == "no_operations" || why == "no_calls";
    const std::shared_ptr<Tape> owned = is_bare ? std::make_shared<Tape>() : std::make_shared<LaunchesAndWaits>();
    auto& tape = *owned;
    tape.stream(13, StreamRecord::non_blocking);
    auto source = Source::cupti;
    if (why == "no_operations") {
        tape.call("cudaMalloc", 10 * us, 20 * us);
    } else if (why == "no_calls") {
        tape.kernel(0, 13, 10 * us, 20 * us);
    } else if (why == "predicted") {
        source = Source::predicted;
    } else if (why == "failed") {
        tape.builder().write(ErrorRecord {.time = Tape::origin + 10 * us,
            .process = Tape::process,
            .thread = 1,
            .step = no_id,
            .code = 700,
            .message = tape.builder().intern("an illegal memory access"),
            .reserved = 0});
    } else if (why == "cut") {
        tape.builder().write_meta(meta::complete, "no");
    } else if (why == "dropped") {
        tape.builder().write(DroppedRecord {Tape::origin + 5 * us, 3});
    } else if (why == "orphans") {
        tape.kernel(0, 13, 700 * us, 720 * us);
    } else if (why == "graphs") {
        tape.call("cudaGraphLaunch", 700 * us, 710 * us);
    } else if (why == "managed") {
        const auto copy = tape.call("cudaMemcpyAsync", 700 * us, 710 * us);
        tape.copy(copy, 13, 712 * us, 720 * us, CopyKind::h2d, MemoryKind::managed, true);
    } else if (why == "host_functions") {
        const auto call = tape.call("cudaLaunchHostFunc", 700 * us, 710 * us);
        tape.host_function(call, 13, 712 * us, 720 * us);
    } else if (why == "waits") {
        tape.call("cudaMemcpyAsync", 700 * us, 800 * us);  // whose copy is not recorded
    }
    const Asked asked(tape.finish(source));
    QVERIFY(asked.is_refused(why.toLatin1().constData()));
    QVERIFY(asked.what_if.offers().empty());
    QVERIFY(to_text(asked.what_if.gate(), {}, Messages::english()).find("No prediction") != std::string::npos);
}

/// Two kernels were issued before the first recorded call; a copy and a kernel of the thread follow them.
static std::shared_ptr<Tape> begunBefore()
{
    auto tape = std::make_shared<Tape>();
    tape->stream(13, StreamRecord::non_blocking);
    tape->kernel(0, 13, 5 * us, 100 * us);
    tape->kernel(0, 13, 102 * us, 200 * us);
    const auto copy = tape->call("cudaMemcpyAsync", 10 * us, 15 * us);
    tape->copy(copy, 13, 202 * us, 250 * us, CopyKind::d2h, MemoryKind::pinned, true);
    const auto launch = tape->call("cudaLaunchKernel", 16 * us, 20 * us);
    tape->kernel(launch, 13, 252 * us, 400 * us);
    const auto wait = tape->call("cudaStreamSynchronize", 21 * us, 405 * us);
    tape->sync(wait, SyncRecord::stream_sync, 21 * us, 405 * us, 13);
    return tape;
}

void tst_WhatIfGate::whatWasIssuedBeforeIsDoneAsItWas()
{
    const Asked asked(begunBefore()->finish());
    QVERIFY(asked.what_if.gate().is_open());
    QCOMPARE(asked.what_if.gate().measured, 405 * us);
    const auto faster = asked.what_if.predict({{ChangeKind::faster, {}, 2}});
    QCOMPARE(faster.total, 405 * us - 74 * us);  // of the one issued since
    QCOMPARE(faster.count, std::uint64_t {1});
    const auto says = [&](const Assumption& assumption) {
        return assumption.word() == "issued-before" && Messages::english().format(assumption.said).starts_with("2 ");
    };
    QVERIFY(std::any_of(faster.assumptions.begin(), faster.assumptions.end(), says));
    // On its own stream the copy waits for the kernels that were issued before; the predicted recording says so.
    const auto run = asked.what_if.predicted_trace({{ChangeKind::own_stream, {}, 0}});
    QCOMPARE(run.operations.size(), std::size_t {4});
    QCOMPARE(run.events.size(), std::size_t {2});  // the other one for the wait after both
    QCOMPARE(run.events.front().time, Ns {0});
    QCOMPARE(run.streams[run.events.front().stream].id, 13U);
    Ns copied = 0, begun = 0;
    for (Row row = 0; row < run.operations.size(); ++row) {
        if (run.operations.kind[row] == OperationKind::d2h) {
            copied = run.operations.start[row];
        } else {
            begun = std::max(begun, run.operations.start[row]);
        }
    }
    QVERIFY(copied >= 200 * us && copied < 220 * us);
    QVERIFY(begun >= 200 * us && begun < 220 * us);  // beside the copy
}

void tst_WhatIfGate::issuedBefore_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<bool>("isPredicted");
    QTest::newRow("as it was") << "as it was" << true;
    QTest::newRow("on a stream of which no call is known") << "other" << false;
    QTest::newRow("a pause: it was issued meanwhile") << "pause" << false;
    QTest::newRow("behind what was issued since") << "behind" << false;
}

void tst_WhatIfGate::issuedBefore()
{
    QFETCH(QString, what);
    QFETCH(bool, isPredicted);
    const auto tape = begunBefore();
    if (what == "pause") {
        tape->stream(14, StreamRecord::non_blocking);
        tape->kernel(0, 14, 260 * us, 270 * us);
        const auto launch = tape->call("cudaLaunchKernel", 410 * us, 415 * us);
        tape->kernel(launch, 14, 420 * us, 430 * us);
    } else if (what == "other") {
        tape->stream(14, StreamRecord::non_blocking);
        tape->kernel(0, 14, 6 * us, 90 * us);
    } else if (what == "behind") {
        tape->kernel(0, 13, 402 * us, 404 * us);
    }
    const Asked asked(tape->finish());
    QCOMPARE(asked.what_if.gate().is_open(), isPredicted);
    QCOMPARE(asked.is_refused("orphans"), !isPredicted);
}

/// A synchronisation with nothing left to wait for took 30 us for an unknown reason: in 20 ms it does not matter.
void tst_WhatIfGate::shortDoubtsAreLetPass()
{
    for (const bool is_long : {false, true}) {
        Tape tape;
        tape.stream(13, StreamRecord::non_blocking);
        const Ns end = is_long ? 20'000 * us : 200 * us;
        const auto launch = tape.call("cudaLaunchKernel", 10 * us, 15 * us);
        tape.kernel(launch, 13, 18 * us, end);
        const auto wait = tape.call("cudaStreamSynchronize", 16 * us, end + 4 * us);
        tape.sync(wait, SyncRecord::stream_sync, 16 * us, end + 4 * us, 13);
        const auto last = tape.call("cudaDeviceSynchronize", end + 10 * us, end + 40 * us);
        tape.sync(last, SyncRecord::context_sync, end + 10 * us, end + 40 * us);
        tape.builder().write_meta(meta::gpu_end_ns, std::to_string(end + 5 * us));
        const Asked asked(tape.finish());
        QVERIFY(asked.blocking.unknown.front() != 0);
        QCOMPARE(asked.what_if.gate().is_open(), is_long);
        QCOMPARE(asked.is_refused("waits"), !is_long);
    }
}

/// A get from a queue into which too little is put never returns.
void tst_WhatIfGate::refusesWhatIsStuck()
{
    LaunchesAndWaits tape;
    tape.host_span(HostSpanRecord::queue_get, 10 * us, 200 * us, 2);
    const Asked asked(tape.finish());
    QVERIFY(asked.is_refused("stuck"));
}

/// Two kernels, each of which follows the other.
void tst_WhatIfGate::stuckIsSeen()
{
    const Asked asked(LaunchesAndWaits().finish());
    auto script = make_script(asked.graph);
    QCOMPARE(lanes::replay::replay(script).stuck, std::uint64_t {0});
    script.operations[1].gang = 0;
    script.gang_sizes.push_back(2);  // the other rank's never comes
    QVERIFY(lanes::replay::replay(script).stuck > 0);
}

/// Streams that wait for each other's events without work in between: however often, they wait for one
/// kernel.
void tst_WhatIfGate::eventsToAndFro()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    const auto launch = tape.call("cudaLaunchKernel", 10 * us, 15 * us);
    tape.kernel(launch, 13, 18 * us, 618 * us);
    Ns now = 20 * us;
    std::uint32_t number = 0;
    for (int i = 0; i < 80; ++i) {
        const std::uint32_t from = i % 2 == 0 ? 13 : 14;
        ++number;
        tape.event(tape.call("cudaEventRecord", now, now + us), from, number, number);
        const auto wait = tape.call("cudaStreamWaitEvent", now + 2 * us, now + 3 * us);
        tape.sync(wait, SyncRecord::stream_wait_event, now + 2 * us, now + 3 * us, 27 - from, number, number);
        now += 4 * us;
    }
    const auto last = tape.call("cudaLaunchKernel", now, now + 5 * us);
    tape.kernel(last, 14, 620 * us, 720 * us);
    const auto sync = tape.call("cudaDeviceSynchronize", now + 6 * us, 724 * us);
    tape.sync(sync, SyncRecord::context_sync, now + 6 * us, 724 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    QCOMPARE(asked.what_if.gate().measured, 724 * us);
}

QTEST_APPLESS_MAIN(tst_WhatIfGate)
#include "tst_whatif_gate.moc"
