// SPDX-License-Identifier: MIT
// Data that goes from one GPU to another through memory of the host, and what only looks like that. The recording of
// two H200s is in tst_shipped.
#include "tests/engine/analysis/findings/found.h"

#include <QVector>

using namespace lanes;

namespace {

constexpr Ns us = 1000;
constexpr auto pinned = MemoryKind::pinned;
constexpr auto pageable = MemoryKind::pageable;
constexpr std::uint64_t bytes = 1 << 26;

struct Program {
    bool event = true;  ///< between the GPUs, else the thread waits
    std::uint32_t target = 1;
    std::uint64_t up = bytes;
    Ns work = 0;  ///< of the thread, between the copies
    bool from_elsewhere = false;  ///< another upload of as many bytes comes first
};

/// A kernel, its result to the host in 1300 us and to the other GPU in 1300 us, a kernel there.
void write(Tape& tape, const Program& program)
{
    Ns at = 0;
    if (program.from_elsewhere) {
        tape.copy(
            tape.call("cudaMemcpyAsync", 0, 4 * us), 13, 5 * us, 1305 * us, CopyKind::h2d, pinned, true, 0, bytes);
        at = 1300 * us;
    }
    tape.kernel(tape.call("cudaLaunchKernel", at + 5 * us, at + 7 * us), 13, at + 10 * us, at + 110 * us);
    const auto down = tape.call("cudaMemcpyAsync", at + 8 * us, program.event ? at + 12 * us : at + 1412 * us);
    tape.copy(
        down, 13, at + 111 * us, at + 1411 * us, CopyKind::d2h, program.event ? pinned : pageable, true, 0, bytes);
    Ns issued = at + 13 * us;
    if (program.event) {
        tape.event(tape.call("cudaEventRecord", at + 13 * us, at + 14 * us), 13, 5, 5);
        tape.sync(tape.call("cudaStreamWaitEvent", at + 15 * us, at + 16 * us), SyncRecord::stream_wait_event,
            at + 15 * us, at + 16 * us, 14, 5, 5);
        issued = at + 17 * us;
    } else {
        issued = at + 1414 * us + program.work;
    }
    const Ns begin = std::max(issued + 5 * us, at + 1413 * us);
    tape.copy(tape.call("cudaMemcpyAsync", issued, issued + 4 * us), 14, begin, begin + 1300 * us, CopyKind::h2d,
        pinned, true, program.target, program.up);
    tape.kernel(tape.call("cudaLaunchKernel", issued + 5 * us, issued + 7 * us), 14, begin + 1301 * us,
        begin + 1401 * us, program.target);
}

}  // namespace

class tst_ThroughHost : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void copyThroughHost_data();
    void copyThroughHost();
    void directCopies();
};

void tst_ThroughHost::copyThroughHost_data()
{
    QTest::addColumn<bool>("event");
    QTest::addColumn<int>("target");
    QTest::addColumn<quint64>("up");
    QTest::addColumn<Ns>("work");
    QTest::addColumn<bool>("from_elsewhere");
    QTest::addColumn<bool>("found");
    QTest::newRow("behind an event") << true << 1 << quint64 {bytes} << Ns {0} << false << true;
    QTest::newRow("behind an event, and one from elsewhere") << true << 1 << quint64 {bytes} << Ns {0} << true << true;
    QTest::newRow("by a thread that was held") << false << 1 << quint64 {bytes} << Ns {0} << false << true;
    QTest::newRow("another one comes from elsewhere") << false << 1 << quint64 {bytes} << Ns {0} << true << false;
    QTest::newRow("the thread could change it") << false << 1 << quint64 {bytes} << 5000 * us << false << false;
    QTest::newRow("other bytes") << true << 1 << quint64 {bytes / 2} << Ns {0} << false << false;
    QTest::newRow("to the same GPU") << true << 0 << quint64 {bytes} << Ns {0} << false << false;
}

void tst_ThroughHost::copyThroughHost()
{
    QFETCH(bool, event);
    QFETCH(int, target);
    QFETCH(quint64, up);
    QFETCH(Ns, work);
    QFETCH(bool, from_elsewhere);
    QFETCH(bool, found);
    Tape tape;
    write(tape, {event, static_cast<std::uint32_t>(target), up, work, from_elsewhere});
    const auto findings = report_of(tape.finish()).findings;
    const auto finding = find(findings, "copy-through-host");
    QCOMPARE(finding.count, found ? 2U : 0U);
    // One copy over the bus instead of two.
    COMPARE_ABOUT(finding.cost, found ? 1300 * us : 0);
    QCOMPARE(finding.otherwise, finding.cost);  // the GPU is not known, and so no NVLink assumed
    QVERIFY(!found || find(findings, "gpus-take-turns").count == 0);
}

/// The rate of direct copies is that of the recording where it has any.
void tst_ThroughHost::directCopies()
{
    Tape tape;
    write(tape, {});
    tape.copy(tape.call("cudaMemcpyPeerAsync", 2 * us, 4 * us), 15, 5 * us, 105 * us, CopyKind::p2p, MemoryKind::device,
        true, 0, bytes / 2);
    const auto finding = find_in(tape, "copy-through-host");
    COMPARE_ABOUT(finding.cost, 2600 * us - 200 * us);
    QCOMPARE(finding.otherwise, finding.cost);
}

QTEST_GUILESS_MAIN(tst_ThroughHost)
#include "tst_through_host.moc"
