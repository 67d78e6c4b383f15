// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/blocking/gpu_clock.h"

#include <QTest>
#include <vector>

using namespace lanes;

class tst_BlockedRule : public QObject {
    Q_OBJECT

private slots:
    void toleranceGrowsWithTheCall_data();
    void toleranceGrowsWithTheCall();
    void holds_data();
    void holds();
    void boundsTheClock_data();
    void boundsTheClock();
};

void tst_BlockedRule::toleranceGrowsWithTheCall_data()
{
    QTest::addColumn<Ns>("length");
    QTest::addColumn<Ns>("expected");
    QTest::newRow("nothing") << Ns {0} << Ns {2'000};
    QTest::newRow("1/500 is counted in whole ns") << Ns {499} << Ns {2'000};
    QTest::newRow("the first of them") << Ns {500} << Ns {2'001};
    QTest::newRow("1 ms") << Ns {1'000'000} << Ns {4'000};
    QTest::newRow("8.999 ms") << Ns {8'999'999} << Ns {19'999};
    QTest::newRow("9 ms: all it can be") << Ns {9'000'000} << Ns {20'000};
    QTest::newRow("a second") << Ns {1'000'000'000} << Ns {20'000};
}

void tst_BlockedRule::toleranceGrowsWithTheCall()
{
    QFETCH(Ns, length);
    QFETCH(Ns, expected);
    QCOMPARE(tolerance(length), expected);
}

void tst_BlockedRule::holds_data()
{
    QTest::addColumn<Ns>("start");
    QTest::addColumn<Ns>("end");
    QTest::addColumn<Ns>("began");
    QTest::addColumn<Ns>("done");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char* name, Ns start, Ns end, Ns began, Ns done, bool expected) {
        QTest::newRow(name) << start << end << began << done << expected;
    };
    row("returned when it was done", 1000, 50'000, 10'000, 49'000, true);
    row("it ran before the call began, and beyond", 1000, 50'000, 0, 49'000, true);
    row("done when the call began", 1000, 50'000, 0, 1000, false);
    row("done 1 ns after the call began", 1000, 50'000, 0, 1001, true);
    row("2 us and 1/500 early", 0, 50'000, 0, 52'100, true);
    row("1 ns earlier than that", 0, 50'000, 0, 52'101, false);
    row("10 ms, 7 us early", 0, 10'000'000, 0, 10'007'000, true);
    row("10 ms, 20 us early", 0, 10'000'000, 0, 10'020'000, true);
    row("10 ms, more than 20 us early", 0, 10'000'000, 0, 10'020'001, false);
    row("it began as the call returned", 0, 50'000, 50'000, 51'000, false);
    row("it began 1 ns before that", 0, 50'000, 49'999, 51'000, true);
    row("it began behind the call, within the tolerance", 0, 50'000, 50'741, 51'500, false);
}

void tst_BlockedRule::holds()
{
    QFETCH(Ns, start);
    QFETCH(Ns, end);
    QFETCH(Ns, began);
    QFETCH(Ns, done);
    QFETCH(bool, expected);
    QCOMPARE(held(start, end, began, done), expected);
}

void tst_BlockedRule::boundsTheClock_data()
{
    QTest::addColumn<std::vector<Ns>>("early");
    QTest::addColumn<Ns>("leastIssue");
    QTest::addColumn<Ns>("expected");
    const auto row = [](const char* name, const std::vector<Ns>& early, Ns least, Ns expected) {
        QTest::newRow(name) << early << least << expected;
    };
    row("no call returned early", {}, 5'000, 0);
    row("three calls", {55'000, 57'000, 56'000}, 65'000, 57'000);
    row("two calls", {55'000, 57'000}, 65'000, 0);
    row("later than any launch allows", {55'000, 57'000, 56'000}, 54'999, 0);
    row("one wrong record beside them", {55'000, 57'000, 56'000, 9'000'000}, 65'000, 57'000);
    row("more wrong ones than these", {55'000, 56'000, 57'000, 1'000'000, 2'000'000, 3'000'000, 4'000'000}, 65'000, 0);
    row("20 us less", {30'000, 35'000, 50'000}, 65'000, 50'000);
    row("1 ns beyond that", {29'999, 35'000, 50'000}, 65'000, 0);
    row("an operation that begins before its call", {55'000, 57'000, 56'000}, -1, 0);
}

void tst_BlockedRule::boundsTheClock()
{
    QFETCH(std::vector<Ns>, early);
    QFETCH(Ns, leastIssue);
    QTEST(gpu_clock_late(early, leastIssue), "expected");
}

QTEST_APPLESS_MAIN(tst_BlockedRule)
#include "tst_blocked_rule.moc"
