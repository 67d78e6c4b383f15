// SPDX-License-Identifier: MIT
#include "gui/app/edit/live_run.h"
#include "gui/app/frame/language.h"
#include "gui/app/frame/main_window.h"
#include "gui/app/learn/gallery_list.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/parameter_field.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/quantity_slider.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/panels/model_recording.h"

#include <QAction>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

using namespace lanes;
using namespace lanes::gui;

class tst_live_run : public QObject {
    Q_OBJECT

    static RunRequest request(const std::shared_ptr<const Workload>& workload, const char* bytes)
    {
        return {workload, {"blocking", {{"bytes", bytes}}}, {}, {}, {}};
    }
    static std::unique_ptr<MainWindow> window()
    {
        auto window = std::make_unique<MainWindow>();
        window->resize(1300, 860);
        window->show();
        [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(window.get());
        window->findChild<WorkloadList*>()->select(QStringLiteral("copy-results-back"));
        return window;
    }
    static void runBoth(MainWindow& w)
    {
        w.action("run.run")->trigger();
        QTRY_VERIFY(w.workspace().count() == 2 && !w.isBusy());
    }
    static QuantitySlider* slider(MainWindow& w, const char* field)
    {
        return w.findChild<ParameterField*>(QLatin1String(field))->findChild<QuantitySlider*>();
    }

private slots:
    void initTestCase();
    void init();
    void theNewestWishIsAnswered();
    void whatIsShownAlreadyIsNotMadeAgain();
    void afterStopNothingComes();
    void lanesFollowTheSlider();
    void aTypedValueFits();
    void whatOneLooksAtStays();
    void withoutLiveKnobsNothingFollows();
    void recordingsOfOthersStay();
    void aWrongValueChangesNothing();
    void runAgainPutsOldAndNewSideBySide();
    void whatWasRecordedComesBack();
    void theWheelChoosesNothing();
};

void tst_live_run::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope-test"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_live_run"));
    qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources");
    qputenv("LANES_PROGRAM", "/no/such/lanes");
}

void tst_live_run::init()
{
    QSettings().clear();
    speak(QStringLiteral("en"));
}

void tst_live_run::theNewestWishIsAnswered()
{
    const auto workload = smallWorkload();
    LiveRun live;
    std::vector<std::vector<OpenRecordingPtr>> made;
    connect(&live, &LiveRun::made, this, [&](const auto& recordings) { made.push_back(recordings); });
    QElapsedTimer since;
    since.start();
    for (const char* bytes : {"1 MiB", "2 MiB", "3 MiB", "4 MiB", "5 MiB"}) {
        live.want({request(workload, bytes), request(workload, "8 MiB")}, {});
    }
    QTRY_VERIFY(!live.isBusy());
    if (made.size() != 1
        || since.elapsed() < LiveRun::patience_ms) {  // else the machine is so slow that one was given up
        QCOMPARE(made.size(), 2U);  // the first was under way, those between were never begun
    }
    QCOMPARE(made.back().size(), 2U);
    QCOMPARE(made.back()[0]->run.settings.at("bytes"), std::string("5 MiB"));
    QCOMPARE(made.back()[1]->run.settings.at("bytes"), std::string("8 MiB"));
    QCOMPARE(
        made.back()[0]->report->gpus[0].copy, modelRecording("blocking", {{"bytes", "5 MiB"}})->report->gpus[0].copy);
}

void tst_live_run::whatIsShownAlreadyIsNotMadeAgain()
{
    const auto workload = smallWorkload();
    LiveRun live;
    std::vector<OpenRecordingPtr> made;
    connect(&live, &LiveRun::made, this, [&](const auto& recordings) { made = recordings; });
    live.want({request(workload, "1 MiB"), request(workload, "2 MiB")}, {});
    QTRY_COMPARE(made.size(), 2U);
    const std::vector<OpenRecordingPtr> before = made;
    live.want({request(workload, "1 MiB"), request(workload, "4 MiB")}, before);
    QTRY_VERIFY(!live.isBusy());
    QCOMPARE(made[0], before[0]);
    QVERIFY(made[1] != before[1]);
}

void tst_live_run::afterStopNothingComes()
{
    LiveRun live;
    QSignalSpy made(&live, &LiveRun::made);
    live.want({request(smallWorkload(), "1 MiB")}, {});
    live.stop();
    QTRY_VERIFY(!live.isBusy());
    QCOMPARE(made.count(), 0);
}

void tst_live_run::lanesFollowTheSlider()
{
    const auto w = window();
    runBoth(*w);
    QSignalSpy all(&w->workspace(), &Workspace::changed);
    const Ns a = w->workspace().at(0)->report->gpus[0].copy;
    const Ns b = w->workspace().at(1)->report->gpus[0].copy;
    auto* bytes = slider(*w, "bytes.A");
    const auto reach = [&](double share) { return QPoint(int(bytes->width() * share), bytes->height() / 2); };
    QTest::mousePress(bytes, Qt::LeftButton, {}, reach(0.7));
    for (const double share : {0.75, 0.8, 0.85, 0.9, 0.95}) {
        QTest::mouseMove(bytes, reach(share));
    }
    QTRY_VERIFY(!w->isFollowing() && w->workspace().at(0)->report->gpus[0].copy > 3 * a);
    QVERIFY(w->workspace().at(1)->report->gpus[0].copy > 3 * b);  // one field for both
    QCOMPARE(w->workspace().at(0)->run.settings.at("bytes"), bytes->quantity().toStdString());
    QCOMPARE(w->timeline().side(0).recording(), RecordingPtr(w->workspace().at(0)));
    // While the knob is held there may be room for growth; once it is released, the run fills the view.
    const TimelineView& view = *w->timeline().view(0);
    const auto fills = [&view] {
        const double room = static_cast<double>(
            view.timeline().visibleRange().end - view.timeline().state().time.fittingExtent().end);
        return view.timeline().state().time.isFitted()
            && std::abs(room) < 3 * view.timeline().timeScale().nsPerColumn();
    };
    QVERIFY(!fills());
    QTest::mouseRelease(bytes, Qt::LeftButton, {}, reach(0.95));
    QTRY_VERIFY(fills());
    QCOMPARE(all.count(), 0);
    QTest::keyClick(bytes, Qt::Key_Home);
    QTRY_VERIFY(w->workspace().at(0)->run.settings.at("bytes") == "4 KiB");
    QTRY_VERIFY(fills());
}

/// The run and the host's read after it are everything, with or without the room beside it.
void tst_live_run::aTypedValueFits()
{
    const auto w = window();
    runBoth(*w);
    const Timeline& timeline = w->timeline().side(0);
    w->timeline().showRange({0, timeline.model()->drawnEnd() * 103 / 100});
    QVERIFY(!timeline.state().time.isFitted());
    auto* edit = w->findChild<ParameterField*>(QStringLiteral("matrices.A"))->findChild<QLineEdit*>();
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, QStringLiteral("3"));
    QTRY_VERIFY(!w->isFollowing() && w->workspace().at(0)->run.settings.count("matrices") > 0);
    QTRY_VERIFY(timeline.state().time.isFitted());
    QVERIFY(timeline.visibleRange().end < timeline.model()->drawnEnd() * 11 / 10);
}

void tst_live_run::whatOneLooksAtStays()
{
    const auto w = window();
    runBoth(*w);
    TimelineView& view = *w->timeline().view(0);
    const TimeScale all = view.timeline().timeScale();
    w->timeline().showRange({1'000'000, 9'000'000});
    w->timeline().side(0).selectRange(Interval {2'000'000, 4'000'000});
    const ItemRef third {ItemKind::operation, 2};
    w->timeline().select(0, third);
    view.perform(TimelineAction::collapseLanes);
    const TimeScale scale = view.timeline().timeScale();
    const LaneModel* model = view.timeline().model();
    slider(*w, "kernel_time.A")->setValue(slider(*w, "kernel_time.A")->value() + 3);
    QTRY_VERIFY(view.timeline().model() != model);
    QCOMPARE(view.timeline().timeScale(), scale);
    QCOMPARE(view.timeline().selection(), third);
    QCOMPARE(view.timeline().state().highlights.range, std::optional(Interval {2'000'000, 4'000'000}));
    QVERIFY(!view.timeline().state().arrangement.isEmpty());
    w->timeline().perform(TimelineAction::previousView);
    QCOMPARE(view.timeline().timeScale(), all);  // one step back from the zoom, none for the knob
    slider(*w, "matrices.A")->setValue(0);  // there is no third operation of that stream any more
    QTRY_VERIFY(w->workspace().at(0)->trace->operations.size() == 2);
    QVERIFY(!view.timeline().selection());
}

void tst_live_run::withoutLiveKnobsNothingFollows()
{
    const auto w = window();
    runBoth(*w);
    w->action("run.live")->trigger();
    QVERIFY(!w->action("run.live")->isChecked());
    const auto before = w->workspace().recordings();
    auto* time = slider(*w, "kernel_time.A");
    time->setValue(time->value() + 3);
    QVERIFY(!w->isFollowing());
    w->action("run.live")->trigger();  // catches up
    QTRY_VERIFY(w->workspace().recordings() != before);
}

void tst_live_run::recordingsOfOthersStay()
{
    const auto w = window();
    const QString shipped = QStringLiteral("/resources/recordings/h200/copy-results-back.blocking.sqlite");
    const QTemporaryDir folder;
    const QString own = folder.filePath(QStringLiteral("own.sqlite"));
    QVERIFY(QFile::copy(qEnvironmentVariable("LANES_SOURCE") + shipped, own));
    w->openFiles({own});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(!w->isBusy());
    const auto push = [&] {
        auto* time = slider(*w, "kernel_time.A");
        time->setValue(time->value() + 3);
    };
    push();
    QVERIFY(!w->isFollowing());
    w->workspace().close(0);
    w->openFiles({qEnvironmentVariable("LANES_SOURCE") + shipped});  // it can be opened again
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(!w->isBusy());
    push();
    QTRY_VERIFY(w->workspace().at(0)->is_model());
}

void tst_live_run::aWrongValueChangesNothing()
{
    const auto w = window();
    runBoth(*w);
    auto* edit = w->findChild<ParameterField*>(QStringLiteral("bytes.A"))->findChild<QLineEdit*>();
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, QStringLiteral("64 MiBs"));
    QVERIFY(w->findChild<ParameterForm*>()->fieldsProblem());
    QTRY_VERIFY(!w->isFollowing());
    QCOMPARE(w->workspace().at(0)->run.settings.count("bytes"), 0U);
    QTRY_VERIFY(!w->findChild<ParameterForm*>()->problem().isEmpty());
}

void tst_live_run::runAgainPutsOldAndNewSideBySide()
{
    const auto w = window();
    runBoth(*w);
    auto* bytes = slider(*w, "bytes.A");
    bytes->setQuantity(QStringLiteral("64 MiB"));
    bytes->setValue(bytes->value() - 8);
    QTRY_VERIFY(!w->isFollowing() && w->workspace().at(0)->run.settings.at("bytes") == "32 MiB");
    w->action("run.again")->trigger();
    QTRY_COMPARE(text(w->workspace().at(1)->title), QStringLiteral("Blocking copies \u00B7 Size of a matrix 32 MiB"));
    QCOMPARE(text(w->workspace().at(0)->title), QStringLiteral("Blocking copies \u00B7 Size of a matrix 64 MiB"));
    QTRY_VERIFY(w->action("run.run")->isEnabled());
    // The new one alone follows its knob.
    const OpenRecordingPtr old = w->workspace().at(0);
    slider(*w, "bytes.B")->setValue(0);  // the form has a column for each now
    QTRY_COMPARE(text(w->workspace().at(1)->title), QStringLiteral("Blocking copies \u00B7 Size of a matrix 4 KiB"));
    QCOMPARE(w->workspace().at(0), old);
}

/// Lanescope's recordings of a lesson stay shown while other variants are chosen, and are back once a changed
/// parameter has its original value again.
void tst_live_run::whatWasRecordedComesBack()
{
    const auto w = window();
    const auto shown = [&](int side, const char* variant, bool recorded) {
        const OpenRecordingPtr recording = w->workspace().at(side);
        return !w->isBusy() && !w->isFollowing() && recording && recording->run.variant == variant
            && recording->path.isEmpty() != recorded;
    };
    emit w->findChild<GalleryList*>()->opened(w->findChild<WorkloadList*>()->selected());
    QTRY_VERIFY(shown(0, "blocking", true) && shown(1, "overlapped", true));
    auto* variant = w->findChild<QComboBox*>(QStringLiteral("variantA"));
    const int other = variant->findData(QStringLiteral("run-alone"));
    QVERIFY(other >= 0);
    variant->setCurrentIndex(other);
    emit variant->activated(other);
    QTRY_VERIFY(shown(0, "run-alone", true) && shown(1, "overlapped", true));
    auto* bytes = slider(*w, "bytes.A");
    const int own = bytes->value();
    bytes->setValue(own + 3);
    QTRY_VERIFY(shown(0, "run-alone", false) && shown(1, "overlapped", false));
    bytes->setValue(own);
    QTRY_VERIFY(shown(0, "run-alone", true) && shown(1, "overlapped", true));
    const auto before = w->workspace().recordings();
    bytes->setValue(own);
    QVERIFY(!w->isBusy() && w->workspace().recordings() == before);
}

void tst_live_run::theWheelChoosesNothing()
{
    const auto w = window();
    runBoth(*w);
    const auto combos = w->findChildren<QComboBox*>();
    QVERIFY(combos.size() >= 4);
    for (QComboBox* combo : combos) {
        const int before = combo->currentIndex();
        for (const int way : {-120, 120}) {
            QWheelEvent turn(QPointF(5, 5), combo->mapToGlobal(QPointF(5, 5)), {}, {0, way}, Qt::NoButton, {},
                Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(combo, &turn);
            QVERIFY2(combo->currentIndex() == before, qPrintable(combo->objectName()));
        }
    }
}

QTEST_MAIN(tst_live_run)
#include "tst_live_run.moc"
