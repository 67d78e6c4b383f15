// SPDX-License-Identifier: MIT
// Successive queries, and the records they become.
#include "probes/cupti/query_spins.h"

#include <algorithm>
#include <numeric>
#include <QTest>
#include <random>
#include <tuple>

using namespace lanes;

namespace {

constexpr std::int32_t ready = 0, not_ready = 600, failed = 700;
constexpr StringId event_query = 1, stream_query = 2, launch = 3;

/// One iteration of a program: a query (of `event`; 0: CUPTI does not say which) or another call.
struct Turn {
    std::uint32_t thread;
    Ns start, end;
    StringId name = event_query;
    std::int32_t result = not_ready;
    std::uint32_t event = 5;
};

struct Outcome {
    std::vector<ApiCallRecord> calls;
    std::vector<SyncRecord> syncs;
    std::vector<QuerySpinRecord> spins;
};

/// Correlations count from 1 in the order of the turns.
Outcome joined(const std::vector<Turn>& turns, unsigned shuffle = 0)
{
    std::vector<std::size_t> order(turns.size());
    std::iota(order.begin(), order.end(), std::size_t {0});
    std::mt19937 random(shuffle);
    std::shuffle(order.begin(), order.begin() + (shuffle == 0 ? 0 : static_cast<std::ptrdiff_t>(order.size())), random);
    RecordBatch batch;
    QuerySpins spins;
    for (const auto i : order) {
        const auto& turn = turns[i];
        const auto correlation = static_cast<std::uint32_t>(i + 1);
        const ApiCallRecord call {
            turn.start, turn.end, 1, turn.thread, correlation, turn.name, ApiCallRecord::runtime, turn.result};
        if (turn.name == launch) {
            batch.add(call);
        } else {
            spins.add(call);
        }
        if (turn.name != launch && turn.event != 0) {
            batch.add(SyncRecord {.start = turn.start,
                .end = turn.end,
                .process = 1,
                .context = 1,
                .stream = no_id,
                .correlation = correlation,
                .event_id = turn.event,
                .event_sync = turn.event,
                .type = SyncRecord::unknown,
                .result = 0});
        }
    }
    spins.join(batch);
    Outcome outcome {batch.of<ApiCallRecord>(), batch.of<SyncRecord>(), batch.of<QuerySpinRecord>()};
    const auto by_start = [](const auto& a, const auto& b) {
        return std::tuple(a.start, a.correlation) < std::tuple(b.start, b.correlation);
    };
    std::sort(outcome.calls.begin(), outcome.calls.end(), by_start);
    std::sort(outcome.syncs.begin(), outcome.syncs.end(), by_start);
    std::sort(outcome.spins.begin(), outcome.spins.end(), by_start);
    return outcome;
}

/// "0-30 x3 ready" of each spin, "0-10" of each other call; each with its correlation first.
QStringList told(const Outcome& outcome)
{
    QStringList all;
    for (const auto& call : outcome.calls) {
        auto text = QString("%1: %2-%3").arg(call.correlation).arg(call.start).arg(call.end);
        for (const auto& spin : outcome.spins) {
            if (spin.correlation == call.correlation) {
                text += QString(" x%1 %2")
                            .arg(spin.queries)
                            .arg(spin.succeeded == QuerySpinRecord::ready        ? "ready"
                                    : spin.succeeded == QuerySpinRecord::pending ? "pending"
                                                                                 : "unknown");
            }
        }
        all += text;
    }
    return all;
}

}  // namespace

class tst_QuerySpins : public QObject {
    Q_OBJECT

private slots:
    void knowsQueries();
    void joinsWhatIsOneSpin_data();
    void joinsWhatIsOneSpin();
    void keepsOneSynchronisation();
    void losesNothing_data();
    void losesNothing();
    void isEmptyAfterwards();
};

void tst_QuerySpins::knowsQueries()
{
    QVERIFY(is_query(ApiCallRecord::runtime, CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020));
    QVERIFY(is_query(ApiCallRecord::runtime, CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_ptsz_v7000));
    QVERIFY(is_query(ApiCallRecord::driver, CUPTI_DRIVER_TRACE_CBID_cuStreamQuery));
    QVERIFY(!is_query(ApiCallRecord::driver, CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020));
    QVERIFY(!is_query(ApiCallRecord::runtime, CUPTI_RUNTIME_TRACE_CBID_cudaEventSynchronize_v3020));
}

void tst_QuerySpins::joinsWhatIsOneSpin_data()
{
    QTest::addColumn<std::vector<Turn>>("turns");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* name, const std::vector<Turn>& turns, const QStringList& expected) {
        QTest::newRow(name) << turns << expected;
    };
    row("one that succeeds", {{1, 0, 10, event_query, ready}}, {"1: 0-10"});
    row("one that does not", {{1, 0, 10}}, {"1: 0-10"});
    row("to success", {{1, 0, 10}, {1, 12, 20}, {1, 22, 30, event_query, ready}}, {"3: 0-30 x3 ready"});
    row("given up", {{1, 0, 10}, {1, 12, 20}}, {"2: 0-20 x2 pending"});
    row("to an error", {{1, 0, 10}, {1, 12, 20, event_query, failed}}, {"2: 0-20 x2 unknown"});
    row("success ends it", {{1, 0, 10}, {1, 12, 20, event_query, ready}, {1, 22, 30}, {1, 32, 40}},
        {"2: 0-20 x2 ready", "4: 22-40 x2 pending"});
    row("a launch between", {{1, 0, 10}, {1, 12, 14}, {1, 15, 18, launch, 0}, {1, 22, 30}, {1, 32, 40}},
        {"2: 0-14 x2 pending", "3: 15-18", "5: 22-40 x2 pending"});
    row("another thread's launch between", {{1, 0, 10}, {2, 11, 12, launch, 0}, {1, 13, 20}},
        {"3: 0-20 x2 pending", "2: 11-12"});
    row("a launch before and one after",
        {{1, 0, 5, launch, 0}, {1, 5, 10}, {1, 10, 15, event_query, ready}, {1, 15, 20, launch, 0}},
        {"1: 0-5", "3: 5-15 x2 ready", "4: 15-20"});
    row("another event", {{1, 0, 10}, {1, 12, 20, event_query, not_ready, 6}}, {"1: 0-10", "2: 12-20"});
    row("a stream and an event", {{1, 0, 10}, {1, 12, 20, stream_query}}, {"1: 0-10", "2: 12-20"});
    row("nobody knows of what", {{1, 0, 10, stream_query, not_ready, 0}, {1, 12, 20, stream_query, ready, 0}},
        {"2: 0-20 x2 ready"});
    row("one is known", {{1, 0, 10, event_query, not_ready, 0}, {1, 12, 20}}, {"1: 0-10", "2: 12-20"});
    row("two threads", {{1, 0, 10}, {2, 1, 9}, {2, 11, 13}, {1, 12, 20}}, {"4: 0-20 x2 pending", "3: 1-13 x2 pending"});
    row("20 us between", {{1, 0, 10}, {1, 20'010, 20'020}}, {"2: 0-20020 x2 pending"});
    row("more between", {{1, 0, 10}, {1, 20'011, 20'020}}, {"1: 0-10", "2: 20011-20020"});
}

void tst_QuerySpins::joinsWhatIsOneSpin()
{
    QFETCH(std::vector<Turn>, turns);
    QFETCH(QStringList, expected);
    for (unsigned shuffle = 0; shuffle < 20; ++shuffle) {  // CUPTI's records are in no order
        QCOMPARE(told(joined(turns, shuffle)), expected);
    }
}

void tst_QuerySpins::keepsOneSynchronisation()
{
    const auto outcome = joined({{1, 0, 10}, {1, 12, 20}, {1, 22, 30, event_query, ready}, {1, 32, 40, launch, 0},
        {1, 42, 50, event_query, ready, 6}});
    QCOMPARE(outcome.syncs.size(), std::size_t {2});
    QCOMPARE(outcome.syncs[0].correlation, 3U);
    QCOMPARE(outcome.syncs[0].start, Ns {0});
    QCOMPARE(outcome.syncs[0].end, Ns {30});
    QCOMPARE(outcome.syncs[0].event_sync, 5U);
    QCOMPARE(outcome.syncs[1].correlation, 5U);
    QCOMPARE(outcome.syncs[1].start, Ns {42});
    QCOMPARE(outcome.spins.size(), std::size_t {1});
    QCOMPARE(outcome.spins[0].start, Ns {0});
    QCOMPARE(outcome.spins[0].end, Ns {30});
    QCOMPARE(outcome.spins[0].thread, 1U);
}

void tst_QuerySpins::losesNothing_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 50; ++seed) {
        QTest::addRow("%u", seed) << seed;
    }
}

/// Random threads: every query is in one call, and no call overlaps another of its thread.
void tst_QuerySpins::losesNothing()
{
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<Ns>(random() % n); };
    std::vector<Turn> turns;
    std::uint64_t queries = 0;
    std::uint64_t launches = 0;
    for (std::uint32_t thread = 1; thread <= 3; ++thread) {
        for (Ns at = below(50); at < 100'000;) {
            const bool is_launch = below(12) == 0;
            const Turn turn {thread, at, at + 1 + below(600),
                is_launch            ? launch
                    : below(10) == 0 ? stream_query
                                     : event_query,
                below(8) == 0 ? ready : not_ready, static_cast<std::uint32_t>(below(15) == 0 ? 6 : 5)};
            turns.push_back(turn);
            (is_launch ? launches : queries) += 1;
            at = turn.end + below(100) + (below(20) == 0 ? 30'000 : 0);
        }
    }
    const auto outcome = joined(turns, seed);
    std::uint64_t in_spins = 0;
    for (const auto& spin : outcome.spins) {
        QVERIFY(spin.queries >= 2);
        in_spins += spin.queries;
    }
    QCOMPARE(outcome.calls.size(), launches + queries - in_spins + outcome.spins.size());
    QCOMPARE(outcome.syncs.size(), queries - in_spins + outcome.spins.size());
    for (std::uint32_t thread = 1; thread <= 3; ++thread) {
        Ns end = -1;
        for (const auto& call : outcome.calls) {
            if (call.thread == thread) {
                QVERIFY(call.start >= end);
                end = call.end;
            }
        }
    }
}

void tst_QuerySpins::isEmptyAfterwards()
{
    QuerySpins spins;
    RecordBatch first;
    const ApiCallRecord query {0, 10, 1, 1, 1, event_query, ApiCallRecord::runtime, not_ready};
    auto next = query;
    next.start = 12;
    next.end = 20;
    next.correlation = 2;
    spins.add(query);
    spins.add(next);
    spins.join(first);
    RecordBatch second;
    spins.join(second);
    QVERIFY(second.of<ApiCallRecord>().empty());
    spins.add(query);
    spins.join(second);
    QCOMPARE(second.of<ApiCallRecord>().size(), std::size_t {1});
    QVERIFY(second.of<QuerySpinRecord>().empty());
    // A later spin, and a synchronisation with the first one's correlation.
    RecordBatch third;
    for (std::uint32_t i = 0; i < 2; ++i) {
        auto later = query;
        later.start = 100 + 20 * i;
        later.end = later.start + 10;
        later.correlation = 11 + i;
        spins.add(later);
    }
    SyncRecord sync {};
    sync.correlation = 1;
    third.add(sync);
    spins.join(third);
    QCOMPARE(third.of<QuerySpinRecord>().size(), std::size_t {1});
    QCOMPARE(third.of<SyncRecord>().size(), std::size_t {1});
}

QTEST_GUILESS_MAIN(tst_QuerySpins)
#include "tst_query_spins.moc"
