// SPDX-License-Identifier: MIT
// The probe in a separate process, as libcuda loads it, with the CUPTI double under it.
#include "probes/inject/environment.h"
#include "tests/probes/cupti/spooled.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <set>

using namespace lanes;

class tst_Injection : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void recordsAProgram();
    void appendsTheRecordsOfManyThreads();
    void withoutASpoolItDoesNothing();
    void aFileForEachProcess();
    void onlyWantedRanks();
    void saysNothingUnlessAsked();
    void killedItLeavesWhatWasComplete();
    void endsAsTheSignalWould_data();
    void endsAsTheSignalWould();
    void endsByASignalAfterClosingDescriptors_data();
    void endsByASignalAfterClosingDescriptors();
    void leavesAProgramsOwnHandlerAlone();
    void aForkedChildIsNotRecorded();
    void endsWithoutHandlersLoseNothing_data();
    void endsWithoutHandlersLoseNothing();
    void saysThatTheLastFlushIsMissing_data();
    void saysThatTheLastFlushIsMissing();
    void aSignalToItselfEndsAtOnce();
    void aChildThatSharesItsMemoryEndsAlone();
    void tellsWhichProfilerWasRefused();
    void aFullDiskDoesNotEndTheProgram();
    void reportsWhyItRecordsNothing_data();
    void reportsWhyItRecordsNothing();
    void saysThatNoThreadIsToBeHad();
    void exceptionsOfTheProgramWork();
    void nvtxReachesTheSameCupti_data();
    void nvtxReachesTheSameCupti();
    void leavesThreadsToAProgramThatNamesThem();
    void showsNoMoreThanItsInterface();
    void needsNoNewerLibraryThan234_data();
    void needsNoNewerLibraryThan234();

private:
    static QString build(const char* path) { return QString::fromLocal8Bit(qgetenv("LANES_BUILD")) + path; }
    void begin(QProcess& process, const QStringList& script);
    /// Runs to the end; the exit code, or -signal.
    int run(const QStringList& script);
    /// A recorder of the spool did not write everything.
    bool lacksLastFlush() const
    {
        const auto meta = Spooled(m_path).meta();
        return std::any_of(meta.begin(), meta.end(),
            [](const auto& entry) { return entry.first.starts_with(unflushed_key) && !entry.second.empty(); });
    }
    std::size_t calls() const { return Spooled(m_path).of<ApiCallRecord>().size(); }
    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
    std::string m_path;
    QByteArray m_said;
    int m_count = 0;
};

void tst_Injection::initTestCase()
{
    QVERIFY(QFile::exists(build("/bin/liblanes-probe.so")));
}

void tst_Injection::init()
{
    m_path = m_folder.filePath(QString::number(++m_count) + ".spool").toStdString();
    m_environment = QProcessEnvironment::systemEnvironment();
    for (const auto& variable : {"CUDA_HOME", "LD_LIBRARY_PATH"}) {
        m_environment.remove(variable);
    }
    m_environment.insert("CUDA_INJECTION64_PATH", build("/bin/liblanes-probe.so"));
    m_environment.insert("LANES_SPOOL", QString::fromStdString(m_path));
    m_environment.insert("LANES_CUPTI", build("/tests/doubles/libcupti.so.13"));
}

void tst_Injection::begin(QProcess& process, const QStringList& script)
{
    process.setProcessEnvironment(m_environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(build("/tests/doubles/fake_cuda_program"), script);
    QVERIFY(process.waitForStarted());
}

int tst_Injection::run(const QStringList& script)
{
    QProcess process;
    begin(process, script);
    if (!process.waitForFinished(240'000)) {
        process.kill();
        process.waitForFinished();
        return -1000;
    }
    m_said = process.readAll();
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -process.exitCode();
}

void tst_Injection::recordsAProgram()
{
    QCOMPARE(run({"init", "calls=100", "drop=3"}), 0);
    const Spooled spooled(m_path);
    QCOMPARE(spooled.of<ApiCallRecord>().size(), 100U);
    QCOMPARE(spooled.of<KernelRecord>().size(), 100U);
    QCOMPARE(spooled.text(spooled.of<KernelRecord>()[0].name), std::string("_Z4spinPfi"));
    QCOMPARE(spooled.dropped(), 3U);
    QCOMPARE(spooled.meta().at("cupti_version"), std::string("130001"));
    QCOMPARE(spooled.of<ProcessRecord>().size(), 1U);
    QCOMPARE(spooled.text(spooled.of<ProcessRecord>()[0].name), std::string("fake_cuda_program"));
    QVERIFY(spooled.of<ClockRecord>().size() >= 2);
    QCOMPARE(spooled.of<ErrorRecord>().size(), 0U);
    QCOMPARE(spooled.end().note, std::string());
}

void tst_Injection::appendsTheRecordsOfManyThreads()
{
    QCOMPARE(run({"init", "threads=64"}), 0);
    const Spooled spooled(m_path);
    std::set<std::uint32_t> correlations;
    for (const auto& call : spooled.of<ApiCallRecord>()) {
        correlations.insert(call.correlation);
    }
    QCOMPARE(correlations.size(), 64'000U);
    QCOMPARE(spooled.of<ApiCallRecord>().size(), 64'000U);
    QCOMPARE(spooled.of<ThreadRecord>().size(), 64U);
}

void tst_Injection::withoutASpoolItDoesNothing()
{
    m_environment.remove("LANES_SPOOL");
    m_environment.insert("LANES_PROBE_VERBOSE", "1");
    QCOMPARE(run({"init", "calls=10"}), 0);
    QCOMPARE(m_said, QByteArray());
    QVERIFY(!QFile::exists(QString::fromStdString(m_path)));
}

/// 64 processes at once: 64 files, each whole, in a folder that was not there, and who each of them is.
void tst_Injection::aFileForEachProcess()
{
    const QDir folder(m_folder.filePath("job/of 64"));
    m_environment.insert("LANES_SPOOL", folder.filePath("%q{SLURM_JOB_ID}.%r.%p.spool"));
    m_environment.insert("SLURM_JOB_ID", "77");
    m_environment.insert("SLURM_NTASKS", "64");
    std::vector<std::unique_ptr<QProcess>> processes;
    for (int rank = 0; rank < 64; ++rank) {
        m_environment.insert("SLURM_PROCID", QString::number(rank));
        processes.push_back(std::make_unique<QProcess>());
        begin(*processes.back(), {"init", "calls=100"});
    }
    for (const auto& process : processes) {
        QVERIFY(process->waitForFinished(120'000));
        QCOMPARE(process->exitCode(), 0);
    }
    const auto files = folder.entryList({"77.*.spool"}, QDir::Files);
    QCOMPARE(files.size(), 64);
    QSet<QString> ranks;
    for (const auto& file : files) {
        const Spooled spooled(folder.filePath(file).toStdString());
        QCOMPARE(spooled.of<KernelRecord>().size(), 100U);
        const auto process = file.section('.', 2, 2).toStdString();
        QCOMPARE(spooled.meta().at(own_spool_key), process);
        const auto rank = file.section('.', 1, 1);
        ranks.insert(rank);
        QCOMPARE(spooled.meta().at("identity." + process),
            "rule slurm\nrank " + rank.toStdString() + "\nworld 64\nrestarts \nSLURM_PROCID=" + rank.toStdString()
                + "\nSLURM_NTASKS=64\nSLURM_JOB_ID=77");
    }
    QCOMPARE(ranks.size(), 64);
}

void tst_Injection::onlyWantedRanks()
{
    m_environment.insert("LANES_RANKS", "0-3");
    m_environment.insert("SLURM_PROCID", "4");
    QCOMPARE(run({"init", "calls=10"}), 0);
    QVERIFY(!QFile::exists(QString::fromStdString(m_path)));
    m_environment.insert("SLURM_PROCID", "3");
    QCOMPARE(run({"init", "calls=10"}), 0);
    QCOMPARE(calls(), 10U);
}

void tst_Injection::saysNothingUnlessAsked()
{
    QCOMPARE(run({"init", "calls=10"}), 0);
    QCOMPARE(m_said, QByteArray());
    m_environment.insert("LANES_PROBE_VERBOSE", "1");
    QCOMPARE(run({"init"}), 0);
    QVERIFY2(m_said.contains("13.0 (130001)"), m_said.constData());
}

void tst_Injection::killedItLeavesWhatWasComplete()
{
    QProcess process;
    begin(process, {"init", "calls=100", "ready", "sleep=60000"});
    QVERIFY(process.waitForReadyRead());
    // tst_recorder tests how soon complete records are kept.
    QTRY_COMPARE_WITH_TIMEOUT(Spooled(m_path).of<KernelRecord>().size(), 100U, 20'000);
    process.kill();
    QVERIFY(process.waitForFinished());
    QCOMPARE(calls(), 100U);
    QCOMPARE(Spooled(m_path).of<KernelRecord>().size(), 100U);
}

void tst_Injection::endsAsTheSignalWould_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void tst_Injection::endsAsTheSignalWould()
{
    QFETCH(int, number);
    QProcess process;
    // The kernel that holds back its buffer shows that the last, forced flush was made.
    begin(process, {"init", "calls=100", "hold", "ready", "sleep=60000"});
    QVERIFY(process.waitForReadyRead());
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), number), 0);
    QVERIFY(process.waitForFinished(10'000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);  // by the signal, as without the probe
    QCOMPARE(process.exitCode(), number);
    QCOMPARE(calls(), 101U);
    const auto kernels = Spooled(m_path).of<KernelRecord>();
    QCOMPARE(kernels.size(), 101U);
    QCOMPARE(kernels.back().end, 0);
}

void tst_Injection::endsByASignalAfterClosingDescriptors_data()
{
    QTest::addColumn<QString>("closing");
    QTest::addColumn<std::size_t>("recorded");
    QTest::newRow("the low ones") << "close=63" << std::size_t {101};
    QTest::newRow("all, the probe's too") << "close=1023" << std::size_t {100};
    QTest::newRow("the probe's are files of its own") << "cover=1023" << std::size_t {100};
}

void tst_Injection::endsByASignalAfterClosingDescriptors()
{
    QFETCH(QString, closing);
    QFETCH(std::size_t, recorded);
    QProcess process;
    begin(process, {"init", "calls=100", "flushed", "hold", closing, "ready", "sleep=60000"});
    QVERIFY(process.waitForReadyRead());
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
    QVERIFY(process.waitForFinished(10'000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QCOMPARE(process.exitCode(), SIGTERM);
    QCOMPARE(calls(), recorded);
}

void tst_Injection::leavesAProgramsOwnHandlerAlone()
{
    QProcess process;
    process.setProgram(build("/tests/doubles/fake_cuda_program"));
    process.setArguments({"init", "calls=1", "ready", "sleep=700"});
    process.setProcessEnvironment(m_environment);
    process.setChildProcessModifier([] { ::signal(SIGINT, SIG_IGN); });
    process.start();
    QVERIFY(process.waitForReadyRead());
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(calls(), 1U);
}

void tst_Injection::aForkedChildIsNotRecorded()
{
    QCOMPARE(run({"init", "calls=5", "fork", "calls=5"}), 0);
    const Spooled spooled(m_path);
    QCOMPARE(spooled.of<ApiCallRecord>().size(), 10U);
    QCOMPARE(spooled.end().lost_chunks, 0U);
    QCOMPARE(spooled.of<ErrorRecord>().size(), 0U);
}

void tst_Injection::endsWithoutHandlersLoseNothing_data()
{
    QTest::addColumn<QString>("end");
    QTest::addColumn<int>("status");
    QTest::newRow("_exit") << "_exit" << 0;
    QTest::newRow("_Exit") << "_Exit" << 0;
    QTest::newRow("quick_exit") << "quick_exit" << 0;
    QTest::newRow("another thread") << "threadexit" << 0;
    QTest::newRow("abort") << "abort" << -SIGABRT;
    QTest::newRow("raise") << "raise=1" << -SIGHUP;
}

void tst_Injection::endsWithoutHandlersLoseNothing()
{
    QFETCH(QString, end);
    QFETCH(int, status);
    QCOMPARE(run({"init", "calls=100", "flushed", "calls=50", "hold", end}), status);
    QCOMPARE(calls(), 151U);
    QVERIFY(!lacksLastFlush());
    QVERIFY(QFile::remove(QString::fromStdString(m_path)));
    QCOMPARE(run({"init", "calls=5", end}), status);  // perhaps before the recorder's thread has begun
    QCOMPARE(calls(), 5U);
    QVERIFY(!lacksLastFlush());
}

void tst_Injection::saysThatTheLastFlushIsMissing_data()
{
    QTest::addColumn<QStringList>("script");
    QTest::addColumn<bool>("lacks");
    QTest::newRow("exit") << QStringList {"init", "calls=9"} << false;
    QTest::newRow("system call") << QStringList {"init", "calls=9", "flushed", "rawexit"} << true;
    QTest::newRow("kill") << QStringList {"init", "calls=9", "flushed", "raise=9"} << true;
}

void tst_Injection::saysThatTheLastFlushIsMissing()
{
    QFETCH(QStringList, script);
    QFETCH(bool, lacks);
    run(script);
    QCOMPARE(calls(), 9U);
    QCOMPARE(lacksLastFlush(), lacks);
}

void tst_Injection::aSignalToItselfEndsAtOnce()
{
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
        QCOMPARE(run({"init", "calls=9", QString("raise=%1").arg(number)}), -number);
        QVERIFY2(!m_said.contains("went on"), m_said.constData());
    }
}

/// As the child of a program's posix_spawn or subprocess whose exec fails.
void tst_Injection::aChildThatSharesItsMemoryEndsAlone()
{
    QCOMPARE(run({"init", "calls=10", "flushed", "vfork", "calls=5", "flushed", "calls=5"}), 0);
    QCOMPARE(calls(), 20U);
    QVERIFY(!lacksLastFlush());
}

void tst_Injection::tellsWhichProfilerWasRefused()
{
    QCOMPARE(run({"init", "module", "flushed", "subscribe", "calls=5"}), 0);
    QCOMPARE(calls(), 5U);
    QCOMPARE(Spooled(m_path).meta().at(refused_profiler_key), std::string("libasking_module.so"));
}

void tst_Injection::aFullDiskDoesNotEndTheProgram()
{
    QCOMPARE(run({"init", "disk=20000", "calls=1000", "flushed", "calls=1000"}), 0);
    QVERIFY(QFile(QString::fromStdString(m_path)).size() <= 20'000);
    QVERIFY(Spooled(m_path).of<ProcessRecord>().size() == 1);
}

void tst_Injection::reportsWhyItRecordsNothing_data()
{
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("reason");
    QTest::newRow("another tool") << "LANES_DOUBLE_SUBSCRIBER"
                                  << "CUPTI for torch"
                                  << "CUPTI for torch";
    QTest::newRow("broken version") << "LANES_DOUBLE_VERSION"
                                    << "130000"
                                    << "130001";
    QTest::newRow("no such file") << "LANES_CUPTI"
                                  << "/no/such/file"
                                  << "/no/such/file";
    QTest::newRow("not all functions") << "LANES_CUPTI" << build("/tests/doubles/lacking/libcupti.so.13")
                                       << "cuptiActivityFlushAll";
    QTest::newRow("no kernels") << "LANES_DOUBLE_REFUSES"
                                << "10"
                                << "kernels";
}

void tst_Injection::reportsWhyItRecordsNothing()
{
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QFETCH(QString, reason);
    m_environment.insert(variable, value);
    QCOMPARE(run({"init"}), 0);
    QCOMPARE(m_said, QByteArray());
    const Spooled spooled(m_path);
    QCOMPARE(spooled.of<ErrorRecord>().size(), 1U);
    const auto said = QString::fromStdString(spooled.text(spooled.of<ErrorRecord>()[0].message));
    QVERIFY2(said.startsWith("not recorded: ") && said.contains(reason), qPrintable(said));
    QCOMPARE(spooled.of<ErrorRecord>()[0].step, no_id);
    QCOMPARE(spooled.of<ApiCallRecord>().size(), 0U);
}

void tst_Injection::saysThatNoThreadIsToBeHad()
{
    QCOMPARE(run({"nothreads", "init", "calls=5"}), 0);
    const Spooled spooled(m_path);
    QCOMPARE(spooled.of<ErrorRecord>().size(), 1U);
    const auto said = QString::fromStdString(spooled.text(spooled.of<ErrorRecord>()[0].message));
    QVERIFY2(said.startsWith("not recorded: no thread could be started: "), qPrintable(said));
    QCOMPARE(spooled.of<ApiCallRecord>().size(), 0U);
}

void tst_Injection::exceptionsOfTheProgramWork()
{
    QCOMPARE(run({"init", "throw", "calls=1", "throw"}), 0);
    QCOMPARE(calls(), 1U);
}

void tst_Injection::nvtxReachesTheSameCupti_data()
{
    QTest::addColumn<QStringList>("script");
    QTest::newRow("after CUDA") << QStringList {"init", "nvtx", "calls=5"};
    QTest::newRow("before CUDA") << QStringList {"nvtx", "init", "calls=5"};
}

void tst_Injection::nvtxReachesTheSameCupti()
{
    QFETCH(QStringList, script);
    m_environment.insert("NVTX_INJECTION64_PATH", build("/bin/liblanes-nvtx.so"));
    QCOMPARE(run(script), 0);  // the program fails if no tool answers
    QCOMPARE(calls(), 5U);
}

void tst_Injection::leavesThreadsToAProgramThatNamesThem()
{
    m_environment.insert("LANES_PROBE_THREADS", "0");
    QCOMPARE(run({"init", "calls=5"}), 0);
    QCOMPARE(calls(), 5U);
    QCOMPARE(Spooled(m_path).of<ThreadRecord>().size(), 0U);
}

void tst_Injection::showsNoMoreThanItsInterface()
{
    QProcess nm;
    nm.start("nm", {"-D", "--defined-only", build("/bin/liblanes-probe.so")});
    if (!nm.waitForFinished()) {
        QSKIP("no nm here");
    }
    for (const auto& line : nm.readAll().trimmed().split('\n')) {
        QVERIFY2(line.endsWith(" T InitializeInjection") || line.contains(" T lanescope_"), line.constData());
    }
}

void tst_Injection::needsNoNewerLibraryThan234_data()
{
    QTest::addColumn<QString>("library");
    QTest::newRow("probe") << "/bin/liblanes-probe.so";
    QTest::newRow("nvtx") << "/bin/liblanes-nvtx.so";
}

void tst_Injection::needsNoNewerLibraryThan234()
{
    QFETCH(QString, library);
    QProcess objdump;
    objdump.start("objdump", {"-T", build(qPrintable(library))});
    if (!objdump.waitForFinished()) {
        QSKIP("no objdump here");
    }
    const auto text = QString::fromLocal8Bit(objdump.readAll());
    if (text.contains("__asan_") || text.contains("__tsan_") || text.contains("__ubsan_")) {
        QSKIP("a sanitizer's build brings other needs");
    }
    QVERIFY(text.contains("GLIBC_2."));
    for (int minor = 35; minor < 60; ++minor) {
        QVERIFY2(!text.contains(QString("GLIBC_2.%1").arg(minor)), qPrintable(QString::number(minor)));
    }
    QVERIFY2(!text.contains("GLIBCXX"), "the C++ library is to be linked in");
}

QTEST_GUILESS_MAIN(tst_Injection)
#include "tst_injection.moc"
