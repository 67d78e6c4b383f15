// SPDX-License-Identifier: MIT
// A recording of a program: the lesson side folds, what repeats is shown first, a third file asks for its place.
#include "gui/app/dialogs/place_dialog.h"
#include "gui/app/pages/panel_tabs.h"
#include "gui/app/pages/side_column.h"
#include "gui/panels/findings_panel.h"
#include "gui/timeline/comparison_view.h"
#include "tests/engine/analysis/tape.h"
#include "tests/gui/app/window_case.h"

#include <QAction>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_foreign_files : public WindowCase {
    Q_OBJECT

    QString m_program = m_folder.filePath(QStringLiteral("program.sqlite"));

    static PanelTabs* panels(MainWindow& w) { return w.findChild<PanelTabs*>(); }
    static bool hasTab(MainWindow& w, PanelName name)
    {
        return panels(w)->isTabVisible(panels(w)->indexOf(panels(w)->panel(name)));
    }
    /// The third file is open and asks; the button is pressed.
    static void answer(MainWindow& w, const char* button)
    {
        QTRY_VERIFY(w.findChild<PlaceDialog*>() != nullptr);
        w.findChild<PlaceDialog*>()->findChild<QPushButton*>(QLatin1String(button))->click();
        QTRY_VERIFY(w.findChild<PlaceDialog*>() == nullptr);
    }

private slots:
    void initTestCase();
    void init() { startAfresh(); }
    void theLessonSideFolds();
    void whatRepeatsIsShownFirst();
    void findingsAreShownInWhatRepeats();
    void aThirdFileAsks();
};

void tst_foreign_files::initTestCase()
{
    prepare();
    Tape tape(2'000'000'000);
    for (int i = 0; i < 10; ++i) {  // one second of start-up, then ten times two kernels in a millisecond
        const Ns start = 1'000'000'000 + i * 100'000;
        tape.range("step " + std::to_string(i), start, start + 90'000);
        tape.kernel(tape.call("cudaLaunchKernel", start, start + 5'000), 13, start + 10'000, start + 30'000);
        tape.kernel(tape.call("cudaLaunchKernel", start + 6'000, start + 9'000), 13, start + 30'000, start + 50'000);
        tape.copy(tape.call("cudaMemcpyAsync", start + 10'000, start + 70'000), 13, start + 50'000, start + 70'000,
            CopyKind::h2d, MemoryKind::pageable, true);
    }
    tape.copy(tape.call("cudaMemcpyAsync", 500'000'000, 540'000'000), 13, 500'010'000, 540'000'000, CopyKind::h2d,
        MemoryKind::pageable, true);
    tape.call("cudaMalloc", 0, 1000);
    save_recording(tape.finish(), m_program.toStdString());
}

void tst_foreign_files::theLessonSideFolds()
{
    const auto w = window();
    const auto* side = w->findChild<SideColumn*>();
    QVERIFY(!side->isHidden() && hasTab(*w, PanelName::lesson));
    panels(*w)->choose(PanelName::lesson);
    w->openFiles({m_program});
    QTRY_COMPARE(w->workspace().count(), 1);
    QVERIFY(side->isHidden());
    QVERIFY(!hasTab(*w, PanelName::lesson) && !hasTab(*w, PanelName::variants));
    QCOMPARE(panels(*w)->currentWidget(), panels(*w)->panel(PanelName::summary));
    QVERIFY(w->findChild<QLabel*>(QStringLiteral("caption"))->text().startsWith(QStringLiteral("program")));
    w->action("view.side")->trigger();  // one can have it back
    QVERIFY(!side->isHidden());
    w->action("view.side")->trigger();
    QTRY_VERIFY(!w->isBusy());
    w->action("file.close-a")->trigger();
    QVERIFY(!side->isHidden() && hasTab(*w, PanelName::lesson));
    w->openFiles({m_a});  // a lesson's
    QTRY_COMPARE(w->workspace().count(), 1);
    QVERIFY(!side->isHidden() && hasTab(*w, PanelName::lesson));
    QTRY_VERIFY(!w->isBusy());
    w->openFiles({m_program});  // beside it
    QTRY_COMPARE(w->workspace().count(), 2);
    QVERIFY(side->isHidden());
}

void tst_foreign_files::whatRepeatsIsShownFirst()
{
    const auto w = window();
    w->openFiles({m_program});
    QTRY_VERIFY(notice(*w).contains(QStringLiteral("10 iterations (step)")));
    const Interval shown = w->timeline().side(0).visibleRange();
    QVERIFY(shown.start < 1'000'000'000 && shown.start > 990'000'000);
    QVERIFY(shown.end > 1'000'990'000 && shown.end < 1'010'000'000);
    // The notice says what is seen, and leads back.
    QVERIFY2(notice(*w).contains(QStringLiteral("Showing the part")), qPrintable(notice(*w)));
    w->timeline().showRange({1'000'200'000, 1'000'400'000});
    QVERIFY(notice(*w).contains(QStringLiteral("Showing the part")));
    w->timeline().showRange({0, 500'000'000});
    QVERIFY2(notice(*w).contains(QStringLiteral("Showing more than the part")), qPrintable(notice(*w)));
    button(*w, "noticeOffer")->click();
    QCOMPARE(w->timeline().side(0).visibleRange().start, shown.start);
    QVERIFY2(notice(*w).contains(QStringLiteral("Showing the part")), qPrintable(notice(*w)));
    w->action("view.fit")->trigger();
    QVERIFY(w->timeline().side(0).visibleRange().start <= 0);
    w->openFiles({m_a});  // two are shown whole
    QTRY_COMPARE(w->workspace().count(), 2);
    QVERIFY(w->timeline().side(0).visibleRange().start <= 0);
}

/// A finding's longest piece is of the start-up: while the part that repeats is shown, a click on it stays there.
void tst_foreign_files::findingsAreShownInWhatRepeats()
{
    const auto w = window();
    w->openFiles({m_program});
    QTRY_VERIFY(notice(*w).contains(QStringLiteral("10 iterations (step)")));
    auto* findings = w->findChild<FindingsPanel*>();
    const auto found = std::find_if(findings->entries().begin(), findings->entries().end(),
        [](const auto& entry) { return entry.rule == "pageable-async-copy"; });
    QVERIFY(found != findings->entries().end());
    const Trace& trace = *w->workspace().at(0)->trace;
    QCOMPARE(found->all.size(), std::size_t {11});
    QVERIFY(span_of(trace, found->evidence).start < 1'000'000'000);
    const auto choose = [&] {
        emit findings->itemActivated(findings->item(static_cast<int>(found - findings->entries().begin())));
        return span_of(trace, w->workspace().selection().event).start;
    };
    QVERIFY(choose() >= 1'000'000'000);
    w->action("view.fit")->trigger();
    QVERIFY(choose() < 1'000'000'000);  // all is shown: the longest of all
}

void tst_foreign_files::aThirdFileAsks()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(!w->isBusy());
    const auto paths = [&] {
        QStringList all;
        for (const OpenRecordingPtr& each : w->workspace().recordings()) {
            all << each->path;
        }
        return all;
    };
    w->openFiles({m_program});
    answer(*w, "placeCancel");
    QCOMPARE(paths(), (QStringList {m_a, m_b}));
    w->openFiles({m_program});
    answer(*w, "placeB");
    QCOMPARE(paths(), (QStringList {m_a, m_program}));
    w->openFiles({m_b});
    answer(*w, "placeA");
    QCOMPARE(paths(), (QStringList {m_b, m_program}));
    w->openFiles({m_a});
    answer(*w, "placeAlone");
    QCOMPARE(paths(), QStringList {m_a});
}

QTEST_MAIN(tst_foreign_files)
#include "tst_foreign_files.moc"
