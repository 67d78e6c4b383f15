// SPDX-License-Identifier: MIT
// The window as a user has it: real events on real widgets, offscreen.
#include "engine/store/recording_file.h"
#include "gui/app/frame/activity_bar.h"
#include "gui/app/frame/main_window.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/app/learn/gallery_list.h"
#include "gui/app/open/mark_memory.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/details_panel.h"
#include "gui/panels/events_panel.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/stack_heights.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/app/window_case.h"

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

using namespace lanes;
using namespace lanes::gui;

class tst_main_window : public WindowCase {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { startAfresh(); }
    void emptyStateSaysWhatToDo();
    void runsOnTheModelThroughTheButton();
    void cancelsARun();
    void opensTwoFilesSwapsAndCloses();
    void theFormIsOfWhatIsOpenedFirst();
    void aBadFileIsALineNotADialog();
    void theLanesHaveTheirPlaceWhileAFileOpens();
    void filesAreDropped();
    void keysReachTheTimeline();
    void selectionReachesEveryPanel();
    void theCardMovesNothing();
    void aRowOfTheCommandLineIsSelectedAndExplained();
    void keysOfTheTimelineWorkInPanels();
    void aClickOnAFindingMovesNothingInSight_data();
    void aClickOnAFindingMovesNothingInSight();
    void anEventOfTheOtherRecordingIsGoneTo();
    void lettersGoIntoTextFields();
    void marksAreRememberedAndSaved();
    void lanesAreAsHighAfterAFilter();
    void findingsTakeNoRoomThatTheyLeaveEmpty();
    void panelsAreReachedWithoutARecording();
    void everyInputHasAnAccessibleName();
    void remembersWhatWasChosen();
    void themesAndLanguage();
    void theWindowFitsTheScreen();
    void onlyWhatCanBeOpenedIsOffered();
};

void tst_main_window::emptyStateSaysWhatToDo()
{
    const auto w = window();
    QVERIFY(button(*w, "galleryRun")->isVisible());
    QVERIFY(button(*w, "galleryRun")->text().contains(QStringLiteral("The CPU runs ahead")));
    QVERIFY(!w->action("view.fit")->isEnabled());
    QVERIFY(w->action("run.run")->isEnabled());
    QVERIFY(!w->action("run.cancel")->isEnabled());
    QVERIFY(notice(*w).isEmpty());
}

void tst_main_window::runsOnTheModelThroughTheButton()
{
    const auto w = window();
    auto* list = w->findChild<WorkloadList*>();
    QVERIFY(list->count() >= 5);
    QVERIFY(list->select(QStringLiteral("copy-results-back")));
    QTest::mouseClick(button(*w, "run"), Qt::LeftButton);
    QVERIFY(!w->action("run.run")->isEnabled());  // one run at a time
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(w->action("run.run")->isEnabled());
    QVERIFY2(notice(*w).isEmpty(), qPrintable(notice(*w)));
    QCOMPARE(text(w->workspace().at(0)->title), QStringLiteral("Blocking copies"));
    QCOMPARE(text(w->workspace().at(1)->title), QStringLiteral("Overlapped copies"));
    QVERIFY(w->workspace().at(0)->is_model());
    QVERIFY(w->timeline().isVisible());
    QVERIFY(w->workspace().at(0)->report->wall > w->workspace().at(1)->report->wall);
    QVERIFY(w->findChild<FindingsPanel*>()->findings() > 0);
    QVERIFY(w->windowTitle().contains(QStringLiteral("Copy results back")));
}

void tst_main_window::cancelsARun()
{
    const auto w = window();
    QVERIFY(w->findChild<WorkloadList*>()->select(QStringLiteral("copy-results-back")));
    auto* form = w->findChild<ParameterForm*>();
    form->setRuns({{"blocking", {{"matrices", "64"}}}, {"overlapped", {{"matrices", "64"}}}});
    QTest::keyClick(w.get(), Qt::Key_R, Qt::ControlModifier);
    QVERIFY(w->action("run.cancel")->isEnabled());
    QTest::keyClick(w.get(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!w->action("run.cancel")->isEnabled());
    QTest::qWait(300);
    QCOMPARE(w->workspace().count(), 0);
    QVERIFY(!w->findChild<ActivityBar*>()->isVisible());
    QVERIFY(w->action("run.run")->isEnabled());
    // What a long name has no room for is left out with an ellipsis.
    ActivityBar bar;
    bar.begin(QString(400, u'x'));
    QVERIFY(bar.minimumSizeHint().width() < 600);
    QCOMPARE(bar.title(), QString(400, u'x'));
}

void tst_main_window::opensTwoFilesSwapsAndCloses()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    const OpenRecordingPtr a = w->workspace().at(0);
    const OpenRecordingPtr b = w->workspace().at(1);
    QCOMPARE(a->path, m_a);
    QCOMPARE(w->timeline().recordings().size(), 2U);
    QTRY_VERIFY(w->action("compare.swap")->isEnabled());
    w->action("compare.swap")->trigger();
    QCOMPARE(w->workspace().at(0), b);
    QTest::keyClick(w.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(w->workspace().count(), 1);
    QCOMPARE(w->workspace().at(0), b);
    w->openFiles({m_a});
    answer(*w, "placeB");
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(w->action("file.open")->isEnabled());
    QTest::keyClick(w.get(), Qt::Key_W, Qt::ControlModifier);
    QTest::keyClick(w.get(), Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(w->workspace().count(), 0);
    QVERIFY(button(*w, "galleryRun")->isVisible());
}

void tst_main_window::theFormIsOfWhatIsOpenedFirst()
{
    const auto recorded = [](const char* name) {
        return QStringLiteral("%1/resources/recordings/h200/%2.sqlite")
            .arg(qEnvironmentVariable("LANES_SOURCE"), QLatin1String(name));
    };
    const auto w = window();
    const auto chosen = [&] { return w->findChild<WorkloadList*>()->selected()->name; };
    const auto runs = [&] { return w->findChild<ParameterForm*>()->runs(); };
    w->openFiles({recorded("two-streams.two-small"), recorded("two-streams.two-full")});
    QTRY_COMPARE(w->workspace().count(), 2);
    QCOMPARE(chosen(), std::string("two-streams"));
    QCOMPARE(runs().size(), 2U);
    QCOMPARE(runs()[0].variant, std::string("two-small"));
    QCOMPARE(runs()[1].variant, std::string("two-full"));

    // Later events leave the form as the user set it.
    w->openFiles({recorded("run-ahead.light"), recorded("run-ahead.heavy")});
    QTRY_VERIFY(w->workspace().count() == 2 && w->workspace().at(1)->run.variant == "heavy");
    QCOMPARE(chosen(), std::string("two-streams"));
}

void tst_main_window::aBadFileIsALineNotADialog()
{
    const QString bad = m_folder.filePath(QStringLiteral("bad.sqlite"));
    QFile file(bad);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("SQLite format 3\0 and then nothing of the kind", 45);
    file.close();
    const auto w = window();
    w->openFiles({m_a});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(w->action("file.open")->isEnabled());
    w->openFiles({bad});
    QTRY_VERIFY(!notice(*w).isEmpty());
    QVERIFY(!QApplication::activeModalWidget());
    QCOMPARE(w->workspace().count(), 1);  // what was open stays
    w->openFiles({m_folder.filePath(QStringLiteral("gone.sqlite"))});
    QTRY_VERIFY(notice(*w).contains(QStringLiteral("gone.sqlite")));
    const QString wrong = m_folder.filePath(QStringLiteral("wrong.yaml"));
    QFile workload(wrong);
    QVERIFY(workload.open(QIODevice::WriteOnly));
    workload.write("threads: {main: [{kernal: {}}]}\n");
    workload.close();
    w->openFiles({wrong});
    QVERIFY2(notice(*w).contains(QStringLiteral("wrong.yaml:1:")), qPrintable(notice(*w)));
}

/// Not the gallery, which would draw its cards meanwhile; it comes back where nothing opened.
void tst_main_window::theLanesHaveTheirPlaceWhileAFileOpens()
{
    const auto w = window();
    const auto* cards = w->findChild<GalleryList*>();
    w->openFiles({m_folder.filePath(QStringLiteral("gone.sqlite"))});
    QTRY_VERIFY(notice(*w).contains(QStringLiteral("gone.sqlite")));
    QTRY_VERIFY(cards->isVisible() && cards->hasFocus());
    w->openFiles({m_a});
    QVERIFY(w->isBusy() && !cards->isVisible() && w->timeline().isVisible());
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(!w->isBusy());
    QCoreApplication::processEvents();
    QVERIFY(w->timeline().view(0)->hasFocus());
}

void tst_main_window::filesAreDropped()
{
    const auto w = window();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(m_a), QUrl::fromLocalFile(m_b)});
    QDragEnterEvent enter({700, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(w.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({700, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(w.get(), &drop);
    QTRY_COMPARE(w->workspace().count(), 2);
}

void tst_main_window::keysReachTheTimeline()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(w->action("view.fit")->isEnabled());
    const TimeScale all = w->timeline().timeScale();
    QTest::keyClick(w.get(), Qt::Key_Plus, Qt::ControlModifier);  // wherever the focus is
    QVERIFY(w->timeline().timeScale().nsPerColumn() < all.nsPerColumn());
    QTest::keyClick(w.get(), Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(w->timeline().timeScale(), all);
    w->action("go.timeline")->trigger();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
    QVERIFY(w->timeline().timeScale().nsPerColumn() < all.nsPerColumn());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Home);
    QCOMPARE(w->timeline().timeScale(), all);
}

/// `lanescope FILE --row ID`: as a click on it.
void tst_main_window::aRowOfTheCommandLineIsSelectedAndExplained()
{
    const auto w = window();
    w->showRowOnceOpen(QStringLiteral("operation:2"));
    w->openFiles({m_a});
    QTRY_VERIFY((w->workspace().selection().event == EventRef {EventTable::operations, 2}));
    QVERIFY(w->findChild<DetailsPanel*>()->isVisible());
    const Ns start = w->workspace().at(0)->trace->operations.start[2];
    const Interval shown = w->timeline().side(0).state().time.visible();
    QVERIFY(shown.start <= start && start < shown.end);
    QVERIFY(!w->timeline().side(0).state().time.isFitted());
}

void tst_main_window::keysOfTheTimelineWorkInPanels()
{
    const auto w = window();
    w->openFiles({m_a});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(w->timeline().activeView()->hasFocus());  // from the gallery
    QTest::keyClick(w.get(), Qt::Key_4, Qt::ControlModifier);
    auto* table = w->findChild<EventsPanel*>()->findChild<QTableView*>();
    table->setFocus();
    table->setCurrentIndex(table->model()->index(0, 0));
    Timeline& lanes = w->timeline().side(0);
    const double before = lanes.timeScale().nsPerColumn();
    QTest::keyClick(table, Qt::Key_W);
    QVERIFY(lanes.timeScale().nsPerColumn() < before);
    QCOMPARE(table->currentIndex().row(), 0);
    QTest::keyClick(table, Qt::Key_Down);  // its own
    QCOMPARE(table->currentIndex().row(), 1);
    QVERIFY(!lanes.layers().isOn(TimelineLayers::Layer::path));
    QTest::keyClick(w->findChild<QPushButton*>(QStringLiteral("run")), Qt::Key_K);
    QVERIFY(lanes.layers().isOn(TimelineLayers::Layer::path));
}

void tst_main_window::selectionReachesEveryPanel()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(w->action("view.fit")->isEnabled());
    auto* details = w->findChild<QTreeWidget*>(QStringLiteral("details"));
    QVERIFY(!w->action("go.details")->isEnabled());
    w->action("go.summary")->trigger();  // a click asks what it is; the table of a panel that selects stays
    w->timeline().select(1, {ItemKind::operation, 1});
    QVERIFY(!w->findChild<DetailsPanel*>()->isVisible());
    TimelineView* view = w->timeline().view(1);
    const ItemRef kernel {ItemKind::operation, 0};
    const auto box = boxOf(view->timeline().frame(), kernel);
    QVERIFY(box);
    QTest::mouseClick(view, Qt::LeftButton, {}, box->center().toPoint());
    QCOMPARE(view->timeline().selection(), kernel);
    QVERIFY(details->isVisible());
    QVERIFY(w->findChild<DetailsPanel*>()->asText().count(QLatin1Char('\n')) > 8);
    QVERIFY(w->action("go.call")->isEnabled());
    QTest::keyClick(w.get(), Qt::Key_4, Qt::ControlModifier);
    auto* events = w->findChild<EventsPanel*>();
    w->timeline().select(1, {ItemKind::operation, 1});
    QCOMPARE(events->model()->eventAt(events->table()->currentIndex().row()), (ItemRef {ItemKind::operation, 1}));
    const ItemRef cause = causeOf(*view->timeline().recording(), view->timeline().selection());
    QVERIFY(cause);
    QTest::keyClick(w.get(), Qt::Key_BracketLeft);
    QCOMPARE(view->timeline().selection(), cause);
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QVERIFY(!view->timeline().selection());
    QVERIFY(!w->action("go.call")->isEnabled());
    QVERIFY(!w->findChild<DetailsPanel*>()->isVisible());
}

/// What is under the mouse stays there when the card takes its room and gives it back; what would lie under the card
/// comes beside it.
void tst_main_window::theCardMovesNothing()
{
    const auto w = window();
    w->resize(1366, 768);
    w->openFiles({m_a});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(w->action("view.fit")->isEnabled());
    QTest::qWait(300);  // lanes and panels have shared the height
    auto* card = w->findChild<DetailsPanel*>();
    TimelineView* view = w->timeline().view(0);
    const TimeScale whole = view->timeline().timeScale();
    const int width = view->width();
    const auto operations = static_cast<Row>(view->timeline().recording()->trace->operations.size());
    for (const Row row : {Row {0}, operations - 1}) {
        const ItemRef item {ItemKind::operation, row};
        const QPointF before = boxOf(view->timeline().frame(), item)->center();
        QTest::mouseClick(view, Qt::LeftButton, {}, before.toPoint());
        QVERIFY(card->isVisible());
        QVERIFY(view->width() < width - card->width() + 1 && view->width() > width - card->width() - 4);  // with a line
        const TimelineFrame frame = view->timeline().frame();
        const auto now = boxOf(frame, item);
        QVERIFY(now && now->right() <= frame.geometry.size.width());
        QCOMPARE(view->timeline().timeScale().nsPerColumn(), whole.nsPerColumn());
        if (before.x() < frame.geometry.size.width() - 40) {
            QVERIFY2((now->center() - before).manhattanLength() < 1.5,
                qPrintable(QStringLiteral("%1, %2 was %3, %4")
                               .arg(now->center().x())
                               .arg(now->center().y())
                               .arg(before.x())
                               .arg(before.y())));
        }
        QTest::keyClick(w.get(), Qt::Key_Escape);
        QVERIFY(!card->isVisible());
        QCOMPARE(view->width(), width);
        QCOMPARE(view->timeline().timeScale(), whole);
        QVERIFY(view->timeline().state().time.isFitted());
    }
    const auto box = boxOf(view->timeline().frame(), {ItemKind::operation, 0});
    QTest::mouseClick(view, Qt::LeftButton, {}, box->center().toPoint());
    QTest::keyClick(w.get(), Qt::Key_W);  // the user's own scale stays
    const double zoomed = view->timeline().timeScale().nsPerColumn();
    QTest::mouseClick(card->findChild<QToolButton*>(QStringLiteral("closeCard")), Qt::LeftButton);
    QVERIFY(!card->isVisible());
    QCOMPARE(view->timeline().timeScale().nsPerColumn(), zoomed);
}

void tst_main_window::aClickOnAFindingMovesNothingInSight_data()
{
    QTest::addColumn<bool>("inSight");
    QTest::newRow("in sight") << true;
    QTest::newRow("out of sight") << false;
}

void tst_main_window::aClickOnAFindingMovesNothingInSight()
{
    QFETCH(bool, inSight);
    const auto w = window();
    w->openFiles({m_a});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(w->action("view.fit")->isEnabled());
    QTest::keyClick(w.get(), Qt::Key_1, Qt::ControlModifier);
    auto* findings = w->findChild<FindingsPanel*>();
    TimelineView* view = w->timeline().view(0);
    if (!inSight) {
        view->timeline().showRange({0, 50'000});
    }
    const TimeScale before = view->timeline().timeScale();
    QTest::mouseClick(findings->viewport(), Qt::LeftButton, {}, findings->visualItemRect(findings->item(0)).center());
    QVERIFY(view->timeline().selection());
    QCOMPARE(view->timeline().timeScale() == before, inSight);
    const Interval shown = view->timeline().visibleRange();
    const Interval event = spanOf(*view->timeline().recording(), view->timeline().selection());
    QVERIFY(shown.start < event.end && shown.end > event.start);
    QVERIFY(shown.start >= -(shown.end - shown.start) / 10);
}

void tst_main_window::anEventOfTheOtherRecordingIsGoneTo()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(w->action("view.fit")->isEnabled());
    w->timeline().showRange({0, 50'000});
    QCOMPARE(w->timeline().activeIndex(), 0);
    auto* events = w->findChild<EventsPanel*>();
    const EventRef last {EventTable::operations, static_cast<Row>(w->workspace().at(1)->trace->operations.size() - 1)};
    emit events->jumpWanted(1, last);
    TimelineView* view = w->timeline().view(1);
    QCOMPARE(view->timeline().selection(), ItemRef(last));
    const Interval span = spanOf(*view->timeline().recording(), last);
    QVERIFY(view->timeline().visibleRange().start < span.end && view->timeline().visibleRange().end > span.start);
}

void tst_main_window::marksAreRememberedAndSaved()
{
    const std::vector<UserMark> marks {{1000, "a"}, {2000, "b"}};
    {
        const auto w = window();
        w->openFiles({m_a});
        QTRY_COMPARE(w->workspace().count(), 1);
        QVERIFY(!w->action("go.next-mark")->isEnabled());
        w->workspace().at(0)->marks->set(marks);
        emit w->timeline().side(0).marks().changed();
        QVERIFY(w->action("go.next-mark")->isEnabled());
    }
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QCOMPARE(w->workspace().at(0)->marks->all(), marks);
    QVERIFY(w->workspace().at(1)->marks->all().empty());
    w->workspace().swap();
    QCOMPARE(w->workspace().at(1)->marks->all(), marks);
    // The changed file has none of the marks of the earlier one.
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("x.sqlite"));
    QVERIFY(QFile::copy(m_a, file));
    rememberMarks(file, marks);
    QCOMPARE(recalledMarks(file), std::optional(marks));
    QFile changed(file);
    QVERIFY(changed.open(QIODevice::Append));
    changed.write("x");
    changed.close();
    QVERIFY(!recalledMarks(file));
    rememberMarks(file, {});
    QCOMPARE(recalledMarks(file)->size(), std::size_t {0});
    forgetMarks(file);
    QVERIFY(!recalledMarks(file));
    rememberMarks(m_a, {});
    forgetMarks(m_a);
}

void tst_main_window::lettersGoIntoTextFields()
{
    const auto w = window();
    w->openFiles({m_a});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(w->action("view.fit")->isEnabled());
    const TimeScale all = w->timeline().timeScale();
    QTest::keyClick(w.get(), Qt::Key_F, Qt::ControlModifier);
    auto* filter = w->findChild<QLineEdit*>(QStringLiteral("searchField"));
    QTRY_VERIFY(filter->hasFocus());
    QTest::keyClicks(filter, QStringLiteral("wasd.,f?[]"));
    QCOMPARE(filter->text(), QStringLiteral("wasd.,f?[]"));
    QCOMPARE(w->timeline().timeScale(), all);
    QVERIFY(!QApplication::activeModalWidget());
}

/// What a filter takes from the lanes they have again without it.
void tst_main_window::lanesAreAsHighAfterAFilter()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(!w->isBusy());
    const auto heights = [&] {
        QCoreApplication::processEvents();
        return QList {w->findChild<QSplitter*>(QStringLiteral("rows"))->sizes().front(),
            w->timeline().view(0)->height(), w->timeline().view(1)->height()};
    };
    const QList<int> before = heights();
    for (const char* filter : {"kind:kernel", "name:nothing-of-that-name"}) {
        w->timeline().filterBar()->ask(QLatin1String(filter));
        heights();
        w->timeline().filterBar()->clear();
        QTRY_COMPARE(heights(), before);
    }
}

/// Where lanes are out of sight, the findings are no higher than their rows.
void tst_main_window::findingsTakeNoRoomThatTheyLeaveEmpty()
{
    const auto w = window();
    w->openFiles({m_a});
    QTRY_COMPARE_WITH_TIMEOUT(w->workspace().count(), 1, 30000);
    QTRY_VERIFY(!w->isBusy());
    auto* panels = w->findChild<PanelTabs*>();
    panels->choose(PanelName::findings);
    QTRY_VERIFY(panels->heightOfFindings(1) > 0);
    for (int height = 480; height < 1000; height += 40) {
        w->resize(1366, height);
        QCoreApplication::processEvents();
        const int most = std::max(panels->heightOfFindings(8), panels->minimumHeight());
        const bool areInSight = w->timeline().heights().liked <= w->timeline().height();
        QVERIFY2(panels->height() <= most || areInSight,
            qPrintable(QStringLiteral("%1 of %2: %3").arg(panels->height()).arg(most).arg(height)));
    }
}

void tst_main_window::panelsAreReachedWithoutARecording()
{
    const auto w = window();
    for (const char* id : {"view.side", "view.panels", "go.findings", "go.statistics", "go.events", "go.workloads"}) {
        w->action(id)->trigger();
    }
    QVERIFY(w->findChild<WorkloadList*>()->hasFocus());
}

void tst_main_window::everyInputHasAnAccessibleName()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    for (QWidget* widget : w->findChildren<QWidget*>()) {
        const bool input
            = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->focusProxy() == nullptr && widget->isVisible();
        if (!input || qobject_cast<QAbstractButton*>(widget) != nullptr
            || widget->parentWidget()->inherits("QAbstractSpinBox") || widget->inherits("QTabBar")
            || widget->inherits("QSplitter")) {
            continue;
        }
        QVERIFY2(!widget->accessibleName().isEmpty(),
            qPrintable(
                QStringLiteral("%1 %2").arg(QLatin1String(widget->metaObject()->className()), widget->objectName())));
    }
}

void tst_main_window::remembersWhatWasChosen()
{
    {
        const auto w = window();
        QVERIFY(w->findChild<WorkloadList*>()->select(QStringLiteral("two-streams")));
        w->findChild<WorkloadList*>()->select(QStringLiteral("copy-results-back"));
        w->findChild<ParameterForm*>()->setRuns({{"overlapped", {{"matrices", "5"}}}});
        w->action("theme.dark")->trigger();
        w->openFiles({m_a});
        QTRY_COMPARE(w->workspace().count(), 1);
        w->close();
    }
    const auto w = window();
    QCOMPARE(w->findChild<WorkloadList*>()->selected()->name, std::string("copy-results-back"));
    const auto runs = w->findChild<ParameterForm*>()->runs();
    QCOMPARE(runs.size(), 1U);
    QCOMPARE(runs[0].variant, std::string("overlapped"));
    QCOMPARE(runs[0].settings, (Settings {{"matrices", "5"}}));
    QVERIFY(w->action("theme.dark")->isChecked());
    QCOMPARE(QSettings().value(QStringLiteral("recent")).toStringList(), QStringList {m_a});
}

void tst_main_window::themesAndLanguage()
{
    const auto w = window();
    w->action("theme.dark")->trigger();
    QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 128);
    QVERIFY(w->action("theme.dark")->isChecked());
    w->action("theme.light")->trigger();
    QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 128);
    QVERIFY(!w->timeline().side(0).theme().isDark());
    QSignalSpy changed(w.get(), &MainWindow::languageChanged);
    w->action("language.zh")->trigger();
    QCOMPARE(changed.count(), 1);
    QCOMPARE(chosenLanguage({}), QStringLiteral("zh_CN"));
    QCOMPARE(chosenLanguage(QStringLiteral("en")), QStringLiteral("en"));
}

void tst_main_window::theWindowFitsTheScreen()
{
    MainWindow w;
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    const QSize screen = w.screen()->availableSize();
    QVERIFY2(screen.width() < 1440, "the screen is too large to show anything");
    QVERIFY2(w.width() <= screen.width() && w.height() <= screen.height(),
        qPrintable(QStringLiteral("%1 x %2").arg(w.width()).arg(w.height())));
}

void tst_main_window::onlyWhatCanBeOpenedIsOffered()
{
    const auto w = window();
    w->action("file.open")->trigger();
    auto* dialog = w->findChild<QFileDialog*>();
    QVERIFY(dialog);
    QCOMPARE(dialog->nameFilters().front().section(QLatin1Char('('), 1).chopped(1).split(QLatin1Char(' ')),
        (QStringList {QStringLiteral("*.sqlite"), QStringLiteral("*.json"), QStringLiteral("*.json.gz"),
            QStringLiteral("*.pftrace"), QStringLiteral("*.pftrace.gz"), QStringLiteral("*.perfetto-trace"),
            QStringLiteral("*.spool"), QStringLiteral("*.yaml"), QStringLiteral("*.yml"), QStringLiteral("*.lanescope"),
            QStringLiteral("*.lanes"), QStringLiteral("*.sum")}));
    dialog->reject();
}

QTEST_MAIN(tst_main_window)
#include "tst_main_window.moc"
