// SPDX-License-Identifier: MIT
// The mouse's gestures on a timeline, without a widget.
#include "gui/paint/lane_labels.h"
#include "gui/paint/over/mark_painter.h"
#include "gui/timeline/lane_scroll.h"
#include "gui/timeline/tools/box.h"
#include "gui/timeline/tools/lane_hand.h"
#include "gui/timeline/tools/marks.h"
#include "gui/timeline/tools/pan.h"
#include "gui/timeline/tools/range.h"
#include "gui/timeline/tools/scroll.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <algorithm>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_Tools : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_timeline.reset(); }
    void onePressIsOneTools_data();
    void onePressIsOneTools();
    void aClickSelectsADragSelectsARange();
    void aCancelledGestureLeavesNothing();
    void panKeepsWhatIsUnderTheMouse();
    void aBoxIsZoomedTo();
    void aLaneIsDraggedAndDropped();
    void aMarkIsGoneTo();
    void theScrollBarScrolls();
    void settersAreSilent();

private:
    QPointF middleOf(ItemRef item) const { return boxOf(m_timeline->frame(), item)->center(); }
    QPointF nameOf(std::size_t lane) const
    {
        const TimelineFrame frame = m_timeline->frame();
        const PlacedLane* placed = frame.layout.find(lane);
        return {60.0, frame.yOf(*placed) + placed->height / 2.0};
    }
    std::unique_ptr<Timeline> m_timeline;
    TimelineOverlay m_overlay;
    LabelPainter m_labels;
};

void tst_Tools::init()
{
    m_timeline = std::make_unique<Timeline>();
    m_overlay = {};
    m_timeline->setArea({1000, 420}, 1);
    m_timeline->openRecording(samples::copyResultsBack({}));
}

void tst_Tools::onePressIsOneTools_data()
{
    QTest::addColumn<QPointF>("at");
    QTest::addColumn<int>("button");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<int>("tool");  // of timelineTools(); -1: none
    QTest::newRow("lane's name") << QPointF(60, 120) << int(Qt::LeftButton) << 0 << 1;
    QTest::newRow("title") << QPointF(600, 10) << int(Qt::LeftButton) << 0 << 1;
    QTest::newRow("ruler") << QPointF(600, 45) << int(Qt::LeftButton) << 0 << 8;
    QTest::newRow("lanes") << QPointF(600, 200) << int(Qt::LeftButton) << 0 << 8;
    QTest::newRow("lanes, Alt") << QPointF(600, 200) << int(Qt::LeftButton) << int(Qt::AltModifier) << 8;
    QTest::newRow("lanes, Shift") << QPointF(600, 200) << int(Qt::LeftButton) << int(Qt::ShiftModifier) << 6;
    QTest::newRow("lanes, Ctrl") << QPointF(600, 200) << int(Qt::LeftButton) << int(Qt::ControlModifier) << 5;
    QTest::newRow("lanes, middle button") << QPointF(600, 200) << int(Qt::MiddleButton) << 0 << 5;
    QTest::newRow("lanes, back button") << QPointF(600, 200) << int(Qt::BackButton) << 0 << -1;
}

void tst_Tools::onePressIsOneTools()
{
    QFETCH(QPointF, at);
    QFETCH(int, button);
    QFETCH(int, modifiers);
    QFETCH(int, tool);
    const auto tools = timelineTools(*m_timeline, m_overlay, m_labels);
    const Pointer pointer {at, static_cast<Qt::MouseButton>(button), Qt::KeyboardModifiers(modifiers)};
    const auto taken = std::find_if(tools.begin(), tools.end(), [&](const auto& one) { return one->press(pointer); });
    QCOMPARE(taken == tools.end() ? -1 : static_cast<int>(taken - tools.begin()), tool);
}

void tst_Tools::aClickSelectsADragSelectsARange()
{
    RangeTool tool(*m_timeline, m_overlay);
    const ItemRef item {ItemKind::operation, 4};
    QSignalSpy selected(m_timeline.get(), &Timeline::selectionChanged);
    QSignalSpy ranged(m_timeline.get(), &Timeline::rangeChanged);
    QVERIFY(tool.press({middleOf(item)}));
    tool.move({middleOf(item) + QPointF(2, 0)});  // hardly: still a click
    tool.release({middleOf(item)});
    QCOMPARE(m_timeline->selection(), item);
    QCOMPARE(selected.count(), 1);
    QCOMPARE(ranged.count(), 0);
    QVERIFY(tool.press({{400, 200}, Qt::LeftButton, Qt::AltModifier}));
    tool.move({{700, 200}, Qt::LeftButton, Qt::AltModifier});
    QCOMPARE(m_timeline->state().highlights.range,
        std::optional(Interval {m_timeline->frame().timeAt(400), m_timeline->frame().timeAt(700)}));
    tool.release({{700, 200}, Qt::LeftButton, Qt::AltModifier});
    QCOMPARE(m_timeline->selection(), item);
    QVERIFY(tool.hover({400, 300}) == Qt::SizeHorCursor && !tool.hover({500, 300}));
    QVERIFY(tool.press({{401, 300}, Qt::LeftButton, Qt::AltModifier}));  // its edge
    tool.move({{300, 300}, Qt::LeftButton, Qt::AltModifier});
    QCOMPARE(m_timeline->state().highlights.range,
        std::optional(Interval {m_timeline->frame().timeAt(300), m_timeline->frame().timeAt(700)}));
}

void tst_Tools::aCancelledGestureLeavesNothing()
{
    const auto tools = timelineTools(*m_timeline, m_overlay, m_labels);
    const TimeScale before = m_timeline->timeScale();
    for (const auto& [at, modifiers] : {std::pair(QPointF(600, 200), Qt::ControlModifier),
             std::pair(nameOf(1), Qt::NoModifier), std::pair(QPointF(600, 200), Qt::NoModifier)}) {
        const Pointer from {at, Qt::LeftButton, modifiers};
        const auto held = std::find_if(tools.begin(), tools.end(), [&](const auto& tool) { return tool->press(from); });
        QVERIFY(held != tools.end());
        (*held)->move({at + QPointF(90, 60), Qt::LeftButton, modifiers});
        (*held)->cancel();
        QVERIFY(!m_overlay.zoomBox && !m_overlay.dropLine && !m_overlay.snaps[0] && !m_overlay.snaps[1]);
    }
    QCOMPARE(m_timeline->timeScale(), before);
    QVERIFY(m_timeline->state().arrangement.isEmpty());
}

void tst_Tools::panKeepsWhatIsUnderTheMouse()
{
    m_timeline->show(m_timeline->timeScale().zoomed(4, 400));
    PanTool tool(*m_timeline, m_overlay);
    const Ns under = m_timeline->frame().timeAt(600);
    QVERIFY(tool.press({{600, 200}, Qt::LeftButton, Qt::ShiftModifier}));
    tool.move({{650, 200}});
    QCOMPARE(m_timeline->frame().timeAt(650), under);
    tool.move({{500, 200}});
    QCOMPARE(m_timeline->frame().timeAt(500), under);
}

void tst_Tools::aBoxIsZoomedTo()
{
    BoxTool tool(*m_timeline, m_overlay);
    const Interval wanted {m_timeline->frame().timeAt(400), m_timeline->frame().timeAt(600)};
    QVERIFY(tool.press({{600, 200}, Qt::MiddleButton}));
    tool.move({{400, 100}, Qt::MiddleButton});
    QVERIFY(m_overlay.zoomBox && m_overlay.zoomBox->width() == 200);
    tool.release({{400, 100}, Qt::MiddleButton});
    QVERIFY(!m_overlay.zoomBox);
    QVERIFY(m_timeline->visibleRange().start <= wanted.start && m_timeline->visibleRange().end >= wanted.end);
    const TimeScale zoomed = m_timeline->timeScale();
    QVERIFY(tool.press({{600, 200}, Qt::MiddleButton}));
    tool.move({{602, 200}, Qt::MiddleButton});
    tool.release({{602, 200}, Qt::MiddleButton});  // too narrow
    QCOMPARE(m_timeline->timeScale(), zoomed);
}

void tst_Tools::aLaneIsDraggedAndDropped()
{
    m_timeline->setArea({1000, 900}, 1);
    m_timeline->openRecording(samples::everything());
    LaneHandTool tool(*m_timeline, m_overlay);
    QSignalSpy changed(m_timeline.get(), &Timeline::lanesChanged);
    std::vector<std::size_t> threads;
    for (std::size_t i = 0; i < m_timeline->model()->lanes().size(); ++i) {
        if (m_timeline->model()->lanes()[i].key.kind == LaneKind::thread) {
            threads.push_back(i);
        }
    }
    QVERIFY(tool.press({nameOf(threads[1])}));
    tool.move({nameOf(threads[0]) - QPointF(0, 8)});
    QCOMPARE(m_timeline->target().inHand(), std::optional(threads[1]));
    QVERIFY(m_overlay.dropLine && tool.shape() == Qt::ClosedHandCursor);
    tool.release({nameOf(threads[0]) - QPointF(0, 8)});
    QVERIFY(!m_overlay.dropLine && !tool.shape());
    QVERIFY(m_timeline->lanes().layout().find(threads[1])->y < m_timeline->lanes().layout().find(threads[0])->y);
    QVERIFY(changed.count() >= 2);
    QVERIFY(tool.doubleClick({nameOf(threads[0])}));
    QVERIFY(m_timeline->lanes().layout().find(threads[0])->collapsed);
    tool.hover(nameOf(threads[1]));  // the mouse has left it
    QVERIFY(!m_timeline->target().inHand());
}

void tst_Tools::aMarkIsGoneTo()
{
    m_timeline->recording()->marks->set({{5'000'000, "here"}});
    MarksTool tool(*m_timeline, m_overlay, m_labels);
    QSignalSpy reached(&m_timeline->marks(), &MarkHand::reached);
    QSignalSpy wanted(&m_timeline->marks(), &MarkHand::textWanted);
    const QPointF flag = flagsOf(m_timeline->frame(), m_labels).front().box.center();
    QVERIFY(tool.press({flag}));
    QCOMPARE(m_timeline->state().mark, std::optional<Ns>(5'000'000));
    QCOMPARE(reached.count(), 1);
    QVERIFY(tool.doubleClick({flag}));
    QCOMPARE(wanted.count(), 1);
    QVERIFY(!tool.press({flag + QPointF(0, 100)}) && !tool.press({flag, Qt::RightButton}));
}

void tst_Tools::theScrollBarScrolls()
{
    m_timeline->setArea({1000, 260}, 1);
    m_timeline->openRecording(samples::everything());
    const ScrollBar bar = *ScrollBar::of(m_timeline->frame());
    ScrollTool tool(*m_timeline, m_overlay);
    QVERIFY(!tool.press({{600, 200}}));
    QVERIFY(tool.press({bar.thumb.center()}));
    tool.move({bar.track.bottomLeft() + QPointF(3, 50)});
    QCOMPARE(m_timeline->state().scroll, bar.most);
}

/// Values that the owner sets are not signalled: two timelines are linked without a guard.
void tst_Tools::settersAreSilent()
{
    QSignalSpy scale(m_timeline.get(), &Timeline::timeScaleChanged);
    QSignalSpy range(m_timeline.get(), &Timeline::rangeChanged);
    m_timeline->setTimeScale(m_timeline->timeScale().zoomed(2, 100));
    m_timeline->setRange(Interval {1000, 2000});
    m_timeline->setPlace({.extent = {-1000, 90'000'000}, .reach = {-1000, 90'000'000}});
    m_timeline->setArea({700, 300}, 2);
    QCOMPARE(scale.count() + range.count(), 0);
    m_timeline->show(m_timeline->timeScale().zoomed(2, 100));
    m_timeline->selectRange(Interval {1000, 3000});
    QCOMPARE(scale.count(), 1);
    QCOMPARE(range.count(), 1);
}

QTEST_MAIN(tst_Tools)
#include "tst_tools.moc"
