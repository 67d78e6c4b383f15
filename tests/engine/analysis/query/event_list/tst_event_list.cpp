// SPDX-License-Identifier: MIT
#include "engine/analysis/query/event_list.h"
#include "engine/trace/event.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace lanes;

namespace {

/// Events of every table on several lanes, at so few times that many begin together.
Trace random_trace(std::mt19937& random)
{
    const auto below = [&](std::uint32_t most) { return static_cast<Ns>(random() % most); };
    Tape tape;
    for (int i = 0; i < 120; ++i) {
        const Ns start = below(40);
        const Ns end = start + below(20);
        const auto lane = static_cast<std::uint32_t>(1 + below(3));
        switch (below(5)) {
        case 0:
            tape.call("cudaLaunchKernel", start, end, lane);
            break;
        case 1:
            tape.kernel(0, lane, start, end, static_cast<std::uint32_t>(below(2)));
            break;
        case 2:
            tape.range("range", start, end, lane);
            break;
        case 3:
            tape.host_span(HostSpanRecord::work, start, end, lane);
            break;
        default:
            tape.read("y", start, end, 8, 0);
        }
    }
    return tape.finish();
}

int place_of(EventTable table)
{
    return table == EventTable::calls ? 0 : table == EventTable::operations ? 1 : static_cast<int>(table);
}

}  // namespace

class tst_EventList : public QObject {
    Q_OBJECT

private slots:
    void againstOracle();
    void nothing();
    void stopped();
};

void tst_EventList::againstOracle()
{
    std::mt19937 random(3);
    for (int run = 0; run < 200; ++run) {
        const Trace trace = random_trace(random);
        const auto kept = static_cast<Row>(1 + random() % 4);
        const auto wanted = [&](EventRef event) { return event.row % kept == 0; };
        std::vector<EventRef> expected;
        for (const EventTable table : event_tables) {
            for (Row row = 0; row < size_of(trace, table); ++row) {
                if (wanted({table, row})) {
                    expected.push_back({table, row});
                }
            }
        }
        std::sort(expected.begin(), expected.end(), [&](EventRef a, EventRef b) {
            return std::tuple(span_of(trace, a).start, place_of(a.table), a.row)
                < std::tuple(span_of(trace, b).start, place_of(b.table), b.row);
        });
        const EventList list(trace, wanted);
        QCOMPARE(list.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QVERIFY(list[i] == expected[i]);
            QCOMPARE(list.start(i), span_of(trace, expected[i]).start);
            QCOMPARE(list.find(expected[i]), std::optional(i));
        }
        for (const EventTable table : event_tables) {
            for (Row row = 0; row < size_of(trace, table); ++row) {
                QCOMPARE(list.find({table, row}).has_value(), wanted({table, row}));
            }
        }
        for (Ns time = -1; time < 62; ++time) {
            const auto at = std::find_if(
                expected.begin(), expected.end(), [&](EventRef event) { return span_of(trace, event).start >= time; });
            QCOMPARE(list.first_from(time), static_cast<std::size_t>(at - expected.begin()));
        }
    }
}

void tst_EventList::nothing()
{
    QVERIFY(EventList().empty());
    QVERIFY(!EventList().find({EventTable::calls, 0}));
    QCOMPARE(EventList().first_from(0), std::size_t {0});
    std::mt19937 random(5);
    const Trace trace = random_trace(random);
    const EventList none(trace, [](EventRef) { return false; });
    QVERIFY(none.empty() && !none.find({EventTable::calls, 0}) && !none.find({}));
}

void tst_EventList::stopped()
{
    std::mt19937 random(7);
    const Trace trace = random_trace(random);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(EventList(
        trace, [](EventRef) { return true; }, stop.get_token())
                .empty());
}

QTEST_APPLESS_MAIN(tst_EventList)
#include "tst_event_list.moc"
