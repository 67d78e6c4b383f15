// SPDX-License-Identifier: MIT
// Every kind of activity, with a value of its own in each field, against the expected record.
#include "probes/cupti/converter.h"
#include "probes/cupti/process_facts.h"
#include "tests/doubles/cupti_double.h"
#include "tests/probes/cupti/spooled.h"

#include <QTemporaryDir>
#include <QTest>
#include <sys/syscall.h>
#include <unistd.h>

using namespace lanes;

namespace {

template <class Activity> const CUpti_Activity* activity(const Activity& one)
{
    return reinterpret_cast<const CUpti_Activity*>(&one);
}

std::uint32_t own_process()
{
    return static_cast<std::uint32_t>(::getpid());
}

}  // namespace

class tst_Converter : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void stripsVersions_data();
    void stripsVersions();
    void apiCalls();
    void kernel();
    void wholeGraph();
    void copies();
    void memset();
    void syncAndEvent();
    void overhead();
    void ranges();
    void deviceContextStream();
    void deviceOfALaterLayoutIsLeftAlone();
    void namesOfThreadsAndStreams();
    void takesLongerRecordsAndUnknownKinds();

private:
    /// Converts and reads back.
    Spooled result()
    {
        m_converter->finish();
        m_spool.close();
        return Spooled(m_path);
    }
    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
    CuptiApi m_api;
    void* m_library = nullptr;
    SpoolWriter m_spool;
    std::unique_ptr<ProcessFacts> m_facts;
    std::unique_ptr<Converter> m_converter;
};

void tst_Converter::initTestCase()
{
    const auto path = qgetenv("LANES_BUILD") + "/tests/doubles/libcupti.so.13";
    m_library = ::dlopen(path.constData(), RTLD_NOW);
    QVERIFY2(m_library != nullptr, path.constData());
    QCOMPARE(m_api.load(m_library), std::string());
}

void tst_Converter::init()
{
    qunsetenv("LANES_DOUBLE_VERSION");
    m_path = m_folder.filePath(QString::number(++m_count) + ".spool").toStdString();
    QVERIFY(m_spool.open(m_path));
    m_facts = std::make_unique<ProcessFacts>(m_spool, true);
    m_converter = std::make_unique<Converter>(m_api, m_spool, *m_facts);
}

void tst_Converter::cleanup()
{
    m_spool.close();
}

void tst_Converter::stripsVersions_data()
{
    QTest::addColumn<QString>("full");
    QTest::addColumn<QString>("name");
    QTest::newRow("runtime") << "cudaLaunchKernel_v7000"
                             << "cudaLaunchKernel";
    QTest::newRow("five digits") << "cudaMallocAsync_v11020"
                                 << "cudaMallocAsync";
    QTest::newRow("per-thread") << "cudaMemcpyAsync_ptsz_v7000"
                                << "cudaMemcpyAsync_ptsz";
    QTest::newRow("driver") << "cuLaunchKernel"
                            << "cuLaunchKernel";
    QTest::newRow("driver's own version") << "cuMemAlloc_v2"
                                          << "cuMemAlloc_v2";
    QTest::newRow("no digits") << "cuda_vast"
                               << "cuda_vast";
    QTest::newRow("at the end") << "cuda_v"
                                << "cuda_v";
}

void tst_Converter::stripsVersions()
{
    QFETCH(QString, full);
    QFETCH(QString, name);
    const auto text = full.toStdString();
    QCOMPARE(std::string(without_runtime_version(text)), name.toStdString());
}

void tst_Converter::apiCalls()
{
    CUpti_ActivityAPI call {};
    call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    call.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
    call.start = 100;
    call.end = 200;
    call.processId = own_process();
    call.threadId = own_process();
    call.correlationId = 7;
    call.returnValue = 719;
    m_converter->take(activity(call));
    call.kind = CUPTI_ACTIVITY_KIND_DRIVER;
    call.cbid = CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2;
    call.correlationId = 8;
    call.returnValue = 0;
    m_converter->take(activity(call));
    call.cbid = 60000;  // of a later CUPTI, or broken
    m_converter->take(activity(call));
    const auto spooled = result();
    const auto& calls = spooled.of<ApiCallRecord>();
    QCOMPARE(calls.size(), 3U);
    QVERIFY(same(calls[0],
        ApiCallRecord {100, 200, own_process(), own_process(), 7, calls[0].name, ApiCallRecord::runtime, 719}));
    QVERIFY(same(
        calls[1], ApiCallRecord {100, 200, own_process(), own_process(), 8, calls[1].name, ApiCallRecord::driver, 0}));
    QCOMPARE(spooled.text(calls[0].name), std::string("cudaLaunchKernel"));
    QCOMPARE(spooled.text(calls[1].name), std::string("cuMemAlloc_v2"));
    QCOMPARE(spooled.text(calls[2].name), std::string("call 60000"));
    QCOMPARE(spooled.of<ThreadRecord>().size(), 1U);
    QCOMPARE(spooled.of<ThreadRecord>()[0].thread, own_process());
    QCOMPARE(spooled.of<ThreadRecord>()[0].order, 0U);
    QCOMPARE(spooled.text(spooled.of<ThreadRecord>()[0].name), std::string("tst_converter"));
}

void tst_Converter::kernel()
{
    CUpti_ActivityKernel10 kernel {};
    kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.start = 1000;
    kernel.end = 2000;
    kernel.deviceId = 1;
    kernel.contextId = 2;
    kernel.streamId = 13;
    kernel.correlationId = 99;
    kernel.gridX = 10;
    kernel.gridY = 11;
    kernel.gridZ = 12;
    kernel.blockX = 128;
    kernel.blockY = 2;
    kernel.blockZ = 3;
    kernel.registersPerThread = 32;
    kernel.staticSharedMemory = 4096;
    kernel.dynamicSharedMemory = 512;
    kernel.graphNodeId = std::uint64_t {7} << 32;  // the first node of graph 7
    kernel.channelID = 9;
    kernel.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
    kernel.name = "_Z4spinPfi";
    m_converter->take(activity(kernel));
    kernel.name = "matmul";  // extern "C"
    kernel.channelType = CUPTI_CHANNEL_TYPE_INVALID;
    m_converter->take(activity(kernel));
    kernel.name = nullptr;
    kernel.start = kernel.end = 0;
    m_converter->take(activity(kernel));
    const auto spooled = result();
    const auto& kernels = spooled.of<KernelRecord>();
    QCOMPARE(kernels.size(), 3U);
    KernelRecord expected {{1000, 2000, own_process(), 1, 2, 13, 99, kernels[0].name, 1, 9, 7}, {10, 11, 12},
        {128, 2, 3}, 32, 4096, 512, 0};
    QVERIFY(same(kernels[0], expected));
    QCOMPARE(spooled.text(kernels[0].name), std::string("_Z4spinPfi"));  // the trace demangles
    QCOMPARE(spooled.text(kernels[1].name), std::string("matmul"));
    QCOMPARE(kernels[1].channel, no_id);
    QCOMPARE(kernels[2].name, 0U);
    QCOMPARE(kernels[2].end, 0);
}

void tst_Converter::wholeGraph()
{
    CUpti_ActivityGraphTrace2 graph {};
    graph.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
    graph.start = 1000;
    graph.end = 9000;
    graph.deviceId = 1;
    graph.contextId = 2;
    graph.streamId = 13;
    graph.correlationId = 99;
    graph.graphId = 5;
    m_converter->take(activity(graph));
    const auto spooled = result();
    const auto& kernels = spooled.of<KernelRecord>();
    QCOMPARE(kernels.size(), 1U);
    KernelRecord expected {};
    static_cast<OperationRecord&>(expected) = {1000, 9000, own_process(), 1, 2, 13, 99, kernels[0].name, 0, no_id, 5};
    expected.shown_name = kernels[0].name;
    QVERIFY(same(kernels[0], expected));
    QCOMPARE(spooled.text(kernels[0].name), std::string("CUDA graph 5"));
}

void tst_Converter::copies()
{
    CUpti_ActivityMemcpy6 copy {};
    copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
    copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    copy.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
    copy.bytes = 64U << 20;
    copy.start = 10;
    copy.end = 30;
    copy.deviceId = 0;
    copy.contextId = 1;
    copy.streamId = 14;
    copy.correlationId = 42;
    copy.graphNodeId = 3;
    copy.channelID = 8;
    copy.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
    m_converter->take(activity(copy));
    CUpti_ActivityMemcpyPtoP4 peer {};
    peer.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
    peer.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
    peer.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    peer.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
    peer.bytes = 1024;
    peer.start = 40;
    peer.end = 50;
    peer.deviceId = 2;
    peer.contextId = 3;
    peer.streamId = 4;
    peer.srcDeviceId = 2;
    peer.dstDeviceId = 5;
    peer.correlationId = 43;
    m_converter->take(activity(peer));
    const auto spooled = result();
    const auto& copies = spooled.of<CopyRecord>();
    QCOMPARE(copies.size(), 2U);
    QVERIFY(same(copies[0],
        CopyRecord {{10, 30, own_process(), 0, 1, 14, 42, 0, 4, 8}, 64U << 20, no_id, no_id, CopyKind::d2h,
            MemoryKind::device, MemoryKind::pinned, 1, 0}));
    QVERIFY(same(copies[1],
        CopyRecord {{40, 50, own_process(), 2, 3, 4, 43, 0, 0, no_id}, 1024, 2, 5, CopyKind::p2p, MemoryKind::device,
            MemoryKind::managed, 0, 0}));
}

void tst_Converter::memset()
{
    CUpti_ActivityMemset4 memset {};
    memset.kind = CUPTI_ACTIVITY_KIND_MEMSET;
    memset.value = 0xAB;
    memset.bytes = 4096;
    memset.start = 5;
    memset.end = 6;
    memset.deviceId = 1;
    memset.contextId = 2;
    memset.streamId = 3;
    memset.correlationId = 4;
    memset.flags = CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC;
    memset.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    m_converter->take(activity(memset));
    const auto spooled = result();
    QCOMPARE(spooled.of<MemsetRecord>().size(), 1U);
    QVERIFY(same(spooled.of<MemsetRecord>()[0],
        MemsetRecord {{5, 6, own_process(), 1, 2, 3, 4, 0, 0, no_id}, 4096, 0xAB, MemoryKind::device, 1, 0}));
}

void tst_Converter::syncAndEvent()
{
    CUpti_ActivitySynchronization2 sync {};
    sync.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    sync.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
    sync.start = 1;
    sync.end = 2;
    sync.correlationId = 3;
    sync.contextId = 4;
    sync.streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
    sync.cudaEventId = 5;
    sync.cudaEventSyncId = 6;
    sync.returnValue = 700;
    m_converter->take(activity(sync));
    CUpti_ActivityCudaEvent2 event {};
    event.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT;
    event.correlationId = 7;
    event.contextId = 8;
    event.streamId = 9;
    event.eventId = 10;
    event.deviceId = 11;
    event.deviceTimestamp = 12;
    event.cudaEventSyncId = 13;
    m_converter->take(activity(event));
    const auto spooled = result();
    QCOMPARE(spooled.of<SyncRecord>().size(), 1U);
    QVERIFY(same(spooled.of<SyncRecord>()[0],
        SyncRecord {1, 2, own_process(), 4, no_id, 3, 5, 6, SyncRecord::stream_wait_event, 700}));
    QCOMPARE(spooled.of<EventRecord>().size(), 1U);
    QVERIFY(same(spooled.of<EventRecord>()[0], EventRecord {12, own_process(), 11, 8, 9, 7, 10, 13, 0}));
}

void tst_Converter::overhead()
{
    CUpti_ActivityOverhead3 full {};
    full.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    full.overheadKind = CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL;
    full.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    full.objectId.pt.processId = own_process();
    full.objectId.pt.threadId = 77;
    full.start = 1;
    full.end = 2;
    full.correlationId = 3;
    full.overheadData = std::malloc(sizeof(CUpti_ActivityOverheadCommandBufferFullData));  // the converter frees it
    m_converter->take(activity(full));
    CUpti_ActivityOverhead3 loading {};
    loading.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    loading.overheadKind = CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING;
    loading.objectKind = CUPTI_ACTIVITY_OBJECT_PROCESS;
    loading.start = 4;
    loading.end = 5;
    m_converter->take(activity(loading));
    const auto spooled = result();
    const auto& overheads = spooled.of<OverheadRecord>();
    QCOMPARE(overheads.size(), 2U);
    QVERIFY(same(overheads[0], OverheadRecord {1, 2, own_process(), 77, 3, OverheadRecord::command_buffer_full}));
    QVERIFY(same(overheads[1], OverheadRecord {4, 5, own_process(), no_id, 0, OverheadRecord::lazy_function_loading}));
}

void tst_Converter::ranges()
{
    CUpti_ActivityMarker2 marker {};
    marker.kind = CUPTI_ACTIVITY_KIND_MARKER;
    marker.flags = CUPTI_ACTIVITY_FLAG_MARKER_START;
    marker.timestamp = 10;
    marker.id = 1;
    marker.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    marker.objectId.pt.processId = own_process();
    marker.objectId.pt.threadId = 88;
    marker.name = "batch";
    marker.domain = "loader";
    m_converter->take(activity(marker));
    CUpti_ActivityMarkerData2 data {};
    data.kind = CUPTI_ACTIVITY_KIND_MARKER_DATA;
    data.flags = CUPTI_ACTIVITY_FLAG_MARKER_COLOR_ARGB;
    data.id = 1;
    data.color = 0xFF102030;
    m_converter->take(activity(data));
    marker.flags = CUPTI_ACTIVITY_FLAG_MARKER_END;
    marker.timestamp = 20;
    marker.name = nullptr;
    m_converter->take(activity(marker));
    marker.flags = CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS;
    marker.timestamp = 30;
    marker.id = 2;
    marker.name = "here";
    marker.domain = nullptr;
    m_converter->take(activity(marker));
    marker.flags = CUPTI_ACTIVITY_FLAG_MARKER_SYNC_ACQUIRE;  // a lock, not a range
    m_converter->take(activity(marker));
    const auto spooled = result();
    const auto& ranges = spooled.of<RangeRecord>();
    QCOMPARE(ranges.size(), 3U);
    QVERIFY(same(ranges[0],
        RangeRecord {10, 1, own_process(), 88, ranges[0].name, ranges[0].domain, 0xFF102030, RangeRecord::begin}));
    QVERIFY(same(ranges[1], RangeRecord {20, 1, own_process(), 88, 0, ranges[0].domain, 0, RangeRecord::finish}));
    QVERIFY(same(ranges[2], RangeRecord {30, 2, own_process(), 88, ranges[2].name, 0, 0, RangeRecord::mark}));
    QCOMPARE(spooled.text(ranges[0].name), std::string("batch"));
    QCOMPARE(spooled.text(ranges[0].domain), std::string("loader"));
    QCOMPARE(spooled.text(ranges[2].name), std::string("here"));
}

void tst_Converter::deviceContextStream()
{
    CUpti_ActivityDevice5 device {};
    device.kind = CUPTI_ACTIVITY_KIND_DEVICE;
    device.globalMemoryBandwidth = 3'352'000'000U;  // kB/s
    device.globalMemorySize = 85'000'000'000U;
    device.coreClockRate = 1'980'000;
    device.numMemcpyEngines = 3;
    device.numMultiprocessors = 132;
    device.computeCapabilityMajor = 9;
    device.id = 0;
    device.uuid.bytes[0] = static_cast<char>(0xF0);
    device.uuid.bytes[15] = 0x1E;
    device.name = ::strdup("NVIDIA H100 80GB HBM3");  // the converter frees it
    m_converter->take(activity(device));
    CUpti_ActivityContext3 context {};
    context.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
    context.contextId = 1;
    context.deviceId = 2;
    context.nullStreamId = 7;
    m_converter->take(activity(context));
    CUpti_ActivityStream stream {};
    stream.kind = CUPTI_ACTIVITY_KIND_STREAM;
    stream.contextId = 1;
    stream.streamId = 13;
    stream.priority = static_cast<std::uint32_t>(-5);
    stream.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
    m_converter->take(activity(stream));
    const auto spooled = result();
    QCOMPARE(spooled.of<DeviceRecord>().size(), 1U);
    const auto& got = spooled.of<DeviceRecord>()[0];
    QVERIFY(same(got,
        DeviceRecord {
            85'000'000'000U, 3'352'000'000'000U, 0, got.name, got.uuid, 132, 3, 9, 0, 1'980'000, own_process()}));
    QCOMPARE(spooled.text(got.name), std::string("NVIDIA H100 80GB HBM3"));
    QCOMPARE(spooled.text(got.uuid), std::string("f000000000000000000000000000001e"));
    QCOMPARE(spooled.of<ContextRecord>().size(), 1U);
    QVERIFY(same(spooled.of<ContextRecord>()[0], ContextRecord {own_process(), 2, 1, 7}));
    QCOMPARE(spooled.of<StreamRecord>().size(), 1U);
    QVERIFY(
        same(spooled.of<StreamRecord>()[0], StreamRecord {own_process(), 1, 13, -5, StreamRecord::non_blocking, 0}));
}

void tst_Converter::deviceOfALaterLayoutIsLeftAlone()
{
    qputenv("LANES_DOUBLE_VERSION", "130200");
    Converter later(m_api, m_spool, *m_facts);
    CUpti_ActivityDevice5 device {};
    device.kind = CUPTI_ACTIVITY_KIND_DEVICE;
    device.name = reinterpret_cast<const char*>(0x10);  // another layout may have anything there
    later.take(activity(device));
    later.finish();
    QCOMPARE(result().of<DeviceRecord>().size(), 0U);
}

void tst_Converter::namesOfThreadsAndStreams()
{
    const auto name_stream = [this](const char* words) {
        CUpti_ActivityName name {};
        name.kind = CUPTI_ACTIVITY_KIND_NAME;
        name.objectKind = CUPTI_ACTIVITY_OBJECT_STREAM;
        name.objectId.dcs.contextId = 1;
        name.objectId.dcs.streamId = 13;
        name.name = words;
        m_converter->take(activity(name));
    };
    CUpti_ActivityStream stream {};
    stream.kind = CUPTI_ACTIVITY_KIND_STREAM;
    stream.contextId = 1;
    stream.streamId = 13;
    stream.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT;
    name_stream("copy");  // before its stream is described
    m_converter->take(activity(stream));
    name_stream("copies");
    CUpti_ActivityName thread {};
    thread.kind = CUPTI_ACTIVITY_KIND_NAME;
    thread.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    thread.objectId.pt.processId = own_process();
    thread.objectId.pt.threadId = own_process();
    thread.name = "main";
    m_converter->take(activity(thread));
    m_facts->refresh_threads();  // must not bring back the kernel's name
    const auto spooled = result();
    const auto& streams = spooled.of<StreamRecord>();
    QCOMPARE(streams.size(), 3U);
    QCOMPARE(spooled.text(streams[1].name), std::string("copy"));
    QCOMPARE(streams[1].flag, StreamRecord::blocking);
    QCOMPARE(spooled.text(streams[2].name), std::string("copies"));
    QCOMPARE(streams[2].flag, StreamRecord::blocking);
    QCOMPARE(spooled.text(spooled.of<ThreadRecord>().back().name), std::string("main"));
}

void tst_Converter::takesLongerRecordsAndUnknownKinds()
{
    qputenv("LANES_DOUBLE_PADDING", "24");
    constexpr std::size_t padding = 24;
    std::vector<std::uint8_t> buffer;
    const auto put = [&buffer](const auto& one) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&one);
        buffer.insert(buffer.end(), bytes, bytes + sizeof one);
        buffer.insert(buffer.end(), padding, 0xEE);
    };
    for (std::uint32_t i = 0; i < 100; ++i) {
        CUpti_ActivityAPI call {};
        call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
        call.correlationId = i;
        put(call);
        CUpti_ActivityJit2 unknown {};
        unknown.kind = CUPTI_ACTIVITY_KIND_JIT;
        put(unknown);
        CUpti_ActivityMemset4 memset {};
        memset.kind = CUPTI_ACTIVITY_KIND_MEMSET;
        memset.correlationId = i;
        put(memset);
    }
    const auto sound = buffer.size();
    buffer.resize(sound + 64);  // an invalid record: the buffer ends there
    m_converter->convert(buffer.data(), buffer.size());
    qunsetenv("LANES_DOUBLE_PADDING");
    const auto spooled = result();
    QCOMPARE(spooled.of<ApiCallRecord>().size(), 100U);
    QCOMPARE(spooled.of<MemsetRecord>().size(), 100U);
    for (std::uint32_t i = 0; i < 100; ++i) {
        QCOMPARE(spooled.of<ApiCallRecord>()[i].correlation, i);
        QCOMPARE(spooled.of<MemsetRecord>()[i].correlation, i);
    }
}

QTEST_GUILESS_MAIN(tst_Converter)
#include "tst_converter.moc"
