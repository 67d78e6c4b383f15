// SPDX-License-Identifier: MIT
// Recording a program from the window, with a real `lanes record` and a program that spools as a probe does: the
// dialog, lanes that grow, held and followed, the end, and the recording afterwards.
#include "engine/store/recording_file.h"
#include "gui/app/record/live_recording.h"
#include "gui/app/record/monitor_strip.h"
#include "gui/app/record/record_advice.h"
#include "gui/app/record/record_dialog.h"
#include "gui/app/record/record_run.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "tests/gui/app/window_case.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDirIterator>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QScopeGuard>
#include <QSignalSpy>

using namespace lanes;
using namespace lanes::gui;

class tst_LiveRecording : public WindowCase {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { startAfresh(); }
    void commandLines_data();
    void commandLines();
    void problems_data();
    void problems();
    void argumentsAreThoseOfTheDialog();
    void settingsAreRemembered();
    void saysWhyNothingWasRecorded_data();
    void saysWhyNothingWasRecorded();
    void dialogTellsWhatIsWrong();
    void lanesGrowAndAreHeld();
    void recordingTakesTheirPlace();
    void keptAndDiscarded();
    void startsAgain();
    void isStoppedAtOnce();
    void aProgramThatFails();
    void withoutARecorder();
    void askedBeforeItIsLost();
    void aSignalLeavesIt();

private:
    QString program(const QString& words) const
    {
        return qEnvironmentVariable("LANES_BUILD")
            + QStringLiteral("/tests/gui/app/record/live_recording/spooling_program ") + words;
    }
    RecordSettings settings(const QString& words) const
    {
        RecordSettings settings;
        settings.command = program(words);
        settings.folder = m_folder.path();
        return settings;
    }
    static LiveRecording& recorder(MainWindow& window) { return *window.findChild<LiveRecording*>(); }
    static MonitorStrip& strip(MainWindow& window) { return *window.findChild<MonitorStrip*>(); }
    static Ns duration(MainWindow& window)
    {
        const OpenRecordingPtr shown = window.workspace().at(0);
        return shown ? shown->trace->duration : 0;
    }
    static void end(MainWindow& window)
    {
        window.action("run.record-stop")->trigger();
        QTRY_VERIFY(!recorder(window).isRunning() && !window.isBusy());
    }
};

/// `lanes` with something in the recorder's place: the program spools by itself.
void tst_LiveRecording::initTestCase()
{
    prepare();
    const QString bin = m_folder.filePath(QStringLiteral("bin"));
    QVERIFY(QDir().mkpath(bin));
    QVERIFY(QFile::copy(
        qEnvironmentVariable("LANES_BUILD") + QStringLiteral("/bin/lanes"), bin + QStringLiteral("/lanes")));
    for (const char* name : {"/liblanes-probe.so", "/liblanes-nvtx.so"}) {
        QFile file(bin + QLatin1String(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    qputenv("LANES_PROGRAM", QFile::encodeName(bin + QStringLiteral("/lanes")));
}

void tst_LiveRecording::commandLines_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("problem");
    QTest::newRow("words") << " python3  train.py --lr 0.1 " << QStringList {"python3", "train.py", "--lr", "0.1"}
                           << "";
    QTest::newRow("quotes") << R"(sh -c 'a b; c' "d e" f\ g)" << QStringList {"sh", "-c", "a b; c", "d e", "f g"} << "";
    QTest::newRow("variable") << "$LANES_TEST_WORD/x" << QStringList {"word/x"} << "";
    QTest::newRow("nothing") << "  " << QStringList() << "";
    QTest::newRow("a pipe") << "a | b" << QStringList() << "sh -c";
    QTest::newRow("two commands") << "a; b" << QStringList() << "sh -c";
    QTest::newRow("open quote") << "a 'b" << QStringList() << "not closed";
    QTest::newRow("a command in it") << "a $(rm -rf x)" << QStringList() << "are not run here";
}

void tst_LiveRecording::commandLines()
{
    QFETCH(QString, line);
    QFETCH(QStringList, words);
    QFETCH(QString, problem);
    qputenv("LANES_TEST_WORD", "word");
    QString found;
    QCOMPARE(wordsOf(line, &found), words);
    QVERIFY2(problem.isEmpty() ? found.isEmpty() : found.contains(problem), qPrintable(found));
}

void tst_LiveRecording::problems_data()
{
    QTest::addColumn<RecordField>("field");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, RecordField field, const char* value, const char* problem) {
        QTest::newRow(name) << field << QString::fromUtf8(value) << QString::fromUtf8(problem);
    };
    row("a program", RecordField::command, "sh -c true", "");
    row("none of that name", RecordField::command, "no-such-program", "no program “no-such-program”");
    row("no file", RecordField::command, "./none", "no file");
    row("a folder", RecordField::command, "/tmp/", "is a folder");
    row("a script alone", RecordField::command, "./script.py", "python3 ./script.py");
    row("a variable first", RecordField::command, "A=1 sh", "in the field below");
    row("no folder", RecordField::folder, "/no/such", "no folder");
    row("environment", RecordField::environment, "A=1\n\nB_2= x y", "");
    row("no assignment", RecordField::environment, "A=1\nB", "Line 2: found “B”");
    row("delay", RecordField::delay, "500 ms", "");
    row("no unit", RecordField::delay, "5", "expected a time");
    row("a size for a time", RecordField::duration, "5MB", "expected a time");
    row("size", RecordField::maxSize, "2GiB", "");
    row("a time for a size", RecordField::maxSize, "2s", "expected a size");
    row("steps", RecordField::part, "10:20", "");
    row("steps backwards", RecordField::part, "20:10", "two whole numbers");
}

void tst_LiveRecording::problems()
{
    QFETCH(RecordField, field);
    QFETCH(QString, value);
    QFETCH(QString, problem);
    QFile script(m_folder.filePath(QStringLiteral("script.py")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    RecordSettings settings;
    settings.command = QStringLiteral("sh");
    settings.folder = m_folder.path();
    QVERIFY(isReady(settings));
    switch (field) {
    case RecordField::command:
        settings.command = value;
        break;
    case RecordField::folder:
        settings.folder = value;
        break;
    case RecordField::environment:
        settings.environment = value;
        break;
    case RecordField::part:
        settings.part = RecordSettings::Trigger::steps;
        settings.steps = value;
        break;
    case RecordField::delay:
        settings.delay = value;
        break;
    case RecordField::duration:
        settings.duration = value;
        break;
    case RecordField::maxSize:
        settings.maxSize = value;
        break;
    }
    const auto problems = problemsOf(settings);
    const QString& found = problems[static_cast<std::size_t>(field)];
    QVERIFY2(problem.isEmpty() ? found.isEmpty() : found.contains(problem), qPrintable(found));
    QCOMPARE(isReady(settings), problem.isEmpty());
}

void tst_LiveRecording::argumentsAreThoseOfTheDialog()
{
    RecordSettings settings;
    settings.command = QStringLiteral("python3 'my train.py' --lr 1");
    settings.pytorch = settings.allApi = true;
    settings.delay = QStringLiteral(" 2s ");
    settings.duration = QStringLiteral("10s");
    settings.maxSize = QStringLiteral("2GiB");
    settings.part = RecordSettings::Trigger::steps;
    settings.steps = QStringLiteral("10:20");
    settings.range = QStringLiteral("not this");
    QCOMPARE(recordArguments(settings, QStringLiteral("/tmp/a%b.sqlite")),
        (QStringList {"record", "-o", "/tmp/a%%b.sqlite", "--pytorch", "--all-api", "--delay", "2s", "--duration",
            "10s", "--max-size", "2GiB", "--steps", "10:20", "--", "python3", "my train.py", "--lr", "1"}));
    QCOMPARE(programName(settings), QStringLiteral("my train.py"));
    settings.part = RecordSettings::Trigger::range;
    QVERIFY(recordArguments(settings, QStringLiteral("x")).contains(QStringLiteral("not this")));
    settings.environment = QStringLiteral("A=b=c\n  D= e ");
    QCOMPARE(environmentOf(settings).value(QStringLiteral("A")), QStringLiteral("b=c"));
    QCOMPARE(environmentOf(settings).value(QStringLiteral("D")), QStringLiteral(" e"));
}

void tst_LiveRecording::settingsAreRemembered()
{
    RecordSettings settings;
    settings.command = QStringLiteral("a");
    settings.folder = QStringLiteral("/b");
    settings.environment = QStringLiteral("C=1\nD=2");
    settings.pytorch = settings.stacks = settings.wholeGraphs = true;
    settings.part = RecordSettings::Trigger::range;
    settings.range = QStringLiteral("r");
    settings.steps = QStringLiteral("1:2");
    settings.maxSize = QStringLiteral("2GiB");
    QSettings stored;
    settings.remember(stored);
    QCOMPARE(RecordSettings::restored(stored), settings);
}

void tst_LiveRecording::saysWhyNothingWasRecorded_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("why");
    QTest::newRow("no recorder") << 125 << "liblanes-probe.so is not beside lanes, so nothing can be recorded: …"
                                 << "came without its recorder";
    QTest::newRow("no CUDA") << 0 << "the program made no CUDA call: there is nothing to record"
                             << "lanes doctor";
    QTest::newRow("failed before CUDA") << 1 << "the program made no CUDA call: there is nothing to record"
                                        << "status 1 before it made a CUDA call";
    QTest::newRow("CUPTI") << 125 << "not recorded: CUPTI cannot be used: CUPTI_ERROR_NOT_INITIALIZED"
                           << "CUPTI_ERROR_NOT_INITIALIZED. “lanes doctor”";
    QTest::newRow("not found") << 127 << "x: No such file or directory"
                               << "could not be started: x: No such";
    QTest::newRow("full disk") << 125 << "cannot write a.spool: No space left on device; no recording was made"
                               << "No space left";
    QTest::newRow("silence") << 3 << ""
                             << "status 3";
}

void tst_LiveRecording::saysWhyNothingWasRecorded()
{
    QFETCH(int, status);
    QFETCH(QString, said);
    QFETCH(QString, why);
    RecordEnd end;
    end.status = status;
    end.said = said.isEmpty() ? QStringList() : QStringList {said};
    QVERIFY2(whyNotRecorded(end).contains(why), qPrintable(whyNotRecorded(end)));
}

void tst_LiveRecording::dialogTellsWhatIsWrong()
{
    const auto window = this->window();
    window->action("run.record")->trigger();
    auto* dialog = window->findChild<RecordDialog*>();
    QVERIFY(dialog);
    auto* command = dialog->findChild<QLineEdit*>(QStringLiteral("recordCommand"));
    auto* start = dialog->findChild<QPushButton*>(QStringLiteral("recordStart"));
    QTRY_VERIFY(command->hasFocus());
    QVERIFY(!start->isEnabled());  // and nothing is called an error before something was typed
    QVERIFY(!command->property("wrong").toBool());
    QTest::keyClicks(command, QStringLiteral("no-such-program"));
    QVERIFY(command->property("wrong").toBool());
    QVERIFY(command->accessibleDescription().contains(QStringLiteral("no-such-program")));
    command->setText(QStringLiteral("sh -c 'a b'"));
    QVERIFY(start->isEnabled());
    auto* part = dialog->findChild<QComboBox*>(QStringLiteral("recordPart"));
    auto* words = dialog->findChild<QLineEdit*>(QStringLiteral("recordPartWords"));
    QVERIFY(words->isHidden());
    part->setCurrentIndex(3);
    QVERIFY(words->isVisible() && !start->isEnabled());
    words->setText(QStringLiteral("1:2"));
    part->setCurrentIndex(1);
    QVERIFY(words->text().isEmpty() && !start->isEnabled());
    part->setCurrentIndex(3);
    QCOMPARE(words->text(), QStringLiteral("1:2"));
    QVERIFY(start->isEnabled());
    dialog->findChild<QCheckBox*>(QStringLiteral("recordPytorch"))->setChecked(true);
    QCOMPARE(dialog->findChild<QLabel*>(QStringLiteral("recordWords"))->text(),
        QStringLiteral("lanes record -o sh.sqlite --pytorch --steps 1:2 -- sh -c 'a b'"));
    dialog->findChild<QCheckBox*>(QStringLiteral("recordStacks"))->setChecked(true);
    dialog->findChild<QCheckBox*>(QStringLiteral("recordWholeGraphs"))->setChecked(true);
    QCOMPARE(dialog->findChild<QLabel*>(QStringLiteral("recordWords"))->text(),
        QStringLiteral("lanes record -o sh.sqlite --pytorch --stacks --graphs whole --steps 1:2 -- sh -c 'a b'"));
    QVERIFY(!dialog->findChild<QLabel*>(QStringLiteral("recordWarning")));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!window->findChild<RecordDialog*>());
    recorder(*window).setHasGpu(false);  // which is said before one records in vain
    window->action("run.record")->trigger();
    dialog = window->findChild<RecordDialog*>();
    QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("recordWarning"))->isVisible());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!window->findChild<RecordDialog*>());
}

void tst_LiveRecording::lanesGrowAndAreHeld()
{
    const auto window = this->window();
    QVERIFY(!window->action("run.record-follow")->isChecked());  // nothing runs that could be followed
    recorder(*window).start(settings(QStringLiteral("60")));
    QVERIFY(!window->action("run.record")->isEnabled());
    QVERIFY(window->action("run.record-follow")->isChecked());
    QTRY_VERIFY(duration(*window) > 0);
    QVERIFY(strip(*window).isVisible());
    const Ns first = duration(*window);
    QTRY_VERIFY(duration(*window) > first + 500'000'000);
    Timeline& side = window->timeline().side(0);
    QVERIFY(side.visibleRange().end >= duration(*window));
    // In the blocking half: a kernel and a copy one after the other, 8 of 10 ms, for which the thread waits.
    const auto tiles = strip(*window).findChildren<FigureTile*>();
    QTRY_COMPARE(tiles[0]->value(), QStringLiteral("80 %"));
    QCOMPARE(tiles[1]->value(), QStringLiteral("0 %"));
    QCOMPARE(tiles[2]->value(), QStringLiteral("80 %"));

    // Looking at something holds the lanes; the figures go on.
    window->timeline().showRange({100'000'000, 300'000'000});
    QVERIFY(!recorder(*window).follows());
    const Interval seen = side.visibleRange();
    const auto held = window->workspace().at(0)->trace;
    QTRY_COMPARE(tiles[1]->value(), QStringLiteral("30 %"));
    QCOMPARE(window->workspace().at(0)->trace, held);
    QCOMPARE(side.visibleRange(), seen);

    window->action("run.record-follow")->trigger();
    QTRY_VERIFY(window->workspace().at(0)->trace != held);
    QVERIFY(side.visibleRange().end >= duration(*window));
    // A selection holds as well.
    window->timeline().select(0, {ItemKind::operation, 0});
    QVERIFY(!recorder(*window).follows());
    // So does what is placed, which stays when the lanes grow again and when the recording has ended.
    window->action("run.record-follow")->trigger();
    const auto grows = [&] { return window->workspace().at(0)->trace != held && recorder(*window).follows(); };
    QTRY_VERIFY(grows());
    window->action("edit.annotate-text")->trigger();
    QVERIFY(!recorder(*window).follows());
    side.annotations().begin({});
    side.annotations().add({Annotation::Kind::text, 0, {100'000'000, "", 0.5}, {100'000'000, "", 0.5}, "why"});
    emit side.annotations().changed();
    window->action("run.record-follow")->trigger();
    const auto annotated = window->workspace().at(0)->trace;
    QTRY_VERIFY(window->workspace().at(0)->trace != annotated);
    QCOMPARE(side.annotations().all()->size(), 1u);
    end(*window);
    QCOMPARE(side.annotations().all()->size(), 1u);
}

void tst_LiveRecording::recordingTakesTheirPlace()
{
    const auto window = this->window();
    recorder(*window).start(settings(QStringLiteral("60")));
    QTRY_VERIFY(duration(*window) > 700'000'000);
    window->timeline().showRange({200'000'000, 400'000'000});
    QVERIFY(!recorder(*window).follows());
    const Interval seen = window->timeline().side(0).visibleRange();
    end(*window);
    QVERIFY2(strip(*window).state().contains(QStringLiteral("not kept yet")), qPrintable(strip(*window).state()));
    const OpenRecordingPtr whole = window->workspace().at(0);
    QVERIFY(whole->path.endsWith(QStringLiteral("spooling_program.sqlite")));
    QCOMPARE(window->timeline().side(0).visibleRange(), seen);
    const Trace saved = open_recording(whole->path.toStdString());
    QCOMPARE(saved.operations.size(), whole->trace->operations.size());
    QCOMPARE(saved.operations.size() * 3, saved.calls.size() * 2);  // nothing of what was spooled is missing
    QVERIFY(strip(*window).output().contains(QStringLiteral("interrupted")));
}

void tst_LiveRecording::keptAndDiscarded()
{
    const auto window = this->window();
    for (const bool keep : {true, false}) {
        recorder(*window).start(settings(QStringLiteral("0.7")));
        QTRY_VERIFY(!recorder(*window).isRunning() && !window->isBusy() && window->workspace().count() == 1);
        const QString file = window->workspace().at(0)->path;
        QVERIFY(QFile::exists(file));
        if (!keep) {
            window->action("run.record-discard")->trigger();
            QCOMPARE(window->workspace().count(), 0);
            QVERIFY(!QFile::exists(file));
            QVERIFY(strip(*window).isHidden());
            continue;
        }
        window->action("run.record-keep")->trigger();
        auto* chooser = window->findChild<QFileDialog*>(QStringLiteral("fileDialog"));
        QVERIFY(chooser);
        // Under a file, where nobody can write, root included: what is wrong is said, and nothing is lost.
        emit chooser->fileSelected(file + QStringLiteral("/kept.sqlite"));
        QTRY_VERIFY2(notice(*window).contains(QStringLiteral("kept.sqlite: ")), qPrintable(notice(*window)));
        QTRY_VERIFY(!window->isBusy());
        QVERIFY(QFile::exists(file));
        chooser->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))
            ->setText(m_folder.filePath(QStringLiteral("kept.sqlite")));
        QTest::keyClick(chooser->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")), Qt::Key_Return);
        QTRY_VERIFY(!window->isBusy() && strip(*window).isHidden());
        QCOMPARE(window->workspace().at(0)->path, m_folder.filePath(QStringLiteral("kept.sqlite")));
        QVERIFY(open_recording(m_folder.filePath(QStringLiteral("kept.sqlite")).toStdString()).operations.size() > 50);
        QVERIFY(!QFile::exists(file));
    }
}

void tst_LiveRecording::startsAgain()
{
    const auto window = this->window();
    recorder(*window).start(settings(QStringLiteral("60")));
    QTRY_VERIFY(duration(*window) > 0);
    const auto begun = [&window] { return window->workspace().at(0)->trace->origin; };
    const Ns first = begun();
    window->action("run.record-restart")->trigger();
    QTRY_VERIFY(recorder(*window).isRunning() && duration(*window) > 0 && begun() != first);
    end(*window);
    QCOMPARE(window->workspace().count(), 1);
}

/// The child may not have made its process group yet, nor have become the program.
void tst_LiveRecording::isStoppedAtOnce()
{
    const QString program = m_folder.filePath(QStringLiteral("sleeper"));
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\nexec sleep 60\n");
    script.close();
    script.setPermissions(script.permissions() | QFileDevice::ExeOwner);
    RecordSettings any;
    any.folder = m_folder.path();
    any.command = QStringLiteral("sh");
    for (int round = 0; round < 20; ++round) {
        RecordRun run;
        QSignalSpy ended(&run, &RecordRun::ended);
        run.start(program, any, m_folder.filePath(QStringLiteral("at-once.sqlite")));
        run.stop();
        QTRY_COMPARE(ended.count(), 1);
    }
}

void tst_LiveRecording::aProgramThatFails()
{
    const auto window = this->window();
    recorder(*window).start(settings(QStringLiteral("0.6 3")));
    QTRY_VERIFY(!recorder(*window).isRunning() && !window->isBusy());
    QVERIFY2(
        strip(*window).state().contains(QStringLiteral("ended with status 3")), qPrintable(strip(*window).state()));
    QCOMPARE(window->workspace().count(), 1);  // what was recorded is there

    RecordSettings idle;
    idle.command = QStringLiteral("sh -c 'echo went wrong; exit 4'");
    idle.folder = m_folder.path();
    recorder(*window).start(idle);
    QTRY_VERIFY(!recorder(*window).isRunning());
    QVERIFY2(strip(*window).state().contains(QStringLiteral("status 4 before it made a CUDA call")),
        qPrintable(strip(*window).state()));
    QVERIFY(strip(*window).outputShown());
    QVERIFY(strip(*window).output().contains(QStringLiteral("went wrong")));
    QVERIFY(!window->action("run.record-keep")->isEnabled());
}

void tst_LiveRecording::withoutARecorder()
{
    const QTemporaryDir empty;  // no lanes that is installed here
    const QByteArray with = qgetenv("LANES_PROGRAM"), path = qgetenv("PATH");
    const auto restored = qScopeGuard([&] {
        qputenv("LANES_PROGRAM", with);
        qputenv("PATH", path);
    });
    qputenv("LANES_PROGRAM", "/no/such/lanes");
    qputenv("PATH", QFile::encodeName(empty.path()));
    const auto window = this->window();
    RecordSettings any;
    any.command = QStringLiteral("sh");
    any.folder = m_folder.path();
    recorder(*window).start(any);
    QTRY_VERIFY(!recorder(*window).isRunning());
    QVERIFY2(strip(*window).state().contains(QStringLiteral("same folder as lanescope")),
        qPrintable(strip(*window).state()));
}

void tst_LiveRecording::askedBeforeItIsLost()
{
    const auto window = this->window();
    recorder(*window).start(settings(QStringLiteral("60")));
    QTRY_VERIFY(duration(*window) > 0);
    QVERIFY(!window->close());
    auto* question = window->findChild<QMessageBox*>(QStringLiteral("recordingQuestion"));
    QVERIFY(question);
    question->button(QMessageBox::Cancel)->click();
    QTRY_VERIFY(!window->findChild<QMessageBox*>(QStringLiteral("recordingQuestion")));
    QVERIFY(recorder(*window).isRunning());
    QVERIFY(!window->close());
    question = window->findChild<QMessageBox*>(QStringLiteral("recordingQuestion"));
    for (QAbstractButton* button : question->buttons()) {
        if (question->buttonRole(button) == QMessageBox::DestructiveRole) {
            button->click();
            break;
        }
    }
    QTRY_VERIFY(!window->isVisible());
}

/// The user cannot be asked then; the program is interrupted and its recording stays where it is.
void tst_LiveRecording::aSignalLeavesIt()
{
    const QTemporaryDir folder;
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", QFile::encodeName(folder.path()));
    const auto restore = qScopeGuard([&before] { before.isEmpty() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before); });
    {
        const auto window = this->window();
        recorder(*window).start(settings(QStringLiteral("60")));
        QTRY_VERIFY(duration(*window) > 0);
        window->endUnasked();
        QVERIFY(!recorder(*window).isRunning());
    }
    QDirIterator left(folder.path(), {QStringLiteral("*.sqlite")}, QDir::Files, QDirIterator::Subdirectories);
    QVERIFY(left.hasNext());
    QVERIFY(open_recording(left.next().toStdString()).operations.size() > 0);
}

QTEST_MAIN(tst_LiveRecording)
#include "tst_live_recording.moc"
