// SPDX-License-Identifier: MIT
// `lanes run`, `lanes record` and `lanes doctor` as a user meets them, without a GPU.
#include "tests/effort.h"

#include <csignal>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>

namespace {

struct Ended {
    int status;
    QByteArray out, err;
};

QString in_build(const char* name)
{
    return qEnvironmentVariable("LANES_BUILD") + "/" + name;
}

/// The kernels of a model run that is still under way when a signal comes. With sanitizers a million kernels take half
/// a minute before the first is written.
constexpr int long_batches = 10'000 / lanes::one_trial_in / lanes::one_trial_in;
const QStringList long_run {"--set", QString("batches=%1").arg(long_batches), "--set", "kernels=100"};

Ended run_lanes(
    const QStringList& words, const QString& folder, const QProcessEnvironment& environment, rlim_t most_bytes = 0)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessEnvironment(environment);
    if (most_bytes > 0) {
        process.setChildProcessModifier([most_bytes] {
            const rlimit limit {most_bytes, most_bytes};
            setrlimit(RLIMIT_FSIZE, &limit);
        });
    }
    process.start(in_build("bin/lanes"), words);
    if (!process.waitForFinished(120'000)) {
        return {-1, {}, "did not end"};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
        process.readAllStandardError()};
}

Ended run_lanes(const QStringList& words, const QString& folder)
{
    return run_lanes(words, folder, QProcessEnvironment::systemEnvironment());
}

QStringList files_in(const QString& folder)
{
    return QDir(folder).entryList(QDir::Files, QDir::Name);
}

QJsonObject object(const QByteArray& json)
{
    return QJsonDocument::fromJson(json).object();
}

QString state_of(const QJsonObject& doctor, const QString& key)
{
    for (const auto& item : doctor["items"].toArray()) {
        if (item.toObject()["key"] == key) {
            return item.toObject()["state"].toString();
        }
    }
    return "not there";
}

}  // namespace

class tst_RunCommands : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }
    void runsEveryVariantOnTheModel();
    void anErrorThatIsExpectedIsNoFailure_data();
    void anErrorThatIsExpectedIsNoFailure();
    void saysItInJson();
    void theModelRunsOnce();
    void progressIsOneObjectALine();
    void wrongWordsAreExitStatus2_data();
    void wrongWordsAreExitStatus2();
    void interruptKeepsWhatWasRecorded();
    void killedRunIsNoRecordingAndNotLost();
    void fullDiskLeavesNoRecording();
    void recordReturnsTheCommandsStatus_data();
    void recordReturnsTheCommandsStatus();
    void recordsThroughTheProbe();
    void joinsWhatAProgramPolls();
    void doctorKnowsEachCupti();

private:
    QString folder() const { return m_folder->path(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_RunCommands::runsEveryVariantOnTheModel()
{
    const auto ended = run_lanes({"run", "copy-results-back", "--device", "model", "-o", "out"}, folder());
    QVERIFY2(ended.status == 0, ended.err);
    QCOMPARE(files_in(folder() + "/out"),
        (QStringList {"copy-results-back.blocking.sqlite", "copy-results-back.copy-alone.sqlite",
            "copy-results-back.first-time.sqlite", "copy-results-back.overlapped.sqlite",
            "copy-results-back.run-alone.sqlite", "copy-results-back.run-then-copy-blocking.sqlite",
            "copy-results-back.run-then-copy-non-blocking.sqlite"}));
    const auto report
        = object(run_lanes({"report", "out/copy-results-back.overlapped.sqlite", "--json=full"}, folder()).out);
    QCOMPARE(report["source"].toString(), QString("model"));
    QCOMPARE(report["counts"].toObject()["kernels"].toInt(), 8);
    QCOMPARE(report["counts"].toObject()["copies"].toInt(), 8);
}

void tst_RunCommands::anErrorThatIsExpectedIsNoFailure_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("step");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("said");
    QTest::newRow("as expected") << "expect_error: cudaErrorIllegalAddress"
                                 << "fault: {stream: s}" << 0 << "as the workload expects: step \"fault on s\"";
    QTest::newRow("another") << "expect_error: cudaErrorInvalidValue"
                             << "fault: {stream: s}" << 1 << "failed: cuda";
    QTest::newRow("none") << "expect_error: cudaErrorIllegalAddress"
                          << "kernel: {stream: s, time: 1 us}" << 1
                          << "the run of w.v ended well, but the workload expects cudaErrorIllegalAddress";
    QTest::newRow("not expected") << ""
                                  << "fault: {stream: s}" << 1 << "failed: cuda";
}

// The launch waits, so that the launch fails. The recording is there in each case.
void tst_RunCommands::anErrorThatIsExpectedIsNoFailure()
{
    QFETCH(QString, key);
    QFETCH(QString, step);
    QFETCH(int, status);
    QFETCH(QString, said);
    QFile file(folder() + "/w.yaml");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QString("title: T\nvariants: {v: {launch_blocking: true%1}}\nstreams: {s: {gpu: 0}}\n"
                       "threads: {main: [{%2}]}\n")
                   .arg(key.isEmpty() ? key : ", " + key, step)
                   .toUtf8());
    file.close();
    const auto ended = run_lanes({"run", "./w.yaml", "--device", "model", "-o", "w.sqlite"}, folder());
    QVERIFY2(ended.status == status, ended.err);
    QVERIFY2(ended.err.contains(said.toUtf8()), ended.err);
    QVERIFY(files_in(folder()).contains("w.sqlite"));
}

void tst_RunCommands::saysItInJson()
{
    const auto ended = run_lanes(
        {"run", "copy-results-back", "--variant", "overlapped", "--device", "model", "--json", "-o", "one.sqlite"},
        folder());
    QVERIFY2(ended.status == 0, ended.err);
    QCOMPARE(object(ended.out)["files"].toArray(), (QJsonArray {"one.sqlite"}));
    QCOMPARE(object(ended.out)["wall_ns"].toArray().size(), 1);
    QVERIFY(object(ended.out)["wall_ns"].toArray()[0].toInteger() > 16'000'000);
    QCOMPARE(files_in(folder()), QStringList {"one.sqlite"});
}

/// What the model computes is the same every time.
void tst_RunCommands::theModelRunsOnce()
{
    const auto ended = run_lanes({"run", "copy-results-back", "--variant", "overlapped", "--device", "model",
                                     "--repeat", "5", "-o", "one.sqlite"},
        folder());
    QVERIFY2(ended.status == 0, ended.err);
    QVERIFY2(ended.err.contains("run once"), ended.err);
    const auto report = object(run_lanes({"report", "one.sqlite", "--json=full"}, folder()).out);
    QVERIFY(report.contains("repeat") && report["repeat"].isNull());
}

void tst_RunCommands::progressIsOneObjectALine()
{
    const auto ended = run_lanes({"run", "item-every-batch", "--device", "model", "--progress", "json"}, folder());
    QVERIFY2(ended.status == 0, ended.err);
    QStringList done;
    for (const auto& line : ended.out.trimmed().split('\n')) {
        const auto event = object(line);
        QVERIFY2(!event.isEmpty(), line);
        QVERIFY(event["fraction"].toDouble() >= 0 && event["fraction"].toDouble() <= 1);
        if (event["event"] == "done") {
            done += event["variant"].toString();
            QVERIFY(QFile::exists(folder() + "/" + event["file"].toString()));
        }
    }
    QCOMPARE(done, (QStringList {"never", "every-100", "every-10", "every"}));
}

void tst_RunCommands::wrongWordsAreExitStatus2_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("says");
    QTest::newRow("workload") << QStringList {"copy-result-back"} << "copy-results-back";
    QTest::newRow("variant") << QStringList {"copy-results-back", "--variant", "overlaped"} << "overlapped";
    QTest::newRow("setting") << QStringList {"copy-results-back", "--set", "bite=1 MiB"} << "bytes";
    QTest::newRow("no value") << QStringList {"copy-results-back", "--set", "bytes"} << "key=value";
    QTest::newRow("unit") << QStringList {"copy-results-back", "--set", "bytes=1 ms"} << "bytes";
    QTest::newRow("device") << QStringList {"copy-results-back", "--device", "gpu"} << "--device gpu";
    QTest::newRow("model") << QStringList {"copy-results-back", "--device", "model:none"} << "none";
    QTest::newRow("one file") << QStringList {"copy-results-back", "--device", "model", "-o", "x.sqlite"} << "x.sqlite";
    QTest::newRow("no GPU to measure") << QStringList {"copy-results-back", "--device", "model", "--no-probe"}
                                       << "--no-probe";
    QTest::newRow("no file") << QStringList {"./none.yaml"} << "./none.yaml: No such file or directory";
    QTest::newRow("too many") << QStringList {"item-every-batch", "--set", "batches=20000"}
                              << "'batches' is 20000, expected 10000 or less";
}

void tst_RunCommands::wrongWordsAreExitStatus2()
{
    QFETCH(QStringList, words);
    QFETCH(QString, says);
    const auto ended = run_lanes(QStringList {"run"} + words, folder());
    QVERIFY2(ended.status == 2, ended.err);
    QVERIFY2(ended.err.contains(says.toUtf8()), ended.err);
    QCOMPARE(files_in(folder()), QStringList());
}

void tst_RunCommands::interruptKeepsWhatWasRecorded()
{
    QProcess process;
    process.setWorkingDirectory(folder());
    process.start(in_build("bin/lanes"),
        QStringList {"run", "item-every-batch", "--variant", "every", "--device", "model", "--progress", "json", "-o",
            "cut.sqlite"}
            + long_run);
    QVERIFY(process.waitForReadyRead(60'000));
    QCOMPARE(object(process.readLine())["event"].toString(), QString("progress"));
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(files_in(folder()), QStringList {"cut.sqlite"});
    const auto counts = object(run_lanes({"report", "cut.sqlite", "--json=full"}, folder()).out)["counts"].toObject();
    QVERIFY(counts["kernels"].toInt() > 0);
    QVERIFY(counts["kernels"].toInt() < 100 * long_batches);
}

/// The rest of a killed model run is marked as a model's and as cut short, and the next run keeps it.
void tst_RunCommands::killedRunIsNoRecordingAndNotLost()
{
    const QStringList words {"run", "item-every-batch", "--variant", "every", "--device", "model", "-o", "cut.sqlite"};
    const QStringList quick {"--set", "batches=10"};
    QByteArray spooled;
    for (int run = 1; run <= 2; ++run) {
        QProcess process;
        process.setWorkingDirectory(folder());
        process.start(in_build("bin/lanes"), words + long_run);
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(folder() + "/cut.spool").size() > 300'000, 60'000);
        ::kill(static_cast<pid_t>(process.processId()), SIGSTOP);  // the rest is no larger than necessary
        if (run == 1) {  // no one else may write there meanwhile
            const auto second = run_lanes(words + quick, folder());
            QCOMPARE(second.status, 1);
            QVERIFY2(second.err.contains("another run"), second.err);
        }
        process.kill();
        QVERIFY(process.waitForFinished(60'000));
        const auto report = object(run_lanes({"report", "cut.spool", "--json=full"}, folder()).out);
        QCOMPARE(report["source"].toString(), QString("model"));
        QCOMPARE(report["complete"], QJsonValue(false));
        QCOMPARE(report["ends_ns"].toObject()["gpu"].toInteger() > 0, true);
        QFile file(folder() + "/cut.spool");
        QVERIFY(file.open(QIODevice::ReadOnly));
        spooled = file.readAll();
        if (run == 1) {
            const auto next = run_lanes(words + quick, folder());
            QVERIFY2(next.status == 0, next.err);
            QVERIFY2(next.err.contains("cut.killed-1.spool"), next.err);
            QFile kept(folder() + "/cut.killed-1.spool");
            QVERIFY(kept.open(QIODevice::ReadOnly));
            QCOMPARE(kept.readAll() == spooled, true);
        }
    }
    QCOMPARE(run_lanes(words + quick, folder()).status, 0);
    QCOMPARE(files_in(folder()), (QStringList {"cut.killed-1.spool", "cut.killed-2.spool", "cut.sqlite"}));
    const auto whole = object(run_lanes({"report", "cut.sqlite", "--json=full"}, folder()).out);
    QCOMPARE(whole["complete"], QJsonValue(true));
    QVERIFY(!whole.contains("ends_ns"));
    QCOMPARE(run_lanes({"convert", "cut.killed-1.spool", "kept.sqlite"}, folder()).status, 0);
    const auto kept = object(run_lanes({"report", "kept.sqlite", "--json=full"}, folder()).out);
    QCOMPARE(kept["complete"], QJsonValue(false));
    QCOMPARE(kept["source"].toString(), QString("model"));
}

void tst_RunCommands::fullDiskLeavesNoRecording()
{
    for (const rlim_t most : {rlim_t {2000}, rlim_t {60'000}}) {
        const auto ended = run_lanes({"run", "item-every-batch", "--variant", "every", "--device", "model"}, folder(),
            QProcessEnvironment::systemEnvironment(), most);
        QVERIFY2(ended.status == 1, ended.err);
        QVERIFY2(ended.err.contains("File too large") || ended.err.contains("No space left"), ended.err);
        for (const auto& file : files_in(folder())) {
            QVERIFY2(file.endsWith(".spool"), qPrintable(file));
            QVERIFY(QFile::remove(folder() + "/" + file));
        }
    }
}

void tst_RunCommands::recordReturnsTheCommandsStatus_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<int>("status");
    QTest::newRow("done") << QStringList {"true"} << 0;
    QTest::newRow("its status") << QStringList {"sh", "-c", "exit 7"} << 7;
    QTest::newRow("its signal") << QStringList {"sh", "-c", "kill -9 $$"} << 128 + 9;
    QTest::newRow("not there") << QStringList {"no-such-program"} << 127;
    QTest::newRow("its options") << QStringList {"sh", "-c", "test \"$1\" = --json", "sh", "--json"} << 0;
}

void tst_RunCommands::recordReturnsTheCommandsStatus()
{
    QFETCH(QStringList, command);
    QFETCH(int, status);
    if (!QFile::exists(in_build("bin/liblanes-probe.so"))) {
        QSKIP("this build has no probe");
    }
    const auto ended = run_lanes(QStringList {"record", "-o", "x.sqlite", "--"} + command, folder());
    QVERIFY2(ended.status == status, ended.err);
    QVERIFY(!ended.err.isEmpty());  // no CUDA call: there is no recording, and it says so
    QCOMPARE(files_in(folder()), QStringList());
}

void tst_RunCommands::recordsThroughTheProbe()
{
    if (!QFile::exists(in_build("bin/liblanes-probe.so"))) {
        QSKIP("this build has no probe");
    }
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LANES_CUPTI", in_build("tests/doubles/libcupti.so.13"));
    const auto ended = run_lanes(
        {"record", "--", in_build("tests/doubles/fake_cuda_program"), "init", "calls=100"}, folder(), environment);
    QVERIFY2(ended.status == 0, ended.err);
    QCOMPARE(files_in(folder()), QStringList {"fake_cuda_program.sqlite"});
    const auto report = object(run_lanes({"report", "fake_cuda_program.sqlite", "--json=full"}, folder()).out);
    QCOMPARE(report["source"].toString(), QString("cupti"));
    QCOMPARE(report["counts"].toObject()["kernels"].toInt(), 100);
}

/// A spin of 1000 queries is one call in the recording; a function of the host leaves its call as it is.
void tst_RunCommands::joinsWhatAProgramPolls()
{
    if (!QFile::exists(in_build("bin/liblanes-probe.so"))) {
        QSKIP("this build has no probe");
    }
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LANES_CUPTI", in_build("tests/doubles/libcupti.so.13"));
    const auto ended = run_lanes({"record", "-o", "x.sqlite", "--", in_build("tests/doubles/fake_cuda_program"), "init",
                                     "calls=10", "host", "spin=1000"},
        folder(), environment);
    QVERIFY2(ended.status == 0, ended.err);
    const auto calls
        = object(run_lanes({"report", "x.sqlite", "--json=full"}, folder()).out)["counts"].toObject()["api_calls"];
    QVERIFY2(calls.toInt() >= 12 && calls.toInt() < 50, qPrintable(QString::number(calls.toInt())));
}

void tst_RunCommands::doctorKnowsEachCupti()
{
    const auto doctor = [&](const QString& cupti) {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LANES_CUPTI", cupti);
        return object(run_lanes({"doctor", "--json"}, folder(), environment).out);
    };
    QCOMPARE(state_of(doctor("/no/such/libcupti.so.13"), "cupti"), QString("missing"));
    const auto broken = doctor(in_build("tests/doubles/130000/libcupti.so.13"));
    QCOMPARE(state_of(broken, "cupti"), QString("missing"));
    QCOMPARE(broken["cupti"].toObject()["version"].toInt(), 130000);
    const auto sound = doctor(in_build("tests/doubles/130001/libcupti.so.13"));
    QCOMPARE(state_of(sound, "cupti"), QString("ok"));
    QCOMPARE(state_of(sound, "resources"), QString("ok"));
    for (const auto& item : sound["items"].toArray()) {
        const auto it = item.toObject();
        QVERIFY2(it["state"] == "ok" || !it["found"].toString().isEmpty(), qPrintable(it["key"].toString()));
    }
    const auto text = run_lanes({"doctor"}, folder());
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("CUPTI"));
}

QTEST_GUILESS_MAIN(tst_RunCommands)
#include "tst_run_commands.moc"
