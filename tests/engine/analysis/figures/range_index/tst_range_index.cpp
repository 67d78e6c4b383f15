// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/range_index.h"
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"
#include "tests/effort.h"
#include "tests/engine/analysis/concurrency.h"
#include "tests/engine/trace/random_records.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QDir>
#include <QTest>
#include <random>

using namespace lanes;

namespace {

constexpr std::size_t kinds = 7;

/// Looks at every operation; with `kept`, at those.
RangeSummary summary_of(const Trace& trace, Interval range, const std::vector<bool>* kept = nullptr)
{
    RangeSummary summary;
    summary.range = range;
    if (range.start >= range.end) {
        return summary;
    }
    const auto& table = trace.operations;
    std::vector<std::vector<Interval>> streams(trace.streams.size());
    std::array<std::vector<Interval>, kinds> by_kind;
    std::vector<Interval> copies;
    for (Row row = 0; row < table.size(); ++row) {
        const Ns start = table.start[row];
        const Ns end = table.end[row];
        const bool touches
            = start == end ? start >= range.start && start <= range.end : start < range.end && end > range.start;
        if (!touches || (kept != nullptr && !(*kept)[row])) {
            continue;
        }
        const Interval part {std::max(start, range.start), std::min(end, range.end)};
        const auto kind = static_cast<std::size_t>(table.kind[row]);
        auto& of = summary.kinds[kind];
        ++of.count;
        streams[table.stream[row]].push_back(part);
        by_kind[kind].push_back(part);
        // What was done up to a time, rounded down: the difference of two is what was done between them.
        __extension__ using Wide = unsigned __int128;
        const auto bytes = trace.bytes_of(row);
        const auto until = [&](Ns time) {
            return start == end ? (time > start ? bytes : 0)
                                : static_cast<std::uint64_t>(static_cast<Wide>(bytes)
                                    * static_cast<std::uint64_t>(std::clamp(time, start, end) - start)
                                    / static_cast<std::uint64_t>(end - start));
        };
        const auto moved = until(range.end) - until(range.start);
        of.bytes += moved;
        if (is_copy(table.kind[row])) {
            ++summary.copies.count;
            summary.copies.bytes += moved;
            copies.push_back(part);
        }
    }
    std::vector<IntervalSet> sets;
    for (auto& intervals : streams) {
        sets.push_back(unite(std::move(intervals)));
    }
    const auto depth = time_at_depth(sets, range);
    summary.at_least = {depth[1] + depth[2] + depth[3], depth[2] + depth[3], depth[3]};
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        summary.kinds[kind].busy = length(unite(std::move(by_kind[kind])));
    }
    summary.copies.busy = length(unite(std::move(copies)));
    return summary;
}

void compare(const RangeSummary& is, const RangeSummary& expected)
{
    QCOMPARE(is.range.start, expected.range.start);
    QCOMPARE(is.range.end, expected.range.end);
    for (std::size_t i = 0; i < is.at_least.size(); ++i) {
        QCOMPARE(is.at_least[i], expected.at_least[i]);
    }
    for (std::size_t kind = 0; kind <= kinds; ++kind) {
        const auto& a = kind == kinds ? is.copies : is.kinds[kind];
        const auto& b = kind == kinds ? expected.copies : expected.kinds[kind];
        QCOMPARE(a.count, b.count);
        QCOMPARE(a.busy, b.busy);
        QCOMPARE(a.bytes, b.bytes);
    }
}

/// The index against looking at everything, and against the report, which has some of the same figures.
void check(const Trace& trace, const RangeIndex& index, const Blocking& blocking, Interval range, bool with_report)
{
    compare(index.summary(range), summary_of(trace, range));
    if (QTest::currentTestFailed() || !with_report || range.start >= range.end) {
        return;
    }
    const auto report = make_report(trace, blocking, range);
    const auto summary = index.summary(range);
    QCOMPARE(summary.at_least[0], report.gpu_busy);
    QCOMPARE(summary.at_least[1], report.overlap);
    QCOMPARE(summary.at_least[2], report.concurrency[3]);
    QCOMPARE(summary.of(OperationKind::kernel).count, report.counts.kernels);
    QCOMPARE(summary.copies.count, report.counts.copies);
    QCOMPARE(summary.of(OperationKind::memset).count, report.counts.memsets);
    for (const auto& thread : report.threads) {
        QCOMPARE(index.blocked(thread.thread, range), thread.blocked);
    }
}

/// Streams that are dense, that overlap themselves, that have long and empty operations.
Trace random_trace(std::uint32_t seed, std::size_t operations)
{
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t limit) { return static_cast<Ns>(random() % limit); };
    TraceFixture f;
    std::vector<Ns> free(1 + seed % 5, -100);
    for (std::size_t i = 0; i < operations; ++i) {
        const auto stream = random() % free.size();
        Ns start = free[stream] + below(4);
        if (seed % 3 == 1 && below(4) == 0) {
            start -= below(200);  // overlaps what its stream did before
        }
        const Ns end = start + (below(50) == 0 ? below(1 + 1000 * (seed % 4)) : below(8));
        const auto id = static_cast<std::uint32_t>(7 + stream);
        f.device = static_cast<std::uint32_t>(stream % 2);
        f.context = 1 + f.device;
        switch (below(4)) {
        case 0:
            f.copy(below(2) == 0 ? CopyKind::h2d : CopyKind::d2h, id, start, end, random());
            break;
        case 1:
            f.memset(id, start, end, random());
            break;
        default:
            f.kernel(id, start, end);
        }
        free[stream] = std::max(free[stream], start + below(8));
    }
    return f.finish();
}

}  // namespace

class tst_RangeIndex : public QObject {
    Q_OBJECT

private slots:
    void asLookingAtEverything_data();
    void asLookingAtEverything();
    void ofAFilterAsLookingAtWhatItKeeps_data() { asLookingAtEverything_data(); }
    void ofAFilterAsLookingAtWhatItKeeps();
    void blockedAsTheReportHasIt();
    void blockedInKeptCalls();
    void recordings_data();
    void recordings();
    void nothingAtAll();
    void everyStepCanBeCancelled();
};

void tst_RangeIndex::asLookingAtEverything_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    for (std::uint32_t seed = 0; seed < 24; seed += one_trial_in) {
        QTest::addRow("seed %u", seed) << seed;
    }
}

void tst_RangeIndex::asLookingAtEverything()
{
    QFETCH(std::uint32_t, seed);
    const auto trace = random_trace(seed, seed % 6 == 0 ? 40 : 6000);
    const auto blocking = find_blocking(trace);
    const RangeIndex index(trace, blocking);
    std::mt19937 random(seed);
    const auto moment = [&] { return static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration + 1)); };
    for (int i = 0; i < 60 && !QTest::currentTestFailed(); ++i) {
        const Ns a = i == 0 ? 0 : moment();
        const Ns b = i == 0 ? trace.duration : i % 3 == 0 ? std::min(a + 5, trace.duration) : moment();
        check(trace, index, blocking, {std::min(a, b), std::max(a, b)}, i < 6);
    }
}

/// From no operation to all; some trials leave out whole streams or kinds, as filters do.
void tst_RangeIndex::ofAFilterAsLookingAtWhatItKeeps()
{
    QFETCH(std::uint32_t, seed);
    const auto trace = random_trace(seed, seed % 6 == 0 ? 40 : 6000);
    const auto blocking = find_blocking(trace);
    const RangeIndex whole(trace, blocking);
    const auto& table = trace.operations;
    std::mt19937 random(seed);
    for (std::uint32_t share = 0; share <= 4 && !QTest::currentTestFailed(); ++share) {
        RangeIndex::Kept kept {std::vector<bool>(table.size()), std::vector<bool>(trace.calls.size())};
        for (Row row = 0; row < table.size(); ++row) {
            kept.operations[row] = seed % 4 == 2 ? table.stream[row] % 4 < share
                : seed % 4 == 3                  ? static_cast<std::uint32_t>(table.kind[row]) % 4 < share
                                                 : random() % 4 < share;
        }
        const RangeIndex index(whole, kept);
        for (int i = 0; i < 30 && !QTest::currentTestFailed(); ++i) {
            const auto a = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration + 1));
            const auto b = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration + 1));
            const Interval range = i == 0 ? Interval {0, trace.duration} : Interval {std::min(a, b), std::max(a, b)};
            compare(index.summary(range), summary_of(trace, range, &kept.operations));
            if (share == 4) {
                compare(index.summary(range), whole.summary(range));
            }
        }
    }
}

/// What a filter keeps and what it drops add up: calls of one thread block it one after the other.
void tst_RangeIndex::blockedInKeptCalls()
{
    TraceBuilder builder;
    RandomRecords(3).write(builder, 3000, 0, false);
    const auto trace = builder.finish(Source::cupti);
    const auto blocking = find_blocking(trace);
    const RangeIndex whole(trace, blocking);
    const std::vector<bool> operations(trace.operations.size(), true);
    std::mt19937 random(3);
    std::vector<bool> some(trace.calls.size());
    for (std::size_t call = 0; call < some.size(); ++call) {
        some[call] = random() % 3 == 0;
    }
    const RangeIndex index(whole, {operations, some});
    Ns most = 0;
    for (int i = 0; i < 60; ++i) {
        const auto a = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration));
        const auto b = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration));
        const Interval range {std::min(a, b), std::max(a, b)};
        for (Row thread = 0; thread < trace.threads.size(); ++thread) {
            std::vector<Interval> parts;
            for (const auto& stretch : blocking.calls) {
                const Interval part {std::max(stretch.start, range.start), std::min(stretch.end, range.end)};
                if (trace.calls.thread[stretch.call] == thread && some[stretch.call] && part.start < part.end) {
                    parts.push_back(part);
                }
            }
            const Ns expected = length(unite(std::move(parts)));
            const auto blocked = index.blocked(thread, range);
            QCOMPARE(blocked.has_value(), whole.blocked(thread, range).has_value());
            QCOMPARE(blocked.value_or(expected), expected);
            most = std::max(most, blocked.value_or(0));
        }
    }
    QVERIFY(most > 0);
}

void tst_RangeIndex::blockedAsTheReportHasIt()
{
    for (std::uint32_t seed = 0; seed < 8 && !QTest::currentTestFailed(); seed += one_trial_in) {
        TraceBuilder builder;
        RandomRecords(seed).write(builder, 3000, 0, false);
        const auto trace = builder.finish(Source::cupti);
        const auto blocking = find_blocking(trace);
        QVERIFY(blocking.calls.size() > 20);
        const RangeIndex index(trace, blocking);
        std::mt19937 random(seed);
        for (int i = 0; i < 12 && !QTest::currentTestFailed(); ++i) {
            const auto a = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration));
            const auto b = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration));
            check(trace, index, blocking, {std::min(a, b), std::max(a, b)}, true);
        }
    }
}

void tst_RangeIndex::recordings_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(QString::fromUtf8(qgetenv("LANES_SOURCE")) + QStringLiteral("/resources/recordings/h200"));
    for (const QString& name : folder.entryList({QStringLiteral("*.sqlite")})) {
        QTest::newRow(qUtf8Printable(name)) << folder.filePath(name);
    }
}

void tst_RangeIndex::recordings()
{
    QFETCH(QString, file);
    const auto trace = open_recording(file.toStdString());
    const auto blocking = find_blocking(trace);
    const RangeIndex index(trace, blocking);
    std::mt19937 random(1);
    for (int i = 0; i < 20 / one_trial_in && !QTest::currentTestFailed(); ++i) {
        const auto a = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration));
        const auto b = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration));
        check(trace, index, blocking, {std::min(a, b), std::max(a, b)}, true);
    }
}

void tst_RangeIndex::nothingAtAll()
{
    const Trace trace;
    const Blocking blocking;
    const RangeIndex index(trace, blocking);
    const auto summary = index.summary({-5, 100});
    QCOMPARE(summary.range.end, Ns {0});
    QCOMPARE(summary.copies.count, std::uint64_t {0});
    QVERIFY(!index.blocked(0, {0, 1}));
}

void tst_RangeIndex::everyStepCanBeCancelled()
{
    TraceFixture f;
    for (Ns i = 0; i < 200'000; ++i) {
        f.kernel(7 + static_cast<std::uint32_t>(i % 3), i * 10, i * 10 + 9,
            f.call("cudaLaunchKernel", i * 10 - 3, i * 10 - 1));
    }
    // The fractions of every step rise, and it stops at the fraction at which it is asked to.
    const auto check_step = [](const char* name, const auto& step) {
        double last = -1;
        bool rises = true;
        int told = 0;
        step(Progress([&](double fraction) {
            rises = rises && fraction >= last && fraction <= 1;
            last = fraction;
            ++told;
        }));
        QVERIFY2(rises && told >= 3 && last > 0.9, name);
        last = 0;
        std::stop_source stop;
        const Progress cancelled(stop.get_token(), [&](double fraction) {
            last = fraction;
            if (fraction >= 0.3) {
                stop.request_stop();
            }
        });
        QVERIFY_THROWS_EXCEPTION(Cancelled, step(cancelled));
        QVERIFY2(last >= 0.3 && last < 0.9, name);
    };
    const auto trace = f.finish();
    const auto blocking = find_blocking(trace);
    const RangeIndex index(trace, blocking);
    check_step("find_blocking", [&](const Progress& progress) { find_blocking(trace, progress); });
    check_step("RangeIndex", [&](const Progress& progress) { RangeIndex(trace, blocking, progress); });
    const Graph graph(trace, blocking);
    const auto costs = find_wait_costs(graph);
    check_step("make_report", [&](const Progress& progress) {
        make_report({graph, costs}, index.bounds(), {}, progress);
    });
    check_step("finish", [&](const Progress& progress) {
        TraceBuilder builder;
        RandomRecords(1).write(builder, 3000, 0, false);
        builder.finish(Source::cupti, progress);
    });
}

QTEST_GUILESS_MAIN(tst_RangeIndex)
#include "tst_range_index.moc"
