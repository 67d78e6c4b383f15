// SPDX-License-Identifier: MIT
// Exploring a recording in the whole window: what the status line says, the menu of an event, the legend, the walk
// through the evidence of a finding, measuring.
#include "gui/app/commands/command_actions.h"
#include "gui/app/explore/annotate.h"
#include "gui/app/explore/operation_menu.h"
#include "gui/app/frame/legend_strip.h"
#include "gui/app/frame/status_line.h"
#include "gui/paint/words/time_format.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/hit_steps.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/app/window_case.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
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
    void savesTheRangeOfAnEvent();
    void menuKey();
    void menuGoesWithItsRecording();
    void legendFilters();
    void legendHasRoomForAll_data();
    void legendHasRoomForAll();
    void legendHasOneRow_data();
    void legendHasOneRow();
    void clicksMakeFilters_data();
    void clicksMakeFilters();
    void legendSaysTheSharesOfFamilies();
    void legendSaysTimesAndLeavesOutWhatIsNothing();
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
    const QString whole = line->timeText().section(QStringLiteral("   "), 0, 0);
    auto iteration = std::make_shared<ShownIteration>();
    iteration->span = {1'000'000, 2'000'000};
    const Ns cursor = *w->timeline().view(0)->overlay().cursor;
    w->timeline().side(0).setIteration(iteration);
    QTest::mouseMove(w->timeline().view(0), middleOf(*w, 0) + QPoint(1, 0));  // the ruler counts from the iteration
    QTRY_VERIFY(line->timeText().section(QStringLiteral("   "), 0, 0) != whole);
    const double said = line->timeText().section(QLatin1Char(' '), 1, 1).toDouble();
    QVERIFY2(std::abs(said - static_cast<double>(cursor - 1'000'000) / 1e6) < 0.5, qPrintable(line->timeText()));
    w->timeline().side(0).setIteration(nullptr);
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

void tst_exploring::savesTheRangeOfAnEvent()
{
    const auto w = open({shipped("blocking")});
    QMenu* menu = menuOf(*w, 0);
    QTRY_VERIFY(menu->isVisible());
    menu->findChild<QAction*>(QStringLiteral("saveRange"))->trigger();
    const Interval span = spanOf(*w->workspace().at(0), {ItemKind::operation, 0});
    QCOMPARE(w->workspace().selectedRanges()[0], span);
    QTRY_VERIFY(w->findChild<QFileDialog*>() != nullptr);
    delete w->findChild<QFileDialog*>();
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

void tst_exploring::menuGoesWithItsRecording()
{
    const auto w = open({shipped("blocking")});
    const QMenu* menu = menuOf(*w, 0);
    QTRY_VERIFY(menu->isVisible());
    emit w->workspace().renewed();
    QVERIFY(!menu->isVisible());
    menuOf(*w, 0);
    QTRY_VERIFY(menu->isVisible());
    w->workspace().set({});
    QVERIFY(!menu->isVisible());
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
    QCOMPARE(legend->items()[place(ItemRole::d2h) + 1].staged, std::optional(ItemRole::d2h));
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
    const auto fits = [legend] {  // in one row; what is left out is in the last entry
        std::size_t shown = 0;
        for (std::size_t i = 0; i < legend->items().size(); ++i) {
            const QRect box = legend->boxOf(i);
            if (!box.isEmpty() && (!legend->rect().contains(box) || box.top() != legend->boxOf(0).top())) {
                return false;
            }
            shown += box.isEmpty() ? 0 : 1;
        }
        const QRect more = legend->boxOf(legend->items().size());
        return shown == legend->items().size() ? more.isEmpty() : legend->rect().contains(more);
    };
    QTRY_VERIFY(fits());
    QVERIFY(!legend->boxOf(0).isEmpty());
    for (std::size_t i = 1; i < legend->items().size(); ++i) {
        QVERIFY(!legend->boxOf(i).intersects(legend->boxOf(i - 1)));
    }
    w->action("view.idle")->trigger();
    QTRY_COMPARE(idle(), 0);
    QTRY_VERIFY(fits());
}

void tst_exploring::legendHasOneRow_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<QString>("shown");
    // Entries of 100 pixels, 10 between them, 50 for the last: a 60 %, b 0.1 %, c 0.5 %, d 39.4 %, and x, y without.
    QTest::newRow("all") << 650 << "abcdxy";
    QTest::newRow("the least goes first") << 649 << "acdxy";
    QTest::newRow("then the next that is little") << 599 << "adxy";
    QTest::newRow("then what has no share, from the end") << 489 << "adx";
    QTest::newRow("then all of it") << 379 << "ad";
    QTest::newRow("the largest stays") << 269 << "a";
    QTest::newRow("even without room") << 10 << "a";
}

void tst_exploring::legendHasOneRow()
{
    QFETCH(int, width);
    QFETCH(QString, shown);
    std::vector<LegendItem> items(6);
    const QString letters = QStringLiteral("abcdxy");
    const std::optional<double> shares[] {0.6, 0.001, 0.005, 0.394, {}, {}};
    for (std::size_t i = 0; i < items.size(); ++i) {
        items[i].share = shares[i];
    }
    QString found;
    for (const std::size_t i : entriesInOneRow(items, std::vector<int>(items.size(), 100), 10, 50, width)) {
        found += letters[static_cast<qsizetype>(i)];
    }
    QCOMPARE(found, shown);
    // Times go last, wherever they are.
    items.back().time = 5;
    const auto last = entriesInOneRow(items, std::vector<int>(items.size(), 100), 10, 50, 270);
    QCOMPARE(last, (std::vector<std::size_t> {0, items.size() - 1}));
}

void tst_exploring::clicksMakeFilters_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("query");
    QTest::addColumn<bool>("add");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* name, const char* filter, const char* query, bool add, const char* wanted) {
        QTest::newRow(name) << QString::fromLatin1(filter) << QString::fromLatin1(query) << add
                            << QString::fromLatin1(wanted);
    };
    row("one", "", "family:norm", false, "family:norm");
    row("again", "family:norm", "family:norm", false, "");
    row("another", "family:norm", "kind:h2d", false, "kind:h2d");
    row("of several", "family:norm or kind:h2d", "kind:h2d", false, "kind:h2d");
    row("the first with Shift", "", "family:norm", true, "family:norm");
    row("another with Shift", "family:norm", "kind:h2d", true, "family:norm or kind:h2d");
    row("a third", "family:norm or kind:h2d", "kind:call", true, "family:norm or kind:h2d or kind:call");
    row("taken away", "family:norm or kind:h2d", "family:norm", true, "kind:h2d");
    row("the last is taken away", "family:norm", "family:norm", true, "");
    row("beside what was typed", "gemm dur>1ms", "family:norm", true, "family:norm");
}

void tst_exploring::clicksMakeFilters()
{
    QFETCH(QString, filter);
    QFETCH(QString, query);
    QFETCH(bool, add);
    QFETCH(QString, wanted);
    const QString made = filterAfterClick(filter, query, add);
    QCOMPARE(made, wanted);
    QCOMPARE(isInFilter(made, query), !made.isEmpty() && made.contains(query));
    Query::parse(made.toStdString());
}

/// Their shares are those of all GPU operations, and a click shows what the entry says.
void tst_exploring::legendSaysTheSharesOfFamilies()
{
    const auto w = open({shipped("blocking")});
    auto* legend = w->findChild<LegendStrip*>();
    QTRY_VERIFY(!legend->items().empty());
    const auto shares = [legend] {
        double sum = 0;
        for (const LegendItem& item : legend->items()) {
            sum += item.share.value_or(0);
        }
        return sum;
    };
    QCOMPARE(shares(), 0.0);  // a lesson
    w->action("view.families")->trigger();
    QTRY_VERIFY(std::abs(shares() - 1) < 1e-9);
    const auto& items = legend->items();
    const auto matmul = std::find_if(
        items.begin(), items.end(), [](const LegendItem& item) { return item.role == ItemRole::matmul; });
    QVERIFY(matmul != items.end() && *matmul->share > 0.1);
    QCOMPARE(matmul->query, QStringLiteral("family:matmul"));
    legend->toggle(static_cast<std::size_t>(matmul - items.begin()));
    QVERIFY(w->workspace().isFiltered());
    QTRY_VERIFY(std::abs(shares() - 1) < 1e-9);  // a filter changes no share
    // Of nothing there is no share, not 0 %.
    const auto known = [legend] {
        return std::count_if(legend->items().begin(), legend->items().end(),
            [](const LegendItem& item) { return item.share.has_value(); });
    };
    QVERIFY(known() > 0);
    const Ns first = w->workspace().at(0)->trace->operations.start[0];
    w->timeline().side(0).selectRange(Interval {0, first});
    QTRY_COMPARE(known(), 0);
}

/// Waits say their times; what is 0 in the scope is left out, unless it is filtered to.
void tst_exploring::legendSaysTimesAndLeavesOutWhatIsNothing()
{
    const auto w = open({shipped("blocking")});
    auto* legend = w->findChild<LegendStrip*>();
    w->action("view.families")->trigger();
    const auto entry = [legend](ItemRole role) {
        const auto& items = legend->items();
        return std::find_if(items.begin(), items.end(), [role](const LegendItem& item) { return item.role == role; });
    };
    const auto has = [&](ItemRole role) { return entry(role) != legend->items().end(); };
    const RecordingPtr recording = w->workspace().at(0);
    RoleTotals totals;
    addWaits(totals, *recording, w->workspace().scope().ranges[0]);
    QVERIFY(totals[ItemRole::held] > 0);
    QTRY_VERIFY(has(ItemRole::held) && entry(ItemRole::held)->time == totals[ItemRole::held]);
    QCOMPARE(figureOf(*entry(ItemRole::held)), formatTime(totals[ItemRole::held]));
    QVERIFY(has(ItemRole::d2h) && has(ItemRole::matmul));
    // Only the first kernel.
    const OperationTable& operations = recording->trace->operations;
    const auto kernel = std::find(operations.kind.begin(), operations.kind.end(), OperationKind::kernel);
    const auto row = static_cast<std::size_t>(kernel - operations.kind.begin());
    w->timeline().side(0).selectRange(Interval {operations.start[row], operations.start[row] + 1});
    QTRY_VERIFY(has(ItemRole::matmul) && !has(ItemRole::d2h));
    QVERIFY(std::none_of(legend->items().begin(), legend->items().end(),
        [](const LegendItem& item) { return item.staged.has_value(); }));
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
    QTest::keyClick(w.get(), Qt::Key_Escape);
    w->action("edit.measure")->trigger();
    QVERIFY(w->action("edit.measure")->isChecked());
    w->timeline().view(0)->setFocus();
    QTest::keyClick(w->timeline().view(0), Qt::Key_Escape);
    QVERIFY(!w->action("edit.measure")->isChecked());
    QTRY_VERIFY(!w->findChild<StatusLine*>()->sideText().startsWith(QStringLiteral("Measure")));
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
