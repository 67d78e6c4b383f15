// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "gui/export/render_command.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>

#include <csignal>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace lanes::gui;

class tst_RenderCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void drawsOneAndTwo_data();
    void drawsOneAndTwo();
    void obeysItsOptions();
    void titlesFollowTheLanguage();
    void wrongWords_data();
    void wrongWords();
    void annotationsNameLanesOfAnyGrouping();
    void notWritableIsAFailure();
    void fullDiskLeavesNothingHalfWritten();
    void helpIsNoError();
    void helpOnAFullDisk_data();
    void helpOnAFullDisk();
    void withoutTextsThereIsNoPicture();
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
    lanes::save_recording(
        *samples::copyResultsBack({.copy = 1'180'000, .blocking = false})->trace, path("b.sqlite").toStdString());
    QFile text(path("notes.sqlite"));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("this is no recording\n");
    QFile notes(path("gone.yaml"));
    QVERIFY(notes.open(QIODevice::WriteOnly));
    notes.write("annotations:\n  - text: {at: 3 ms, lane: gone, says: x}\n");
    for (const char* fifo : {"fifo.sqlite", "fifo.svg"}) {
        QCOMPARE(mkfifo(path(fifo).toLocal8Bit(), 0600), 0);
    }
    QVERIFY(QDir(m_folder.path()).mkdir("folder.yaml"));
    QVERIFY(QFile::copy(path("a.sqlite"), path("a.svg")));
    QCOMPARE(symlink("fifo.svg", path("link.svg").toLocal8Bit()), 0);
}

void tst_RenderCommand::drawsOneAndTwo_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("out");
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("png") << QStringList {"a.sqlite"} << "one.png" << QByteArray("\x89PNG");
    QTest::newRow("svg") << QStringList {"a.sqlite", "b.sqlite"} << "two.svg" << QByteArray("<?xml");
    QTest::newRow("pdf") << QStringList {"a.sqlite", "b.sqlite"} << "two.pdf" << QByteArray("%PDF");
    QTest::newRow("html") << QStringList {"a.sqlite", "b.sqlite"} << "two.html" << QByteArray("<!DOCTYPE html>");
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
    QCOMPARE(renderCommand(words + QStringList {"-o", path(out)}), 0);
    QFile file(path(out));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith(begin));
    QCOMPARE(renderCommand(words + QStringList {"-o", path("again-" + out)}), 0);
    QFile again(path("again-" + out));
    QVERIFY(again.open(QIODevice::ReadOnly));
    QCOMPARE(again.readAll(), bytes);
}

void tst_RenderCommand::obeysItsOptions()
{
    QCOMPARE(renderCommand({path("a.sqlite"), "-o", path("o.png"), "--size", "800x400", "--scale", "2", "--range",
                 "2ms:9ms", "--theme", "dark"}),
        0);
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

void tst_RenderCommand::titlesFollowTheLanguage()
{
    const auto svg = [this] {
        const QString recording = qEnvironmentVariable("LANES_SOURCE")
            + QStringLiteral("/resources/recordings/h200/copy-results-back.overlapped.sqlite");
        [&] { QCOMPARE(renderCommand({recording, "-o", path("t.svg")}), 0); }();
        QFile file(path("t.svg"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QLocale before;
    QLocale::setDefault(QLocale(QStringLiteral("zh_CN")));
    const QByteArray chinese = svg();
    QLocale::setDefault(QLocale(QStringLiteral("en")));
    const QByteArray english = svg();
    QLocale::setDefault(before);
    QVERIFY(chinese.contains("把结果拷回主机") && chinese.contains("重叠拷贝"));
    QVERIFY(!chinese.contains("Copy results back"));
    QVERIFY(english.contains("Copy results back") && english.contains("Overlapped copies"));
}

void tst_RenderCommand::wrongWords_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const QStringList& words, const char* says) {
        QTest::newRow(name) << words << QByteArray(says);
    };
    row("nothing", {}, "expected one or two recordings, found 0");
    row("no output", {"a.sqlite"}, "-o OUT is missing");
    row("no such file", {"missing.sqlite", "-o", "x.png"}, "missing.sqlite: no such file");
    row("not a recording", {"notes.sqlite", "-o", "x.png"}, "notes.sqlite");
    row("a FIFO", {"fifo.sqlite", "-o", "x.png"}, "found a FIFO, expected a file");
    row("onto a FIFO", {"a.sqlite", "-o", "fifo.svg"}, "found a FIFO, expected a file");
    row("onto a link to a FIFO", {"a.sqlite", "-o", "link.svg"}, "found a FIFO, expected a file");
    row("three files", {"a.sqlite", "a.sqlite", "b.sqlite", "-o", "x.png"}, "expected one or two recordings, found 3");
    row("a page's size", {"a.sqlite", "-o", "x.html", "--size", "800x"}, "--size is for pictures");
    row("a page's scale", {"a.sqlite", "-o", "x.html", "--scale", "2"}, "--scale is for pictures");
    row("a page without its legend", {"a.sqlite", "-o", "x.html", "--no-legend"}, "--no-legend is for pictures");
    row("a page's annotations", {"a.sqlite", "-o", "x.html", "--annotations", "y"}, "--annotations: y: no such file");
    row("annotations of no lane", {"a.sqlite", "-o", "x.png", "--annotations", "gone.yaml"}, "unknown lane 'gone'");
    row("a page in the colours of print", {"a.sqlite", "-o", "x.html", "--theme", "print"}, "expected light or dark");
    row("lessons of a size", {"--lessons", "x", "--size", "800x"},
        "takes workloads, --lang and nothing else, found --size");
    row("unknown ending", {"a.sqlite", "-o", "x.jpg"}, "expected .png, .svg, .pdf or .html");
    row("size", {"a.sqlite", "-o", "x.png", "--size", "wide"},
        "--size: found \"wide\", expected WIDTHxHEIGHT in pixels such as 1920x1080");
    row("tiny size", {"a.sqlite", "-o", "x.png", "--size", "10x10"},
        "--size: found \"10x10\", expected 320x160 or more");
    row("scale", {"a.sqlite", "-o", "x.png", "--scale", "0"},
        "--scale: found \"0\", expected a number from 0.25 to 16");
    row("scale is no number", {"a.sqlite", "-o", "x.png", "--scale", "nan"},
        "--scale: found \"nan\", expected a number");
    row("size of nothing", {"a.sqlite", "-o", "x.png", "--size", "x"}, "--size: found \"x\", expected WIDTHxHEIGHT");
    row("size below zero", {"a.sqlite", "-o", "x.png", "--size", "-800x400"},
        "--size: found \"-800x400\", expected WIDTHxHEIGHT");
    row("too wide", {"a.sqlite", "-o", "x.svg", "--size", "40000x400"},
        "found 40000x400 at a scale of 1, expected at most 32767 pixels per side");
    row("too large at its scale", {"a.sqlite", "-o", "x.png", "--size", "20000x9000", "--scale", "16"},
        "at a scale of 16, expected at most");
    row("too high for its width", {"a.sqlite", "-o", "x.png", "--size", "x2000", "--scale", "16"},
        "found 1600x2000 at a scale of 16");
    row("no size at all", {"a.sqlite", "-o", "x.png", "--size="}, "--size: found \"\", expected WIDTHxHEIGHT");
    row("a size left out", {"a.sqlite", "-o", "x.png", "--size"}, "--size: found nothing, expected 1920x1080");
    row("paper without a width", {"a.sqlite", "-o", "x.png", "--size", "0mm"}, "--size: found \"0mm\", expected WIDTH");
    row("time scale", {"a.sqlite", "-o", "x.png", "--time-scale", "clock"},
        "--time-scale: found \"clock\", expected ruler, bar or none");
    row("language", {"a.sqlite", "-o", "x.png", "--lang", "xx"}, "--lang: found \"xx\", expected en or zh_CN");
    row("range", {"a.sqlite", "-o", "x.png", "--range", "later"}, "expected A:B");
    row("range behind the end", {"a.sqlite", "-o", "x.png", "--range", "5s:6s"},
        "expected a time of the recording, which spans 0 ms to ");
    row("range turned round", {"a.sqlite", "-o", "x.png", "--range", "9ms:3ms"}, "ends before it begins");
    row("theme", {"a.sqlite", "-o", "x.png", "--theme", "pink"},
        "--theme: found \"pink\", expected light, dark or print");
    row("lanes", {"a.sqlite", "-o", "x.png", "--lanes", "thread"},
        "--lanes: found \"thread\", expected stream or engine");
    row("filter", {"a.sqlite", "-o", "x.png", "--filter", "kind:copi"}, "--filter: ");
    row("a range that is not set", {"a.sqlite", "-o", "x.png", "--range", ""}, "--range: found \"\", expected a value");
    row("option", {"a.sqlite", "-o", "x.png", "--colour"}, "colour");
    row("nearly an option", {"a.sqlite", "-o", "x.png", "--them", "dark"},
        "unknown option '--them'; did you mean '--theme'?");
    row("one dash", {"a.sqlite", "-o", "x.png", "-theme", "dark"}, "unknown option '-theme'; did you mean '--theme'?");
    row("an option far from all", {"--quiet", "a.sqlite", "-o", "x.png"},
        "unknown option '--quiet'; see lanescope render --help");
    row("a letter of nobody", {"a.sqlite", "-q"}, "unknown option '-q'; see lanescope render --help");
    row("no value", {"a.sqlite", "--output"}, "--output: found nothing, expected OUT");
    row("an option for a value", {"a.sqlite", "--theme", "-o", "x.png"},
        "--theme: found \"-o\", which is no value, expected light|dark|print");
    row("a value for none", {"a.sqlite", "-o", "x.png", "--no-title=3"}, "--no-title takes no value");
    row("onto itself", {"a.svg", "-o", "a.svg"}, "a.svg is an input itself; choose another name for OUT");
    row("onto its second", {"a.sqlite", "a.svg", "-o", "a.svg"}, "a.svg is an input itself");
    row("onto its annotations", {"a.sqlite", "-o", "a.svg", "--annotations", "a.svg"}, "a.svg is an input itself");
    row("a folder of annotations", {"a.sqlite", "-o", "x.svg", "--annotations", "folder.yaml"},
        "folder.yaml is no file");
}

void tst_RenderCommand::wrongWords()
{
    QFETCH(QStringList, words);
    for (QString& word : words) {
        if (word.contains('.')) {
            word = path(word);
        }
    }
    QFETCH(QByteArray, says);
    QTemporaryFile errors;
    QVERIFY(errors.open());
    const int usual = dup(STDERR_FILENO);
    dup2(errors.handle(), STDERR_FILENO);
    const int status = renderCommand(words);
    dup2(usual, STDERR_FILENO);
    close(usual);
    errors.seek(0);
    const QByteArray said = errors.readAll();
    QCOMPARE(status, 2);
    QVERIFY2(said.contains(says), said.constData());
    QCOMPARE(said.count('\n'), 1);
    QVERIFY(!QFile::exists(path("x.png")) && !QFile::exists(path("x.svg")));
}

void tst_RenderCommand::annotationsNameLanesOfAnyGrouping()
{
    QFile file(path("any.yaml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("annotations:\n"
               "  - text: {at: 3 ms, lane: compute, says: of a stream}\n"
               "  - text: {at: 3 ms, lane: GPU 0 SMs, says: of an engine}\n");
    file.close();
    for (const char* lanes : {"stream", "engine"}) {
        QCOMPARE(renderCommand(
                     {path("a.sqlite"), "-o", path("any.svg"), "--lanes", lanes, "--annotations", file.fileName()}),
            0);
    }
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

    rlimit usual {};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &usual), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit full {8192, usual.rlim_max};
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

void tst_RenderCommand::helpIsNoError()
{
    QCOMPARE(renderCommand({"--help"}), 0);
}

void tst_RenderCommand::helpOnAFullDisk_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("help") << QStringList {"--help"};
    QTest::newRow("version") << QStringList {"--version"};
    QTest::newRow("help of render") << QStringList {"render", "--help"};
}

void tst_RenderCommand::helpOnAFullDisk()
{
    QFETCH(QStringList, words);
    QProcess process;
    auto variables = QProcessEnvironment::systemEnvironment();
    variables.insert("XDG_RUNTIME_DIR", m_folder.path());  // Qt would say on stderr that it is not set
    process.setProcessEnvironment(variables);
    process.setStandardOutputFile("/dev/full");
    process.start(qEnvironmentVariable("LANES_BUILD") + "/bin/lanescope", words);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(process.exitCode() == 1, said.constData());
    QVERIFY2(said.count('\n') == 1 && said.contains("cannot write to standard output"), said.constData());
}

/// A picture never has keys in place of sentences.
void tst_RenderCommand::withoutTextsThereIsNoPicture()
{
    QProcess process;
    auto variables = QProcessEnvironment::systemEnvironment();
    variables.insert("XDG_RUNTIME_DIR", m_folder.path());
    variables.insert("LANES_RESOURCES", m_folder.path());
    process.setProcessEnvironment(variables);
    process.start(qEnvironmentVariable("LANES_BUILD") + "/bin/lanescope",
        {"render",
            qEnvironmentVariable("LANES_SOURCE")
                + QStringLiteral("/resources/recordings/h200/copy-results-back.blocking.sqlite"),
            "-o", path("keys.svg")});
    QVERIFY(process.waitForFinished(60000));
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(process.exitCode() == 1, said.constData());
    QVERIFY2(said.count('\n') == 1 && said.contains("LANES_RESOURCES"), said.constData());
    QVERIFY(!QFile::exists(path("keys.svg")));
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
    const QString whole
        = qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings/h200/%1.sqlite").arg(recording);
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
        QCOMPARE(renderCommand(
                     {path("threadless.sqlite"), "-o", path("threadless.svg"), "--lanes", lanes, "--filter", "dur>0"}),
            0);
    }
}

QTEST_MAIN(tst_RenderCommand)
#include "tst_render_command.moc"
