// SPDX-License-Identifier: MIT
#include "engine/run/stream_names.h"
#include "engine/trace/trace_builder.h"

#include <QTest>

using namespace lanes;

class tst_StreamNames : public QObject {
    Q_OBJECT

private slots:
    void joinsThroughStepCallAndOperation();
    void allReduceNamesAStreamOnEachGpu_data();
    void allReduceNamesAStreamOnEachGpu();
};

void tst_StreamNames::joinsThroughStepCallAndOperation()
{
    Program program;
    program.buffers = {{"x", 0, MemoryKind::device, 8}, {"y", 0, MemoryKind::device, 8}};
    program.streams.push_back({"compute"});
    program.streams.push_back({"copy"});
    program.steps.push_back({"kernel", "kernel", 1, 1});
    program.steps.push_back({"copy", "copy", 2, 1});
    KernelAction kernel {};
    kernel.stream = 0;
    program.threads.push_back({"main", {{kernel, 0}, {CopyAction {0, 1, 1, 0, 8}, 1}}});
    program.threads.push_back({"other", {{SyncDeviceAction {0}, 0}}});

    TraceBuilder builder;
    builder.write(ThreadRecord {1, 10, builder.intern("main"), 0});
    builder.write(ThreadRecord {1, 11, builder.intern("other"), 1});
    builder.write(StepRecord {100, 1, 10, 0, 0});
    builder.write(StepRecord {200, 1, 10, 1, 1});
    builder.write(StepRecord {100, 1, 11, 0, 0});
    const auto call = [&](Ns start, std::uint32_t thread, std::uint32_t correlation) {
        builder.write(ApiCallRecord {
            start, start + 10, 1, thread, correlation, builder.intern("cudaCall"), ApiCallRecord::runtime, 0});
    };
    const auto operation = [&](std::uint32_t stream, std::uint32_t correlation) {
        KernelRecord record {};
        record.start = 300;
        record.end = 310;
        record.process = 1;
        record.device = 0;
        record.context = 1;
        record.stream = stream;
        record.correlation = correlation;
        builder.write(record);
    };
    call(110, 10, 1);
    operation(13, 1);
    call(210, 10, 2);
    operation(14, 2);
    call(120, 11, 3);  // for an instruction that names no stream
    operation(15, 3);
    call(50, 10, 4);  // before the first step
    operation(16, 4);

    Trace trace = builder.finish(Source::cupti);
    name_streams(trace, program);
    std::map<std::uint32_t, std::string_view> names;
    for (const auto& stream : trace.streams) {
        names[stream.id] = trace.text(stream.name);
    }
    QCOMPARE(names[13], std::string_view("compute"));
    QCOMPARE(names[14], std::string_view("copy"));
    QCOMPARE(names[15], std::string_view(""));
    QCOMPARE(names[16], std::string_view(""));
}

void tst_StreamNames::allReduceNamesAStreamOnEachGpu_data()
{
    QTest::addColumn<bool>("from_the_second");
    QTest::newRow("devices as the workload counts its GPUs") << false;
    QTest::newRow("device 1 is the workload's GPU 0") << true;
}

void tst_StreamNames::allReduceNamesAStreamOnEachGpu()
{
    QFETCH(bool, from_the_second);
    Program program;
    program.streams = {{"compute", 0}, {"comm0", 0}, {"comm1", 1}};
    program.steps.push_back({"kernel", "kernel", 1, 1});
    program.steps.push_back({"all_reduce", "all_reduce", 2, 1});
    KernelAction kernel {};
    program.threads.push_back({"main", {{kernel, 0}, {CollectiveAction {{0, 1}, {1, 2}}, 1}}});
    TraceBuilder builder;
    builder.write(ThreadRecord {1, 10, builder.intern("main"), 0});
    builder.write(StepRecord {100, 1, 10, 0, 0});
    builder.write(StepRecord {200, 1, 10, 1, 1});
    const auto launch = [&](Ns start, std::uint32_t gpu, std::uint32_t stream) {
        builder.write(ApiCallRecord {
            start, start + 10, 1, 10, stream, builder.intern("cudaLaunchKernelExC"), ApiCallRecord::runtime, 0});
        KernelRecord record {};
        record.start = start + 20;
        record.end = start + 30;
        record.process = 1;
        record.device = from_the_second ? 1 - gpu : gpu;
        record.context = record.device + 1;
        record.stream = stream;
        record.correlation = stream;
        builder.write(record);
    };
    launch(110, 0, 21);
    launch(210, 0, 15);  // sorted before the stream that tells which device is GPU 0
    launch(220, 1, 16);
    Trace trace = builder.finish(Source::cupti);
    name_streams(trace, program);
    std::map<std::uint32_t, std::string_view> names;
    for (const auto& stream : trace.streams) {
        names[stream.id] = trace.text(stream.name);
    }
    QCOMPARE(names[21], std::string_view("compute"));
    QCOMPARE(names[15], std::string_view("comm0"));
    QCOMPARE(names[16], std::string_view("comm1"));
}

QTEST_GUILESS_MAIN(tst_StreamNames)
#include "tst_stream_names.moc"
