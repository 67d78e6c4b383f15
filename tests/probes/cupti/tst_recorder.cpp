// SPDX-License-Identifier: MIT
#include "probes/cupti/recorder.h"
#include "tests/doubles/cupti_double.h"
#include "tests/no_threads.h"
#include "tests/probes/cupti/spooled.h"

#include <algorithm>
#include <csignal>
#include <mutex>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <set>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace lanes;
using namespace std::chrono_literals;

namespace {

CUpti_ActivityAPI call(std::uint32_t correlation)
{
    CUpti_ActivityAPI one {};
    one.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    one.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
    one.start = correlation;
    one.end = correlation + 1;
    one.processId = static_cast<std::uint32_t>(::getpid());
    one.threadId = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    one.correlationId = correlation;
    return one;
}

std::vector<std::uint32_t> correlations(const Spooled& spooled)
{
    std::vector<std::uint32_t> all;
    for (const auto& record : spooled.of<ApiCallRecord>()) {
        all.push_back(record.correlation);
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<std::uint32_t> numbers(std::uint32_t from, std::uint32_t to)
{
    std::vector<std::uint32_t> all;
    for (auto i = from; i < to; ++i) {
        all.push_back(i);
    }
    return all;
}

}  // namespace

class tst_Recorder : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void enablesWhatARecordingNeeds();
    void graphsAsAWholeOnlyIfAsked();
    void setsAttributesBeforeAnythingElse();
    void everyRecordOfManyThreadsArrivesOnce();
    void oneBufferForAllThreads();
    void buffersAreRecycled();
    void flushesInTimeWithoutBeingAsked();
    void anIncompleteRecordHoldsBackItsBufferOnly();
    void finishHandsOverWhatIsIncomplete();
    void countsDroppedRecords();
    void flushesBeforeAContextEnds();
    void notesFunctionsOfTheHost_data();
    void notesFunctionsOfTheHost();
    void aCallInsideIsTheSameFunction();
    void namesTheToolThatHoldsTheSlot();
    void saysWhatThisCuptiDoesNotRecord_data() { wholeAndPart(); }
    void saysWhatThisCuptiDoesNotRecord();
    void refusesACuptiWithoutKernels_data() { wholeAndPart(); }
    void notesNodesOfGraphs();
    void noNodeOfAGraphIsLost();
    void allocationsComeFromTheirCalls();
    void refusesACuptiWithoutKernels();
    void noThreadIsToBeHad();
    void saysWhichFunctionIsMissing();
    void detachesAfterThePart_data();
    void detachesAfterThePart();
    void attachesForTheNextPart();
    void keepsWholeGraphsOfThePart();
    void watchesGraphsBeingMade();
    void losesNothingByDetaching();
    void oneAProcess();
    void abandonedItDoesNothing();
    void fullDiskEndsTheSpoolOnly();
    void notesTheClocks();
    void readsThreadNamesAgain();

private:
    /// Starts a recorder; `options` as given, except for a period that fits a test.
    std::string start(RecorderOptions options = {});
    Spooled finish();
    static void wholeAndPart();
    const doubles::CuptiDouble* m_double = nullptr;
    CuptiApi m_api;
    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
    std::unique_ptr<SpoolWriter> m_spool;
    std::unique_ptr<CuptiRecorder> m_recorder;
};

void tst_Recorder::initTestCase()
{
    const auto path = qgetenv("LANES_BUILD") + "/tests/doubles/libcupti.so.13";
    void* library = ::dlopen(path.constData(), RTLD_NOW);
    QVERIFY2(library != nullptr, path.constData());
    QCOMPARE(m_api.load(library), std::string());
    m_double = doubles::strings_of(library);
    QVERIFY(m_double != nullptr);
}

void tst_Recorder::init()
{
    qunsetenv("LANES_DOUBLE_SUBSCRIBER");
    qunsetenv("LANES_DOUBLE_REFUSES");
    m_double->forget();
    m_path = m_folder.filePath(QString::number(++m_count) + ".spool").toStdString();
    m_spool = std::make_unique<SpoolWriter>();
    QVERIFY(m_spool->open(m_path));
}

void tst_Recorder::cleanup()
{
    m_recorder.reset();
    m_spool.reset();
}

std::string tst_Recorder::start(RecorderOptions options)
{
    m_recorder = std::make_unique<CuptiRecorder>(m_api, *m_spool, options);
    return m_recorder->start();
}

Spooled tst_Recorder::finish()
{
    if (!m_recorder->finish(10s)) {
        qWarning("the recorder did not finish");
    }
    m_recorder.reset();
    m_spool->close();
    return Spooled(m_path);
}

void tst_Recorder::enablesWhatARecordingNeeds()
{
    QCOMPARE(start(), std::string());
    QCOMPARE(m_recorder->gaps(), std::string());
    for (const auto kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
             CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
             CUPTI_ACTIVITY_KIND_CUDA_EVENT, CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_MARKER,
             CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_DEVICE,
             CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_STREAM, CUPTI_ACTIVITY_KIND_NAME}) {
        QVERIFY2(m_double->is_enabled(kind, 0), qPrintable(QString::number(kind)));
    }
    QVERIFY2(!m_double->is_enabled(CUPTI_ACTIVITY_KIND_KERNEL, 0), "that kind would serialise all kernels");
    QVERIFY2(!m_double->is_enabled(CUPTI_ACTIVITY_KIND_MEMORY2, 0), "that kind crashes programs");
    QVERIFY2(!m_double->is_enabled(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, 0), "that kind hides the kernels of graphs");
    const auto is_recorded
        = [this](CUpti_CallbackId id) { return m_double->is_enabled(CUPTI_ACTIVITY_KIND_RUNTIME, id) != 0; };
    QVERIFY(!is_recorded(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020));
    QVERIFY(!is_recorded(CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020));
    QVERIFY(is_recorded(CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020));
    QVERIFY(is_recorded(CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020));
    QVERIFY(is_recorded(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
    QVERIFY(!m_double->is_enabled(CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent));
    QVERIFY(!m_double->is_enabled(CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_DRIVER_TRACE_CBID_cuKernelGetName));
    const auto spooled = finish();
    QCOMPARE(spooled.of<ProcessRecord>().size(), 1U);
    QCOMPARE(spooled.text(spooled.of<ProcessRecord>()[0].name), std::string("tst_recorder"));
    QCOMPARE(spooled.of<ProcessRecord>()[0].parent, static_cast<std::uint32_t>(::getppid()));
}

void tst_Recorder::graphsAsAWholeOnlyIfAsked()
{
    QCOMPARE(start({.control = {.whole_graphs = true}}), std::string());
    QVERIFY(m_double->is_enabled(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, 0));
    QVERIFY(m_double->is_enabled(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 0));
    QCOMPARE(finish().meta().at(graphs_key), std::string(whole_graphs));
}

void tst_Recorder::setsAttributesBeforeAnythingElse()
{
    QCOMPARE(start({.buffer_per_thread = false, .host_pinned_buffers = true}), std::string());
    // The double takes no attribute once a kind is enabled.
    QCOMPARE(m_double->attribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER), 1LL);
    QCOMPARE(m_double->attribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER), 0LL);
    QCOMPARE(m_double->attribute(CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED), 1LL);
    QVERIFY(m_double->attribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT) > 1);
    m_recorder.reset();
    m_double->forget();
    QCOMPARE(start(), std::string());
    QCOMPARE(m_double->attribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER), 1LL);
    QCOMPARE(m_double->attribute(CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED), -1LL);
}

void tst_Recorder::everyRecordOfManyThreadsArrivesOnce()
{
    constexpr std::uint32_t threads = 64;
    constexpr std::uint32_t each = 2000;
    // Small buffers and a short period: full buffers, flushes and requests meet all the time.
    QCOMPARE(start({.flush_period = 2ms, .buffer_bytes = 4096}), std::string());
    std::vector<std::thread> running;
    for (std::uint32_t t = 0; t < threads; ++t) {
        running.emplace_back([this, t] {
            for (std::uint32_t i = 0; i < each; ++i) {
                // Out of order within the thread.
                const auto one = call(t * each + (i ^ 7U));
                m_double->record(&one, 1);
            }
        });
    }
    for (auto& thread : running) {
        thread.join();
    }
    // The double's worker hands back full buffers in its own time.
    QTRY_VERIFY_WITH_TIMEOUT(correlations(Spooled(m_path)).size() >= threads * each, 20'000);
    const auto spooled = finish();
    QCOMPARE(spooled.end().note, std::string());
    QCOMPARE(spooled.end().lost_chunks, 0U);
    QVERIFY(correlations(spooled) == numbers(0, threads * each));
    QCOMPARE(spooled.dropped(), 0U);
    QCOMPARE(spooled.of<ThreadRecord>().size(), threads);
    std::map<std::uint32_t, int> orders;
    for (const auto& thread : spooled.of<ThreadRecord>()) {
        ++orders[thread.order];
    }
    QCOMPARE(orders.size(), threads);
}

void tst_Recorder::oneBufferForAllThreads()
{
    QCOMPARE(start({.flush_period = 2ms, .buffer_bytes = 4096, .buffer_per_thread = false}), std::string());
    std::vector<std::thread> running;
    for (std::uint32_t t = 0; t < 8; ++t) {
        running.emplace_back([this, t] {
            for (std::uint32_t i = 0; i < 1000; ++i) {
                const auto one = call(t * 1000 + i);
                m_double->record(&one, 1);
            }
        });
    }
    for (auto& thread : running) {
        thread.join();
    }
    QTRY_VERIFY_WITH_TIMEOUT(correlations(Spooled(m_path)).size() >= 8000, 20'000);
    QVERIFY(correlations(finish()) == numbers(0, 8000));
}

void tst_Recorder::buffersAreRecycled()
{
    QCOMPARE(start({.flush_period = 1h, .buffer_bytes = 4096}), std::string());
    for (std::uint32_t round = 0; round < 500; ++round) {
        for (std::uint32_t i = 0; i < 50; ++i) {
            const auto one = call(round * 50 + i);
            m_double->record(&one, 1);  // which aborts if a buffer comes back that is not all zero
        }
        m_recorder->flush();
    }
    QVERIFY2(m_recorder->buffers_made() <= 2, qPrintable(QString::number(m_recorder->buffers_made())));
    QVERIFY(correlations(finish()) == numbers(0, 25'000));
}

void tst_Recorder::flushesInTimeWithoutBeingAsked()
{
    // The promise: with the usual period, what was complete half a second before is on disk.
    QCOMPARE(start(), std::string());
    qint64 soonest = INT64_MAX;
    for (std::uint32_t round = 0; round < 20 && (round < 4 || soonest > 500); ++round) {
        const auto one = call(round);
        m_double->record(&one, 1);
        QElapsedTimer since;
        since.start();
        QTRY_COMPARE_WITH_TIMEOUT(correlations(Spooled(m_path)).size(), round + 1U, 20'000);
        if (round > 0) {  // the others begin just after a flush, and need a whole period
            soonest = std::min(soonest, since.elapsed());
        }
    }
    QVERIFY2(soonest <= 500, qPrintable(QString::number(soonest)));  // once: a busy machine may hold up the others
}

void tst_Recorder::anIncompleteRecordHoldsBackItsBufferOnly()
{
    QCOMPARE(start({.flush_period = 5ms}), std::string());
    std::thread holding([this] {
        const auto incomplete = call(1);
        const auto after = call(2);
        m_double->record(&incomplete, 0);
        m_double->record(&after, 1);
    });
    holding.join();
    std::thread free_one([this] {
        const auto one = call(3);
        m_double->record(&one, 1);
    });
    free_one.join();
    QTRY_VERIFY(correlations(Spooled(m_path)) == std::vector<std::uint32_t> {3});
    QTest::qWait(50);
    QVERIFY(correlations(Spooled(m_path)) == std::vector<std::uint32_t> {3});
    m_double->complete_all();
    QTRY_VERIFY((correlations(Spooled(m_path)) == std::vector<std::uint32_t> {1, 2, 3}));
}

void tst_Recorder::finishHandsOverWhatIsIncomplete()
{
    QCOMPARE(start({.flush_period = 1h}), std::string());
    const auto one = call(1);
    m_double->record(&one, 0);
    QVERIFY((correlations(finish()) == std::vector<std::uint32_t> {1}));
}

void tst_Recorder::countsDroppedRecords()
{
    QCOMPARE(start({.flush_period = 5ms}), std::string());
    m_double->drop(5);
    QTRY_COMPARE(Spooled(m_path).dropped(), 5U);
    m_double->drop(2);
    const auto one = call(1);
    m_double->record(&one, 1);
    const auto spooled = finish();
    QCOMPARE(spooled.dropped(), 7U);
    for (const auto& dropped : spooled.of<DroppedRecord>()) {
        QVERIFY(dropped.time > 0 && dropped.count > 0);
    }
}

void tst_Recorder::flushesBeforeAContextEnds()
{
    QCOMPARE(start({.flush_period = 1h}), std::string());
    const auto one = call(1);
    m_double->record(&one, 1);
    m_double->call(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
    QCOMPARE(m_double->flushes(), 0U);
    m_double->call(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020);
    QCOMPARE(m_double->flushes(), 1U);
    QVERIFY((correlations(Spooled(m_path)) == std::vector<std::uint32_t> {1}));
    m_double->call(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy_v2);
    QCOMPARE(m_double->flushes(), 2U);
}

void tst_Recorder::notesFunctionsOfTheHost_data()
{
    QTest::addColumn<CUpti_CallbackDomain>("domain");
    QTest::addColumn<CUpti_CallbackId>("id");
    QTest::addColumn<qulonglong>("handle");
    QTest::addColumn<int>("result");
    QTest::addColumn<QList<unsigned>>("streams");
    const auto row
        = [](const char* name, CUpti_CallbackDomain domain, CUpti_CallbackId id, qulonglong handle, int result,
              const QList<unsigned>& streams) { QTest::newRow(name) << domain << id << handle << result << streams; };
    constexpr auto runtime = CUPTI_CB_DOMAIN_RUNTIME_API;
    constexpr auto driver = CUPTI_CB_DOMAIN_DRIVER_API;
    row("runtime", runtime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000, 13, 0, {13});
    row("default stream", runtime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000, 0, 0, {7});
    row("per-thread", runtime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_ptsz_v10000, 0, 0, {8});
    row("callback", runtime, CUPTI_RUNTIME_TRACE_CBID_cudaStreamAddCallback_v5000, 14, 0, {14});
    row("callback, per-thread", runtime, CUPTI_RUNTIME_TRACE_CBID_cudaStreamAddCallback_ptsz_v7000, 0, 0, {8});
    row("driver", driver, CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc, 0, 0, {7});
    row("driver, per-thread", driver, CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc_ptsz, 0, 0, {8});
    row("driver's callback", driver, CUPTI_DRIVER_TRACE_CBID_cuStreamAddCallback, 15, 0, {15});
    row("driver's callback, per-thread", driver, CUPTI_DRIVER_TRACE_CBID_cuStreamAddCallback_ptsz, 0, 0, {8});
    row("refused", runtime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000, 13, 1, {});
    row("of no stream", runtime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000, 0xbad, 0, {});
    row("a launch", runtime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, 13, 0, {});
}

void tst_Recorder::notesFunctionsOfTheHost()
{
    QFETCH(CUpti_CallbackDomain, domain);
    QFETCH(CUpti_CallbackId, id);
    QFETCH(qulonglong, handle);
    QFETCH(int, result);
    QFETCH(QList<unsigned>, streams);
    QCOMPARE(start({.flush_period = 1h}), std::string());
    m_double->call_with(domain, id, &handle, result, 21, nullptr);
    QCOMPARE(m_double->flushes(), 0U);
    QList<unsigned> noted;
    const auto spooled = finish();
    for (const auto& function : spooled.of<HostFunctionRecord>()) {
        noted += function.stream;
        QCOMPARE(function.timed, 0U);
        QCOMPARE(function.correlation, 21U);
        QCOMPARE(function.context, 1U);
        QCOMPARE(function.process, static_cast<std::uint32_t>(::getpid()));
    }
    QCOMPARE(noted, streams);
}

/// The runtime's call makes the driver's: that is one function, with the runtime's correlation. The next call of the
/// driver alone counts again; and each of 8 threads counts separately.
void tst_Recorder::aCallInsideIsTheSameFunction()
{
    static const doubles::CuptiDouble* strings = nullptr;
    strings = m_double;
    QCOMPARE(start({.flush_period = 1h}), std::string());
    const auto driver = [] {
        const std::uintptr_t handle = 13;
        strings->call_with(
            CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc, &handle, 0, 22, nullptr);
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 100; ++i) {
                const std::uintptr_t handle = 13;
                m_double->call_with(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000,
                    &handle, 0, 21, driver);
                driver();
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    int runtime = 0;
    int alone = 0;
    const auto spooled = finish();
    for (const auto& function : spooled.of<HostFunctionRecord>()) {
        runtime += function.correlation == 21 ? 1 : 0;
        alone += function.correlation == 22 ? 1 : 0;
    }
    QCOMPARE(runtime, 800);
    QCOMPARE(alone, 800);
}

void tst_Recorder::namesTheToolThatHoldsTheSlot()
{
    qputenv("LANES_DOUBLE_SUBSCRIBER", "Nsight Systems");
    const auto problem = start();
    QVERIFY2(problem.find("Nsight Systems") != std::string::npos, problem.c_str());
    QVERIFY(!m_double->is_enabled(CUPTI_ACTIVITY_KIND_RUNTIME, 0));
    qunsetenv("LANES_DOUBLE_SUBSCRIBER");
    QCOMPARE(start(), std::string());  // the failure left nothing behind
}

void tst_Recorder::wholeAndPart()
{
    QTest::addColumn<bool>("is_part");
    QTest::newRow("the whole program") << false;
    QTest::newRow("a part that begins later") << true;
}

void tst_Recorder::saysWhatThisCuptiDoesNotRecord()
{
    QFETCH(bool, is_part);
    qputenv("LANES_DOUBLE_REFUSES", QByteArray::number(CUPTI_ACTIVITY_KIND_CUDA_EVENT));
    QCOMPARE(start({.control = {.range = is_part ? "a" : ""}}), std::string());
    QCOMPARE(m_recorder->gaps(), std::string(is_part ? "" : "events"));
    m_recorder->range_pushed("a");
    QCOMPARE(m_recorder->gaps(), std::string("events"));
    const auto spooled = finish();
    QVERIFY(spooled.meta().contains(not_recorded_key));
    QCOMPARE(spooled.meta().at(not_recorded_key), std::string("events"));
}

void tst_Recorder::notesNodesOfGraphs()
{
    QCOMPARE(start(), std::string());
    const auto before = read_clocks().realtime;
    constexpr std::uint64_t graph = 5, copy = 6;
    m_double->graph_node(graph << 32U | 0U, 0);
    std::uint32_t other = 0;
    std::thread([&] {
        other = this_thread();
        m_double->graph_node(copy << 32U | 7U, graph << 32U | 0U);
    }).join();
    const auto after = read_clocks().realtime;
    const auto found = finish().of<GraphNodeRecord>();
    QCOMPARE(found.size(), 2U);
    QCOMPARE(found[0].graph, 5U);
    QCOMPARE(found[0].graph_node, 1U);
    QCOMPARE(found[0].original_node, 0U);
    QCOMPARE(found[0].thread, this_thread());
    QCOMPARE(found[0].process, static_cast<std::uint32_t>(::getpid()));
    QCOMPARE(found[1].graph, 6U);
    QCOMPARE(found[1].graph_node, 8U);
    QCOMPARE(found[1].original_graph, 5U);
    QCOMPARE(found[1].original_node, 1U);
    QCOMPARE(found[1].thread, other);
    QVERIFY(before <= found[0].time && found[0].time <= found[1].time && found[1].time <= after);
}

/// More than are gathered at once, from several threads: each arrives once.
void tst_Recorder::noNodeOfAGraphIsLost()
{
    QCOMPARE(start(), std::string());
    constexpr std::uint64_t threads = 4, nodes = 5000;
    std::vector<std::thread> all;
    for (std::uint64_t graph = 1; graph <= threads; ++graph) {
        all.emplace_back([this, graph] {
            for (std::uint64_t node = 0; node < nodes; ++node) {
                m_double->graph_node(graph << 32U | node, 0);
            }
        });
    }
    for (auto& thread : all) {
        thread.join();
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    const auto spooled = finish();
    for (const auto& record : spooled.of<GraphNodeRecord>()) {
        found.emplace(record.graph, record.graph_node);
    }
    QCOMPARE(spooled.of<GraphNodeRecord>().size(), threads * nodes);
    QCOMPARE(found.size(), threads * nodes);
}

/// The double's context has the id 1, its device the id 0, the default stream the id 7.
void tst_Recorder::allocationsComeFromTheirCalls()
{
    QCOMPARE(start(), std::string());
    static void* address = reinterpret_cast<void*>(0x7F0000000000);
    struct {
        void** pointer;
        std::size_t bytes;
        void* stream;
    } allocation {&address, 4096, nullptr};
    struct {
        void* pointer;
        void* stream;
    } release {address, reinterpret_cast<void*>(9)};
    const auto runtime = [&](CUpti_CallbackId id, const void* parameters, int result, std::uint32_t correlation,
                             void (*inside)() = nullptr) {
        m_double->call_with(CUPTI_CB_DOMAIN_RUNTIME_API, id, parameters, result, correlation, inside);
    };
    // The runtime's call makes the driver's: one allocation.
    static const doubles::CuptiDouble* own = m_double;
    static decltype(allocation) inner {&address, 4096, nullptr};
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaMallocAsync_v11020, &allocation, 0, 11, [] {
        own->call_with(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync, &inner, 0, 12, nullptr);
    });
    // Refused (701), then done; then for an address that was not allocated here, like an import of another process'
    // pool.
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaFreeAsync_v11020, &release, 701, 13);
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaFreeAsync_v11020, &release, 0, 14);
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaFree_v3020, &release, 0, 15);
    // cudaFree(nullptr), with which programs initialise CUDA, and a failed allocation.
    release.pointer = nullptr;
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaFree_v3020, &release, 0, 16);
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020, &allocation, 2, 17);
    const auto spooled = finish();
    const auto found = spooled.of<MemoryRecord>();
    QCOMPARE(found.size(), 3U);
    const auto row = [](const MemoryRecord& r) {
        return QString("%1 %2 bytes, kind %3, %4, stream %5, device %6, call %7")
            .arg(r.operation == MemoryRecord::allocate ? "allocate" : "release")
            .arg(r.bytes)
            .arg(static_cast<int>(r.memory))
            .arg(r.async != 0 ? "async" : "at once")
            .arg(r.stream == no_id ? -1 : static_cast<int>(r.stream))
            .arg(r.device)
            .arg(r.correlation);
    };
    QCOMPARE(row(found[0]), QString("allocate 4096 bytes, kind 3, async, stream 7, device 0, call 11"));
    QCOMPARE(row(found[1]), QString("release 4096 bytes, kind 3, async, stream 9, device 0, call 14"));
    QCOMPARE(row(found[2]), QString("release 0 bytes, kind 0, at once, stream -1, device 0, call 15"));
}

void tst_Recorder::refusesACuptiWithoutKernels()
{
    QFETCH(bool, is_part);
    const std::string problem = "CUPTI does not record kernels: CUPTI_ERROR_NOT_SUPPORTED";
    qputenv("LANES_DOUBLE_REFUSES", QByteArray::number(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    QCOMPARE(start({.control = {.range = is_part ? "a" : ""}}), is_part ? "" : problem);
    m_recorder->range_pushed("a");
    QCOMPARE(m_double->is_enabled(CUPTI_ACTIVITY_KIND_RUNTIME, 0), 0);
    QCOMPARE(m_double->is_enabled(CUPTI_ACTIVITY_KIND_DRIVER, 0), 0);
    QCOMPARE(m_double->is_enabled(CUPTI_ACTIVITY_KIND_DEVICE, 0), is_part ? 1 : 0);
    if (is_part) {
        const auto spooled = finish();
        QCOMPARE(spooled.of<ErrorRecord>().size(), 1U);
        QCOMPARE(spooled.text(spooled.of<ErrorRecord>()[0].message), "not recorded: " + problem);
    }
}

void tst_Recorder::noThreadIsToBeHad()
{
    {
        const NoThreads here;
        const auto problem = start();
        QVERIFY2(problem.starts_with("no thread could be started: "), problem.c_str());
    }
    sigset_t blocked;
    QCOMPARE(pthread_sigmask(SIG_SETMASK, nullptr, &blocked), 0);
    QCOMPARE(sigismember(&blocked, SIGTERM), 0);
    for (const auto kind : {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DEVICE}) {
        QCOMPARE(m_double->is_enabled(kind, 0), 0);
    }
    QCOMPARE(start(), std::string());  // the failure left nothing behind
}

void tst_Recorder::saysWhichFunctionIsMissing()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("a sanitizer allows no second copy of a library");
#endif
    const auto path = qgetenv("LANES_BUILD") + "/tests/doubles/lacking/libcupti.so.13";
    void* library = ::dlmopen(LM_ID_NEWLM, path.constData(), RTLD_NOW);
    QVERIFY2(library != nullptr, path.constData());
    CuptiApi lacking;
    QCOMPARE(lacking.load(library), std::string("this CUPTI lacks cuptiActivityFlushAll"));
}

void tst_Recorder::detachesAfterThePart_data()
{
    QTest::addColumn<Detach>("detach");
    QTest::addColumn<bool>("has_graph");
    QTest::addColumn<unsigned>("detached");
    QTest::newRow("as usual") << Detach::automatic << false << 1U;
    QTest::newRow("with a graph") << Detach::automatic << true << 0U;
    QTest::newRow("with a graph, asked for") << Detach::always << true << 1U;
    QTest::newRow("never") << Detach::never << false << 0U;
}

/// At the end of a call of CUDA: elsewhere the double aborts.
void tst_Recorder::detachesAfterThePart()
{
    QFETCH(Detach, detach);
    QFETCH(bool, has_graph);
    QFETCH(unsigned, detached);
    const auto launch
        = [this] { m_double->call(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000); };
    QCOMPARE(start({.flush_period = 5ms, .control = {.duration = 50'000'000, .detach = detach}}), std::string());
    const auto one = call(1);
    m_double->record(&one, 1);
    if (has_graph) {
        m_double->graph_node(1, 0);
    }
    launch();
    QCOMPARE(m_double->finalized(), 0U);
    QTRY_VERIFY(!m_double->is_enabled(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 0));
    for (int i = 0; i < 200 && m_double->finalized() < detached; ++i) {
        launch();
        QTest::qWait(10);
    }
    QTest::qWait(detached == 0 ? 300 : 20);
    launch();
    QCOMPARE(m_double->finalized(), detached);
    const auto flushes = m_double->flushes();
    QTest::qWait(50);
    QCOMPARE(m_double->flushes() == flushes, detached > 0);  // nothing of CUPTI is called while it is detached
    const auto spooled = finish();
    QVERIFY((correlations(spooled) == std::vector<std::uint32_t> {1}));
    QCOMPARE(spooled.meta().at(handed_over_key + std::to_string(::getpid())), std::string("1"));
    for (const auto& [key, value] : spooled.meta()) {
        QVERIFY2(!key.starts_with(unflushed_key) || value.empty(), key.c_str());
    }
}

void tst_Recorder::attachesForTheNextPart()
{
    ControlSettings trigger;
    std::mutex mutex;
    const auto ask = [&](Ns duration) {
        const std::lock_guard lock(mutex);
        trigger = {.start = read_clocks().realtime, .duration = duration};
    };
    QCOMPARE(start({.flush_period = 5ms,
                 .control = {.idle = true},
                 .last_trigger =
                     [&] {
                         const std::lock_guard lock(mutex);
                         return trigger;
                     }}),
        std::string());
    const auto is_recorded = [this] { return m_double->is_enabled(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 0) != 0; };
    QTest::qWait(50);
    QVERIFY(!is_recorded());
    for (std::uint32_t part = 1; part <= 3; ++part) {
        ask(100'000'000);
        QTRY_VERIFY(is_recorded());
        const auto one = call(part);
        m_double->record(&one, 1);
        for (int i = 0; i < 200 && m_double->finalized() < part; ++i) {
            m_double->call(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
            QTest::qWait(10);
        }
        QCOMPARE(m_double->finalized(), part);
        QVERIFY(!is_recorded());
        // It is there again before the next part, whose graphs it has to see, and then stays.
        QTRY_VERIFY(m_double->is_enabled(CUPTI_ACTIVITY_KIND_STREAM, 0));
        for (int i = 0; i < 5; ++i) {
            m_double->call(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
            QTest::qWait(10);
        }
        QCOMPARE(m_double->finalized(), part);
    }
    const auto spooled = finish();
    QVERIFY((correlations(spooled) == std::vector<std::uint32_t> {1, 2, 3}));
    QCOMPARE(spooled.of<WindowRecord>().size(), 6U);
    QCOMPARE(spooled.meta().at("window." + std::to_string(::getpid()) + ".3"), std::string("trigger duration"));
    QCOMPARE(spooled.of<StreamRecord>().size(), 3U);  // those that exist are described anew
}

/// CUPTI 13.0 can launch a graph as a whole only if GRAPH_TRACE was on when it was instantiated: it is on before and
/// after the part as well, whose launches alone are kept.
void tst_Recorder::keepsWholeGraphsOfThePart()
{
    const auto is_whole = [this] { return m_double->is_enabled(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, 0) != 0; };
    const auto has_kernels = [this] { return m_double->is_enabled(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 0) != 0; };
    const auto launch = [this](std::uint32_t graph) {
        CUpti_ActivityGraphTrace2 launched {};
        launched.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
        launched.start = static_cast<std::uint64_t>(read_clocks().realtime);
        launched.end = launched.start + 1000;
        launched.correlationId = launched.graphId = graph;
        m_double->record(&launched, 1);
    };
    QCOMPARE(
        start({.flush_period = 5ms,
            .control
            = {.start = read_clocks().realtime, .delay = 200'000'000, .duration = 300'000'000, .whole_graphs = true}}),
        std::string());
    QVERIFY(is_whole() && !has_kernels());
    launch(1);
    QTRY_VERIFY(has_kernels());
    QVERIFY(is_whole());
    QTest::qWait(5);  // the clock of the part and that of the launch are read by different threads
    launch(2);
    QTRY_VERIFY(!has_kernels());
    QVERIFY(is_whole());
    launch(3);
    const auto spooled = finish();
    const auto kernels = spooled.of<KernelRecord>();
    QCOMPARE(kernels.size(), 1U);
    QCOMPARE(kernels[0].graph, 2U);
    QCOMPARE(spooled.meta().at(graphs_key), std::string(whole_graphs));
}

/// `auto`: it is off only where a launch is to be recorded by nodes, and not while a graph is instantiated.
void tst_Recorder::watchesGraphsBeingMade()
{
    QCOMPARE(start({.control = {.whole_graphs = true, .node_launches = 1}}), std::string());
    static const doubles::CuptiDouble* cupti = nullptr;
    static std::vector<int> seen;
    cupti = m_double;
    seen.clear();
    const std::uintptr_t handle = 1;
    const auto call = [&](CUpti_CallbackId id) {
        m_double->call_with(CUPTI_CB_DOMAIN_DRIVER_API, id, &handle, 0, 0,
            [] { seen.push_back(cupti->is_enabled(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, 0)); });
    };
    for (const auto id : {CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
             CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
             CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch}) {
        call(id);
    }
    QVERIFY((seen == std::vector<int> {1, 0, 1, 1, 1, 0}));
}

/// A kernel that goes on when the part is over keeps CUPTI attached, until it is recorded.
void tst_Recorder::losesNothingByDetaching()
{
    QCOMPARE(start({.flush_period = 5ms, .control = {.duration = 20'000'000}}), std::string());
    const auto one = call(1);
    m_double->record(&one, 0);
    QTRY_VERIFY(!m_double->is_enabled(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 0));
    const auto launch
        = [this] { m_double->call(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000); };
    for (int i = 0; i < 10; ++i) {
        launch();
        QTest::qWait(10);
    }
    QCOMPARE(m_double->finalized(), 0U);
    m_double->complete_all();
    for (int i = 0; i < 200 && m_double->finalized() == 0; ++i) {
        launch();
        QTest::qWait(10);
    }
    QCOMPARE(m_double->finalized(), 1U);
    QVERIFY((correlations(finish()) == std::vector<std::uint32_t> {1}));
}

void tst_Recorder::oneAProcess()
{
    QCOMPARE(start(), std::string());
    CuptiRecorder second(m_api, *m_spool, {});
    QVERIFY(!second.start().empty());
    const auto one = call(1);
    m_double->record(&one, 1);
    QVERIFY((correlations(finish()) == std::vector<std::uint32_t> {1}));
}

void tst_Recorder::abandonedItDoesNothing()
{
    QCOMPARE(start({.flush_period = 1h}), std::string());
    const auto one = call(1);
    m_double->record(&one, 1);
    m_recorder->abandon();
    m_recorder->flush();
    QVERIFY(m_recorder->finish(10s));
    QCOMPARE(m_double->flushes(), 0U);
    QCOMPARE(correlations(Spooled(m_path)).size(), 0U);
}

void tst_Recorder::fullDiskEndsTheSpoolOnly()
{
    SpoolWriter full;
    if (!full.open("/dev/full")) {
        QSKIP("no /dev/full here");
    }
    CuptiRecorder recorder(m_api, full, {.flush_period = 1ms});
    QCOMPARE(recorder.start(), std::string());
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        const auto one = call(i);
        m_double->record(&one, 1);
    }
    QVERIFY(recorder.finish(10s));
    QCOMPARE(full.error(), ENOSPC);
}

void tst_Recorder::notesTheClocks()
{
    QCOMPARE(start({.flush_period = 5ms}), std::string());
    QTRY_VERIFY_WITH_TIMEOUT(Spooled(m_path).of<ClockRecord>().size() >= 4, 20'000);
    const auto clocks = finish().of<ClockRecord>();
    for (std::size_t i = 1; i < clocks.size(); ++i) {
        QVERIFY(clocks[i].monotonic > clocks[i - 1].monotonic);
        QVERIFY(clocks[i].realtime > 1'600'000'000'000'000'000);
    }
}

void tst_Recorder::readsThreadNamesAgain()
{
    QCOMPARE(start({.flush_period = 5ms}), std::string());
    std::thread named([this] {
        const auto one = call(1);
        m_double->record(&one, 1);
        m_recorder->flush();
        ::pthread_setname_np(::pthread_self(), "loader");
        const auto is_named = [this] {
            const Spooled spooled(m_path);
            return std::any_of(spooled.of<ThreadRecord>().begin(), spooled.of<ThreadRecord>().end(),
                [&](const auto& record) { return spooled.text(record.name) == "loader"; });
        };
        for (int i = 0; i < 500 && !is_named(); ++i) {
            std::this_thread::sleep_for(10ms);
        }
        QVERIFY(is_named());
    });
    named.join();
}

QTEST_GUILESS_MAIN(tst_Recorder)
#include "tst_recorder.moc"
