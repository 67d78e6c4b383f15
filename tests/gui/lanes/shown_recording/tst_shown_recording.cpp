// SPDX-License-Identifier: MIT
#include "gui/lanes/shown_recording.h"

#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_ShownRecording : public QObject {
    Q_OBJECT

private slots:
    void workingPartHoldsAllOperations_data();
    void workingPartHoldsAllOperations();
    void theWindowOpensWithMostOfTheWork_data();
    void theWindowOpensWithMostOfTheWork();
};

using Times = QList<Interval>;
using GpuTimes = QList<std::pair<Ns, Ns>>;

void tst_ShownRecording::workingPartHoldsAllOperations_data()
{
    QTest::addColumn<Times>("first");  // stream
    QTest::addColumn<Times>("second");
    QTest::addColumn<std::optional<Interval>>("part");
    QTest::newRow("no operation") << Times {} << Times {} << std::optional<Interval>();
    QTest::newRow("one after the other") << Times {{600, 610}, {620, 640}} << Times {}
                                         << std::optional(Interval {600, 640});
    QTest::newRow("the last to start is not the last to end")
        << Times {{600, 700}, {610, 620}} << Times {} << std::optional(Interval {600, 700});
    QTest::newRow("of several streams") << Times {{600, 610}} << Times {{580, 590}, {680, 690}}
                                        << std::optional(Interval {580, 690});
    QTest::newRow("more than a quarter") << Times {{100, 110}} << Times {{400, 410}} << std::optional<Interval>();
}

void tst_ShownRecording::workingPartHoldsAllOperations()
{
    QFETCH(Times, first);
    QFETCH(Times, second);
    QFETCH(std::optional<Interval>, part);
    auto trace = std::make_shared<Trace>();
    trace->duration = 1000;
    for (const Times& stream : {first, second}) {
        const auto row = static_cast<Row>(trace->streams.size());
        trace->streams.push_back({1, 0, 1, row, 0, 0, StreamRecord::non_blocking});
        for (const Interval& times : stream) {
            trace->operations.start.push_back(times.start);
            trace->operations.end.push_back(times.end);
            trace->operations.stream.push_back(row);
            trace->operations.call.push_back(no_row);
        }
    }
    Recording recording;
    recording.trace = trace;
    const auto found = workingPart(recording);
    QCOMPARE(found.has_value(), part.has_value());
    if (part) {
        QCOMPARE(found->start, part->start);
        QCOMPARE(found->end, part->end);
    }
}

void tst_ShownRecording::theWindowOpensWithMostOfTheWork_data()
{
    QTest::addColumn<GpuTimes>("part");  // of two GPUs, kernels and all
    QTest::addColumn<GpuTimes>("whole");
    QTest::addColumn<bool>("repeats");
    QTest::newRow("most of the work") << GpuTimes {{40, 45}} << GpuTimes {{50, 60}} << true;
    QTest::newRow("half of it") << GpuTimes {{25, 25}} << GpuTimes {{50, 60}} << true;
    QTest::newRow("less than half") << GpuTimes {{24, 29}} << GpuTimes {{50, 60}} << false;
    QTest::newRow("half of copies and kernels, less of kernels") << GpuTimes {{24, 30}} << GpuTimes {{50, 60}} << true;
    QTest::newRow("weights are copied for longer") << GpuTimes {{40, 40}} << GpuTimes {{50, 950}} << true;
    QTest::newRow("copies alone, most of them") << GpuTimes {{0, 50}} << GpuTimes {{0, 60}} << true;
    QTest::newRow("copies alone, few of them") << GpuTimes {{0, 10}} << GpuTimes {{0, 60}} << false;
    QTest::newRow("one GPU of two") << GpuTimes {{40, 40}, {0, 0}} << GpuTimes {{40, 40}, {60, 60}} << false;
    QTest::newRow("no GPU") << GpuTimes {} << GpuTimes {} << true;
}

void tst_ShownRecording::theWindowOpensWithMostOfTheWork()
{
    QFETCH(GpuTimes, part);
    QFETCH(GpuTimes, whole);
    QFETCH(bool, repeats);
    auto trace = std::make_shared<Trace>();
    trace->duration = 1000;
    trace->streams.push_back({1, 0, 1, 0, 0, 0, StreamRecord::non_blocking});
    trace->operations.start.push_back(900);
    trace->operations.end.push_back(990);
    trace->operations.stream.push_back(0);
    trace->operations.call.push_back(no_row);
    auto parts = std::make_shared<ReportParts>();
    for (const auto& [report, times] : {std::pair(&parts->steady, part), std::pair(&parts->whole, whole)}) {
        for (const auto& [kernel, busy] : times) {
            GpuFigures& gpu = report->gpus.emplace_back();
            gpu.kernel = kernel;
            gpu.busy = busy;
        }
    }
    auto report = std::make_shared<Report>();
    report->steady.emplace().span = {950, 980};
    report->parts = parts;
    Recording recording;
    recording.trace = trace;
    recording.report = report;
    QVERIFY(steadyPart(recording).has_value());
    QCOMPARE(repeatedPart(recording).has_value(), repeats);
    QCOMPARE(workingPart(recording).has_value(), !repeats);
}

QTEST_APPLESS_MAIN(tst_ShownRecording)
#include "tst_shown_recording.moc"
