// SPDX-License-Identifier: MIT
// All variants of a workload in the window: run one after the other, compared, two of them shown.
#include "gui/app/compare/variant_runs.h"
#include "gui/app/frame/activity_bar.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/app/learn/lessons.h"
#include "gui/app/run/device_choice.h"
#include "gui/paint/words/time_format.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/variants_panel.h"
#include "gui/panels/workload_list.h"
#include "tests/gui/app/window_case.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTreeWidget>

using namespace lanes;
using namespace lanes::gui;

class tst_variants : public WindowCase {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { startAfresh(); }
    void whatVariantsSetStaysTheirs();
    void runsAllAndShowsTwo();
    void aClickPutsAVariantIntoAOrB();
    void inALowWindowTablesShowARow();
    void whatFailsDoesNotStopTheRest();
    void cancelKeepsWhatWasMade();
    void whatCameWithLanescopeFillsIt();
    void aVariantWithoutARecordingEmptiesNoOther();
    void aStaleReadIsSaid();
    void anotherWorkloadHasOtherVariants();
    void theLanguageChangesUnderIt();

private:
    using Made = std::unique_ptr<MainWindow>;
    static Made windowOn(const char* workload)
    {
        Made w = window();
        [&] { QVERIFY(w->findChild<WorkloadList*>()->select(QLatin1String(workload))); }();
        return w;
    }
    static VariantsPanel& panel(const Made& w) { return *w->findChild<VariantsPanel*>(); }
    static const std::vector<VariantOutcome>& outcomes(const Made& w)
    {
        return w->findChild<VariantRuns*>()->outcomes();
    }
    static void runAll(const Made& w)
    {
        QTest::keyClick(w.get(), Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(w->isBusy());
        QTRY_VERIFY(!w->isBusy());
    }
    static void click(const Made& w, int row, int column, Qt::KeyboardModifiers modifiers = {})
    {
        QTreeWidget* table = panel(w).table();
        const QModelIndex cell = table->model()->index(row, column);
        table->scrollTo(cell);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers, table->visualRect(cell).center());
    }
    QString write(const char* name, const char* text) const
    {
        QFile file(m_folder.filePath(QLatin1String(name)));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
        file.write(text);
        return file.fileName();
    }
};

void tst_variants::whatVariantsSetStaysTheirs()
{
    const auto workload = smallWorkload();
    const auto runs = runsOfAll(*workload, {{"bytes", "8 MiB"}, {"host_memory", "pageable"}});
    QCOMPARE(runs.size(), 2U);
    QCOMPARE(runs[0], (VariantSettings {"blocking", {{"bytes", "8 MiB"}}}));
    QCOMPARE(runs[1], (VariantSettings {"overlapped", {{"bytes", "8 MiB"}}}));
}

void tst_variants::runsAllAndShowsTwo()
{
    const auto w = windowOn("pageable-or-pinned");
    w->findChild<ParameterForm*>()->setRuns(
        {{"pageable-blocking", {{"bytes", "16 MiB"}}}, {"pinned-non-blocking", {}}});
    QStringList titles;
    connect(w->findChild<VariantRuns*>(), &VariantRuns::changed, w.get(), [&] {
        const auto& all = outcomes(w);
        QVERIFY(std::count_if(all.begin(), all.end(), [](const VariantOutcome& each) {
            return each.state == VariantOutcome::State::running;
        }) <= 1);
        for (const VariantOutcome& each : all) {
            const QString title
                = each.state == VariantOutcome::State::running ? w->findChild<ActivityBar*>()->title() : QString();
            if (!title.isEmpty() && !titles.contains(title)) {
                titles += title;
            }
        }
    });
    runAll(w);
    QCOMPARE(outcomes(w).size(), 4U);
    QCOMPARE(titles.size(), 4);
    QCOMPARE(titles[1], QStringLiteral("2 of 4: pageable-non-blocking"));
    for (std::size_t row = 0; row < 4; ++row) {
        const VariantOutcome& outcome = outcomes(w)[row];
        QVERIFY2(outcome.recording, outcome.variant.c_str());
        QVERIFY(outcome.recording->is_model());
        QCOMPARE(outcome.recording->run.variant, outcome.variant);
        QCOMPARE(outcome.recording->run.settings, (Settings {{"bytes", "16 MiB"}}));
        QCOMPARE(panel(w).figures(static_cast<int>(row)).front(), formatTime(outcome.recording->report->wall));
    }
    QVERIFY(outcomes(w).front().recording->report->wall > outcomes(w).back().recording->report->wall);
    // The two variants in the form are shown, and the table marks them.
    QVERIFY(panel(w).isVisible());
    QCOMPARE(w->workspace().at(0), outcomes(w)[0].recording);
    QCOMPARE(w->workspace().at(1), outcomes(w)[3].recording);
    const auto said
        = [&](int row) { return panel(w).table()->topLevelItem(row)->data(2, Qt::AccessibleTextRole).toString(); };
    QVERIFY2(said(0).endsWith(QStringLiteral(", A")) && said(3).endsWith(QStringLiteral(", B")), qPrintable(said(0)));
    QVERIFY(!said(1).endsWith(QStringLiteral(", A")) && !said(1).endsWith(QStringLiteral(", B")));
    QVERIFY2(panel(w).caption().contains(QStringLiteral("16 MiB")), qPrintable(panel(w).caption()));
    QVERIFY2(notice(*w).isEmpty(), qPrintable(notice(*w)));
}

void tst_variants::aClickPutsAVariantIntoAOrB()
{
    const auto w = windowOn("pageable-or-pinned");
    runAll(w);
    const auto shown = [&](int a, int b) {
        return w->workspace().count() == 2 && w->workspace().at(0) == outcomes(w)[static_cast<std::size_t>(a)].recording
            && w->workspace().at(1) == outcomes(w)[static_cast<std::size_t>(b)].recording;
    };
    QVERIFY(shown(1, 3));  // the lesson's pair
    click(w, 0, 3);  // on its figures
    QVERIFY(shown(0, 3));
    click(w, 1, 3);
    QVERIFY(shown(1, 3));
    QCOMPARE(w->findChild<ParameterForm*>()->runs().front().variant, outcomes(w)[1].variant);
    click(w, 2, 1);  // on its B
    QVERIFY(shown(1, 2));
    click(w, 0, 3, Qt::ControlModifier);
    QVERIFY(shown(1, 0));
    click(w, 0, 0);  // B's becomes A
    QVERIFY(shown(0, 1));
    click(w, 0, 0);
    QVERIFY(shown(0, 1));
    // By the keyboard.
    QTest::keyClick(w.get(), Qt::Key_7, Qt::ControlModifier);
    QVERIFY(panel(w).table()->hasFocus());
    QTest::keyClick(panel(w).table(), Qt::Key_Down);
    QTest::keyClick(panel(w).table(), Qt::Key_Down);
    QTest::keyClick(panel(w).table(), Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(shown(0, 2));
    QTest::keyClick(panel(w).table(), Qt::Key_Down);
    QTest::keyClick(panel(w).table(), Qt::Key_Return);
    QVERIFY(shown(3, 2));
}

/// Under two recordings of many lanes.
void tst_variants::inALowWindowTablesShowARow()
{
    const auto w = window();
    w->resize(1280, 720);
    const QString folder = qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings/h200/");
    w->openFiles({folder + QStringLiteral("data-loader.workers-0-pageable.sqlite"),
        folder + QStringLiteral("data-loader.prefetcher.sqlite")});
    QTRY_VERIFY(w->workspace().count() == 2 && !w->isBusy());
    for (const char* name : {"go.variants", "go.path", "go.iterations", "go.what-if"}) {
        w->action(name)->trigger();
        const auto* table = w->findChild<PanelTabs*>()->currentWidget()->findChild<QTreeView*>();
        QVERIFY2(table != nullptr, name);
        QTRY_VERIFY2(table->model()->rowCount() > 0, name);
        QCoreApplication::processEvents();
        const QRect row = table->visualRect(table->model()->index(0, 0));
        QVERIFY2(row.isValid() && table->viewport()->rect().contains(row.bottomLeft()),
            qPrintable(
                QStringLiteral("%1: a row to %2 of %3").arg(name).arg(row.bottom()).arg(table->viewport()->height())));
    }
}

void tst_variants::whatFailsDoesNotStopTheRest()
{
    const auto w = window();
    w->openFiles({write("some.yaml",
        "title: {en: Some fail}\nparameters: {blocks: {default: 1, min: 0, max: 9}}\nvariants: {good: {}, bad: "
        "{blocks: 0}, fine: {blocks: 2}}\nstreams: {s: {gpu: 0}}\n"
        "threads: {main: [{kernel: {name: k, stream: s, time: 1 ms, blocks: $blocks}}, {sync: device}]}\n")});
    w->findChild<ParameterForm*>()->setRuns({{"good", {}}});
    runAll(w);
    QCOMPARE(outcomes(w).size(), 3U);
    QVERIFY(outcomes(w)[0].recording && outcomes(w)[2].recording);
    QVERIFY(!outcomes(w)[1].recording && outcomes(w)[1].state == VariantOutcome::State::failed);
    QVERIFY2(outcomes(w)[1].error.startsWith(QStringLiteral("some.yaml:")), qPrintable(outcomes(w)[1].error));
    QVERIFY2(notice(*w).contains(QStringLiteral("1 of 3")), qPrintable(notice(*w)));
    const OpenRecordingPtr before = w->workspace().at(0);
    QVERIFY(before);
    click(w, 1, 3);  // there is nothing to show
    QCOMPARE(w->workspace().at(0), before);
}

void tst_variants::cancelKeepsWhatWasMade()
{
    const auto w = windowOn("copy-results-back");
    connect(w->findChild<VariantRuns*>(), &VariantRuns::changed, w.get(), [&] {
        if (outcomes(w)[1].state == VariantOutcome::State::running) {
            QMetaObject::invokeMethod(
                w.get(), [&] { w->action("run.cancel")->trigger(); }, Qt::QueuedConnection);
        }
    });
    runAll(w);
    QVERIFY(outcomes(w)[0].recording);
    for (std::size_t row = 2; row < outcomes(w).size(); ++row) {
        QVERIFY(!outcomes(w)[row].recording);
        QVERIFY(outcomes(w)[row].state == VariantOutcome::State::none);
    }
    QCOMPARE(w->workspace().at(0), outcomes(w)[0].recording);
    QVERIFY(w->action("run.all")->isEnabled());
}

void tst_variants::whatCameWithLanescopeFillsIt()
{
    const auto w = windowOn("pageable-or-pinned");
    w->findChild<Lessons*>()->open(
        w->findChild<WorkloadList*>()->selected(), {"pageable-blocking", "pinned-non-blocking"});
    QTRY_COMPARE(w->workspace().count(), 2);
    QVERIFY(!outcomes(w)[0].recording);  // nobody looked at it yet
    QTRY_VERIFY(!w->isBusy());
    QTest::mouseClick(
        w->findChild<LessonPanel*>()->findChild<QPushButton*>(QStringLiteral("lessonAll")), Qt::LeftButton);
    QVERIFY(panel(w).isVisible());
    QTRY_VERIFY(outcomes(w)[0].recording);
    for (const VariantOutcome& outcome : outcomes(w)) {
        QVERIFY(outcome.recording && !outcome.recording->is_model());
        QCOMPARE(outcome.recording->run.variant, outcome.variant);
    }
    QVERIFY2(
        panel(w).caption().contains(QStringLiteral("H200")) && panel(w).caption().contains(QStringLiteral("CUPTI")),
        qPrintable(panel(w).caption()));
    // The same file is the same run, although it was read twice.
    const auto said
        = [&](int row) { return panel(w).table()->topLevelItem(row)->data(2, Qt::AccessibleTextRole).toString(); };
    QVERIFY(said(0).endsWith(QStringLiteral(", A")) && said(3).endsWith(QStringLiteral(", B")));
    click(w, 1, 0);
    QCOMPARE(w->workspace().at(0), outcomes(w)[1].recording);
}

void tst_variants::aVariantWithoutARecordingEmptiesNoOther()
{
    QTemporaryDir resources;  // as after installation, but for one recording
    const QString source = qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/");
    for (const QString& entry : QDir(source).entryList(QDir::AllEntries | QDir::NoDotAndDotDot)) {
        if (entry != QLatin1String("recordings")) {
            QVERIFY(QFile::link(source + entry, resources.filePath(entry)));
        }
    }
    const QString recordings = resources.filePath(QStringLiteral("recordings/h200/"));
    QVERIFY(QDir().mkpath(recordings));
    for (const char* variant : {"pageable-blocking", "pinned-blocking", "pinned-non-blocking"}) {
        const QString name = QStringLiteral("pageable-or-pinned.%1.sqlite").arg(QLatin1String(variant));
        QVERIFY(QFile::link(source + QStringLiteral("recordings/h200/") + name, recordings + name));
    }
    qputenv("LANES_RESOURCES", resources.path().toUtf8());
    const auto w = windowOn("pageable-or-pinned");
    w->findChild<Lessons*>()->open(
        w->findChild<WorkloadList*>()->selected(), {"pageable-blocking", "pinned-non-blocking"});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(!w->isBusy());
    QTest::mouseClick(
        w->findChild<LessonPanel*>()->findChild<QPushButton*>(QStringLiteral("lessonAll")), Qt::LeftButton);
    QTRY_VERIFY(outcomes(w)[0].recording);
    for (const VariantOutcome& outcome : outcomes(w)) {
        QCOMPARE(outcome.recording != nullptr, outcome.variant != "pageable-non-blocking");
    }
    qputenv("LANES_RESOURCES", (qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources")).toUtf8());
}

void tst_variants::aStaleReadIsSaid()
{
    const auto w = windowOn("read-too-early");
    runAll(w);
    const auto tip = [&](int row) { return panel(w).table()->topLevelItem(row)->toolTip(2); };
    for (std::size_t row = 0; row < outcomes(w).size(); ++row) {
        QCOMPARE(tip(static_cast<int>(row)).contains(QStringLiteral("read wrong bytes")),
            outcomes(w)[row].variant == "no-sync");
    }
}

void tst_variants::anotherWorkloadHasOtherVariants()
{
    const auto w = windowOn("pageable-or-pinned");
    runAll(w);
    QVERIFY(outcomes(w)[0].recording);
    w->workspace().set({});
    QVERIFY(outcomes(w)[0].recording);  // still for what is chosen
    QVERIFY(w->findChild<WorkloadList*>()->select(QStringLiteral("two-streams")));
    QCOMPARE(outcomes(w)[0].variant, w->findChild<WorkloadList*>()->selected()->variants[0].name);
    QVERIFY(!outcomes(w)[0].recording);
    w->openFiles({write("single.yaml", "title: {en: Single}\nthreads: {main: [{cpu: {time: 1 ms}}]}\n")});
    QVERIFY(!w->action("run.all")->isEnabled());
    QVERIFY(!panel(w).table()->isVisible());
    w->openFiles({m_a});
    QTRY_COMPARE(w->workspace().count(), 1);
}

void tst_variants::theLanguageChangesUnderIt()
{
    const auto w = windowOn("pageable-or-pinned");
    runAll(w);
    speak(QStringLiteral("zh_CN"));
    const auto chinese = window();
    chinese->continueFrom(*w);
    for (std::size_t row = 0; row < outcomes(w).size(); ++row) {
        const OpenRecordingPtr &told = outcomes(w)[row].recording, &again = outcomes(chinese)[row].recording;
        QVERIFY(told && again);
        QCOMPARE(again->trace, told->trace);
        QVERIFY2(again->title != told->title, again->title.c_str());
    }
    QVERIFY2(!panel(chinese).caption().contains(QStringLiteral("computed")), qPrintable(panel(chinese).caption()));
}

QTEST_MAIN(tst_variants)
#include "tst_variants.moc"
