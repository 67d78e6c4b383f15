// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/thread_items.h"
#include "engine/trace/event.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

class tst_ThreadItems : public QObject {
    Q_OBJECT

private slots:
    void inTheOrderOfTheirStarts();
};

namespace {

constexpr Ns us = 1000;

std::string items_of(const Trace& trace, Row thread)
{
    const ThreadItems items(trace);
    std::string text;
    for (std::size_t place = 0; place < items.size(thread); ++place) {
        const auto event = items.at(thread, place);
        text += (event.table == EventTable::calls          ? "call "
                        : event.table == EventTable::reads ? "read "
                                                           : "span ")
            + std::to_string(span_of(trace, event).start / us) + "  ";
    }
    return text;
}

}  // namespace

void tst_ThreadItems::inTheOrderOfTheirStarts()
{
    Tape tape;
    tape.thread(1, "main", 0);
    tape.call("cudaMemcpy", 20 * us, 50 * us);
    tape.call("cuMemcpyDtoH_v2", 25 * us, 45 * us, 1, ApiCallRecord::driver);  // within the one before
    tape.call("cudaFree", 5 * us, 10 * us, 2);
    tape.host_span(HostSpanRecord::work, 10 * us, 20 * us);
    tape.host_span(HostSpanRecord::staging, 22 * us, 40 * us);
    tape.read("x", 20 * us, 21 * us, 64, 0);
    tape.call("cudaMalloc", 0, 4 * us);
    const auto trace = tape.finish();
    QCOMPARE(trace.threads.size(), std::size_t {2});
    const auto main = trace.threads[0].id == 1 ? 0U : 1U;
    QCOMPARE(items_of(trace, main), std::string("call 0  span 10  call 20  read 20  "));
    QCOMPARE(items_of(trace, 1 - main), std::string("call 5  "));
    for (Row row = 0; row < trace.host_spans.size(); ++row) {
        QCOMPARE(is_thread_item(trace, {EventTable::host_spans, row}),
            trace.host_spans[row].type != HostSpanRecord::staging);
    }
    QVERIFY(!is_thread_item(trace, {EventTable::operations, 0}));
}

QTEST_APPLESS_MAIN(tst_ThreadItems)
#include "tst_thread_items.moc"
