// SPDX-License-Identifier: MIT
// Runs that go wrong in every way, by a script in place of `lanes`.
#include "engine/store/recording_file.h"
#include "gui/app/frame/job_queue.h"
#include "gui/app/run/lanes_job.h"
#include "tests/gui/panels/model_recording.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace lanes;
using namespace lanes::gui;

class tst_lanes_job : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_recording = m_folder.filePath(QStringLiteral("made.sqlite"));

    /// A job that runs a shell script.
    std::unique_ptr<LanesJob> job(const QString& script)
    {
        return std::make_unique<LanesJob>(
            QStringLiteral("a run"), QStringLiteral("/bin/sh"), QStringList {QStringLiteral("-c"), script});
    }
    static JobResult end(Job& job)
    {
        JobResult result;
        int ends = 0;
        connect(&job, &Job::finished, &job, [&](const JobResult& ended) {
            result = ended;
            ++ends;
        });
        job.start();
        [&] { QTRY_VERIFY(ends > 0); }();
        QTest::qWait(20);
        [&] { QCOMPARE(ends, 1); }();
        return result;
    }
    QString done() const
    {
        return QStringLiteral("echo '{\"event\": \"done\", \"variant\": \"v\", \"file\": \"%1\"}'").arg(m_recording);
    }

private slots:
    void initTestCase();
    void opensWhatWasWritten();
    void tellsProgress();
    void tellsTheErrorAndKeepsTheRecording();
    void survives_data();
    void survives();
    void cancelEndsTheProcess();
    void argumentsSayWhatTheFormSays();
    void queueRunsOneAfterTheOther();
    void queueCancelDropsWhatWaits();
};

void tst_lanes_job::initTestCase()
{
    save_recording(*modelRecording("overlapped")->trace, m_recording.toStdString());
}

void tst_lanes_job::opensWhatWasWritten()
{
    const auto run = job(done());
    const JobResult result = end(*run);
    QVERIFY2(result.error.isEmpty(), qPrintable(result.error));
    QVERIFY(result.recording);
    QCOMPARE(result.recording->trace->operations.size(), 6U);
    QCOMPARE(result.recording->path, m_recording);
}

void tst_lanes_job::tellsProgress()
{
    const auto run = job(
        QStringLiteral(
            "echo '{\"event\": \"progress\", \"fraction\": 0.25}'; echo '{\"event\": \"progress\", \"fraction\": 7}'; ")
        + done());
    QSignalSpy progressed(run.get(), &Job::progressed);
    QVERIFY(end(*run).recording);
    QVERIFY(progressed.count() >= 2);
    double last = 0;
    for (const QList<QVariant>& told : progressed) {
        QVERIFY(told[0].toDouble() >= 0 && told[0].toDouble() <= 1);
        last = told[0].toDouble();
    }
    QVERIFY(progressed[0][0].toDouble() < last);
}

void tst_lanes_job::tellsTheErrorAndKeepsTheRecording()
{
    const auto run = job(QStringLiteral("echo '{\"event\": \"error\", \"variant\": \"v\", \"message\": \"illegal "
                                        "address at step 3\", \"file\": \"%1\"}'; exit 1")
                             .arg(m_recording));
    const JobResult result = end(*run);
    QCOMPARE(result.error, QStringLiteral("illegal address at step 3"));
    QVERIFY(result.recording);
}

void tst_lanes_job::survives_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("said");
    QTest::newRow("a status without a word") << "exit 3"
                                             << "status 3";
    QTest::newRow("last words") << "echo 'lanes: no GPU works' >&2; exit 1"
                                << "no GPU works";
    QTest::newRow("a kill") << "kill -9 $$"
                            << "killed";
    QTest::newRow("a crash") << "kill -SEGV $$"
                             << "killed or crashed";
    QTest::newRow("success without a recording") << "exit 0"
                                                 << "without a recording";
    QTest::newRow("a recording that is not there") << "echo '{\"event\": \"done\", \"file\": \"/nowhere/x.sqlite\"}'"
                                                   << "is not there";
    QTest::newRow("garbage") << "head -c 300000 /dev/zero; echo; echo '[]'; echo '{\"event\": 7}'; echo 'null'; exit 0"
                             << "without a recording";
    QTest::newRow("an endless line") << "head -c 5000000 /dev/zero | tr '\\0' x; exit 0"
                                     << "without a recording";
    QTest::newRow("an error without a message") << "echo '{\"event\": \"error\"}'; exit 1"
                                                << "failed";
    QTest::newRow("a file that is no recording") << "echo '{\"event\": \"done\", \"file\": \"/bin/sh\"}'"
                                                 << "";
}

void tst_lanes_job::survives()
{
    QFETCH(QString, script);
    QFETCH(QString, said);
    const auto run = job(script);
    const JobResult result = end(*run);
    QVERIFY(!result.recording);
    QVERIFY(!result.cancelled);
    QVERIFY(!result.error.isEmpty());
    QVERIFY2(result.error.contains(said), qPrintable(result.error));
    QVERIFY(!result.error.contains(QLatin1Char('\n')));

    LanesJob missing(QStringLiteral("a run"), QStringLiteral("/no/such/lanes"), {});
    QVERIFY(end(missing).error.contains(QStringLiteral("/no/such/lanes")));
}

void tst_lanes_job::cancelEndsTheProcess()
{
    const QString pidFile = m_folder.filePath(QStringLiteral("pid"));
    // A run that neither ends nor reacts to signals: only a kill helps.
    auto run = job(QStringLiteral("trap '' INT TERM; echo $$ > %1; while :; do sleep 0.1; done").arg(pidFile));
    QSignalSpy finished(run.get(), &Job::finished);
    run->start();
    QTRY_VERIFY(QFile::exists(pidFile));
    pid_t pid = 0;
    QTRY_VERIFY([&] {
        QFile file(pidFile);
        pid = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
        return pid > 0;
    }());
    run->cancel();
    QCOMPARE(::kill(pid, 0), 0);  // the window does not wait for its end
    QCOMPARE(finished.count(), 1);
    QVERIFY(finished[0][0].value<JobResult>().cancelled);
    run.reset();
    QTRY_VERIFY(::kill(pid, 0) != 0);
    QCOMPARE(finished.count(), 1);
}

void tst_lanes_job::argumentsSayWhatTheFormSays()
{
    RunRequest request {smallWorkload(), {"blocking", {{"copies", "5"}, {"bytes", "1 MiB"}}},
        {RunDevice::Kind::gpu, QStringLiteral("1"), {}}, {}, QStringLiteral("/tmp/x.sqlite")};
    const QStringList words = lanesArguments(request);
    QCOMPARE(words.first(), QStringLiteral("run"));
    QCOMPARE(words[words.indexOf(QStringLiteral("--variant")) + 1], QStringLiteral("blocking"));
    QCOMPARE(words.count(QStringLiteral("--set")), 2);
    QVERIFY(words.contains(QStringLiteral("copies=5")));
    QVERIFY(words.contains(QStringLiteral("bytes=1 MiB")));
    QCOMPARE(words[words.indexOf(QStringLiteral("--device")) + 1], QStringLiteral("cuda:1"));
    QCOMPARE(words[words.indexOf(QStringLiteral("--progress")) + 1], QStringLiteral("json"));
    QCOMPARE(words[words.indexOf(QStringLiteral("-o")) + 1], QStringLiteral("/tmp/x.sqlite"));
}

void tst_lanes_job::queueRunsOneAfterTheOther()
{
    JobQueue queue;
    QStringList ends;
    QSignalSpy idle(&queue, &JobQueue::idle);
    queue.add(job(QStringLiteral("sleep 0.2; ") + done()),
        [&](const JobResult& result) { ends += result.recording ? "first" : "none"; });
    queue.add(job(QStringLiteral("exit 1")),
        [&](const JobResult& result) { ends += result.error.isEmpty() ? "none" : "second"; });
    QVERIFY(queue.busy());
    QTRY_COMPARE(idle.count(), 1);
    QCOMPARE(ends, (QStringList {"first", "second"}));
    QVERIFY(!queue.busy());
}

void tst_lanes_job::queueCancelDropsWhatWaits()
{
    JobQueue queue;
    int cancelled = 0;
    bool second = false;
    QSignalSpy idle(&queue, &JobQueue::idle);
    queue.add(job(QStringLiteral("sleep 20")), [&](const JobResult& result) { cancelled += result.cancelled; });
    queue.add(job(QStringLiteral("exit 0")), [&](const JobResult&) { second = true; });
    queue.cancel();
    QTRY_COMPARE(idle.count(), 1);
    QCOMPARE(cancelled, 1);
    QVERIFY(!second);
    queue.cancel();  // cancelling nothing does no harm
}

QTEST_GUILESS_MAIN(tst_lanes_job)
#include "tst_lanes_job.moc"
