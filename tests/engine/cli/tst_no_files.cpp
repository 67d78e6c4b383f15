// SPDX-License-Identifier: MIT
// FIFOs, sockets, folders and devices where `lanes` wants a file: refused at once, and not replaced.
#include "engine/store/recording_file.h"
#include "tests/engine/cli/lanes_with.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace lanes;

class tst_NoFiles : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void whatIsNoFileIsNoInput_data();
    void whatIsNoFileIsNoInput();
    void whatIsNoFileIsNoOutput_data();
    void whatIsNoFileIsNoOutput();

private:
    QString path(const char* name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
    QString m_recording;
};

void tst_NoFiles::initTestCase()
{
    QVERIFY2(QFile::exists(qEnvironmentVariable("LANES_BUILD") + "/bin/lanes"), "build the target lanes first");
    m_recording = path("run.sqlite");
    save_recording(small_trace(), m_recording.toStdString());
}

void tst_NoFiles::whatIsNoFileIsNoInput_data()
{
    QTest::addColumn<QStringList>("arguments");
    const QStringList ways {"report IN", "report IN --json=full", "convert IN out.sqlite", "compare IN GOOD",
        "compare GOOD IN", "show ./IN.yaml", "run ./IN.yaml --device model",
        "run copy-results-back --device model:./IN.yaml"};
    for (const auto& way : ways) {
        for (const char* kind : {"fifo", "socket", "folder", "device"}) {
            auto arguments = way.split(' ');
            arguments.replaceInStrings("IN", path("in.") + kind)
                .replaceInStrings("GOOD", m_recording)
                .replaceInStrings(":./", ":")
                .replaceInStrings("./", "");
            QTest::addRow("%s: %s", kind, qPrintable(way)) << arguments;
        }
    }
}

/// The open() of a FIFO without a writer waits, a socket cannot be opened: all are refused at once, in the same
/// words.
void tst_NoFiles::whatIsNoFileIsNoInput()
{
    QFETCH(QStringList, arguments);
    for (const auto* ending : {"", ".yaml"}) {
        const auto at = [&](const char* kind) { return (path("in.") + kind + ending).toLocal8Bit(); };
        ::mkfifo(at("fifo"), 0600);
        ::mkdir(at("folder"), 0700);
        (void)::symlink("/dev/null", at("device"));
        const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address {};
        address.sun_family = AF_UNIX;
        at("socket").toStdString().copy(address.sun_path, sizeof address.sun_path - 1);
        (void)::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address);
        ::close(descriptor);
    }
    const auto ended = lanes_with(arguments, {}, 5'000);
    QCOMPARE(ended.status, 2);
    QVERIFY2(ended.err.contains("found a ") && ended.err.contains(", expected a file"), ended.err);
    QVERIFY2(ended.err.count('\n') == 1, ended.err);
    QVERIFY(!QFile::exists("out.sqlite"));
}

void tst_NoFiles::whatIsNoFileIsNoOutput_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("out");
    const QStringList run {"run", "copy-results-back", "--variant", "overlapped", "--device", "model", "-o"};
    for (const char* ending : {".sqlite", ".json", ".json.gz", ".csv"}) {
        QTest::addRow("convert to %s", ending)
            << QStringList {"convert", m_recording, path("x") + ending} << path("x") + ending;
    }
    QTest::newRow("run") << run + QStringList {path("x.sqlite")} << path("x.sqlite");
    QTest::newRow("the spool of a run") << run + QStringList {path("x.sqlite")} << path("x.spool");
}

/// A rename would replace a FIFO or a device, also one that a link leads to.
void tst_NoFiles::whatIsNoFileIsNoOutput()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, out);
    const auto name = out.toLocal8Bit();
    const auto other = path("other").toLocal8Bit();
    const auto is_fifo = [](const char* at) {
        struct stat status { };
        return ::stat(at, &status) == 0 && S_ISFIFO(status.st_mode);
    };
    QCOMPARE(::mkfifo(name, 0600), 0);
    for (const bool linked : {false, true}) {
        if (linked) {
            QCOMPARE(::rename(name, other), 0);
            QCOMPARE(::symlink(other, name), 0);
        }
        const auto ended = lanes_with(arguments, {}, 5'000);
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains("found a FIFO, expected a file"), ended.err);
        QVERIFY(is_fifo(name));
        QVERIFY(is_fifo(linked ? other.constData() : name.constData()));
    }
    QVERIFY(QFile::remove(out));
    QVERIFY(QFile::remove(other));
    QVERIFY(QDir(m_folder.path()).entryList({"*partial*"}).isEmpty());
}

QTEST_GUILESS_MAIN(tst_NoFiles)
#include "tst_no_files.moc"
