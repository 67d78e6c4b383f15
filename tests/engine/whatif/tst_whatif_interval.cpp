// SPDX-License-Identifier: MIT
// What an interval has in it.
#include "tests/engine/whatif/asked.h"

#include <QtTest>

using namespace lanes;
using namespace lanes::whatif;

namespace {

constexpr Ns us = 1'000;

}  // namespace

class tst_WhatIfInterval : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", (qEnvironmentVariable("LANES_SOURCE") + "/resources").toUtf8()); }
    void gapsGoOrStay();
    void startUpIsCommon_data();
    void startUpIsCommon();
    void nothingWonIsNarrow();
};

/// The thread's own time before a call that is not made: the interval has both, an answer decides.
void tst_WhatIfInterval::gapsGoOrStay()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    for (Ns start = 0; start < 900 * us; start += 300 * us) {
        const auto launch = tape.call("cudaLaunchKernel", start + 10 * us, start + 15 * us);
        tape.kernel(launch, 13, start + 18 * us, start + 38 * us);
        const auto wait = tape.call("cudaStreamSynchronize", start + 215 * us, start + 217 * us);
        tape.sync(wait, SyncRecord::stream_sync, start + 215 * us, start + 217 * us, 13);
    }
    const Asked asked(tape.finish());
    const std::vector<Change> changes {{ChangeKind::drop_syncs}};
    const auto assumed = asked.what_if.predict(changes);
    const auto kept = asked.what_if.predict(changes, {{"gaps-go", false}});
    const auto gone = asked.what_if.predict(changes, {{"gaps-go", true}});
    QCOMPARE(kept.total, assumed.total + 2 * 200 * us);
    QCOMPARE(asked.what_if.total(changes, {{"gaps-go", false}}), kept.total);
    QCOMPARE(gone.total, assumed.total);
    QVERIFY(assumed.high >= kept.total && gone.high < kept.total);
}

/// Half a second of a thread's own time, then launches and waits: what is not sure of the start-up is not of the gain,
/// also where the change reaches into it.
void tst_WhatIfInterval::startUpIsCommon_data()
{
    QTest::addColumn<bool>("in_start_up");
    QTest::newRow("the loop alone") << false;
    QTest::newRow("a wait of the start-up goes too") << true;
}

void tst_WhatIfInterval::startUpIsCommon()
{
    QFETCH(const bool, in_start_up);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    if (in_start_up) {
        const auto wait = tape.call("cudaDeviceSynchronize", 5 * us, 8 * us);
        tape.sync(wait, SyncRecord::context_sync, 5 * us, 8 * us);
    }
    constexpr Ns begin = 500'000 * us;
    constexpr int turns = 40;
    for (int i = 0; i < turns; ++i) {
        const Ns start = begin + 30 * i * us;
        const auto launch = tape.call("cudaLaunchKernel", start, start + 5 * us);
        tape.kernel(launch, 13, start + 7 * us, start + 17 * us);
        const auto wait = tape.call("cudaStreamSynchronize", start + 6 * us, start + 20 * us);
        tape.sync(wait, SyncRecord::stream_sync, start + 6 * us, start + 20 * us, 13);
    }
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::drop_syncs}});
    QCOMPARE(prediction.count, std::uint64_t {turns - (in_start_up ? 0U : 1U)});
    QVERIFY(prediction.low < prediction.total && prediction.total < prediction.high);
    QVERIFY2(prediction.low > begin && prediction.high < begin + 30 * turns * us,
        (std::to_string(prediction.low) + " to " + std::to_string(prediction.high)).c_str());
}

/// Copies of pageable memory with a wait right behind each that waits for nothing: to make them non-blocking wins next
/// to nothing, and the rest took what it took. That another run differs by more is said beside it.
void tst_WhatIfInterval::nothingWonIsNarrow()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    constexpr int turns = 40;
    for (int i = 0; i < turns; ++i) {
        const Ns start = 800 * i * us;
        const auto upload = tape.call("cudaMemcpyAsync", start + 100 * us, start + 600 * us);
        tape.copy(upload, 13, start + 110 * us, start + 595 * us, CopyKind::h2d, MemoryKind::pageable, true);
        const auto wait = tape.call("cudaStreamSynchronize", start + 601 * us, start + 603 * us);
        tape.sync(wait, SyncRecord::stream_sync, start + 601 * us, start + 603 * us, 13);
        const auto launch = tape.call("cudaLaunchKernel", start + 605 * us, start + 610 * us);
        tape.kernel(launch, 13, start + 612 * us, start + 620 * us);
    }
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::non_blocking}});
    QCOMPARE(prediction.count, std::uint64_t {turns});
    QVERIFY(100 * (asked.what_if.gate().recorded - prediction.total) < asked.what_if.gate().recorded);
    QVERIFY(100 * (prediction.high - prediction.low) < 30 * prediction.total);
    QVERIFY(std::any_of(prediction.assumptions.begin(), prediction.assumptions.end(),
        [](const Assumption& each) { return each.word() == "pageable-differs"; }));
}

QTEST_APPLESS_MAIN(tst_WhatIfInterval)
#include "tst_whatif_interval.moc"
