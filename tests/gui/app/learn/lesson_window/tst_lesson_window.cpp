// SPDX-License-Identifier: MIT
// Lessons in the window: the gallery, a lesson's texts, predictions, stepping
// through, the lecture hall.
#include "engine/trace/meta_keys.h"
#include "gui/app/frame/legend_strip.h"
#include "gui/app/learn/gallery_list.h"
#include "gui/app/learn/guess_page.h"
#include "gui/app/learn/lecture.h"
#include "gui/app/learn/presenter.h"
#include "gui/app/learn/presenter_notes.h"
#include "gui/app/learn/step_through.h"
#include "gui/app/run/device_choice.h"
#include "gui/paint/glyphs.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/editor/workload_editor.h"
#include "gui/panels/editor/yaml_edit.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/parameter_field.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/step_bar.h"
#include "gui/panels/workload_list.h"
#include "gui/session/run_titles.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/difference_strip.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/app/window_case.h"

#include <QAbstractSlider>
#include <QAction>
#include <QComboBox>
#include <QMenuBar>
#include <QProcess>
#include <QScrollBar>
#include <QTemporaryFile>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextEdit>

#include <set>

using namespace lanes;
using namespace lanes::gui;

class tst_lesson_window : public WindowCase {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { startAfresh(); }
    void theGalleryHasACardForEveryWorkload();
    void theChosenWorkloadsCardHasTheFocus();
    void aCardOpensItsLesson();
    void aLessonWithoutRecordingsIsOfTheModel();
    void runsAreOnTheModelOfWhatIsShown();
    void aTextForPeopleRunsNothing();
    void asksWhatOneExpects();
    void theQuestionHasNothingBehindIt();
    void theGalleryHasTheCodeOfItsCard();
    void asksOfAnErrorWithoutARace();
    void handsAreCounted();
    void twoKeysTeachALesson();
    void theStripHasTheFigureOfTheLesson();
    void thePresenterSeesMoreThanTheAudience();
    void theNotesHaveAScreenOfTheirOwn();
    void onStageNoLaneIsOutOfSight_data();
    void onStageNoLaneIsOutOfSight();
    void onStageNoticesGo();
    void aSmallWindowShowsBothGpusAndTheTitle();
    void theLegendOfManyKindsHasOneLine();
    void inALowWindowNoLaneIsOutOfSight_data();
    void inALowWindowNoLaneIsOutOfSight();
    void playsThroughBothRecordings();
    void keysStopThePlaying();
    void theLectureIsLargeAndLosesNothing();
    void missingGlyphsAreSaid();
};

/// The fraction of an image that is not its commonest colour.
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

/// In a window of 1280x720.
static void openLesson(MainWindow& window, const QString& lesson)
{
    window.resize(1280, 720);
    auto* gallery = window.findChild<GalleryList*>();
    gallery->setFocus();
    gallery->setCurrentRow(0);
    while (gallery->workloadAt(gallery->currentRow())->name != lesson.toStdString()) {
        gallery->setCurrentRow(gallery->currentRow() + 1);
    }
    QTest::keyClick(gallery, Qt::Key_Return);
    QTRY_VERIFY(window.workspace().count() == 2 && !window.isBusy());
}

/// Takes the first answer of each question.
static void answerAll(GuessPage& page)
{
    while (page.isVisible()) {
        QTest::keyClick(&page, page.isAnswered() ? Qt::Key_Return : Qt::Key_1);
    }
}

/// The variants that Run would run; the list of workloads appears when lanes are shown.
void tst_lesson_window::theChosenWorkloadsCardHasTheFocus()
{
    const auto w = window();
    auto* gallery = w->findChild<GalleryList*>();
    auto* list = w->findChild<WorkloadList*>();
    const auto atCard = [&] { return gallery->workloadAt(gallery->currentRow())->name; };
    QCOMPARE(gallery->currentRow(), 0);  // the first lessons are in sight
    QCOMPARE(gallery->verticalScrollBar()->value(), 0);
    QCOMPARE(list->selected()->name, atCard());
    QVERIFY(gallery->isVisible() && !list->isVisible());
    list->select(QString::fromStdString(gallery->workloadAt(5)->file));
    QCOMPARE(gallery->currentRow(), 5);
    w->action("go.workloads")->trigger();
    QTRY_VERIFY(gallery->hasFocus());
    QTest::keyClick(gallery, Qt::Key_Left);
    QCOMPARE(list->selected()->name, atCard());
    QCOMPARE(gallery->currentRow(), 4);
    QTest::keyClick(gallery, Qt::Key_Return);
    QTRY_VERIFY(!gallery->isVisible());
    QVERIFY(list->isVisible());
}

void tst_lesson_window::theGalleryHasACardForEveryWorkload()
{
    const auto w = window();
    auto* gallery = w->findChild<GalleryList*>();
    QVERIFY(gallery->isVisible());
    QCOMPARE(gallery->count(), w->findChild<WorkloadList*>()->count());
    QVERIFY(gallery->count() >= 16);
    for (int row = 0; row < gallery->count(); ++row) {
        const std::string& name = gallery->workloadAt(row)->name;
        QVERIFY2(gallery->item(row)->data(Qt::AccessibleTextRole).toString().size() > 20, name.c_str());
        QTRY_VERIFY2(gallery->pictureAt(row) != nullptr, name.c_str());
        const CardPicture& picture = *gallery->pictureAt(row);
        QVERIFY2(picture.error.isEmpty(), qPrintable(picture.error));
        QVERIFY2(gallery->item(row)
                     ->data(Qt::AccessibleTextRole)
                     .toString()
                     .contains(picture.model ? QStringLiteral("not measured") : picture.device),
            name.c_str());
        QCOMPARE(picture.strips.size(), 2U);
        for (const CardStrip& strip : picture.strips) {
            QVERIFY2(strip.total > 0, name.c_str());
            QVERIFY2(inkOf(strip.lanes) > 0.02, name.c_str());
        }
        const QString file = QStringLiteral("%1/resources/recordings/h200/%2.%3.sqlite")
                                 .arg(qEnvironmentVariable("LANES_SOURCE"), QString::fromStdString(name),
                                     QString::fromStdString(picture.strips.back().variant));
        QVERIFY2(picture.model || name == "two-gpus" || name == "all-reduce" || QFile::exists(file), name.c_str());
        QVERIFY2(
            !picture.model || !QFile::exists(file), name.c_str());  // what was measured goes before what is computed
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

void tst_lesson_window::aCardOpensItsLesson()
{
    const auto w = window();
    auto* gallery = w->findChild<GalleryList*>();
    auto* lesson = w->findChild<LessonPanel*>();
    QTest::keyClick(w.get(), Qt::Key_G, Qt::ControlModifier);
    QTRY_VERIFY(gallery->hasFocus());
    while (gallery->workloadAt(gallery->currentRow())->name != "item-every-batch"
        && gallery->currentRow() + 1 < gallery->count()) {
        QTest::keyClick(gallery, Qt::Key_Right);
    }
    QTest::keyClick(gallery, Qt::Key_Return);
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(w->action("run.run")->isEnabled());
    QVERIFY(!w->action("lesson.gallery")->isChecked());
    QVERIFY(w->timeline().view(0)->hasFocus());
    QCOMPARE(text(w->workspace().at(0)->title), QStringLiteral("Never"));
    QCOMPARE(text(w->workspace().at(1)->title), QStringLiteral("Every batch"));
    QVERIFY(!w->workspace().at(0)->is_model());
    QVERIFY(lesson->isVisible());
    // The part that the workload's text is about, to a column; everything can be shown again.
    const auto& view = lesson->workload()->view;
    QVERIFY(view);
    Interval shown = w->timeline().side(0).visibleRange();
    QVERIFY(std::abs(shown.start - view->start) < (view->end - view->start) / 50);
    QVERIFY(std::abs(shown.end - view->end) < (view->end - view->start) / 50);
    w->timeline().perform(TimelineAction::showAll);
    shown = w->timeline().side(0).visibleRange();
    QVERIFY(shown.start <= 0 && shown.end >= w->workspace().at(1)->trace->duration);
    // A run of the lesson begins with the same part: the text says so.
    w->action("run.run")->trigger();
    QTRY_VERIFY(!w->isBusy() && w->workspace().count() == 2 && w->workspace().at(1)->is_model());
    shown = w->timeline().side(0).visibleRange();
    QVERIFY(std::abs(shown.start - view->start) < (view->end - view->start) / 50);
    QVERIFY(std::abs(shown.end - view->end) < (view->end - view->start) / 50);
    QCOMPARE(lesson->sections().size(), 3U);
    for (const auto& section : lesson->sections()) {
        QVERIFY(!section.text.isEmpty());
    }
    // Another variant, by the keyboard.
    auto* b = lesson->findChild<QComboBox*>(QStringLiteral("lessonB"));
    b->setFocus();
    QTest::keyClick(b, Qt::Key_Up);
    QTRY_VERIFY(w->workspace().count() == 2 && text(w->workspace().at(1)->title) == QStringLiteral("Every 10 batches"));
    QCOMPARE(text(w->workspace().at(0)->title), QStringLiteral("Never"));
    QTRY_VERIFY(w->action("run.run")->isEnabled());

    // The same in Chinese.
    const QString look = lesson->sections().front().text;
    speak(QStringLiteral("zh_CN"));
    const auto chinese = window();
    chinese->workspace().set(w->workspace().recordings());
    const auto sections = chinese->findChild<LessonPanel*>()->sections();
    QCOMPARE(sections.size(), 3U);
    for (const auto& section : sections) {
        const auto han = std::count_if(
            section.text.begin(), section.text.end(), [](QChar c) { return c.script() == QChar::Script_Han; });
        QVERIFY2(han > 5, qPrintable(section.text));
    }
    QVERIFY(sections.front().text != look);
}

void tst_lesson_window::aLessonWithoutRecordingsIsOfTheModel()
{
    const auto w = window();
    QFile file(m_folder.filePath(QStringLiteral("own.yaml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("title: {en: Mine}\nstreams: {s: {gpu: 0}}\nthreads: {main: [{kernel: {name: k, stream: s, time: 1 ms, "
               "blocks: all}}, {sync: device}]}\n");
    file.close();
    w->openFiles({file.fileName()});
    auto* gallery = w->findChild<GalleryList*>();
    const int row = gallery->count() - 1;
    QCOMPARE(gallery->workloadAt(row)->name, std::string("own"));
    QTRY_VERIFY(gallery->pictureAt(row) != nullptr);
    QVERIFY(gallery->pictureAt(row)->model);
    QCOMPARE(gallery->pictureAt(row)->strips.size(), 1U);
    gallery->scrollToItem(gallery->item(row));
    QTest::mouseClick(gallery->viewport(), Qt::LeftButton, {}, gallery->visualItemRect(gallery->item(row)).center());
    QTRY_COMPARE(w->workspace().count(), 1);
    QVERIFY(w->workspace().at(0)->is_model());
}

void tst_lesson_window::runsAreOnTheModelOfWhatIsShown()
{
    const auto w = window();
    const auto* device = w->findChild<DeviceChoice*>();
    auto* list = w->findChild<WorkloadList*>();
    QVERIFY(list->select(QStringLiteral("pageable-or-pinned")));
    QCOMPARE(device->device().argument, QStringLiteral("h200"));  // its card's recordings are of an H200
    const QString folder = qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings/");
    w->openFiles({folder + QStringLiteral("h100/item-every-batch.every.sqlite")});
    QTRY_COMPARE(w->workspace().count(), 1);
    QCOMPARE(device->device().kind, RunDevice::Kind::model);
    QCOMPARE(device->device().argument, QStringLiteral("h100"));
    QTRY_VERIFY(w->action("run.again")->isEnabled());
    w->action("run.again")->trigger();
    QTRY_COMPARE(w->workspace().count(), 2);
    QCOMPARE(w->workspace().at(1)->trace->meta.at(meta::model_device), std::string("h100"));
    w->findChild<DeviceChoice*>()->select({RunDevice::Kind::recorded, QStringLiteral("h200"), {}});
    w->workspace().set({});
    QCOMPARE(device->device().kind, RunDevice::Kind::recorded);  // a user's choice of no model stays
}

/// A word of a lesson's explanation changes nothing that runs: what was measured stays. A step does.
void tst_lesson_window::aTextForPeopleRunsNothing()
{
    const auto w = window();
    auto* list = w->findChild<WorkloadList*>();
    QVERIFY(list->select(QStringLiteral("copy-results-back")));
    emit list->itemActivated(list->currentItem());
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(w->action("run.run")->isEnabled());
    w->action("run.edit")->trigger();
    auto* editor = w->findChild<WorkloadEditor*>();
    QTRY_VERIFY(!editor->text().isEmpty());
    const std::vector<OpenRecordingPtr> measured = w->workspace().recordings();
    QVERIFY(!measured[0]->is_model());
    QString text = editor->text();
    const qsizetype title = text.indexOf(QStringLiteral("Copy results back"));
    QVERIFY(title > 0);
    editor->edit()->setPlainText(QString(text).replace(title, 4, QStringLiteral("Bring")));
    editor->settle();
    QVERIFY(list->selected()->title.at("en").starts_with("Bring"));
    QTRY_VERIFY(!w->isFollowing());
    QCOMPARE(w->workspace().recordings(), measured);
    // With a wrong text a knob runs nothing, neither.
    editor->edit()->setPlainText(text + QStringLiteral("\nthread: 1\n"));
    editor->settle();
    QVERIFY(!editor->problem().isEmpty());
    const auto turn = [&] {  // another text has other fields
        auto* slider = w->findChild<ParameterField*>(QStringLiteral("matrices.A"))->findChild<QAbstractSlider*>();
        slider->setValue(slider->value() + 1);
    };
    turn();
    QVERIFY(!w->isFollowing());
    QCOMPARE(w->workspace().recordings(), measured);
    editor->revert();
    editor->settle();
    turn();
    QTRY_VERIFY(w->workspace().count() == 2 && w->workspace().at(0)->is_model() && !w->isFollowing());
}

void tst_lesson_window::asksWhatOneExpects()
{
    const auto w = window();
    auto* page = w->findChild<GuessPage*>();
    auto* outcome = w->findChild<QLabel*>(QStringLiteral("outcome"));
    w->action("lesson.expect")->trigger();
    auto* gallery = w->findChild<GalleryList*>();
    QVERIFY(gallery->isAsking());  // nor do the cards
    gallery->setCurrentRow(7);
    QCOMPARE(gallery->workloadAt(7)->name, std::string("copy-results-back"));
    gallery->setFocus();
    QTest::keyClick(gallery, Qt::Key_Return);
    QTRY_VERIFY(page->isVisible());
    QCOMPARE(w->workspace().count(), 0);  // nothing is given away
    QTRY_VERIFY(w->action("run.run")->isEnabled());
    QVERIFY(page->hasFocus());
    for (const QLabel* label : page->findChildren<QLabel*>()) {  // no word of what comes out
        QVERIFY2(!label->text().contains(QStringLiteral("hidden")) && !label->text().contains(QStringLiteral("17.")),
            qPrintable(label->text()));
    }
    // Each question says which answer is right and why the others are not, before the next one.
    const std::shared_ptr<const Workload> workload = gallery->workloadAt(7);
    QCOMPARE(workload->quiz.size(), 2U);
    auto* whys = w->findChild<QLabel*>(QStringLiteral("guessWhys"));
    for (const QuizQuestion& question : workload->quiz) {
        QCOMPARE(w->findChild<QLabel*>(QStringLiteral("guessQuestion"))->text(),
            QString::fromStdString(question.question.at("en")));
        QVERIFY(!whys->isVisible());
        const bool isFirst = &question == workload->quiz.data();
        std::size_t choice = 0;  // right the first time, wrong the second
        while (question.choices[choice].right != isFirst) {
            ++choice;
        }
        QTest::keyClick(page, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(choice)));
        QVERIFY(whys->isVisible() && w->workspace().count() == 0);
        for (const QuizQuestion::Choice& each : question.choices) {
            QVERIFY(whys->text().contains(QString::fromStdString(each.why.at("en"))));
        }
        QTest::keyClick(page, Qt::Key_1);  // too late
        QTest::keyClick(page, Qt::Key_Return);
    }
    QCOMPARE(w->workspace().count(), 2);
    QVERIFY(!page->isVisible() && w->timeline().view(0)->hasFocus());
    // Both are played; then the answer is beside the choice.
    StepThrough& steps = *w->findChild<StepThrough*>();
    QVERIFY(steps.isPlaying() && !outcome->isVisible());
    // Nor do totals, verdicts and differences tell it before.
    QVERIFY(w->timeline().side(0).isUnfinished() && w->timeline().side(0).frame().verdict.text.isEmpty());
    QVERIFY(w->timeline().differences()->lines().isEmpty());
    const auto seenAt = [&](int side, Ns time) {  // of the lanes, whether anything but the ground
        TimelineView& view = *w->timeline().view(side);
        const TimelineFrame frame = view.timeline().frame();
        const QImage image = view.grab().toImage();
        const int x = static_cast<int>(frame.xOf(time));
        for (int y = frame.geometry.lanesTop() + 2; y < frame.footerTop(); ++y) {
            if (image.pixelColor(x, y) != frame.theme.background) {
                return true;
            }
        }
        return false;
    };
    QVERIFY(!seenAt(0, w->workspace().at(0)->trace->duration * 9 / 10));
    w->timeline().view(1)->setStepTime(w->workspace().at(1)->trace->duration);  // B comes first to its end
    QVERIFY(!w->timeline().side(1).isUnfinished() && !w->timeline().side(1).frame().verdict.text.isEmpty());
    w->timeline().showRange({40'000'000, 60'000'000});  // as where playing ends: B is over
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QVERIFY(!steps.isOn() && outcome->isVisible());
    QVERIFY(!w->timeline().side(0).isUnfinished() && !w->timeline().differences()->lines().isEmpty());
    const Interval seen = w->timeline().side(0).visibleRange();
    QVERIFY(seen.start <= 0 && seen.end >= w->workspace().at(0)->trace->duration);
    QCOMPARE(steps.speed(), 1);
    QCOMPARE(outcome->text(), QStringLiteral("1 of 2 right"));
    // They can be asked again beside the lanes, and Esc leaves them.
    w->action("lesson.quiz")->trigger();
    QVERIFY(page->isVisible() && w->workspace().count() == 2);
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QVERIFY(!page->isVisible() && w->timeline().view(0)->hasFocus());
    // Nothing the next time, when it is turned off; nor is the earlier text still there.
    w->action("lesson.expect")->trigger();
    w->action("lesson.gallery")->trigger();
    QTest::keyClick(gallery, Qt::Key_Return);
    const OpenRecordingPtr before = w->workspace().at(1);
    QTRY_VERIFY(w->workspace().count() == 2 && w->workspace().at(1) != before);
    QVERIFY(!outcome->isVisible());
}

/// Another lesson is open when one is asked for: title, code and what can be saved are not the open one's.
void tst_lesson_window::theQuestionHasNothingBehindIt()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(!w->isBusy());
    QVERIFY(w->action("file.save-session")->isEnabled());
    w->action("lesson.expect")->trigger();
    w->action("lesson.gallery")->trigger();
    auto* gallery = w->findChild<GalleryList*>();
    gallery->setFocus();
    gallery->setCurrentRow(0);
    const std::shared_ptr<const Workload> asked = gallery->workloadAt(0);
    QVERIFY(asked->name != w->workspace().at(0)->workload->name);
    QTest::keyClick(gallery, Qt::Key_Return);
    auto* page = w->findChild<GuessPage*>();
    QTRY_VERIFY(page->isVisible());
    QTRY_VERIFY(!w->isBusy());
    const QString title = titleOf(*asked);
    QCOMPARE(w->workspace().count(), 0);
    QCOMPARE(w->windowTitle(), QStringLiteral("Lanescope"));
    QCOMPARE(w->findChild<QLabel*>(QStringLiteral("caption"))->text(), title);
    const auto code = [&] { return w->findChild<CodePanel*>(QStringLiteral("sideCode"))->shownCode(); };
    QCOMPARE(code(), QString::fromStdString(asked->code_pytorch));
    for (const char* id : {"file.save-session", "file.save-a", "file.export", "file.print"}) {
        QVERIFY2(!w->action(id)->isEnabled(), id);
    }
    w->action("lesson.gallery")->trigger();  // and back, to the question
    w->action("lesson.gallery")->trigger();
    QVERIFY(page->isVisible());
    answerAll(*page);
    QCOMPARE(w->workspace().count(), 2);
    QCOMPARE(w->workspace().at(0)->workload->name, asked->name);
    QVERIFY(w->action("file.save-session")->isEnabled());
}

/// Parameters and code beside the cards are of one workload, and looking at cards makes no run due.
void tst_lesson_window::theGalleryHasTheCodeOfItsCard()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(!w->isBusy());
    const auto code = [&] { return w->findChild<CodePanel*>(QStringLiteral("sideCode"))->shownCode(); };
    const QString before = code();
    w->action("lesson.gallery")->trigger();
    auto* gallery = w->findChild<GalleryList*>();
    gallery->setFocus();
    gallery->setCurrentRow(7);
    for (const auto key : {Qt::Key_Left, Qt::Key_Left}) {
        QTest::keyClick(gallery, key);
        const auto card = gallery->workloadAt(gallery->currentRow());
        QCOMPARE(w->findChild<ParameterForm*>()->workload()->name, card->name);
        QCOMPARE(code(), QString::fromStdString(card->code_pytorch));
        QVERIFY(!w->findChild<QLabel*>(QStringLiteral("notRun"))->isVisible());
    }
    w->action("lesson.gallery")->trigger();
    QCOMPARE(code(), before);
    QVERIFY(w->findChild<QLabel*>(QStringLiteral("notRun"))->isVisible());  // beside the lanes it is
}

/// When a run that fails ends nobody can expect, but which line raises one can; there is nothing to race.
void tst_lesson_window::asksOfAnErrorWithoutARace()
{
    const auto w = window();
    w->action("lesson.expect")->trigger();
    auto* gallery = w->findChild<GalleryList*>();
    auto* page = w->findChild<GuessPage*>();
    int row = 0;
    for (; gallery->workloadAt(row)->name != "late-error"; ++row) { }
    gallery->setCurrentRow(row);
    QTest::keyClick(gallery, Qt::Key_Return);
    QTRY_VERIFY(page->isVisible());
    answerAll(*page);
    QCOMPARE(w->workspace().count(), 2);
    QVERIFY(!page->isVisible() && !w->findChild<StepThrough*>()->isPlaying());
    QVERIFY(w->findChild<QLabel*>(QStringLiteral("outcome"))->text().contains(QStringLiteral("of 2 right")));
}

/// In a hall hands are counted for each choice; a presenter's key ends the count.
void tst_lesson_window::handsAreCounted()
{
    const auto w = window();
    auto* page = w->findChild<GuessPage*>();
    w->action("lesson.expect")->trigger();
    auto* gallery = w->findChild<GalleryList*>();
    gallery->setCurrentRow(7);
    QTest::keyClick(gallery, Qt::Key_Return);
    QTRY_VERIFY(page->isVisible());
    QTRY_VERIFY(w->action("view.full-screen")->isEnabled());
    QTest::keyClick(w.get(), Qt::Key_F11);
    QVERIFY(page->isVisible() && page->hasFocus() && !w->menuBar()->isVisible());
    for (const auto key : {Qt::Key_2, Qt::Key_2, Qt::Key_3}) {
        QTest::keyClick(page, key);
    }
    QVERIFY(page->isVisible() && w->workspace().count() == 0);
    QCOMPARE(page->hands(), (std::vector<int> {0, 2, 1}));
    QTest::keyClick(page, Qt::Key_PageDown);
    QVERIFY(page->isAnswered() && w->findChild<QLabel*>(QStringLiteral("guessWhys"))->isVisible());
    QVERIFY(w->workspace().count() == 0);
    for (int i = 0; i < 3; ++i) {  // the next question, its answer, the lanes
        QTest::keyClick(page, Qt::Key_PageDown);
    }
    QCOMPARE(w->workspace().count(), 2);
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QVERIFY(!w->isFullScreen());
}

/// One key goes from what to look at to the rule and to the next lesson, the other back.
void tst_lesson_window::twoKeysTeachALesson()
{
    const auto w = window();
    auto* gallery = w->findChild<GalleryList*>();
    auto* lesson = w->findChild<LessonPanel*>();
    gallery->setFocus();
    gallery->setCurrentRow(7);
    QTest::keyClick(gallery, Qt::Key_Return);
    QCOMPARE(w->findChild<WorkloadList*>()->selected()->name, std::string("copy-results-back"));  // Run is about it
    QTRY_VERIFY(w->workspace().count() == 2 && !w->isBusy());
    QCOMPARE(lesson->workload()->name, std::string("copy-results-back"));
    QTest::keyClick(w.get(), Qt::Key_F11);
    auto* text = w->findChild<QLabel*>(QStringLiteral("lectureText"));
    auto* steps = w->findChild<StepThrough*>();
    auto* presenter = w->findChild<Presenter*>();
    QVERIFY(text->isVisible() && text->text().contains(lesson->title()));
    const auto press = [&](Qt::Key key) { QTest::keyClick(w->timeline().view(0), key); };
    const std::size_t length = presenter->length();
    QVERIFY2(length >= 6 && length <= 21, qPrintable(QString::number(length)));
    std::set<int> sides;
    for (std::size_t i = 1; i < length; ++i) {
        press(i % 2 == 0 ? Qt::Key_Right : Qt::Key_PageDown);
        QVERIFY(steps->isOn() && !text->isVisible());
        sides.insert(w->timeline().activeIndex());
    }
    QCOMPARE(sides.size(), 2U);  // B has its steps as well
    press(Qt::Key_Right);
    QVERIFY(!steps->isOn() && text->isVisible());
    QVERIFY(text->text().contains(lesson->sections().back().text.toHtmlEscaped()));
    press(Qt::Key_Left);
    QVERIFY(steps->isOn());
    press(Qt::Key_PageDown);
    QVERIFY(!steps->isOn());
    press(Qt::Key_Right);
    QTRY_VERIFY(lesson->workload()->name == "read-too-early" && !w->isBusy());
    QVERIFY(w->isFullScreen() && text->isVisible());
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QVERIFY(!w->isFullScreen());
    QTest::keyClick(w->timeline().view(0), Qt::Key_Right);  // the timeline's again
    QVERIFY(!steps->isOn());
    // What was opened has a tick, in the next window as well.
    QVERIFY(gallery->isSeen(*gallery->workloadAt(7)) && gallery->isSeen(*gallery->workloadAt(8)));
    QVERIFY(!gallery->isSeen(*gallery->workloadAt(0)));
    w->remember();
    const auto other = window();
    auto* cards = other->findChild<GalleryList*>();
    QVERIFY(cards->isSeen(*cards->workloadAt(7)) && !cards->isSeen(*cards->workloadAt(0)));
}

/// After the total; "CPU free" says nothing where the lesson is about another one.
void tst_lesson_window::theStripHasTheFigureOfTheLesson()
{
    const auto w = window();
    openLesson(*w, QStringLiteral("timing-mistakes"));
    const QStringList lines = w->findChild<DifferenceStrip*>()->lines();
    const auto isOf = [&](qsizetype at, const char* start) {
        return at < lines.size() && lines[at].startsWith(QLatin1String(start));
    };
    QVERIFY2(isOf(1, "total: ") && isOf(2, "stopwatch: ") && isOf(3, "GPU busy: "), qPrintable(lines.join('\n')));
    QVERIFY2(lines[2].contains(QStringLiteral(" times as much")), qPrintable(lines[2]));
    QVERIFY2(lines.filter(QStringLiteral("CPU free")).isEmpty(), qPrintable(lines.join('\n')));
}

static constexpr auto two_screens = "LANES_TEST_TWO_SCREENS";

/// The rule, the next step and the answer, before the stage has them; the presenter's keys count in both windows.
void tst_lesson_window::thePresenterSeesMoreThanTheAudience()
{
    const auto w = window();
    auto* gallery = w->findChild<GalleryList*>();
    auto* notes = w->findChild<PresenterNotes*>();
    auto* presenter = w->findChild<Presenter*>();
    auto* steps = w->findChild<StepThrough*>();
    gallery->setFocus();
    gallery->setCurrentRow(7);
    QTest::keyClick(gallery, Qt::Key_Return);
    QTRY_VERIFY(w->workspace().count() == 2 && !w->isBusy());
    const LessonPanel& lesson = *w->findChild<LessonPanel*>();
    QTest::keyClick(w.get(), Qt::Key_F11);
    if (qEnvironmentVariableIsSet(two_screens)) {
        QVERIFY(notes->hasOwnScreen());
    }
    QCOMPARE(notes->isOn(), notes->hasOwnScreen());
    if (!notes->isOn()) {
        w->action("lesson.notes")->trigger();
    }
    QVERIFY(notes->isVisible() && w->action("lesson.notes")->isChecked());
    QCOMPARE(notes->screen() != w->screen(), notes->hasOwnScreen());
    auto* page = notes->findChild<QTextBrowser*>();
    const auto shown = [&] { return page->toPlainText().simplified(); };
    QVERIFY(notes->findChild<QLabel*>()->text().contains(lesson.title().toHtmlEscaped()));
    const QString rule = lesson.sections().back().text.section(QLatin1Char('\n'), 0, 0);
    QVERIFY2(shown().contains(rule), qPrintable(shown()));
    for (std::size_t i = 0; i < presenter->length(); ++i) {
        const QString next = presenter->text(1);
        QVERIFY2(!next.isEmpty() && shown().contains(next.simplified()), qPrintable(shown()));
        QTest::keyClick(page, i % 2 == 0 ? Qt::Key_PageDown : Qt::Key_Right);
        QCOMPARE(presenter->text(0), next);
        QVERIFY2(shown().contains(next.simplified()), qPrintable(shown()));
    }
    QCOMPARE(presenter->part(), Lecture::Shown::rule);
    QCOMPARE(presenter->text(1), QString());
    QVERIFY2(shown().contains(titleOf(*gallery->workloadAt(8))), qPrintable(shown()));
    QTest::keyClick(page, Qt::Key_PageUp);
    QVERIFY(steps->isOn());
    w->action("lesson.quiz")->trigger();
    const auto& choices = lesson.workload()->quiz[0].choices;
    const auto right = std::find_if(choices.begin(), choices.end(), [](const auto& each) { return each.right; });
    QVERIFY2(shown().contains(QStringLiteral("✓ ") + QString::fromStdString(in_language(right->text, "en"))),
        qPrintable(shown()));
    QTest::keyClick(page, Qt::Key_Escape);
    QVERIFY(!steps->isOn() && w->isFullScreen());
    QTest::keyClick(page, Qt::Key_Escape);
    QVERIFY(!w->isFullScreen());
    QVERIFY(!notes->isOn() && !w->action("lesson.notes")->isChecked());
}

/// The same again, where there are two.
void tst_lesson_window::theNotesHaveAScreenOfTheirOwn()
{
    QTemporaryFile screens;
    QVERIFY(screens.open());
    screens.write(R"({"screens": [
        {"name": "stage", "x": 0, "y": 0, "width": 1920, "height": 1080, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1},
        {"name": "desk", "x": 1920, "y": 0, "width": 1366, "height": 768, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    ]})");
    screens.close();
    QProcess again;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(two_screens), QStringLiteral("1"));
    again.setProcessEnvironment(environment);
    again.setProcessChannelMode(QProcess::MergedChannels);
    again.start(QCoreApplication::applicationFilePath(),
        {QStringLiteral("-platform"), QStringLiteral("offscreen:configfile=") + screens.fileName(),
            QStringLiteral("thePresenterSeesMoreThanTheAudience")});
    QVERIFY(again.waitForFinished(120'000));
    QVERIFY2(again.exitStatus() == QProcess::NormalExit && again.exitCode() == 0, again.readAll().constData());
}

void tst_lesson_window::onStageNoLaneIsOutOfSight_data()
{
    QTest::addColumn<QString>("lesson");
    for (const char* name : {"copy-results-back", "data-loader", "copies-both-ways", "two-streams"}) {
        QTest::newRow(name) << QString::fromLatin1(name);
    }
}

/// For every shown lane.
static void compareHeights(MainWindow& window)
{
    for (const int side : {0, 1}) {
        const TimelineView& view = *window.timeline().view(side);
        const int room = static_cast<int>(view.height() / view.magnification()) - FrameGeometry::title_height
            - FrameGeometry::ruler_height;
        QVERIFY2(view.timeline().lanes().layout().height() <= room,
            qPrintable(QStringLiteral("%1 of %2 at %3")
                           .arg(room)
                           .arg(view.timeline().lanes().layout().height())
                           .arg(view.magnification())));
    }
}

void tst_lesson_window::onStageNoLaneIsOutOfSight()
{
    QFETCH(QString, lesson);
    const auto w = window();
    openLesson(*w, lesson);
    QTest::keyClick(w.get(), Qt::Key_F11);
    w->setWindowState(Qt::WindowNoState);
    w->resize(1280, 720);
    for (const bool stepping : {false, true}) {
        if (stepping) {
            QTest::keyClick(w->timeline().view(0), Qt::Key_Right);
        }
        QCoreApplication::processEvents();
        compareHeights(*w);
    }
}

void tst_lesson_window::inALowWindowNoLaneIsOutOfSight_data()
{
    QTest::addColumn<QString>("lesson");
    for (const char* name : {"copy-results-back", "data-loader", "all-reduce", "two-streams"}) {
        QTest::newRow(name) << QString::fromLatin1(name);
    }
}

/// Whichever panel is under them; and a lesson with few lanes has lines of its text in sight, not only headings.
void tst_lesson_window::inALowWindowNoLaneIsOutOfSight()
{
    QFETCH(QString, lesson);
    const auto w = window();
    openLesson(*w, lesson);
    for (const char* panel :
        {"go.findings", "go.lesson", "go.variants", "go.details", "go.statistics", "go.findings"}) {
        w->action(panel)->trigger();
        QCoreApplication::processEvents();
        compareHeights(*w);
        const int height = w->findChild<LessonPanel*>()->height();
        QVERIFY2(panel != QByteArray("go.lesson") || lesson == QLatin1String("data-loader")
                || lesson == QLatin1String("all-reduce") || height >= 120,
            qPrintable(QString::number(height)));
    }
}

/// The first finding is cut there, and tools are in a menu.
void tst_lesson_window::aSmallWindowShowsBothGpusAndTheTitle()
{
    const auto w = window();
    w->resize(900, 600);
    openLesson(*w, QStringLiteral("copy-results-back"));
    w->action("go.findings")->trigger();
    QCoreApplication::processEvents();
    compareHeights(*w);
    const auto* caption = w->findChild<QLabel*>(QStringLiteral("caption"));
    QVERIFY2(caption->text().startsWith(QLatin1String("Copy")), qPrintable(caption->text()));
}

/// With a second line no GPU lane of these two would be in sight.
void tst_lesson_window::theLegendOfManyKindsHasOneLine()
{
    const auto w = window();
    w->resize(1280, 720);
    const QString folder = qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings/h100/");
    w->openFiles({folder + QStringLiteral("data-loader.workers-2-pageable.sqlite"),
        folder + QStringLiteral("data-loader.prefetcher.sqlite")});
    QTRY_VERIFY(w->workspace().count() == 2 && !w->isBusy());
    auto* legend = w->findChild<LegendStrip*>();
    QTRY_VERIFY(legend->items().size() > 8);
    QTRY_COMPARE(legend->height(), legend->fontMetrics().height() + 8);
}

void tst_lesson_window::onStageNoticesGo()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_VERIFY(w->workspace().count() == 2 && !w->isBusy());
    auto* bar = w->findChild<NoticeBar*>();
    bar->showError(QStringLiteral("before"));
    QTest::keyClick(w.get(), Qt::Key_F11);
    QVERIFY(bar->isHidden());
    QTest::keyClick(w.get(), Qt::Key_F11);
    QCOMPARE(notice(*w), QStringLiteral("before"));  // nothing is lost
    QTest::keyClick(w.get(), Qt::Key_F11);
    w->action("file.copy-picture")->trigger();
    QVERIFY(notice(*w).contains(QLatin1String("Copied")));
    QTRY_VERIFY(bar->isHidden());
    bar->showError(QStringLiteral("wrong"));
    QTest::qWait(5000);  // longer than what went well stays
    QCOMPARE(notice(*w), QStringLiteral("wrong"));
    QTest::keyClick(w.get(), Qt::Key_F11);
    QCOMPARE(notice(*w), QStringLiteral("wrong"));
}

void tst_lesson_window::playsThroughBothRecordings()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(w->action("lesson.play")->isEnabled());
    w->action("go.timeline")->trigger();
    StepThrough& steps = *w->findChild<StepThrough*>();
    steps.setSpeed(99);
    QTest::keyClick(w.get(), Qt::Key_F7);
    auto* bar = w->findChild<StepBar*>();
    QVERIFY(bar->isVisible());
    auto* speed = bar->findChild<QComboBox*>();
    QCoreApplication::processEvents();
    const int left = speed->x();
    QTest::keyClick(w.get(), Qt::Key_F9);
    QVERIFY(steps.isPlaying());
    QCoreApplication::processEvents();
    QCOMPARE(speed->x(), left);  // nothing beside the button moves
    QTRY_VERIFY(steps.current() > 3U);
    QTest::keyClick(w.get(), Qt::Key_F9);
    QVERIFY(!steps.isPlaying());
    // The line is at the same time in both; the words, the selection and the lit line are of the same step.
    QCOMPARE(*w->timeline().view(0)->overlay().step, steps.time());
    QCOMPARE(*w->timeline().view(1)->overlay().step, steps.time());
    QTest::keyClick(w.get(), Qt::Key_F10);
    const RunSteps mine(w->workspace().at(0));
    QVERIFY(bar->text().endsWith(mine.text(*steps.current())));
    QCOMPARE(w->timeline().side(0).selection(), ItemRef(mine.event(*steps.current())));
    // A click elsewhere goes on from there.
    w->timeline().select(1, {ItemKind::operation, 2});
    const RunSteps other(w->workspace().at(1));
    QCOMPARE(steps.current(), other.of({ItemKind::operation, 2}));
    QVERIFY(bar->text().startsWith(QLatin1Char('B')));
    // To the end, and no further.
    for (std::size_t i = 0; i < other.size(); ++i) {
        QTest::keyClick(w.get(), Qt::Key_F10);
    }
    QCOMPARE(steps.current(), std::optional(other.size() - 1));
    QTest::keyClick(w.get(), Qt::Key_F7);
    QVERIFY(!bar->isVisible() && !w->timeline().view(0)->overlay().step);
    QTest::keyClick(w.get(), Qt::Key_F7);
    QVERIFY(bar->isVisible());
    QTest::mouseClick(bar->findChild<QPushButton*>(QStringLiteral("closeSteps")), Qt::LeftButton);
    QVERIFY(!bar->isVisible() && !w->timeline().view(0)->overlay().step);
    QVERIFY(!w->action("lesson.step-through")->isChecked());
    // Without a recording it is off.
    QTest::keyClick(w.get(), Qt::Key_F7);
    w->workspace().set({});
    QVERIFY(!steps.isOn() && !w->action("lesson.play")->isEnabled());
}

void tst_lesson_window::keysStopThePlaying()
{
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(w->action("lesson.play")->isEnabled());
    w->action("go.timeline")->trigger();
    StepThrough& steps = *w->findChild<StepThrough*>();
    for (const auto& [key, by] : {std::pair(Qt::Key_F10, 1), std::pair(Qt::Key_F8, -1)}) {
        QTest::keyClick(w.get(), Qt::Key_F9);
        steps.step(1);
        QTest::keyClick(w.get(), Qt::Key_F9);
        QVERIFY(steps.isPlaying());
        const auto at = steps.current();
        QTest::keyClick(w.get(), key);
        QVERIFY(!steps.isPlaying());
        QCOMPARE(*steps.current(), *at + static_cast<std::size_t>(by));
    }
    // Esc pauses, then leaves the stepping, then full screen, then clears the selection.
    QTest::keyClick(w.get(), Qt::Key_F11);
    QTest::keyClick(w.get(), Qt::Key_F9);
    QVERIFY(steps.isPlaying() && w->isFullScreen());
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QVERIFY(!steps.isPlaying() && steps.isOn() && !w->action("lesson.play")->isChecked());
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QVERIFY(!steps.isOn() && w->isFullScreen());
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QVERIFY(!w->isFullScreen() && w->timeline().side(w->timeline().activeIndex()).selection());
    QTest::keyClick(w.get(), Qt::Key_Escape);
    QVERIFY(!w->timeline().side(w->timeline().activeIndex()).selection());
}

void tst_lesson_window::theLectureIsLargeAndLosesNothing()
{
    QVERIFY(Lecture::magnificationFor(720) < Lecture::magnificationFor(1080));
    QVERIFY(Lecture::magnificationFor(2160) <= 3.5);
    const auto w = window();
    w->openFiles({m_a, m_b});
    QTRY_COMPARE(w->workspace().count(), 2);
    QTRY_VERIFY(w->action("view.full-screen")->isEnabled());
    TimelineView& view = *w->timeline().view(0);
    QTest::keyClick(w.get(), Qt::Key_F11);
    QTRY_VERIFY(view.magnification() > 1);
    QVERIFY(view.timeline().state().time.isFitted());
    // The mouse still hits what it points at, and both views show one time at one place.
    const auto box = boxOf(view.timeline().frame(), {ItemKind::operation, 1});
    QVERIFY(box);
    QTest::mouseClick(&view, Qt::LeftButton, {}, (box->center() * view.magnification()).toPoint());
    QCOMPARE(view.timeline().selection(), (ItemRef {ItemKind::operation, 1}));
    QCOMPARE(w->timeline().side(1).timeScale(), view.timeline().timeScale());
    QVERIFY(view.timeline().visibleRange().end >= view.timeline().recording()->report->wall);
    // While stepping through the run the code is shown with its line lit, and it goes when stepping ends.
    auto* code = w->findChild<CodePanel*>(QStringLiteral("lectureCode"));
    QVERIFY(!code->isVisible());
    QTest::keyClick(w.get(), Qt::Key_F7);
    for (int i = 0; i < 12 && code->text()->extraSelections().isEmpty(); ++i) {  // not every step has a line of its own
        QTest::keyClick(w.get(), Qt::Key_F10);
    }
    QVERIFY(code->isVisible() && code->hasCode());
    QCOMPARE(code->text()->extraSelections().size(), 1);
    QCOMPARE(code->text()->extraSelections().front().cursor.block().text(), QStringLiteral("    y[i] = matmul()"));
    QTRY_VERIFY(w->timeline().height() > 3 * code->height());
    QTest::keyClick(w.get(), Qt::Key_F7);
    QVERIFY(!code->isVisible());
    // Closing the last recording must not leave the window without a menu.
    w->workspace().set({});
    QVERIFY(!w->isFullScreen() && w->menuBar()->isVisible());
    QCOMPARE(view.magnification(), 1.0);
}

void tst_lesson_window::missingGlyphsAreSaid()
{
    QVERIFY(hasGlyphsFor(QStringLiteral("Does it block?")));
    QVERIFY(!hasGlyphsFor(QStringLiteral("\U0010FFFD")));
    QVERIFY(missingGlyphs(QStringLiteral("en")).isEmpty());
    speak(QStringLiteral("zh_CN"));
    const auto w = window();
    QCOMPARE(notice(*w).contains(QStringLiteral("fonts-noto-cjk")), !hasGlyphsFor(QStringLiteral("\u62F7\u8D1D")));
}

QTEST_MAIN(tst_lesson_window)
#include "tst_lesson_window.moc"
