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
};

using Times = QList<Interval>;

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

QTEST_APPLESS_MAIN(tst_ShownRecording)
#include "tst_shown_recording.moc"
