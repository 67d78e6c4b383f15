// SPDX-License-Identifier: MIT
#include "gui/paint/words/lane_names.h"

#include "engine/trace/meta_keys.h"
#include "gui/paint/drawn_texts.h"
#include "gui/paint/timeline_painter.h"
#include "tests/engine/trace/trace_fixture.h"
#include "tests/gui/lanes/repeating_in.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QTest>

using namespace lanes::gui;

namespace {

QStringList titles(const LaneModel& model)
{
    QStringList all;
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        all << laneName(model, lane).title;
    }
    return all;
}

}  // namespace

class tst_LaneNames : public QObject {
    Q_OBJECT

private slots:
    void lanesOfTheBlockingRun();
    void lanesOfTheOverlappedRun();
    void everyThreadStreamAndGpu();
    void streamsThatCommunicate();
    void foldedLanesSayOfWhich_data();
    void foldedLanesSayOfWhich();
    void threadsOfPython();
    void aNameThatTheSystemCutSaysSo();
    void engines();
    void processes();
    void namesAreCutInTheMiddleOrNotAtAll_data();
    void namesAreCutInTheMiddleOrNotAtAll();
    void aNameHasTheRoomOfAFigureThatIsNotThere();
    void lanesOfOneNameKeepTheirNumbers_data();
    void lanesOfOneNameKeepTheirNumbers();
};

void tst_LaneNames::lanesOfTheBlockingRun()
{
    const LaneModel model(samples::copyResultsBack({}));
    QCOMPARE(titles(model), QStringList({"overlap", "CPU  main thread", "GPU 0", "compute"}));
    QCOMPARE(laneName(model, 1).subtitle, "");  // a workload's run: its process goes without saying
    QCOMPARE(laneName(model, 2).subtitle, "NVIDIA H100 80GB HBM3");
    QCOMPARE(laneName(model, 3).subtitle, QString::fromUtf8("stream 13 · compute and copy"));
}

void tst_LaneNames::lanesOfTheOverlappedRun()
{
    const LaneModel model(samples::copyResultsBack({.copy = 1'180'000, .blocking = false}));
    QCOMPARE(titles(model), QStringList({"overlap", "CPU  main thread", "GPU 0", "compute", "copy"}));
    QCOMPARE(laneName(model, 3).subtitle, "stream 13");  // its name says what it does
    QVERIFY(laneName(model, 4).subtitle.endsWith("copy to the host"));
}

void tst_LaneNames::everyThreadStreamAndGpu()
{
    const LaneModel model(samples::everything());
    QCOMPARE(titles(model),
        QStringList({"overlap", "GPU 0", "compute", "compute", "copies", "GPU busy", "GPU 1", "copies", "GPU busy",
            "CPU  main thread", "CPU  thread 4713", "CPU  loader 0"}));
    QCOMPARE(laneName(model, 2).subtitle, QStringLiteral("side \u00B7 stream 20"));
    QCOMPARE(laneName(model, 3).subtitle, "stream 7");
}

void tst_LaneNames::streamsThatCommunicate()
{
    lanes::TraceFixture f;
    const auto all_reduce = [&](std::uint32_t stream, lanes::Ns start) {
        f.kernel(stream, start, start + 10, 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)");
    };
    all_reduce(7, 0);
    all_reduce(7, 20);
    all_reduce(8, 40);
    f.copy(lanes::CopyKind::d2d, 8, 60, 70);
    all_reduce(9, 80);
    f.kernel(9, 100, 110);
    f.kernel(10, 120, 130);
    const LaneModel model(ShownRecording::of(f.finish()));
    QStringList roles;
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        if (model.lanes()[lane].key.kind == LaneKind::stream) {
            const LaneName name = laneName(model, lane);
            roles << name.title + QLatin1Char(' ') + name.subtitle;
        }
    }
    QCOMPARE(roles,
        QStringList({"compute stream 9", "compute stream 10", "communication stream 7", "communication stream 8",
            "communication stream 9", "copies stream 8"}));
}

/// What is said of lanes in one line is said of the part that they are folded by.
void tst_LaneNames::foldedLanesSayOfWhich_data()
{
    QTest::addColumn<bool>("repeats");
    QTest::addColumn<QStringList>("names");
    QTest::newRow("all") << false << QStringList();
    QTest::newRow("repeating part") << true
                                    << QStringList({"+ 2 streams | < 1 % busy in the repeating part",
                                           "2 threads | issue no GPU work in the repeating part"});
}

void tst_LaneNames::foldedLanesSayOfWhich()
{
    QFETCH(bool, repeats);
    QFETCH(QStringList, names);
    lanes::TraceFixture f;
    for (const std::uint32_t at : {1U, 2U, 3U}) {
        f.thread = f.process + at;
        f.kernel(6 + at, 100 * at + 20, 100 * at + 30, f.call("cudaLaunchKernel", 100 * at, 100 * at + 10));
    }
    RecordingPtr recording = ShownRecording::of(f.finish());
    const LaneModel model(repeats ? repeatingIn({300, 400}, recording) : recording);
    QStringList folded;
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        if (model.lanes()[lane].key.kind == LaneKind::others) {
            const LaneName name = laneName(model, lane);
            folded << name.title + " | " + name.subtitle;
        }
    }
    QCOMPARE(folded, names);
}

/// PyTorch's traces call all threads by their program.
void tst_LaneNames::threadsOfPython()
{
    lanes::TraceFixture f;
    f.process = 100;
    for (const std::uint32_t thread : {100U, 102U, 101U}) {
        f.thread = thread;
        f.name_thread("python3", thread - 100);
        f.call("cudaLaunchKernel", 0, 1000);
        f.range("aten::add", 0, 1000);
    }
    f.builder.write(lanes::AutogradRecord {
        .range = 2, .forward = 0, .process = 100, .number = 7, .forward_thread = 1, .search = 0});
    f.process = f.thread = 200;
    f.name_thread("python3", 0);
    f.call("cudaLaunchKernel", 0, 1000);
    const LaneModel model(ShownRecording::of(f.finish()));
    QStringList names;
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        if (model.lanes()[lane].key.kind == LaneKind::thread) {
            const LaneName name = laneName(model, lane);
            names << name.title + " | " + name.subtitle;
        }
    }
    names.sort();
    QCOMPARE(names,
        QStringList({"CPU  autograd | thread 102", "CPU  main | thread 100", "CPU  python3 | process 200",
            "CPU  python3 | thread 101"}));
}

/// Linux keeps 15 bytes of a thread's name.
void tst_LaneNames::aNameThatTheSystemCutSaysSo()
{
    lanes::TraceFixture f;
    f.process = f.thread = 100;
    f.builder.write(
        lanes::ProcessRecord {.process = 100, .parent = 0, .name = f.builder.intern("flameox-nsight-smoke")});
    f.name_thread("flameox-nsight-", 0);
    f.call("cudaLaunchKernel", 0, 1000);
    f.thread = 101;
    f.name_thread("fifteen letters", 1);
    f.call("cudaLaunchKernel", 0, 1000);
    const LaneModel model(ShownRecording::of(f.finish()));
    QStringList names;
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        if (model.lanes()[lane].key.kind == LaneKind::thread) {
            names << laneName(model, lane).title;
        }
    }
    names.sort();
    QCOMPARE(names, QStringList({"CPU  fifteen letters", QStringLiteral("CPU  flameox-nsight-\u2026")}));
}

void tst_LaneNames::engines()
{
    const LaneModel model(samples::everything(), LaneModel::Rows::now, {LaneGrouping::engine, {}});
    QCOMPARE(titles(model),
        QStringList({"overlap", "GPU 0", "SMs", "H2D copy engine", "GPU busy", "GPU 1", "P2P copies", "memset",
            "GPU busy", "CPU  main thread", "CPU  thread 4713", "CPU  loader 0"}));
    QCOMPARE(laneName(model, 2).subtitle, "from 2 streams");
    QCOMPARE(laneName(model, 3).subtitle, "from stream 21");
}

void tst_LaneNames::processes()
{
    const auto names_of = [](bool told) {
        lanes::TraceFixture f;
        for (const std::uint32_t process : {100U, 5000U}) {
            f.process = f.thread = process;
            f.call("cudaLaunchKernel", 0, 1000);
        }
        auto trace = f.finish();
        if (told) {
            trace.meta[lanes::meta::rank_of(5000)] = "3";
        }
        const LaneModel model(ShownRecording::of(std::move(trace)));
        QStringList names;
        for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
            if (model.lanes()[lane].key.kind == LaneKind::thread) {
                const LaneName name = laneName(model, lane);
                names << name.title + " | " + name.subtitle;
            }
        }
        return names;
    };
    // The only thread of a process has no header over it: it says itself of which it is.
    QCOMPARE(names_of(false), QStringList({"CPU  main thread | process 100", "CPU  main thread | process 5000"}));
    QCOMPARE(names_of(true), QStringList({"rank 3  main thread | process 5000", "CPU  main thread | process 100"}));
}

void tst_LaneNames::namesAreCutInTheMiddleOrNotAtAll_data()
{
    QTest::addColumn<int>("width");  // of the text beside the lanes
    QTest::addColumn<QStringList>("names");
    QTest::newRow("there is room") << 196
                                   << QStringList {"CPU  PAC thread #0", "CPU  PAC thread #1", "CPU  WorkerPool/12321",
                                          "CPU  WorkerPool/12322", "CPU  NetworkThread"};
    QTest::newRow("little room") << 136
                                 << QStringList {QString::fromUtf8("CPU  PAC … #0"), QString::fromUtf8("CPU  PAC … #1"),
                                        QString::fromUtf8("CPU …/12321"), QString::fromUtf8("CPU …/12322"),
                                        QString::fromUtf8("CPU  Ne…kThread")};
}

namespace {

/// The texts beside the lanes, from top to bottom, in a picture with names this wide.
QStringList textsBeside(const LaneModel& model, int width, int height)
{
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), height);
    FrameGeometry geometry;
    geometry.size = {800, height + 100};
    geometry.labelWidth = width;
    const TimelineFrame frame {model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::fitting(1'000'000, geometry.plotWidth()), geometry, 1, {}, {}};
    QImage image(geometry.size, QImage::Format_RGB32);
    const DrawnTexts drawn;
    TimelinePainter().paint(frame, image);
    QStringList found;
    for (const DrawnText& text : drawn.texts) {
        if (text.ink.left() < width && text.ink.top() >= geometry.lanesTop()) {
            found << text.text;
        }
    }
    return found;
}

}  // namespace

/// Names were cut for a figure that their lanes do not have, and at the end, where they differ.
void tst_LaneNames::namesAreCutInTheMiddleOrNotAtAll()
{
    QFETCH(int, width);
    QFETCH(QStringList, names);
    lanes::TraceFixture f;
    f.thread = 0;
    for (const char* name :
        {"PAC thread #0", "PAC thread #1", "WorkerPool/12321", "WorkerPool/12322", "NetworkThread"}) {
        ++f.thread;
        f.builder.write(lanes::ThreadRecord {
            .process = f.process, .thread = f.thread, .name = f.builder.intern(name), .order = f.thread});
        f.range("task", 0, 1'000'000);
    }
    const LaneModel model(ShownRecording::of(f.finish()));
    QStringList found = textsBeside(model, width, 300);
    found.removeIf([](const QString& text) { return !text.startsWith("CPU "); });
    QCOMPARE(found, names);
}

/// A thread that was never blocked has room for a figure, and none.
void tst_LaneNames::aNameHasTheRoomOfAFigureThatIsNotThere()
{
    lanes::TraceFixture f;
    f.process = 3930;
    for (const std::uint32_t at : {5U, 6U}) {
        f.thread = f.process + at;
        f.name_thread("pt_main_thread", at);
        f.kernel(102 + at, 1000 * at, 1000 * at + 500, f.call("cudaLaunchKernel", 900 * at, 900 * at + 100));
    }
    const LaneModel model(ShownRecording::of(f.finish()));
    const QStringList texts = textsBeside(model, 196, 300);
    QVERIFY2(texts.contains(QStringLiteral("CPU  pt_main_thread")), qPrintable(texts.join('|')));
}

void tst_LaneNames::lanesOfOneNameKeepTheirNumbers_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<QStringList>("stream");
    QTest::addColumn<QStringList>("thread");
    QTest::newRow("all has room") << 250 << QStringList {"compute", "stream 107"}
                                  << QStringList {"CPU  python3", "thread 3935"};
    QTest::newRow("the numbers have room") << 196 << QStringList {"compute", "107"} << QStringList {"python3", "3935"};
}

/// Five lanes called compute, four called python3: the number is what one of them is known by.
void tst_LaneNames::lanesOfOneNameKeepTheirNumbers()
{
    QFETCH(int, width);
    QFETCH(QStringList, stream);
    QFETCH(QStringList, thread);
    lanes::TraceFixture f;
    f.process = 3930;
    for (const std::uint32_t at : {5U, 6U, 7U}) {
        f.thread = f.process + at;
        f.name_thread("python3", at);
        f.kernel(102 + at, 1000 * at, 1000 * at + 500, f.call("cudaLaunchKernel", 900 * at, 900 * at + 100));
    }
    const LaneModel model(ShownRecording::of(f.finish()));
    const QStringList texts = textsBeside(model, width, 150);
    const auto follows = [&](const QStringList& pair) {
        const auto at = texts.indexOf(pair.back());
        return at > 0 && texts[at - 1] == pair.front();
    };
    QVERIFY2(follows(stream), qPrintable(texts.join('|')));
    QVERIFY2(follows(thread), qPrintable(texts.join('|')));
}

QTEST_MAIN(tst_LaneNames)
#include "tst_lane_names.moc"
