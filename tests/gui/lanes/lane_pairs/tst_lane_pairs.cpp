// SPDX-License-Identifier: MIT
// Which lanes of two recordings correspond, headers of processes, and which threads open collapsed.
#include "engine/trace/meta_keys.h"
#include "gui/lanes/lane_pairs.h"
#include "gui/lanes/quiet_lanes.h"
#include "tests/engine/analysis/tape.h"

#include <algorithm>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

/// Threads with their names and how long each is in a call; streams by their ids.
std::unique_ptr<LaneModel> modelOf(const std::vector<std::pair<std::string, Ns>>& threads,
    const std::vector<std::uint32_t>& streams, std::uint32_t firstThread = 1)
{
    Tape tape;
    std::uint32_t id = firstThread;
    for (const auto& [name, length] : threads) {
        tape.thread(id, name, id - firstThread);
        std::uint32_t call = tape.call("cudaLaunchKernel", 0, length, id++);
        for (const std::uint32_t stream : length > 0 ? streams : std::vector<std::uint32_t>()) {
            tape.kernel(std::exchange(call, 0), stream, 100, 1'000'000);
        }
    }
    return std::make_unique<LaneModel>(ShownRecording::of(tape.finish()));
}

/// "process" for a header, threads and streams by their ids.
QString textOf(const LaneKey& key)
{
    switch (key.kind) {
    case LaneKind::overlap:
        return QStringLiteral("ribbon");
    case LaneKind::thread:
        return QStringLiteral("t%1").arg(key.id);
    case LaneKind::gpu:
        return QStringLiteral("gpu%1").arg(key.device);
    case LaneKind::stream:
        return QStringLiteral("s%1").arg(key.id);
    case LaneKind::engine:
        return QStringLiteral("e%1").arg(key.id);
    case LaneKind::process:
        return QStringLiteral("p%1").arg(key.process);
    case LaneKind::counter:
        return QStringLiteral("c%1").arg(key.id);
    case LaneKind::others:
        return QStringLiteral("others");
    case LaneKind::gpuTime:
        return QStringLiteral("time%1").arg(key.device);
    }
    return {};
}

QString textOf(const std::map<LaneKey, LaneKey>& pairs)
{
    QStringList all;
    for (const auto& [from, to] : pairs) {
        if (from.kind == LaneKind::gpuTime) {  // as its GPU
            continue;
        }
        all << textOf(from) + u'>' + textOf(to);
    }
    return all.join(u' ');
}

}  // namespace

class tst_LanePairs : public QObject {
    Q_OBJECT

private slots:
    void pairs();
    void processesHaveHeaders();
    void quietThreadsAreCollapsed();
    void aThreadThatSleepsInItsFramesIsCollapsed();
    void whatReachesBeyondTheRecordingDoesNotCount();
};

void tst_LanePairs::pairs()
{
    const auto a = modelOf({{"main", 1000}, {"loader", 1000}}, {7, 13});
    const auto same = modelOf({{"main", 1000}, {"loader", 1000}}, {7, 13});
    QCOMPARE(textOf(lanePairs(*a, *same)), QStringLiteral("ribbon>ribbon t1>t1 t2>t2 gpu0>gpu0 s7>s7 s13>s13"));
    // Names count first, then the order; what has no counterpart is left out.
    const auto turned = modelOf({{"loader", 1000}, {"main", 1000}, {"third", 1000}}, {14}, 5);
    QCOMPARE(textOf(lanePairs(*a, *turned)), QStringLiteral("ribbon>ribbon t1>t6 t2>t5 gpu0>gpu0 s7>s14"));
    const auto renamed = modelOf({{"first", 1000}}, {20, 21, 22}, 9);
    QCOMPARE(textOf(lanePairs(*a, *renamed)), QStringLiteral("ribbon>ribbon t1>t9 gpu0>gpu0 s7>s20 s13>s21"));
}

void tst_LanePairs::processesHaveHeaders()
{
    Tape tape;
    const auto other = [&](std::uint32_t process, std::uint32_t thread) {
        tape.builder().write(ApiCallRecord {.start = Tape::origin + 10,
            .end = Tape::origin + 20,
            .process = process,
            .thread = thread,
            .correlation = 0,
            .name = tape.builder().intern("cudaMalloc"),
            .api = ApiCallRecord::runtime,
            .result = 0});
    };
    tape.kernel(tape.call("cudaLaunchKernel", 0, 10), 13, 20, 100);
    other(Tape::process, 2);
    const auto text = [](const LaneModel& model) {
        QStringList all;
        for (const Lane& lane : model.lanes()) {
            all << textOf(lane.key);
        }
        return all.join(u' ');
    };
    other(200, 201);
    Trace trace = tape.finish();
    trace.meta[meta::workload] = "one of ours";
    const LaneModel two(ShownRecording::of(trace));
    QCOMPARE(text(two), QStringLiteral("ribbon p100 t1 t2 t201 gpu0 s13"));  // no header over the only thread
    QVERIFY(two.isReady());
    QCOMPARE(headOf(two.lanes(), 2), std::optional<std::size_t>(1));
    QCOMPARE(headOf(two.lanes(), 3), std::optional<std::size_t>(1));
    QVERIFY(!headOf(two.lanes(), 1) && !headOf(two.lanes(), 4) && !headOf(two.lanes(), 5));
    trace.meta.erase(meta::workload);
    const LaneModel program(ShownRecording::of(std::move(trace)));  // two threads issue nothing
    QCOMPARE(text(program), QStringLiteral("ribbon gpu0 s13 time0 t1 others t2 t201"));
    QVERIFY(!headOf(program.lanes(), 4));
    QCOMPARE(headOf(program.lanes(), 7), std::optional<std::size_t>(5));
    QCOMPARE(text(*modelOf({{"main", 1000}}, {13})), QStringLiteral("ribbon gpu0 s13 time0 t1"));
}

void tst_LanePairs::quietThreadsAreCollapsed()
{
    const auto model = modelOf({{"main", 100'000}, {"watchdog", 900}, {"loader", 1000}}, {13});
    const LaneArrangement arrangement = withoutQuietLanes(*model);
    for (const Lane& lane : model->lanes()) {
        const bool quiet = lane.key.kind == LaneKind::thread && lane.key.id == 2;
        QCOMPARE(arrangement.isCollapsed(lane.key), quiet);
    }
}

void tst_LanePairs::aThreadThatSleepsInItsFramesIsCollapsed()
{
    for (const bool alone : {false, true}) {
        Tape tape;
        tape.thread(1, "main", 0);
        tape.thread(2, "monitor", 1);
        tape.kernel(tape.call("cudaLaunchKernel", 0, 100'000), 13, 200'000, 1'000'000);
        tape.range("tqdm.py(1): run", 0, 900'000, 2, "python_function");
        if (!alone) {
            tape.range("progress", 0, 800'000, 2);
        }
        const LaneModel model(ShownRecording::of(tape.finish()));
        const LaneArrangement arrangement = withoutQuietLanes(model);
        for (const Lane& lane : model.lanes()) {
            QCOMPARE(arrangement.isCollapsed(lane.key), alone && lane.key.kind == LaneKind::thread && lane.key.id == 2);
        }
    }
}

/// A step that goes on long after the GPU's work does not make other threads quiet.
void tst_LanePairs::whatReachesBeyondTheRecordingDoesNotCount()
{
    Tape tape;
    tape.thread(1, "main", 0);
    tape.thread(2, "steps", 1);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 100'000), 13, 200'000, 1'000'000);
    tape.range("step", 0, 900'000'000, 2);
    const LaneModel model(ShownRecording::of(tape.finish()));
    QCOMPARE(model.recording().report->wall, Ns {1'000'000});
    const LaneArrangement arrangement = withoutQuietLanes(model);
    QVERIFY(std::ranges::none_of(model.lanes(), [&](const Lane& lane) { return arrangement.isCollapsed(lane.key); }));
}

QTEST_GUILESS_MAIN(tst_LanePairs)
#include "tst_lane_pairs.moc"
