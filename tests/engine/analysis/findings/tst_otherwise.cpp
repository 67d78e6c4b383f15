// SPDX-License-Identifier: MIT
// Findings whose gain depends on what no record tells: the other gain, and the sentence that says when it holds. That
// the runs of real GPUs lie between the two is printed by bench_findings.
#include "engine/analysis/words/shown.h"
#include "tests/engine/analysis/findings/found.h"

using namespace lanes;

namespace {

constexpr Ns us = 1000;
constexpr auto pageable = MemoryKind::pageable;

/// The sentence stands in the advice, with the gain in it.
bool says(const Finding& finding)
{
    const std::string advice = Messages::english().format(finding.advice);
    const auto sentence = advice.find(" the gain is ");
    return sentence != std::string::npos && advice.find(shown_time(finding.otherwise), sentence) != std::string::npos;
}

}  // namespace

class tst_Otherwise : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void dataMustBePinnedFirst();
    void downloadsNeedNoCopyBefore();
    void memoryIsReused_data();
    void memoryIsReused();
    void kernelsThatComputeValues_data();
    void kernelsThatComputeValues();
};

/// Three batches, each staged for 1000 us, in which 305 us would be enough; kernels of 100 us.
void tst_Otherwise::dataMustBePinnedFirst()
{
    Tape tape;
    for (Ns at = 0; at < 3300 * us; at += 1100 * us) {
        const auto copy = tape.call("cudaMemcpyAsync", at, at + 1010 * us);
        tape.copy(copy, 13, at + 10 * us, at + 1010 * us, CopyKind::h2d, pageable, true, 0, 16 << 20);
        tape.kernel(tape.call("cudaLaunchKernel", at + 1012 * us, at + 1014 * us), 13, at + 1020 * us, at + 1095 * us);
    }
    const auto finding = find_in(tape, "pageable-async-copy");
    // The GPU alone: three copies and kernels, 385 us each. A thread that copies for 1000 us before each
    // upload gains nothing: the GPU works beside it, and is done later than it.
    // (What a copy takes whatever its size, 2 to 3 us, and the step to the next kernel come on top.)
    COMPARE_ABOUT(finding.cost, 3295 * us - 3 * 385 * us - 17 * us);
    QVERIFY(finding.otherwise < 20 * us);
    QVERIFY(says(finding));
}

void tst_Otherwise::downloadsNeedNoCopyBefore()
{
    Tape tape;
    for (Ns at = 0; at < 3300 * us; at += 1100 * us) {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 5 * us, at + 80 * us);
        const auto copy = tape.call("cudaMemcpyAsync", at + 3 * us, at + 1085 * us);
        tape.copy(copy, 13, at + 81 * us, at + 1081 * us, CopyKind::d2h, pageable, true, 0, 16 << 20);
    }
    const auto finding = find_in(tape, "pageable-async-copy");
    QVERIFY(finding.cost > 1000 * us);
    QCOMPARE(finding.otherwise, finding.cost);
}

void tst_Otherwise::memoryIsReused_data()
{
    QTest::addColumn<bool>("freed");
    QTest::addColumn<int>("at_once");
    QTest::addColumn<Ns>("left");
    QTest::newRow("freed") << true << 1 << 100 * us;  // 5 µs apart otherwise
    QTest::newRow("two at once") << true << 2 << 200 * us;
    QTest::newRow("never freed") << false << 1 << 100 * us;
}

/// Allocations of 100 us, kernels between.
void tst_Otherwise::memoryIsReused()
{
    QFETCH(bool, freed);
    QFETCH(int, at_once);
    QFETCH(Ns, left);
    Tape tape;
    Ns at = 0;
    const auto kernel = [&] {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 5 * us, at + 10 * us);
        at += 12 * us;
    };
    kernel();
    for (int turn = 0; turn < 6; ++turn) {
        for (int i = 0; i < at_once; ++i) {
            tape.call("cudaMalloc", at, at + 100 * us);
            at += 100 * us;
        }
        kernel();
        for (int i = 0; i < at_once && freed; ++i) {
            tape.call("cudaFree", at, at + 10 * us);
            at += 10 * us;
        }
    }
    kernel();
    const auto finding = find_in(tape, "allocation-in-loop");
    QVERIFY(finding.cost > 5 * at_once * 90 * us);
    COMPARE_ABOUT(finding.cost - finding.otherwise, left);
    QVERIFY2(
        Messages::english().format(finding.advice).find("up to " + shown_time(finding.otherwise)) != std::string::npos,
        Messages::english().format(finding.advice).c_str());
}

void tst_Otherwise::kernelsThatComputeValues_data()
{
    QTest::addColumn<bool>("elsewhere");
    QTest::addColumn<bool>("others");
    QTest::addColumn<bool>("open");
    QTest::newRow("before each value") << false << true << true;
    QTest::newRow("elsewhere, too") << true << true << false;
    QTest::newRow("all that there is") << false << false << false;
}

/// Steps of a kernel, another of 50 us and a value that the thread waits for.
void tst_Otherwise::kernelsThatComputeValues()
{
    QFETCH(bool, elsewhere);
    QFETCH(bool, others);
    QFETCH(bool, open);
    Tape tape;
    for (Ns at = 0; at < 800 * us; at += 200 * us) {
        if (others) {
            tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 5 * us, at + 105 * us, 0,
                elsewhere ? "sum" : "work");
        }
        tape.kernel(
            tape.call("cudaLaunchKernel", at + 2 * us, at + 4 * us), 13, at + 106 * us, at + 156 * us, 0, "sum");
        const auto copy = tape.call("cudaMemcpyAsync", at + 4 * us, at + 6 * us);
        tape.copy(copy, 13, at + 157 * us, at + 159 * us, CopyKind::d2h, MemoryKind::pinned, true, 0, 4);
        const auto sync = tape.call("cudaStreamSynchronize", at + 7 * us, at + 161 * us);
        tape.sync(sync, SyncRecord::stream_sync, at + 7 * us, at + 161 * us, 13);
    }
    const auto finding = find_in(tape, "sync-after-small-copy");
    QVERIFY(finding.count >= 3);
    if (open) {  // the thread issues a step each 46 us: the kernels set the pace
        COMPARE_ABOUT(finding.otherwise - finding.cost, 3 * 51 * us);  // the last value is fetched
        QVERIFY(Messages::english().format(finding.advice).find(shown_time(finding.otherwise)) != std::string::npos);
    } else {
        QCOMPARE(finding.otherwise, finding.cost);
    }
}

QTEST_GUILESS_MAIN(tst_Otherwise)
#include "tst_otherwise.moc"
