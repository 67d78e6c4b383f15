// SPDX-License-Identifier: MIT
// What lanes are made from: streams with their operations, threads in their order, and the names of both.
#include "tests/engine/trace/trace_fixture.h"
#include "tests/engine/trace/trace_soundness.h"

#include <algorithm>
#include <numeric>
#include <QTest>
#include <random>

using namespace lanes;

class tst_TraceLanes : public QObject {
    Q_OBJECT

private slots:
    void streamsOfSeveralDevices();
    void waitUnderAnotherContext();
    void operationsOfAStreamLieTogether_data();
    void operationsOfAStreamLieTogether();
    void threadsInTheirOrder();
    void labels();
};

void tst_TraceLanes::streamsOfSeveralDevices()
{
    TraceFixture f;
    f.builder.write(ContextRecord {1, 1, 2, 7});
    f.device = 1;
    f.context = 2;
    f.kernel(7, 0, 10);
    f.device = 0;
    f.context = 1;
    f.kernel(7, 5, 15);
    f.process = 2;
    f.kernel(7, 6, 16);
    f.process = 1;
    f.context = 2;
    f.sync(SyncRecord::stream_sync, 1, 10, 0, 7);  // names no device: the context's
    const auto trace = f.finish();
    QCOMPARE(trace.streams.size(), std::size_t {3});
    QCOMPARE(trace.streams[0].device, 0U);
    QCOMPARE(trace.streams[0].process, 1U);
    QCOMPARE(trace.streams[1].process, 2U);
    QCOMPARE(trace.streams[2].device, 1U);
    QCOMPARE(trace.operations.stream, (std::vector<Row> {0, 1, 2}));
    QCOMPARE(trace.operations.start, (std::vector<Ns> {5, 6, 0}));
    QCOMPARE(trace.syncs[0].stream, Row {2});
    QCOMPARE(trace.devices.size(), std::size_t {2});  // nobody described them
}

/// CUPTI gives a wait of GPU 1's stream the context that was current, which is GPU 0's.
void tst_TraceLanes::waitUnderAnotherContext()
{
    TraceFixture f;
    f.kernel(22, 0, 10);
    f.sync(SyncRecord::stream_wait_event, 3, 4, 0, 23);
    f.event(23, 0, 5, 1, 8);
    f.sync(SyncRecord::stream_wait_event, 5, 6, 0, 99);  // of a stream that nothing else speaks of
    f.device = 1;
    f.context = 2;
    f.kernel(23, 5, 15);
    const auto trace = f.finish();
    QCOMPARE(trace.streams.size(), std::size_t {3});
    QCOMPARE(trace.streams[trace.syncs[0].stream].device, 1U);
    QCOMPARE(trace.syncs[0].stream, trace.operations.stream.back());
    QCOMPARE(trace.events[0].stream, trace.operations.stream.back());
    QCOMPARE(trace.streams[trace.syncs[1].stream].id, 99U);
    QCOMPARE(trace.streams[trace.syncs[1].stream].device, 0U);
}

void tst_TraceLanes::operationsOfAStreamLieTogether_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        QTest::addRow("seed %u", seed) << seed;
    }
}

void tst_TraceLanes::operationsOfAStreamLieTogether()
{
    QFETCH(std::uint32_t, seed);
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t limit) { return static_cast<Ns>(random() % limit); };
    TraceFixture f;
    f.builder.write(WindowRecord {0, WindowRecord::begin});
    std::vector<std::uint32_t> correlations;
    for (int i = 0; i < 10; ++i) {
        correlations.push_back(f.call("cudaGraphLaunch", i, i + 1));
    }
    using Operation = std::tuple<Ns, Ns, std::uint32_t, std::uint32_t>;  // start, end, stream, correlation
    std::vector<Operation> written;
    for (std::uint32_t i = 0; i < seed * 20; ++i) {
        const Ns start = 1 + below(100);  // many begin at once
        const Operation operation {start, start + below(9), 7 + below(1 + seed % 5), correlations[random() % 10]};
        const auto [from, to, stream, correlation] = operation;
        if (below(3) == 0) {
            f.copy(CopyKind::h2d, stream, from, to, 4096, correlation);
        } else {
            f.kernel(stream, from, to, correlation);
        }
        written.push_back(operation);
    }
    const auto trace = f.finish();
    QCOMPARE(QString::fromStdString(unsoundness(trace)), QString());

    const auto& table = trace.operations;
    const auto read = [&](Row row) {
        return Operation {
            table.start[row], table.end[row], trace.streams[table.stream[row]].id, table.correlation[row]};
    };
    std::vector<Operation> by_stream;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto rows = trace.operations_of(stream);
        for (auto row = rows.begin; row < rows.end; ++row) {
            by_stream.push_back(read(row));
        }
    }
    const auto times = [](const Operation& o) { return std::tuple(std::get<0>(o), std::get<1>(o)); };
    std::stable_sort(written.begin(), written.end(), [&](const Operation& a, const Operation& b) {
        return std::tuple(std::get<2>(a), times(a)) < std::tuple(std::get<2>(b), times(b));
    });
    QCOMPARE(by_stream.size(), written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {  // of equals the kernels come first
        QVERIFY(std::tuple(std::get<2>(by_stream[i]), times(by_stream[i]))
            == std::tuple(std::get<2>(written[i]), times(written[i])));
    }
    QVERIFY(std::is_permutation(written.begin(), written.end(), by_stream.begin()));

    std::vector<Row> expected(table.size());
    std::iota(expected.begin(), expected.end(), 0U);
    std::stable_sort(expected.begin(), expected.end(), [&](Row a, Row b) { return table.start[a] < table.start[b]; });
    QCOMPARE(trace.operations_by_time(), expected);
}

void tst_TraceLanes::threadsInTheirOrder()
{
    TraceFixture f;
    f.process = 50;
    f.thread = 70;
    f.call("late", 30, 31);
    f.thread = 60;
    f.call("early", 10, 11);
    f.thread = 50;
    f.call("main", 90, 91);
    f.thread = 99;
    f.name_thread("loader", 1);
    f.thread = 98;
    f.name_thread("first", 0);
    f.process = 7;
    f.thread = 8;
    f.span(HostSpanRecord::work, "work", 1, 2);
    const auto trace = f.finish();
    std::vector<std::uint32_t> ids;
    for (const auto& thread : trace.threads) {
        ids.push_back(thread.id);
    }
    QCOMPARE(ids, (std::vector<std::uint32_t> {8, 98, 99, 50, 60, 70}));
    QCOMPARE(trace.threads[5].order, 4U);
    QCOMPARE(trace.calls.thread, (std::vector<Row> {4, 5, 3}));
    QCOMPARE(trace.processes.size(), std::size_t {2});
    QCOMPARE(trace.processes[0].id, 7U);
}

void tst_TraceLanes::labels()
{
    TraceFixture f;
    f.name_stream(9, "copy");
    f.kernel(7, 0, 1);
    const auto trace = f.finish();
    QCOMPARE(trace.label_of(trace.streams[0]), std::string("stream 7"));
    QCOMPARE(trace.label_of(trace.streams[1]), std::string("copy"));
    QCOMPARE(trace.full_label_of(trace.streams[0]), std::string("stream 7"));
    TraceFixture two;
    two.kernel(7, 0, 1);
    two.device = 1;
    two.kernel(7, 0, 1);
    two.process = 2;
    two.kernel(7, 0, 1);
    const auto of_two = two.finish();
    QCOMPARE(of_two.full_label_of(of_two.streams[0]), std::string("stream 7 (GPU 0)"));
    QCOMPARE(of_two.full_label_of(of_two.streams[1]), std::string("stream 7 (GPU 1, process 1)"));
    QCOMPARE(of_two.full_label_of(of_two.streams[2]), std::string("stream 7 (GPU 1, process 2)"));
    for (const auto source : {Source::cupti, Source::model, Source::predicted, Source::kineto, Source::nsys,
             Source::chrome, Source::unknown}) {
        QCOMPARE(source_of(name_of(source)), source);
    }
    QCOMPARE(source_of("none"), Source::unknown);
    QCOMPARE(source_of(""), Source::unknown);
}

QTEST_GUILESS_MAIN(tst_TraceLanes)
#include "tst_trace_lanes.moc"
