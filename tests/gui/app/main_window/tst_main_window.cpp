// SPDX-License-Identifier: MIT
// The window as a user has it: real events on real widgets, offscreen.
#include "engine/store/recording.h"
#include "gui/app/activity_bar.h"
#include "gui/app/device_choice.h"
#include "gui/app/gallery_list.h"
#include "gui/app/guess_page.h"
#include "gui/app/language.h"
#include "gui/app/lecture.h"
#include "gui/app/main_window.h"
#include "gui/app/mark_memory.h"
#include "gui/app/notice_bar.h"
#include "gui/app/step_through.h"
#include "gui/panels/events_panel.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/glyphs.h"
#include "tests/gui/panels/model_recording.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace lanes;
using namespace lanes::gui;

class tst_main_window : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_a = m_folder.filePath(QStringLiteral("a.sqlite")), m_b = m_folder.filePath(QStringLiteral("b.sqlite"));

    std::unique_ptr<MainWindow> window()
    {
        auto made = std::make_unique<MainWindow>();
        made->resize(1400, 900);
        made->show();
        [&] { QVERIFY(QTest::qWaitForWindowActive(made.get())); }();
        return made;
    }
    static QString notice(MainWindow& window) { return window.findChild<NoticeBar*>()->text(); }
    static QPushButton* button(MainWindow& window, const char* name)
    {
        return window.findChild<QPushButton*>(QLatin1String(name));
    }

private slots:
    void initTestCase();
    void init();
    void emptyStateSaysWhatToDo();
    void theGalleryHasACardForEveryWorkload();
    void aCardOpensItsLesson();
    void aLessonWithoutRecordingsIsOfTheModel();
    void asksWhatOneExpects();
    void playsThroughBothRecordings();
    void theLectureIsLargeAndLosesNothing();
    void missingGlyphsAreSaid();
    void runsOnTheModelThroughTheButton();
    void cancelsARun();
    void opensTwoFilesSwapsAndCloses();
    void aBadFileIsALineNotADialog();
    void filesAreDropped();
    void keysReachTheTimeline();
    void selectionReachesEveryPanel();
    void lettersGoIntoTextFields();
    void marksAreRememberedAndSaved();
    void panelsAreReachedWithoutARecording();
    void everyInputHasAnAccessibleName();
    void remembersWhatWasChosen();
    void themesAndLanguage();
};

void tst_main_window::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope-test"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_main_window"));
    qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources");
    qputenv("LANES_PROGRAM", "/no/such/lanes");
    save_recording(*modelRecording("blocking")->trace, m_a.toStdString());
    save_recording(*modelRecording("overlapped")->trace, m_b.toStdString());
}

void tst_main_window::init()
{
    QSettings().clear();
    speak(QStringLiteral("en"));
}

void tst_main_window::emptyStateSaysWhatToDo()
{
    const auto w = window();
    QVERIFY(button(*w, "galleryRun")->isVisible());
    QVERIFY(button(*w, "galleryRun")->text().contains(QStringLiteral("Copy results back")));
    QVERIFY(!w->action("view.fit")->isEnabled());
    QVERIFY(w->action("run.run")->isEnabled());
    QVERIFY(!w->action("run.cancel")->isEnabled());
    QVERIFY(notice(*w).isEmpty());
}

/// How much of an image is not its commonest colour.
static double inkOf(const QImage& image)
{
    QHash<QRgb, int> counts;
    int most = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            most = std::max(most, ++counts[image.pixel(x, y)]);
        }
    }
    return 1 - static_cast<double>(most) / (image.width() * image.height());
}

void tst_main_window::theGalleryHasACardForEveryWorkload()
{
    const auto w = window();
    auto* gallery = w->findChild<GalleryList*>();
    QVERIFY(gallery->isVisible());
    QCOMPARE(gallery->count(), w->findChild<WorkloadList*>()->count());
    QVERIFY(gallery->count() >= 16);
    for (int row = 0; row < gallery->count(); ++row) {
        const std::string& name = gallery->workloadAt(row)->name;
        QVERIFY2(gallery->item(row)->data(Qt::AccessibleTextRole).toString().size() > 20, name.c_str());
        QTRY_VERIFY2_WITH_TIMEOUT(gallery->pictureAt(row) != nullptr, name.c_str(), 30000);
        const CardPicture& picture = *gallery->pictureAt(row);
        QVERIFY2(picture.error.isEmpty(), qPrintable(picture.error));
        QVERIFY2(gallery->item(row)->data(Qt::AccessibleTextRole).toString().contains(picture.model ? QStringLiteral("not measured") : picture.device), name.c_str());
        QCOMPARE(picture.strips.size(), 2U);
        for (const CardStrip& strip : picture.strips) {
            QVERIFY2(strip.total > 0, name.c_str());
            QVERIFY2(inkOf(strip.lanes) > 0.02, name.c_str());
        }
        const QString file = QStringLiteral("%1/resources/recordings/h100/%2.%3.sqlite")
                                 .arg(qEnvironmentVariable("LANES_SOURCE"), QString::fromStdString(name),
                                     QString::fromStdString(picture.strips.back().variant));
        QVERIFY2(picture.model || name == "two-gpus" || name == "all-reduce" || QFile::exists(file), name.c_str());
        QVERIFY2(!picture.model || !QFile::exists(file), name.c_str());  // what was measured goes before what is computed
    }
    // The cards fill the width, none is cut off.
    for (const int width : {1000, 1280, 2560, 3840}) {
        w->resize(width, 900);
        QCoreApplication::processEvents();
        const int across = gallery->viewport()->width() / gallery->cardSize().width();
        QVERIFY(across >= 1 && across * gallery->cardSize().width() > gallery->viewport()->width() * 9 / 10);
        const QRect first = gallery->visualItemRect(gallery->item(0));
        const QRect last = gallery->visualItemRect(gallery->item(across - 1));
        QCOMPARE(last.top(), first.top());
        QVERIFY(last.right() <= gallery->viewport()->width());
    }
}

void tst_main_window::aCardOpensItsLesson()
{
    const auto w = window();
    auto* gallery = w->findChild<GalleryList*>();
    auto* lesson = w->findChild<LessonPanel*>();
    QTest::keyClick(w.get(), Qt::Key_G, Qt::ControlModifier);
    QTRY_VERIFY(gallery->hasFocus());
    while (gallery->workloadAt(gallery->currentRow())->name != "item-every-batch" && gallery->currentRow() + 1 < gallery->count()) {
        QTest::keyClick(gallery, Qt::Key_Right);
    }
    QTest::keyClick(gallery, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 2, 30000);
    QTRY_VERIFY(w->action("run.run")->isEnabled());
    QVERIFY(!w->state().gallery);
    QVERIFY(w->timeline().view(0)->hasFocus());
    QCOMPARE(w->session().at(0)->title, QStringLiteral("never"));
    QCOMPARE(w->session().at(1)->title, QStringLiteral("every"));
    QVERIFY(!w->session().at(0)->isModel());
    QVERIFY(lesson->isVisible());
    QCOMPARE(lesson->sections().size(), 3U);
    for (const auto& section : lesson->sections()) {
        QVERIFY(!section.text.isEmpty());
    }
    // Another variant, by the keyboard.
    auto* b = lesson->findChild<QComboBox*>(QStringLiteral("lessonB"));
    b->setFocus();
    QTest::keyClick(b, Qt::Key_Up);
    QTRY_VERIFY_WITH_TIMEOUT(w->session().count() == 2 && w->session().at(1)->title == QStringLiteral("every-10"), 30000);
    QCOMPARE(w->session().at(0)->title, QStringLiteral("never"));
    QTRY_VERIFY(w->action("run.run")->isEnabled());

    // The same in Chinese.
    const QString look = lesson->sections().front().text;
    speak(QStringLiteral("zh_CN"));
    const auto chinese = window();
    chinese->session().set(w->session().recordings());
    const auto sections = chinese->findChild<LessonPanel*>()->sections();
    QCOMPARE(sections.size(), 3U);
    for (const auto& section : sections) {
        const auto han = std::count_if(section.text.begin(), section.text.end(), [](QChar c) { return c.script() == QChar::Script_Han; });
        QVERIFY2(han > 5, qPrintable(section.text));
    }
    QVERIFY(sections.front().text != look);
}

void tst_main_window::aLessonWithoutRecordingsIsOfTheModel()
{
    const auto w = window();
    QFile file(m_folder.filePath(QStringLiteral("own.yaml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("title: {en: Mine}\nstreams: {s: {gpu: 0}}\nthreads: {main: [{kernel: {name: k, stream: s, time: 1 ms, blocks: all}}, {sync: device}]}\n");
    file.close();
    w->openFiles({file.fileName()});
    auto* gallery = w->findChild<GalleryList*>();
    const int row = gallery->count() - 1;
    QCOMPARE(gallery->workloadAt(row)->name, std::string("own"));
    QTRY_VERIFY_WITH_TIMEOUT(gallery->pictureAt(row) != nullptr, 30000);
    QVERIFY(gallery->pictureAt(row)->model);
    QCOMPARE(gallery->pictureAt(row)->strips.size(), 1U);
    gallery->scrollToItem(gallery->item(row));
    QTest::mouseClick(gallery->viewport(), Qt::LeftButton, {}, gallery->visualItemRect(gallery->item(row)).center());
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 1, 30000);
    QVERIFY(w->session().at(0)->isModel());
}

void tst_main_window::asksWhatOneExpects()
{
    const auto w = window();
    auto* page = w->findChild<GuessPage*>();
    auto* outcome = w->findChild<QLabel*>(QStringLiteral("outcome"));
    w->action("lesson.expect")->trigger();
    auto* gallery = w->findChild<GalleryList*>();
    QVERIFY(gallery->isAsking());  // nor do the cards
    gallery->setCurrentRow(2);
    QCOMPARE(gallery->workloadAt(2)->name, std::string("copy-results-back"));
    gallery->setFocus();
    QTest::keyClick(gallery, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(page->isVisible(), 30000);
    QCOMPARE(w->session().count(), 0);  // nothing is given away
    QTRY_VERIFY(w->action("run.run")->isEnabled());
    QVERIFY(page->hasFocus());
    QTest::keyClick(page, Qt::Key_1);
    QCOMPARE(w->session().count(), 2);
    QVERIFY(!page->isVisible() && w->timeline().view(0)->hasFocus());
    QVERIFY(outcome->isVisible());
    const Expectation asked = Expectation::of(*w->session().at(0)->report, *w->session().at(1)->report);
    QCOMPARE(outcome->text(), asked.outcome(0));
    // Not the next time it is turned off; nor is what was said before still there.
    w->action("lesson.expect")->trigger();
    w->showGallery(true);
    QTest::keyClick(gallery, Qt::Key_Return);
    const OpenRecordingPtr before = w->session().at(1);
    QTRY_VERIFY_WITH_TIMEOUT(w->session().count() == 2 && w->session().at(1) != before, 30000);
    QVERIFY(!outcome->isVisible());
}

void tst_main_window::playsThroughBothRecordings()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 2, 30000);
    QTRY_VERIFY(w->action("lesson.play")->isEnabled());
    w->focusTimeline();
    StepThrough& steps = w->stepThrough();
    steps.setSpeed(99);
    QTest::keyClick(w.get(), Qt::Key_F9);
    QVERIFY(steps.isPlaying());
    auto* bar = w->findChild<StepBar*>();
    QVERIFY(bar->isVisible());
    QTRY_VERIFY(steps.current() > 3U);
    QTest::keyClick(w.get(), Qt::Key_F9);
    QVERIFY(!steps.isPlaying());
    // The line is at one time in both; the words, the selection and the lit line are of the same step.
    QCOMPARE(*w->timeline().view(0)->stepTime(), steps.time());
    QCOMPARE(*w->timeline().view(1)->stepTime(), steps.time());
    QTest::keyClick(w.get(), Qt::Key_F10);
    const RunSteps mine(w->session().at(0));
    QVERIFY(bar->text().endsWith(mine.text(*steps.current())));
    QCOMPARE(w->timeline().view(0)->selection(), mine.item(*steps.current()));
    // A click elsewhere goes on from there.
    w->timeline().select(1, {ItemKind::operation, 2});
    const RunSteps other(w->session().at(1));
    QCOMPARE(steps.current(), other.of({ItemKind::operation, 2}));
    QVERIFY(bar->text().startsWith(QLatin1Char('B')));
    // To the end, and no further.
    for (std::size_t i = 0; i < other.size(); ++i) {
        QTest::keyClick(w.get(), Qt::Key_F10);
    }
    QCOMPARE(steps.current(), std::optional(other.size() - 1));
    QTest::keyClick(w.get(), Qt::Key_F7);
    QVERIFY(!bar->isVisible() && !w->timeline().view(0)->stepTime());
    // Without a recording it is off.
    QTest::keyClick(w.get(), Qt::Key_F7);
    w->session().set({});
    QVERIFY(!steps.isOn() && !w->action("lesson.play")->isEnabled());
}

void tst_main_window::theLectureIsLargeAndLosesNothing()
{
    QVERIFY(Lecture::magnificationFor(720) < Lecture::magnificationFor(1080));
    QVERIFY(Lecture::magnificationFor(2160) <= 3.5);
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 2, 30000);
    QTRY_VERIFY(w->action("view.full-screen")->isEnabled());
    TimelineView& view = *w->timeline().view(0);
    QTest::keyClick(w.get(), Qt::Key_F11);
    QTRY_VERIFY(view.magnification() > 1);
    QVERIFY(view.isFitted());
    // The mouse still hits what it points at, and both views show one time at one place.
    const auto box = view.boxOf({ItemKind::operation, 1});
    QVERIFY(box);
    QTest::mouseClick(&view, Qt::LeftButton, {}, (box->center() * view.magnification()).toPoint());
    QCOMPARE(view.selection(), (ItemRef {ItemKind::operation, 1}));
    QCOMPARE(w->timeline().view(1)->timeScale(), view.timeScale());
    QVERIFY(view.visibleRange().end >= view.recording()->report->wall);
    // Closing the last recording must not leave one without a menu.
    w->session().set({});
    QVERIFY(!w->isFullScreen() && w->menuBar()->isVisible());
    QCOMPARE(view.magnification(), 1.0);
}

void tst_main_window::missingGlyphsAreSaid()
{
    QVERIFY(hasGlyphsFor(QStringLiteral("Does it block?")));
    QVERIFY(!hasGlyphsFor(QStringLiteral("\U0010FFFD")));
    QVERIFY(missingGlyphs(QStringLiteral("en")).isEmpty());
    speak(QStringLiteral("zh_CN"));
    const auto w = window();
    QCOMPARE(notice(*w).contains(QStringLiteral("fonts-noto-cjk")), !hasGlyphsFor(QStringLiteral("\u62F7\u8D1D")));
}

void tst_main_window::runsOnTheModelThroughTheButton()
{
    const auto w = window();
    auto* list = w->findChild<WorkloadList*>();
    QVERIFY(list->count() >= 5);
    QVERIFY(list->select(QStringLiteral("copy-results-back")));
    QTest::mouseClick(button(*w, "run"), Qt::LeftButton);
    QVERIFY(!w->action("run.run")->isEnabled());  // one run at a time
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 2, 30000);
    QTRY_VERIFY(w->action("run.run")->isEnabled());
    QVERIFY2(notice(*w).isEmpty(), qPrintable(notice(*w)));
    QCOMPARE(w->session().at(0)->title, QStringLiteral("blocking"));
    QCOMPARE(w->session().at(1)->title, QStringLiteral("overlapped"));
    QVERIFY(w->session().at(0)->isModel());
    QVERIFY(w->timeline().isVisible());
    QVERIFY(w->session().at(0)->report->wall > w->session().at(1)->report->wall);
    QVERIFY(w->findChild<FindingsPanel*>()->findings() > 0);
    QVERIFY(w->windowTitle().contains(QStringLiteral("copy-results-back")));
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
    QCOMPARE(w->session().count(), 0);
    QVERIFY(!w->findChild<ActivityBar*>()->isVisible());
    QVERIFY(w->action("run.run")->isEnabled());
}

void tst_main_window::opensTwoFilesSwapsAndCloses()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 2, 30000);
    const OpenRecordingPtr a = w->session().at(0);
    const OpenRecordingPtr b = w->session().at(1);
    QCOMPARE(a->path, m_a);
    QCOMPARE(w->timeline().recordings().size(), 2U);
    QTRY_VERIFY(w->action("compare.swap")->isEnabled());
    w->action("compare.swap")->trigger();
    QCOMPARE(w->session().at(0), b);
    QTest::keyClick(w.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(w->session().count(), 1);
    QCOMPARE(w->session().at(0), b);
    w->addFile(m_a);
    QTRY_COMPARE(w->session().count(), 2);
    QTRY_VERIFY(w->action("file.open")->isEnabled());
    QTest::keyClick(w.get(), Qt::Key_W, Qt::ControlModifier);
    QTest::keyClick(w.get(), Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(w->session().count(), 0);
    QVERIFY(button(*w, "galleryRun")->isVisible());
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
    QTRY_COMPARE(w->session().count(), 1);
    QTRY_VERIFY(w->action("file.open")->isEnabled());
    w->addFile(bad);
    QTRY_VERIFY(!notice(*w).isEmpty());
    QVERIFY(!QApplication::activeModalWidget());
    QCOMPARE(w->session().count(), 1);  // what was open stays
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
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 2, 30000);
}

void tst_main_window::keysReachTheTimeline()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 2, 30000);
    QTRY_VERIFY(w->action("view.fit")->isEnabled());
    const TimeScale all = w->timeline().timeScale();
    QTest::keyClick(w.get(), Qt::Key_Plus, Qt::ControlModifier);  // wherever the focus is
    QVERIFY(w->timeline().timeScale().nsPerColumn() < all.nsPerColumn());
    QTest::keyClick(w.get(), Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(w->timeline().timeScale(), all);
    w->focusTimeline();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
    QVERIFY(w->timeline().timeScale().nsPerColumn() < all.nsPerColumn());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Home);
    QCOMPARE(w->timeline().timeScale(), all);
}

void tst_main_window::selectionReachesEveryPanel()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 2, 30000);
    QTRY_VERIFY(w->action("view.fit")->isEnabled());
    QTest::keyClick(w.get(), Qt::Key_4, Qt::ControlModifier);
    auto* details = w->findChild<QTreeWidget*>(QStringLiteral("details"));
    QVERIFY(!details->isVisible());  // nothing is selected: it says so
    TimelineView* view = w->timeline().view(1);
    const ItemRef kernel {ItemKind::operation, 0};
    const auto box = view->boxOf(kernel);
    QVERIFY(box);
    QTest::mouseClick(view, Qt::LeftButton, {}, box->center().toPoint());
    QCOMPARE(view->selection(), kernel);
    QVERIFY(details->isVisible());
    QVERIFY(details->topLevelItemCount() > 8);
    QVERIFY(w->action("go.call")->isEnabled());
    QTest::keyClick(w.get(), Qt::Key_3, Qt::ControlModifier);
    auto* events = w->findChild<EventsPanel*>();
    w->timeline().select(1, {ItemKind::operation, 1});
    QCOMPARE(events->model()->eventAt(events->table()->currentIndex().row()), (ItemRef {ItemKind::operation, 1}));
    QTest::keyClick(w.get(), Qt::Key_BracketLeft);
    QCOMPARE(view->selection().kind, ItemKind::call);
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QVERIFY(!view->selection());
    QVERIFY(!w->action("go.call")->isEnabled());
}

void tst_main_window::marksAreRememberedAndSaved()
{
    const std::vector<UserMark> marks {{1000, "a"}, {2000, "b"}};
    {
        const auto w = window();
        w->openFiles({m_a});
        QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 1, 30000);
        QVERIFY(!w->state().marks);
        w->session().at(0)->marks->set(marks);
        emit w->timeline().view(0)->marksChanged();
        QVERIFY(w->state().marks && w->action("go.next-mark")->isEnabled());
    }
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 2, 30000);
    QCOMPARE(w->session().at(0)->marks->all(), marks);
    QVERIFY(w->session().at(1)->marks->all().empty());
    w->session().swap();
    QCOMPARE(w->session().at(1)->marks->all(), marks);
    // The file that is no longer the same says nothing of the marks of the one before.
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
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 1, 30000);
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

void tst_main_window::panelsAreReachedWithoutARecording()
{
    const auto w = window();
    for (const char* id :
        {"view.side", "view.panels", "go.findings", "go.statistics", "go.events", "go.details", "go.workloads"}) {
        w->action(id)->trigger();
    }
    QVERIFY(w->findChild<WorkloadList*>()->hasFocus());
}

void tst_main_window::everyInputHasAnAccessibleName()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE_WITH_TIMEOUT(w->session().count(), 2, 30000);
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
        w->setTheme(QStringLiteral("dark"));
        w->openFiles({m_a});
        QTRY_COMPARE(w->session().count(), 1);
        w->close();
    }
    const auto w = window();
    QCOMPARE(w->findChild<WorkloadList*>()->selected()->name, std::string("copy-results-back"));
    const auto runs = w->findChild<ParameterForm*>()->runs();
    QCOMPARE(runs.size(), 1U);
    QCOMPARE(runs[0].variant, std::string("overlapped"));
    QCOMPARE(runs[0].settings, (Settings {{"matrices", "5"}}));
    QCOMPARE(w->state().theme, QStringLiteral("dark"));
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
    QVERIFY(!w->timeline().view(0)->theme().isDark());
    QSignalSpy changed(w.get(), &MainWindow::languageChanged);
    w->action("language.zh")->trigger();
    QCOMPARE(changed.count(), 1);
    QCOMPARE(chosenLanguage({}), QStringLiteral("zh_CN"));
    QCOMPARE(chosenLanguage(QStringLiteral("en")), QStringLiteral("en"));
}

QTEST_MAIN(tst_main_window)
#include "tst_main_window.moc"
