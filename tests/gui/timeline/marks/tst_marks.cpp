// SPDX-License-Identifier: MIT
#include "gui/paint/over/mark_painter.h"
#include "gui/timeline/markup/mark_field.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_Marks : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_view.reset(); }
    void sortedAndOnceATime();
    void setAtTheMouseWithText();
    void setAtTheSelection();
    void escapeTakesItBack();
    void nameIsEditedInPlace();
    void walkedThroughAndRemoved();
    void flagsLieWhereTheirTimesAre();
    void flagsMoveWithTheView();
    void survivesAnotherView();
    void platesLieBesideFlags_data();
    void platesLieBesideFlags();

private:
    const Marks& marks() const { return *m_view->timeline().recording()->marks; }
    MarkField* field() const { return m_view->findChild<MarkField*>(); }
    QPoint pointAt(Ns time) const
    {
        return {static_cast<int>(m_view->timeline().frame().geometry.labelWidth
                    + m_view->timeline().timeScale().xOf(time) / m_view->devicePixelRatioF()),
            200};
    }
    /// Without the screen's pointer, which other windows may capture.
    void moveMouse(QPoint at)
    {
        QMouseEvent move(QEvent::MouseMove, at, m_view->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_view.get(), &move);
    }
    void markAt(Ns time, const char* text)
    {
        moveMouse(pointAt(time));
        QTest::keyClick(m_view.get(), Qt::Key_M);
        QTest::keyClicks(field(), QLatin1String(text));
        QTest::keyClick(field(), Qt::Key_Return);
        QTRY_VERIFY(!field());
    }

    std::unique_ptr<TimelineView> m_view;
    LabelPainter m_labels;
};

void tst_Marks::init()
{
    m_view = std::make_unique<TimelineView>();
    m_view->resize(1000, 420);
    m_view->timeline().openRecording(samples::copyResultsBack({}));
    m_view->show();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    m_view->setFocus();
}

void tst_Marks::sortedAndOnceATime()
{
    Marks marks({{30, "c"}, {10, "a"}, {20, "b"}, {10, "again"}});
    QCOMPARE(marks.all().size(), std::size_t {3});
    QCOMPARE(marks.add(15), std::size_t {1});
    QCOMPARE(marks.add(20), std::size_t {2});
    QCOMPARE(marks.add(-5), std::size_t {0});
    QCOMPARE(marks.all().front().time, Ns {0});
    QCOMPARE(marks.after(15).value(), std::size_t {3});
    QCOMPARE(marks.before(15).value(), std::size_t {1});
    QVERIFY(!marks.after(30) && !marks.before(0) && !marks.at(16));
    QCOMPARE(marks.at(30).value(), std::size_t {4});
    marks.remove(0);
    QCOMPARE(marks.all().front().text, std::string("a"));
}

void tst_Marks::setAtTheMouseWithText()
{
    QSignalSpy changed(&m_view->timeline().marks(), &MarkHand::changed);
    const Ns time = 5'000'000;
    markAt(time, "warm-up ends");
    QCOMPARE(marks().all().size(), std::size_t {1});
    QCOMPARE(marks().all()[0].text, std::string("warm-up ends"));
    const double off
        = m_view->timeline().timeScale().xOf(marks().all()[0].time) - m_view->timeline().timeScale().xOf(time);
    QVERIFY(std::abs(off) <= 1);
    QVERIFY(changed.count() >= 2);
    QVERIFY(m_view->hasFocus());  // letters are the timeline's again
}

void tst_Marks::setAtTheSelection()
{
    const ItemRef kernel {ItemKind::operation, 0};
    const Ns start = spanOf(*m_view->timeline().recording(), kernel).start;
    m_view->timeline().select(kernel);
    moveMouse(boxOf(m_view->timeline().frame(), kernel)->center().toPoint());  // the mouse rests on it
    QTest::keyClick(m_view.get(), Qt::Key_M);
    QTest::keyClick(field(), Qt::Key_Return);
    QCOMPARE(marks().all()[0].time, start);
    QTRY_VERIFY(!field());
    moveMouse(QPoint(20, 300));  // over the lanes' names
    m_view->timeline().select({ItemKind::operation, 3});
    QTest::keyClick(m_view.get(), Qt::Key_M);
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(marks().at(spanOf(*m_view->timeline().recording(), {ItemKind::operation, 3}).start));
}

void tst_Marks::escapeTakesItBack()
{
    moveMouse(pointAt(3'000'000));
    QTest::keyClick(m_view.get(), Qt::Key_M);
    QTest::keyClicks(field(), QStringLiteral("no"));
    QTest::keyClick(field(), Qt::Key_Escape);
    QVERIFY(marks().all().empty());
    QTRY_VERIFY(!field());
    markAt(3'000'000, "yes");
    QTest::keyClick(m_view.get(), Qt::Key_M);  // the mouse is still there: the same mark
    QCOMPARE(field()->text(), QStringLiteral("yes"));
    QTest::keyClicks(field(), QStringLiteral("other"));
    QTest::keyClick(field(), Qt::Key_Escape);
    QCOMPARE(marks().all().size(), std::size_t {1});
    QCOMPARE(marks().all()[0].text, std::string("yes"));
}

void tst_Marks::nameIsEditedInPlace()
{
    markAt(4'000'000, "one");
    const QPoint flag = QPoint(pointAt(marks().all()[0].time).x() + 4, FrameGeometry::title_height + 10);
    QCOMPARE(gui::markAt(m_view->timeline().frame(), flag, m_labels), std::optional<std::size_t>(0));
    QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, flag);
    QVERIFY(field());
    QTest::keyClicks(field(), QStringLiteral("two"));
    m_view->clearFocus();
    m_view->setFocus();  // leaving it keeps the text
    QCOMPARE(marks().all()[0].text, std::string("two"));
}

void tst_Marks::walkedThroughAndRemoved()
{
    for (const Ns time : {2'000'000, 9'000'000, 16'000'000}) {
        markAt(time, "x");
    }
    moveMouse(QPoint(20, 300));
    m_view->timeline().showRange({0, 1'000'000});
    const auto inSight = [&](std::size_t mark) {
        const Interval visible = m_view->timeline().visibleRange();
        const Ns time = marks().all()[mark].time;
        return time >= visible.start && time <= visible.end;
    };
    QTest::keyClick(m_view.get(), Qt::Key_N);
    QVERIFY(inSight(0));
    QTest::keyClick(m_view.get(), Qt::Key_N);
    QVERIFY(inSight(1) && !inSight(0));
    QTest::keyClick(m_view.get(), Qt::Key_N, Qt::ShiftModifier);
    QVERIFY(inSight(0));
    const UserMark last = marks().all()[2];
    QTest::keyClick(m_view.get(), Qt::Key_N);
    QTest::keyClick(m_view.get(), Qt::Key_Delete);
    QCOMPARE(marks().all().size(), std::size_t {2});
    QCOMPARE(marks().all()[1], last);
    QTest::keyClick(m_view.get(), Qt::Key_Delete);  // goes on with the next
    QTest::keyClick(m_view.get(), Qt::Key_Delete);
    QVERIFY(marks().all().empty());
    QTest::keyClick(m_view.get(), Qt::Key_Delete);
    QTest::keyClick(m_view.get(), Qt::Key_N);
}

void tst_Marks::flagsLieWhereTheirTimesAre()
{
    const RecordingPtr recording = m_view->timeline().recording();
    recording->marks->set({{1'000'000, "a long text that has no room before the next flag comes"}, {2'000'000, ""},
        {2'100'000, "second"}});
    const LaneModel model(recording);
    const ArrangedLanes arranged = LaneArrangement().arrange(model.lanes());
    const LaneLayout layout(model.lanes(), arranged, 300);
    FrameGeometry geometry;
    geometry.size = {1000, 420};
    const TimelineFrame frame {
        model, layout, Theme::named({}), TimeScale::fitting(8'000'000, geometry.plotWidth()), geometry, 1, {}, {}};
    LabelPainter labels;
    const auto flags = flagsOf(frame, labels);
    QCOMPARE(flags.size(), std::size_t {3});
    for (std::size_t i = 0; i < 3; ++i) {
        QCOMPARE(flags[i].x, frame.xOf(recording->marks->all()[i].time));
        QCOMPARE(flags[i].box.left(), flags[i].x);
        QVERIFY(i == 0 || flags[i - 1].box.right() <= flags[i].box.left());
    }
    QVERIFY(flags[0].text.endsWith(QChar(0x2026)));
    QCOMPARE(flags[2].text, QStringLiteral("second"));
}

void tst_Marks::flagsMoveWithTheView()
{
    markAt(6'000'000, "here");
    const Ns time = marks().all()[0].time;
    const QRgb flag = m_view->timeline().theme().text.rgb();
    const auto isFlag = [&] {
        const QPoint at(pointAt(time).x() + 3, FrameGeometry::title_height + 5);
        return m_view->grab().toImage().pixel(at) == flag
            && gui::markAt(m_view->timeline().frame(), at, m_labels) == std::optional<std::size_t>(0);
    };
    QVERIFY(!isFlag());  // it is selected, and shows it
    m_view->timeline().forgetChosen();
    QVERIFY(isFlag());
    m_view->timeline().showRange({time - 2'000'000, time + 2'000'000});
    const int before = pointAt(time).x();
    QTest::keyClick(m_view.get(), Qt::Key_A);
    QVERIFY(pointAt(time).x() != before);
    QVERIFY(isFlag());
}

void tst_Marks::survivesAnotherView()
{
    markAt(6'000'000, "kept");
    const RecordingPtr recording = m_view->timeline().recording();
    m_view->timeline().openRecording(samples::copyResultsBack({.blocking = false}));
    QVERIFY(marks().all().empty());
    m_view->timeline().openRecording(recording);
    QCOMPARE(marks().all()[0].text, std::string("kept"));
}

void tst_Marks::platesLieBesideFlags_data()
{
    QTest::addColumn<QList<QPair<int, int>>>("flags");  // left, width
    QTest::addColumn<double>("left");
    using Flags = QList<QPair<int, int>>;
    QTest::newRow("none") << Flags {} << 300.0;
    QTest::newRow("elsewhere") << Flags {{100, 80}} << 300.0;
    QTest::newRow("on its end") << Flags {{380, 60}} << 277.0;
    QTest::newRow("on its begin") << Flags {{280, 40}} << 323.0;
    QTest::newRow("between two") << Flags {{380, 60}, {200, 70}} << 277.0;
    QTest::newRow("between two, too near") << Flags {{380, 60}, {200, 80}} << 443.0;
    QTest::newRow("no room") << Flags {{0, 200}, {203, 197}, {403, 397}} << 300.0;
}

void tst_Marks::platesLieBesideFlags()
{
    using Flags = QList<QPair<int, int>>;
    QFETCH(Flags, flags);
    std::vector<MarkFlag> all;
    for (const auto& [left, width] : flags) {
        all.push_back({all.size(), double(left), QRectF(left, 43, width, 16), QStringLiteral("mark")});
    }
    const QRectF plate(300, 40, 100, 22);
    QTEST(besideFlags(all, plate, 0, 800), "left");
}

QTEST_MAIN(tst_Marks)
#include "tst_marks.moc"
