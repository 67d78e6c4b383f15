// SPDX-License-Identifier: MIT
// Exploring a recording in the whole window: what the status line says, the menu of an event, the legend, the walk
// through the evidence of a finding, measuring.
#include "gui/app/commands/command_actions.h"
#include "gui/app/explore/annotate.h"
#include "gui/app/explore/operation_menu.h"
#include "gui/app/frame/legend_strip.h"
#include "gui/app/frame/status_line.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/hit_steps.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/app/window_case.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>

using namespace lanes;
using namespace lanes::gui;

class tst_exploring : public WindowCase {
    Q_OBJECT

    static OpenRecordingPtr shipped(const char* variant)
    {
        const QString path = QStringLiteral("%1/resources/recordings/h200/copy-results-back.%2.sqlite")
                                 .arg(qEnvironmentVariable("LANES_SOURCE"), QLatin1String(variant));
        return analysed(open_recording(path.toStdString()), path);
    }
    static std::unique_ptr<MainWindow> open(std::vector<OpenRecordingPtr> recordings)
    {
        auto w = window();
        w->workspace().set(std::move(recordings));
        w->action("go.timeline")->trigger();
        return w;
    }
    static QPoint middleOf(MainWindow& w, Row operation)
    {
        return boxOf(w.timeline().side(0).frame(), {ItemKind::operation, operation})->center().toPoint();
    }
    /// The menu that a right click on the operation opens.
    static QMenu* menuOf(MainWindow& w, Row operation)
    {
        const QPoint at = middleOf(w, operation);
        TimelineView* view = w.timeline().view(0);
        QContextMenuEvent asked(QContextMenuEvent::Mouse, at, view->mapToGlobal(at));
        QApplication::sendEvent(view, &asked);
        return w.findChild<QMenu*>(QStringLiteral("operationMenu"));
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { startAfresh(); }
    void statusLine();
    void menuOfAnOperation();
    void menuKey();
    void legendFilters();
    void legendHasRoomForAll_data();
    void legendHasRoomForAll();
    void legendLooksTheSameBesideAChosenEntry();
    void evidenceIsWalked();
    void measures();
    void annotationsOfAnyGroupingAreLoaded_data();
    void annotationsOfAnyGroupingAreLoaded();
};

void tst_exploring::statusLine()
{
    const auto w = open({shipped("blocking"), shipped("overlapped")});
    auto* line = w->findChild<StatusLine*>();
    QVERIFY(line->isVisible());
    QVERIFY(line->sideText().isEmpty() || !line->sideText().contains(QStringLiteral("ΔT")));
    QTest::mouseMove(w->timeline().view(0), middleOf(*w, 0));
    QTRY_VERIFY(line->itemText().contains(QStringLiteral("matmul")));
    QVERIFY(line->itemText().contains(QStringLiteral("compute")));  // its stream
    QVERIFY(line->timeText().contains(QStringLiteral("A ")) && line->timeText().contains(QStringLiteral("B ")));
    QTRY_VERIFY(line->sideText().contains(QStringLiteral("Drag selects a range")));
    w->action("lesson.gallery")->trigger();  // there is nothing to drag
    QTRY_VERIFY(line->sideText().isEmpty());
    w->action("lesson.gallery")->trigger();
    QTRY_VERIFY(line->sideText().contains(QStringLiteral("Drag selects a range")));
    w->timeline().side(0).selectRange(Interval {0, 2'000'000});
    QTRY_VERIFY(line->sideText().contains(QStringLiteral("2.00 ms")));
    w->workspace().set({});
    QTRY_VERIFY(line->sideText().isEmpty());
}

void tst_exploring::menuOfAnOperation()
{
    const auto w = open({shipped("blocking"), shipped("overlapped")});
    QMenu* menu = menuOf(*w, 0);
    QTRY_VERIFY(menu->isVisible());
    QCOMPARE(w->workspace().selection().event, (EventRef {EventTable::operations, 0}));
    menu->findChild<QAction*>(QStringLiteral("all"))->trigger();
    QTRY_COMPARE(w->workspace().walk().count, std::size_t {16});  // eight in each
    QTRY_COMPARE(w->workspace().walk().current, std::optional<std::size_t>(0));
    w->action("go.next-hit")->trigger();
    QCOMPARE(w->workspace().walk().current, std::optional<std::size_t>(1));
    w->action("edit.clear")->trigger();
    QTRY_COMPARE(w->workspace().walk().count, std::size_t {0});

    menu = menuOf(*w, 0);
    menu->findChild<QAction*>(QStringLiteral("waiters"))->trigger();
    QTRY_VERIFY(w->workspace().walk().count > 0);
    menu = menuOf(*w, 0);
    menu->findChild<QAction*>(QStringLiteral("onlyKind"))->trigger();
    QVERIFY(w->workspace().isFiltered());
    QCOMPARE(w->workspace().filter()->text(), std::string("kind:kernel"));
    w->action("lanes.clear-filter")->trigger();
    menu = menuOf(*w, 0);
    menu->findChild<QAction*>(QStringLiteral("copyName"))->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("matmul"));
    menu = menuOf(*w, 0);
    menu->findChild<QAction*>(QStringLiteral("zoom"))->trigger();
    const Interval span = spanOf(*w->workspace().at(0), {ItemKind::operation, 0});
    QVERIFY(w->timeline().side(0).visibleRange().end - w->timeline().side(0).visibleRange().start
        < 2 * (span.end - span.start));
    menu->hide();
}

/// The selection's; without one, the lane's.
void tst_exploring::menuKey()
{
    const auto w = open({shipped("blocking")});
    TimelineView* view = w->timeline().view(0);
    QMenu* menu = w->findChild<QMenu*>(QStringLiteral("operationMenu"));
    QContextMenuEvent asked(QContextMenuEvent::Keyboard, {5, 5}, view->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(view, &asked);
    QVERIFY(!menu->isVisible());
    w->workspace().select(0, {EventTable::operations, 0});
    QApplication::sendEvent(view, &asked);
    QTRY_VERIFY(menu->isVisible());
    menu->hide();
}

void tst_exploring::legendFilters()
{
    const auto w = open({shipped("blocking"), shipped("overlapped")});
    auto* legend = w->findChild<LegendStrip*>();
    QVERIFY(legend->isVisible());
    const auto place = [&](ItemRole role) {
        const auto& items = legend->items();
        return static_cast<std::size_t>(std::find_if(items.begin(), items.end(), [&](const LegendItem& item) {
            return item.role == role;
        }) - items.begin());
    };
    QTRY_VERIFY(place(ItemRole::kernel) < legend->items().size());
    QVERIFY(place(ItemRole::d2h) < legend->items().size());
    QVERIFY(place(ItemRole::held) < legend->items().size());
    QCOMPARE(place(ItemRole::h2d), legend->items().size());  // there is none to explain
    legend->toggle(place(ItemRole::kernel));
    QVERIFY(w->workspace().isFiltered());
    QTRY_VERIFY(place(ItemRole::d2h) < legend->items().size());  // the way to another kind stays
    legend->toggle(place(ItemRole::kernel));
    QVERIFY(!w->workspace().isFiltered());
    w->action("view.legend")->trigger();
    w->remember();
    QVERIFY(window()->findChild<LegendStrip*>()->isHidden());
}

void tst_exploring::legendHasRoomForAll_data()
{
    QTest::addColumn<int>("width");
    QTest::newRow("a lecture's screen") << 1280;
    QTest::newRow("wide") << 1900;
    QTest::newRow("narrow") << 1000;
}

void tst_exploring::legendHasRoomForAll()
{
    QFETCH(int, width);
    const auto w = open({shipped("blocking"), shipped("overlapped")});
    w->resize(width, 720);
    const auto* legend = w->findChild<LegendStrip*>();
    const auto idle = [legend] {
        const auto& items = legend->items();
        return std::count_if(items.begin(), items.end(), [](const LegendItem& item) { return item.idle.has_value(); });
    };
    QTRY_VERIFY(!legend->items().empty());
    QCOMPARE(idle(), 0);  // no bars, nothing to explain
    w->action("view.idle")->trigger();
    QTRY_VERIFY(idle() > 1);
    const auto fits = [legend] {
        for (std::size_t i = 0; i < legend->items().size(); ++i) {
            if (!legend->rect().contains(legend->boxOf(i))) {
                return false;
            }
        }
        return true;
    };
    QTRY_VERIFY(fits());
    for (std::size_t i = 1; i < legend->items().size(); ++i) {
        QVERIFY(!legend->boxOf(i).intersects(legend->boxOf(i - 1)));
    }
    w->action("view.idle")->trigger();
    QTRY_COMPARE(idle(), 0);
    QTRY_VERIFY(fits());
}

/// The brush of the chosen entry's background must not paint the hatching of later ones.
void tst_exploring::legendLooksTheSameBesideAChosenEntry()
{
    const auto w = open({shipped("blocking"), shipped("overlapped")});
    auto* legend = w->findChild<LegendStrip*>();
    const auto place = [&](ItemRole role) {
        const auto& items = legend->items();
        return static_cast<std::size_t>(std::find_if(items.begin(), items.end(), [&](const LegendItem& item) {
            return item.role == role;
        }) - items.begin());
    };
    QTRY_VERIFY(place(ItemRole::held) < legend->items().size());
    const auto held = [&] { return legend->grab(legend->boxOf(place(ItemRole::held))).toImage(); };
    const QImage before = held();
    legend->toggle(place(ItemRole::kernel));
    QVERIFY(w->workspace().isFiltered());
    QCOMPARE(held(), before);
}

void tst_exploring::evidenceIsWalked()
{
    const auto w = open({shipped("blocking")});
    w->action("go.findings")->trigger();
    auto* findings = w->findChild<FindingsPanel*>();
    int row = 0;
    while (row < findings->findings() && findings->entries()[static_cast<std::size_t>(row)].all.size() < 2) {
        ++row;
    }
    QVERIFY(row < findings->findings());
    const std::size_t pieces = findings->entries()[static_cast<std::size_t>(row)].all.size();
    const TimeScale before = w->timeline().timeScale();
    QTest::mouseClick(findings->viewport(), Qt::LeftButton, {},
        findings->visualItemRect(findings->item(row)).topLeft() + QPoint(300, 12));
    QTRY_COMPARE(w->workspace().walk().count, pieces);
    QTRY_VERIFY(w->workspace().walk().current);
    QVERIFY(w->timeline().timeScale() == before);  // all was in view: nothing moves
    auto* steps = findings->findChild<HitSteps*>();
    QVERIFY(steps->isVisible());
    const std::size_t first = *w->workspace().walk().current;
    QCOMPARE(steps->statusText(), QStringLiteral("%1 of %2").arg(first + 1).arg(pieces));
    QTest::keyClick(w.get(), Qt::Key_F3);
    QCOMPARE(*w->workspace().walk().current, (first + 1) % pieces);
}

void tst_exploring::measures()
{
    const auto w = open({shipped("blocking"), shipped("overlapped")});
    w->action("edit.measure")->trigger();
    QTRY_VERIFY(w->findChild<StatusLine*>()->sideText().startsWith(QStringLiteral("Measure")));
    QTest::mouseClick(w->timeline().view(0), Qt::LeftButton, {}, middleOf(*w, 0));
    QTest::mouseClick(w->timeline().view(0), Qt::LeftButton, {}, middleOf(*w, 2));
    const Trace& trace = *w->workspace().at(0)->trace;
    QVERIFY(w->timeline().side(0).state().highlights.range.has_value());
    QCOMPARE(*w->timeline().side(0).state().highlights.range,
        (Interval {trace.operations.start[0], trace.operations.end[2]}));
    QVERIFY(!w->action("edit.measure")->isChecked());
}

void tst_exploring::annotationsOfAnyGroupingAreLoaded_data()
{
    QTest::addColumn<bool>("byEngine");
    QTest::addColumn<bool>("filtered");
    QTest::newRow("by stream") << false << false;
    QTest::newRow("by engine") << true << false;
    QTest::newRow("filtered, so that lanes are gone") << true << true;
}

void tst_exploring::annotationsOfAnyGroupingAreLoaded()
{
    QFETCH(bool, byEngine);
    QFETCH(bool, filtered);
    const auto w = open({shipped("blocking"), shipped("overlapped")});
    if (byEngine) {
        w->action("lanes.group-by-engine")->trigger();
    }
    if (filtered) {
        emit w->timeline().filterBar()->filterWanted(std::make_shared<const Query>(Query::parse("kind:kernel")));
    }
    const auto write = [this](const QByteArray& lane) {
        QFile file(m_folder.filePath(QStringLiteral("notes.yaml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("annotations:\n"
                   "  - text: {at: 3 ms, lane: compute, says: of a stream}\n"
                   "  - text: {at: 3 ms, lane: GPU 0 SMs, says: of an engine}\n"
                   "  - text: {at: 3 ms, lane: "
            + lane + ", recording: B, says: of B}\n");
    };
    auto* annotate = w->findChild<Annotate*>();
    write("GPU 0 D2H");
    QCOMPARE(annotate->load(m_folder.filePath(QStringLiteral("notes.yaml"))), QString());
    QCOMPARE(w->workspace().at(0)->annotations->size(), std::size_t(2));
    QCOMPARE(w->workspace().at(1)->annotations->size(), std::size_t(1));
    write("GPU 0 P2P");  // it copies nothing there
    QVERIFY(annotate->load(m_folder.filePath(QStringLiteral("notes.yaml"))).contains(QStringLiteral("GPU 0 P2P")));
    QCOMPARE(w->workspace().at(1)->annotations->front().from.lane, std::string("GPU 0 D2H"));  // as it was
}

QTEST_MAIN(tst_exploring)
#include "tst_exploring.moc"
