// SPDX-License-Identifier: MIT
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/hit_walk.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QTest>

#include <chrono>

using namespace lanes;
using namespace lanes::gui;
using namespace std::chrono_literals;

class tst_ViewHistory : public QObject {
    Q_OBJECT

private slots:
    void backAndForward();
    void aBurstIsOneStep();
    void whatLedNowhereIsLeftOut();
    void oneHistoryForBothViews();
    void jumpsAndSearchesAreSteps();
};

void tst_ViewHistory::backAndForward()
{
    ViewHistory history;
    std::chrono::milliseconds now = 0ms;
    history.setClock([&now] { return now; });
    ViewPlace shown {TimeScale(1000), 0};
    history.add([&] { return shown; }, [&](const ViewPlace& place) { shown = place; });
    std::vector<ViewPlace> places {shown};
    for (int i = 1; i < 5; ++i) {
        now += 400ms;  // not a burst
        history.remember();
        shown = {TimeScale(1000.0 * i, i), i * 10};
        places.push_back(shown);
    }
    for (int i = 3; i >= 0; --i) {
        history.back();
        QCOMPARE(shown, places[static_cast<std::size_t>(i)]);
    }
    QVERIFY(!history.canGoBack());
    history.back();
    QCOMPARE(shown, places[0]);
    history.forward();
    history.forward();
    QCOMPARE(shown, places[2]);
    history.remember();  // a new branch from here
    shown.scroll = 99;
    QVERIFY(!history.canGoForward());
    history.back();
    QCOMPARE(shown, places[2]);
    history.clear();
    QVERIFY(!history.canGoBack() && !history.canGoForward());
}

void tst_ViewHistory::aBurstIsOneStep()
{
    ViewHistory history;
    std::chrono::milliseconds now = 0ms;
    history.setClock([&now] { return now; });
    ViewPlace shown;
    history.add([&] { return shown; }, [&](const ViewPlace& place) { shown = place; });
    for (int i = 1; i < 50; ++i) {
        now += 399ms;
        history.remember();
        shown.scroll = i;
    }
    history.back();
    QCOMPARE(shown.scroll, 0);
    QVERIFY(!history.canGoBack());
    history.forward();
    QCOMPARE(shown.scroll, 49);
}

void tst_ViewHistory::whatLedNowhereIsLeftOut()
{
    ViewHistory history;
    ViewPlace shown;
    history.add([&] { return shown; }, [&](const ViewPlace& place) { shown = place; });
    history.remember();
    history.back();
    QVERIFY(!history.canGoForward());
    QCOMPARE(shown, ViewPlace {});
}

void tst_ViewHistory::oneHistoryForBothViews()
{
    ComparisonView both;
    both.resize(1100, 640);
    both.pair().open({samples::copyResultsBack({}), samples::copyResultsBack({.blocking = false})});
    both.show();
    QVERIFY(QTest::qWaitForWindowExposed(&both));
    std::chrono::milliseconds now = 0ms;
    both.side(0).history().setClock([&now] { return now; });  // the shared one
    now += 1h;
    const TimeScale all = both.timeScale();
    QTest::keyClick(both.view(0), Qt::Key_W);
    const TimeScale first = both.timeScale();
    now += 400ms;
    QTest::keyClick(both.view(1), Qt::Key_W);
    const TimeScale second = both.timeScale();
    QVERIFY(all != first && first != second);
    QTest::keyClick(both.view(0), Qt::Key_Backspace);  // what B did, from A
    QCOMPARE(both.side(0).timeScale(), first);
    QCOMPARE(both.side(1).timeScale(), first);
    QTest::keyClick(both.view(1), Qt::Key_Backspace);
    QCOMPARE(both.side(0).timeScale(), all);
    QTest::keyClick(both.view(1), Qt::Key_Backspace, Qt::ShiftModifier);
    QTest::keyClick(both.view(0), Qt::Key_Backspace, Qt::ShiftModifier);
    QCOMPARE(both.side(0).timeScale(), second);
    QCOMPARE(both.side(1).timeScale(), second);
}

void tst_ViewHistory::jumpsAndSearchesAreSteps()
{
    ComparisonView one;
    one.resize(1100, 640);
    one.pair().open({samples::copyResultsBack({})});
    one.show();
    QVERIFY(QTest::qWaitForWindowExposed(&one));
    std::chrono::milliseconds now = 0ms;
    one.side(0).history().setClock([&now] { return now; });
    one.showRange({0, 500'000});
    const TimeScale start = one.timeScale();
    now += 400ms;
    one.hits()->search()->setQuery(QStringLiteral("mm_5"));
    QTRY_VERIFY(one.hits()->search()->count() > 0);
    one.hits()->step(1);
    QVERIFY(one.timeScale() != start);
    QTest::keyClick(one.view(0), Qt::Key_Backspace);
    QCOMPARE(one.timeScale(), start);
    QTest::keyClick(one.view(0), Qt::Key_Backspace, Qt::ShiftModifier);
    QVERIFY(one.timeScale() != start);
}

QTEST_MAIN(tst_ViewHistory)
#include "tst_view_history.moc"
