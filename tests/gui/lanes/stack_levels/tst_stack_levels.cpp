// SPDX-License-Identifier: MIT
// How deep the ranges of a stack lie among those of their kind, and which rows a folded stack shows.
#include "engine/store/recording_file.h"
#include "gui/lanes/lane_layout.h"
#include "tests/engine/analysis/tape.h"

#include <map>
#include <QTest>
#include <random>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr Ns us = 1000;
constexpr auto python = "python_function";
constexpr int height = 600;

/// A loop that calls a step of 1 ms three times; in each two layers, each with an operator in an operator and a call.
Trace worker()
{
    Tape tape;
    tape.range("worker.py(1): <module>", 0, 3000 * us, 1, python);
    tape.range("worker.py(9): loop", 0, 3000 * us, 1, python);
    for (Ns at = 0; at < 3000 * us; at += 1000 * us) {
        tape.range("worker.py(20): step", at + 10 * us, at + 990 * us, 1, python);
        tape.range("module.py(7): _call_impl", at + 15 * us, at + 985 * us, 1, python);
        tape.range("nn.Module: Model_0", at + 20 * us, at + 980 * us, 1, python);
        for (Ns layer = at + 30 * us; layer < at + 800 * us; layer += 400 * us) {
            tape.range("nn.Module: Layer_0", layer, layer + 300 * us, 1, python);
            tape.range("aten::linear", layer + 10 * us, layer + 290 * us, 1, "cpu_op");
            tape.range("aten::addmm", layer + 20 * us, layer + 280 * us, 1, "cpu_op");
            tape.range("aten::deep", layer + 30 * us, layer + 270 * us, 1, "cpu_op");
            const auto call = tape.call("cudaLaunchKernel", layer + 100 * us, layer + 110 * us);
            tape.kernel(call, 7, layer + 120 * us, layer + 200 * us);
        }
    }
    return tape.finish();
}

}  // namespace

class tst_StackLevels : public QObject {
    Q_OBJECT

private slots:
    void levels_data();
    void levels();
    void oneLevelDoesNotOverlap();
    void folds_data();
    void folds();
    void aStepMayOutlastTheFrameThatBeginsIt();
    void allDepthsAreShownAgain();
    void fewRangesAreNotFolded();
    void whatHasNoPathKeepsNoLineForIt();
    void nothingMovesWithTheView();
    void aWorkerWithDeepStacksFits();
};

void tst_StackLevels::levels_data()
{
    QTest::addColumn<QString>("ranges");  // kind, start, end
    QTest::addColumn<QString>("levels");
    QTest::newRow("one") << "f0-9"
                         << "0";
    QTest::newRow("nested frames") << "f0-9 f1-8 f2-3 f4-5"
                                   << "0 1 2 2";
    QTest::newRow("a module counts by itself") << "f0-9 m1-8 f2-7 m3-6"
                                               << "0 0 1 1";
    QTest::newRow("plumbing counts for nothing") << "f0-9 p1-8 f2-7 o3-6 o4-5"
                                                 << "0 0 1 0 1";
    QTest::newRow("samples nest with nothing") << "f0-9 s1-5 o2-8 s5-9"
                                               << "0 0 0 0";
    QTest::newRow("ends where the next begins") << "f0-4 f4-8"
                                                << "0 0";
    QTest::newRow("crossing") << "f0-5 f3-8 f6-7"
                              << "0 1 2";
    QTest::newRow("crossing, after both") << "f0-5 f3-8 f8-9"
                                          << "0 1 0";
    QTest::newRow("without length") << "f0-0 f0-0"
                                    << "0 1";
}

void tst_StackLevels::levels()
{
    QFETCH(const QString, ranges);
    std::vector<Ns> start, end;
    std::vector<RangeKind> kinds;
    std::vector<Row> places;
    for (const QString& range : ranges.split(u' ')) {
        kinds.push_back(range[0] == u'm' ? RangeKind::module
                : range[0] == u'o'       ? RangeKind::torch_operator
                : range[0] == u'p'       ? RangeKind::plumbing
                : range[0] == u's'       ? RangeKind::sampled
                                         : RangeKind::frame);
        start.push_back(range.mid(1).section(u'-', 0, 0).toLongLong());
        end.push_back(range.section(u'-', 1).toLongLong());
        places.push_back(static_cast<Row>(places.size()));
    }
    QStringList found;
    for (const StackLevel level :
        stackLevels(places, TimeColumn(start), TimeColumn(end), [&](Row row) { return kinds[row]; })) {
        found << QString::number(level.level);
    }
    QTEST(found.join(u' '), "levels");
}

void tst_StackLevels::oneLevelDoesNotOverlap()
{
    std::mt19937 random(5);
    std::vector<std::pair<Ns, Ns>> spans;
    for (int i = 0; i < 2000; ++i) {
        const Ns start = std::uniform_int_distribution<Ns>(0, 4000)(random);
        spans.emplace_back(start, -(start + std::uniform_int_distribution<Ns>(0, 60)(random)));
    }
    std::sort(spans.begin(), spans.end());
    std::vector<Ns> start, end;
    std::vector<Row> places;
    for (const auto& [from, to] : spans) {
        places.push_back(static_cast<Row>(places.size()));
        start.push_back(from);
        end.push_back(-to);
    }
    const auto levels = stackLevels(places, TimeColumn(start), TimeColumn(end),
        [](Row row) { return row % 3 == 0 ? RangeKind::module : RangeKind::frame; });
    std::map<std::pair<StackPart, std::uint16_t>, Ns> free;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        Ns& from = free[{levels[i].part, levels[i].level}];
        QVERIFY(start[i] >= from);
        from = std::max(end[i], start[i] + 1);
    }
}

void tst_StackLevels::folds_data()
{
    QTest::addColumn<Interval>("view");
    QTest::addColumn<QString>("rows");  // the first range of each in view
    QTest::addColumn<QString>("path");
    QTest::newRow("everything") << Interval {0, 3000 * us} << "step, Model_0, aten::linear, aten::addmm"
                                << "<module>, loop";
    QTest::newRow("beyond what was recorded")
        << Interval {-500 * us, 4000 * us} << "step, Model_0, aten::linear, aten::addmm"
        << "<module>, loop";
    QTest::newRow("a step and what is around it")
        << Interval {1000 * us, 2000 * us} << "step, Model_0, aten::linear, aten::addmm"
        << "<module>, loop";
    QTest::newRow("in a step") << Interval {1025 * us, 1800 * us} << "step, Layer_0, aten::linear, aten::addmm"
                               << "<module>, loop, Model_0";
    QTest::newRow("at the end of a step")
        << Interval {1500 * us, 2500 * us} << "step, Model_0, aten::linear, aten::addmm"
        << "<module>, loop";
}

void tst_StackLevels::folds()
{
    QFETCH(const Interval, view);
    const LaneModel model(ShownRecording::of(worker()));
    LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), height);
    layout.lookAt(model.lanes(), view);
    const Trace& trace = model.trace();
    const auto nameOf = [&](Row range) {
        return QString::fromStdString(std::string(frame_name(trace.text(trace.ranges[range].name))));
    };
    for (const PlacedLane& placed : layout.lanes()) {
        const Lane& lane = model.lanes()[placed.lane];
        if (lane.key.kind != LaneKind::thread) {
            QCOMPARE(placed.pathHeight, 0);
            continue;
        }
        QStringList rows, path;
        for (const PlacedRow& at : placed.rows) {
            const LaneRow& row = lane.rows[at.row];
            const std::size_t first = row.items.firstEndingAfter(view.start);
            if (row.kind == ItemKind::range) {
                QVERIFY(first < row.items.size() && row.items.start(first) < view.end);
                rows << nameOf(row.items.place(first));
            }
        }
        for (const ItemRef frame : placed.path) {
            path << nameOf(frame.row);
        }
        QTEST(rows.join(QStringLiteral(", ")), "rows");
        QTEST(path.join(QStringLiteral(", ")), "path");
        QVERIFY(placed.pathHeight > 0);
        QVERIFY(placed.pathY >= placed.y && placed.pathY + placed.pathHeight <= placed.rows.front().y);
    }
}

/// PyTorch's profiler begins a step in a frame of its own. What Python does where it runs no operator is shown.
void tst_StackLevels::aStepMayOutlastTheFrameThatBeginsIt()
{
    Tape tape;
    tape.range("main.py(1): <module>", 0, 3000 * us, 1, python);
    tape.range("profiler.py(9): begin", us, 12 * us, 1, python);
    tape.range("ProfilerStep#6", 10 * us, 3000 * us);
    tape.range("video.py(3): preprocess", 30 * us, 2000 * us, 1, python);
    tape.range("video.py(9): forward", 2000 * us, 2990 * us, 1, python);
    for (const char* name : {"aten::linear", "aten::addmm"}) {
        tape.range(name, 2100 * us, 2900 * us, 1, "cpu_op");
    }
    tape.kernel(tape.call("cudaLaunchKernel", 2200 * us, 2210 * us), 7, 2220 * us, 2300 * us);
    const LaneModel model(ShownRecording::of(tape.finish()));
    LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), height);
    layout.lookAt(model.lanes(), {0, 3000 * us});
    const Trace& trace = model.trace();
    const auto thread = std::find_if(layout.lanes().begin(), layout.lanes().end(),
        [&](const PlacedLane& placed) { return model.lanes()[placed.lane].key.kind == LaneKind::thread; });
    QVERIFY(thread != layout.lanes().end());
    QStringList path;
    for (const ItemRef frame : thread->path) {
        path << QString::fromStdString(std::string(trace.text(trace.ranges[frame.row].name)));
    }
    QCOMPARE(path.join(QStringLiteral(", ")), QStringLiteral("main.py(1): <module>"));
    const auto firstOf = [&](std::size_t row) {
        const auto& items = model.lanes()[thread->lane].rows[thread->rows.at(row).row].items;
        return QString::fromStdString(std::string(trace.text(trace.ranges[items.place(0)].name)));
    };
    QCOMPARE(firstOf(0), QStringLiteral("ProfilerStep#6"));
    QCOMPARE(firstOf(1), QStringLiteral("video.py(3): preprocess"));
}

void tst_StackLevels::allDepthsAreShownAgain()
{
    const LaneModel model(ShownRecording::of(worker()));
    LaneArrangement arrangement;
    for (const Lane& lane : model.lanes()) {
        arrangement.setAllDepths(lane.key, lane.key.kind == LaneKind::thread);
    }
    LaneLayout layout(model.lanes(), arrangement.arrange(model.lanes()), height);
    layout.lookAt(model.lanes(), {0, 3000 * us});
    for (Row range = 0; range < model.trace().ranges.size(); ++range) {
        const auto place = layout.find(model, {ItemKind::range, range});
        QVERIFY(place);
        QVERIFY(place->lane->allDepths);
        QVERIFY(!model.lanes()[place->row->lane].rows[place->row->row].level);
    }
}

void tst_StackLevels::fewRangesAreNotFolded()
{
    Tape tape;
    for (Ns depth = 0; depth < 4; ++depth) {
        tape.range("range", depth * us, (100 - depth) * us);
    }
    const LaneModel model(ShownRecording::of(tape.finish()));
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), height);
    QCOMPARE(layout.lanes().size(), std::size_t {1});
    QCOMPARE(layout.lanes().front().pathHeight, 0);
    QCOMPARE(layout.lanes().front().rows.size(), std::size_t {4});
}

/// A thread of operators alone: there is no frame that could be around the view.
void tst_StackLevels::whatHasNoPathKeepsNoLineForIt()
{
    Tape tape;
    for (Ns at = 0; at < 3000 * us; at += 1000 * us) {
        for (Ns depth = 0; depth < 6; ++depth) {
            tape.range("aten::op" + std::to_string(depth), at + depth * us, at + (900 - depth) * us, 1, "cpu_op");
        }
        tape.kernel(tape.call("cudaLaunchKernel", at + 100 * us, at + 110 * us), 7, at + 120 * us, at + 200 * us);
    }
    const LaneModel model(ShownRecording::of(tape.finish()));
    const auto thread = std::find_if(
        model.lanes().begin(), model.lanes().end(), [](const Lane& lane) { return lane.key.kind == LaneKind::thread; });
    const auto index = static_cast<std::size_t>(thread - model.lanes().begin());
    LaneArrangement arrangement;
    const LaneLayout folded(model.lanes(), arrangement.arrange(model.lanes()), height);
    QVERIFY(folded.find(index)->isStack);
    QCOMPARE(folded.find(index)->levelRows.size(), std::size_t {2});
    QCOMPARE(folded.find(index)->pathHeight, 0);
    arrangement.setAllDepths(thread->key, true);
    const LaneLayout open(model.lanes(), arrangement.arrange(model.lanes()), height);
    QVERIFY(open.find(index)->isStack && open.find(index)->allDepths);
    QVERIFY(open.find(index)->pathHeight > 0);  // it says so
}

void tst_StackLevels::nothingMovesWithTheView()
{
    const LaneModel model(ShownRecording::of(worker()));
    LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), height);
    const LaneLayout before = layout;
    layout.lookAt(model.lanes(), {1100 * us, 1200 * us});
    for (std::size_t i = 0; i < before.lanes().size(); ++i) {
        const PlacedLane& was = before.lanes()[i];
        const PlacedLane& is = layout.lanes()[i];
        QCOMPARE(is.y, was.y);
        QCOMPARE(is.height, was.height);
        QCOMPARE(is.rows.size(), was.rows.size());
        for (std::size_t row = 0; row < was.rows.size(); ++row) {
            QCOMPARE(is.rows[row].y, was.rows[row].y);
        }
    }
}

/// Written by python_stacks.py: 24 frames deep, and a thread that sleeps in 15.
void tst_StackLevels::aWorkerWithDeepStacksFits()
{
    const LaneModel model(ShownRecording::of(open_recording(
        qEnvironmentVariable("LANES_SOURCE").toStdString() + "/tests/gui/lanes/stack_levels/python-stacks.json.gz")));
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), 400);
    const auto kindOf = [&](const PlacedLane& placed) { return model.lanes()[placed.lane].key.kind; };
    const auto isFigure = [&](const PlacedLane& placed) { return kindOf(placed) == LaneKind::overlap; };
    const auto first = std::find_if_not(layout.lanes().begin(), layout.lanes().end(), isFigure);
    QVERIFY(first != layout.lanes().end() && kindOf(*first) == LaneKind::gpu);
    int threads = 0;
    for (const PlacedLane& placed : layout.lanes()) {
        if (kindOf(placed) != LaneKind::thread) {
            QVERIFY(threads == 0);  // below all of the GPU
            continue;
        }
        const auto ranges = std::count_if(placed.rows.begin(), placed.rows.end(),
            [&](const PlacedRow& row) { return model.lanes()[placed.lane].rows[row.row].kind == ItemKind::range; });
        QVERIFY(ranges <= std::ptrdiff_t {most_stack_rows});
        if (++threads == 1) {  // what issues work, with all of its rows
            QVERIFY(ranges > 2);
            QVERIFY(placed.pathHeight > 0);
            QVERIFY(placed.y + placed.height <= 400);
        }
    }
    QCOMPARE(threads, 2);
}

QTEST_GUILESS_MAIN(tst_StackLevels)
#include "tst_stack_levels.moc"
