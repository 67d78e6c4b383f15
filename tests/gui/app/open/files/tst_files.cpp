// SPDX-License-Identifier: MIT
// A controller without its window: the rows that it adds to the table, and what they do.
#include "engine/store/recording_file.h"
#include "gui/app/frame/command_line.h"
#include "gui/app/frame/language.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/open/file_watch.h"
#include "gui/app/open/files.h"
#include "gui/app/open/place_dialog.h"
#include "gui/app/open/together_dialog.h"
#include "gui/session/workspace.h"
#include "tests/gui/panels/model_recording.h"

#include <QLibraryInfo>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <new>
#include <stdexcept>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace lanes;
using namespace lanes::gui;

class tst_files : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_a = m_folder.filePath(QStringLiteral("a.sqlite")), m_b = m_folder.filePath(QStringLiteral("b.sqlite"));
    Workspace m_workspace;
    JobQueue m_jobs;
    QWidget m_window;
    NoticeBar* m_notice = new NoticeBar(&m_window);
    Files* m_files = new Files(&m_workspace, &m_jobs, m_notice, &m_window);
    CommandTable m_table;

    bool can(const char* id) const { return m_table.find(id)->enabled(); }

private slots:
    void initTestCase();
    void opensSavesAndCloses();
    void severalAreRunsOrRanks();
    void whatCannotBeReadIsSaid();
    void whatCannotBeReadIsSaidInChinese_data();
    void whatCannotBeReadIsSaidInChinese();
    void dialogsOfQtAreInChinese();
    void keepsTheListOfWhatWasOpened();
    void showsTheBeginningOfALargeFile_data();
    void showsTheBeginningOfALargeFile();
    void aFileThatChangesWhileItIsRead();
    void workGivesWayToTheWindow();
    void aFailureIsSaidInWords_data();
    void aFailureIsSaidInWords();
};

void tst_files::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope-test"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_files"));
    save_recording(*modelRecording("blocking")->trace, m_a.toStdString());
    save_recording(*modelRecording("overlapped")->trace, m_b.toStdString());
    m_files->addOpening(m_table);
    m_files->addClosing(m_table);
}

void tst_files::opensSavesAndCloses()
{
    QSignalSpy first(m_files, &Files::firstOpened);
    QVERIFY(can("file.open") && !can("file.save-a") && !can("file.reload") && !can("file.close-a"));
    m_files->open({m_a});
    QVERIFY(!can("file.open"));  // only one thing at a time
    QTRY_VERIFY(m_workspace.count() == 1 && can("file.save-a") && !can("file.save-b"));
    m_files->open({m_b});
    QTRY_VERIFY(m_window.findChild<PlaceDialog*>() != nullptr);
    QCOMPARE(m_workspace.count(), 1);  // not before it is asked for
    m_window.findChild<PlaceDialog*>()->findChild<QPushButton*>(QStringLiteral("placeB"))->click();
    QTRY_VERIFY(m_workspace.count() == 2 && can("file.save-b"));
    QCOMPARE(first.count(), 1);
    m_table.find("file.close-a")->run();
    QCOMPARE(m_workspace.at(0)->path, m_b);
    QVERIFY(can("file.close-a") && !can("file.close-b"));
    const OpenRecordingPtr before = m_workspace.at(0);
    m_table.find("file.reload")->run();
    QTRY_VERIFY(m_workspace.at(0) != before);
    QTRY_VERIFY(!m_jobs.busy());
    m_table.find("file.close-a")->run();
    QCOMPARE(m_workspace.count(), 0);
}

void tst_files::severalAreRunsOrRanks()
{
    m_workspace.set({});
    for (const bool ranks : {false, true}) {
        m_files->openChosen({m_a, m_b});
        auto* dialog = m_window.findChild<TogetherDialog*>();
        QVERIFY(dialog);
        QTest::mouseClick(
            dialog->findChild<QPushButton*>(ranks ? QStringLiteral("togetherRanks") : QStringLiteral("togetherBeside")),
            Qt::LeftButton);
        QTRY_VERIFY(!m_jobs.busy() && m_workspace.count() == (ranks ? 1 : 2));
        QTRY_VERIFY(!m_window.findChild<TogetherDialog*>());
        if (!ranks) {
            m_workspace.set({});
        }
    }
    const OpenRecordingPtr all = m_workspace.at(0);
    QCOMPARE(all->trace->processes.size(), std::size_t {2});
    QCOMPARE(all->trace->operations.size(),
        open_recording(m_a.toStdString()).operations.size() + open_recording(m_b.toStdString()).operations.size());
    QVERIFY(all->path.isEmpty());  // of no file: it can be saved
    m_workspace.set({});
    m_files->openRanks({m_a, m_folder.filePath(QStringLiteral("gone.sqlite"))});
    QTRY_VERIFY(!m_jobs.busy());
    QCOMPARE(m_workspace.count(), 0);
    QVERIFY2(m_notice->text().contains(QStringLiteral("gone.sqlite")), qPrintable(m_notice->text()));
}

void tst_files::whatCannotBeReadIsSaid()
{
    m_files->open({m_folder.filePath(QStringLiteral("gone.sqlite"))});
    QTRY_VERIFY(m_notice->text().contains(QStringLiteral("gone.sqlite")));
    QCOMPARE(m_workspace.count(), 0);
    QSignalSpy workload(m_files, &Files::workloadWanted);
    m_files->open({QStringLiteral("mine.yaml")});
    QCOMPARE(workload.count(), 1);
}

void tst_files::whatCannotBeReadIsSaidInChinese_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");  // of the file, "" for none
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("details");
    QTest::newRow("not there") << "gone.sqlite"
                               << "" << QStringLiteral("找不到 gone.sqlite。") << "No such file";
    QTest::newRow("no recording") << "notes.txt"
                                  << "notes"
                                  << QStringLiteral("notes.txt 不是 Lanescope 可以打开的文件。可以打开的有：") << "";
    QTest::newRow("a damaged database") << "cut.sqlite" << QStringLiteral("SQLite format 3") + QChar(0)
                                        << QStringLiteral("cut.sqlite 已损坏或不完整") << "";
    QTest::newRow("no trace") << "a.json"
                              << "{}" << QStringLiteral("a.json 不是可以打开的录制") << "traceEvents";
    QTest::newRow("damaged from its start") << "b.json"
                                            << "[\n  1, 2]" << QStringLiteral("b.json 的第 2 行第 3 列无法读取。")
                                            << "line 2, column 3: expected an event in { }";
}

/// The file, the kind of failure and what to do, in the window's language; the engine's words in a line under it.
void tst_files::whatCannotBeReadIsSaidInChinese()
{
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QString, said);
    QFETCH(QString, details);
    const QString path = m_folder.filePath(name);
    if (!text.isEmpty()) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0);
    }
    speak(QStringLiteral("zh_CN"));
    m_files->open({path});
    QTRY_VERIFY(!m_jobs.busy());
    const QStringList lines = m_notice->text().split(QLatin1Char('\n'));
    // So does a file on the command line, and --lang counts even if the file does not open.
    const CommandLine called = readCommandLine({QStringLiteral("--lang"), QStringLiteral("zh_CN"), path});
    speak(QStringLiteral("en"));
    QCOMPARE(called.language, QStringLiteral("zh_CN"));
    if (name == QLatin1String("notes.txt")) {  // the contents of the others show only when they are opened
        QVERIFY2(called.error.startsWith(said), qPrintable(called.error));
    }
    QVERIFY2(lines[0].startsWith(said), qPrintable(lines[0]));
    QCOMPARE(lines.size(), details.isEmpty() ? 1 : 2);
    if (details.isEmpty()) {  // the sentence says all of it, also in English
        m_files->open({path});
        QTRY_VERIFY(!m_jobs.busy());
        QVERIFY2(m_notice->text().startsWith(name + QStringLiteral(" is ")), qPrintable(m_notice->text()));
        return;
    }
    QVERIFY2(lines[1].contains(details), qPrintable(lines[1]));
    m_files->open({path});
    QTRY_VERIFY(!m_jobs.busy());
    QCOMPARE(m_notice->text(), lines[1]);
}

void tst_files::dialogsOfQtAreInChinese()
{
    if (!QFile::exists(QLibraryInfo::path(QLibraryInfo::TranslationsPath) + QStringLiteral("/qtbase_zh_CN.qm"))) {
        QSKIP("Qt's own translations are not here (qt6-translations-l10n)");
    }
    const auto cancel = [] { return QCoreApplication::translate("QPlatformTheme", "Cancel"); };
    QCOMPARE(cancel(), QStringLiteral("Cancel"));
    speak(QStringLiteral("zh_CN"));
    const QString chinese = cancel();
    speak(QStringLiteral("en"));
    QCOMPARE(chinese, QStringLiteral("取消"));
}

void tst_files::keepsTheListOfWhatWasOpened()
{
    QCOMPARE(m_files->recent(), (QStringList {m_b, m_a}));
    QSettings settings;
    m_files->remember(settings);
    QVERIFY(QFile::remove(m_b));
    m_files->openRecent(m_b);
    QVERIFY(m_notice->text().contains(QStringLiteral("b.sqlite")));
    QCOMPARE(m_files->recent(), QStringList {m_a});
    m_files->restore(settings);
    QCOMPARE(m_files->recent().size(), 2);
}

void tst_files::showsTheBeginningOfALargeFile_data()
{
    QTest::addColumn<QByteArray>("ends");
    QTest::addColumn<bool>("closed");  // by the user, meanwhile
    QTest::addColumn<int>("open");
    QTest::newRow("whole") << QByteArray("{}]") << false << 1;
    QTest::newRow("its end is damaged") << QByteArray("5]") << false << 1;
    QTest::newRow("nobody wants the rest") << QByteArray("{}]") << true << 0;
}

void tst_files::showsTheBeginningOfALargeFile()
{
    QFETCH(QByteArray, ends);
    QFETCH(bool, closed);
    QFETCH(int, open);
    QByteArray text = "[";
    std::size_t count = 0;
    for (; text.size() < 25'000'000; ++count) {
        text += R"({"ph":"X","name":"n","pid":1,"tid":2,"ts":)" + QByteArray::number(count)
            + R"(,"dur":0.5,"args":{"a":")" + QByteArray(10'000, 'x') + "\"}},\n";
    }
    QFile file(m_folder.filePath(QStringLiteral("large.json")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text + ends) > 0);
    file.close();
    std::size_t shown = 0;
    const auto connection = connect(&m_workspace, &Workspace::changed, this, [&] {
        if (m_workspace.count() == 1 && shown == 0) {
            shown = m_workspace.at(0)->trace->ranges.size();
            m_workspace.at(0)->marks->set({{5, "here"}});
            QVERIFY(!m_workspace.at(0)->note.empty());
            QVERIFY(m_workspace.at(0)->report->verdict.message.empty());  // the rest may change it
            QVERIFY(m_workspace.at(0)->report->findings.empty());
            if (closed) {
                QMetaObject::invokeMethod(
                    this, [this] { m_workspace.close(0); }, Qt::QueuedConnection);
            }
        }
    });
    QSignalSpy first(m_files, &Files::firstOpened);
    QSignalSpy completed(m_files, &Files::completed);
    m_files->open({file.fileName()});
    QTRY_VERIFY(!m_jobs.busy());
    disconnect(connection);
    QVERIFY(shown > 0 && shown < count);
    QCOMPARE(first.count(), 1);
    if (!closed) {  // else the rest may have been read before it was closed
        QCOMPARE(completed.count(), open);
    }
    QCOMPARE(m_workspace.count(), open);
    QCOMPARE(m_notice->text().contains(QStringLiteral("damaged")), ends == "5]");
    if (open == 1) {
        QCOMPARE(m_workspace.at(0)->trace->ranges.size(), count);
        QCOMPARE(m_workspace.at(0)->marks->all().size(), std::size_t {1});
        m_workspace.close(0);
    }
}

/// A file may be written while it is read: the earlier state is then shown.
void tst_files::aFileThatChangesWhileItIsRead()
{
    const QString path = m_folder.filePath(QStringLiteral("growing"));
    const auto write = [&path](const char* text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("one");
    FileWatch watch;
    QSignalSpy changed(&watch, &FileWatch::changed);
    watch.expect(path);
    write("one and two");
    watch.watch({path});
    QTRY_COMPARE(changed.count(), 1);
    QCOMPARE(changed.first().first().toString(), path);
    watch.watch({});
    watch.expect(path);
    watch.watch({path});
    QTest::qWait(500);  // twice as long as the program waits
    QCOMPARE(changed.count(), 1);
}

/// If a worker takes the core that the event loop needs, the window is held longer than it computes.
void tst_files::workGivesWayToTheWindow()
{
#ifndef Q_OS_LINUX
    QSKIP("only Linux has a nice value for each thread");
#else
    const auto niceness = [] { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); };
    const int ofWindow = niceness();  // also 10 if the tests are started so
    int ofWork = 0, ofWhatItStarts = 0;
    WorkerJob job(QStringLiteral("work"), [&](const Progress&) -> OpenRecordingPtr {
        ofWork = niceness();
        std::thread([&] { ofWhatItStarts = niceness(); }).join();
        return nullptr;
    });
    QSignalSpy ended(&job, &Job::finished);
    job.start();
    QVERIFY(ended.wait());
    QVERIFY(ofWork >= 10 && ofWhatItStarts == ofWork);
    QCOMPARE(niceness(), ofWindow);
#endif
}

void tst_files::aFailureIsSaidInWords_data()
{
    QTest::addColumn<int>("thrown");
    QTest::addColumn<bool>("explained");
    QTest::addColumn<QString>("said");
    const QString explanation = QStringLiteral("explained: no such thing");
    QTest::newRow("error") << 0 << false << QStringLiteral("no such thing");
    QTest::newRow("error that is explained") << 0 << true << explanation;
    QTest::newRow("no memory") << 1 << false << QStringLiteral("There is not enough memory for it.");
    QTest::newRow("no memory, which needs no explanation")
        << 1 << true << QStringLiteral("There is not enough memory for it.");
    QTest::newRow("no exception of ours") << 2 << true << QStringLiteral("It failed for an unknown reason.");
}

void tst_files::aFailureIsSaidInWords()
{
    QFETCH(const int, thrown);
    QFETCH(const bool, explained);
    const auto work = [thrown](const Progress&) -> OpenRecordingPtr {
        if (thrown == 1) {
            throw std::bad_alloc();
        }
        if (thrown == 2) {
            throw thrown;
        }
        throw std::runtime_error("no such thing");
    };
    const auto explain
        = [](const std::exception& error) { return QStringLiteral("explained: ") + QLatin1String(error.what()); };
    WorkerJob job(QStringLiteral("work"), work, nullptr, {}, explained ? WorkerJob::Explain(explain) : nullptr);
    QString said;
    QSignalSpy ended(&job, &Job::finished);
    connect(&job, &Job::finished, &job, [&said](const JobResult& result) { said = result.error; });
    job.start();
    QVERIFY(ended.wait());
    QTEST(said, "said");
}

QTEST_MAIN(tst_files)
#include "tst_files.moc"
