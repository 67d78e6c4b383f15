// SPDX-License-Identifier: MIT
// A trace large enough to be made by several threads: each operation and each call is what its record says.
#include "engine/trace/trace_builder.h"
#include "tests/engine/trace/trace_soundness.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace lanes;

class tst_LargeTrace : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void isSound();
    void operationsAreTheirRecords();
    void callsAreTheirRecords();
    void detailsAreInTheOrderOfTheirOperations();

private:
    Trace m_trace;
};

namespace {

constexpr std::uint32_t count = 240'000;  // enough for several threads
constexpr std::uint32_t process = 77;
constexpr Ns origin = 1'000'000'000;

/// What is known of operation and call number `i`, whose correlation is i + 1.
OperationKind kindOf(std::uint32_t i)
{
    return i % 6 == 0 ? OperationKind::d2h : i % 6 == 1 ? OperationKind::memset : OperationKind::kernel;
}
std::uint32_t streamOf(std::uint32_t i)
{
    return 7 + i * 2654435761U % 5;
}
Ns callStart(std::uint32_t i)
{
    return 10 * Ns {i};
}
Ns operationStart(std::uint32_t i)  // some before their calls
{
    return callStart(i) + (i % 100 == 0 ? -5 : 3) + i % 3;
}

}  // namespace

void tst_LargeTrace::initTestCase()
{
    TraceBuilder builder;
    builder.write(ContextRecord {.process = process, .device = 0, .context = 1, .null_stream = 7});
    builder.write(CounterRecord {origin - 100, 0, process, no_id, builder.intern("first"), CounterRecord::none});
    const auto launch = builder.intern("cudaLaunchKernel");
    const auto copying = builder.intern("cudaMemcpyAsync");
    std::vector<StringId> names;
    for (int i = 0; i < 50; ++i) {
        names.push_back(builder.intern("kernel_" + std::to_string(i)));
    }
    // In a random order, like the buffers of many threads.
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(3));
    for (const auto i : order) {
        builder.write(ApiCallRecord {.start = origin + callStart(i),
            .end = origin + callStart(i) + 8,
            .process = process,
            .thread = process + i % 4,
            .correlation = i + 1,
            .name = kindOf(i) == OperationKind::d2h ? copying : launch,
            .api = ApiCallRecord::runtime,
            .result = static_cast<std::int32_t>(i % 7)});
        const auto fill = [&](OperationRecord& r) {
            r.start = origin + operationStart(i);
            r.end = r.start + 1 + i % 20;
            r.process = process;
            r.device = 0;
            r.context = 1;
            r.stream = streamOf(i);
            r.correlation = i + 1;
        };
        if (kindOf(i) == OperationKind::kernel) {
            KernelRecord r {};
            fill(r);
            r.name = names[i % names.size()];
            r.grid[0] = i % 30 + 1;
            r.grid[1] = r.grid[2] = r.block[0] = r.block[1] = r.block[2] = 1;
            builder.write(r);
        } else if (kindOf(i) == OperationKind::memset) {
            MemsetRecord r {};
            fill(r);
            r.bytes = i;
            builder.write(r);
        } else {
            CopyRecord r {};
            fill(r);
            r.bytes = i;
            r.copy = CopyKind::d2h;
            r.source_device = r.target_device = no_id;
            builder.write(r);
        }
    }
    m_trace = builder.finish(Source::cupti);
}

void tst_LargeTrace::isSound()
{
    QCOMPARE(QString::fromStdString(unsoundness(m_trace)), QString());
    QCOMPARE(m_trace.operations.size(), std::size_t {count});
    QCOMPARE(m_trace.calls.size(), std::size_t {count});
    QCOMPARE(m_trace.threads.size(), std::size_t {4});
    QCOMPARE(m_trace.streams.size(), std::size_t {5});
    QCOMPARE(m_trace.meta.at("clock_violations"), std::to_string(count / 100));
}

void tst_LargeTrace::operationsAreTheirRecords()
{
    const auto& o = m_trace.operations;
    for (Row row = 0; row < o.size(); ++row) {
        const auto i = o.correlation[row] - 1;
        QVERIFY(i < count);
        QCOMPARE(o.kind[row], kindOf(i));
        QCOMPARE(o.start[row] + m_trace.origin, origin + operationStart(i));
        QCOMPARE(o.end[row] - o.start[row], Ns {1} + i % 20);
        QCOMPARE(m_trace.streams[o.stream[row]].id, streamOf(i));
        QCOMPARE(m_trace.calls.correlation[o.call[row]], i + 1);
        if (o.kind[row] == OperationKind::kernel) {
            QCOMPARE(m_trace.text(o.name[row]), "kernel_" + std::to_string(i % 50));
            QCOMPARE(m_trace.kernels[o.detail[row]].grid[0], i % 30 + 1);
            QCOMPARE(m_trace.kernels[o.detail[row]].full_name, o.name[row]);
        } else {
            QCOMPARE(m_trace.bytes_of(row), std::uint64_t {i});
            QCOMPARE(m_trace.text(o.name[row]), o.kind[row] == OperationKind::memset ? "Memset" : "Memcpy DtoH");
            QCOMPARE(o.kind[row] == OperationKind::d2h,
                o.kind[row] != OperationKind::memset && m_trace.copies[o.detail[row]].async);  // its call says so
        }
    }
}

void tst_LargeTrace::callsAreTheirRecords()
{
    const auto& c = m_trace.calls;
    for (Row row = 0; row < c.size(); ++row) {
        QCOMPARE(c.correlation[row], row + 1);  // they begin in the order of their numbers
        QCOMPARE(c.start[row] + m_trace.origin, origin + callStart(row));
        QCOMPARE(c.end[row] - c.start[row], Ns {8});
        QCOMPARE(m_trace.threads[c.thread[row]].id, process + row % 4);
        QCOMPARE(c.result[row], static_cast<std::int32_t>(row % 7));
        QCOMPARE(c.outer[row], no_row);
        QCOMPARE(c.step[row], no_id);
    }
}

void tst_LargeTrace::detailsAreInTheOrderOfTheirOperations()
{
    std::array<Row, 2> next {};
    Row kernels = 0;
    for (Row row = 0; row < m_trace.operations.size(); ++row) {
        const auto detail = m_trace.operations.detail[row];
        if (const auto kind = m_trace.operations.kind[row]; kind == OperationKind::kernel) {
            QVERIFY(detail <= kernels);
            kernels = std::max(kernels, detail + 1);
        } else {
            QCOMPARE(detail, next[kind == OperationKind::memset ? 1 : 0]++);
        }
    }
    QCOMPARE(std::size_t {kernels}, m_trace.kernels.size());
    QVERIFY(m_trace.kernels.size() <= 150);  // 50 names and 30 sizes that go together
}

QTEST_APPLESS_MAIN(tst_LargeTrace)
#include "tst_large_trace.moc"
