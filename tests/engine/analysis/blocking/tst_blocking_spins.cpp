// SPDX-License-Identifier: MIT
// Spins of queries, one row each or joined by the recorder: blocked from the first query to the one that succeeds.
#include "tests/engine/analysis/blocking/edge_tape.h"

#include <algorithm>
#include <QTest>

using namespace lanes;
using namespace lanes::blocking_edges;

class tst_BlockingSpins : public QObject {
    Q_OBJECT

private slots:
    void spins_data();
    void spins();
    void spinOfAStream();
    void spinsOfTwoThreads();
    void spinThatPyTorchMakes();
    void queriesOfNobodyKnowsWhat();
    void joinedSpins_data();
    void joinedSpins();
    void joinedSpinsInPieces();
};

void tst_BlockingSpins::spins_data()
{
    QTest::addColumn<std::vector<std::int32_t>>("results");
    QTest::addColumn<Ns>("gap");
    QTest::addColumn<bool>("same");  // all of them ask for one event
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* name, std::vector<std::int32_t> results, Ns gap, bool same, const char* expected) {
        QTest::newRow(name) << results << gap << same << std::string(expected);
    };
    constexpr auto n = not_ready;
    row("until success", {n, n, n, 0}, us, true, "poll 100000..111000");
    row("once", {0}, us, true, "");
    row("until the thread has something else to do", {n, n, n, n}, us, true, "");
    row("until an error", {n, n, 700}, us, true, "");
    row("success and asked again", {n, 0, 0, 0}, us, true, "poll 100000..105000");
    row("two spins", {n, 0, n, 0}, us, true, "poll 100000..105000, poll 106000..111000");
    row("100 us between two", {n, 0}, 100 * us, true, "poll 100000..204000");
    row("more than that: it did something else meanwhile", {n, 0}, 100 * us + 1, true, "");
    row("of different events", {n, n, n, 0}, us, false, "");
}

void tst_BlockingSpins::spins()
{
    QFETCH(std::vector<std::int32_t>, results);
    QFETCH(Ns, gap);
    QFETCH(bool, same);
    QFETCH(std::string, expected);
    Tape tape;
    launch(tape, 0, 13, 6 * us, 110 * us);
    for (const std::uint32_t event_sync : {41U, 42U, 43U, 44U}) {
        record_event(tape, 10 * us, 13, event_sync);
    }
    Ns now = 100 * us;
    std::uint32_t event_sync = 41;
    for (const auto result : results) {
        query(tape, now, now + 2 * us, result, event_sync);
        event_sync += same ? 0 : 1;
        now += 2 * us + gap;
    }
    const auto trace = tape.finish();
    QCOMPARE(said(trace), expected);
    if (expected == "poll 100000..111000") {
        const auto stretch = find_blocking(trace).calls[0];
        QCOMPARE(stretch.released_by, 0U);
        QCOMPARE(trace.calls.end[stretch.call], 111 * us);
    }
}

void tst_BlockingSpins::spinOfAStream()
{
    Tape tape;
    launch(tape, 0, 13, 6 * us, 110 * us);
    launch(tape, 10 * us, 14, 16 * us, 110 * us);
    for (Ns i = 0; i < 10; ++i) {
        const Ns at = (100 + i) * us;
        const auto call = tape.call("cudaStreamQuery", at, at + us, 1, ApiCallRecord::runtime, i < 9 ? not_ready : 0);
        tape.sync(call, SyncRecord::unknown, at, at + us, i < 5 ? 13 : 14);
    }
    SAYS(tape, "poll 105000..110000");  // for stream 13 it never had an answer
}

void tst_BlockingSpins::spinsOfTwoThreads()
{
    Tape tape;
    launch(tape, 0, 13, 6 * us, 110 * us);
    for (Ns i = 0; i < 10; ++i) {  // one between the other's queries, which end its spin
        query(tape, (100 + 4 * i) * us, (101 + 4 * i) * us, i < 9 ? not_ready : 0, 41, "cudaEventQuery", 1);
        query(tape, (102 + 4 * i) * us, (103 + 4 * i) * us, i < 8 ? not_ready : 0, 42, "cudaEventQuery", 2);
        if (i == 4) {
            tape.call("cudaLaunchKernel", 119'200, 119'900, 2);
        }
    }
    SAYS(tape, "poll 100000..137000, poll 122000..135000");
}

void tst_BlockingSpins::spinThatPyTorchMakes()
{
    Tape tape;  // after each query it clears the error "not ready"
    launch(tape, 0, 13, 6 * us, 110 * us);
    for (Ns i = 0; i < 5; ++i) {
        query(tape, (100 + 4 * i) * us, (101 + 4 * i) * us, i < 4 ? not_ready : 0);
        tape.call("cudaGetLastError", (102 + 4 * i) * us, (103 + 4 * i) * us);
    }
    SAYS(tape, "poll 100000..117000");
}

void tst_BlockingSpins::queriesOfNobodyKnowsWhat()
{
    const auto ask = [](Tape& tape, Ns length, bool results) {
        launch(tape, 0, 13, 6 * us, 110 * us);
        for (Ns i = 0; i < 5; ++i) {
            const Ns at = 100 * us + i * length;
            tape.call("cudaEventQuery", at, at + length, 1, ApiCallRecord::runtime, results && i < 4 ? not_ready : 0);
        }
    };
    Tape tape;  // the event is not recorded
    ask(tape, 5 * us, true);
    SAYS(tape, "?poll");
    Tape quick;  // 20 us in all: an ordinary call takes as long
    ask(quick, 4 * us, true);
    SAYS(quick, "");
    Tape kineto;  // the answers are not recorded
    ask(kineto, 5 * us, false);
    QCOMPARE(said(kineto.finish(Source::kineto)), std::string("?poll"));
    Tape ready;  // each query found its event done: no spin
    ask(ready, 5 * us, false);
    SAYS(ready, "");
}

void tst_BlockingSpins::joinedSpins_data()
{
    QTest::addColumn<std::uint32_t>("queries");
    QTest::addColumn<int>("succeeded");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("until success") << 13'400U << int {QuerySpinRecord::ready} << std::string("poll 20000..9050000");
    QTest::newRow("until something else was to do") << 13'400U << int {QuerySpinRecord::pending} << std::string();
    QTest::newRow("nobody knows") << 13'400U << int {QuerySpinRecord::not_known} << std::string("?poll");
    QTest::newRow("of one query") << 1U << int {QuerySpinRecord::ready} << std::string();
}

void tst_BlockingSpins::joinedSpins()
{
    QFETCH(std::uint32_t, queries);
    QFETCH(int, succeeded);
    QFETCH(std::string, expected);
    Tape tape;
    launch(tape, 0, 13, 6 * us, 9 * ms);
    record_event(tape, 10 * us, 13, 41);
    const auto call = tape.call("cudaEventQuery", 20 * us, 9050 * us);
    tape.sync(call, SyncRecord::unknown, 20 * us, 9050 * us, no_id, 5, 41);
    tape.query_spin(call, 20 * us, 9050 * us, queries, static_cast<QuerySpinRecord::Success>(succeeded));
    SAYS(tape, expected);
}

/// The recorder hands on its buffers periodically: a spin that lasts longer is in pieces.
void tst_BlockingSpins::joinedSpinsInPieces()
{
    for (const Ns pause : {Ns {1}, 33 * us, 100 * us + 1}) {
        Tape tape;
        launch(tape, 0, 13, 6 * us, 900 * ms);
        record_event(tape, 10 * us, 13, 41);
        const auto piece = [&](Ns start, Ns end, std::uint32_t queries, QuerySpinRecord::Success succeeded) {
            const auto result = succeeded == QuerySpinRecord::ready ? 0 : 600;
            const auto call = tape.call("cudaEventQuery", start, end, 1, ApiCallRecord::runtime, result);
            tape.sync(call, SyncRecord::unknown, start, end, no_id, 5, 41);
            if (queries > 1) {
                tape.query_spin(call, start, end, queries, succeeded);
            }
        };
        piece(20 * us, 250 * ms, 300'000, QuerySpinRecord::pending);
        piece(250 * ms + pause, 500 * ms, 300'000, QuerySpinRecord::pending);
        piece(500 * ms + us, 500 * ms + 2 * us, 1, QuerySpinRecord::pending);
        piece(500 * ms + 3 * us, 901 * ms, 300'000, QuerySpinRecord::ready);
        SAYS(tape, pause <= 100 * us ? "poll 20000..901000000" : "poll 250100001..901000000");
    }
}
QTEST_GUILESS_MAIN(tst_BlockingSpins)
#include "tst_blocking_spins.moc"
