// SPDX-License-Identifier: MIT
// What an interval includes.
#include "tests/engine/replay/asked.h"

#include <QtTest>

using namespace lanes;
using namespace lanes::replay;

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
    void loadsFirstOrLast();
    void pageableOnItsOwnStream();
    void paceOfAPart();
    void gainOfAPart_data();
    void gainOfAPart();
    void sleepOutsideThePart();
    void pinnedAtTheRateOfTheLink_data();
    void pinnedAtTheRateOfTheLink();
};

/// The thread's own time before a dropped call, up to what may have gone into the call: the interval includes it and
/// its absence, an answer decides. The rest of it stays.
void tst_WhatIfInterval::gapsGoOrStay()
{
    const auto made = [](Ns own) {
        Tape tape;
        tape.stream(13, StreamRecord::non_blocking);
        for (Ns i = 0; i < 3; ++i) {
            const Ns start = i * (own + 25 * us);
            const auto launch = tape.call("cudaLaunchKernel", start + 10 * us, start + 15 * us);
            tape.kernel(launch, 13, start + 18 * us, start + 38 * us);
            const auto wait = tape.call("cudaStreamSynchronize", start + 15 * us + own, start + 17 * us + own);
            tape.sync(wait, SyncRecord::stream_sync, start + 15 * us + own, start + 17 * us + own, 13);
        }
        return tape.finish();
    };
    const std::vector<Change> changes {{ChangeKind::drop_syncs}};
    const Asked longer(made(5000 * us));
    QVERIFY(longer.what_if.total(changes) > longer.what_if.gate().recorded - 2 * 60 * us);
    const Asked asked(made(45 * us));
    const auto assumed = asked.what_if.predict(changes);
    const auto kept = asked.what_if.predict(changes, {{"gaps-go", false}});
    const auto gone = asked.what_if.predict(changes, {{"gaps-go", true}});
    QCOMPARE(kept.total, assumed.total + 2 * 45 * us);
    QCOMPARE(asked.what_if.total(changes, {{"gaps-go", false}}), kept.total);
    QCOMPARE(gone.total, assumed.total);
    QVERIFY(assumed.high >= kept.total && gone.high < kept.total);
}

/// Half a second of a thread's own time, then launches and waits: uncertainty of the start-up is not that of the gain,
/// even if the change reaches into it.
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

/// Copies of pageable memory, each followed by a wait for nothing: making them non-blocking gains next to nothing,
/// since the rest takes as long as before. That another run differs by more is said beside it.
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

/// Loading ahead comes before an iteration's first wait; in a program that does it at the beginning, before the kernel,
/// each kernel is later by one loading. The interval includes both, an answer one of them.
void tst_WhatIfInterval::loadsFirstOrLast()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    constexpr Ns turn = 700 * us;
    for (Ns start = 0; start < 6 * turn; start += turn) {
        tape.host_span(HostSpanRecord::work, start + us, start + 401 * us);
        const auto copy = tape.call("cudaMemcpyAsync", start + 402 * us, start + 406 * us);
        tape.copy(copy, 13, start + 408 * us, start + 458 * us, CopyKind::h2d, MemoryKind::pinned, true);
        const auto launch = tape.call("cudaLaunchKernel", start + 407 * us, start + 412 * us);
        tape.kernel(launch, 13, start + 460 * us, start + 690 * us);
        const auto wait = tape.call("cudaStreamSynchronize", start + 413 * us, start + 694 * us);
        tape.sync(wait, SyncRecord::stream_sync, start + 413 * us, start + 694 * us, 13);
    }
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::prefetch}});
    // An iteration takes 400 us with loading beside the kernel, 630 with loading before it.
    QVERIFY2(prediction.total < 6 * 510 * us && prediction.high > 6 * 630 * us,
        (std::to_string(prediction.total) + " to " + std::to_string(prediction.high)).c_str());
    // The total depends on which it is: without an answer there is no number.
    QVERIFY(prediction.is_wide() && prediction.is_undecided);
    const auto answered = [&](bool behind) {
        return asked.what_if.predict({{ChangeKind::prefetch}}, {{"behind-launch", behind}});
    };
    QVERIFY(!answered(true).is_wide() && !answered(false).is_wide());
    QCOMPARE(answered(true).total, prediction.total);
    QVERIFY(answered(true).high < 6 * 570 * us);
    QVERIFY2(answered(false).total > 6 * 610 * us && answered(false).total < 6 * 690 * us,
        std::to_string(answered(false).total).c_str());
}

/// A copy of pageable memory holds its thread on any stream: beside kernels the host's copying limits the run,
/// which is uncertain, and pinned memory gains as much with more certainty.
void tst_WhatIfInterval::pageableOnItsOwnStream()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    for (Ns start = 0; start < 8 * 1000 * us; start += 1000 * us) {
        const auto upload = tape.call("cudaMemcpyAsync", std::max(2 * us, start - 390 * us), start + 600 * us);
        tape.copy(upload, 13, start + 10 * us, start + 595 * us, CopyKind::h2d, MemoryKind::pageable, true);
        const auto launch = tape.call("cudaLaunchKernel", start + 601 * us, start + 606 * us);
        tape.kernel(launch, 13, start + 609 * us, start + 999 * us);
    }
    const auto last = tape.call("cudaDeviceSynchronize", 7'610 * us, 8'002 * us);
    tape.sync(last, SyncRecord::context_sync, 7'610 * us, 8'002 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::own_stream}});
    QVERIFY(prediction.total < 5'500 * us);
    QCOMPARE(prediction.reliability, Reliability::conditional);
    QVERIFY2(prediction.high > 6'500 * us, std::to_string(prediction.high).c_str());
    QVERIFY(std::any_of(prediction.assumptions.begin(), prediction.assumptions.end(),
        [](const Assumption& each) { return each.word() == "stays-pageable"; }));
    QVERIFY(wins_more(asked.what_if.predict({{ChangeKind::pin}, {ChangeKind::own_stream}}), prediction));
}

/// A tenth of a second of the thread's own time, then successive kernels: what is said of the part with the kernels
/// does not hold for the whole.
void tst_WhatIfInterval::paceOfAPart()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    constexpr Ns begin = 100'000 * us;
    constexpr Ns kernels = 10;
    for (Ns i = 0; i < kernels; ++i) {
        const auto launch = tape.call("cudaLaunchKernel", begin + 10 * i * us, begin + (10 * i + 5) * us);
        tape.kernel(launch, 13, begin + (10 + 1000 * i) * us, begin + (1009 + 1000 * i) * us);
    }
    const Ns end = begin + 1000 * kernels * us + 15 * us;
    const auto wait = tape.call("cudaDeviceSynchronize", begin + 10 * kernels * us, end);
    tape.sync(wait, SyncRecord::context_sync, begin + 10 * kernels * us, end);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    QCOMPARE(asked.what_if.pace().id, std::string("whatif.pace.calls"));
    QCOMPARE(asked.what_if.pace({begin, end}).id, std::string("whatif.pace.gpu"));
}

void tst_WhatIfInterval::gainOfAPart_data()
{
    QTest::addColumn<Ns>("end");  // of the part
    QTest::newRow("it holds all of the copy") << 2'000 * us;
    QTest::newRow("it ends in the middle of the copy") << 600 * us;
    QTest::newRow("it ends soon after the copy begins") << 200 * us;
}

/// An upload of pageable memory takes a millisecond, pinned about 20 us. A part that ends within it gains no more than
/// what of the copy lies in it.
void tst_WhatIfInterval::gainOfAPart()
{
    QFETCH(const Ns, end);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    const auto upload = tape.call("cudaMemcpyAsync", 95 * us, 1'105 * us);
    tape.copy(upload, 13, 100 * us, 1'100 * us, CopyKind::h2d, MemoryKind::pageable, true, 0, 1'000'000);
    const auto launch = tape.call("cudaLaunchKernel", 1'110 * us, 1'115 * us);
    tape.kernel(launch, 13, 1'117 * us, 1'200 * us);
    const auto wait = tape.call("cudaDeviceSynchronize", 1'116 * us, 1'205 * us);
    tape.sync(wait, SyncRecord::context_sync, 1'116 * us, 1'205 * us);
    const Asked asked(tape.finish());
    const auto& gate = asked.what_if.gate();
    QVERIFY(gate.is_open());
    const Interval part {50 * us, end};
    const auto whole = asked.what_if.predict({{ChangeKind::pin, query_of(part)}});
    const auto of = of_part(gate, whole, part);
    const Ns inside = std::min(end, 1'100 * us) - 100 * us;  // of the copy
    const Ns gain = recorded_in(gate, part) - of.total;
    const auto said = std::to_string(gain) + " of " + std::to_string(recorded_in(gate, part));
    QVERIFY2(gate.recorded - whole.total > 900 * us, said.c_str());
    QVERIFY2(gain <= inside + 10 * us && gain > inside * 9 / 10, said.c_str());
    QVERIFY2(of.low <= of.total && of.total <= of.high && of.low > 20 * us, said.c_str());
}

void tst_WhatIfInterval::pinnedAtTheRateOfTheLink_data()
{
    QTest::addColumn<QString>("gpu");
    QTest::addColumn<int>("major");
    QTest::addColumn<double>("recorded");  // bytes/ns of a download from pinned memory; 0: there is none
    QTest::addColumn<double>("rate");  // bytes/ns
    QTest::addColumn<double>("least");
    QTest::newRow("PCI Express 3") << "NVIDIA V100" << 7 << 0.0 << 13.5 << 10.0;
    QTest::newRow("older") << "NVIDIA P100" << 6 << 0.0 << 13.5 << 10.0;
    QTest::newRow("PCI Express 4") << "NVIDIA A100" << 8 << 0.0 << 27.0 << 20.0;
    QTest::newRow("PCI Express 5") << "NVIDIA B200" << 10 << 0.0 << 55.0 << 40.0;
    QTest::newRow("not known") << "" << 0 << 0.0 << 55.0 << 10.0;
    QTest::newRow("a version of AMD's") << "AMD Instinct MI210" << 9 << 0.0 << 55.0 << 10.0;
    QTest::newRow("in the recording") << "NVIDIA A100" << 8 << 24.0 << 24.0 << 24.0;
    QTest::newRow("of a GPU that was fitted") << "NVIDIA H100 80GB HBM3" << 9 << 0.0 << 55.15 << 55.15;
}

/// Uploads of 100 MB of pageable memory: pinned, they take as long as the link of that GPU lets them. Where nothing
/// says how fast it is, the prediction is conditional, and its interval holds slower links.
void tst_WhatIfInterval::pinnedAtTheRateOfTheLink()
{
    QFETCH(const QString, gpu);
    QFETCH(const int, major);
    QFETCH(const double, recorded);
    QFETCH(const double, rate);
    QFETCH(const double, least);
    constexpr std::uint64_t bytes = 100'000'000;
    Tape tape;
    DeviceRecord device {};
    device.name = tape.builder().intern(gpu.toStdString());
    device.uuid = tape.builder().intern("");
    device.compute_major = static_cast<std::uint32_t>(major);
    tape.builder().write(device);
    tape.stream(13, StreamRecord::non_blocking);
    constexpr Ns copies = 5;
    constexpr Ns takes = 40'000 * us;
    Ns now = 0;
    for (Ns i = 0; i < copies; ++i) {
        const auto upload = tape.call("cudaMemcpyAsync", now, now + takes + 10 * us);
        tape.copy(upload, 13, now + 5 * us, now + takes + 5 * us, CopyKind::h2d, MemoryKind::pageable, true, 0, bytes);
        now += takes + 20 * us;
    }
    Ns last = now;
    if (recorded > 0) {
        last += static_cast<Ns>(1e7 / recorded);
        const auto download = tape.call("cudaMemcpyAsync", now, now + 5 * us);
        tape.copy(download, 13, now + 10 * us, last + 10 * us, CopyKind::d2h, MemoryKind::pinned, true, 0, 10'000'000);
    }
    const auto wait = tape.call("cudaDeviceSynchronize", now + 6 * us, last + 20 * us);
    tape.sync(wait, SyncRecord::context_sync, now + 6 * us, last + 20 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::pin}});
    QCOMPARE(prediction.count, static_cast<std::uint64_t>(copies));
    const auto total_at
        = [&](double of) { return static_cast<Ns>(static_cast<double>(copies * bytes) / of) + last - now; };
    const auto said = std::to_string(prediction.total) + ", up to " + std::to_string(prediction.high);
    QVERIFY2(std::abs(prediction.total - total_at(rate)) < 300 * us, said.c_str());
    QVERIFY2(prediction.high >= total_at(least), said.c_str());
    const bool is_known = least == rate;
    QCOMPARE(prediction.reliability, is_known ? Reliability::reliable : Reliability::conditional);
    const auto& assumptions = prediction.assumptions;
    QCOMPARE(std::any_of(assumptions.begin(), assumptions.end(),
                 [](const Assumption& each) { return each.word() == "link-not-measured"; }),
        !is_known);
}

/// After the part a thread sleeps for a second until its next call: that this sleep begins in the part makes nothing in
/// it uncertain.
void tst_WhatIfInterval::sleepOutsideThePart()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    constexpr int turns = 40;
    const auto turn = [&](Ns start) {
        const auto launch = tape.call("cudaLaunchKernel", start, start + 5 * us);
        tape.kernel(launch, 13, start + 7 * us, start + 17 * us);
        const auto wait = tape.call("cudaStreamSynchronize", start + 6 * us, start + 20 * us);
        tape.sync(wait, SyncRecord::stream_sync, start + 6 * us, start + 20 * us, 13);
    };
    for (int i = 0; i < turns; ++i) {
        turn(30 * i * us);
    }
    const Interval part {0, 30 * turns * us};
    turn(1'000'000 * us);
    const Asked asked(tape.finish());
    const auto& gate = asked.what_if.gate();
    QVERIFY(gate.is_open());
    const auto of = of_part(gate, asked.what_if.predict({{ChangeKind::drop_syncs, query_of(part)}}), part);
    const auto said = std::to_string(of.low) + " to " + std::to_string(of.high);
    QVERIFY2(of.low > turns * 9 * us && of.high < 30 * turns * us * 5 / 4, said.c_str());
}

QTEST_APPLESS_MAIN(tst_WhatIfInterval)
#include "tst_whatif_interval.moc"
