// SPDX-License-Identifier: MIT
// The overlap levels against concurrency(), on random streams.
#include "engine/analysis/figures/overlap_levels.h"
#include "tests/engine/analysis/concurrency.h"

#include <cmath>
#include <QTest>
#include <random>

using namespace lanes;

namespace {

/// Streams of random lengths and paces; some overlap themselves, some have operations without length.
Trace randomTrace(std::mt19937_64& random)
{
    const auto upTo = [&](double most) {
        return static_cast<Ns>(std::exp2(std::uniform_real_distribution<>(0, std::log2(most))(random)));
    };
    Trace trace;
    const Ns pace = upTo(1e5);
    for (Row stream = 0; stream < 1 + random() % 6; ++stream) {
        trace.streams.push_back({});
        Ns t = upTo(1e4);
        const bool overlaps = random() % 5 == 0;
        const Ns count = upTo(4000);
        for (Ns i = 0; i < count; ++i) {
            t += random() % 3 == 0 ? 0 : upTo(static_cast<double>(pace + 1));
            const Ns end = t + (random() % 20 == 0 ? 0 : upTo(static_cast<double>(2 * pace + 1)));
            trace.operations.start.push_back(t);
            trace.operations.end.push_back(end);
            trace.operations.stream.push_back(stream);
            trace.duration = std::max(trace.duration, end);
            t = overlaps ? t + 1 : std::max(end, t + 1);
        }
        if (random() % 4 == 0) {  // a burst in a long silence
            for (int i = 0; i < 3000; ++i) {
                const Ns start = (Ns {1} << 45) + 7 * i + stream;
                trace.operations.start.push_back(start);
                trace.operations.end.push_back(start + static_cast<Ns>(random() % 7));
                trace.operations.stream.push_back(stream);
                trace.duration = std::max(trace.duration, trace.operations.end.back());
            }
        }
    }
    return trace;
}

OverlapLevels counted(const Trace& trace, Ns until)
{
    std::vector<std::vector<Interval>> streams(trace.streams.size());
    for (std::size_t i = 0; i < trace.operations.size(); ++i) {
        streams[trace.operations.stream[i]].push_back({trace.operations.start[i], trace.operations.end[i]});
    }
    std::vector<IntervalSet> sets;
    for (auto& stream : streams) {
        sets.push_back(unite(std::move(stream)));
    }
    OverlapLevels levels;
    for (const Level& level : concurrency(sets, {0, until})) {
        for (std::size_t i = 0; i < std::min<std::size_t>(level.count, levels.size()); ++i) {
            if (!levels[i].empty() && levels[i].back().end == level.start) {
                levels[i].back().end = level.end;
            } else {
                levels[i].push_back({level.start, level.end});
            }
        }
    }
    return levels;
}

}  // namespace

class tst_OverlapLevels : public QObject {
    Q_OBJECT

private slots:
    void agreesWithACount();
    void manyWindows();
    void nothing();
};

void tst_OverlapLevels::agreesWithACount()
{
    std::mt19937_64 random(21);
    for (int round = 0; round < 150; ++round) {
        const Trace trace = randomTrace(random);
        const Ns until = random() % 3 == 0 ? trace.duration / 2 + 1 : trace.duration + 1;
        const OverlapSweep sweep(trace);
        const OverlapLevels expected = counted(trace, until);
        QVERIFY(sweep.levels({0, until}) == expected);
        OverlapLevels joined;
        for (const Interval& stretch : sweep.stretches(until, 1 + random() % 7)) {
            OverlapSweep::append(joined, sweep.levels(stretch));
        }
        QVERIFY(joined == expected);
        if (sweep.is_one_stream()) {
            QCOMPARE(trace.streams.size(), 1U);
        }
    }
}

/// More operations than one window takes, in phase with one another so that every edge is shared.
void tst_OverlapLevels::manyWindows()
{
    Trace trace;
    for (Row stream = 0; stream < 4; ++stream) {
        trace.streams.push_back({});
        for (Ns i = 0; i < 20'000; ++i) {
            trace.operations.start.push_back(100 * i + stream);
            trace.operations.end.push_back(100 * i + 50 + 10 * stream);
            trace.operations.stream.push_back(stream);
        }
    }
    trace.duration = trace.operations.end.back();
    const OverlapLevels levels = OverlapSweep(trace).levels({0, trace.duration});
    QVERIFY(levels == counted(trace, trace.duration));
    QCOMPARE(levels[0].size(), 20'000U);
}

void tst_OverlapLevels::nothing()
{
    const Trace trace;
    const OverlapSweep sweep(trace);
    QVERIFY(sweep.levels({0, 1000}) == OverlapLevels());
    QVERIFY(sweep.levels({0, 0}) == OverlapLevels());
    QVERIFY(!sweep.is_one_stream());
}

QTEST_GUILESS_MAIN(tst_OverlapLevels)
#include "tst_overlap_levels.moc"
