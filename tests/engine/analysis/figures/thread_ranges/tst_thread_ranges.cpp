// SPDX-License-Identifier: MIT
// Time outside of calls belongs to the thread's innermost range: on the critical path, in iterations, in "why".
#include "engine/analysis/figures/thread_ranges.h"
#include "engine/analysis/graph/critical_path.h"
#include "engine/analysis/graph/why.h"
#include "engine/analysis/iterations.h"
#include "engine/store/recording_file.h"
#include "engine/trace/event.h"
#include "tests/engine/analysis/graphed.h"

#include <QTest>

using namespace lanes;

class tst_ThreadRanges : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void innermostOnThePath();
    void operatorsInRanges();
    void whatSaysNothing();
    void aroundAStretch();
    void iterationsAndWhy();
    void causeOfAWaitForABatch();
    void recorded();
};

namespace {

constexpr Ns us = 1000;

/// `count` steps of 400 µs: a batch is loaded in 150 µs without a call, in the third in 350 µs more; then a
/// kernel of 140 µs is launched and waited for.
Trace steps(int count, bool with_longest = true)
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 0;
    for (int i = 0; i < count; ++i) {
        const Ns begin = now;
        now += i == 2 ? 500 * us : 150 * us;
        tape.range("load batch", begin, now);
        tape.kernel(tape.call("cudaLaunchKernel", now, now + 4 * us), 13, now + 5 * us, now + 145 * us);
        const auto sync = tape.call("cudaStreamSynchronize", now + 10 * us, now + 150 * us);
        tape.sync(sync, SyncRecord::stream_sync, now + 10 * us, now + 150 * us, 13);
        now += 250 * us;
        tape.range("step " + std::to_string(i), begin, now);
    }
    if (with_longest) {
        tape.range("train", 0, now);
    }
    return tape.finish();
}

const CriticalPath::NameShare* named(const Graphed& of, const CriticalPath& path, std::string_view name)
{
    const auto found = std::find_if(path.names.begin(), path.names.end(),
        [&](const auto& share) { return shown_name(of.trace, share.table, share.name) == name; });
    return found == path.names.end() ? nullptr : &*found;
}

}  // namespace

void tst_ThreadRanges::innermostOnThePath()
{
    const Graphed of(steps(4));
    const auto path = critical_path(of.graph, {0, of.trace.duration});
    QCOMPARE(path.of(PathPart::between), 0);
    const auto* loading = named(of, path, "load batch");
    QVERIFY(loading != nullptr);
    QCOMPARE(loading->time, 950 * us);
    QCOMPARE(loading->count, std::uint64_t {4});
    // After the wait of a step and between its calls it is in the step alone; names that differ in a count are one.
    const auto* step = named(of, path, "step");
    QVERIFY(step != nullptr);
    QCOMPARE(step->time, 3 * 100 * us);
    QCOMPARE(step->count, std::uint64_t {3});
    QVERIFY(named(of, path, "train") == nullptr);
}

/// An operator counts once, whatever is in it, and comes before the range around it.
void tst_ThreadRanges::operatorsInRanges()
{
    Tape tape;
    tape.range("forward", 0, 100 * us);
    tape.range("aten::linear", 20 * us, 60 * us, 1, operator_domain);
    tape.range("aten::addmm", 30 * us, 50 * us, 1, operator_domain);
    tape.range("mine", 52 * us, 55 * us);
    tape.call("cudaMalloc", 300 * us, 310 * us);
    const Graphed of(tape.finish());
    const auto path = critical_path(of.graph, {0, of.trace.duration});
    QCOMPARE(named(of, path, "forward")->time, 60 * us);
    QCOMPARE(named(of, path, "aten::linear")->time, 37 * us);
    QCOMPARE(named(of, path, "aten::linear")->count, std::uint64_t {1});
    QCOMPARE(named(of, path, "mine")->time, 3 * us);
    QVERIFY(named(of, path, "aten::addmm") == nullptr);
    QCOMPARE(path.of(PathPart::between), 200 * us);
}

/// A range that never ended, one that spans most of the recording, and one of another thread.
void tst_ThreadRanges::whatSaysNothing()
{
    Tape tape;
    tape.open_range("ncclCommInitRankConfig", 10 * us);
    tape.range("main", 0, 900 * us);
    tape.range("elsewhere", 100 * us, 200 * us, 2);
    tape.call("cudaMalloc", 300 * us, 310 * us);
    tape.call("cudaMalloc", 990 * us, 1000 * us);
    const Graphed of(tape.finish());
    const auto path = critical_path(of.graph, {0, of.trace.duration});
    QCOMPARE(path.of(PathPart::work), 0);
    QCOMPARE(path.of(PathPart::between), 980 * us);
}

/// A long range says more than none; another thread's is named if the own thread has none.
void tst_ThreadRanges::aroundAStretch()
{
    Tape tape;
    tape.range("main", 0, 900 * us);
    tape.range("step", 0, 300 * us);
    tape.range("prepare", 400 * us, 495 * us);
    tape.range("elsewhere", 100 * us, 200 * us, 2);
    tape.range("load", 930 * us, 970 * us, 2);
    tape.call("cudaMalloc", 990 * us, 1000 * us);
    const Graphed of(tape.finish());
    const Row main = of.trace.ranges.front().thread;
    const auto around = [&](Row thread, Interval stretch) {
        const Row range = of.graph.ranges().around(thread, stretch);
        return range == no_row ? std::string_view {} : of.trace.text(of.trace.ranges[range].name);
    };
    QCOMPARE(around(main, {100 * us, 200 * us}), "step");
    QCOMPARE(around(main, {400 * us, 500 * us}), "prepare");
    QCOMPARE(around(main, {400 * us, 700 * us}), "main");
    QCOMPARE(around(main, {910 * us, 990 * us}), "load");
    QCOMPARE(around(main, {975 * us, 990 * us}), "");
    QCOMPARE(around(no_row, {100 * us, 200 * us}), "");
}

void tst_ThreadRanges::iterationsAndWhy()
{
    const Graphed of(steps(8));
    const auto iterations = iterations_of(of.graph, RecordingBounds(of.trace, of.blocking));
    QVERIFY(iterations.has_value());
    const auto differences = differences_of(iterations->all[iterations->typical], iterations->all[2]);
    QCOMPARE(differences.size(), std::size_t {1});
    QCOMPARE(differences[0].second, 350 * us);
    const Messages& english = Messages::english();
    QCOMPARE(english.format(cause_message(of.trace, differences[0].first)), std::string("in load batch"));
    const Interval third {800 * us, 1550 * us};
    const auto lines = why_lines(of.graph, path_back(of.graph, last_of(of.graph, third), third.start));
    QVERIFY(std::any_of(lines.begin(), lines.end(), [&](const WhyLine& line) {
        return english.format(line.text).ends_with("in \"load batch\"") && line.span.end - line.span.start == 500 * us;
    }));
}

/// It waited for the worker's fetch that ended in it. What else it waited for is unknown; it was not what its thread
/// waited for before it.
void tst_ThreadRanges::causeOfAWaitForABatch()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 50 * us);
    tape.sync(tape.call("cudaStreamSynchronize", 5 * us, 52 * us), SyncRecord::stream_sync, 5 * us, 52 * us, 13);
    tape.range("DataLoader: fetch a batch", 0, 120 * us, 2);
    tape.range("DataLoader: fetch a batch", 20 * us, 180 * us, 3);
    tape.range("DataLoader: fetch a batch", 130 * us, 260 * us, 2);
    tape.range("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 100 * us, 200 * us, 1, operator_domain);
    tape.range("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 210 * us, 220 * us, 1, operator_domain);
    tape.range("load batch", 230 * us, 270 * us);
    tape.call("cudaMalloc", 900 * us, 910 * us);
    const Graphed of(tape.finish());
    const auto cause_of = [&](Ns start) {
        const auto row = std::find_if(
            of.trace.ranges.begin(), of.trace.ranges.end(), [&](const Range& range) { return range.start == start; });
        const auto cause
            = step_back(of.graph, EventRef {EventTable::ranges, static_cast<Row>(row - of.trace.ranges.begin())});
        return cause ? span_of(of.trace, cause.event).end : Ns {-1};
    };
    QCOMPARE(cause_of(100 * us), 180 * us);
    QCOMPARE(cause_of(210 * us), -1);
    QCOMPARE(cause_of(230 * us), -1);
}

/// PyTorch's own profiler: the time that waits for the data loader is named as before.
void tst_ThreadRanges::recorded()
{
    const auto path = qEnvironmentVariable("LANES_SOURCE") + "/resources/traces/recorded.loader.sqlite";
    const Graphed of(open_recording(path.toStdString()));
    const auto critical = critical_path(of.graph, {0, of.trace.duration});
    const auto* next = named(of, critical, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
    QVERIFY(next != nullptr);
    QVERIFY(next->count >= 40 && next->count <= 42);
}

QTEST_GUILESS_MAIN(tst_ThreadRanges)
#include "tst_thread_ranges.moc"
