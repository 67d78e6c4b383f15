// SPDX-License-Identifier: MIT
// Two ranks that train together, and whether a GPU has room for their communication beside its kernels. In ranks/ lie
// four steps each of what tests/gpu/ranks_why.sh recorded on two H200, cut out of recordings of 25 steps (times moved
// to 0, the command left out): what they cost is known from the program's own clock over 20 steps with and without what
// was done to them.
#include "engine/analysis/facts/sm_room.h"
#include "engine/analysis/graph/kernel_share.h"
#include "engine/analysis/graph/why.h"
#include "engine/analysis/iterations.h"
#include "engine/analysis/recording.h"
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/findings/found.h"

using namespace lanes;

namespace {

constexpr Ns us = 1000, ms = 1000 * us;

KernelDetail kernel_of(std::uint32_t blocks, std::uint32_t threads, std::uint32_t registers, std::uint32_t shared)
{
    return {0, {blocks, 1, 1}, {threads, 1, 1}, registers, 0, shared, 0, no_id};
}

Recording recording_of(const QString& name)
{
    const auto path = qEnvironmentVariable("LANES_SOURCE") + "/tests/engine/analysis/findings/ranks/" + name;
    return reported(open_recording(path.toStdString()));
}

}  // namespace

class tst_Ranks : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void roomBesideKernels_data();
    void roomBesideKernels();
    void sumsBesideKernelsWithoutRoom_data();
    void sumsBesideKernelsWithoutRoom();
    void aLateRank_data();
    void aLateRank();
    void oneSumThatNothingWouldHide();
    void whereALateRankWas();
    void iterationsOfOneRank();
};

void tst_Ranks::roomBesideKernels_data()
{
    QTest::addColumn<unsigned>("blocks");
    QTest::addColumn<unsigned>("threads");
    QTest::addColumn<unsigned>("registers");
    QTest::addColumn<unsigned>("shared");
    QTest::addColumn<double>("longer");
    QTest::newRow("a product that takes all multiprocessors but four") << 128U << 256U << 202U << 49152U << 2.;
    QTest::newRow("half of them free") << 66U << 256U << 22U << 0U << 1.;
    QTest::newRow("none free, but room on each") << 132U << 256U << 22U << 0U << 1.;
    QTest::newRow("many small blocks") << 4096U << 128U << 32U << 0U << 38. / 32;
    QTest::newRow("not known") << 0U << 0U << 0U << 0U << 1.;
}

/// NCCL's kernel of two H200: 24 blocks, one a multiprocessor.
void tst_Ranks::roomBesideKernels()
{
    QFETCH(unsigned, blocks);
    QFETCH(unsigned, threads);
    QFETCH(unsigned, registers);
    QFETCH(unsigned, shared);
    QFETCH(double, longer);
    const auto sum = kernel_of(24, 544, 96, 103808);
    const auto kernel = kernel_of(blocks, threads, registers, shared);
    QCOMPARE(longer_beside(kernel, sum, {sm_room(9, 0), 132}), longer);
    QCOMPARE(longer_beside(kernel, sum, {sm_room(9, 0), 0}), 1.);
}

void tst_Ranks::sumsBesideKernelsWithoutRoom_data()
{
    QTest::addColumn<unsigned>("blocks");
    QTest::addColumn<Ns>("cost");
    QTest::newRow("half of the multiprocessors are free") << 66U << 150 * us;
    QTest::newRow("none") << 132U << Ns {0};
}

/// Four kernels of 100 us, then one sum of 200 us: in four pieces three lie beside kernels, unless these take as much
/// longer. A barrier, which is a sum of nothing, does not make it two sums.
void tst_Ranks::sumsBesideKernelsWithoutRoom()
{
    QFETCH(unsigned, blocks);
    QFETCH(Ns, cost);
    Tape tape;
    Ns at = 10 * us;
    Ns call = 0;
    const auto kernel = [&](Ns length, std::string_view name) {
        tape.kernel(tape.call("cudaLaunchKernel", call, call + us), 13, at, at + length, 0, name);
        call += 2 * us;
        at += length;
    };
    constexpr auto all_reduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)";
    kernel(5 * us, "ncclDevKernel_AllReduce_Sum_u8_RING_LL(ncclDevKernelArgs)");
    for (int i = 0; i < 4; ++i) {
        kernel(100 * us, "backward " + std::to_string(i));
    }
    kernel(200 * us, all_reduce);
    auto trace = tape.finish();
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const bool sums = trace.text(trace.operations.name[row]).starts_with("nccl");
        auto& detail = trace.kernels[trace.operations.detail[row]];
        detail = sums ? kernel_of(24, 544, 96, 103808) : kernel_of(blocks, 1024, 64, 0);
    }
    QCOMPARE(trace.devices.size(), std::size_t {1});
    trace.devices.front().multiprocessors = 132;
    COMPARE_ABOUT(find(report_of(trace).findings, "communication-after-kernels").cost, cost);
}

void tst_Ranks::aLateRank_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("what");
    QTest::addColumn<Ns>("cost");
    // (222.9 - 80.2) ms of 20 steps; half of (216.6 - 80.2) ms, for spread evenly rank 0 would do its half of it. Of
    // the four steps the first counts for nothing: there all wait until all have started.
    QTest::newRow("its loader sleeps for 8 ms a step") << "late.sqlite"
                                                       << "(it is in \"load batch\")" << 3 * 7135 * us;
    QTest::newRow("it computes more") << "heavier.sqlite"
                                      << "(its own kernels take longer)" << 3 * 3410 * us;
}

void tst_Ranks::aLateRank()
{
    QFETCH(QString, file);
    QFETCH(QString, what);
    QFETCH(Ns, cost);
    const auto recording = recording_of(file);
    const auto& findings = recording.report->findings;
    QVERIFY(!findings.empty());
    QCOMPARE(findings.front().rule, std::string("communication-late"));
    const auto title = QString::fromStdString(findings.front().title);
    QVERIFY2(title.contains("because rank 1 is late " + what), qPrintable(title));
    QVERIFY2(title.contains(" collectives, the other GPU loses up to "), qPrintable(title));
    QVERIFY2(std::abs(findings.front().cost - cost) < cost * 15 / 100, qPrintable(title));
    // Its buckets are summed as they come; that GPU 0 is in NCCL's kernels alone is its wait for rank 1.
    QCOMPARE(find(findings, "communication-after-kernels").count, 0U);
}

/// All gradients in one sum behind the backward pass took as long as in buckets beside it, 80.3 ms both: the matrix
/// products leave NCCL no multiprocessor.
void tst_Ranks::oneSumThatNothingWouldHide()
{
    const auto recording = recording_of("after.sqlite");
    QVERIFY(recording.report->gpus.size() == 2 && recording.report->gpus[0].communication_exposed > ms);
    QCOMPARE(find(recording.report->findings, "communication-after-kernels").count, 0U);
    QCOMPARE(find(recording.report->findings, "communication-late").count, 0U);
}

/// The critical path names what the program itself calls the time in which its thread is in no call.
void tst_Ranks::whereALateRankWas()
{
    const auto recording = recording_of("late.sqlite");
    const Graph graph(*recording.trace, *recording.blocking);
    // The last kernel that rank 1 ran by itself, before it came to the sum that all wait for.
    Row last = no_row;
    const auto& ops = recording.trace->operations;
    for (Row row = 0; row < ops.size(); ++row) {
        const Row partner = graph.partner_of(row);
        last = partner != no_row && (last == no_row || ops.start[partner] > ops.start[last]) ? partner : last;
    }
    QVERIFY(last != no_row);
    int found = 0;
    for (const auto& line : why_lines(graph, path_back(graph, {{EventTable::operations, last}, ops.end[last]}))) {
        const auto text = QString::fromStdString(Messages::english().format(line.text));
        if (text.endsWith("in \"load batch\"")) {
            QVERIFY(line.span.end - line.span.start > 8 * ms);
            ++found;
        }
    }
    QVERIFY2(found >= 3, qPrintable(QString::number(found)));
}

/// Another rank is steps ahead: what it issues during a step of this one is not of that step.
void tst_Ranks::iterationsOfOneRank()
{
    Tape tape;
    for (int i = 0; i < 5; ++i) {
        const Ns at = i * 100 * us;
        tape.range("step " + std::to_string(i), at, at + 90 * us);
        tape.kernel(tape.call("cudaLaunchKernel", at + us, at + 2 * us), 13, at + 5 * us, at + 80 * us);
        tape.kernel(tape.call("cudaLaunchKernel", at + 3 * us, at + 4 * us, 2), 15, at + 250 * us, at + 330 * us, 1);
    }
    auto trace = tape.finish();
    const auto other = [](std::uint32_t& process) { process = Tape::process + 1; };
    for (auto& stream : trace.streams) {
        stream.device == 1 ? other(stream.process) : void();
    }
    for (auto& thread : trace.threads) {
        thread.id == 2 ? other(thread.process) : void();
    }
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    const auto iterations = iterations_of(graph, RecordingBounds(trace, blocking));
    QVERIFY(iterations.has_value());
    QCOMPARE(iterations->all.size(), 5U);
    for (const auto& iteration : iterations->all) {
        const bool is_last = &iteration == &iterations->all.back();
        QCOMPARE(iteration.wall(), is_last ? 90 * us : 100 * us);
        QCOMPARE(iteration.after_work, is_last ? 0 : 10 * us);
    }
}

QTEST_GUILESS_MAIN(tst_Ranks)
#include "tst_ranks.moc"
