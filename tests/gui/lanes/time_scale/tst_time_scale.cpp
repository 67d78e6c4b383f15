// SPDX-License-Identifier: MIT
#include "gui/lanes/time_scale.h"

#include <cmath>
#include <QTest>
#include <random>

using namespace lanes;
using namespace lanes::gui;

class tst_TimeScale : public QObject {
    Q_OBJECT

private slots:
    void columns_data();
    void columns();
    void widthIsCloseAndNotSmaller_data();
    void widthIsCloseAndNotSmaller();
    void everyNsLiesInItsColumn();
    void timeAtIsInTheColumnAskedFor();
    void panningKeepsColumns();
    void zoomKeepsWhatLiesUnderTheCursor();
    void smallZoomStepsAreNotLost();
    void fittingHoldsAllAndWastesLittle();
    void showingHoldsTheRange();
    void ofLongRecordings_data();
    void ofLongRecordings();
};

void tst_TimeScale::columns_data()
{
    QTest::addColumn<double>("width");
    QTest::addColumn<qint64>("time");
    QTest::addColumn<qint64>("column");
    QTest::newRow("start") << 1000.0 << qint64(0) << qint64(0);
    QTest::newRow("last ns of the first column") << 1000.0 << qint64(999) << qint64(0);
    QTest::newRow("first ns of the second column") << 1000.0 << qint64(1000) << qint64(1);
    QTest::newRow("before the start") << 1000.0 << qint64(-1) << qint64(-1);
    QTest::newRow("a whole column before") << 1000.0 << qint64(-1000) << qint64(-1);
    QTest::newRow("quarter ns columns") << 0.25 << qint64(3) << qint64(12);
    QTest::newRow("1.5 ns, edge inside a ns") << 1.5 << qint64(1) << qint64(0);
    QTest::newRow("1.5 ns, on the edge") << 1.5 << qint64(3) << qint64(2);
}

void tst_TimeScale::columns()
{
    QFETCH(double, width);
    QFETCH(qint64, time);
    QFETCH(qint64, column);
    const TimeScale scale(width);
    QCOMPARE(scale.nsPerColumn(), width);
    QCOMPARE(qint64(scale.columnOf(time)), column);
}

void tst_TimeScale::widthIsCloseAndNotSmaller_data()
{
    QTest::addColumn<double>("width");
    for (const double width :
        {0.0625, 0.1, 0.3333, 1.0, 1.001, 7.77, 511.9, 1023.4, 1024.0, 1e6 / 3, 12345678.9, 4e13}) {
        QTest::addRow("%g", width) << width;
    }
}

void tst_TimeScale::widthIsCloseAndNotSmaller()
{
    QFETCH(double, width);
    const TimeScale scale(width);
    QVERIFY(scale.nsPerColumn() >= width);
    QVERIFY(scale.nsPerColumn() <= width * (width < 0.5 ? 1.02 : 1.002));
    QVERIFY(scale.den() >= 1 && scale.den() <= 1024);
}

void tst_TimeScale::everyNsLiesInItsColumn()
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        const TimeScale scale(std::exp2(std::uniform_real_distribution<>(-4, 45)(random)));
        const Ns t = static_cast<Ns>(random() % (Ns {1} << 53)) - (Ns {1} << 20);
        const auto k = scale.columnOf(t);
        QVERIFY(k * scale.num() <= scale.ticks(t));
        QVERIFY(scale.ticks(t) < (k + 1) * scale.num());
        const Ns start = scale.startOf(k);
        QVERIFY(scale.ticks(start) >= k * scale.num() && scale.ticks(start - 1) < k * scale.num());
    }
}

void tst_TimeScale::timeAtIsInTheColumnAskedFor()
{
    std::mt19937_64 random(2);
    for (int i = 0; i < 20000; ++i) {
        const TimeScale scale(std::exp2(std::uniform_real_distribution<>(0, 40)(random)),
            static_cast<std::int64_t>(random() % 4000) - 100);
        const int x = static_cast<int>(random() % 4000);
        QCOMPARE(scale.columnOf(scale.timeAt(x)) - scale.first(), x);
        const double within = std::uniform_real_distribution<>(0, 3000)(random);
        QVERIFY(std::fabs(scale.xOf(scale.timeAt(within)) - within) <= 1.0 / scale.nsPerColumn() + 1e-6);
    }
}

void tst_TimeScale::panningKeepsColumns()
{
    const TimeScale scale = TimeScale(333.3).startingAt(17);
    const TimeScale moved = scale.panned(-5);
    QCOMPARE(moved.first(), 12);
    for (Ns t = 0; t < 100000; t += 77) {
        QCOMPARE(moved.columnOf(t), scale.columnOf(t));
        QVERIFY(std::fabs(moved.xOf(t) - scale.xOf(t) - 5) < 1e-9);
    }
}

void tst_TimeScale::zoomKeepsWhatLiesUnderTheCursor()
{
    std::mt19937_64 random(3);
    for (int i = 0; i < 5000; ++i) {
        const TimeScale scale(
            std::exp2(std::uniform_real_distribution<>(2, 30)(random)), static_cast<std::int64_t>(random() % 10000));
        const double x = std::uniform_real_distribution<>(0, 1900)(random);
        const double factor = std::uniform_real_distribution<>(0.2, 5)(random);
        const TimeScale zoomed = scale.zoomed(factor, x);
        QVERIFY(std::fabs(zoomed.xOf(scale.timeAt(x)) - x) <= 0.51 + 2 / zoomed.nsPerColumn());
    }
}

void tst_TimeScale::smallZoomStepsAreNotLost()
{
    TimeScale scale(1000);
    for (int i = 0; i < 200; ++i) {
        const TimeScale next = scale.zoomed(1.0005, 100);
        QVERIFY(next.nsPerColumn() < scale.nsPerColumn());
        scale = next;
    }
}

void tst_TimeScale::fittingHoldsAllAndWastesLittle()
{
    for (const Ns duration : {Ns {1}, Ns {999}, Ns {48'800'000}, Ns {3'600'000'000'000}}) {
        for (const int columns : {100, 1123, 3840}) {
            const TimeScale scale = TimeScale::fitting(duration, columns);
            QVERIFY(scale.columnOf(duration - 1) < columns);
            if (duration > columns) {
                QVERIFY(scale.columnOf(duration - 1) >= columns * 997 / 1000 - 1);
            }
        }
    }
}

void tst_TimeScale::showingHoldsTheRange()
{
    std::mt19937_64 random(4);
    for (int i = 0; i < 2000; ++i) {
        const Ns start = static_cast<Ns>(random() % 1'000'000'000);
        const Ns end = start + 1 + static_cast<Ns>(random() % 1'000'000'000);
        const TimeScale scale = TimeScale::showing(start, end, 1000);
        QVERIFY(scale.xOf(start) >= 0 && scale.xOf(end) <= 1000);
    }
}

void tst_TimeScale::ofLongRecordings_data()
{
    QTest::addColumn<qint64>("reach");
    QTest::newRow("four months") << qint64 {10'368'000'000'000'000};
    QTest::newRow("since 1970") << qint64 {1'628'834'712'000'000'000};
    QTest::newRow("as far as times go") << qint64 {1} * 2 * (record_time_limit - 1);
}

/// Single ns are visible near the end of the longest possible recording as near its start.
void tst_TimeScale::ofLongRecordings()
{
    QFETCH(const qint64, reach);
    for (const Ns start : {Ns {0}, Ns {reach / 2}, Ns {reach - 2000}}) {
        const TimeScale scale = TimeScale::showing(start, start + 1000, 1000, reach);
        QVERIFY(scale.nsPerColumn() >= 1 && scale.nsPerColumn() <= 2);
        for (const Ns t : {start, start + 1, start + 999}) {
            QVERIFY(scale.xOf(t) >= 0 && scale.xOf(t) <= 1000);
            QCOMPARE(scale.columnOf(scale.timeAt(scale.xOf(t))), scale.columnOf(t));
        }
        QVERIFY(scale.columnOf(reach) > scale.columnOf(0));  // nothing wraps
        QVERIFY(scale.xOf(reach) >= scale.xOf(start + 1000));
        TimeScale all = TimeScale::fitting(reach, 1000);
        QVERIFY(all.columnOf(reach - 1) < 1000);
        for (int i = 0; i < 400; ++i) {  // into it, as far as possible
            const double x = all.xOf(start);
            all = all.zoomed(1.2, x);
            QVERIFY(std::fabs(all.xOf(start) - x) < 3);
        }
        QVERIFY(all.nsPerColumn() <= 1);
    }
    // A scale of a short recording, for a long one.
    const TimeScale fine(1.0 / 16, 1000);
    const TimeScale coarse = fine.reaching(reach);
    QVERIFY(coarse.columnOf(reach) > coarse.columnOf(1'000'000));
    QCOMPARE(fine.reaching(1'000'000), fine);
}

QTEST_GUILESS_MAIN(tst_TimeScale)
#include "tst_time_scale.moc"
