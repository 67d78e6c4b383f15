// SPDX-License-Identifier: MIT
// What would be gained, in the window: a finding leads to its change, the predicted run is shown under the recorded one
// and says everywhere that it is a prediction.
#include "gui/export/render_command.h"
#include "gui/paint/item_box.h"
#include "gui/paint/title_pills.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/session/format.h"
#include "gui/session/scope_reports.h"
#include "gui/session/what_ifs.h"
#include "gui/timeline/alignment.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/difference_strip.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/app/window_case.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>

using namespace lanes;
using namespace lanes::gui;
using replay::ChangeKind;

class tst_predictions : public WindowCase {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { startAfresh(); }
    void theFindingLeadsToItsChange();
    void theFindingOfWhatIsRefusedLeadsNowhere_data();
    void theFindingOfWhatIsRefusedLeadsNowhere();
    void theRunStandsUnderTheRecordedOne();
    void theScopeStaysThatOfTheAnswer_data();
    void theScopeStaysThatOfTheAnswer();
    void aWideTotalIsSaidAsItsInterval_data();
    void aWideTotalIsSaidAsItsInterval();
    void pressedAgainItBringsBackWhatWasOpen_data();
    void pressedAgainItBringsBackWhatWasOpen();
    void itSaysEverywhereThatItIsPredicted();
    void itIsReplayedAgainOfTheSameRecording();
    void thePartIsSaidInTimes();
    void theRealRunStandsBesideWhatWasPredicted();
    void theRealRunTakesNoPlaceForGood_data();
    void theRealRunTakesNoPlaceForGood();
    void theGhostSaysWhatThePanelSays_data();
    void theGhostSaysWhatThePanelSays();
    void theGhostSaysWhyThereIsNone_data();
    void theGhostSaysWhyThereIsNone();
    void escapeTakesThePullBack();

private:
    using Made = std::unique_ptr<MainWindow>;
    static QString recordingFile(const char* name)
    {
        return QStringLiteral("%1/resources/recordings/h200/%2.sqlite")
            .arg(qEnvironmentVariable("LANES_SOURCE"), QLatin1String(name));
    }
    static Made windowWith(const char* recording)
    {
        Made w = window();
        w->openFiles({recordingFile(recording)});
        [&] {
            QTRY_COMPARE(w->workspace().count(), 1);
            QTRY_VERIFY(whatIfs(w).priced() != nullptr && !w->isBusy());
        }();
        return w;
    }
    static WhatIfs& whatIfs(const Made& w) { return *w->workspace().findChild<WhatIfs*>(); }
    static WhatIfPanel& panel(const Made& w) { return *w->findChild<WhatIfPanel*>(); }
    static void showRun(const Made& w, const Changes& changes)
    {
        whatIfs(w).setTicked(changes);
        w->action("go.what-if")->trigger();
        panel(w).table()->setCurrentItem(panel(w).table()->topLevelItem(1));  // what is ticked, under the recorded run
        QTRY_VERIFY(w->action("compare.predicted")->isEnabled());
        w->action("compare.predicted")->trigger();
        QTRY_VERIFY(!w->isBusy() && w->workspace().count() == 2);
    }
    static Timeline& lanes(const Made& w) { return w->timeline().side(0); }
    static ItemRef selectFirst(const Made& w, OperationKind kind)
    {
        const auto& kinds = w->workspace().at(0)->trace->operations.kind;
        const auto found = std::find(kinds.begin(), kinds.end(), kind);
        const ItemRef item(ItemKind::operation, static_cast<Row>(found - kinds.begin()));
        w->action("go.timeline")->trigger();
        lanes(w).select(item);
        QCoreApplication::processEvents();  // the card takes its room
        lanes(w).zoomTo(spanOf(*lanes(w).recording(), item));
        return item;
    }
    static QString said(const Made& w) { return lanes(w).predicting().ghost().said.join(QLatin1Char('\n')); }
    /// Presses at the edge of the selected bar and pulls it to that part of its length.
    static void pull(const Made& w, double times)
    {
        TimelineView* view = w->timeline().view(0);
        QRectF bar;
        const auto at
            = [&bar](double part) { return QPointF(bar.left() + part * bar.width(), bar.center().y()).toPoint(); };
        const auto isAtTheEdge = [&] {
            bar = *boxOf(lanes(w).frame(), lanes(w).selection());
            QTest::mouseMove(view, at(0.5));
            QTest::mouseMove(view, at(1));
            return view->cursor().shape() == Qt::SizeHorCursor;
        };
        QTRY_VERIFY(isAtTheEdge());  // once the card of the selection has its room
        QTest::mousePress(view, Qt::LeftButton, {}, at(1));
        QTest::mouseMove(view, at((1 + times) / 2));
        QTest::mouseMove(view, at(times));
    }
    inline static const Changes pair {{ChangeKind::pin}, {ChangeKind::non_blocking}};
};

void tst_predictions::theFindingLeadsToItsChange()
{
    const Made w = windowWith("item-every-batch.every");
    w->action("go.findings")->trigger();
    const auto links = w->findChild<FindingsPanel*>()->findChildren<QPushButton*>(QStringLiteral("findingWhatIf"));
    QVERIFY(!links.isEmpty());
    QVERIFY(links.front()->isVisible() && !links.front()->visibleRegion().isEmpty());
    QTest::mouseClick(links.front(), Qt::LeftButton);
    QVERIFY(panel(w).isVisible());
    QCOMPARE(whatIfs(w).ticked(), (Changes {{ChangeKind::drop_values, {}, 0, "sync-after-small-copy"}}));
    QVERIFY(panel(w).table()->currentItem()->text(0).contains(QStringLiteral("do not fetch values")));
}

void tst_predictions::theFindingOfWhatIsRefusedLeadsNowhere_data()
{
    QTest::addColumn<bool>("atSight");
    QTest::newRow("cut short: at once") << true;
    QTest::newRow("host functions: once it is priced") << false;
}

void tst_predictions::theFindingOfWhatIsRefusedLeadsNowhere()
{
    QFETCH(bool, atSight);
    const Made w = windowWith("item-every-batch.every");
    const auto* findings = w->findChild<FindingsPanel*>();
    const auto links = [findings] { return findings->findChildren<QPushButton*>(QStringLiteral("findingWhatIf")); };
    const auto open = links().size();
    QVERIFY(open > 0);
    const OpenRecordingPtr good = w->workspace().at(0);
    Trace trace = open_recording(recordingFile("item-every-batch.every").toStdString());
    if (atSight) {
        trace.meta["complete"] = "no";
    } else {
        trace.host_functions.emplace_back();
    }
    const OpenRecordingPtr bad = analysed(std::move(trace), QString());
    w->workspace().set({bad});
    QVERIFY(findings->findings() > 0);
    QVERIFY(links().isEmpty());  // findings are priced by the same replay, and name no change that it refuses
    QTRY_VERIFY(whatIfs(w).isRefused(bad));
    QVERIFY(links().isEmpty());
    w->workspace().set({bad, good});
    QCOMPARE(links().size(), open);
    for (const QPushButton* link : links()) {
        QVERIFY2(link->accessibleName().contains(QStringLiteral("(B)")), qPrintable(link->accessibleName()));
    }
}

void tst_predictions::theRunStandsUnderTheRecordedOne()
{
    const Made w = windowWith("copy-results-back.blocking");
    const OpenRecordingPtr recorded = w->workspace().at(0);
    showRun(w, pair);
    const OpenRecordingPtr predicted = w->workspace().at(1);
    QCOMPARE(w->workspace().at(0)->trace, recorded->trace);
    QCOMPARE(predicted->trace->source, Source::predicted);
    const auto prediction = whatIfs(w).priced()->whatIf.predict(pair);
    QCOMPARE(predicted->report->wall, prediction.total);
    QCOMPARE(predicted->report->verdict.kind, Verdict::Kind::overlapped);  // for it, by the ordinary rules
    QCOMPARE(recorded->report->verdict.kind, Verdict::Kind::serial);
    QTRY_VERIFY(w->timeline().side(1).recording() != nullptr);
    QVERIFY(w->windowTitle().contains(QStringLiteral("(predicted)")));
    // With the prediction selected, what-if is about its recording.
    w->workspace().setActive(1);
    QCOMPARE(whatIfs(w).recording()->trace, recorded->trace);
    QVERIFY(whatIfs(w).priced());
}

void tst_predictions::theScopeStaysThatOfTheAnswer_data()
{
    QTest::addColumn<Scope::Of>("of");
    QTest::newRow("all") << Scope::Of::all;
    QTest::newRow("what repeats") << Scope::Of::repeated;
    QTest::newRow("selected") << Scope::Of::selected;
}

/// Also of a program that repeats, whose typical iterations are compared with those of any other run.
void tst_predictions::theScopeStaysThatOfTheAnswer()
{
    QFETCH(Scope::Of, of);
    const Made w = windowWith("../../traces/pytorch-item.every");
    if (of == Scope::Of::selected) {
        const Ns all = w->workspace().at(0)->trace->duration;
        w->workspace().selectRange(0, Interval {all / 4, all / 2});
    } else {
        w->workspace().chooseScope(of);
    }
    w->action("go.what-if")->trigger();
    const Scope scope = w->workspace().scope();
    QCOMPARE(scope.of, of);
    QTRY_VERIFY(!w->workspace().reports().isFoundOld() && whatIfs(w).priced() != nullptr);
    QTreeWidget* table = panel(w).table();
    const auto graph = [&]() -> QTreeWidgetItem* {
        const auto found = table->findItems(QStringLiteral("launch CUDA graphs"), Qt::MatchExactly, 0);
        return found.isEmpty() ? nullptr : found.front();
    };
    QTRY_VERIFY(graph() != nullptr);
    table->setCurrentItem(graph());
    const auto priced = whatIfs(w).priced();
    QTRY_VERIFY(w->action("compare.predicted")->isEnabled());
    w->action("compare.predicted")->trigger();
    QTRY_VERIFY(!w->isBusy() && w->workspace().count() == 2);
    QTest::qWait(500);  // iterations of both are found
    QCOMPARE(w->workspace().scope().of, of);
    QVERIFY(!w->workspace().scope().isIteration);
    QCOMPARE(w->workspace().scope().ranges[0], scope.ranges[0]);
    QCOMPARE(whatIfs(w).priced(), priced);
    QCOMPARE(table->currentItem(), graph());
    QVERIFY(w->action("compare.typical")->shortcuts().contains(QKeySequence(Qt::Key_T)));
}

void tst_predictions::aWideTotalIsSaidAsItsInterval_data()
{
    QTest::addColumn<Scope::Of>("of");
    QTest::newRow("of all") << Scope::Of::all;
    QTest::newRow("of what repeats") << Scope::Of::repeated;
}

/// As in What if: neither the row between the runs nor the head of the prediction has a single figure.
void tst_predictions::aWideTotalIsSaidAsItsInterval()
{
    QFETCH(Scope::Of, of);
    const Made w = windowWith("../../traces/pytorch-item.every");
    w->workspace().chooseScope(of);
    w->action("go.what-if")->trigger();
    QTRY_VERIFY(!w->workspace().reports().isFoundOld() && whatIfs(w).priced() != nullptr);
    QTreeWidget* table = panel(w).table();
    QTRY_VERIFY(!table->findItems(QStringLiteral("launch CUDA graphs"), Qt::MatchExactly, 0).isEmpty());
    table->setCurrentItem(table->findItems(QStringLiteral("launch CUDA graphs"), Qt::MatchExactly, 0).front());
    QTRY_VERIFY(panel(w).chosenPrediction() != nullptr && isWhole(*panel(w).chosenPrediction()));
    const replay::Prediction found = whatIfs(w).ofPart(*panel(w).chosenPrediction());
    QVERIFY(found.is_wide());
    w->action("compare.predicted")->trigger();
    QTRY_VERIFY(!w->isBusy() && w->workspace().count() == 2);
    QTRY_VERIFY(!w->timeline().pair().reportsAreOld());
    const QString total = QStringLiteral("total: %1 \u2192 %2 \u2013 %3")
                              .arg(formatTime(whatIfs(w).recorded()), formatTime(found.low), formatTime(found.high));
    const QStringList lines = w->timeline().differences()->lines();
    QVERIFY2(lines.contains(total), qPrintable(total + QLatin1Char('\n') + lines.join(QLatin1Char('\n'))));
    const QString verdict = w->timeline().side(1).frame().verdict.text;
    QVERIFY2(!verdict.contains(QStringLiteral("as fast")) && !verdict.contains(QStringLiteral("faster")),
        qPrintable(verdict));
}

void tst_predictions::pressedAgainItBringsBackWhatWasOpen_data()
{
    QTest::addColumn<int>("open");
    QTest::addColumn<int>("active");
    QTest::addColumn<bool>("anotherBetween");
    QTest::newRow("one") << 1 << 0 << false;
    QTest::newRow("A of two") << 2 << 0 << false;
    QTest::newRow("B of two") << 2 << 1 << false;
    QTest::newRow("B of two, two predictions after one another") << 2 << 1 << true;
}

void tst_predictions::pressedAgainItBringsBackWhatWasOpen()
{
    QFETCH(int, open);
    QFETCH(int, active);
    QFETCH(bool, anotherBetween);
    const Made w = window();
    w->openFiles(
        QStringList {recordingFile("copy-results-back.blocking"), recordingFile("copy-results-back.overlapped")}.mid(
            0, open));
    QTRY_COMPARE(w->workspace().count(), open);
    const auto before = w->workspace().recordings();
    auto* form = w->findChild<ParameterForm*>();
    QCOMPARE(form->runs().size(), before.size());
    const auto runs = form->runs();
    w->timeline().pair().follow(active, EventRef {EventTable::operations, 0});
    QCOMPARE(w->workspace().active(), active);
    w->timeline().setAlignment({{Ns(1'000'000), Ns(2'000'000)}, {}});
    w->timeline().showRange({2'000'000, 5'000'000});
    QTRY_VERIFY(whatIfs(w).priced() != nullptr && !w->isBusy());
    QVERIFY(!w->action("compare.predicted")->isChecked());
    const auto isSeen = [&w](Interval wanted) {
        const Interval seen = w->timeline().side(0).visibleRange();
        constexpr Ns column = 10'000;
        return std::abs(seen.start - wanted.start) < column && std::abs(seen.end - wanted.end) < column;
    };
    QVERIFY(isSeen({2'000'000, 5'000'000}));
    const Changes faster {{ChangeKind::faster, {}, 2}};
    const auto shown = [&](const OpenRecordingPtr& of) {
        const Workspace& now = w->workspace();
        return now.count() == 2 && now.at(0)->trace == of->trace && now.at(1)->trace->source == Source::predicted;
    };
    const OpenRecordingPtr of = before[static_cast<std::size_t>(active)];
    showRun(w, faster);
    QTRY_VERIFY(shown(of));
    QVERIFY(w->action("compare.predicted")->isChecked());
    QCOMPARE(form->runs(), std::vector {runs[static_cast<std::size_t>(active)]});
    if (anotherBetween) {
        const OpenRecordingPtr first = w->workspace().at(1);
        whatIfs(w).setTicked({{ChangeKind::faster, {}, 3}});
        panel(w).table()->setCurrentItem(panel(w).table()->topLevelItem(1));
        QTRY_VERIFY(w->action("compare.predicted")->isEnabled() && !w->action("compare.predicted")->isChecked());
        w->action("compare.predicted")->trigger();
        QTRY_VERIFY(shown(of) && w->workspace().at(1) != first);
    }
    // The same part is in view as in the recording, from the prediction's start.
    const Ns moved = active == 0 || open == 1 ? 0 : 1'000'000;
    QTRY_VERIFY(isSeen({2'000'000 + moved, 5'000'000 + moved}));
    w->timeline().showRange({0, 1'000'000});
    w->action("compare.predicted")->trigger();
    QCOMPARE(w->workspace().recordings(), before);
    QCOMPARE(w->workspace().active(), active);
    QCOMPARE(form->runs(), runs);
    QCOMPARE(whatIfs(w).recording(), of);
    QCOMPARE(whatIfs(w).ticked().size(), std::size_t(1));  // to be shown again
    QVERIFY(!w->action("compare.predicted")->isChecked());
    QTRY_VERIFY(isSeen({2'000'000, 5'000'000}));
    QCOMPARE(w->timeline().pair().alignment().atStarts(), open == 1);
}

void tst_predictions::itSaysEverywhereThatItIsPredicted()
{
    const Made w = windowWith("copy-results-back.blocking");
    showRun(w, pair);
    const OpenRecordingPtr predicted = w->workspace().at(1);
    const QString file = m_folder.filePath(QStringLiteral("predicted.sqlite"));
    save_recording(*predicted->trace, file.toStdString());
    const OpenRecordingPtr again = analysed(open_recording(file.toStdString()), file);
    QCOMPARE(again->trace->source, Source::predicted);
    QCOMPARE(again->title, predicted->title);
    QVERIFY(sourceText(*again->trace).startsWith(QStringLiteral("Predicted")));
    speak(QStringLiteral("zh_CN"));
    const OpenRecordingPtr chinese = retold(predicted);
    QVERIFY2(text(chinese->title).contains(QStringLiteral("锁页")), chinese->title.c_str());
    QVERIFY(longTitle(*chinese).contains(QStringLiteral("预测")));
    speak(QStringLiteral("en"));
    const QString recorded = w->workspace().at(0)->path;
    const QString out = m_folder.filePath(QStringLiteral("both.svg"));
    QCOMPARE(renderCommand({recorded, file, QStringLiteral("-o"), out}), 0);
    QFile made(out);
    QVERIFY(made.open(QIODevice::ReadOnly));
    QVERIFY(made.readAll().contains("redicted"));
}

void tst_predictions::itIsReplayedAgainOfTheSameRecording()
{
    const Made w = windowWith("copy-results-back.blocking");
    const OpenRecordingPtr recorded = w->workspace().at(0);
    showRun(w, pair);
    const OpenRecordingPtr first = w->workspace().at(1);
    showRun(w, {{ChangeKind::pin}});
    QTRY_VERIFY(w->workspace().at(1) != first);
    QCOMPARE(w->workspace().at(0)->trace, recorded->trace);
    QVERIFY(w->workspace().at(1)->report->wall > first->report->wall);
}

/// The query that limits a change is not shown.
void tst_predictions::thePartIsSaidInTimes()
{
    const Made w = windowWith("copy-results-back.blocking");
    const Interval part {2'000'000, 31'000'000};
    whatIfs(w).setScope(replay::query_of(part), part);
    QTRY_VERIFY(whatIfs(w).priced() != nullptr);
    showRun(w, {{ChangeKind::pin, replay::query_of(part)}});
    const OpenRecordingPtr predicted = w->workspace().at(1);
    const QString said = text(predicted->title) + w->windowTitle() + caveats(*predicted).join(QLatin1Char(' '));
    QVERIFY2(!said.contains(QStringLiteral("at>=")) && !said.contains(QStringLiteral("ns")), qPrintable(said));
    QVERIFY2(text(predicted->title).contains(QStringLiteral("2.0 ms to 31.0 ms")), predicted->title.c_str());
}

void tst_predictions::theRealRunStandsBesideWhatWasPredicted()
{
    const Made w = windowWith("copy-results-back.blocking");
    const OpenRecordingPtr recorded = w->workspace().at(0);
    QCOMPARE(recorded->report->wall, whatIfs(w).priced()->whatIf.gate().recorded);
    showRun(w, pair);
    auto* said = w->findChild<QLabel*>(QStringLiteral("whatIfMeasured"));
    auto* offer = w->findChild<QPushButton*>(QStringLiteral("whatIfToMeasured"));
    QVERIFY(said->text().isEmpty() && offer->isVisible());
    QVERIFY2(offer->text().contains(QStringLiteral("Overlapped copies")), qPrintable(offer->text()));
    offer->setFocus();
    offer->click();
    QTRY_VERIFY(!w->isBusy() && w->workspace().at(1)->run.variant == "overlapped");
    QCOMPARE(w->workspace().at(0)->trace, recorded->trace);
    const auto prediction = whatIfs(w).priced()->whatIf.predict(pair);
    const Ns took = w->workspace().at(1)->report->wall;
    for (const Ns time : {took, prediction.total, prediction.low, prediction.high}) {
        QVERIFY2(said->text().contains(formatTime(time)), qPrintable(said->text()));
    }
    QVERIFY(prediction.low <= took && took <= prediction.high);
    QVERIFY(!said->text().contains(QStringLiteral("outside")));
    QVERIFY(offer->isHidden());
    QVERIFY(panel(w).table()->hasFocus());
    // The prediction is under it again: the recorded result is kept.
    w->action("compare.predicted")->trigger();
    QTRY_VERIFY(!w->isBusy() && w->workspace().at(1)->trace->source == Source::predicted);
    QVERIFY(said->text().contains(formatTime(took)));
    panel(w).table()->setCurrentItem(panel(w).table()->topLevelItem(1));  // what is ticked, under the recorded run
    whatIfs(w).setTicked({{ChangeKind::faster, {}, 2}});
    QVERIFY(said->text().isEmpty() && offer->isHidden());  // no variant has faster kernels
}

void tst_predictions::theRealRunTakesNoPlaceForGood_data()
{
    QTest::addColumn<bool>("isPredictedFirst");
    QTest::newRow("in the place of a prediction") << true;
    QTest::newRow("in the place of what was open") << false;
}

void tst_predictions::theRealRunTakesNoPlaceForGood()
{
    QFETCH(bool, isPredictedFirst);
    const Made w = windowWith("copy-results-back.blocking");
    w->openFiles({recordingFile("item-every-batch.every")});
    answer(*w, "placeB");
    QTRY_VERIFY(!w->isBusy() && w->workspace().count() == 2);
    const auto before = w->workspace().recordings();
    QAction* predicted = w->action("compare.predicted");
    whatIfs(w).setTicked(pair);
    w->action("go.what-if")->trigger();
    panel(w).table()->setCurrentItem(panel(w).table()->topLevelItem(1));  // what is ticked
    QTRY_VERIFY(predicted->isEnabled());
    const auto shows = [&](bool isPrediction) {
        const Workspace& now = w->workspace();
        return !w->isBusy() && now.count() == 2 && now.at(0)->trace == before[0]->trace
            && now.at(1)->trace != before[1]->trace && (now.at(1)->trace->source == Source::predicted) == isPrediction;
    };
    if (isPredictedFirst) {
        predicted->trigger();
        QTRY_VERIFY(shows(true));
    }
    auto* offer = w->findChild<QPushButton*>(QStringLiteral("whatIfToMeasured"));
    QTRY_VERIFY(offer->isVisible());
    offer->click();
    QTRY_VERIFY(shows(false));
    QVERIFY(predicted->isEnabled() && !predicted->isChecked());
    predicted->trigger();
    QTRY_VERIFY(shows(true));
    QVERIFY(predicted->isChecked());
    predicted->trigger();
    QCOMPARE(w->workspace().recordings(), before);
}

void tst_predictions::theGhostSaysWhatThePanelSays_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<bool>("isPart");
    QTest::newRow("the edge is pulled") << "pull" << false;
    QTest::newRow("the edge is pulled, of a part") << "pull" << true;
    QTest::newRow("by keys") << "Alt+-" << false;
    QTest::newRow("on the next stream") << "Alt+S" << false;
    QTest::newRow("as CUDA graphs, of a part") << "Alt+U" << true;
}

/// The plate has the figures that What if has for the change once Enter has added it there.
void tst_predictions::theGhostSaysWhatThePanelSays()
{
    QFETCH(QString, how);
    QFETCH(bool, isPart);
    const Made w = windowWith(how == QLatin1String("Alt+U") ? "cuda-graph.launches"
            : how == QLatin1String("Alt+S")                 ? "copies-both-ways.three-streams"
                                                            : "copy-results-back.overlapped");
    const Ns all = w->workspace().at(0)->report->wall;
    if (isPart) {
        lanes(w).selectRange(Interval {all / 4, all});  // nobody prices it before the panel is seen
        QTRY_VERIFY(whatIfs(w).part().end > 0);
    }
    const PredictHand& hand = lanes(w).predicting();
    const bool isCopy = how == QLatin1String("Alt+S");
    const ItemRef selected = selectFirst(w, isCopy ? OperationKind::d2h : OperationKind::kernel);
    if (how == QLatin1String("pull")) {
        pull(w, 0.5);
        QVERIFY(hand.ghost().pulled && !said(w).isEmpty());  // at once
        QTest::mouseRelease(w->timeline().view(0), Qt::LeftButton);
    } else {
        QTest::keySequence(w.get(), QKeySequence(how));
    }
    QVERIFY(hand.wish());
    QTRY_VERIFY(hand.ghost().run != nullptr && !said(w).contains(QChar(0x2026)));
    const QString plate = said(w);
    QCOMPARE(lanes(w).selection(), selected);
    QTest::keyClick(w->timeline().view(0), Qt::Key_Return);
    QVERIFY(!hand.isShown());
    QVERIFY(panel(w).isVisible());
    QCOMPARE(whatIfs(w).ticked().size(), std::size_t {1});
    QTRY_VERIFY(panel(w).chosenPrediction() != nullptr && isWhole(*panel(w).chosenPrediction()));
    QCOMPARE(panel(w).chosen(), whatIfs(w).ticked());
    const replay::Prediction found = whatIfs(w).ofPart(*panel(w).chosenPrediction());
    for (const Ns time : {whatIfs(w).recorded(), found.is_wide() ? found.low : found.total, found.low, found.high}) {
        QVERIFY2(plate.contains(formatTime(time)), qPrintable(plate + QLatin1Char(' ') + formatTime(time)));
    }
    QVERIFY(std::abs(whatIfs(w).recorded() - (isPart ? all - all / 4 : all)) < all / 50);
    QVERIFY(found.count > 0);
}

void tst_predictions::theGhostSaysWhyThereIsNone_data()
{
    QTest::addColumn<bool>("isRefused");
    QTest::newRow("nothing can be predicted") << true;
    QTest::newRow("pageable copies take the host's time") << false;
}

void tst_predictions::theGhostSaysWhyThereIsNone()
{
    QFETCH(bool, isRefused);
    const Made w = windowWith("copy-results-back.blocking");
    if (isRefused) {
        Trace trace = open_recording(recordingFile("copy-results-back.blocking").toStdString());
        trace.host_functions.emplace_back();
        w->workspace().set({analysed(std::move(trace), QString())});
    }
    selectFirst(w, isRefused ? OperationKind::kernel : OperationKind::d2h);
    QTest::keySequence(w.get(), QKeySequence(QStringLiteral("Alt+-")));
    QTRY_VERIFY(said(w).contains(isRefused ? QLatin1String("No prediction") : QLatin1String("pageable")));
    QVERIFY2(!said(w).contains(QLatin1String("Enter")), qPrintable(said(w)));
    QVERIFY(!lanes(w).predicting().ghost().run);
    QTest::keyClick(w->timeline().view(0), Qt::Key_Return);
    QVERIFY(!lanes(w).predicting().isShown() && whatIfs(w).ticked().empty());
}

/// While the mouse holds the edge, too.
void tst_predictions::escapeTakesThePullBack()
{
    const Made w = windowWith("copy-results-back.overlapped");
    const ItemRef selected = selectFirst(w, OperationKind::kernel);
    const Interval seen = lanes(w).visibleRange();
    for (const bool isHeld : {true, false}) {
        pull(w, 0.5);
        if (!isHeld) {
            QTest::mouseRelease(w->timeline().view(0), Qt::LeftButton);
        }
        QVERIFY(lanes(w).predicting().isShown());
        QTest::keyClick(w->timeline().view(0), Qt::Key_Escape);
        QVERIFY(!lanes(w).predicting().isShown());
        QCOMPARE(lanes(w).selection(), selected);
        QVERIFY(!lanes(w).state().highlights.range);
        if (isHeld) {
            QTest::mouseRelease(w->timeline().view(0), Qt::LeftButton);
        }
        QVERIFY(!lanes(w).predicting().isShown());
    }
    QTest::qWait(200);  // what was being replayed comes no more
    QVERIFY(!lanes(w).predicting().isShown() && whatIfs(w).ticked().empty());
    QCOMPARE(lanes(w).visibleRange().start, seen.start);
    for (const char* key : {"Alt+-", "Alt++"}) {
        QTest::keySequence(w.get(), QKeySequence(QLatin1String(key)));
    }
    QVERIFY2(said(w).contains(QLatin1String("As recorded")), qPrintable(said(w)));
    QTest::keyClick(w->timeline().view(0), Qt::Key_Return);  // there is nothing to add
    QVERIFY(!lanes(w).predicting().isShown() && whatIfs(w).ticked().empty());
    QTest::keyClick(w->timeline().view(0), Qt::Key_Escape);
    QVERIFY(!lanes(w).selection());  // as ever
}

QTEST_MAIN(tst_predictions)
#include "tst_predictions.moc"
