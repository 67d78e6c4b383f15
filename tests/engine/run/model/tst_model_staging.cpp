// SPDX-License-Identifier: MIT
// The division of a pageable copy's call into the steps of its staging.
#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/run/model/staging_division.h"
#include "engine/trace/trace_builder.h"
#include "tests/engine/run/model/program_builder.h"
#include "tests/engine/run/model/records.h"

#include <QTest>

using namespace lanes;
using namespace lanes::tests;

class tst_ModelStaging : public QObject {
    Q_OBJECT

private slots:
    void divides_data();
    void divides();
};

void tst_ModelStaging::divides_data()
{
    QTest::addColumn<bool>("up");
    QTest::addColumn<double>("bytes");
    QTest::addColumn<double>("chunk");
    QTest::addColumn<double>("link");
    QTest::addColumn<qint64>("length");
    QTest::addColumn<int>("pieces");
    QTest::addColumn<qint64>("first");  // of the first part
    QTest::newRow("one piece up") << true << 1e5 << 1e6 << 50e9 << qint64(10'000) << 1 << qint64(2'000);
    QTest::newRow("as much as a piece") << true << 1e6 << 1e6 << 50e9 << qint64(100'000) << 1 << qint64(20'000);
    QTest::newRow("a byte more") << true << 1e6 + 1 << 1e6 << 50e9 << qint64(100'000) << 2 << qint64(10'000);
    QTest::newRow("ten pieces down") << false << 10e6 << 1e6 << 50e9 << qint64(1'000'000) << 10 << qint64(20'000);
    QTest::newRow("the link is the slower") << false << 10e6 << 1e6 << 1e9 << qint64(1'000'000) << 10 << qint64(50'000);
    QTest::newRow("no time") << true << 5e6 << 1e6 << 50e9 << qint64(0) << 5 << qint64(0);
    QTest::newRow("no bytes") << true << 0.0 << 1e6 << 50e9 << qint64(1'000) << 1 << qint64(0);
    QTest::newRow("odd lengths") << true << 7e6 << 1e6 << 33e9 << qint64(999'983) << 7 << qint64(30'303);
}

void tst_ModelStaging::divides()
{
    QFETCH(bool, up);
    QFETCH(double, bytes);
    QFETCH(double, chunk);
    QFETCH(double, link);
    QFETCH(qint64, length);
    QFETCH(int, pieces);
    QFETCH(qint64, first);
    constexpr Ns start = 123'456'789;
    const StagingDivision parts(up, bytes, chunk, link, start, start + length);
    QCOMPARE(parts.pieces(), static_cast<std::size_t>(pieces));
    QCOMPARE(parts.size(), 2 * parts.pieces());
    QCOMPARE(parts[0].end - parts[0].start, first);
    Ns at = start;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const StagingPart part = parts[i];
        QCOMPARE(part.start, at);
        QVERIFY(part.end >= part.start);
        QCOMPARE(part.step,
            i % 2 == 1         ? StagingStep::host_copy
                : up && i == 0 ? StagingStep::pinned_buffer
                               : StagingStep::transfer);
        at = part.end;
    }
    QCOMPARE(at, start + length);
}

QTEST_GUILESS_MAIN(tst_ModelStaging)
#include "tst_model_staging.moc"
