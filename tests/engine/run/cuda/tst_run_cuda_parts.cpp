// SPDX-License-Identifier: MIT
// Small workloads on real GPUs, one for each part of the language that the catalogue
// uses in one way only: several GPUs, peers, all-reduce, graphs, allocation.
#include "engine/store/recording_file.h"
#include "engine/workload/workload.h"
#include "tests/engine/run/cuda/lanes_program.h"

#include <algorithm>
#include <map>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

constexpr Ns milliseconds = 1'000'000;

QString workload_file(const QString& name)
{
    return qEnvironmentVariable("LANES_SOURCE") + "/tests/engine/run/cuda/workloads/" + name + ".yaml";
}

/// One recorded run, and its workload.
struct Recorded {
    Program program;
    Trace trace;
    QJsonObject counts;

    std::size_t kernels_named(std::string_view name) const
    {
        const auto& names = trace.operations.name;
        return static_cast<std::size_t>(
            std::count_if(names.begin(), names.end(), [&](StringId id) { return trace.text(id) == name; }));
    }
    std::vector<Row> calls(std::string_view name) const
    {
        std::vector<Row> rows;
        for (Row row = 0; row < trace.calls.size(); ++row) {
            if (trace.text(trace.calls.name[row]) == name && trace.calls.outer[row] == no_row) {
                rows.push_back(row);
            }
        }
        return rows;
    }
};

std::size_t number(const QJsonValue& value)
{
    return static_cast<std::size_t>(value.toInteger());
}

}  // namespace

class tst_RunCudaParts : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void graphs();
    void pool();
    void peers();
    void withoutPeers();
    void twoThreadsOnTwoGpus();
    void allReduce_data();
    void allReduce();
    void faultBesideAllReduceEnds_data();
    void faultBesideAllReduceEnds();

private:
    void record(const QString& workload, const QString& variant, Recorded& recorded);
    void sitsOnTheStreamsOfItsGpu(const Recorded& recorded);

    Machine m_machine;
    QTemporaryDir m_folder;
};

void tst_RunCudaParts::initTestCase()
{
    m_machine = this_machine();
    if (!m_machine.can_record) {
        QSKIP("no GPU that can be recorded here");
    }
}

/// Runs and records, and checks what holds for every run: reads, counts of operations, a call for each.
void tst_RunCudaParts::record(const QString& workload, const QString& variant, Recorded& recorded)
{
    const auto file = m_folder.filePath("run.sqlite");
    QStringList words {"run", workload_file(workload), "--device", "cuda", "-o", file};
    if (!variant.isEmpty()) {
        words << "--variant" << variant;
    }
    const auto ended = run_lanes(words);
    QVERIFY2(ended.status == 0, ended.err);
    recorded.program = compile(load_workload(workload_file(workload).toStdString()), variant.toStdString());
    recorded.trace = open_recording(file.toStdString());
    recorded.counts = report_of(file)["counts"].toObject();
    QCOMPARE(number(recorded.counts["dropped"]), 0U);
    QVERIFY(!recorded.trace.reads.empty());
    for (const auto& read : recorded.trace.reads) {
        QVERIFY2(read.wrong_bytes == 0, qPrintable(QString::number(read.wrong_bytes)));
    }
    for (const Row call : recorded.trace.operations.call) {
        QVERIFY(call != no_row);
    }
    if (const auto counts = count(recorded.program)) {
        QCOMPARE(number(recorded.counts["kernels"]), counts->kernels);
        QCOMPARE(number(recorded.counts["memsets"]), counts->memsets);
        QCOMPARE(number(recorded.counts["syncs"]), counts->syncs);
    }
}

void tst_RunCudaParts::sitsOnTheStreamsOfItsGpu(const Recorded& recorded)
{
    std::map<std::string_view, std::uint32_t> gpus;
    for (const auto& stream : recorded.program.streams) {
        gpus[stream.name] = stream.gpu;
    }
    for (const auto& stream : recorded.trace.streams) {
        if (stream.name != 0) {
            auto name = recorded.trace.text(stream.name);
            name = name.substr(0, name.find(" of "));  // of a thread
            QVERIFY2(gpus.contains(name) && gpus.at(name) == stream.device, std::string(name).c_str());
        }
    }
    for (const Row stream : recorded.trace.operations.stream) {
        QVERIFY(recorded.trace.streams[stream].name != 0);
    }
}

void tst_RunCudaParts::graphs()
{
    Recorded it;
    record("graphs", "", it);
    QCOMPARE(it.trace.reads.size(), 2U);  // the second only if 20 launches added 20
    QCOMPARE(number(it.counts["kernels"]), 1U + 25 * 4);
    QCOMPARE(number(it.counts["memsets"]), 25U);
    QCOMPARE(number(it.counts["copies"]), 25U + 1);
    for (const char* name : {"attention", "left", "right", "join"}) {
        QCOMPARE(it.kernels_named(name), 25U);
    }
    QCOMPARE(it.calls("cudaGraphLaunch").size(), 25U);
    QCOMPARE(it.calls("cudaStreamBeginCapture").size(), 2U);
    QCOMPARE(it.calls("cudaStreamEndCapture").size(), 2U);
    QCOMPARE(it.calls("cudaGraphInstantiate").size(), 2U);
    std::map<Row, std::size_t> kernels_of_call;
    for (Row row = 0; row < it.trace.operations.size(); ++row) {
        const Row call = it.trace.operations.call[row];
        if (it.trace.operations.kind[row] == OperationKind::kernel
            && it.trace.text(it.trace.calls.name[call]) == "cudaGraphLaunch") {
            ++kernels_of_call[call];
            QVERIFY(it.trace.kernels[it.trace.operations.detail[row]].graph_node != 0);
        }
    }
    QCOMPARE(kernels_of_call.size(), 25U);
    for (const auto& [call, kernels] : kernels_of_call) {
        QCOMPARE(kernels, 4U);
    }
}

void tst_RunCudaParts::pool()
{
    Recorded it;
    record("pool", "", it);
    QCOMPARE(it.calls("cudaMallocAsync").size(), 20U);
    QCOMPARE(it.calls("cudaFreeAsync").size(), 20U);
    QCOMPARE(it.calls("cudaMalloc").size(), 4U);
    QCOMPARE(it.calls("cudaFree").size(), 4U);
    for (const Row call : it.calls("cudaMallocAsync")) {  // the pool was filled before: the driver allocates nothing
        const Ns time = it.trace.calls.end[call] - it.trace.calls.start[call];
        QVERIFY2(time < milliseconds / 2, qPrintable(QString::number(time)));
    }
    std::map<std::pair<MemoryRecord::Operation, bool>, std::size_t> events;
    for (const auto& event : it.trace.memory) {
        if (event.memory == MemoryKind::device) {
            ++events[{event.operation, event.async}];
            QVERIFY(event.operation != MemoryRecord::allocate || event.bytes == 64U << 20U);
            QVERIFY(event.call != no_row);
        }
    }
    QCOMPARE((events[{MemoryRecord::allocate, true}]), 20U);
    QCOMPARE((events[{MemoryRecord::release, true}]), 20U);
    QCOMPARE((events[{MemoryRecord::allocate, false}]), 4U);
    QCOMPARE((events[{MemoryRecord::release, false}]), 4U);
}

void tst_RunCudaParts::peers()
{
    if (m_machine.gpus < 2) {
        QSKIP("needs two GPUs");
    }
    Recorded it;
    record("peers", "", it);
    sitsOnTheStreamsOfItsGpu(it);
    std::size_t between = 0;
    for (const auto& copy : it.trace.copies) {
        if (copy.copy == CopyKind::p2p) {
            ++between;
            QVERIFY(copy.source_device != copy.target_device && copy.source_device < 2 && copy.target_device < 2);
        }
    }
    QCOMPARE(between, 2U);
    QCOMPARE(it.calls("cudaMemcpyPeerAsync").size(), 2U);
    QCOMPARE(number(it.counts["waits"]), count(it.program)->waits);
    for (const Row call : it.calls("cudaMemcpyPeerAsync")) {
        QVERIFY(it.trace.calls.end[call] - it.trace.calls.start[call] < milliseconds / 2);
    }
}

void tst_RunCudaParts::withoutPeers()
{
    if (m_machine.gpus < 2) {
        QSKIP("needs two GPUs");
    }
    Recorded it;
    record("without-peers", "", it);
    for (const auto& copy : it.trace.copies) {
        qInfo("copy kind %u, %llu bytes, device %u to %u", static_cast<unsigned>(copy.copy),
            static_cast<unsigned long long>(copy.bytes), copy.source_device, copy.target_device);
    }
}

void tst_RunCudaParts::twoThreadsOnTwoGpus()
{
    if (m_machine.gpus < 2) {
        QSKIP("needs two GPUs");
    }
    Recorded it;
    record("two-threads", "", it);
    sitsOnTheStreamsOfItsGpu(it);
    QCOMPARE(it.kernels_named("default of 1"), 50U);
}

void tst_RunCudaParts::allReduce_data()
{
    QTest::addColumn<QString>("variant");
    QTest::newRow("large") << "large";
    QTest::newRow("small") << "small";
}

void tst_RunCudaParts::allReduce()
{
    QFETCH(QString, variant);
    if (m_machine.gpus < 2) {
        QSKIP("needs two GPUs");
    }
    if (m_machine.nccl.isEmpty()) {
        QSKIP("needs NCCL");
    }
    Recorded it;
    record("nccl", variant, it);
    sitsOnTheStreamsOfItsGpu(it);
    QCOMPARE(it.kernels_named("nccl all_reduce"), 8U);
    std::map<std::string_view, int> on;
    for (Row row = 0; row < it.trace.operations.size(); ++row) {
        if (it.trace.text(it.trace.operations.name[row]) == "nccl all_reduce") {
            ++on[it.trace.text(it.trace.streams[it.trace.operations.stream[row]].name)];
        }
    }
    QCOMPARE(on, (std::map<std::string_view, int> {{"c0", 2}, {"c1", 2}, {"n0", 2}, {"n1", 2}}));
    // NCCL's set-up is before the timed part.
    for (std::size_t i = 0; i + 1 < it.trace.steps.size(); ++i) {
        if (it.program.steps[it.trace.steps[i].step].kind == "all_reduce") {
            const Ns time = it.trace.steps[i + 1].start - it.trace.steps[i].start;
            QVERIFY2(time < 2 * milliseconds, qPrintable(QString::number(time)));
        }
    }
}

void tst_RunCudaParts::faultBesideAllReduceEnds_data()
{
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QByteArray>("place");
    QTest::newRow("a step waits") << "step" << QByteArray("nccl-fault.yaml:");
    QTest::newRow("the runner waits") << "runner" << QByteArray();
    QTest::newRow("another thread waits") << "thread" << QByteArray("nccl-fault.yaml:");
}

/// GPU 1 waits for ever for a GPU 0 that is gone: the run says what happened and where, and ends.
void tst_RunCudaParts::faultBesideAllReduceEnds()
{
    QFETCH(QString, variant);
    QFETCH(QByteArray, place);
    if (m_machine.gpus < 2) {
        QSKIP("needs two GPUs");
    }
    if (m_machine.nccl.isEmpty()) {
        QSKIP("needs NCCL");
    }
    const auto file = m_folder.filePath("fault.sqlite");
    const auto ended
        = run_lanes({"run", workload_file("nccl-fault"), "--variant", variant, "--device", "cuda", "-o", file}, 60'000);
    QVERIFY2(ended.status == 1, ended.err);
    QVERIFY2(ended.err.contains("cudaError"), ended.err);
    QVERIFY2(ended.err.contains(place), ended.err);
    const auto trace = open_recording(file.toStdString());
    QCOMPARE(trace.errors.size(), 1U);
    QVERIFY(trace.meta.contains("error"));
    QVERIFY(trace.calls.size() > 0);
}

QTEST_GUILESS_MAIN(tst_RunCudaParts)
#include "tst_run_cuda_parts.moc"
