// SPDX-License-Identifier: MIT
#include "engine/trace/event.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

class tst_Event : public QObject {
    Q_OBJECT

private slots:
    void everyFactOfEveryKind_data();
    void everyFactOfEveryKind();
    void everyRowOfEveryTable();
    void nothing();

private:
    Trace m_trace = [] {
        Tape tape;
        tape.thread(1, "main", 0);
        tape.thread(2, "loader", 1);
        auto& builder = tape.builder();
        const auto step = [&](Ns time, std::uint32_t thread, std::uint32_t number) {
            builder.write(StepRecord {.start = Tape::origin + time,
                .process = Tape::process,
                .thread = thread,
                .step = number,
                .instruction = 0});
        };
        step(0, 1, 3);
        const auto launch = tape.call("cudaLaunchKernel", 10, 40);
        tape.kernel(launch, 17, 100, 180);
        step(50, 1, 4);
        const auto copy = tape.call("cudaMemcpyAsync", 60, 90);
        tape.copy(copy, 17, 200, 300, CopyKind::d2h, MemoryKind::pinned, true, 0, 64 << 10);
        step(95, 2, 9);
        tape.memset(0, 17, 310, 311);
        tape.range("epoch", 5, 500);
        tape.mark("here", 20, 2);
        tape.host_span(HostSpanRecord::work, 110, 140, 2);
        tape.host_span(HostSpanRecord::queue_get, 150, 160, 2);
        tape.host_span(HostSpanRecord::staging, 170, 180, 1);
        tape.read("y", 400, 410, 4096, 0);
        return tape.finish();
    }();
};

void tst_Event::everyFactOfEveryKind_data()
{
    QTest::addColumn<int>("table");
    QTest::addColumn<Row>("row");
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<Ns>("start");
    QTest::addColumn<Ns>("end");
    QTest::addColumn<QByteArray>("lane");
    QTest::addColumn<Row>("call");
    QTest::addColumn<std::uint32_t>("step");
    QTest::addColumn<std::uint64_t>("bytes");
    const auto row = [](const char* tag, EventTable table, Row at, const char* kind, const char* name, Ns start, Ns end,
                         const char* lane, Row call, std::uint32_t step, std::uint64_t bytes) {
        QTest::newRow(tag) << static_cast<int>(table) << at << QByteArray(kind) << QByteArray(name) << start << end
                           << QByteArray(lane) << call << step << bytes;
    };
    using enum EventTable;
    row("kernel", operations, 0, "kernel", "work", 100, 180, "stream 17", 0, 3, 0);
    row("copy", operations, 1, "d2h", "Memcpy DtoH", 200, 300, "stream 17", 1, 4, 64 << 10);
    row("memset without its call", operations, 2, "memset", "Memset", 310, 311, "stream 17", no_row, no_id, 4096);
    row("call", calls, 0, "call", "cudaLaunchKernel", 10, 40, "main", 0, 3, 0);
    row("call of the next step", calls, 1, "call", "cudaMemcpyAsync", 60, 90, "main", 1, 4, 0);
    row("range", ranges, 0, "range", "epoch", 5, 500, "main", no_row, no_id, 0);
    row("mark", ranges, 1, "mark", "here", 20, 20, "loader", no_row, no_id, 0);
    row("work", host_spans, 0, "work", "span", 110, 140, "loader", no_row, 9, 0);
    row("wait", host_spans, 1, "wait", "span", 150, 160, "loader", no_row, 9, 0);
    row("staging", host_spans, 2, "staging", "span", 170, 180, "main", no_row, 4, 0);
    row("read", reads, 0, "read", "y", 400, 410, "main", no_row, 4, 4096);
}

void tst_Event::everyFactOfEveryKind()
{
    QFETCH(int, table);
    QFETCH(Row, row);
    QFETCH(Ns, start);
    QFETCH(Ns, end);
    QFETCH(QByteArray, lane);
    const EventRef event {static_cast<EventTable>(table), row};
    const auto bytes
        = [](std::string_view text) { return QByteArray(text.data(), static_cast<qsizetype>(text.size())); };
    QVERIFY(row < size_of(m_trace, event.table));
    QTEST(bytes(name_of(kind_of(m_trace, event))), "kind");
    QTEST(bytes(m_trace.text(name_of(m_trace, event))), "name");
    QCOMPARE(span_of(m_trace, event), (Interval {start, end}));
    const Row at = lane_of(m_trace, event);
    QCOMPARE(event.table == EventTable::operations ? QByteArray::fromStdString(m_trace.label_of(m_trace.streams[at]))
                                                   : bytes(m_trace.text(m_trace.threads[at].name)),
        lane);
    QTEST(call_of(m_trace, event), "call");
    QTEST(step_of(m_trace, event), "step");
    QTEST(bytes_of(m_trace, event), "bytes");
    const Row call = call_of(m_trace, event);
    QCOMPARE(correlation_of(m_trace, event), call == no_row ? 0 : m_trace.calls.correlation[call]);
}

void tst_Event::everyRowOfEveryTable()
{
    std::size_t events = 0;
    for (const EventTable table : event_tables) {
        events += size_of(m_trace, table);
    }
    QCOMPARE(events, std::size_t {3 + 2 + 2 + 3 + 1});
}

void tst_Event::nothing()
{
    QVERIFY(!EventRef {});
    QCOMPARE(size_of(m_trace, EventTable::none), std::size_t {0});
    QCOMPARE(span_of(m_trace, {}), Interval {});
    QCOMPARE(lane_of(m_trace, {}), no_row);
    QCOMPARE(call_of(m_trace, {}), no_row);
    QCOMPARE(step_of(m_trace, {}), no_id);
}

QTEST_APPLESS_MAIN(tst_Event)
#include "tst_event.moc"
