// SPDX-License-Identifier: MIT
// Where a view can be moved, by hand and when it follows an event: never out of its recording.
#include "tests/gui/timeline/timeline_view/view_under_test.h"

using namespace lanes;
using namespace lanes::gui;

class tst_ViewBounds : public QObject, private ViewUnderTest {
    Q_OBJECT

private slots:
    void init() { open(); }
    void cleanup() { m_view.reset(); }

    void staysInsideTheRecording_data();
    void staysInsideTheRecording();
    void everythingIncludesWhatTheHostReadsAtTheEnd();
    void whatIsBehindEverythingCanBeReached();
    void followsOnlyWhatIsOutOfSight_data();
    void followsOnlyWhatIsOutOfSight();
    void theFirstIsOneThatFillsTheViewWhereNoneBeginsInIt();
    void focusAtTheEdgeFitsAfterAll();
};

void tst_ViewBounds::staysInsideTheRecording_data()
{
    QTest::addColumn<int>("zoomed");
    QTest::addColumn<QString>("way");
    for (const int zoomed : {0, 1, 6, 60}) {
        for (const char* way : {"wheel left", "wheel right", "keys left", "keys right", "drag left", "drag right",
                 "keys out", "wheel out at the left", "wheel out at the right", "box beyond the end", "wider window"}) {
            QTest::addRow("%s, %d notches in", way, zoomed) << zoomed << QString::fromLatin1(way);
        }
    }
}

void tst_ViewBounds::staysInsideTheRecording()
{
    QFETCH(int, zoomed);
    QFETCH(QString, way);
    const TimeScale everything = m_view->timeline().timeScale();
    wheel({way.contains("right") || way.contains("wider") ? 980.0 : 300.0, 200}, zoomed, Qt::ControlModifier);
    for (int i = 0; i < 80; ++i) {
        if (way.startsWith("wheel out")) {
            wheel({way.endsWith("left") ? 300.0 : 990.0, 200}, -1, Qt::ControlModifier);
        } else if (way.startsWith("wheel")) {
            wheel({600, 200}, way.endsWith("left") ? 7 : -7, Qt::ShiftModifier);
        } else if (way.startsWith("keys")) {
            QTest::keyClick(m_view.get(),
                way.endsWith("left")        ? Qt::Key_A
                    : way.endsWith("right") ? Qt::Key_D
                                            : Qt::Key_S);
        } else if (way.startsWith("drag")) {
            way.endsWith("left") ? drag({250, 200}, {950, 200}, Qt::LeftButton, Qt::ShiftModifier)
                                 : drag({950, 200}, {250, 200}, Qt::LeftButton, Qt::ShiftModifier);
        }
    }
    if (way.startsWith("box")) {
        for (int i = 0; i < 20; ++i) {
            drag({900, 200}, {999, 220}, Qt::MiddleButton);
            wheel({990, 200}, -4, Qt::ControlModifier);
        }
    } else if (way.startsWith("wider")) {
        m_view->resize(1700, 400);
    }
    const Interval shown = m_view->timeline().visibleRange();
    const Interval all = m_view->timeline().state().time.fittingExtent();
    const auto width = static_cast<double>(shown.end - shown.start);
    const auto margin = static_cast<Ns>(width / 20 + 2 * m_view->timeline().timeScale().nsPerColumn() + 2);
    QVERIFY2(shown.start >= all.start - margin && shown.end <= all.end + margin,
        qPrintable(
            QStringLiteral("%1 to %2, of %3 to %4").arg(shown.start).arg(shown.end).arg(all.start).arg(all.end)));
    QVERIFY(width <= static_cast<double>(all.end - all.start) * 1.01);
    if (zoomed == 0 && !way.startsWith("box") && !way.startsWith("wider")) {
        QCOMPARE(m_view->timeline().timeScale(), everything);
    }
    if (zoomed == 60) {
        QVERIFY(way.contains("out") || way.startsWith("box") || m_view->timeline().timeScale().nsPerColumn() < 1000);
        m_view->grab();
    }
}

void tst_ViewBounds::everythingIncludesWhatTheHostReadsAtTheEnd()
{
    Trace trace = *samples::copyResultsBack({})->trace;
    const Ns run = trace.duration, end = 2 * run;
    trace.reads.push_back({run + 1000, end, 0, 0, 1 << 20, 0, false});
    trace.duration = end;
    Timeline& timeline = m_view->timeline();
    timeline.openRecording(ShownRecording::of(std::move(trace)));
    QVERIFY(timeline.model()->duration() <= run);
    QVERIFY(timeline.visibleRange().end > end);
    QTest::keyClick(m_view.get(), Qt::Key_W);
    QVERIFY(timeline.visibleRange().end < end);
    QTest::keyClick(m_view.get(), Qt::Key_Home);
    QVERIFY(timeline.visibleRange().end > end);
    QVERIFY(timeline.visibleRange().end < end + end / 10);
}

/// A range of the program, or a record that no lane draws: "everything" leaves it out, but the user can pan there.
void tst_ViewBounds::whatIsBehindEverythingCanBeReached()
{
    const Ns end = m_view->timeline().recording()->trace->duration;
    m_view->timeline().setPlace({.extent = {0, end}, .reach = {0, 3 * end}});
    QVERIFY(m_view->timeline().visibleRange().end < 2 * end);
    QTest::keyClick(m_view.get(), Qt::Key_W);
    for (int i = 0; i < 80; ++i) {
        QTest::keyClick(m_view.get(), Qt::Key_D);
    }
    QVERIFY(m_view->timeline().visibleRange().end >= 3 * end);
    QVERIFY(m_view->timeline().visibleRange().end < 4 * end);
}

void tst_ViewBounds::followsOnlyWhatIsOutOfSight_data()
{
    QTest::addColumn<double>("start");  // of the shown stretch, of the operation's length from its start
    QTest::addColumn<double>("end");
    QTest::addColumn<bool>("moves");
    QTest::newRow("all of it in sight") << -1.0 << 3.0 << false;
    QTest::newRow("in sight at the left edge") << -0.01 << 4.0 << false;
    QTest::newRow("in sight at the right edge") << -4.0 << 1.01 << false;
    QTest::newRow("cut off at the left") << 0.5 << 4.0 << true;
    QTest::newRow("cut off at the right") << -4.0 << 0.5 << true;
    QTest::newRow("before the view") << 2.0 << 4.0 << true;
    QTest::newRow("behind the view") << -4.0 << -2.0 << true;
    QTest::newRow("longer than the view and in it") << 0.2 << 0.6 << false;
    QTest::newRow("longer than the view and before it") << 1.2 << 1.6 << true;
}

/// Zoomed into one long call, the key led to the recording's first.
void tst_ViewBounds::theFirstIsOneThatFillsTheViewWhereNoneBeginsInIt()
{
    Timeline& timeline = m_view->timeline();
    timeline.select({ItemKind::operation, 3});
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    const Interval span = spanOf(*timeline.recording(), timeline.selection());
    timeline.select({});
    const Ns part = (span.end - span.start) / 8;
    timeline.showRange({span.start + 3 * part, span.end - 3 * part});
    const Interval shown = timeline.visibleRange();
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    const Interval found = spanOf(*timeline.recording(), timeline.selection());
    QVERIFY(found.start < shown.end && found.end > shown.start);
    QCOMPARE(timeline.visibleRange().start, shown.start);
}

void tst_ViewBounds::followsOnlyWhatIsOutOfSight()
{
    QFETCH(double, start);
    QFETCH(double, end);
    QFETCH(bool, moves);
    m_view->timeline().select({ItemKind::operation, 3});  // the next in its lane is followed by a key
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    const ItemRef item = m_view->timeline().selection();
    QTest::keyClick(m_view.get(), Qt::Key_Comma);
    const Interval span = spanOf(*m_view->timeline().recording(), item);
    const auto at = [&](double share) {
        return span.start + static_cast<Ns>(share * static_cast<double>(span.end - span.start));
    };
    m_view->timeline().showRange({at(start), at(end)});
    const TimeScale before = m_view->timeline().timeScale();
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    QCOMPARE(m_view->timeline().selection(), item);
    QCOMPARE(m_view->timeline().timeScale() != before, moves);
    QCOMPARE(m_view->timeline().timeScale().nsPerColumn(), before.nsPerColumn());
    const Interval shown = m_view->timeline().visibleRange();
    QVERIFY(shown.start < span.end && shown.end > span.start);
    if (end - start > 1) {
        QVERIFY(shown.start <= span.start && shown.end >= span.end);
    }
}

/// An event at the edge of the recording cannot be brought to the middle: the second press zooms to it all the same.
void tst_ViewBounds::focusAtTheEdgeFitsAfterAll()
{
    const ItemRef first {ItemKind::call, 0};
    m_view->timeline().select(first);
    wheel({600, 200}, 10, Qt::ControlModifier);
    const double width = m_view->timeline().timeScale().nsPerColumn();
    QTest::keyClick(m_view.get(), Qt::Key_F);
    QCOMPARE(m_view->timeline().timeScale().nsPerColumn(), width);
    QVERIFY(boxOf(m_view->timeline().frame(), first)->left() >= m_view->timeline().frame().geometry.labelWidth);
    QTest::keyClick(m_view.get(), Qt::Key_F);
    QVERIFY(m_view->timeline().timeScale().nsPerColumn() < width);
}

QTEST_MAIN(tst_ViewBounds)
#include "tst_view_bounds.moc"
