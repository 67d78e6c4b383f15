// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "gui/timeline/item_text.h"
#include "gui/timeline/lane_model.h"
#include "gui/timeline/range_figures.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QTest>
#include <random>
#include <set>

using namespace lanes;
using namespace lanes::gui;

namespace {

QStringList titles(const LaneModel& model)
{
    QStringList all;
    for (const Lane& lane : model.lanes()) {
        all << lane.title;
    }
    return all;
}

}  // namespace

class tst_LaneModel : public QObject {
    Q_OBJECT

private slots:
    void lanesOfTheBlockingRun();
    void lanesOfTheOverlappedRun();
    void everyThreadStreamAndGpuHasItsLane();
    void rowsDoNotOverlapAndNothingIsLost();
    void splittingNeedsNoMoreRowsThanDepth();
    void nestedRangesLieUnderOneAnother();
    void blockedLiesOverTheCalls();
    void ribbonAgreesWithACount();
    void everyItemIsFoundWhereItStands();
    void communicationHasItsColour();
    void rangeFigures();
    void emptyTraceHasNoLanes();
    void labels();
    void kernelNames_data();
    void kernelNames();
};

void tst_LaneModel::lanesOfTheBlockingRun()
{
    const LaneModel model(samples::copyResultsBack({}));
    QCOMPARE(titles(model), QStringList({"overlap", "CPU  main thread", "GPU 0", "compute"}));
    QCOMPARE(model.lanes()[1].subtitle, "lanes");
    QCOMPARE(model.lanes()[2].subtitle, "NVIDIA H100 80GB HBM3");
    QCOMPARE(model.lanes()[3].subtitle, QString::fromUtf8("stream 13 · compute and copy"));
}

void tst_LaneModel::lanesOfTheOverlappedRun()
{
    const LaneModel model(samples::copyResultsBack({.copy = 1'180'000, .blocking = false}));
    QCOMPARE(titles(model), QStringList({"overlap", "CPU  main thread", "GPU 0", "compute", "copy"}));
    QVERIFY(model.lanes()[3].subtitle.endsWith("compute"));
    QVERIFY(model.lanes()[4].subtitle.endsWith("copy to the host"));
}

void tst_LaneModel::everyThreadStreamAndGpuHasItsLane()
{
    const LaneModel model(samples::everything());
    QCOMPARE(titles(model), QStringList({"overlap", "CPU  main thread", "CPU  loader 0", "CPU  thread 4713", "GPU 0", "stream 7", "side", "stream 21", "GPU 1", "stream 7"}));
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
                if (row.kind != ItemKind::overlap) {
                    QVERIFY(seen.insert({row.kind, row.items.place(i)}).second);
                }
            }
        }
    }
    const Trace& trace = *recording->trace;
    QCOMPARE(seen.size(), trace.operations.size() + trace.calls.size() + trace.ranges.size() + trace.host_spans.size() + trace.reads.size()
            + recording->blocking->calls.size());
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
    const auto& rows = model.lanes()[1].rows;
    const auto name = [&](std::size_t row, std::size_t item) {
        return labelsOf(model.recording(), rows[row].itemAt(item)).front();
    };
    QCOMPARE(name(0, 0), "step 0");
    QCOMPARE(name(1, 0), "forward");
    QCOMPARE(name(1, 1), "backward");
    QCOMPARE(name(2, 0), "attention");
}

void tst_LaneModel::blockedLiesOverTheCalls()
{
    const LaneModel model(samples::copyResultsBack({}));
    const auto& rows = model.lanes()[1].rows;
    QCOMPARE(rows.size(), 3);
    QCOMPARE(rows[1].kind, ItemKind::call);
    QCOMPARE(rows[2].kind, ItemKind::blocked);
    QVERIFY(rows[2].overlay && rows[2].hatched);
    QCOMPARE(rows[2].items.size(), 8);
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
            QCOMPARE(model.busyAtLeast(least, {t, t + 1}) == 1, busy.size() >= least);
        }
    }
}

void tst_LaneModel::everyItemIsFoundWhereItStands()
{
    const LaneModel model(samples::everything());
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        for (std::size_t row = 0; row < model.lanes()[lane].rows.size(); ++row) {
            const LaneRow& r = model.lanes()[lane].rows[row];
            for (std::size_t i = 0; i < r.items.size() && r.kind != ItemKind::overlap; ++i) {
                const auto place = model.find(r.itemAt(i));
                QVERIFY(place && place->lane == lane && place->row == row && place->item == i);
            }
        }
    }
    QVERIFY(!model.find({}));
}

void tst_LaneModel::rangeFigures()
{
    const auto recording = samples::copyResultsBack({.copy = 1'180'000, .blocking = false});
    const auto all = figuresOf(*recording, {0, recording->trace->duration});
    QVERIFY(all.summary);
    QCOMPARE(all.summary->of(OperationKind::kernel).count, 8);
    QCOMPARE(all.summary->copies.count, 8);
    QCOMPARE(all.summary->copies.bytes, 8ULL * (64 << 20));
    QCOMPARE(all.summary->copies.busy, 8 * 1'180'000);
    QCOMPARE(all.summary->at_least[0], recording->report->gpu_busy);
    QCOMPARE(all.summary->at_least[1], recording->report->overlap);
    QCOMPARE(all.blocked, recording->report->threads.front().blocked);
    QCOMPARE(linesOf(all).back(), QString::fromUtf8("512 MiB D2H at 56.9 GB/s · 8 kernels · 8 copies"));
    const auto firstKernel = figuresOf(*recording, {100'000, 200'000});
    QCOMPARE(firstKernel.summary->at_least[0], 100'000);
    QCOMPARE(firstKernel.summary->at_least[1], 0);
    QCOMPARE(linesOf(firstKernel),
        QStringList({QString::fromUtf8("ΔT 100 µs · GPU busy 100 % · overlap 0 % · CPU blocked 0 ms"), QStringLiteral("1 kernel")}));
    // Half of a copy is half of its bytes, at the same bandwidth.
    const auto& operations = recording->trace->operations;
    for (Row row = 0; row < operations.size(); ++row) {
        if (operations.kind[row] == OperationKind::d2h) {
            const auto half = figuresOf(*recording, {operations.start[row], operations.start[row] + 590'000});
            QCOMPARE(half.summary->of(OperationKind::d2h).bytes, 32ULL << 20);
            QVERIFY2(linesOf(half).back().startsWith(QStringLiteral("32 MiB D2H at 56.9 GB/s")), qPrintable(linesOf(half).back()));
            break;
        }
    }
    // Nothing is known of a recording that was not measured.
    Recording unmeasured;
    unmeasured.trace = recording->trace;
    QCOMPARE(linesOf(figuresOf(unmeasured, {0, 5000})), QStringList(QString::fromUtf8("ΔT 5.00 µs")));
}

void tst_LaneModel::communicationHasItsColour()
{
    const std::string file = qgetenv("LANES_SOURCE").toStdString() + "/resources/recordings/h200/all-reduce.in-buckets.sqlite";
    const LaneModel model(Recording::of(open_recording(file)));
    const OperationTable& operations = model.trace().operations;
    int communicate = 0;
    for (const Lane& lane : model.lanes()) {
        for (const LaneRow& row : lane.rows) {
            for (std::size_t i = 0; row.kind == ItemKind::operation && i < row.items.size(); ++i) {
                const Row at = row.items.place(i);
                const bool nccl = model.trace().text(operations.name[at]).starts_with("nccl");
                QCOMPARE(row.items.role(i) == ItemRole::communication, nccl);
                QVERIFY(nccl || (row.items.role(i) == ItemRole::kernel) == (operations.kind[at] == OperationKind::kernel));
                communicate += nccl ? 1 : 0;
            }
        }
    }
    QCOMPARE(communicate, 8);  // four buckets on two GPUs
}

void tst_LaneModel::emptyTraceHasNoLanes()
{
    const LaneModel model(Recording::of(Trace{}));
    QVERIFY(model.lanes().empty());
}

void tst_LaneModel::labels()
{
    const auto recording = samples::copyResultsBack({});
    QCOMPARE(labelsOf(*recording, {ItemKind::operation, 1}), QStringList({"D2H 64 MiB", "D2H"}));
    QCOMPARE(labelsOf(*recording, {ItemKind::call, 1}), QStringList({"cudaMemcpyAsync", "MemcpyAsync"}));
    const auto waits = labelsOf(*recording, {ItemKind::blocked, 0});
    QCOMPARE(waits.front(), QString::fromUtf8("waits for D2H 64 MiB · cudaMemcpyAsync"));
    QCOMPARE(waits.back(), "waits");
    const auto tip = tooltipOf(*recording, {ItemKind::operation, 1});
    QVERIFY(tip.join('\n').contains("17.2 GB/s, device to pageable"));
    QVERIFY(tip.join('\n').contains("issued by cudaMemcpyAsync"));
}

void tst_LaneModel::kernelNames_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("brief");
    QTest::newRow("given by a person") << "my kernel 3" << "my kernel 3";
    QTest::newRow("plain") << "sgemm_128x64" << "sgemm_128x64";
    QTest::newRow("template") << "void at::native::add<4, at::Functor<float> >(int, float*)" << "add";
    QTest::newRow("anonymous namespace") << "void (anonymous namespace)::softmax<float>(float*)" << "softmax";
    QTest::newRow("namespace only") << "cub::DeviceScan" << "DeviceScan";
}

void tst_LaneModel::kernelNames()
{
    QFETCH(QString, name);
    QFETCH(QString, brief);
    QCOMPARE(shortKernelName(name), brief);
}

QTEST_GUILESS_MAIN(tst_LaneModel)
#include "tst_lane_model.moc"
