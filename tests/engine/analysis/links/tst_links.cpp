// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/graph/links.h"
#include "engine/store/recording_file.h"
#include "engine/trace/event.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

#include <algorithm>

using namespace lanes;
using Kind = Link::Kind;

namespace {

struct Linked {
    explicit Linked(Trace trace_)
        : trace(std::move(trace_))
        , blocking(find_blocking(trace))
        , links(trace, blocking)
    {
    }
    explicit Linked(const char* name)
        : Linked(
            open_recording(qgetenv("LANES_SOURCE").toStdString() + "/resources/recordings/h200/" + name + ".sqlite"))
    {
    }
    std::string_view name_of_call(Row row) const { return trace.text(trace.calls.name[row]); }

    Trace trace;
    Blocking blocking;
    Links links;
};

bool has(const std::vector<Link>& links, const Link& link)
{
    return std::find(links.begin(), links.end(), link) != links.end();
}

LinkEnd operation(Row row)
{
    return EventRef {EventTable::operations, row};
}

LinkEnd call(Row row)
{
    return EventRef {EventTable::calls, row};
}

}  // namespace

class tst_Links : public QObject {
    Q_OBJECT

private slots:
    void againstOracle_data();
    void againstOracle();
    void everyStretchOfACallIsLinked();
    void eventsHoldBackWhatWaits();
    void bracketsWalkTheChain();
    void backwardOfAnOperator();
    void backwardOfWhatIsAroundANode();
    void nothingIsFine();
};

void tst_Links::againstOracle_data()
{
    QTest::addColumn<QByteArray>("recording");
    for (const char* name :
        {"copy-results-back.overlapped", "copy-results-back.blocking", "item-every-batch.every-10"}) {
        QTest::newRow(name) << QByteArray(name);
    }
}

void tst_Links::againstOracle()
{
    QFETCH(QByteArray, recording);
    const Linked linked(recording.constData());
    const auto& [trace, blocking, links] = linked;
    std::vector<Row> first(trace.calls.size(), no_row);
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const Row by = outermost(trace.calls, trace.operations.call[row]);
        QVERIFY(links.cause_of(operation(row)) == (by == no_row ? LinkEnd {} : call(by)));
        if (by != no_row) {
            QVERIFY(has(links.of(operation(row)), {Kind::issue, call(by), operation(row)}));
            if (first[by] == no_row || trace.operations.start[row] < trace.operations.start[first[by]]) {
                first[by] = row;
            }
        }
    }
    for (Row row = 0; row < trace.calls.size(); ++row) {
        QCOMPARE(links.issued_by(row), first[row]);
        if (first[row] != no_row) {
            QVERIFY(links.effect_of(call(row)) == operation(first[row]));
        }
    }
    for (Row i = 0; i < blocking.calls.size(); ++i) {
        const Row by = blocking.calls[i].released_by;
        const LinkEnd held {call(blocking.calls[i].call).event, i};
        QVERIFY(links.cause_of(held) == (by == no_row ? LinkEnd {} : operation(by)));
        if (by != no_row) {
            QVERIFY(has(links.of(operation(by)), {Kind::release, operation(by), held}));
            QVERIFY(has(links.of(held), {Kind::release, operation(by), held}));
            QVERIFY(has(links.of(held.event), {Kind::release, operation(by), held}));
            QVERIFY(links.effect_of(operation(by)).stretch != no_row);
        }
    }
}

void tst_Links::everyStretchOfACallIsLinked()
{
    constexpr Ns us = 1000;
    Tape tape;
    tape.stream(17, StreamRecord::non_blocking);
    const auto first = tape.call("cudaLaunchKernel", 0, 5 * us);
    tape.kernel(first, 17, 6 * us, 200 * us);
    const auto second = tape.call("cudaLaunchKernel", 8 * us, 12 * us);
    tape.kernel(second, 17, 200 * us, 400 * us);
    const auto held = tape.call("cudaLaunchKernel", 20 * us, 500 * us);
    tape.overhead(OverheadRecord::command_buffer_full, held, 1, 30 * us, 210 * us);
    tape.overhead(OverheadRecord::command_buffer_full, held, 1, 300 * us, 410 * us);
    tape.kernel(held, 17, 510 * us, 600 * us);
    const Linked linked(tape.finish());
    QCOMPARE(linked.blocking.of(2).size(), std::size_t {2});
    QVERIFY(has(linked.links.of(call(2)), {Kind::release, operation(0), {call(2).event, 0}}));
    QVERIFY(has(linked.links.of(call(2)), {Kind::release, operation(1), {call(2).event, 1}}));
    QVERIFY(!has(linked.links.of({call(2).event, 1}), {Kind::release, operation(0), {call(2).event, 0}}));
}

/// What an event ensures on a GPU: the operation after the wait starts no sooner than the one before the record ended.
void tst_Links::eventsHoldBackWhatWaits()
{
    for (const char* name : {"copy-results-back.overlapped", "default-stream.non-blocking"}) {
        const Linked linked(name);
        const auto& [trace, blocking, links] = linked;
        int waits = 0;
        for (Row row = 0; row < trace.operations.size(); ++row) {
            for (const Link& link : links.of(operation(row))) {
                if (link.kind != Kind::event) {
                    continue;
                }
                ++waits;
                QVERIFY(lane_of(trace, link.from.event) != lane_of(trace, link.to.event));
                QVERIFY(span_of(trace, link.to.event).start >= span_of(trace, link.from.event).end);
                QVERIFY(has(links.of(link.from), link) && has(links.of(link.to), link));
            }
        }
        for (Row row = 0; row < trace.calls.size(); ++row) {
            for (const Link& link : links.of(call(row))) {
                if (link.kind == Kind::event) {
                    QVERIFY(span_of(trace, link.from.event).start <= span_of(trace, link.to.event).start);
                    QCOMPARE(class_of(linked.name_of_call(link.from.event.row)), CallClass::event_record);
                }
            }
        }
        if (QByteArray(name).contains("overlapped")) {
            QVERIFY2(waits >= 8, qPrintable(QString::number(waits)));
        }
    }
}

void tst_Links::bracketsWalkTheChain()
{
    const Linked linked("copy-results-back.overlapped");
    const auto& [trace, blocking, links] = linked;
    for (Row row = 0; row < trace.calls.size(); ++row) {
        if (class_of(linked.name_of_call(row)) != CallClass::wait_event) {
            continue;
        }
        const LinkEnd record = links.cause_of(call(row));
        QCOMPARE(record.event.table, EventTable::calls);
        QCOMPARE(class_of(linked.name_of_call(record.event.row)), CallClass::event_record);
        QVERIFY(links.effect_of(record) == call(row));
        const LinkEnd before = links.cause_of(record);
        const LinkEnd behind = links.effect_of(call(row));
        QCOMPARE(before.event.table, EventTable::operations);
        QCOMPARE(behind.event.table, EventTable::operations);
        QVERIFY(span_of(trace, before.event).end <= span_of(trace, behind.event).start);
        return;
    }
    QFAIL("no wait in this recording");
}

void tst_Links::backwardOfAnOperator()
{
    TraceBuilder builder;
    const auto add = [&](std::uint64_t id, std::uint32_t forward_thread, std::uint32_t number) {
        const Ns start = static_cast<Ns>(id) * 1000;
        builder.write(RangeRecord {start, id, 1, 1, builder.intern("operator"), 0, 0, RangeRecord::begin});
        builder.write(RangeRecord {start + 500, id, 1, 1, 0, 0, 0, RangeRecord::finish});
        builder.write(AutogradRecord {id, 0, 1, number, forward_thread, 1});
    };
    add(1, 0, 8);
    add(2, 0, 9);
    add(3, 1, 9);
    add(4, 1, 8);
    add(5, 1, 8);  // what is in it has its number
    const Linked linked(builder.finish(Source::cupti));
    const auto& links = linked.links;
    const auto range = [](Row row) { return LinkEnd(EventRef {EventTable::ranges, row}); };
    QCOMPARE(links.of(range(0)),
        (std::vector<Link> {{Kind::backward, range(0), range(3)}, {Kind::backward, range(0), range(4)}}));
    QCOMPARE(links.of(range(2)), (std::vector<Link> {{Kind::backward, range(1), range(2)}}));
    QVERIFY(links.cause_of(range(4)) == range(0));
    QVERIFY(links.effect_of(range(0)) == range(3));
    QVERIFY(!links.cause_of(range(0)) && !links.effect_of(range(4)));
}

void tst_Links::backwardOfWhatIsAroundANode()
{
    TraceBuilder builder;
    const auto add = [&](std::uint64_t id, Ns start, Ns end, const char* name) {
        builder.write(RangeRecord {start, id, 1, 1, builder.intern(name), 0, 0, RangeRecord::begin});
        builder.write(RangeRecord {end, id, 1, 1, 0, 0, 0, RangeRecord::finish});
    };
    add(1, 1000, 1500, "aten::addmm");
    add(2, 2000, 2900, "autograd::engine::evaluate_function: AddmmBackward0");
    add(3, 2000, 2800, "backward of fc: Linear");  // it begins with the one around it and sorts before
    add(4, 2100, 2700, "AddmmBackward0");
    add(5, 3000, 3500, "autograd::engine::evaluate_function: TBackward0");  // its node is not recorded
    add(6, 4000, 4500, "AddmmBackward0");
    builder.write(AutogradRecord {1, 0, 1, 8, 0, 1});
    builder.write(AutogradRecord {4, 0, 1, 8, 1, 1});
    const Linked linked(builder.finish(Source::cupti));
    const auto range = [](Row row) { return LinkEnd(EventRef {EventTable::ranges, row}); };
    const Row around = 2;
    QCOMPARE(linked.trace.text(linked.trace.ranges[around].name).substr(0, 8), std::string_view("autograd"));
    QVERIFY(linked.links.cause_of(range(around)) == range(0));
    QCOMPARE(linked.links.of(range(around)), (std::vector<Link> {{Kind::backward, range(0), range(around)}}));
    QVERIFY(linked.links.effect_of(range(0)) == range(3));
    QVERIFY(!linked.links.cause_of(range(1)) && !linked.links.cause_of(range(4)));
}

void tst_Links::nothingIsFine()
{
    const Links none;
    QVERIFY(none.of(operation(3)).empty());
    QVERIFY(!none.cause_of(call(3)) && !none.effect_of({call(3).event, 3}));
    QCOMPARE(none.issued_by(3), no_row);
    const Linked linked("copy-results-back.overlapped");
    QVERIFY(linked.links.of({}).empty());
    QVERIFY(linked.links.of(EventRef {EventTable::ranges, 0}).empty());
}

QTEST_APPLESS_MAIN(tst_Links)
#include "tst_links.moc"
