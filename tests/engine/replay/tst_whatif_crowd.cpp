// SPDX-License-Identifier: MIT
// How much of a GPU a kernel fills, and how long it takes beside a collective.
#include "engine/replay/alone.h"
#include "engine/replay/crowd.h"
#include "engine/replay/traffic.h"

#include <QtTest>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace lanes;
using namespace lanes::replay;

class tst_WhatIfCrowd : public QObject {
    Q_OBJECT

private slots:
    void sharesOfMultiprocessors();
    void kernelsThatStreamMemory();
    void turnsBesideACollective_data();
    void turnsBesideACollective();
    void comesInBetweenTurns();
};

void tst_WhatIfCrowd::sharesOfMultiprocessors()
{
    Device h100 {};
    h100.multiprocessors = 132;
    h100.compute_major = 9;
    KernelDetail kernel {};
    kernel.grid = {132 * 8, 1, 1};
    kernel.block = {256, 1, 1};
    kernel.registers = 32;
    QCOMPARE(share_of(kernel, h100, {}), 1.0F);
    kernel.grid = {132 * 4, 1, 1};
    QCOMPARE(share_of(kernel, h100, {}), 0.5F);
    kernel.registers = 64;  // four of these blocks to a multiprocessor
    QCOMPARE(share_of(kernel, h100, {}), 1.0F);
    kernel.registers = 32;
    kernel.dynamic_shared = 227 * 1024;  // one
    kernel.grid = {33, 1, 1};
    QCOMPARE(share_of(kernel, h100, {}), 0.25F);
    QCOMPARE(share_of(kernel, {}, {}), 0.0F);
}

/// Two kernels beside one another, each with 8, 32 or 66 of the 1056 blocks that an H200 holds: how much longer they
/// were.
void tst_WhatIfCrowd::kernelsThatStreamMemory()
{
    QVERIFY(streams_memory("void lanes::(anonymous namespace)::plain<(lanes::KernelWork)2>(lanes::PlainArgs)"));
    QVERIFY(!streams_memory("void lanes::(anonymous namespace)::plain<(lanes::KernelWork)1>(lanes::PlainArgs)"));
    QVERIFY(!streams_memory("void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>(int)"));
    for (const auto& [blocks, least, most] :
        std::vector<std::tuple<int, double, double>> {{8, 1.01, 1.04}, {32, 1.08, 1.12}, {66, 1.15, 1.23}}) {
        const double part = blocks / 1056.;
        const double longer = 1 / speed_beside(part, part, 2 * part);
        QVERIFY2(least < longer && longer < most, std::to_string(longer).c_str());
        QCOMPARE(speed_beside(part, part, part), 1.);
        QCOMPARE(speed_beside(part, part, 2 * part, 0), 1.);
    }
    QVERIFY(speed_beside(0.5, 1, 1) < 0.6);  // which waits for another's multiprocessors
}

/// 24 blocks of a collective on 132 multiprocessors, kernels of one block on each: times in µs, as measured on an H200
/// (Crowd).
void tst_WhatIfCrowd::turnsBesideACollective_data()
{
    QTest::addColumn<quint32>("blocks");
    QTest::addColumn<double>("length");
    QTest::addColumn<double>("over");  // when the collective ends; -1: there is none
    QTest::addColumn<double>("end");
    QTest::addColumn<double>("last");
    QTest::addColumn<double>("room");
    constexpr double never = -1;
    constexpr double always = 1e9;
    QTest::newRow("alone") << 384U << 376.0 << never << 376.0 << 2 * 376.0 / 3 << 376.0;
    QTest::newRow("the last turn leaves room") << 300U << 300.0 << never << 300.0 << 200.0 << 200.0;
    QTest::newRow("two turns, not one") << 128U << 169.0 << always << 338.0 << 169.0 << 169.0;
    QTest::newRow("few enough") << 66U << 100.0 << always << 100.0 << 0.0 << 0.0;
    QTest::newRow("four turns, not three") << 384U << 376.0 << always << 4 * 376.0 / 3 << 376.0 << 376.0;
    // 132 in the first, 124 in the second: 108 of these begin at once and 16 when the lent multiprocessors are free.
    // The places of the 108 have room before that.
    QTest::newRow("over in the first turn") << 256U << 1338.0 << 120.0 << 1458.0 << 789.0 << 1338.0;
}

void tst_WhatIfCrowd::turnsBesideACollective()
{
    QFETCH(const quint32, blocks);
    QFETCH(const double, length);
    QFETCH(const double, over);
    Turns turns({blocks, 108, 24}, length, over >= 0);
    if (over >= 0 && over < 1e6) {
        turns.give_back(over);
    }
    const auto near = [](double is, double should) { return std::abs(is - should) < 1e-6; };
    QFETCH(const double, end);
    QVERIFY2(near(turns.end(), end), std::to_string(turns.end()).c_str());
    QFETCH(const double, last);
    QFETCH(const double, room);
    QVERIFY2(near(turns.last_begin(), last), std::to_string(turns.last_begin()).c_str());
    QVERIFY2(near(turns.leaves_room(), room), std::to_string(turns.leaves_room()).c_str());
}

/// resources/recordings/h200/stream-priority.all-reduce-high-priority: 16 turns of 1056 blocks, 8003 µs alone, and four
/// all-reduces of high priority, which leave room for two of eight blocks on 24 multiprocessors.
void tst_WhatIfCrowd::comesInBetweenTurns()
{
    Turns turns({16896, 912, 144, true}, 8003, false);
    QVERIFY(turns.yields());
    QCOMPARE(turns.last_begin(), 15 * 8003.0 / 16);
    QVERIFY(std::abs(turns.next_turn(1000.5) - 1500.2) < 1);  // as measured
    const std::vector<std::pair<double, double>> all_reduces {
        {1500.2, 1671.5}, {2999.8, 3076.8}, {4159.8, 4240.4}, {5500.8, 5574.5}};
    for (const auto& [start, end] : all_reduces) {
        turns.take(start);
        turns.give_back(end);
    }
    QVERIFY2(std::abs(turns.end() - 8241.7) < 1, std::to_string(turns.end()).c_str());  // as measured
}

QTEST_APPLESS_MAIN(tst_WhatIfCrowd)
#include "tst_whatif_crowd.moc"
