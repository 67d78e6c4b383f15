// SPDX-License-Identifier: MIT
// The shown workload and the one that would run next may differ: neither replaces the other unasked.
#include "gui/app/frame/language.h"
#include "gui/app/frame/main_window.h"
#include "gui/app/run/device_choice.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/parameter_field.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/quantity_slider.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/app/window_case.h"
#include "tests/gui/panels/late_iterations.h"

#include <QFile>
#include <QLabel>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_shown_and_chosen : public WindowCase {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { startAfresh(); }
    void anAnswerAboutDevicesReplacesNoRecording();
    void aProgramsViewStaysInAnotherLanguage();
    void valuesThatHaveNotRunAreSaid();
    void aClickInTheListOpensTheLesson();
};

/// `lanes doctor` answers late: after a recording was opened, and again in the window after a change of language.
void tst_shown_and_chosen::anAnswerAboutDevicesReplacesNoRecording()
{
    const QString program = m_folder.filePath(QStringLiteral("lanes"));
    const QString asked = m_folder.filePath(QStringLiteral("go"));
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\nwhile [ ! -e '" + asked.toUtf8()
        + "' ]; do sleep 0.05; done\necho '{\"gpus\": [{\"name\": \"Test\"}]}'\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("LANES_PROGRAM", program.toUtf8());
    const auto recorded = [](const char* name) {
        return QStringLiteral("%1/resources/recordings/h200/%2.sqlite")
            .arg(qEnvironmentVariable("LANES_SOURCE"), QLatin1String(name));
    };
    const auto answer = [&](MainWindow& w) {
        QFile go(asked);
        QVERIFY(go.open(QIODevice::WriteOnly));
        go.close();
        QTRY_VERIFY(w.findChild<DeviceChoice*>()->findText(QStringLiteral("Test"), Qt::MatchContains) >= 0);
        QVERIFY(QFile::remove(asked));
        QVERIFY(!w.isFollowing());
    };
    const auto english = window();
    english->openFiles({recorded("copy-results-back.blocking"), recorded("copy-results-back.overlapped")});
    QTRY_COMPARE(english->workspace().count(), 2);
    QTRY_VERIFY(!english->isBusy());
    const std::vector<OpenRecordingPtr> opened = english->workspace().recordings();
    answer(*english);
    QVERIFY(english->workspace().recordings() == opened);

    speak(QStringLiteral("zh_CN"));
    MainWindow chinese;
    chinese.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chinese));
    chinese.continueFrom(*english);
    answer(chinese);
    QTest::qWait(200);
    QCOMPARE(chinese.workspace().count(), 2);
    for (int side = 0; side < 2; ++side) {
        QCOMPARE(chinese.workspace().at(side)->trace, opened[static_cast<std::size_t>(side)]->trace);
        const auto& compared = chinese.workspace().at(side)->compared;  // "88%", as Chinese has it
        QVERIFY(compared && compared->text.find(" %") == std::string::npos);
        const TimelineView& view = *chinese.timeline().view(side);
        QVERIFY(view.timeline().state().time.isFitted()
            && view.timeline().visibleRange().end >= view.timeline().state().time.extent().end);
    }
    qputenv("LANES_PROGRAM", "/no/such/lanes");

    // The view and the selection are kept.
    chinese.timeline().pair().setReference(1);
    chinese.timeline().showRange({10'000'000, 15'000'000});
    chinese.timeline().side(0).selectRange(Interval {11'000'000, 12'000'000});
    speak(QStringLiteral("en"));
    MainWindow again;
    again.show();
    QVERIFY(QTest::qWaitForWindowExposed(&again));
    again.continueFrom(chinese);
    QCOMPARE(again.timeline().pair().reference(), 1);
    for (int side = 0; side < 2; ++side) {
        const TimelineState& was = chinese.timeline().side(side).state();
        const TimelineState& is = again.timeline().side(side).state();
        QVERIFY(!is.time.isFitted());
        QVERIFY(std::abs(is.time.visible().start - was.time.visible().start) < 50'000);
        QVERIFY(std::abs(is.time.visible().end - was.time.visible().end) < 50'000);
        QCOMPARE(is.highlights.range, was.highlights.range);
    }
}

/// Although a recording of a program that opens is shown where it repeats.
void tst_shown_and_chosen::aProgramsViewStaysInAnotherLanguage()
{
    const QString file = m_folder.filePath(QStringLiteral("late.sqlite"));
    save_recording(*lateIterations()->trace, file.toStdString());
    const auto english = window();
    english->openFiles({file});
    QTRY_COMPARE(english->workspace().count(), 1);
    QTRY_VERIFY(!english->isBusy());
    QTest::qWait(100);
    Timeline& was = english->timeline().side(0);
    QVERIFY(was.visibleRange().start > late_iterations_begin / 2);
    was.showRange({1'000'000, 9'000'000});
    was.layers().show(TimelineLayers::Layer::arrows, true);

    speak(QStringLiteral("zh_CN"));
    MainWindow chinese;
    chinese.resize(english->size());
    chinese.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chinese));
    chinese.continueFrom(*english);
    QTest::qWait(200);
    Timeline& is = chinese.timeline().side(0);
    QVERIFY(is.layers().isOn(TimelineLayers::Layer::arrows));
    QCOMPARE(chinese.timeline().view(0)->width(), english->timeline().view(0)->width());
    QVERIFY(is.timeScale() == was.timeScale());
}

/// Beside the knobs, as long as the lanes show other values.
void tst_shown_and_chosen::valuesThatHaveNotRunAreSaid()
{
    const auto w = window();
    auto* said = w->findChild<QLabel*>(QStringLiteral("notRun"));
    QVERIFY(said != nullptr);
    auto* form = w->findChild<ParameterForm*>();
    const QString own = m_folder.filePath(QStringLiteral("own.sqlite"));
    QVERIFY(QFile::copy(qEnvironmentVariable("LANES_SOURCE")
            + QStringLiteral("/resources/recordings/h200/copy-results-back.blocking.sqlite"),
        own));
    w->openFiles({own});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(!w->isBusy());
    QVERIFY2(!said->isVisible(), qPrintable(said->text()));
    const auto turn = [&](const char* field, int by) {
        auto* slider = w->findChild<ParameterField*>(QLatin1String(field))->findChild<QuantitySlider*>();
        slider->setValue(slider->value() + by);
    };
    turn("matrices.A", 3);
    QVERIFY(!w->isFollowing());  // a user's own recording stays
    QVERIFY(said->isVisible());
    QVERIFY2(said->text().contains(QStringLiteral("Matrices 8")), qPrintable(said->text()));
    QVERIFY(!said->text().contains(QStringLiteral("Open the lesson")));
    turn("matrices.A", -3);
    QVERIFY(!said->isVisible());
    form->setRuns({{"overlapped", {}}});
    QVERIFY(said->isVisible());
    QVERIFY2(said->text().contains(QStringLiteral("blocking"), Qt::CaseInsensitive), qPrintable(said->text()));
    w->action("run.run")->trigger();
    QTRY_VERIFY(w->workspace().at(0)->is_model() && !w->isBusy());
    QVERIFY(!said->isVisible());
    // A run that follows its knobs differs only briefly, even if its sides are not in the workload's order.
    turn("matrices.A", 3);
    QTRY_VERIFY(!w->isFollowing());
    QVERIFY(!said->isVisible());
    w->openFiles({m_b});
    answer(*w, "placeB");
    QTRY_COMPARE(w->workspace().count(), 2);
    w->workspace().swap();
    QVERIFY2(!said->isVisible(), qPrintable(said->text()));
    // Another workload is chosen than the lanes': title and code stay those of the shown one.
    const auto caption = [&] { return w->findChild<QLabel*>(QStringLiteral("caption"))->text(); };
    const auto code = [&] { return w->findChild<CodePanel*>(QStringLiteral("sideCode"))->text()->toPlainText(); };
    const QString title = caption();
    const QString before = code();
    QVERIFY(!before.isEmpty());
    QVERIFY2(title.startsWith(QStringLiteral("Small | Copy results back")), qPrintable(title));
    QVERIFY(w->findChild<WorkloadList*>()->select(QStringLiteral("two-streams")));
    QCOMPARE(caption(), title);
    QCOMPARE(code(), before);
    QVERIFY(said->isVisible());
    QVERIFY2(said->text().contains(QStringLiteral("Open the lesson")), qPrintable(said->text()));
    emit said->linkActivated(QStringLiteral("lesson"));  // a click on it, or Enter
    QTRY_VERIFY(w->workspace().count() == 2 && w->workspace().at(0)->workload->name == "two-streams"
        && w->workspace().at(1)->workload->name == "two-streams");
    QTRY_VERIFY(!w->isBusy());
    QVERIFY2(!said->isVisible(), qPrintable(said->text()));
    QVERIFY2(caption().startsWith(QStringLiteral("Two streams")), qPrintable(caption()));
    QVERIFY(code() != before);
    QVERIFY(w->findChild<WorkloadList*>()->select(QStringLiteral("copies-both-ways")));
    QVERIFY(said->isVisible());
    w->workspace().set({});
    QVERIFY(!said->isVisible());
    QCOMPARE(caption(), QStringLiteral("Copies both ways"));
}

/// Lanes, title and parameters change together; what is in no file is not lost by a click.
void tst_shown_and_chosen::aClickInTheListOpensTheLesson()
{
    const auto w = window();
    auto* list = w->findChild<WorkloadList*>();
    const auto click = [&](const char* name) {
        const auto all = list->findItems(QLatin1String(name), Qt::MatchExactly);
        [&] { QCOMPARE(all.size(), 1); }();
        list->scrollToItem(all.front());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(all.front()).center());
        [&] { QTRY_VERIFY(!w->isBusy()); }();
        return w->workspace().count() > 0 && w->workspace().at(0)->workload
            ? QString::fromStdString(w->workspace().at(0)->workload->name)
            : QString();
    };
    w->openFiles({m_a});  // a model's run in a file
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(!w->isBusy());
    QCOMPARE(click("Two streams"), QStringLiteral("two-streams"));
    QCOMPARE(list->selected()->name, std::string("two-streams"));
    QVERIFY(!w->findChild<QLabel*>(QStringLiteral("notRun"))->isVisible());
    const std::vector<OpenRecordingPtr> lesson = w->workspace().recordings();
    QCOMPARE(click("Two streams"), QStringLiteral("two-streams"));
    QCOMPARE(w->workspace().recordings(), lesson);  // it is open already

    auto unsaved = std::make_shared<OpenRecording>(*lesson[0]);
    unsaved->path.clear();
    w->workspace().set({unsaved});
    QCOMPARE(click("Copy results back"), QStringLiteral("two-streams"));
    QCOMPARE(list->selected()->name, std::string("copy-results-back"));
    QVERIFY(w->findChild<QLabel*>(QStringLiteral("notRun"))->isVisible());
}

QTEST_MAIN(tst_shown_and_chosen)
#include "tst_shown_and_chosen.moc"
