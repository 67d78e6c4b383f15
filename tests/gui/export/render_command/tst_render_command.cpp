// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "gui/export/render_command.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sqlite3.h>
#include <sys/resource.h>

using namespace lanes::gui;

class tst_RenderCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void drawsOneAndTwo_data();
    void drawsOneAndTwo();
    void obeysItsOptions();
    void wrongWords_data();
    void wrongWords();
    void notWritableIsAFailure();
    void fullDiskLeavesNothingHalfWritten();
    void tooLargeIsAFailure();
    void helpIsNoError();
    void eventsOfNoKnownThread_data();
    void eventsOfNoKnownThread();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

void tst_RenderCommand::initTestCase()
{
    QVERIFY(m_folder.isValid());
    lanes::save_recording(*samples::copyResultsBack({})->trace, path("a.sqlite").toStdString());
    lanes::save_recording(*samples::copyResultsBack({.copy = 1'180'000, .blocking = false})->trace, path("b.sqlite").toStdString());
    QFile text(path("notes.sqlite"));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("this is no recording\n");
}

void tst_RenderCommand::drawsOneAndTwo_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("out");
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("png") << QStringList{"a.sqlite"} << "one.png" << QByteArray("\x89PNG");
    QTest::newRow("svg") << QStringList{"a.sqlite", "b.sqlite"} << "two.svg" << QByteArray("<?xml");
    QTest::newRow("pdf") << QStringList{"a.sqlite", "b.sqlite"} << "two.pdf" << QByteArray("%PDF");
}

void tst_RenderCommand::drawsOneAndTwo()
{
    QFETCH(QStringList, files);
    QFETCH(QString, out);
    QFETCH(QByteArray, begin);
    QStringList words;
    for (const QString& file : files) {
        words << path(file);
    }
    QCOMPARE(renderCommand(words + QStringList{"-o", path(out)}), 0);
    QFile file(path(out));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith(begin));
    QCOMPARE(renderCommand(words + QStringList{"-o", path("again-" + out)}), 0);
    QFile again(path("again-" + out));
    QVERIFY(again.open(QIODevice::ReadOnly));
    QCOMPARE(again.readAll(), bytes);
}

void tst_RenderCommand::obeysItsOptions()
{
    QCOMPARE(renderCommand({path("a.sqlite"), "-o", path("o.png"), "--size", "800x400", "--scale", "2", "--range", "2ms:9ms", "--theme", "dark"}), 0);
    const QImage image(path("o.png"));
    QCOMPARE(image.size(), QSize(1600, 800));
    QCOMPARE(renderCommand({path("a.sqlite"), "-o", path("w.png"), "--size", "800x"}), 0);
    QCOMPARE(QImage(path("w.png")).width(), 800);
    QCOMPARE(renderCommand({path("a.sqlite"), "-o", path("h.png"), "--size", "x400"}), 0);
    QCOMPARE(QImage(path("h.png")).size(), QSize(1600, 400));
    QVERIFY(QColor(image.pixel(3, 790)).lightness() < 60);
    const auto svg = [&](const QStringList& words) {
        [&] { QCOMPARE(renderCommand(QStringList {path("a.sqlite"), "-o", path("l.svg")} + words), 0); }();
        QFile file(path("l.svg"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(svg({}).contains(">D2H"));
    QVERIFY(!svg({"--filter", "kind:kernel"}).contains(">D2H"));
    QVERIFY(svg({"--filter", "kind:kernel"}).contains("kind:kernel"));  // the head says what is left out
    QVERIFY(svg({"--lanes", "engine"}) != svg({}));
    QCOMPARE(svg({"--lanes", "stream"}), svg({}));
}

void tst_RenderCommand::wrongWords_data()
{
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* name, const QStringList& words) { QTest::newRow(name) << words; };
    row("nothing", {});
    row("no output", {"a.sqlite"});
    row("no such file", {"missing.sqlite", "-o", "x.png"});
    row("not a recording", {"notes.sqlite", "-o", "x.png"});
    row("three files", {"a.sqlite", "a.sqlite", "b.sqlite", "-o", "x.png"});
    row("unknown ending", {"a.sqlite", "-o", "x.jpg"});
    row("size", {"a.sqlite", "-o", "x.png", "--size", "wide"});
    row("tiny size", {"a.sqlite", "-o", "x.png", "--size", "10x10"});
    row("scale", {"a.sqlite", "-o", "x.png", "--scale", "0"});
    row("scale is no number", {"a.sqlite", "-o", "x.png", "--scale", "nan"});
    row("size of nothing", {"a.sqlite", "-o", "x.png", "--size", "x"});
    row("size below zero", {"a.sqlite", "-o", "x.png", "--size", "-800x400"});
    row("time scale", {"a.sqlite", "-o", "x.png", "--time-scale", "clock"});
    row("language", {"a.sqlite", "-o", "x.png", "--lang", "xx"});
    row("range", {"a.sqlite", "-o", "x.png", "--range", "later"});
    row("range behind the end", {"a.sqlite", "-o", "x.png", "--range", "5s:6s"});
    row("range turned round", {"a.sqlite", "-o", "x.png", "--range", "9ms:3ms"});
    row("theme", {"a.sqlite", "-o", "x.png", "--theme", "pink"});
    row("lanes", {"a.sqlite", "-o", "x.png", "--lanes", "thread"});
    row("filter", {"a.sqlite", "-o", "x.png", "--filter", "kind:copi"});
    row("option", {"a.sqlite", "-o", "x.png", "--colour"});
}

void tst_RenderCommand::wrongWords()
{
    QFETCH(QStringList, words);
    for (QString& word : words) {
        if (word.contains('.')) {
            word = path(word);
        }
    }
    QCOMPARE(renderCommand(words), 2);
    QVERIFY(!QFile::exists(path("x.png")));
}

void tst_RenderCommand::notWritableIsAFailure()
{
    QCOMPARE(renderCommand({path("a.sqlite"), "-o", path("no/such/folder/x.png")}), 1);
}

void tst_RenderCommand::fullDiskLeavesNothingHalfWritten()
{
    QCOMPARE(renderCommand({path("a.sqlite"), "-o", path("kept.svg")}), 0);
    QFile kept(path("kept.svg"));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    const QByteArray before = kept.readAll();
    QVERIFY(before.size() > 8192);
    const QStringList files = QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden);

    rlimit usual{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &usual), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit full{8192, usual.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &full), 0);
    const int anew = renderCommand({path("a.sqlite"), "-o", path("anew.png")});
    const int over = renderCommand({path("a.sqlite"), "-o", path("kept.svg"), "--theme", "dark"});
    setrlimit(RLIMIT_FSIZE, &usual);
    std::signal(SIGXFSZ, handler);

    QCOMPARE(anew, 1);
    QCOMPARE(over, 1);
    QCOMPARE(QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden), files);
    kept.seek(0);
    QFile now(path("kept.svg"));
    QVERIFY(now.open(QIODevice::ReadOnly));
    QCOMPARE(now.readAll(), before);
}

void tst_RenderCommand::tooLargeIsAFailure()
{
    QCOMPARE(renderCommand({path("a.sqlite"), "-o", path("large.png"), "--size", "20000x9000", "--scale", "16"}), 1);
    QVERIFY(!QFile::exists(path("large.png")));
}

void tst_RenderCommand::helpIsNoError()
{
    QCOMPARE(renderCommand({"--help"}), 0);
}

/// Nsight's schema allows NULL for the thread of an event.
void tst_RenderCommand::eventsOfNoKnownThread_data()
{
    QTest::addColumn<QString>("recording");
    QTest::addColumn<QByteArray>("table");
    QTest::newRow("calls") << "data-loader.workers-2-pinned" << QByteArray("CUPTI_ACTIVITY_KIND_RUNTIME");
    QTest::newRow("ranges") << "data-loader.workers-2-pinned" << QByteArray("NVTX_EVENTS");
    QTest::newRow("host spans") << "data-loader.workers-2-pinned" << QByteArray("LANESCOPE_HOST_SPAN");
    QTest::newRow("steps") << "data-loader.workers-2-pinned" << QByteArray("LANESCOPE_STEP");
    QTest::newRow("reads") << "read-too-early.no-sync" << QByteArray("LANESCOPE_READ");
    QTest::newRow("overheads") << "run-ahead.queue-full" << QByteArray("CUPTI_ACTIVITY_KIND_OVERHEAD");
}

void tst_RenderCommand::eventsOfNoKnownThread()
{
    QFETCH(QString, recording);
    QFETCH(QByteArray, table);
    const QString whole = qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings/h100/%1.sqlite").arg(recording);
    QFile::remove(path("threadless.sqlite"));
    QVERIFY(QFile::copy(whole, path("threadless.sqlite")));
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(path("threadless.sqlite").toUtf8().constData(), &database), SQLITE_OK);
    const QByteArray statement = "UPDATE " + table + " SET globalTid = NULL";
    const int done = sqlite3_exec(database, statement.constData(), nullptr, nullptr, nullptr);
    const int changed = sqlite3_changes(database);
    sqlite3_close(database);
    QCOMPARE(done, SQLITE_OK);
    QVERIFY(changed > 0);
    for (const QString& lanes : {QStringLiteral("stream"), QStringLiteral("engine")}) {
        QCOMPARE(renderCommand({path("threadless.sqlite"), "-o", path("threadless.svg"), "--lanes", lanes}), 0);
        QCOMPARE(renderCommand({path("threadless.sqlite"), "-o", path("threadless.svg"), "--lanes", lanes, "--filter", "dur>0"}), 0);
    }
}

QTEST_MAIN(tst_RenderCommand)
#include "tst_render_command.moc"
