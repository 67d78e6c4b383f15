// SPDX-License-Identifier: MIT
// `lanes record` with its probe, over the CUPTI double: what it writes, and when it records.
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

class tst_RecordProgram : public QObject {
    Q_OBJECT

private slots:
    void init();
    void namesFiles_data();
    void namesFiles();
    void oneOfSeveralNamesItsRank();
    void twoAtOnceLoseNothing();
    void anEmptyRunLeavesWhatWasThere();
    void recordsAPart_data();
    void recordsAPart();
    void kernelsOfGraphsHaveOwners();
    void soHaveThoseThatWereCapturedBeforeThePart();
    void recordsWhatIsTriggered();
    void recordsPartsOfTwoProcessesTogether();
    void idlingDoesNotFillTheDisk();
    void recordsEverySoOften();
    void saysWhyItCannotBeTriggered();
    void someLaunchesOfGraphsAreWhole();
    void wholeGraphsEndNoProgram_data();
    void wholeGraphsEndNoProgram();
    void wholeGraphsInOnePartAlone();
    void keepsAllWhereStepsAreMissing();
    void stopsAtItsSize();
    void aFullDiskLosesNothing();
    void saysThatTheProgramWasKilled();
    void saysThatTheLastFlushIsMissing();
    void signalsSentToItReachTheProgram_data();
    void signalsSentToItReachTheProgram();
    void aSignalToTheGroupIsNotSentTwice();
    void ignoredSignalsStayIgnored();
    void saysThatAProcessRunsOn();
    void doesNotSayThatThereWasNoCuda();
    void saysFiguresWhileItRuns();
    void noticesAnotherProfiler();
    void namesTheToolThatRunsTheProgram();
    void saysWhyAPartIsMissing_data();
    void saysWhyAPartIsMissing();
    void saysWhatCuptiRefused_data();
    void saysWhatCuptiRefused();
    void pytorchIsAskedForWhatWasSaid_data();
    void pytorchIsAskedForWhatWasSaid();
    void wrongWordsAreExitStatus2_data();
    void wrongWordsAreExitStatus2();

private:
    struct Ended {
        int status = -1;
        QByteArray out, err;
    };
    static QString inBuild(const char* name) { return qEnvironmentVariable("LANES_BUILD") + "/" + name; }
    static QString program() { return inBuild("tests/doubles/fake_cuda_program"); }
    void begin(QProcess& process, const QStringList& words) const;
    Ended lanes(const QStringList& words) const;
    /// "name kernels", one a recording.
    QStringList recordings() const;
    QJsonObject report(const QString& file) const;
    using Counts = QMap<QString, int>;
    Counts kernelsByName(const QString& file) const;
    /// Once the program has started.
    void triggered(const QStringList& words) const
    {
        Ended ended;
        for (int i = 0; i < 200 && ended.status != 0; ++i) {
            ended = lanes(QStringList {"trigger"} + words);
            QTest::qWait(ended.status == 0 ? 0 : 50);
        }
        QVERIFY2(ended.status == 0, ended.err);
    }
    /// For the program's until=FILE.
    bool makeFile(const QString& name) const { return QFile(m_folder->filePath(name)).open(QIODevice::WriteOnly); }
    std::unique_ptr<QTemporaryDir> m_folder;
    QProcessEnvironment m_environment;
};

void tst_RecordProgram::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    m_environment = QProcessEnvironment::systemEnvironment();
    for (const char* variable :
        {"CUDA_HOME", "LANES_RANK", "RANK", "LOCAL_RANK", "WORLD_SIZE", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS",
            "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}) {
        m_environment.remove(variable);
    }
    m_environment.insert("LANES_CUPTI", inBuild("tests/doubles/libcupti.so.13"));
}

void tst_RecordProgram::begin(QProcess& process, const QStringList& words) const
{
    process.setWorkingDirectory(m_folder->path());
    process.setProcessEnvironment(m_environment);
    process.start(inBuild("bin/lanes"), words);
}

tst_RecordProgram::Ended tst_RecordProgram::lanes(const QStringList& words) const
{
    QProcess process;
    begin(process, words);
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished();
        return {-1, {}, "did not end"};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QJsonObject tst_RecordProgram::report(const QString& file) const
{
    return QJsonDocument::fromJson(lanes({"report", file, "--json=full"}).out).object();
}

tst_RecordProgram::Counts tst_RecordProgram::kernelsByName(const QString& file) const
{
    Counts counts;
    const auto summary = QJsonDocument::fromJson(lanes({"summary", file, "--by", "kernel", "--json=full"}).out);
    for (const auto row : summary["tables"][0]["rows"].toArray()) {
        counts[row.toObject()["name"].toString()] = row.toObject()["count"].toInt();
    }
    return counts;
}

QStringList tst_RecordProgram::recordings() const
{
    QStringList all;
    for (const auto& file : QDir(m_folder->path()).entryList(QDir::Files, QDir::Name)) {
        all << file + " " + QString::number(report(file)["counts"].toObject()["kernels"].toInt());
    }
    return all;
}

void tst_RecordProgram::namesFiles_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QStringList>("files");
    const QString both = "RANK=0 \"$0\" init calls=10 & RANK=1 \"$0\" init calls=20; wait $!";
    QTest::newRow("one file") << "x.sqlite" << both << QStringList {"x.sqlite 30"};
    QTest::newRow("one a rank") << "x.%r.sqlite" << both << QStringList {"x.0.sqlite 10", "x.1.sqlite 20"};
    QTest::newRow("two processes of a rank")
        << "x.%r.sqlite"
        << "RANK=1 \"$0\" init calls=10; RANK=1 \"$0\" init calls=20" << QStringList {"x.1.sqlite 30"};
    QTest::newRow("other launchers") << "x.%r.sqlite"
                                     << "PMI_RANK=4 \"$0\" init calls=1; SLURM_PROCID=5 \"$0\" init calls=2;"
                                        "OMPI_COMM_WORLD_RANK=6 \"$0\" init calls=3;"
                                        "RANK=7 LOCAL_RANK=1 SLURM_PROCID=0 \"$0\" init calls=4;"
                                        "RANK=8 SLURM_PROCID=9 \"$0\" init calls=5"
                                     << QStringList {"x.4.sqlite 1", "x.5.sqlite 2", "x.6.sqlite 3", "x.7.sqlite 4",
                                            "x.9.sqlite 5"};
    QTest::newRow("without CUDA no file")
        << "x.%r.sqlite"
        << "RANK=0 \"$0\"; RANK=1 \"$0\" init; RANK=2 \"$0\" init calls=5" << QStringList {"x.2.sqlite 5"};
}

void tst_RecordProgram::namesFiles()
{
    QFETCH(QString, pattern);
    QFETCH(QString, script);
    QFETCH(QStringList, files);
    const auto ended = lanes({"record", "-o", pattern, "--", "sh", "-c", script, program()});
    QVERIFY2(ended.status == 0, ended.err);
    QCOMPARE(recordings(), files);
}

void tst_RecordProgram::oneOfSeveralNamesItsRank()
{
    m_environment.insert("OMPI_COMM_WORLD_RANK", "1");
    m_environment.insert("OMPI_COMM_WORLD_SIZE", "2");
    const auto ended = lanes({"record", "-o", "x.sqlite", "--", program(), "init", "calls=7"});
    QVERIFY2(ended.status == 0, ended.err);
    QCOMPARE(recordings(), QStringList {"x.rank1.sqlite 7"});
    QVERIFY2(ended.err.contains("x.rank1.sqlite"), ended.err);
}

void tst_RecordProgram::twoAtOnceLoseNothing()
{
    QProcess first;
    begin(first, {"record", "-o", "x.sqlite", "--", program(), "init", "calls=5", "ready", "sleep=60000"});
    QVERIFY(first.waitForReadyRead());
    const auto second = lanes({"record", "-o", "x.sqlite", "--", program(), "init", "calls=7"});
    QVERIFY2(second.status == 0, second.err);
    QVERIFY2(second.err.contains("x.2.sqlite"), second.err);
    QTest::qWait(600);
    first.terminate();
    QVERIFY(first.waitForFinished(20'000));
    QCOMPARE(recordings(), (QStringList {"x.2.sqlite 7", "x.sqlite 5"}));
}

void tst_RecordProgram::anEmptyRunLeavesWhatWasThere()
{
    QCOMPARE(lanes({"record", "-o", "x.sqlite", "--", program(), "init", "calls=5"}).status, 0);
    QCOMPARE(lanes({"record", "-o", "x.sqlite", "--", "true"}).status, 0);
    QCOMPARE(recordings(), QStringList {"x.sqlite 5"});
    const auto wrong = lanes({"record", "-o", "x.%q.sqlite", "--", "true"});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.contains("\"%q\" at column 3"), wrong.err);
}

void tst_RecordProgram::recordsAPart_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("script");
    QTest::addColumn<int>("kernels");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QStringList& words, const QStringList& script, int kernels,
                         const char* said) { QTest::newRow(name) << words << script << kernels << QString(said); };
    row("all", {}, {"init", "calls=10", "push=a", "calls=5", "pop"}, 15, "");
    row("range", {"--range", "a"}, {"init", "calls=10", "push=a", "calls=5", "pop", "calls=20", "push=a", "calls=7"}, 5,
        "from the start of the given range, to the end of the given range");
    row("range of lanescope.h", {"--range", "a"},
        {"init", "calls=10", "range=b", "range=a", "calls=5", "range=a", "endrange", "endrange", "calls=20", "range=a"},
        5, "from the start of the given range, to the end of the given range");
    row("profiler", {"--capture-range", "cudaProfilerApi"},
        {"init", "calls=10", "profiler=1", "calls=6", "profiler=0", "calls=20", "profiler=1", "calls=7"}, 6,
        "from cudaProfilerStart, to cudaProfilerStop");
    row("to the end", {"--range", "a"}, {"init", "calls=10", "push=a", "calls=5"}, 5, "to the program's end");
    // Each sleeps, so that the program losing its core between two of them is no pause longer than all the rest: what
    // is so interrupted is not taken for a repetition.
    const auto steps = [](int count, bool named) {
        QStringList script {"init"};
        for (int i = 0; i < count; ++i) {
            script += QStringList {
                QString(named ? "push=ProfilerStep#%1" : "push=step %1").arg(i), "calls=3", "sleep=3", "pop"};
        }
        return script;
    };
    row("steps", {"--steps", "10:20"}, steps(50, true), 30, "from the first of the given steps, to");
    row("steps to the last", {"--steps", "40:50"}, steps(50, true), 30, "to the last of the given steps");
    row("steps by other ranges", {"--steps", "10:20"}, steps(50, false), 30, "from the first of the given steps");
    row("delay", {"--delay", "2s"}, {"init", "calls=10", "sleep=3000", "calls=5"}, 5, "from the end of the delay");
    row("duration", {"--duration", "1500 ms"}, {"init", "calls=10", "sleep=3000", "calls=5"}, 10,
        "from the program's first CUDA call, until the given duration");
    row("delay and duration", {"--delay", "2s", "--duration", "2500ms"},
        {"init", "calls=10", "sleep=3000", "calls=6", "sleep=3000", "calls=5"}, 6, "from the end of the delay, until");
}

void tst_RecordProgram::recordsAPart()
{
    QFETCH(QStringList, words);
    QFETCH(QStringList, script);
    QFETCH(int, kernels);
    QFETCH(QString, said);
    const auto ended = lanes(QStringList {"record", "-o", "x.sqlite"} + words + QStringList {"--", program()} + script);
    QVERIFY2(ended.status == 0, ended.err);
    QCOMPARE(recordings(), QStringList {"x.sqlite " + QString::number(kernels)});
    const auto got = report("x.sqlite");
    QCOMPARE(got["complete"].toBool(), true);
    QCOMPARE(got["counts"].toObject()["api_calls"].toInt(), kernels);
    if (words.contains("a")) {  // the range itself, though it began before recording did
        QCOMPARE(got["ranges"].toArray().size(), 1);
        QCOMPARE(got["ranges"].toArray()[0].toObject()["name"].toString(), QString("a"));
    }
    const auto text = QString::fromUtf8(lanes({"report", "x.sqlite", "--lang", "en"}).out);
    QVERIFY2(text.contains(said), qPrintable(text));
    QCOMPARE(text.contains("Recorded in part"), !words.isEmpty());
}

/// From CUPTI's callbacks to what the commands print.
void tst_RecordProgram::kernelsOfGraphsHaveOwners()
{
    const auto ended = lanes(
        {"record", "-o", "x.sqlite", "--", program(), "init", "push=fc1: Linear", "node=1.0", "pop", "push=fc2: Linear",
            "node=1.1", "pop", "node=2.0<1.0", "node=2.1<1.1", "replay=2.1", "replay=2.0", "replay=2.1", "replay=9.0"});
    QVERIFY2(ended.status == 0, ended.err);
    const auto summary = QJsonDocument::fromJson(lanes({"summary", "x.sqlite", "--by", "module", "--json=full"}).out);
    QMap<QString, int> counts;
    for (const auto row : summary["tables"][0]["rows"].toArray()) {
        counts[row.toObject()["name"].toString()] = row.toObject()["count"].toInt();
    }
    QCOMPARE(counts, (QMap<QString, int> {{"fc1: Linear", 1}, {"fc2: Linear", 2}, {"", 1}}));
    QCOMPARE(summary["tables"][0]["no_owner"]["capture"].toInt(), 1);
    for (const char* name : {"x.csv", "x.json"}) {  // the table, and what Perfetto shows
        QCOMPARE(lanes({"convert", "x.sqlite", name}).status, 0);
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto text = file.readAll();
        QVERIFY2(text.count("fc2: Linear") >= 2 && text.contains("capture"), text);
    }
    const auto why = lanes({"why", "x.sqlite", "--lang", "en", "--operation", "6000003"}).out;
    QVERIFY2(why.contains("captured in fc2: Linear"), why);
    const auto chain = QJsonDocument::fromJson(lanes({"why", "x.sqlite", "--json=full", "--operation", "6000002"}).out);
    const auto owner = chain["chain"][0]["owner"].toObject();
    QCOMPARE(owner["module"].toString(), QString("fc1: Linear"));
    QCOMPARE(owner["from"].toString(), QString("capture"));
    QVERIFY(owner["line"].isNull() && owner["missing"].isNull());
}

void tst_RecordProgram::soHaveThoseThatWereCapturedBeforeThePart()
{
    const auto ended = lanes({"record", "-o", "x.sqlite", "--range", "a", "--", program(), "init",
        "range=Net (serve.py:9)", "range=fc1: Linear", "node=1.0", "endrange", "endrange", "node=2.0<1.0", "sleep=30",
        "push=a", "replay=2.0", "pop"});
    QVERIFY2(ended.status == 0, ended.err);
    QCOMPARE(report("x.sqlite")["ranges"].toArray().size(), 1);  // that of the part alone
    QCOMPARE(lanes({"convert", "x.sqlite", "x.csv"}).status, 0);
    QFile file(m_folder->filePath("x.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto text = file.readAll();
    QVERIFY2(text.contains(",fc1: Linear,,fc1: Linear,serve.py:9,capture,"), text);
}

/// Each part is a file as soon as it is over; none is overwritten, also none of an earlier run.
void tst_RecordProgram::recordsWhatIsTriggered()
{
    QVERIFY(makeFile("x.part2.sqlite"));
    QProcess process;
    process.setReadChannel(QProcess::StandardError);
    begin(process,
        {"record", "--idle", "-o", "x.sqlite", "--", program(), "init", "calls=1", "until=a", "calls=10", "until=b",
            "calls=100", "until=c", "calls=1000", "until=d"});
    const auto lanes_record = QString::number(process.processId());
    const auto until = [&](const char* words) {
        QByteArray said;
        while (!said.contains(words) && process.waitForReadyRead(20'000)) {
            said += process.readAllStandardError();
        }
        return said;
    };
    triggered({lanes_record, "--duration", "1s"});
    const auto again = lanes({"trigger", lanes_record});
    QCOMPARE(again.status, 2);
    QVERIFY2(again.err.contains("already triggered: its part ends in"), again.err);
    QTest::qWait(700);
    QVERIFY(makeFile("a"));
    auto said = until("x.part1.sqlite");
    QVERIFY2(said.contains("10 API calls, 10 GPU operations"), said);
    QVERIFY(makeFile("b"));
    QTest::qWait(100);
    triggered({lanes_record, "--duration", "1500ms", "--at", "/1s"});
    QTest::qWait(1450);  // until it has begun, however the second divides the wait
    QVERIFY(makeFile("c"));
    said = until("x.part3.sqlite");
    QVERIFY2(said.contains("1000 API calls"), said);
    QVERIFY(makeFile("d"));
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(QFile::remove(m_folder->filePath("x.part2.sqlite")));
    QCOMPARE(recordings().filter("sqlite"), (QStringList {"x.part1.sqlite 10", "x.part3.sqlite 1000"}));
    const auto got = report("x.part3.sqlite");
    QCOMPARE(got["complete"].toBool(), true);
    const auto wall = got["wall_ns"].toDouble();
    QVERIFY2(wall <= 1.5e9, qPrintable(QString::number(wall)));
    const auto text = QString::fromUtf8(lanes({"report", "x.part3.sqlite", "--lang", "en"}).out);
    QVERIFY2(text.contains("Recorded in part: from the time that lanes trigger set, until the given duration was over"),
        qPrintable(text));
    QVERIFY(!QFile::exists(m_folder->filePath("x.spool.trigger")));
}

/// One file has both processes, also where one of them started in between; with %r each has its own.
void tst_RecordProgram::recordsPartsOfTwoProcessesTogether()
{
    for (const QString name : {"x.sqlite", "y.%r.sqlite"}) {
        QProcess process;
        begin(process,
            {"record", "--idle", "-o", name, "--", "sh", "-c",
                "(until [ -e late ]; do sleep 0.05; done; RANK=1 \"$0\" init until=more calls=5 until=over) &"
                "RANK=0 \"$0\" init until=some calls=10 until=more calls=20 until=over; wait",
                program()});
        const auto lanes_record = QString::number(process.processId());
        const auto part = [&](const QString& file) {
            triggered({lanes_record, "--duration", "1200ms"});
            QTest::qWait(600);
            QVERIFY(makeFile(file));
        };
        part("some");
        QTest::qWait(1600);
        QVERIFY(makeFile("late"));
        QTest::qWait(400);
        part("more");
        QTest::qWait(1600);
        QVERIFY(makeFile("over"));
        QVERIFY(process.waitForFinished(60'000));
        for (const char* file : {"some", "late", "more", "over"}) {
            QVERIFY(QFile::remove(m_folder->filePath(file)));
        }
    }
    QCOMPARE(recordings(),
        (QStringList {"x.part1.sqlite 10", "x.part2.sqlite 25", "y.0.part1.sqlite 10", "y.0.part2.sqlite 20",
            "y.1.part2.sqlite 5"}));
}

/// Ranges of the time between parts are dropped, but not those that are open when a part begins, nor those in which a
/// graph was captured that is launched in it.
void tst_RecordProgram::idlingDoesNotFillTheDisk()
{
    QStringList script {"init", "range=Net (serve.py:9)", "range=fc1: Linear", "node=1.0", "endrange", "endrange",
        "node=2.0<1.0", "sleep=300"};
    for (int i = 0; i < 20'000; ++i) {
        script << "range=r"
               << "endrange";
    }
    script << "range=around"
           << "ready"
           << "until=a"
           << "range=within"
           << "replay=2.0"
           << "endrange"
           << "sleep=1000"
           << "endrange";
    QProcess process;
    begin(process, QStringList {"record", "--idle", "-o", "x.sqlite", "--", program()} + script);
    const auto lanes_record = QString::number(process.processId());
    QVERIFY(process.waitForReadyRead(20'000));
    const auto size = QFileInfo(m_folder->filePath("x.spool")).size();
    QVERIFY2(size < 100'000, qPrintable(QString::number(size)));
    triggered({lanes_record, "--duration", "800ms"});
    QTest::qWait(600);
    QVERIFY(makeFile("a"));
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(recordings().filter("sqlite"), QStringList {"x.part1.sqlite 1"});
    QStringList names;
    for (const auto range : report("x.part1.sqlite")["ranges"].toArray()) {
        names << range.toObject()["name"].toString();
    }
    QCOMPARE(names, QStringList {"within"});
    QCOMPARE(lanes({"convert", "x.part1.sqlite", "x.csv"}).status, 0);
    QFile file(m_folder->filePath("x.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto text = file.readAll();
    QVERIFY2(text.contains(",fc1: Linear,,fc1: Linear,serve.py:9,capture,"), text);
}

void tst_RecordProgram::recordsEverySoOften()
{
    QStringList script {"init"};
    for (int i = 0; i < 300; ++i) {
        script << "calls=1"
               << "sleep=10";
    }
    const auto ended = lanes(
        QStringList {"record", "-o", "x.sqlite", "--every", "1s", "--duration", "300ms", "--", program()} + script);
    QVERIFY2(ended.status == 0, ended.err);
    const auto all = recordings();
    QVERIFY2(all.size() >= 3, qPrintable(all.join('\n')));
    for (qsizetype i = 0; i < all.size(); ++i) {
        QCOMPARE(all[i].section(' ', 0, 0), QString("x.part%1.sqlite").arg(i + 1));
        QVERIFY2(all[i].section(' ', 1).toInt() <= 31, qPrintable(all[i]));
    }
    QVERIFY(report("x.part2.sqlite")["complete"].toBool());
    const auto text = QString::fromUtf8(lanes({"report", "x.part2.sqlite", "--lang", "en"}).out);
    QVERIFY2(text.contains("from the given time of the clock, until the given duration"), qPrintable(text));
}

void tst_RecordProgram::saysWhyItCannotBeTriggered()
{
    const auto refused = [&](const QStringList& words, const char* said) {
        const auto ended = lanes(QStringList {"trigger"} + words);
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains(said), ended.err);
    };
    refused({"4000000000"}, "there is no process 4000000000");
    refused({"python"}, "found \"python\", expected the id of a process");
    refused({"1", "--at", "10s"}, "found \"10s\", expected a slash and a time, such as /10s");
    refused({"1", "--duration", "2"}, "expected a time such as 2s");
    QProcess other;
    other.start("sleep", {"60"});
    QVERIFY(other.waitForStarted());
    refused({QString::number(other.processId())}, "lanes does not record process");
    other.kill();
    other.waitForFinished();
    QProcess process;
    begin(process, {"record", "-o", "x.sqlite", "--", program(), "init", "ready", "until=over"});
    QVERIFY(process.waitForReadyRead(20'000));
    refused({QString::number(process.processId())}, "is recorded without --idle");
    QVERIFY(makeFile("over"));
    QVERIFY(process.waitForFinished(20'000));
    const auto never = lanes({"record", "--idle", "-o", "y.sqlite", "--", program(), "init", "calls=5"});
    QCOMPARE(never.status, 125);
    QVERIFY2(never.err.contains("it was not triggered"), never.err);
}

/// The first ten of each graph by nodes, also of one that is new when others are whole, or that has the handle of one
/// that is gone.
void tst_RecordProgram::someLaunchesOfGraphsAreWhole()
{
    QStringList script {"init", "make=2", "make=3"};
    const auto launch = [&](const char* node, int times) {
        for (int i = 0; i < times; ++i) {
            script << QString("replay=%1").arg(node);
        }
    };
    launch("2.0", 15);
    launch("3.0", 12);
    launch("2.0", 4);
    script << "destroy=2"
           << "make=2";
    launch("2.0", 11);
    const auto ended = lanes(QStringList {"record", "-o", "x.sqlite", "--graphs", "auto", "--", program()} + script);
    QVERIFY2(ended.status == 0, ended.err);
    QCOMPARE(kernelsByName("x.sqlite"), (Counts {{"spin", 30}, {"CUDA graph 2", 10}, {"CUDA graph 3", 2}}));
    const auto text = QString::fromUtf8(lanes({"report", "x.sqlite", "--lang", "en"}).out);
    QVERIFY2(text.contains("The first 10 launches of each CUDA graph are recorded by their kernels"), qPrintable(text));
    // How many kernels ran in whole graphs, and what they are, is not known, which is not 0.
    const auto got = report("x.sqlite");
    QCOMPARE(got["complete"].toBool(), true);
    const auto counts_of_all = got["counts"].toObject();
    QVERIFY(counts_of_all["kernels"].isNull() && counts_of_all["copies"].isNull());
    const auto gpu = got["gpu"].toArray()[0].toObject();
    for (const char* figure : {"kernel_ns", "copy_ns", "copy_exposed_ns", "communication_ns"}) {
        QVERIFY2(gpu.contains(figure) && gpu[figure].isNull(), figure);
    }
    QVERIFY(gpu["busy_ns"].toDouble() > 0);
    QCOMPARE(gpu["streams"].toArray()[0].toObject()["operations"].toInt(), 42);
    QVERIFY2(text.contains("kernels –, copies –"), qPrintable(text));
    QCOMPARE(lanes({"convert", "x.sqlite", "x.json"}).status, 0);
    QFile file(m_folder->filePath("x.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    int graphs = 0;
    for (const auto event : QJsonDocument::fromJson(file.readAll())["traceEvents"].toArray()) {
        const auto slice = event.toObject();
        if (slice["cat"].toString() == "kernel") {
            const bool is_graph = slice["name"].toString().startsWith("CUDA graph");
            QCOMPARE(slice["args"].toObject().contains("grid"), !is_graph);
            graphs += is_graph ? 1 : 0;
        }
    }
    QCOMPARE(graphs, 12);
}

/// CUPTI ends a program that launches a graph as a whole which was instantiated while whole graphs were not recorded:
/// before the part, in it while others are recorded by nodes, or by a call that CUPTI does not announce.
void tst_RecordProgram::wholeGraphsEndNoProgram_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QStringList>("script");
    QTest::addColumn<Counts>("expected");
    const QStringList in_part {"push=part", "replay=2.0", "pop", "replay=2.0"};
    QTest::newRow("before the part") << QStringList {"--range", "part", "--graphs", "whole"}
                                     << QStringList {"make=2", "replay=2.0"} + in_part << Counts {{"CUDA graph 2", 1}};
    QTest::newRow("by an unknown call") << QStringList {"--range", "part", "--graphs", "whole"}
                                        << QStringList {"make=2!"} + in_part << Counts {{"CUDA graph 2", 1}};
    QTest::newRow("by an unknown call, while others are recorded by nodes")
        << QStringList {"--graphs", "auto"}
        << QStringList {"make=3", "replay=3.0", "make=2!"} + QStringList(12, "replay=3.0")
            + QStringList(12, "replay=2.0")
        << Counts {{"spin", 25}};
    QTest::newRow("in a part") << QStringList {"--graphs", "auto"}
                               << QStringList {"make=3", "replay=3.0", "make=2"} + QStringList(11, "replay=2.0")
                               << Counts {{"spin", 11}, {"CUDA graph 2", 1}};
}

void tst_RecordProgram::wholeGraphsEndNoProgram()
{
    QFETCH(const QStringList, options);
    QFETCH(const QStringList, script);
    QFETCH(const Counts, expected);
    const auto ended
        = lanes(QStringList {"record", "-o", "x.sqlite"} + options + QStringList {"--", program(), "init"} + script);
    QVERIFY2(ended.status == 0, ended.err);
    QCOMPARE(kernelsByName("x.sqlite"), expected);
}

void tst_RecordProgram::wholeGraphsInOnePartAlone()
{
    for (const auto& parts : {QStringList {"--idle"}, QStringList {"--every", "2s", "--duration", "1s"}}) {
        const auto refused
            = lanes(QStringList {"record", "--graphs", "whole"} + parts + QStringList {"--", program(), "init"});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("found \"whole\", expected nodes with " + parts.front().toUtf8()), refused.err);
    }
}

void tst_RecordProgram::keepsAllWhereStepsAreMissing()
{
    const auto ended = lanes({"record", "-o", "x.sqlite", "--steps", "10:20", "--", program(), "init",
        "push=ProfilerStep#3", "calls=2", "pop", "push=ProfilerStep#4", "calls=2", "pop"});
    QVERIFY2(ended.status == 0, ended.err);
    QVERIFY2(ended.err.contains("x.sqlite was not cut to --steps: it has steps 3 to 4, 2 in all"), ended.err);
    QCOMPARE(recordings(), QStringList {"x.sqlite 4"});
}

void tst_RecordProgram::stopsAtItsSize()
{
    const auto ended = lanes({"record", "-o", "x.sqlite", "--max-size", "100kB", "--", program(), "init", "calls=2000",
        "flushed", "sleep=400", "calls=500", "sleep=400", "calls=500"});
    QVERIFY2(ended.status == 0, ended.err);
    QVERIFY2(ended.err.contains("--max-size"), ended.err);
    QCOMPARE(recordings(), QStringList {"x.sqlite 2000"});
    const auto text = QString::fromUtf8(lanes({"report", "x.sqlite", "--lang", "en"}).out);
    QVERIFY2(text.contains("the given size"), qPrintable(text));
    QCOMPARE(report("x.sqlite")["complete"].toBool(), false);
}

/// There is only the spool, and it is kept.
void tst_RecordProgram::aFullDiskLosesNothing()
{
    QProcess process;
    process.setChildProcessModifier([] {
        const rlimit limit {60'000, 60'000};
        setrlimit(RLIMIT_FSIZE, &limit);
    });
    begin(process, {"record", "-o", "x.sqlite", "--", program(), "init", "calls=200", "flushed", "calls=5000"});
    QVERIFY(process.waitForFinished(60'000));
    const auto said = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 125);
    QVERIFY2(said.contains("x.spool: File too large; what was recorded before is in it"), said);
    QCOMPARE(recordings().size(), 1);
    QVERIFY(report("x.spool")["counts"].toObject()["kernels"].toInt() >= 200);
}

void tst_RecordProgram::saysThatTheProgramWasKilled()
{
    const auto ended
        = lanes({"record", "-o", "x.sqlite", "--", "sh", "-c", "\"$0\" init calls=5; kill -SEGV $$", program()});
    QCOMPARE(ended.status, 128 + SIGSEGV);
    QVERIFY2(ended.err.contains("the program was killed by signal 11 (Segmentation fault)"), ended.err);
    QCOMPARE(recordings(), QStringList {"x.sqlite 5"});
}

/// A daemon's later records are in no recording.
void tst_RecordProgram::saysThatTheLastFlushIsMissing()
{
    const auto ended = lanes({"record", "-o", "x.sqlite", "--", program(), "init", "calls=9", "flushed", "rawexit"});
    QCOMPARE(ended.status, 0);
    QVERIFY2(ended.err.contains("The program ended without a last flush: records after "), ended.err);
    const auto lacking = report("x.sqlite");
    QCOMPARE(lacking["complete"].toBool(true), false);
    QVERIFY(lanes({"report", "x.sqlite"}).out.contains("ended without a last flush: records after "));
    // With two processes it says which; the other's end is whole.
    const auto both = lanes({"record", "-o", "y.sqlite", "--", "sh", "-c",
        "\"$0\" init calls=9; \"$0\" init calls=9 flushed raise=9; exit 0", program()});
    QVERIFY2(both.err.contains("ended without a last flush: its records after "), both.err);
    QCOMPARE(lanes({"record", "-o", "z.sqlite", "--", program(), "init", "calls=9", "_exit"}).status, 0);
    QCOMPARE(report("z.sqlite")["complete"].toBool(false), true);
    QCOMPARE(report("z.sqlite")["counts"].toObject()["kernels"].toInt(), 9);
}

void tst_RecordProgram::signalsSentToItReachTheProgram_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGHUP") << SIGHUP;
    QTest::newRow("SIGTERM") << SIGTERM;
}

/// Signals to lanes alone, as `kill` and a batch system send them.
void tst_RecordProgram::signalsSentToItReachTheProgram()
{
    QFETCH(int, number);
    QProcess process;
    begin(process, {"record", "-o", "x.sqlite", "--", program(), "init", "calls=9", "ready", "sleep=60000"});
    QVERIFY(process.waitForReadyRead(30'000));
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), number), 0);
    QVERIFY(process.waitForFinished(30'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 128 + number);
    QCOMPARE(recordings(), QStringList {"x.sqlite 9"});
}

/// The window sends signals as a terminal does: the program counts those that it gets.
void tst_RecordProgram::aSignalToTheGroupIsNotSentTwice()
{
    QProcess process;
    m_environment.insert("LANES_GROUP_SIGNALS", "1");
    process.setChildProcessModifier([] { ::setpgid(0, 0); });
    begin(process,
        {"record", "-o", "x.sqlite", "--", "sh", "-c",
            "n=0; trap 'n=$((n + 1))' INT; \"$0\" init calls=9; echo ready; "
            "for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done; exit $n",
            program()});
    QVERIFY(process.waitForReadyRead(30'000));
    QCOMPARE(::kill(-static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished(30'000));
    QCOMPARE(process.exitCode(), 1);
    QCOMPARE(recordings(), QStringList {"x.sqlite 9"});
}

/// As under nohup: neither lanes nor the program ends.
void tst_RecordProgram::ignoredSignalsStayIgnored()
{
    QProcess process;
    process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_IGN); });
    begin(process,
        {"record", "-o", "x.sqlite", "--", "sh", "-c",
            "trap 'exit 9' TERM; kill -HUP $$; kill -HUP $PPID; \"$0\" init calls=9", program()});
    QVERIFY(process.waitForFinished(30'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(recordings(), QStringList {"x.sqlite 9"});
}

void tst_RecordProgram::saysThatAProcessRunsOn()
{
    const QStringList words {"record", "-o", "x.sqlite", "--", "sh", "-c"};
    auto ended = lanes(words
        + QStringList {"\"$0\" init calls=5 flushed ready until=over >ready & until [ -s ready ]; do sleep 0.05; done",
            program()});
    QVERIFY(makeFile("over"));
    QVERIFY2(ended.status == 0 && ended.err.contains("still runs"), ended.err);
    QCOMPARE(report("x.sqlite")["counts"].toObject()["kernels"].toInt(), 5);
    ended = lanes(words + QStringList {"\"$0\" init calls=5", program()});
    QVERIFY2(ended.status == 0 && !ended.err.contains("still runs"), ended.err);
}

void tst_RecordProgram::doesNotSayThatThereWasNoCuda()
{
    const QStringList words {"record", "-o", "x.sqlite", "--", program()};
    auto ended = lanes(words + QStringList {"init", "calls=5", "rawexit"});
    QVERIFY2(ended.status == 0 && ended.err.contains("started CUDA") && !ended.err.contains("no CUDA"), ended.err);
    ended = lanes(words);
    QVERIFY2(ended.status == 0 && ended.err.contains("made no CUDA call"), ended.err);
    ended = lanes(words + QStringList {"load", "range=loads", "endrange"});
    QVERIFY2(ended.status == 0 && ended.err.contains("marked ranges, but made no CUDA call"), ended.err);
}

void tst_RecordProgram::saysFiguresWhileItRuns()
{
    QStringList script {"init"};
    for (int i = 0; i < 12; ++i) {
        script << "calls=500"
               << "sleep=300";
    }
    script << "until=seen";
    QProcess process;
    process.setReadChannel(QProcess::StandardError);
    begin(process, QStringList {"record", "-o", "x.sqlite", "--live", "--", program()} + script);
    const auto until = [](QProcess& of, const char* words, int times) {
        QByteArray said;
        while (said.count(words) < times && of.waitForReadyRead(20'000)) {
            said += of.readAllStandardError();
        }
        return said;
    };
    auto said = until(process, "operations/s", 2);
    QVERIFY2(said.contains("GPU busy ") && said.contains(" overlap ") && said.contains(" waits "), said);
    QVERIFY2(said.count("operations/s") >= 2, said);
    QCOMPARE(process.state(), QProcess::Running);  // they came while it ran
    QVERIFY(makeFile("seen"));
    QVERIFY(process.waitForFinished(60'000));
    said += process.readAllStandardError();
    for (const auto& line : said.trimmed().split('\n')) {
        QVERIFY2(line.startsWith("lanes: ") && !line.contains('\r'), line);  // it is no terminal
    }
    QCOMPARE(report("x.sqlite")["counts"].toObject()["kernels"].toInt(), 6000);
    // Without CUDA there is no figure, and nothing is wrong.
    QProcess idle;
    idle.setReadChannel(QProcess::StandardError);
    begin(idle, {"record", "-o", "y.sqlite", "--live", "--", program(), "until=idle"});
    said = until(idle, "nothing recorded yet", 1);
    QVERIFY(makeFile("idle"));
    QVERIFY(idle.waitForFinished(60'000));
    QCOMPARE(idle.exitCode(), 0);
    QVERIFY2(said.contains("nothing recorded yet"), said);
}

void tst_RecordProgram::noticesAnotherProfiler()
{
    const QStringList words {"record", "-o", "x.sqlite", "--", program(), "init", "calls=10", "sync", "flushed"};
    auto ended = lanes(words + QStringList {"calls=5", "sync"});
    QVERIFY2(ended.status == 0 && !ended.err.contains("torch"), ended.err);
    QCOMPARE(report("x.sqlite")["complete"].toBool(), true);
    ended = lanes(words + QStringList {"takeover", "calls=5", "sync", "sleep=800"});
    QVERIFY2(ended.status == 0 && ended.err.contains("torch.profiler, took over CUPTI"), ended.err);
    QCOMPARE(recordings(), QStringList {"x.sqlite 11"});
    QCOMPARE(report("x.sqlite")["complete"].toBool(), false);
}

void tst_RecordProgram::namesTheToolThatRunsTheProgram()
{
    QVERIFY(QFile::link("/bin/true", m_folder->filePath("nsys")));
    const auto ended = lanes({"record", "-o", "x.sqlite", "--", "./nsys"});
    QCOMPARE(ended.status, 125);
    QVERIFY2(ended.err.contains("Nsight Systems runs the program itself"), ended.err);
}

void tst_RecordProgram::saysWhyAPartIsMissing_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("said");
    QTest::newRow("range") << QStringList {"--range", "trian"}
                           << "not recorded: no NVTX range \"trian\" was opened; others were: eval, train";
    QTest::newRow("profiler") << QStringList {"--capture-range", "cudaProfilerApi"}
                              << "not recorded: cudaProfilerStart was not called";
    QTest::newRow("delay") << QStringList {"--delay", "1000s"}
                           << "not recorded: the program ended before the delay was over";
}

void tst_RecordProgram::saysWhyAPartIsMissing()
{
    QFETCH(QStringList, words);
    QFETCH(QString, said);
    const auto ended = lanes(QStringList {"record", "-o", "x.sqlite"} + words
        + QStringList {"--", program(), "init", "push=train", "calls=5", "pop", "push=eval", "pop"});
    QCOMPARE(ended.status, 125);
    QVERIFY2(QString::fromUtf8(ended.err).contains(said), ended.err);
    QCOMPARE(recordings(), QStringList());
}

void tst_RecordProgram::saysWhatCuptiRefused_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("the whole program") << QStringList();
    QTest::newRow("a part") << QStringList {"--range", "a"};
}

void tst_RecordProgram::saysWhatCuptiRefused()
{
    QFETCH(QStringList, words);
    m_environment.insert("LANES_DOUBLE_REFUSES", "36");  // CUPTI_ACTIVITY_KIND_CUDA_EVENT
    const auto ended = lanes(QStringList {"record", "-o", "x.sqlite"} + words
        + QStringList {"--", program(), "init", "push=a", "calls=5", "pop"});
    QVERIFY2(ended.status == 0, ended.err);
    const auto english = lanes({"report", "x.sqlite", "--lang", "en"}).out;
    QVERIFY2(english.contains("CUPTI did not record: events"), english);
    const auto chinese = lanes({"report", "x.sqlite", "--lang", "zh_CN"}).out;
    QVERIFY2(chinese.contains("CUPTI 未录制以下内容：事件"), chinese);
}

void tst_RecordProgram::pytorchIsAskedForWhatWasSaid_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("asked");
    QTest::newRow("nothing") << QStringList {} << QByteArray("");
    QTest::newRow("modules") << QStringList {"--pytorch"} << QByteArray("1");
    QTest::newRow("shapes") << QStringList {"--pytorch=shapes"} << QByteArray("shapes");
}

void tst_RecordProgram::pytorchIsAskedForWhatWasSaid()
{
    QFETCH(QStringList, words);
    const auto ended = lanes(QStringList {"record", "-o", "x.sqlite"} + words
        + QStringList {"--", "sh", "-c", "printf %s \"$LANES_PYTORCH\" > asked; \"$0\" init calls=1", program()});
    QVERIFY2(ended.status == 0, ended.err);
    QFile asked(m_folder->filePath("asked"));
    QVERIFY(asked.open(QIODevice::ReadOnly));
    QTEST(asked.readAll(), "asked");
}

void tst_RecordProgram::wrongWordsAreExitStatus2_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("said");
    QTest::newRow("no unit") << QStringList {"--delay", "5"} << "found \"5\", expected a time such as 2s";
    QTest::newRow("another unit") << QStringList {"--duration", "5 MiB"} << "found \"5 MiB\", expected a time";
    QTest::newRow("nothing") << QStringList {"--duration", "0s"} << "found \"0s\", expected a time";
    QTest::newRow("a time for a size") << QStringList {"--max-size", "5s"} << "found \"5s\", expected a size";
    QTest::newRow("another hook") << QStringList {"--pytorch=shape"} << "shape";
    QTest::newRow("no steps") << QStringList {"--steps", "20:10"} << "found \"20:10\", expected two whole numbers";
    QTest::newRow("half the steps") << QStringList {"--steps", "20"} << "found \"20\", expected two whole numbers";
    QTest::newRow("unknown api") << QStringList {"--capture-range", "cudaProfileApi"}
                                 << "did you mean 'cudaProfilerApi'";
    QTest::newRow("unknown ending") << QStringList {"-o", "x.txt"} << "the ending says what to write: .sqlite, .json";
    QTest::newRow("samples without a unit") << QStringList {"--stacks=5"} << "found \"5\", expected a time from 100us";
    QTest::newRow("samples too close") << QStringList {"--stacks=10us"} << "found \"10us\", expected a time from 100us";
    QTest::newRow("every without duration") << QStringList {"--every", "5s"} << "expected --duration as well";
    QTest::newRow("every too short") << QStringList {"--every", "5s", "--duration", "5s"}
                                     << "found \"5s\", expected more than --duration (5s)";
    QTest::newRow("idle and a range") << QStringList {"--idle", "--range", "a"} << "exclude";
    QTest::newRow("idle and a duration") << QStringList {"--idle", "--duration", "1s"} << "exclude";
    QTest::newRow("no multiple") << QStringList {"--at", "10s"} << "found \"10s\", expected a slash and a time";
    QTest::newRow("two triggers") << QStringList {"--capture-range", "cudaProfilerApi", "--range", "a"} << "exclude";
}

void tst_RecordProgram::wrongWordsAreExitStatus2()
{
    QFETCH(QStringList, words);
    QFETCH(QString, said);
    const auto ended = lanes(QStringList {"record"} + words + QStringList {"--", "touch", "ran"});
    QCOMPARE(ended.status, 2);
    QVERIFY2(QString::fromUtf8(ended.err).contains(said), ended.err);
    QCOMPARE(recordings(), QStringList());  // nor was the program run
}

QTEST_GUILESS_MAIN(tst_RecordProgram)
#include "tst_record_program.moc"
