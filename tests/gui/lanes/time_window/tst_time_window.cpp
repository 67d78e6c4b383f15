// SPDX-License-Identifier: MIT
#include "gui/lanes/time_window.h"

#include <algorithm>
#include <cmath>
#include <QTest>
#include <random>

using namespace lanes;
using namespace lanes::gui;

class tst_TimeWindow : public QObject {
    Q_OBJECT

private slots:
    void whatIsOpenedIsShownWhole();
    void neverLeavesWhatThereIsToShow();
    void fittedStaysFitted();
    void aStretchStaysInSight();
    void aRenewedRecordingKeepsItsScale_data();
    void aRenewedRecordingKeepsItsScale();
    void knowsThatAllWasInView_data();
    void knowsThatAllWasInView();
    void bringsWhatIsOutOfSight_data();
    void bringsWhatIsOutOfSight();
};

constexpr Ns duration = 10'000'000;

TimeWindow opened(int columns = 800)
{
    TimeWindow window;
    window.setColumns(columns);
    window.open(duration, duration);
    return window;
}

void tst_TimeWindow::whatIsOpenedIsShownWhole()
{
    const TimeWindow window = opened();
    QVERIFY(window.isFitted());
    QCOMPARE(window.visible().start, 0);
    QVERIFY(window.visible().end >= window.fittingExtent().end);
    QVERIFY(window.visible().end < duration * 11 / 10);
}

/// Whatever window is asked for, in any extent, no more than the margin is visible beside the extent.
void tst_TimeWindow::neverLeavesWhatThereIsToShow()
{
    std::mt19937_64 random(7);
    TimeWindow window = opened();
    for (int i = 0; i < 20'000; ++i) {
        switch (random() % 5) {
        case 0: {
            const Ns before = -static_cast<Ns>(random() % 3'000'000);
            const Ns behind = duration + static_cast<Ns>(random() % 9'000'000);
            window.setExtent({before, behind}, {before, behind + static_cast<Ns>(random() % 5'000'000)});
            break;
        }
        case 1:
            window.setColumns(1 + static_cast<int>(random() % 3000));
            break;
        case 2:
            window.show(window.scale().zoomed(
                std::ldexp(1.0, static_cast<int>(random() % 9) - 4), static_cast<double>(random() % 800)));
            break;
        case 3:
            window.show(window.scale().panned(static_cast<std::int64_t>(random() % 4000) - 2000));
            break;
        case 4: {
            const Ns from = static_cast<Ns>(random() % 30'000'000) - 10'000'000;
            window.show(window.showing({from, from + static_cast<Ns>(random() % 20'000'000)}));
            break;
        }
        }
        const Interval shown = window.visible();
        const double width = static_cast<double>(shown.end - shown.start);
        const double slack = width / 20 + 3 * window.scale().nsPerColumn() + 2;
        const Interval all {
            window.extent().start, std::max(window.fittingExtent().end, window.extent().end + 5'000'000)};
        QVERIFY2(
            static_cast<double>(shown.start) >= static_cast<double>(all.start) - slack, qPrintable(QString::number(i)));
        QVERIFY2(
            static_cast<double>(shown.end) <= static_cast<double>(all.end) + slack, qPrintable(QString::number(i)));
    }
}

void tst_TimeWindow::fittedStaysFitted()
{
    TimeWindow window = opened();
    window.setColumns(1200);
    QCOMPARE(window.scale(), opened(1200).scale());
    window.setExtent({-duration, 2 * duration}, {-duration, 2 * duration});
    QVERIFY(window.isFitted() && window.visible().start <= -duration && window.visible().end >= 2 * duration);
    window.show(window.scale().zoomed(4, 600));
    QVERIFY(!window.isFitted());
    window.show(window.scale().zoomed(1.0 / 64, 600));  // out to everything, by hand
    QVERIFY(window.isFitted());
}

/// A window's edge is dragged a column at a time: the same stretch stays in sight, and is the chosen one at the
/// end.
void tst_TimeWindow::aStretchStaysInSight()
{
    TimeWindow window = opened();
    window.show(window.showing({4'000'000, 5'000'000}));
    const TimeScale chosen = window.scale();
    for (int columns = 800; columns < 1400; ++columns) {
        window.setColumns(columns);
        QVERIFY(std::llabs(window.visible().start - 4'000'000) < 3'000);
        QVERIFY(window.visible().end >= 5'000'000 && window.visible().end < 5'008'000);
    }
    for (int columns = 1400; columns >= 800; --columns) {
        window.setColumns(columns);
    }
    QVERIFY(std::abs(window.scale().nsPerColumn() / chosen.nsPerColumn() - 1) < 0.004);
    QVERIFY(std::llabs(window.visible().start - 4'000'000) < 3'000);
}

void tst_TimeWindow::aRenewedRecordingKeepsItsScale_data()
{
    QTest::addColumn<Ns>("length");
    QTest::addColumn<bool>("kept");
    QTest::newRow("as long") << duration << true;
    QTest::newRow("a little longer") << duration * 103 / 100 << true;
    QTest::newRow("half as long") << duration / 2 << true;
    QTest::newRow("outgrows the view") << duration * 12 / 10 << false;
    QTest::newRow("is lost in it") << duration / 3 << false;
}

void tst_TimeWindow::aRenewedRecordingKeepsItsScale()
{
    QFETCH(Ns, length);
    QFETCH(bool, kept);
    TimeWindow window = opened();
    const TimeScale before = window.scale();
    window.renew(length, length);
    window.setExtent({0, length}, {0, length});
    QCOMPARE(window.scale() == before, kept);
    QVERIFY(window.isFitted());
    QVERIFY(window.visible().end >= length);
    window.fit();
    TimeWindow fresh;
    fresh.setColumns(800);
    fresh.open(length, length);
    QCOMPARE(window.scale(), fresh.scale());
}

void tst_TimeWindow::knowsThatAllWasInView_data()
{
    QTest::addColumn<Ns>("start");
    QTest::addColumn<Ns>("end");
    QTest::addColumn<bool>("all");
    const Ns recorded = duration * 11 / 10;
    QTest::newRow("all that was recorded") << Ns {0} << recorded << true;
    QTest::newRow("the run") << Ns {0} << duration << true;
    QTest::newRow("without its begin") << duration / 10 << recorded << false;
    QTest::newRow("without its end") << Ns {0} << duration * 9 / 10 << false;
}

/// A view that shows the run and the host's read after it is not fitted, and yet it shows everything.
void tst_TimeWindow::knowsThatAllWasInView()
{
    QFETCH(Ns, start);
    QFETCH(Ns, end);
    QFETCH(bool, all);
    const Ns recorded = duration * 11 / 10;
    TimeWindow window;
    window.setColumns(800);
    window.open(duration, recorded);
    window.show(window.showing({start, end}));
    QVERIFY(!window.isFitted());
    const auto renew = [&window](Ns length) {
        window.renew(length, length);
        window.setExtent({0, length}, {0, length});
    };
    renew(duration * 2);
    QCOMPARE(window.isOfAll(), all);
    renew(duration / 2);  // the knob is turned on
    QCOMPARE(window.isOfAll(), all);
    window.show(window.showing({duration / 10, duration / 5}));
    QVERIFY(!window.isOfAll());
}

void tst_TimeWindow::bringsWhatIsOutOfSight_data()
{
    QTest::addColumn<Ns>("start");
    QTest::addColumn<Ns>("end");
    QTest::addColumn<bool>("moves");
    QTest::newRow("whole") << Ns {4'500'000} << Ns {4'600'000} << false;
    QTest::newRow("a moment in sight") << Ns {4'500'000} << Ns {4'500'000} << false;
    QTest::newRow("cut off") << Ns {4'900'000} << Ns {5'200'000} << true;
    QTest::newRow("before") << Ns {1'000'000} << Ns {1'100'000} << true;
    QTest::newRow("behind") << Ns {8'000'000} << Ns {8'100'000} << true;
    QTest::newRow("longer than the view, around it") << Ns {3'000'000} << Ns {6'000'000} << false;
    QTest::newRow("longer than the view, behind it") << Ns {6'000'000} << Ns {9'000'000} << true;
}

void tst_TimeWindow::bringsWhatIsOutOfSight()
{
    QFETCH(Ns, start);
    QFETCH(Ns, end);
    QFETCH(bool, moves);
    TimeWindow window = opened();
    window.show(window.showing({4'000'000, 5'000'000}));
    const auto scale = window.bringing({start, end});
    QCOMPARE(scale.has_value(), moves);
    if (scale) {
        window.show(*scale);
        QVERIFY(window.visible().start <= std::max(start, (start + end) / 2 - 400'000)
            && window.visible().end > (start + end) / 2);
    }
}

QTEST_APPLESS_MAIN(tst_TimeWindow)
#include "tst_time_window.moc"
