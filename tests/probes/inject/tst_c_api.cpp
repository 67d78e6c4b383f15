// SPDX-License-Identifier: MIT
// lanescope.h from a program in C, with the CUPTI double under it.
#include "tests/probes/cupti/spooled.h"

#include <QFile>
#include <QProcess>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lanes;

namespace {

/// "domain name value=…" of each range of a spool.
QStringList rangesWithValues(const Spooled& spooled)
{
    QStringList found;
    for (const auto& range : spooled.of<RangeRecord>()) {
        if (range.edge != RangeRecord::begin) {
            continue;
        }
        QString line = QString::fromStdString(spooled.text(range.domain) + " " + spooled.text(range.name));
        for (const auto& value : spooled.of<RangeValueRecord>()) {
            if (value.range == range.id) {
                line += QString::fromStdString(" " + spooled.text(value.name) + "=");
                line += value.type == RangeValueRecord::text ? QString::fromStdString(spooled.text(value.words))
                    : value.type == RangeValueRecord::id     ? QString::number(value.value, 16)
                                                             : QString::number(value.value);
            }
        }
        found << line;
    }
    return found;
}

}  // namespace

class tst_CApi : public QObject {
    Q_OBJECT

private slots:
    void init();
    void rangesUnderLanesRecord();
    void valuesAreCounters();
    void withoutARecordingTheyDoNothing();
    void aProcessBeginsAndEndsItself();
    void asOftenAsItLikes();
    void threadsNeedNotStopForIt();
    void saysWhyItCannotBegin_data();
    void saysWhyItCannotBegin();
    void aForkedChildWritesItsOwn();
    void whatIsFlushedOutlivesTheProcess();
    void operatorsOfPyTorchComeThroughNvtx();
    void backwardLiesUnderItsModule_data();
    void backwardLiesUnderItsModule();
    void shapesOfInputs();
    void collectivesHaveValues();
    void payloadsThatMislead();
    void communicatorsAreKeptInAnyCase();
    void rangesEndHoweverTheyBegan_data();
    void rangesEndHoweverTheyBegan();
    void withoutARecordingNvtxHasNoTool();

private:
    static QString build(const char* path) { return QString::fromLocal8Bit(qgetenv("LANES_BUILD")) + path; }
    QString path(const char* name) const { return m_folder.filePath(QString::number(m_count) + name); }
    /// Runs to the end; its output.
    QByteArray run(const QStringList& script);
    /// Begin, end and mark: "+a", "-" and "!a"; thread by thread, the first thread first, each in order of time.
    static std::string edges(const Spooled& spooled);
    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
    int m_count = 0;
};

void tst_CApi::init()
{
    ++m_count;
    m_environment = QProcessEnvironment::systemEnvironment();
    for (const auto& variable : {"CUDA_HOME", "LD_LIBRARY_PATH", "LANES_SPOOL"}) {
        m_environment.remove(variable);
    }
    m_environment.insert("LANES_CUPTI", build("/tests/doubles/libcupti.so.13"));
}

QByteArray tst_CApi::run(const QStringList& script)
{
    QProcess process;
    process.setProcessEnvironment(m_environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(build("/tests/probes/inject/c_program"), QStringList {build("/bin/liblanes-probe.so")} + script);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        return "failed: " + process.readAll();
    }
    return process.readAll();
}

std::string tst_CApi::edges(const Spooled& spooled)
{
    // Each thread's records are written when they are 20 ms old, so their order between threads depends on the time.
    auto ranges = spooled.of<RangeRecord>();
    std::ranges::stable_sort(
        ranges, {}, [](const auto& range) { return std::pair(range.thread != range.process, range.thread); });
    std::string all;
    for (const auto& range : ranges) {
        all += range.edge == RangeRecord::begin ? "+" : range.edge == RangeRecord::finish ? "-" : "!";
        all += spooled.text(range.name);
    }
    return all;
}

void tst_CApi::rangesUnderLanesRecord()
{
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    QCOMPARE(
        run({"recording", "name=loader", "push=outer", "push=inner", "mark=here", "pop", "pop", "pop", "push=open"}),
        QByteArray("recording: 1 \n"));
    const Spooled spooled(path("a.spool").toStdString());
    QCOMPARE(edges(spooled), std::string("+outer+inner!here--+open"));
    const auto& ranges = spooled.of<RangeRecord>();
    QVERIFY(ranges[0].id == ranges[4].id && ranges[1].id == ranges[3].id && ranges[0].id != ranges[1].id);
    QVERIFY(ranges[0].id > 0xFFFFFFFFU);  // CUPTI's are of 32 bits
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        QVERIFY(ranges[i].time >= ranges[i - 1].time);
    }
    QCOMPARE(ranges[0].thread, ranges[0].process);
    QCOMPARE(spooled.text(spooled.of<ProcessRecord>().at(0).name), std::string("c_program"));
    QCOMPARE(spooled.text(spooled.of<ThreadRecord>().back().name), std::string("loader"));
}

void tst_CApi::valuesAreCounters()
{
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    QCOMPARE(run({"push=around", "count=held", "pop"}), QByteArray());
    const Spooled spooled(path("a.spool").toStdString());
    QCOMPARE(edges(spooled), std::string("+around-"));
    const auto& values = spooled.of<CounterRecord>();
    QCOMPARE(values.size(), 3U);
    for (const auto& value : values) {
        QCOMPARE(spooled.text(value.name), std::string("held"));
        QCOMPARE(value.process, spooled.of<ProcessRecord>().at(0).process);
        QVERIFY(value.time >= spooled.of<RangeRecord>()[0].time && value.time <= spooled.of<RangeRecord>()[1].time);
    }
    QVERIFY(values[0].number() == 1 && values[0].device == no_id && values[0].unit == CounterRecord::none);
    QVERIFY(values[1].number() == 2.5 && values[1].device == 1 && values[1].unit == CounterRecord::bytes);
    QVERIFY(std::isnan(values[2].number()) && values[2].unit == CounterRecord::none);  // the trace leaves it out
}

void tst_CApi::withoutARecordingTheyDoNothing()
{
    QCOMPARE(run({"recording", "push=a", "pop", "mark=b", "flush", "name=c"}), QByteArray("recording: 0\n"));
}

void tst_CApi::aProcessBeginsAndEndsItself()
{
    const auto file = path("a.spool");
    QCOMPARE(run({"push=before", "start=" + file, "push=a", "pop", "stop", "push=after"}),
        QByteArray("start: 0\nstop: 0\n"));
    const Spooled spooled(file.toStdString());
    QCOMPARE(edges(spooled), std::string("+a-"));
    QCOMPARE(spooled.meta().at("cupti_version"), std::string("130001"));
    QCOMPARE(spooled.meta().at("source"), std::string("cupti"));
    QVERIFY(!spooled.meta().at(spool_end_key).empty());
    bool told = false;  // that the process had issued work before
    for (const auto& [key, value] : spooled.meta()) {
        told = told || (key.starts_with("window.") && value == "start stop");
    }
    QVERIFY(told);
    QCOMPARE(run({"start=" + file, "push=b"}), QByteArray("start: 0\n"));
    QVERIFY(Spooled(file.toStdString()).meta().at(spool_end_key).empty());  // the second part did not end
    // What existed before: the stream that the double knows.
    QCOMPARE(spooled.of<StreamRecord>().size(), 1U);
    QCOMPARE(spooled.of<StreamRecord>()[0].stream, 13U);
    QCOMPARE(spooled.end().note, std::string());
}

void tst_CApi::asOftenAsItLikes()
{
    QStringList script;
    for (const char* name : {"a", "b", "c"}) {
        script << "start=" + path(name) << QString("push=") + name << "pop"
               << "stop";
    }
    QCOMPARE(run(script), QByteArray("start: 0\nstop: 0\nstart: 0\nstop: 0\nstart: 0\nstop: 0\n"));
    for (const char* name : {"a", "b", "c"}) {
        QCOMPARE(edges(Spooled(path(name).toStdString())), std::string("+") + name + "-");
    }
}

/// Threads may be starting a range while its recording ends and others begin.
void tst_CApi::threadsNeedNotStopForIt()
{
    QStringList script;
    QByteArray said;
    // Memory that is used after it was freed has other contents, or faults.
    m_environment.insert("MALLOC_PERTURB_", "165");
    m_environment.insert("MALLOC_MMAP_THRESHOLD_", "65536");
    for (int i = 0; i < 8; ++i) {
        script << "pushing=busy";
    }
    for (int i = 0; i < 40; ++i) {
        script << "start=" + path("a.spool") << "stop";
        said += "start: 0\nstop: 0\n";
    }
    QCOMPARE(run(script), said);
}

void tst_CApi::saysWhyItCannotBegin_data()
{
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QStringList>("script");
    QTest::addColumn<QByteArray>("words");
    const auto start = "start=" + m_folder.filePath("x.spool");
    QTest::newRow("twice") << ""
                           << "" << QStringList {start, start} << QByteArray("called again");
    QTest::newRow("not begun") << ""
                               << "" << QStringList {"stop"} << QByteArray("stop: -1 lanescope_stop without");
    QTest::newRow("under lanes record") << "LANES_SPOOL" << m_folder.filePath("y.spool") << QStringList {start}
                                        << QByteArray("recorded already, by lanes record");
    QTest::newRow("another tool") << "LANES_DOUBLE_SUBSCRIBER"
                                  << "NVIDIA Nsight Systems" << QStringList {start}
                                  << QByteArray("another tool records this process already: NVIDIA Nsight Systems");
    QTest::newRow("CUPTI of 13.0") << "LANES_CUPTI" << build("/tests/doubles/130000/libcupti.so.13")
                                   << QStringList {start} << QByteArray("start: -1 ");
    QTest::newRow("no such folder") << ""
                                    << "" << QStringList {"start=/no/such/folder/x"}
                                    << QByteArray("cannot write /no/such/folder/x: No such file");
    QTest::newRow("the path is missing") << ""
                                         << "" << QStringList {"start="} << QByteArray("the path is missing");
}

void tst_CApi::saysWhyItCannotBegin()
{
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QFETCH(QStringList, script);
    QFETCH(QByteArray, words);
    if (!variable.isEmpty()) {
        m_environment.insert(variable, value);
    }
    const auto said = run(script);
    QVERIFY2(said.contains(words), said.constData());
}

void tst_CApi::aForkedChildWritesItsOwn()
{
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    run({"push=parent", "fork", "push=child", "pop", "flush", "_exit"});
    const Spooled spooled(path("a.spool").toStdString());
    const auto& ranges = spooled.of<RangeRecord>();
    QCOMPARE(ranges.size(), 3U);  // the parent's once, not by the child
    const auto& parent = ranges.back();
    QCOMPARE(ranges[0].edge, RangeRecord::begin);
    QCOMPARE(ranges[1].edge, RangeRecord::finish);
    QVERIFY(parent.process != ranges[0].process);
    QCOMPARE(spooled.of<ProcessRecord>().size(), 2U);
}

void tst_CApi::whatIsFlushedOutlivesTheProcess()
{
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    QCOMPARE(run({"push=a", "pop", "flush", "push=lost", "_exit"}), QByteArray());
    QCOMPARE(edges(Spooled(path("a.spool").toStdString())), std::string("+a-"));
}

void tst_CApi::operatorsOfPyTorchComeThroughNvtx()
{
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    m_environment.insert("NVTX_INJECTION64_PATH", build("/bin/liblanes-nvtx.so"));
    // "step" is CUPTI's, which keeps nothing here; the ranges within it and around it are ours.
    QCOMPARE(run({"npush=aten::linear, seq = 3, op_id = 7", "npush=step", "npush=aten::t, op_id = 8", "npop", "npop",
                 "npop", "npop", "npush=aten::relu, op_id = 9", "npop"}),
        QByteArray());
    const Spooled spooled(path("a.spool").toStdString());
    QCOMPARE(edges(spooled), std::string("+aten::linear+aten::t--+aten::relu-"));
    for (const auto& range : spooled.of<RangeRecord>()) {
        QCOMPARE(spooled.text(range.domain), std::string(range.edge == RangeRecord::begin ? operator_domain : ""));
    }
    const auto& numbered = spooled.of<AutogradRecord>();
    QCOMPARE(numbered.size(), std::size_t {1});
    QCOMPARE(numbered[0].range, spooled.of<RangeRecord>()[0].id);
    QCOMPARE(numbered[0].number, 3U);
    QCOMPARE(numbered[0].forward_thread, 0U);
}

void tst_CApi::backwardLiesUnderItsModule_data()
{
    QTest::addColumn<QStringList>("script");
    QTest::addColumn<QByteArray>("edges");
    // PyTorch's engine opens a range without a number around each node; the node's own range in it has the forward's.
    const auto node = [](const QString& name, int sequence) {
        return QStringList {"npush=autograd::engine::evaluate_function: " + name + ", op_id = 90",
            QStringLiteral("npush=%1, seq = %2, op_id = 91").arg(name).arg(sequence)};
    };
    const QStringList end {"npop", "npop"};
    const QByteArray around = "+autograd::engine::evaluate_function: ReluBackward0";
    QTest::newRow("the innermost") << QStringList {"push=Net", "push=fc: Linear",
                                          "npush=aten::linear, seq = 3, op_id = 1",
                                          "npush=aten::addmm, seq = 3, op_id = 2", "npop", "npop", "pop", "pop"}
            + node("AddmmBackward0", 3) + QStringList {"npush=aten::mm, op_id = 5", "npop"} + end
                                   << QByteArray("+Net+fc: Linear+aten::linear+aten::addmm----"
                                                 "+autograd::engine::evaluate_function: AddmmBackward0"
                                                 "+backward of fc: Linear+AddmmBackward0+aten::mm----");
    // An operator that made no node had the number before the one that did.
    QTest::newRow("the last") << QStringList {"push=a", "npush=aten::size, seq = 0, op_id = 1", "npop", "pop", "push=b",
                                     "npush=aten::relu, seq = 0, op_id = 2", "npop", "pop"}
            + node("ReluBackward0", 0)
            + end << "+a+aten::size--+b+aten::relu--" + around + "+backward of b+ReluBackward0---";
    QTest::newRow("no module") << QStringList {"npush=aten::relu, seq = 0, op_id = 2", "npop"}
            + node("ReluBackward0", 0)
            + end << "+aten::relu-" + around + "+ReluBackward0--";
    QTest::newRow("another number") << QStringList {"push=a", "npush=aten::relu, seq = 5, op_id = 2", "npop", "pop"}
            + node("ReluBackward0", 16389)
            + end << "+a+aten::relu--" + around + "+ReluBackward0--";
    // Like the thread that pins batches: it makes no nodes, and its number stays the first one.
    QTest::newRow("another thread's number") << QStringList {"push=a", "npush=aten::relu, seq = 5, op_id = 2", "npop",
                                                    "pop", "thread=aten::relu, seq = 0, op_id = 3"}
            + node("ReluBackward0", 5)
            + end << "+a+aten::relu--" + around + "+backward of a+ReluBackward0---+aten::relu-";
    // Two threads that call forward have the same numbers.
    QTest::newRow("two threads") << QStringList {"push=a", "npush=aten::relu, seq = 5, op_id = 2", "npop", "pop",
                                        "thread=aten::relu, seq = 5, op_id = 3"}
            + node("ReluBackward0", 5)
            + end << "+a+aten::relu--" + around + "+ReluBackward0--" + "+aten::relu-";
}

void tst_CApi::backwardLiesUnderItsModule()
{
    QFETCH(QStringList, script);
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    m_environment.insert("NVTX_INJECTION64_PATH", build("/bin/liblanes-nvtx.so"));
    QCOMPARE(run(script), QByteArray());
    QTEST(QByteArray::fromStdString(edges(Spooled(path("a.spool").toStdString()))), "edges");
}

void tst_CApi::shapesOfInputs()
{
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    m_environment.insert("NVTX_INJECTION64_PATH", build("/bin/liblanes-nvtx.so"));
    const QString many = "[" + QStringList(200, "[2, 4]").join(", ") + "]";
    QCOMPARE(run({"npush=aten::addmm, seq = 3, op_id = 9, sizes = [[4], [2, 4], []], input_op_ids = [(0,-1), (5,0)]",
                 "npop", "npush=aten::cat, op_id = 8, sizes = " + many, "npop", "npush=aten::t, op_id = 8", "npop"}),
        QByteArray());
    const auto found = rangesWithValues(Spooled(path("a.spool").toStdString()));
    const QString domain = QString::fromLatin1(operator_domain);
    QCOMPARE(found,
        QStringList({domain + " aten::addmm inputs=[4], [2, 4], []",
            domain + " aten::cat inputs=" + many.mid(1).left(operator_value::longest_inputs) + QString(QChar(0x2026)),
            domain + " aten::t"}));
}

void tst_CApi::collectivesHaveValues()
{
    m_environment.insert("NVTX_INJECTION64_PATH", build("/bin/liblanes-nvtx.so"));
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    const QStringList script {"ninit=1f", "nccl=1f", "nccl=ffffffffffffffff", "nccl=1f"};
    QCOMPARE(run(script), QByteArray());
    const Spooled spooled(path("a.spool").toStdString());
    const auto found = rangesWithValues(spooled);
    QCOMPARE(found,
        QStringList({"NCCL ncclCommInitRankConfig communicator=1f ranks=2 rank=1 device=0",
            "NCCL ncclAllReduce communicator=1f call=1 bytes=4096 op=Sum",
            "NCCL ncclAllReduce communicator=ffffffffffffffff call=1 bytes=4096 op=Sum",
            "NCCL ncclAllReduce communicator=1f call=2 bytes=4096 op=Sum"}));
    std::vector<std::uint64_t> open;
    for (const auto& range : spooled.of<RangeRecord>()) {
        if (range.edge == RangeRecord::begin) {
            open.push_back(range.id);
        } else {
            QCOMPARE(std::erase(open, range.id), 1U);
        }
    }
    QVERIFY(open.empty());
}

void tst_CApi::payloadsThatMislead()
{
    m_environment.insert("NVTX_INJECTION64_PATH", build("/bin/liblanes-nvtx.so"));
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    QCOMPARE(run({"mislead", "nccl=1f"}), QByteArray());
    // Of six payloads the last one is readable; its second entry lies outside, and its names end where the page does.
    QCOMPARE(rangesWithValues(Spooled(path("a.spool").toStdString())),
        QStringList({"NCCL misled", "NCCL misled", "NCCL misled =" + QString::number(0x7878787878787878),
            "NCCL ncclAllReduce communicator=1f call=1 bytes=4096 op=Sum"}));
}

void tst_CApi::communicatorsAreKeptInAnyCase()
{
    m_environment.insert("NVTX_INJECTION64_PATH", build("/bin/liblanes-nvtx.so"));
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    QCOMPARE(run({"ninit=1f", "nccl=1f"}), QByteArray());
    const Spooled spooled(path("a.spool").toStdString());
    const auto process = std::to_string(spooled.of<ProcessRecord>().at(0).process);
    QCOMPARE(spooled.meta().at("communicator." + process + ".31"), std::string("2 1 0"));
    QCOMPARE(spooled.meta().at("host"), QSysInfo::machineHostName().toStdString());
    QCOMPARE(spooled.meta().at("boot_id"), QSysInfo::bootUniqueId().toStdString());
    QVERIFY(!spooled.of<ClockRecord>().empty());
}

void tst_CApi::rangesEndHoweverTheyBegan_data()
{
    QTest::addColumn<QStringList>("script");
    QTest::addColumn<QByteArray>("edges");
    // Like NCCL's around ncclCommInitRankConfig, whose values are known at its end.
    QTest::newRow("with values") << QStringList {"dpush=init", "vpop", "dpush=reduce", "dpop"}
                                 << QByteArray("+CUPTI-+CUPTI-");
    QTest::newRow("begun with values") << QStringList {"dpush=a", "vpush", "vpop", "dpop"}
                                       << QByteArray("+CUPTI+CUPTI--");
    QTest::newRow("within an operator") << QStringList {"npush=aten::mm, op_id = 1", "xpush=a", "npop", "npush=b",
        "npop", "npop"} << QByteArray("+probe+CUPTI-+CUPTI--");
}

void tst_CApi::rangesEndHoweverTheyBegan()
{
    QFETCH(QStringList, script);
    m_environment.insert("NVTX_INJECTION64_PATH", build("/bin/liblanes-nvtx.so"));
    m_environment.insert("LANES_SPOOL", path("a.spool"));
    QCOMPARE(run(QStringList {"cuda"} + script), QByteArray());
    const Spooled spooled(path("a.spool").toStdString());
    auto ranges = spooled.of<RangeRecord>();
    std::ranges::stable_sort(ranges, {}, &RangeRecord::time);
    std::string found;
    std::vector<std::uint64_t> open;
    for (const auto& range : ranges) {
        found += range.edge != RangeRecord::begin ? "-" : range.id > 0xFFFFFFFFU ? "+probe" : "+CUPTI";
        if (range.edge == RangeRecord::begin) {
            open.push_back(range.id);
            continue;
        }
        QVERIFY(!open.empty());
        QCOMPARE(range.id, open.back());  // the innermost, whichever recorder has it
        open.pop_back();
    }
    QTEST(QByteArray::fromStdString(found), "edges");
}

void tst_CApi::withoutARecordingNvtxHasNoTool()
{
    m_environment.insert("NVTX_INJECTION64_PATH", build("/bin/liblanes-nvtx.so"));
    QCOMPARE(run({"npush=aten::linear, op_id = 7", "npop", "npop"}), QByteArray());
}

QTEST_GUILESS_MAIN(tst_CApi)
#include "tst_c_api.moc"
