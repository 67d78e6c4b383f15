// SPDX-License-Identifier: MIT
// What is known of collectives and of operators' inputs: read from traces of PyTorch's profiler, and through every file
// that we write.
#include "engine/store/recording_file.h"
#include "engine/trace/collective_call.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/range_value.h"
#include "tests/engine/trace/trace_difference.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

class tst_RangeValues : public QObject {
    Q_OBJECT

private slots:
    void ofPyTorch_data();
    void ofPyTorch();
    void callsAreCountedByTime();
    void realTrace();
    void throughFiles();
    void whereTheyAreShown();

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    Trace opened(const QByteArray& events);
    QByteArray saved(const Trace& trace, const char* name);
    QTemporaryDir m_folder;
};

Trace tst_RangeValues::opened(const QByteArray& events)
{
    QFile file(QString::fromStdString(path("in.json")));
    if (!file.open(QIODevice::WriteOnly) || file.write("[" + events + "{}]") < 0) {
        qWarning("cannot write");
    }
    file.close();
    return open_recording(path("in.json"));
}

QByteArray tst_RangeValues::saved(const Trace& trace, const char* name)
{
    save_recording(trace, path(name));
    QFile file(QString::fromStdString(path(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void tst_RangeValues::ofPyTorch_data()
{
    QTest::addColumn<QByteArray>("args");
    QTest::addColumn<QByteArray>("values");
    const auto row = [](const char* name, const char* args, const char* values) {
        QTest::newRow(name) << QByteArray(args) << QByteArray(values);
    };
    row("inputs", R"("Input Dims": [[64, 32], [], [[1],[2]]], "Input type": ["float", "Scalar", "TensorList"])",
        "inputs=float[64, 32], Scalar, TensorList[[1], [2]]");
    row("spaces differ", R"("Input Dims": [ [64,32],[ ] ])", "inputs=[64, 32], []");
    row("none", R"("Input Dims": [], "Input type": [])", "");
    row("not a list", R"("Input Dims": {"a": 1}, "Input type": null)", "");
    row("what means something only of a collective",
        R"("Rank": 3, "dtype": "Float", "Group size": 2, "Process Group Name": "0")", "");
    row("an all-reduce",
        R"("Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": 100, "Out msg nelems": 100,
           "Group size": 8, "Rank": 3, "Seq": 17, "Process Group Name": "dp", "Process Group Ranks": "[0, 1, ..., 7]")",
        "communicator=dp call=1 collective=allreduce bytes=200 dtype=BFloat16 ranks=8 rank=3 sequence=17 "
        "members=[0, 1, ..., 7]");
    row("an all-gather", R"("Collective name": "_allgather_base", "dtype": "Float", "In msg nelems": 10,
           "Out msg nelems": 80, "Process Group Name": "0")",
        "communicator=0 call=1 collective=_allgather_base bytes=40 dtype=Float");
    row("a reduce-scatter", R"("Collective name": "_reduce_scatter_base", "dtype": "Double", "In msg nelems": 80,
           "Out msg nelems": 10, "Process Group Name": "0")",
        "communicator=0 call=1 collective=_reduce_scatter_base bytes=80 dtype=Double");
    row("a send", R"("Collective name": "send", "dtype": "Long", "In msg nelems": 2, "Out msg nelems": 2,
           "Src Rank": 0, "Dst Rank": 1, "Process Group Name": "0")",
        "communicator=0 call=1 collective=send bytes=16 dtype=Long peer=1");
    row("a type that is not known", R"("Collective name": "allreduce", "dtype": "Quaternion", "In msg nelems": 2,
           "Process Group Name": "0")",
        "communicator=0 call=1 collective=allreduce dtype=Quaternion");
    row("more bytes than there are", R"("Collective name": "allreduce", "dtype": "Double",
           "In msg nelems": 18446744073709551615, "Process Group Name": "0")",
        "communicator=0 call=1 collective=allreduce dtype=Double");
    row("texts for numbers", R"("Collective name": "allreduce", "Group size": "many", "Rank": [1],
           "In msg nelems": "2", "dtype": "Int", "Process Group Name": "0")",
        "communicator=0 call=1 collective=allreduce bytes=8 dtype=Int");
    row("a wait", R"("Collective name": "wait", "dtype": "Byte", "In msg nelems": 0, "Group size": 1)",
        "collective=wait");
}

void tst_RangeValues::ofPyTorch()
{
    QFETCH(QByteArray, args);
    const auto trace = opened(
        R"({"ph":"X","cat":"cpu_op","name":"an operator","pid":7,"tid":7,"ts":1,"dur":5,"args":{"External id": 4, )"
        + args + "}},");
    QCOMPARE(trace.ranges.size(), std::size_t {1});
    QTEST(QByteArray::fromStdString(values_text(trace, 0)), "values");
}

void tst_RangeValues::callsAreCountedByTime()
{
    const auto event = [](int time, const char* group, const char* name, int process) {
        return QByteArray(R"({"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":)")
            + QByteArray::number(process) + R"(,"tid":1,"ts":)" + QByteArray::number(time)
            + R"(,"dur":1,"args":{"Collective name":")" + name + R"(","Process Group Name":")" + group + R"("}},)";
    };
    const auto trace = opened(event(30, "0", "allreduce", 7) + event(10, "0", "allreduce", 7)
        + event(20, "1", "allreduce", 7) + event(40, "0", "broadcast", 7) + event(15, "0", "allreduce", 8));
    QStringList calls;
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        const auto call = *collective_call(trace, row);
        calls << QString("%1 %2 %3")
                     .arg(trace.ranges[row].start)
                     .arg(QString::fromStdString(call.communicator))
                     .arg(*call.call);
    }
    QCOMPARE(calls, QStringList({"0 0 1", "5000 0 1", "10000 1 1", "20000 0 2", "30000 0 1"}));
}

void tst_RangeValues::realTrace()
{
    const auto file = qgetenv("LANES_SOURCE") + "/../shared/data/kineto/hta_nccl_a100.json.gz";
    if (!QFile::exists(file)) {
        QSKIP("the trace is not here");
    }
    const auto trace = open_recording(file.toStdString());
    const Owners owners(trace);
    int all = 0;
    std::uint64_t bytes = 0;
    std::map<std::string, std::uint64_t> last;  // by function
    for (const auto row : trace.operations_by_time()) {
        const auto detail = trace.operations.detail[row];
        if (trace.operations.kind[row] != OperationKind::kernel
            || !trace.text(trace.kernels[detail].full_name).starts_with("nccl")) {
            continue;
        }
        ++all;
        const auto ranges = collective_ranges(trace, owners, row);
        QCOMPARE(ranges.size(), std::size_t {1});
        const auto call = *collective_call(trace, ranges[0]);
        QCOMPARE(call.communicator, std::string("0"));
        QCOMPARE(*call.call, ++last[std::string(call.function)]);
        QCOMPARE(call.members, std::string_view("[0, 1]"));
        bytes += *call.bytes;
    }
    QCOMPARE(all, 21);  // the args of the kernels themselves say: 21, and the bytes of In msg nelems
    QCOMPARE(last["broadcast"], 6U);
    QCOMPARE(last["allreduce"], 15U);
    QCOMPARE(bytes, 307'323'096U);
}

void tst_RangeValues::throughFiles()
{
    const auto trace = opened(
        R"({"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":7,"tid":7,"ts":1,"dur":5,"args":{"Collective name":
           "allreduce","Process Group Name":"d\"p","dtype":"Float","In msg nelems":3}},
           {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":7,"ts":9,"dur":5,"args":{"Input Dims":[[1]],
           "Input type":["float"]}},)");
    QCOMPARE(trace.range_values.size(), std::size_t {6});
    for (const char* name : {"out.json", "out.sqlite", "out.json.gz"}) {
        save_recording(trace, path(name));
        const auto again = open_recording(path(name));
        QCOMPARE(QString::fromStdString(difference_of(tables::RangeValues {}, trace, again)), QString());
    }
    TraceFixture f;
    f.kernel(7, 10, 20);
    f.builder.write_meta("communicator.1.1234", "8 3 0");
    f.builder.write_meta("host", "node7");
    f.builder.write_meta("boot_id", "8b0a");
    f.builder.write(ClockRecord {-5, 1'000'000});
    f.builder.write(ClockRecord {30, 1'000'036});
    const auto recorded = f.finish();
    QCOMPARE(recorded.clocks.size(), std::size_t {2});
    save_recording(recorded, path("recorded.sqlite"));
    const auto again = open_recording(path("recorded.sqlite"));
    QCOMPARE(QString::fromStdString(difference(recorded, again)), QString());
    QCOMPARE(communicators(again), std::vector<Communicator>({{1, "0x00000000000004d2", 8, 3, 0}}));
    QCOMPARE(again.meta.at(meta::host), std::string("node7"));
    QCOMPARE(again.meta.at(meta::boot_id), std::string("8b0a"));
}

void tst_RangeValues::whereTheyAreShown()
{
    const auto trace = opened(
        R"({"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":7,"tid":7,"ts":1,"dur":5,"args":{"Collective name":
           "allreduce","Process Group Name":"0","dtype":"Float","In msg nelems":3}},
           {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":2,"dur":1,"args":{"correlation":5}},
           {"ph":"X","cat":"kernel","name":"ncclKernel","pid":0,"tid":7,"ts":9,"dur":5,"args":{"correlation":5,
           "device":0,"stream":7}},)");
    const auto csv = saved(trace, "shown.csv");
    QVERIFY2(csv.contains("communicator=0 call=1 collective=allreduce bytes=12 dtype=Float\r"), csv.constData());
    const auto json = saved(trace, "shown.json");
    QVERIFY2(json.contains("\"collective\": \"record_param_comms communicator=0 call=1 collective=allreduce bytes=12"),
        json.constData());
}

QTEST_APPLESS_MAIN(tst_RangeValues)
#include "tst_range_values.moc"
