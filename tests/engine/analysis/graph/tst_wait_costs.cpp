// SPDX-License-Identifier: MIT
// Which waits cost time: by hand at the edges of the rule, and on all shipped recordings against another program's
// sums.
#include "engine/analysis/graph/wait_costs.h"
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/tape.h"

#include <cmath>
#include <fstream>
#include <QTest>
#include <sstream>

using namespace lanes;

namespace {

constexpr Ns us = 1000;

struct Found {
    Trace trace;
    Blocking blocking;
    WaitCosts costs;
    explicit Found(Trace of)
        : trace(std::move(of))
        , blocking(find_blocking(trace))
        , costs(find_wait_costs(Graph(trace, blocking)))
    {
    }
};

/// A kernel of 100 us on a stream, and a wait for it: `start` is that of the launch, the wait returns 105 us later.
void kernel_and_wait(Tape& tape, Ns start, std::uint32_t stream = 7)
{
    tape.kernel(tape.call("cudaLaunchKernel", start, start + 4 * us), stream, start + 5 * us, start + 105 * us);
    const auto sync = tape.call("cudaStreamSynchronize", start + 5 * us, start + 106 * us);
    tape.sync(sync, SyncRecord::stream_sync, start + 5 * us, start + 106 * us, stream);
}

}  // namespace

class tst_WaitCosts : public QObject {
    Q_OBJECT
private slots:
    void theLastWaitIsForTheResult();
    void aWaitThatDelaysALaunchIsHeld();
    void aFreeCostsWhatFollowsIt();
    void aFullGpuCostsNothing();
    void fetchedValuesBelongToOneWait();
    void shippedRecordings();
};

void tst_WaitCosts::theLastWaitIsForTheResult()
{
    Tape tape;
    kernel_and_wait(tape, 10 * us);
    const Found found(tape.finish());
    QCOMPARE(found.costs.waits.size(), std::size_t {1});
    QCOMPARE(found.costs.waits[0].kind, WaitKind::for_result);
    QCOMPARE(found.costs.waits[0].cost, Ns {0});
}

/// The second kernel could have begun when the first ended, at 115 us; it began at 155 us.
void tst_WaitCosts::aWaitThatDelaysALaunchIsHeld()
{
    Tape tape;
    kernel_and_wait(tape, 10 * us);
    kernel_and_wait(tape, 150 * us);
    const Found found(tape.finish());
    QCOMPARE(found.costs.waits.size(), std::size_t {2});
    QCOMPARE(found.costs.waits[0].kind, WaitKind::held);
    QCOMPARE(found.costs.waits[0].cost, 40 * us);
    QCOMPARE(found.costs.waits[1].kind, WaitKind::for_result);
    QCOMPARE(found.costs.kind_of(0), WaitKind::held);
    QCOMPARE(found.costs.cost_of(0, found.costs.waits[0].blocked), 40 * us);
}

/// Between them the thread frees, which would wait for the GPU without the wait, too; allocating and freeing to a pool
/// would not.
void tst_WaitCosts::aFreeCostsWhatFollowsIt()
{
    for (const char* name : {"cudaFree", "cudaMalloc", "cudaFreeAsync"}) {
        Tape tape;
        kernel_and_wait(tape, 10 * us);
        tape.call(name, 117 * us, 148 * us);
        kernel_and_wait(tape, 150 * us);
        const Found found(tape.finish());
        QCOMPARE(found.costs.waits[0].cost, QByteArray(name) == "cudaFree" ? 0 : 40 * us);
    }
}

/// The wait for the first kernel ends while the second still runs, so that the third loses nothing by it.
void tst_WaitCosts::aFullGpuCostsNothing()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 7, 5 * us, 105 * us);
    const auto event = tape.call("cudaEventRecord", 4 * us, 5 * us);
    tape.event(event, 7, 1, 11);
    tape.kernel(tape.call("cudaLaunchKernel", 5 * us, 9 * us), 7, 106 * us, 306 * us);
    const auto sync = tape.call("cudaEventSynchronize", 10 * us, 106 * us);
    tape.sync(sync, SyncRecord::event, 10 * us, 106 * us, 7, 1, 11);
    tape.kernel(tape.call("cudaLaunchKernel", 110 * us, 114 * us), 7, 307 * us, 407 * us);
    const Found found(tape.finish());
    QCOMPARE(found.costs.waits.size(), std::size_t {1});
    QCOMPARE(found.costs.waits[0].kind, WaitKind::for_busy_gpu);
    QCOMPARE(found.costs.waits[0].cost, Ns {0});
}

/// .item(): a small copy and a wait for it, which follow a wait for the kernel, are one wait with it.
void tst_WaitCosts::fetchedValuesBelongToOneWait()
{
    Tape tape;
    kernel_and_wait(tape, 10 * us);
    tape.copy(tape.call("cudaMemcpyAsync", 118 * us, 122 * us), 7, 124 * us, 126 * us, CopyKind::d2h,
        MemoryKind::pinned, true, 0, 4);
    const auto sync = tape.call("cudaStreamSynchronize", 122 * us, 160 * us);
    tape.sync(sync, SyncRecord::stream_sync, 122 * us, 160 * us, 7);
    kernel_and_wait(tape, 200 * us);
    const Found found(tape.finish());
    QCOMPARE(found.costs.waits.size(), std::size_t {2});
    QCOMPARE(found.costs.waits[0].start, 15 * us);
    QVERIFY(found.costs.waits[0].kind == WaitKind::held);
}

void tst_WaitCosts::shippedRecordings()
{
    const auto source = qEnvironmentVariable("LANES_SOURCE").toStdString();
    qputenv("LANES_RESOURCES", (source + "/resources").c_str());
    std::ifstream file(source + "/tests/engine/analysis/graph/wait_costs.txt");
    std::size_t rows = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') {
            continue;
        }
        std::istringstream words(line);
        std::string name;
        char bar = 0;
        double blocked = 0, held = 0, cost = 0;
        words >> name >> bar >> blocked >> bar >> held >> bar >> cost;
        QVERIFY2(words, line.c_str());
        const Found found(open_recording(source + "/resources/recordings/" + name + ".sqlite"));
        Ns all = 0, of_held = 0, its_cost = 0;
        for (const auto& wait : found.costs.waits) {
            all += wait.blocked;
            of_held += wait.kind == WaitKind::held ? wait.blocked : 0;
            its_cost += wait.kind == WaitKind::held ? wait.cost : 0;
            QVERIFY(wait.cost <= wait.blocked && wait.cost >= 0);
        }
        const auto near = [](Ns ours, double theirs) {
            return std::abs(static_cast<double>(ours) / 1e6 - theirs) <= 0.02 + 0.02 * theirs;
        };
        QVERIFY2(near(all, blocked) && near(of_held, held) && near(its_cost, cost),
            qPrintable(QStringLiteral("%1: here %2, %3, %4 ms")
                           .arg(QString::fromStdString(line))
                           .arg(static_cast<double>(all) / 1e6)
                           .arg(static_cast<double>(of_held) / 1e6)
                           .arg(static_cast<double>(its_cost) / 1e6)));
        ++rows;
    }
    QVERIFY(rows >= 175);
}

QTEST_GUILESS_MAIN(tst_WaitCosts)
#include "tst_wait_costs.moc"
