// SPDX-License-Identifier: MIT
// The lanes of the parts of streams, the graph of each GPU's time and what is marked as exposed.
#include "engine/trace/meta_keys.h"
#include "gui/lanes/lane_arrangement.h"
#include "gui/lanes/lane_kinds.h"
#include "gui/lanes/lane_layout.h"
#include "gui/lanes/lane_pairs.h"
#include "gui/lanes/quiet_lanes.h"
#include "tests/gui/lanes/repeating_in.h"

#include <algorithm>
#include <map>
#include <QTest>
#include <set>

using namespace lanes;
using namespace lanes::gui;

namespace {

enum class Does : std::uint8_t { compute, communicate, copy, set };

struct Done {
    std::uint32_t stream;
    Does does;
    Ns start, end;
};

/// Operations of one GPU; by stream, then start.
RecordingPtr recordingOf(std::vector<Done> all, std::uint32_t streams, bool isWorkload = false, Ns duration = 10'000)
{
    auto trace = std::make_shared<Trace>();
    const StringId kernel = trace->strings.intern("add_kernel(float*)");
    const StringId nccl = trace->strings.intern("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)");
    trace->kernels = {{kernel, {}, {}, 0, 0, 0, 0, no_id}, {nccl, {}, {}, 0, 0, 0, 0, no_id}};
    trace->copies.push_back({});
    trace->memsets.push_back({});
    trace->devices.push_back({});
    for (std::uint32_t stream = 0; stream < streams; ++stream) {
        trace->streams.push_back({1, 0, 1, stream + 7, 0, 0, StreamRecord::non_blocking});
    }
    std::stable_sort(all.begin(), all.end(), [](const Done& a, const Done& b) { return a.stream < b.stream; });
    OperationTable& t = trace->operations;
    for (const Done& done : all) {
        t.start.push_back(done.start);
        t.end.push_back(done.end);
        t.stream.push_back(done.stream);
        t.kind.push_back(done.does == Does::copy ? OperationKind::d2h
                : done.does == Does::set         ? OperationKind::memset
                                                 : OperationKind::kernel);
        t.detail.push_back(done.does == Does::communicate ? 1 : 0);
        t.name.push_back(done.does == Does::communicate ? nccl : kernel);
        t.correlation.push_back(0);
        t.call.push_back(no_row);
    }
    trace->duration = duration;
    if (isWorkload) {
        trace->meta[meta::workload] = "one of ours";
    }
    auto recording = std::make_shared<ShownRecording>();
    recording->trace = trace;
    recording->blocking = std::make_shared<const Blocking>();
    return recording;
}

/// "compute 7", … from top to bottom, without the ribbon.
QStringList namesOf(const LaneModel& model)
{
    static const char* const parts[] {"whole", "compute", "communication", "copies"};
    QStringList names;
    for (const Lane& lane : model.lanes()) {
        if (lane.key.kind == LaneKind::stream) {
            names << QStringLiteral("%1 %2")
                         .arg(QLatin1String(parts[static_cast<std::size_t>(lane.key.part)]))
                         .arg(lane.key.id);
        } else if (lane.key.kind != LaneKind::overlap) {
            names << QString::fromLatin1(laneKindRow(lane.key.kind).word.data());
        }
    }
    return names;
}

const Lane& laneOf(const LaneModel& model, LaneKind kind, StreamPart part = StreamPart::whole)
{
    return *std::find_if(model.lanes().begin(), model.lanes().end(),
        [&](const Lane& lane) { return lane.key.kind == kind && lane.key.part == part; });
}

/// Stream 7 computes, copies and sets memory; 8 communicates, and computes most.
const std::vector<Done> mixed {{0, Does::compute, 0, 1000}, {0, Does::copy, 1000, 1600}, {0, Does::compute, 2000, 2500},
    {0, Does::set, 2500, 2600}, {1, Does::communicate, 500, 2200}, {1, Does::compute, 3000, 5000}};

}  // namespace

class tst_StreamParts : public QObject {
    Q_OBJECT

private slots:
    void eachPartHasItsLane();
    void aWorkloadKeepsItsStreams();
    void nothingIsLostOrDoubled();
    void exposedIsWhereNoKernelComputes();
    void aFilterHidesPartsAndNoTruth();
    void quietStreamsOfManyAreFolded();
    void lanesAreFoldedByWhatTheViewOpensWith();
    void partsArePairedWithParts();
    void theGraphHasRoomForItsFigures();
};

void tst_StreamParts::eachPartHasItsLane()
{
    QCOMPARE(namesOf(LaneModel(recordingOf(mixed, 2))),
        QStringList({QStringLiteral("gpu"), QStringLiteral("compute 8"), QStringLiteral("compute 7"),
            QStringLiteral("communication 8"), QStringLiteral("copies 7"), QStringLiteral("gpu-time")}));
    const LaneModel model(recordingOf(mixed, 2));
    QVERIFY(laneOf(model, LaneKind::stream, StreamPart::compute).isMain);
    QVERIFY(!model.lanes()[3].isMain);
    QCOMPARE(laneOf(model, LaneKind::stream, StreamPart::copies)
                 .busy.in(laneOf(model, LaneKind::stream, StreamPart::copies).rows, 0, 10'000),
        700);
}

void tst_StreamParts::aWorkloadKeepsItsStreams()
{
    QCOMPARE(namesOf(LaneModel(recordingOf(mixed, 2, true))),
        QStringList({QStringLiteral("gpu"), QStringLiteral("whole 7"), QStringLiteral("whole 8")}));
}

void tst_StreamParts::nothingIsLostOrDoubled()
{
    const LaneModel model(recordingOf(mixed, 2));
    std::set<Row> seen;
    for (const Lane& lane : model.lanes()) {
        for (const LaneRow& row : lane.rows) {
            for (std::size_t i = 0; i < row.items.size() && row.kind == ItemKind::operation; ++i) {
                QVERIFY(seen.insert(row.items.place(i)).second);
                const auto found = model.find(row.itemAt(i));
                QVERIFY(found && &model.lanes()[found->lane] == &lane && found->item == i);
            }
        }
    }
    QCOMPARE(seen.size(), mixed.size());
}

void tst_StreamParts::exposedIsWhereNoKernelComputes()
{
    const LaneModel model(recordingOf(mixed, 2));
    const auto in = [](const Lane& lane, Ns from, Ns to) { return lane.exposed->busyIn(from, to); };
    const Lane& communication = laneOf(model, LaneKind::stream, StreamPart::communication);
    QCOMPARE(in(communication, 0, 10'000), 1000);  // from 1000 to 2000
    QCOMPARE(in(communication, 900, 1100), 100);
    const Lane& copies = laneOf(model, LaneKind::stream, StreamPart::copies);
    QCOMPARE(in(copies, 0, 10'000), 700);  // beside communication alone, and after all kernels
    QVERIFY(!laneOf(model, LaneKind::stream, StreamPart::compute).exposed);
    const Lane& graph = laneOf(model, LaneKind::gpuTime);
    QCOMPARE(graph.rows.size(), 3);
    QCOMPARE(graph.rows[0].busyIn(0, 10'000), 700);  // 500 to 1000, 2000 to 2200
    QCOMPARE(graph.rows[1].busyIn(0, 10'000), 2800);
    QCOMPARE(graph.rows[2].busyIn(0, 10'000), 1100);
}

/// What is exposed does not depend on what is looked at.
void tst_StreamParts::aFilterHidesPartsAndNoTruth()
{
    LaneChoice choice;
    choice.filter = std::make_shared<const Query>(Query::parse("kind:communication"));
    const LaneModel model(recordingOf(mixed, 2), LaneModel::Rows::now, choice);
    QCOMPARE(namesOf(model),
        QStringList({QStringLiteral("gpu"), QStringLiteral("communication 8"), QStringLiteral("gpu-time")}));
    QCOMPARE(laneOf(model, LaneKind::stream, StreamPart::communication).exposed->busyIn(0, 10'000), 1000);
}

void tst_StreamParts::quietStreamsOfManyAreFolded()
{
    std::vector<Done> all {{0, Does::compute, 0, 9000}, {1, Does::communicate, 0, 200}, {1, Does::copy, 300, 310}};
    for (std::uint32_t stream = 2; stream < 6; ++stream) {
        all.push_back({stream, Does::copy, 10 * stream, 10 * stream + 5});
    }
    const LaneModel model(recordingOf(all, 6));
    QCOMPARE(namesOf(model),
        QStringList({QStringLiteral("gpu"), QStringLiteral("compute 7"), QStringLiteral("communication 8"),
            QStringLiteral("copies 8"), QStringLiteral("gpu-time"), QStringLiteral("others"),
            QStringLiteral("copies 9"), QStringLiteral("copies 10"), QStringLiteral("copies 11"),
            QStringLiteral("copies 12")}));
    const auto arranged = withoutQuietLanes(model).arrange(model.lanes());
    QCOMPARE(arranged.lanes.back().folded.size(), 4);
    QVERIFY(isOverStreams(model.lanes()[arranged.lanes.back().lane].key));
    // Beside a long start-up all did little: what counts is how much the busiest one did.
    std::vector<Done> late = all;
    late[0].end = 3000;
    const QStringList ofLate = namesOf(LaneModel(recordingOf(late, 6, false, 100'000)));
    QVERIFY(ofLate.contains(QStringLiteral("others")));
    QVERIFY(ofLate.indexOf(QStringLiteral("communication 8")) < ofLate.indexOf(QStringLiteral("others")));
    // Four streams are few enough to see them all; where all are quiet, none is folded.
    QVERIFY(!namesOf(LaneModel(recordingOf(std::vector(all.begin(), all.begin() + 5), 4)))
                 .contains(QStringLiteral("others")));
    QVERIFY(!namesOf(LaneModel(recordingOf(std::vector(all.begin() + 3, all.end()), 6)))
                 .contains(QStringLiteral("others")));
}

/// Of few streams, too: what did nothing in the part that repeats says nothing there.
void tst_StreamParts::lanesAreFoldedByWhatTheViewOpensWith()
{
    const auto recording
        = recordingOf({{0, Does::compute, 0, 5000}, {0, Does::copy, 5000, 5100}, {1, Does::compute, 100, 200},
                          {1, Does::compute, 7000, 7100}, {2, Does::copy, 300, 4000}, {2, Does::copy, 7200, 7200}},
            3);
    const auto named = [](std::initializer_list<const char*> names) {
        QStringList all;
        for (const char* name : names) {
            all << QString::fromLatin1(name);
        }
        return all;
    };
    QCOMPARE(
        namesOf(LaneModel(recording)), named({"gpu", "compute 7", "compute 8", "copies 9", "copies 7", "gpu-time"}));
    const LaneModel model(repeatingIn({6000, 8000}, recording));
    QCOMPARE(namesOf(model), named({"gpu", "compute 8", "copies 9", "gpu-time", "others", "compute 7", "copies 7"}));
    QVERIFY(laneOf(model, LaneKind::stream, StreamPart::compute).isMain);
    QCOMPARE(withoutQuietLanes(model).arrange(model.lanes()).lanes.back().folded.size(), 2);
    // One line for one lane would save nothing.
    QCOMPARE(namesOf(LaneModel(repeatingIn({0, 5000}, recording))),
        named({"gpu", "compute 7", "compute 8", "copies 9", "copies 7", "gpu-time"}));
    QCOMPARE(namesOf(LaneModel(repeatingIn({9000, 9500}, recording))).indexOf(QStringLiteral("others")), 2);
}

void tst_StreamParts::partsArePairedWithParts()
{
    const LaneModel one(recordingOf(mixed, 2));
    const LaneModel other(recordingOf({{0, Does::copy, 0, 100}, {1, Does::compute, 0, 100}}, 2));
    const auto pairs = lanePairs(one, other);
    std::size_t streams = 0;
    for (const auto& [theirs, own] : pairs) {
        QCOMPARE(theirs.kind, own.kind);
        QCOMPARE(theirs.part, own.part);
        streams += theirs.kind == LaneKind::stream ? 1 : 0;
    }
    QCOMPARE(streams, 2);
    QCOMPARE(pairs.at(laneOf(one, LaneKind::gpuTime).key), laneOf(other, LaneKind::gpuTime).key);
}

void tst_StreamParts::theGraphHasRoomForItsFigures()
{
    const LaneModel model(recordingOf(mixed, 2));
    const ArrangedLanes arranged = LaneArrangement().arrange(model.lanes());
    const LaneLayout layout(model.lanes(), arranged, LaneLayout::heightOf(model.lanes(), arranged));
    int before = 0;
    for (const PlacedLane& placed : layout.lanes()) {
        const Lane& lane = model.lanes()[placed.lane];
        QCOMPARE(placed.markHeight > 0, lane.marksExposed);
        if (lane.marksExposed) {
            QCOMPARE(placed.markY, placed.rows.back().y + placed.rows.back().height);
            QVERIFY(placed.markY + placed.markHeight <= placed.y + placed.height);
        }
        QCOMPARE(placed.curveHeight > 0, lane.key.kind == LaneKind::gpuTime);
        if (lane.key.kind == LaneKind::gpuTime) {
            QVERIFY(placed.rows.empty());
            QVERIFY(placed.curveHeight >= 60);
            QVERIFY(placed.curveY >= placed.y && placed.curveY + placed.curveHeight <= placed.y + placed.height);
        }
        QVERIFY(placed.y >= before);
        before = placed.y + placed.height;
    }
}

QTEST_GUILESS_MAIN(tst_StreamParts)
#include "tst_stream_parts.moc"
