// SPDX-License-Identifier: MIT
#include "engine/store/in_order.h"

#include <atomic>
#include <chrono>
#include <numeric>
#include <QTest>
#include <stdexcept>
#include <string>

using namespace lanes;

class tst_InOrder : public QObject {
    Q_OBJECT

private slots:
    void takesInOrder_data();
    void takesInOrder();
    void theFirstFailureCounts();
    void whatTakesMayFail();
    void aSlowPieceIsNotOutrun();
};

void tst_InOrder::takesInOrder_data()
{
    QTest::addColumn<int>("pieces");
    QTest::addColumn<int>("threads");
    for (const int pieces : {0, 1, 2, 7, 500}) {
        for (const int threads : {1, 2, 5}) {
            QTest::addRow("%d pieces, %d threads", pieces, threads) << pieces << threads;
        }
    }
}

void tst_InOrder::takesInOrder()
{
    QFETCH(int, pieces);
    QFETCH(int, threads);
    std::vector<int> taken;
    make_in_order<int>(
        static_cast<std::size_t>(pieces), static_cast<std::size_t>(threads),
        [&](std::size_t thread, std::size_t piece) {
            if (thread >= static_cast<std::size_t>(threads)) {
                throw std::logic_error("no such thread");
            }
            return static_cast<int>(piece);
        },
        [&](int piece) { taken.push_back(piece); });
    std::vector<int> expected(static_cast<std::size_t>(pieces));
    std::iota(expected.begin(), expected.end(), 0);
    QCOMPARE(taken, expected);
}

/// Even if a later piece fails earlier.
void tst_InOrder::theFirstFailureCounts()
{
    std::vector<std::size_t> taken;
    std::string what;
    try {
        make_in_order<std::size_t>(
            100, 3,
            [](std::size_t, std::size_t piece) {
                if (piece == 40) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                }
                if (piece == 40 || piece == 42) {
                    throw std::runtime_error("piece " + std::to_string(piece));
                }
                return piece;
            },
            [&](std::size_t piece) { taken.push_back(piece); });
    } catch (const std::runtime_error& error) {
        what = error.what();
    }
    QCOMPARE(QString::fromStdString(what), QStringLiteral("piece 40"));
    QCOMPARE(taken.size(), std::size_t {40});
}

void tst_InOrder::whatTakesMayFail()
{
    std::size_t taken = 0;
    QVERIFY_THROWS_EXCEPTION(std::runtime_error,
        make_in_order<std::size_t>(
            100, 2, [](std::size_t, std::size_t piece) { return piece; },
            [&](std::size_t piece) {
                if (piece == 10) {
                    throw std::runtime_error("no room");
                }
                ++taken;
            }));
    QCOMPARE(taken, std::size_t {10});
}

/// Memory for pieces that wait is bounded: while the first is being made, only a few others are.
void tst_InOrder::aSlowPieceIsNotOutrun()
{
    std::atomic<std::size_t> made = 0;
    std::size_t beside_the_first = 0;
    make_in_order<std::size_t>(
        1000, 2,
        [&](std::size_t, std::size_t piece) {
            if (piece == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                beside_the_first = made;
            }
            ++made;
            return piece;
        },
        [](std::size_t) {});
    QVERIFY2(beside_the_first < 8, std::to_string(beside_the_first).c_str());
    QCOMPARE(made.load(), std::size_t {1000});
}

QTEST_GUILESS_MAIN(tst_InOrder)
#include "tst_in_order.moc"
