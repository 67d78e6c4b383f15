// SPDX-License-Identifier: MIT
#include "gui/lanes/in_parallel.h"
#include "tests/gui/lanes/few_threads.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <QTest>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lanes::gui;

class tst_InParallel : public QObject {
    Q_OBJECT

private slots:
    void fewerThreadsThanWanted();  // before any other: threads are started once
    void everyPieceOnce_data();
    void everyPieceOnce();
    void theFirstExceptionComesBack();
    void nothingRunsAfterAnException();
    void manyAtOnce();
    void withinAPiece();
};

/// In a separate process, whose threads stay few.
void tst_InParallel::fewerThreadsThanWanted()
{
#ifdef LANES_SANITIZED
    QSKIP("a sanitizer needs more memory for a thread than the stack");
#endif
    const pid_t child = ::fork();
    if (child == 0) {
        const FewThreads none(0);
        std::atomic<int> done = 0;
        inParallel(100, [&](std::size_t) { ++done; });
        ::_exit(none.isKnown() && done == 100 ? 0 : 1);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY2(WIFEXITED(status), "it was ended by a signal");
    QCOMPARE(WEXITSTATUS(status), 0);
}

void tst_InParallel::everyPieceOnce_data()
{
    QTest::addColumn<int>("count");
    for (const int count : {0, 1, 2, 7, 1000}) {
        QTest::addRow("%d", count) << count;
    }
}

void tst_InParallel::everyPieceOnce()
{
    QFETCH(int, count);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
        inParallel(done.size(), [&](std::size_t i) { ++done[i]; });
        for (const auto& times : done) {
            QCOMPARE(times.load(), 1);
        }
    }
}

void tst_InParallel::theFirstExceptionComesBack()
{
    for (std::size_t wrong = 0; wrong < 20; ++wrong) {
        std::string caught;
        std::atomic<int> begun = 0;
        try {
            inParallel(1000, [&](std::size_t i) {
                ++begun;
                if (i == wrong) {
                    throw std::runtime_error("piece " + std::to_string(i));
                }
            });
        } catch (const std::runtime_error& error) {
            caught = error.what();
        }
        QCOMPARE(caught, "piece " + std::to_string(wrong));
        QVERIFY(begun <= 1000);
    }
    int caught = 0;
    try {  // all at once: one of them
        inParallel(64, [](std::size_t i) { throw static_cast<int>(i) + 1; });
    } catch (int which) {
        caught = which;
    }
    QVERIFY(caught >= 1 && caught <= 64);
}

/// What the pieces refer to is gone when inParallel() has thrown: a thread still at work would show here,
/// and in the sanitizers.
void tst_InParallel::nothingRunsAfterAnException()
{
    for (int round = 0; round < 100; ++round) {
        std::atomic<int> inside = 0;
        auto alive = std::make_unique<std::atomic<int>>(0);
        try {
            inParallel(64, [&](std::size_t i) {
                ++inside;
                if (i == 3) {
                    --inside;
                    throw std::bad_alloc();
                }
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                ++*alive;
                --inside;
            });
            QFAIL("it shall throw");
        } catch (const std::bad_alloc&) {
            QCOMPARE(inside.load(), 0);
            alive.reset();
        }
    }
}

void tst_InParallel::manyAtOnce()
{
    std::atomic<int> done = 0;
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 8; ++caller) {
        callers.emplace_back([&] {
            for (int round = 0; round < 100; ++round) {
                inParallel(16, [&](std::size_t) { ++done; });
            }
        });
    }
    for (std::thread& caller : callers) {
        caller.join();
    }
    QCOMPARE(done.load(), 8 * 100 * 16);
}

void tst_InParallel::withinAPiece()
{
    std::atomic<int> done = 0;
    inParallel(20, [&](std::size_t) { inParallel(20, [&](std::size_t) { ++done; }); });
    QCOMPARE(done.load(), 400);
}

QTEST_APPLESS_MAIN(tst_InParallel)
#include "tst_in_parallel.moc"
