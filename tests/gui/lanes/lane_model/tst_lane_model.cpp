// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "gui/lanes/family_role.h"
#include "gui/lanes/lane_arrangement.h"
#include "gui/lanes/lane_model.h"
#include "gui/lanes/quiet_lanes.h"
#include "gui/lanes/role_totals.h"
#include "tests/gui/lanes/is_wait.h"
#include "tests/gui/lanes/repeating_in.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <algorithm>
#include <map>
#include <QTest>
#include <random>
#include <set>

using namespace lanes;
using namespace lanes::gui;

class tst_LaneModel : public QObject {
    Q_OBJECT

private slots:
    void everyThreadStreamAndGpuHasItsLane();
    void whatIsLookedForComesFirst();
    void threadsThatIssueNothingAreUnderOneHeader();
    void threadsAreFoldedByWhatTheViewOpensWith();
    void rowsDoNotOverlapAndNothingIsLost();
    void splittingNeedsNoMoreRowsThanDepth();
    void nestedRangesLieUnderOneAnother();
    void waitsLieOverTheCalls();
    void ribbonAgreesWithACount();
    void bandSaysWhatTheReportSays_data();
    void bandSaysWhatTheReportSays();
    void whatIsDrawnEndsWithTheHost();
    void withoutBlockedTimeThereIsNoBand();
    void everyItemIsFoundWhereItStands();
    void communicationHasItsColour();
    void kernelsHaveTheColoursOfTheirFamilies();
    void waitsHaveTheirTimes();
    void emptyTraceHasNoLanes();
};

void tst_LaneModel::everyThreadStreamAndGpuHasItsLane()
{
    const LaneModel model(samples::everything());
    std::vector<LaneKind> kinds;
    for (const Lane& lane : model.lanes()) {
        kinds.push_back(lane.key.kind);
    }
    constexpr auto thread = LaneKind::thread;
    constexpr auto gpu = LaneKind::gpu;
    constexpr auto stream = LaneKind::stream;
    constexpr auto time = LaneKind::gpuTime;
    QVERIFY((kinds
        == std::vector {
            LaneKind::overlap, gpu, stream, stream, stream, time, gpu, stream, time, thread, thread, thread}));
}

/// A program: what the GPUs did is on top, the busiest stream that computes first, and then the thread that issued
/// most. A workload: its calls are the story, in its own order.
void tst_LaneModel::whatIsLookedForComesFirst()
{
    const auto idsOf = [](const LaneModel& model, LaneKind kind) {
        std::vector<std::uint32_t> ids;
        for (const Lane& lane : model.lanes()) {
            if (lane.key.kind == kind) {
                ids.push_back(lane.key.id);
            }
        }
        return ids;
    };
    const LaneModel program(samples::everything());
    QCOMPARE(idsOf(program, LaneKind::stream), (std::vector<std::uint32_t> {20, 7, 21, 7}));
    QCOMPARE(idsOf(program, LaneKind::thread), (std::vector<std::uint32_t> {4711, 4713, 4712}));
    Trace trace = *samples::everything()->trace;
    trace.meta[meta::workload] = "one of ours";
    const auto workload = ShownRecording::of(std::move(trace));
    const LaneModel lesson(workload);
    QVERIFY(lesson.lanes()[1].key.kind == LaneKind::thread);
    QCOMPARE(idsOf(lesson, LaneKind::thread), (std::vector<std::uint32_t> {4711, 4712, 4713}));
    LaneChoice turned;
    turned.order = LaneOrder::gpusFirst;
    QVERIFY(LaneModel(workload, LaneModel::Rows::now, turned).lanes()[1].key.kind == LaneKind::gpu);
    turned.order = LaneOrder::cpuFirst;
    const LaneModel cpu(samples::everything(), LaneModel::Rows::now, turned);
    QVERIFY(cpu.lanes()[1].key.kind == LaneKind::thread && cpu.lanes().back().key.kind == LaneKind::gpuTime);
    for (const auto& head : headsOf(cpu.lanes())) {
        QVERIFY(!head || cpu.lanes()[*head].key.kind == LaneKind::gpu);
    }
}

/// Two threads that only have ranges are one line; one that waits for the GPU is not.
void tst_LaneModel::threadsThatIssueNothingAreUnderOneHeader()
{
    Trace trace = *samples::everything()->trace;
    for (const std::uint32_t id : {5001U, 5002U}) {
        trace.threads.push_back({4711, id, 0, id});
        Range range = trace.ranges.front();
        range.thread = static_cast<Row>(trace.threads.size() - 1);
        trace.ranges.insert(trace.ranges.begin(), range);
    }
    const auto recording = ShownRecording::of(std::move(trace));
    const LaneModel model(recording);
    const auto heads = headsOf(model.lanes());
    std::vector<std::uint32_t> folded;
    for (std::size_t i = 0; i < model.lanes().size(); ++i) {
        if (heads[i] && model.lanes()[*heads[i]].key.kind == LaneKind::others) {
            folded.push_back(model.lanes()[i].key.id);
        }
    }
    QCOMPARE(folded, (std::vector<std::uint32_t> {5001, 5002}));
    const LaneArrangement opened = withoutQuietLanes(model);
    const auto arranged = opened.arrange(model.lanes());
    QCOMPARE(arranged.lanes.back().folded.size(), 2);
    QVERIFY(model.lanes()[arranged.lanes.back().lane].key.kind == LaneKind::others);
}

/// Who issued work, but none in what the view opens with, is among them.
void tst_LaneModel::threadsAreFoldedByWhatTheViewOpensWith()
{
    const auto foldedOf = [](Interval part) {
        const LaneModel model(repeatingIn(part, samples::everything()));
        const auto heads = headsOf(model.lanes());
        std::vector<std::uint32_t> folded;
        for (std::size_t i = 0; i < model.lanes().size(); ++i) {
            if (heads[i] && model.lanes()[*heads[i]].key.kind == LaneKind::others) {
                folded.push_back(model.lanes()[i].key.id);
            }
        }
        return folded;
    };
    QCOMPARE(foldedOf({2'300'000, 3'700'000}), (std::vector<std::uint32_t> {4712, 4713}));
    QCOMPARE(foldedOf({0, 3'700'000}), std::vector<std::uint32_t>());
}

void tst_LaneModel::rowsDoNotOverlapAndNothingIsLost()
{
    const auto recording = samples::everything();
    const LaneModel model(recording);
    std::set<std::pair<ItemKind, Row>> seen;
    for (const Lane& lane : model.lanes()) {
        for (const LaneRow& row : lane.rows) {
            for (std::size_t i = 0; i < row.items.size(); ++i) {
                QVERIFY(i == 0 || row.items.end(i - 1) <= row.items.start(i));
                if (isEventOrPart(row.kind)) {
                    QVERIFY(seen.insert({row.kind, row.items.place(i)}).second);
                }
            }
        }
    }
    const Trace& trace = *recording->trace;
    QCOMPARE(seen.size(),
        trace.operations.size() + trace.calls.size() + trace.ranges.size() + trace.host_spans.size()
            + trace.reads.size() + recording->blocking->calls.size());
}

void tst_LaneModel::splittingNeedsNoMoreRowsThanDepth()
{
    std::mt19937_64 random(5);
    for (int round = 0; round < 300; ++round) {
        std::vector<Ns> start, end;
        std::vector<Row> places;
        for (int i = 0; i < 60; ++i) {
            start.push_back(static_cast<Ns>(random() % 500));
            end.push_back(start.back() + 1 + static_cast<Ns>(random() % 60));
            places.push_back(static_cast<Row>(i));
        }
        std::size_t deepest = 0;
        for (Ns t = 0; t < 600; ++t) {
            std::size_t depth = 0;
            for (std::size_t i = 0; i < start.size(); ++i) {
                depth += start[i] <= t && t < end[i] ? 1 : 0;
            }
            deepest = std::max(deepest, depth);
        }
        const auto rows = splitIntoRows(places, TimeColumn(start), TimeColumn(end));
        QCOMPARE(rows.size(), deepest);
        std::size_t count = 0;
        for (const auto& row : rows) {
            count += row.size();
            for (std::size_t i = 1; i < row.size(); ++i) {
                QVERIFY(end[row[i - 1]] <= start[row[i]]);
            }
        }
        QCOMPARE(count, places.size());
    }
}

void tst_LaneModel::nestedRangesLieUnderOneAnother()
{
    const LaneModel model(samples::everything());
    const auto& rows = std::find_if(model.lanes().begin(), model.lanes().end(), [](const Lane& lane) {
        return lane.key.kind == LaneKind::thread;
    })->rows;
    const auto name = [&](std::size_t row, std::size_t item) {
        return model.trace().text(model.trace().ranges[rows[row].items.place(item)].name);
    };
    QCOMPARE(name(0, 0), std::string_view("step 0"));
    QCOMPARE(name(1, 0), std::string_view("forward"));
    QCOMPARE(name(1, 1), std::string_view("backward"));
    QCOMPARE(name(2, 0), std::string_view("attention"));
}

void tst_LaneModel::waitsLieOverTheCalls()
{
    const LaneModel model(samples::copyResultsBack({}));
    const auto& rows = model.lanes()[1].rows;
    QCOMPARE(rows.size(), 3);
    QCOMPARE(rows[1].kind, ItemKind::call);
    QCOMPARE(rows[2].kind, ItemKind::blocked);
    QVERIFY(rows[2].overlay && isWait(rows[2].index.onlyRole()));
    QCOMPARE(rows[2].items.size(), 8);
    const Ns all = rows[2].costIn(0, model.duration());
    QCOMPARE(all, rows[2].costs.back());
    const Ns middle = (rows[2].items.start(4) + rows[2].items.end(4)) / 2;
    const Ns half = rows[2].costIn(rows[2].items.start(4), middle);
    QVERIFY(std::abs(2 * half - (rows[2].costs[5] - rows[2].costs[4])) <= 2);
    QCOMPARE(rows[2].costIn(0, middle) + rows[2].costIn(middle, model.duration()), all);
}

void tst_LaneModel::ribbonAgreesWithACount()
{
    const LaneModel model(samples::everything());
    const Trace& trace = model.trace();
    for (Ns t = 0; t < trace.duration; t += 3'331) {
        std::set<Row> busy;
        for (std::size_t i = 0; i < trace.operations.size(); ++i) {
            if (trace.operations.start[i] <= t && t < trace.operations.end[i]) {
                busy.insert(trace.operations.stream[i]);
            }
        }
        for (std::size_t least = 1; least <= 3; ++least) {
            QCOMPARE(model.lanes().front().rows[least - 1].busyIn(t, t + 1) == 1, busy.size() >= least);
        }
    }
}

void tst_LaneModel::bandSaysWhatTheReportSays_data()
{
    QTest::addColumn<int>("most");  // the first thread's state for most of the GPU's time
    const auto row = [](const char* name, ItemRole most) { QTest::newRow(name) << static_cast<int>(most); };
    row("cpu-work-while-copying.blocking", ItemRole::held);
    row("cpu-work-while-copying.pinned-async", ItemRole::cpuWorking);
    row("pageable-or-pinned.pinned-non-blocking", ItemRole::cpuWorking);
    row("copy-results-back.blocking", ItemRole::held);
    row("cuda-graph.launches", ItemRole::cpuWorking);
    row("copies-both-ways.three-streams", ItemRole::freeWait);
    row("data-loader.workers-4-pinned", ItemRole::hostWait);  // for its workers
    row("run-ahead.light", ItemRole::cpuWorking);
    row("run-ahead.heavy", ItemRole::freeWait);  // one stream
}

void tst_LaneModel::bandSaysWhatTheReportSays()
{
    QFETCH(int, most);
    const QString path = qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings/h200/")
        + QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".sqlite");
    const auto recording = ShownRecording::of(open_recording(path.toStdString()));
    const LaneModel model(recording);
    std::map<ItemRole, Ns> time;
    Ns byRows = 0;
    const auto& rows = model.lanes().front().rows;
    for (const LaneRow& row : rows) {
        if (row.kind == ItemKind::band) {
            byRows += row.busyIn(0, recording->trace->duration);
            for (std::size_t i = 0; i < row.items.size(); ++i) {
                time[row.items.role(i)] += row.items.end(i) - row.items.start(i);
                QVERIFY(i == 0 || row.items.end(i - 1) <= row.items.start(i));
            }
        }
    }
    QVERIFY(recording->report->cpu_free);
    QCOMPARE(time[ItemRole::cpuFree] + time[ItemRole::cpuWorking], *recording->report->cpu_free);
    QCOMPARE(time[ItemRole::held] + time[ItemRole::freeWait] + time[ItemRole::hostWait],
        recording->report->gpu_busy - *recording->report->cpu_free);
    const ThreadFigures& first = *recording->report->first_thread();
    QVERIFY(time[ItemRole::held] <= *first.held);  // as beside the thread's lane
    QVERIFY(time[ItemRole::held] + time[ItemRole::freeWait] <= *first.blocked);
    QCOMPARE(byRows, recording->report->gpu_busy);
    for (const auto& [role, ns] : time) {
        QVERIFY2(static_cast<int>(role) == most || ns < time[static_cast<ItemRole>(most)],
            qPrintable(QString::number(static_cast<int>(role))));
    }
    QVERIFY(rows.back().kind == ItemKind::band);
    const auto band
        = std::find_if(rows.begin(), rows.end(), [](const LaneRow& row) { return row.kind == ItemKind::band; });
    QVERIFY(!band->overlay);
    QVERIFY(std::all_of(
        band + 1, rows.end(), [](const LaneRow& row) { return row.overlay && isWait(row.index.onlyRole()); }));
}

void tst_LaneModel::whatIsDrawnEndsWithTheHost()
{
    const auto drawnEnd = [](auto change) {
        Trace trace = *samples::copyResultsBack({})->trace;
        change(trace);
        return LaneModel(ShownRecording::of(std::move(trace))).drawnEnd();
    };
    const Ns run = LaneModel(samples::copyResultsBack({})).duration();
    const auto range = [&](Ns end, bool open) {
        return drawnEnd([&](Trace& trace) {
            trace.ranges.push_back({run / 2, end, 0, 0, 0, 0, 0, open, false});
            trace.duration = end;
        });
    };
    const Ns last = samples::copyResultsBack({})->trace->ranges.back().end;  // a little after the last call
    QVERIFY(last > run && last < run + run / 100);
    QCOMPARE(drawnEnd([](Trace&) {}), last);
    QCOMPARE(drawnEnd([&](Trace& trace) { trace.duration = 3 * run; }), last);  // of a record that no lane draws
    QCOMPARE(drawnEnd([&](Trace& trace) {
        trace.reads.push_back({run, 3 * run, 0, 0, 1, 0, false});
        trace.duration = 3 * run;
    }),
        3 * run);
    QCOMPARE(drawnEnd([&](Trace& trace) {
        trace.host_spans.push_back({run, run + run / 2, 0, 0, HostSpanRecord::Type::queue_get});
        trace.duration = 3 * run;
    }),
        run + run / 2);
    QCOMPARE(range(run + run / 4, false), run + run / 4);
    QCOMPARE(range(3 * run, false), last);
    QCOMPARE(range(run + run / 4, true), last);
}

void tst_LaneModel::withoutBlockedTimeThereIsNoBand()
{
    const auto known = samples::copyResultsBack({});
    auto unknown = std::make_shared<ShownRecording>(*known);
    auto report = *known->report;
    report.cpu_free.reset();
    unknown->report = std::make_shared<const Report>(report);
    QCOMPARE(LaneModel(known).lanes().front().rows.size(), 5);
    QCOMPARE(LaneModel(unknown).lanes().front().rows.size(), 3);
}

void tst_LaneModel::everyItemIsFoundWhereItStands()
{
    const LaneModel model(samples::everything());
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        for (std::size_t row = 0; row < model.lanes()[lane].rows.size(); ++row) {
            const LaneRow& r = model.lanes()[lane].rows[row];
            for (std::size_t i = 0; i < r.items.size() && isEventOrPart(r.kind); ++i) {
                const auto place = model.find(r.itemAt(i));
                QVERIFY(place && place->lane == lane && place->row == row && place->item == i);
            }
        }
    }
    QVERIFY(!model.find({}));
}

void tst_LaneModel::communicationHasItsColour()
{
    const std::string file
        = qgetenv("LANES_SOURCE").toStdString() + "/resources/recordings/h200/all-reduce.in-buckets.sqlite";
    const LaneModel model(ShownRecording::of(open_recording(file)));
    const OperationTable& operations = model.trace().operations;
    int communicate = 0;
    for (const Lane& lane : model.lanes()) {
        for (const LaneRow& row : lane.rows) {
            for (std::size_t i = 0; row.kind == ItemKind::operation && i < row.items.size(); ++i) {
                const Row at = row.items.place(i);
                const bool nccl = model.trace().text(operations.name[at]).starts_with("nccl");
                QCOMPARE(row.items.role(i) == ItemRole::communication, nccl);
                QVERIFY(
                    nccl || (row.items.role(i) == ItemRole::kernel) == (operations.kind[at] == OperationKind::kernel));
                communicate += nccl ? 1 : 0;
            }
        }
    }
    QCOMPARE(communicate, 8);  // four buckets on two GPUs
}

/// Of a program kernels are drawn by their families, each name in one shade; of a workload only if that is chosen.
void tst_LaneModel::kernelsHaveTheColoursOfTheirFamilies()
{
    const QString file = qEnvironmentVariable("LANES_SOURCE")
        + QStringLiteral("/resources/recordings/h200/all-reduce.in-buckets.sqlite");
    const auto recording = ShownRecording::of(open_recording(file.toStdString()));
    LaneChoice choice;
    QVERIFY(!areFamiliesShown(*recording->trace, choice.colours));
    choice.colours = LaneColours::families;
    const LaneModel model(recording, LaneModel::Rows::now, choice);
    const OperationTable& operations = model.trace().operations;
    const OperationFamilies families(model.trace());
    std::map<Row, std::size_t> firstOf;  // shade, by detail
    const auto shadeOfDetail = [&](Row detail) {
        Row row = 0;
        while (operations.kind[row] != OperationKind::kernel || operations.detail[row] != detail) {
            ++row;
        }
        return shadeOf(model.trace().text(operations.name[row]));
    };
    RoleTotals sums;
    for (const Lane& lane : model.lanes()) {
        for (const LaneRow& row : lane.rows) {
            for (std::size_t i = 0; row.kind == ItemKind::operation && i < row.items.size(); ++i) {
                const Row at = row.items.place(i);
                const ItemRole role = row.items.role(i);
                const bool isKernel = operations.kind[at] == OperationKind::kernel;
                QVERIFY(role != ItemRole::kernel);
                QCOMPARE(familyOf(role).has_value(), isKernel);
                QVERIFY(!isKernel || roleOf(families.of(model.trace(), at)) == role);
                if (isKernel) {  // equal kernels to which a workload gave several names look as the first
                    const auto first = firstOf.try_emplace(operations.detail[at], shadeOfDetail(operations.detail[at]));
                    QCOMPARE(row.items.shade(i), first.first->second);
                } else {
                    QCOMPARE(row.items.shade(i), plain_shade);
                }
                sums.of[static_cast<std::size_t>(role)] += operations.end[at] - operations.start[at];
                sums.all += operations.end[at] - operations.start[at];
            }
        }
    }
    QVERIFY(sums[ItemRole::communication] > 0);
    const RoleTotals totals = roleTotals(model.trace(), {0, model.trace().duration});
    QVERIFY(totals.of == sums.of);
    QCOMPARE(totals.all, sums.all);
    // Halves of a range have its sums.
    const Ns middle = operations.start[operations.size() / 2] + 1;
    const RoleTotals before = roleTotals(model.trace(), {0, middle});
    const RoleTotals after = roleTotals(model.trace(), {middle, model.trace().duration});
    QCOMPARE(before.all + after.all, sums.all);
    QVERIFY(before.all > 0 && before.share(ItemRole::communication) <= 1);
}

/// Each stretch has its look, and halves of a range have its sums.
void tst_LaneModel::waitsHaveTheirTimes()
{
    const auto recording = samples::copyResultsBack({});
    const Ns duration = recording->trace->duration;
    const auto in = [&](Interval range) {
        RoleTotals totals;
        addWaits(totals, *recording, range);
        return totals;
    };
    Ns blocked = 0;
    for (const BlockedCall& stretch : recording->blocking->calls) {
        blocked += stretch.end - stretch.start;
    }
    QVERIFY(blocked > 0);
    Ns whole = 0;
    for (const ItemRole role : wait_roles) {
        whole += in({0, duration})[role];
        QCOMPARE(in({0, duration / 3})[role] + in({duration / 3, duration})[role], in({0, duration})[role]);
    }
    QCOMPARE(whole, blocked);
    QCOMPARE(in({0, duration}).all, 0);
}

void tst_LaneModel::emptyTraceHasNoLanes()
{
    const LaneModel model(ShownRecording::of(Trace {}));
    QVERIFY(model.lanes().empty());
}

QTEST_GUILESS_MAIN(tst_LaneModel)
#include "tst_lane_model.moc"
