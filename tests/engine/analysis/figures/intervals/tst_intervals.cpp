// SPDX-License-Identifier: MIT
// Every operation against bitmaps: one bit a nanosecond, over small random sets.
#include "engine/analysis/facts/intervals.h"
#include "tests/engine/analysis/concurrency.h"

#include <bitset>
#include <QTest>
#include <random>

using namespace lanes;

namespace {

constexpr Ns span = 64;
using Bits = std::bitset<span>;

std::vector<Interval> random_intervals(std::mt19937& random, std::size_t most)
{
    std::vector<Interval> intervals(random() % (most + 1));
    for (auto& interval : intervals) {
        interval.start = static_cast<Ns>(random() % span);
        interval.end = std::min<Ns>(span, interval.start + static_cast<Ns>(random() % 12));
    }
    return intervals;
}

Bits bits_of(const std::vector<Interval>& intervals)
{
    Bits bits;
    for (const auto& interval : intervals) {
        for (Ns t = interval.start; t < interval.end; ++t) {
            bits.set(static_cast<std::size_t>(t));
        }
    }
    return bits;
}

/// The runs of set bits: the one set that an IntervalSet may be.
IntervalSet set_of(const Bits& bits)
{
    IntervalSet set;
    for (Ns t = 0; t < span; ++t) {
        if (!bits[static_cast<std::size_t>(t)]) {
            continue;
        }
        if (!set.empty() && set.back().end == t) {
            ++set.back().end;
        } else {
            set.push_back({t, t + 1});
        }
    }
    return set;
}

}  // namespace

class tst_Intervals : public QObject {
    Q_OBJECT

private slots:
    void whatTwoHaveInCommon_data();
    void whatTwoHaveInCommon();
    void setsAgreeWithBitmaps();
    void depthAgreesWithCounting();
    void coverageAgreesWithBitmaps();
};

void tst_Intervals::setsAgreeWithBitmaps()
{
    std::mt19937 random(1);
    for (int round = 0; round < 20000; ++round) {
        const auto raw_a = random_intervals(random, 10);
        const auto raw_b = random_intervals(random, 10);
        const auto a = unite(raw_a);
        const auto b = unite(raw_b);
        const auto bits_a = bits_of(raw_a);
        const auto bits_b = bits_of(raw_b);
        QVERIFY(a == set_of(bits_a));
        QVERIFY(b == set_of(bits_b));
        QVERIFY(intersect(a, b) == set_of(bits_a & bits_b));
        QVERIFY(subtract(a, b) == set_of(bits_a & ~bits_b));
        QCOMPARE(length(a), static_cast<Ns>(bits_a.count()));
        const auto from = static_cast<Ns>(random() % span);
        const Interval range {from, from + static_cast<Ns>(random() % span)};
        QVERIFY(clip(a, range) == set_of(bits_a & bits_of({{range.start, std::min(range.end, span)}})));
    }
}

void tst_Intervals::depthAgreesWithCounting()
{
    std::mt19937 random(2);
    for (int round = 0; round < 5000; ++round) {
        std::vector<IntervalSet> sets(random() % 6);
        std::vector<Interval> all;
        for (auto& set : sets) {
            set = unite(random_intervals(random, 6));
            all.insert(all.end(), set.begin(), set.end());
        }
        std::shuffle(all.begin(), all.end(), random);
        const auto from = static_cast<Ns>(random() % span);
        const Interval range {from, std::min<Ns>(span, from + static_cast<Ns>(random() % span))};
        std::array<Ns, 4> expected {};
        std::vector<Level> levels;
        for (Ns t = range.start; t < range.end; ++t) {
            std::uint32_t count = 0;
            for (const auto& interval : all) {
                count += interval.start <= t && t < interval.end ? 1 : 0;
            }
            ++expected[std::min(count, 3U)];
            if (!levels.empty() && levels.back().count == count) {
                ++levels.back().end;
            } else {
                levels.push_back({t, t + 1, count});
            }
        }
        QVERIFY(time_at_depth(sets, range) == expected);
        const auto found = concurrency(sets, range);
        QCOMPARE(found.size(), levels.size());
        for (std::size_t i = 0; i < levels.size(); ++i) {
            QCOMPARE(found[i].start, levels[i].start);
            QCOMPARE(found[i].end, levels[i].end);
            QCOMPARE(found[i].count, levels[i].count);
        }
    }
}

void tst_Intervals::coverageAgreesWithBitmaps()
{
    std::mt19937 random(3);
    for (int round = 0; round < 5000; ++round) {
        const auto a = unite(random_intervals(random, 10));
        const auto b = unite(random_intervals(random, 4));
        const Coverage coverage(a);
        const auto from = static_cast<Ns>(random() % span);
        const Interval stretch {from, std::min<Ns>(span, from + static_cast<Ns>(random() % 20))};
        QCOMPARE(coverage.within(stretch), static_cast<Ns>((bits_of(a) & bits_of({stretch})).count()));
        QCOMPARE(coverage.within(b), static_cast<Ns>((bits_of(a) & bits_of(b)).count()));
    }
}

void tst_Intervals::whatTwoHaveInCommon_data()
{
    QTest::addColumn<Interval>("a");
    QTest::addColumn<Interval>("b");
    QTest::addColumn<Interval>("both");
    QTest::addColumn<Ns>("how_long");
    QTest::newRow("overlap") << Interval {0, 10} << Interval {4, 20} << Interval {4, 10} << Ns {6};
    QTest::newRow("one in the other") << Interval {0, 10} << Interval {3, 5} << Interval {3, 5} << Ns {2};
    QTest::newRow("meet") << Interval {0, 10} << Interval {10, 20} << Interval {10, 10} << Ns {0};
    QTest::newRow("apart") << Interval {0, 10} << Interval {15, 20} << Interval {15, 10} << Ns {0};
    QTest::newRow("a moment") << Interval {7, 7} << Interval {0, 10} << Interval {7, 7} << Ns {0};
}

void tst_Intervals::whatTwoHaveInCommon()
{
    QFETCH(Interval, a);
    QFETCH(Interval, b);
    QTEST(common(a, b), "both");
    QTEST(common(b, a), "both");
    QTEST(length(common(a, b)), "how_long");
}

QTEST_GUILESS_MAIN(tst_Intervals)
#include "tst_intervals.moc"
