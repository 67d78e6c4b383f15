// SPDX-License-Identifier: MIT
// The critical path by lanes: every part on a lane is on its track, in order, and nowhere else.
#include "engine/store/recording_file.h"
#include "engine/trace/event.h"
#include "gui/lanes/lane_choice.h"
#include "gui/lanes/shown_path.h"
#include "gui/lanes/shown_recording.h"

#include <QTest>

#include <limits>
#include <set>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr Interval everything {0, std::numeric_limits<Ns>::max()};

RecordingPtr recordingOf(const QString& name)
{
    const QString path
        = QStringLiteral("%1/resources/recordings/h200/%2.sqlite").arg(qEnvironmentVariable("LANES_SOURCE"), name);
    return ShownRecording::of(open_recording(path.toStdString()));
}

}  // namespace

class tst_ShownPath : public QObject {
    Q_OBJECT

private slots:
    void tracksHoldWhatLiesOnThem_data();
    void tracksHoldWhatLiesOnThem();
    void partsOfATime();
    void longestOfAName();
};

void tst_ShownPath::tracksHoldWhatLiesOnThem_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"copy-results-back.blocking", "data-loader.workers-4-pinned", "two-gpus.both"}) {
        QTest::newRow(name) << name;
    }
}

void tst_ShownPath::tracksHoldWhatLiesOnThem()
{
    QFETCH(QString, name);
    const RecordingPtr recording = recordingOf(name);
    const ShownPath path(*recording->graph, everything);
    QVERIFY(path.parts().size() > 10);
    std::set<std::uint32_t> seen;
    for (const PathTrack& track : path.tracks()) {
        Ns last = -1;
        for (const std::uint32_t i : track.parts) {
            const PathPart& part = path.parts()[i];
            QVERIFY(seen.insert(i).second);
            QVERIFY(part.span.start >= last);
            last = part.span.end;
            const auto& operations = recording->trace->operations;
            QCOMPARE(track.isStream, part.kind == PathPart::operation);
            QCOMPARE(track.of, track.isStream ? operations.stream[part.event.row] : part.thread);
            QVERIFY(!track.isStream || track.engine == engineOf(operations.kind[part.event.row]));
        }
    }
    for (std::uint32_t i = 0; i < path.parts().size(); ++i) {
        const PathPart& part = path.parts()[i];
        const bool isStep = part.kind == PathPart::launch || part.kind == PathPart::step
            || (part.kind == PathPart::unknown && part.event.table == EventTable::operations);
        QCOMPARE(seen.contains(i), !isStep);
    }
}

void tst_ShownPath::partsOfATime()
{
    const RecordingPtr recording = recordingOf("copy-results-back.overlapped");
    const ShownPath path(*recording->graph, everything);
    const Ns wall = path.path().range.end;
    for (const auto& [start, end] : {std::pair<Ns, Ns>(0, wall), {wall / 3, wall / 2}, {wall, 2 * wall}, {5, 5}}) {
        const auto [first, last] = path.partsIn(start, end);
        for (std::size_t i = 0; i < path.parts().size(); ++i) {
            const Interval& span = path.parts()[i].span;
            QCOMPARE(i >= first && i < last, span.start < end && span.end > start);
        }
    }
}

void tst_ShownPath::longestOfAName()
{
    const RecordingPtr recording = recordingOf("item-every-batch.every");
    const ShownPath path(*recording->graph, everything);
    QVERIFY(!path.path().names.empty());
    for (const auto& name : path.path().names) {
        Ns most = 0;
        for (const PathPart& part : path.parts()) {
            const bool isNamed = liesOnLane(part) && part.kind != PathPart::between && part.event.table == name.table
                && recording->graph->ranges().name_of(part.event) == name.name;
            most = isNamed ? std::max(most, part.span.end - part.span.start) : most;
        }
        const EventRef longest = path.longest(name.table, name.name);
        QCOMPARE(static_cast<bool>(longest), name.time > 0);
        if (!longest) {
            continue;  // off it
        }
        QVERIFY(std::any_of(path.parts().begin(), path.parts().end(),
            [&](const PathPart& part) { return part.event == longest && part.span.end - part.span.start == most; }));
    }
    QVERIFY(!path.longest(EventTable::operations, 0xFFFF'FFF0U));
    for (const auto& lane : path.path().lanes) {
        const EventRef longest = path.longest(lane.is_stream, lane.lane);
        QCOMPARE(static_cast<bool>(longest), lane.time > 0);
        QVERIFY(!longest || lane_of(*recording->trace, longest) == lane.lane);
    }
}

QTEST_GUILESS_MAIN(tst_ShownPath)
#include "tst_shown_path.moc"
