// SPDX-License-Identifier: MIT
// The figures beside the lanes' names, against unions computed from the trace itself.
#include "engine/store/recording_file.h"
#include "gui/paint/lane_figure.h"
#include "gui/paint/words/lane_names.h"
#include "gui/paint/words/time_format.h"
#include "tests/engine/analysis/concurrency.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <numeric>
#include <QRandomGenerator>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_LaneFigure : public QObject {
    Q_OBJECT

private slots:
    void agreesWithUnionsOfTheTrace_data();
    void agreesWithUnionsOfTheTrace();
    void countsNoTimeBeyondTheRecording();
    void aSelectedRangeCountsAsItIs();
    void waitsThatCostLittleAreHeld();
    void saysNothingWhereTheRecordingCannotTell();
    void busyIsTheUnionOfRandomRows();

private:
    static RecordingPtr recordingOf(const QString& name);
    /// From the trace, without the lanes' rows.
    static std::optional<Ns> expected(const Recording& recording, const Lane& lane, Interval range);
};

RecordingPtr tst_LaneFigure::recordingOf(const QString& name)
{
    if (name == QLatin1String("everything")) {
        return samples::everything();
    }
    const QString path
        = QStringLiteral("%1/resources/recordings/h200/%2.sqlite").arg(qEnvironmentVariable("LANES_SOURCE"), name);
    return ShownRecording::of(open_recording(path.toStdString()));
}

std::optional<Ns> tst_LaneFigure::expected(const Recording& recording, const Lane& lane, Interval range)
{
    const Trace& t = *recording.trace;
    const Interval clipped {range.start, range.end};
    const auto lengthIn
        = [&](std::vector<Interval> intervals) { return length(clip(unite(std::move(intervals)), clipped)); };
    std::vector<Interval> intervals;
    switch (lane.key.kind) {
    case LaneKind::thread:
        for (const BlockedCall& blocked : recording.blocking->calls) {
            const Thread& thread = t.threads[t.calls.thread[blocked.call]];
            if (thread.id == lane.key.id && thread.process == lane.key.process) {
                intervals.push_back({blocked.start, blocked.end});
            }
        }
        return lengthIn(intervals);
    case LaneKind::overlap: {
        std::vector<IntervalSet> sets(t.streams.size());
        for (std::size_t i = 0; i < t.operations.size(); ++i) {
            sets[t.operations.stream[i]].push_back({t.operations.start[i], t.operations.end[i]});
        }
        for (IntervalSet& set : sets) {
            set = unite(std::move(set));
        }
        const auto times = time_at_depth(sets, clipped);
        return times[2] + times[3];
    }
    default:
        for (std::size_t i = 0; i < t.operations.size(); ++i) {
            const Stream& stream = t.streams[t.operations.stream[i]];
            if (stream.device == lane.key.device
                && (lane.key.kind == LaneKind::gpu || lane.key.kind == LaneKind::gpuTime
                    || (stream.id == lane.key.id && stream.context == lane.key.context))) {
                intervals.push_back({t.operations.start[i], t.operations.end[i]});
            }
        }
        return lengthIn(intervals);
    }
}

void tst_LaneFigure::agreesWithUnionsOfTheTrace_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"everything", "copy-results-back.blocking", "copy-results-back.overlapped",
             "two-streams.two-small", "default-stream.per-thread"}) {
        QTest::newRow(name) << QString::fromLatin1(name);
    }
}

void tst_LaneFigure::agreesWithUnionsOfTheTrace()
{
    QFETCH(QString, name);
    const LaneModel model(recordingOf(name));
    QRandomGenerator random(20261121);
    const auto duration = static_cast<int>(model.duration());
    for (int i = 0; i < 300; ++i) {
        const Ns a = random.bounded(duration);
        const Ns b = i % 3 == 0 ? a + random.bounded(20'000) : random.bounded(duration);
        const Interval range = i == 0 ? Interval {0, model.duration()} : Interval {std::min(a, b), std::max(a, b) + 1};
        for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
            const auto figure = figureOf(model, lane, {Scope::Of::selected, range});
            QVERIFY2(figure, qPrintable(laneName(model, lane).title));
            QCOMPARE(figure->of, range.end - range.start);
            QVERIFY2(figure->time == expected(model.recording(), model.lanes()[lane], range),
                qPrintable(laneName(model, lane).title));
        }
    }
}

void tst_LaneFigure::countsNoTimeBeyondTheRecording()
{
    const LaneModel model(samples::copyResultsBack({}));
    const auto figure = figureOf(model, 0, {Scope::Of::visible, {-5'000'000, model.duration() * 3}});
    QVERIFY(figure);
    QCOMPARE(figure->of, model.duration());
    QCOMPARE(figure->scope, Scope::Of::visible);
    QVERIFY(!figureOf(model, 0, {Scope::Of::visible, {model.duration() + 1, model.duration() * 3}}));
    QVERIFY(!figureOf(model, 0, {Scope::Of::visible, {-100, 0}}));
}

void tst_LaneFigure::aSelectedRangeCountsAsItIs()
{
    const LaneModel model(samples::copyResultsBack({}));
    const auto figure = figureOf(model, 1, {Scope::Of::selected, {0, model.duration() * 2}});
    QVERIFY(figure && figure->scope == Scope::Of::selected);
    QCOMPARE(figure->of, model.duration() * 2);
    QCOMPARE(figure->what, LaneFigure::What::blocked);
    QVERIFY(figure->share() < 0.5);
    QVERIFY(figure->isHeld() && figure->cost <= figure->held && figure->held <= figure->time);
    QVERIFY(figure->sentence().contains(QStringLiteral("held for")));
    QVERIFY(figure->sentence().startsWith(figure->text()));
}

/// The chip is not grey and does not say that they cost nothing where the lane and the card say what they cost.
void tst_LaneFigure::waitsThatCostLittleAreHeld()
{
    const LaneModel model(samples::copyResultsBack({}));
    const auto figure = figureOf(model, 1, {Scope::Of::selected, {0, model.duration() * 200}});
    QVERIFY(figure && figure->cost > 0 && figure->cost < figure->of / 100);
    QVERIFY(figure->isHeld());
    QVERIFY2(figure->sentence().contains(QStringLiteral("which costs ") + formatTime(figure->cost)),
        qPrintable(figure->sentence()));
}

void tst_LaneFigure::saysNothingWhereTheRecordingCannotTell()
{
    auto recording = std::make_shared<ShownRecording>(*samples::copyResultsBack({}));
    auto blocking = std::make_shared<Blocking>();
    blocking->known = false;
    recording->blocking = blocking;
    const LaneModel model(recording);
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        QCOMPARE(figureOf(model, lane, {Scope::Of::visible, {0, model.duration()}}).has_value(),
            model.lanes()[lane].key.kind != LaneKind::thread);
    }
}

void tst_LaneFigure::busyIsTheUnionOfRandomRows()
{
    QRandomGenerator random(7);
    for (int run = 0; run < 100; ++run) {
        std::vector<Ns> start, end;
        std::vector<Interval> all;
        Ns at = 0;
        for (int i = 0; i < 60; ++i) {
            at += random.bounded(40);
            start.push_back(at);
            end.push_back(at + random.bounded(run % 2 == 0 ? 30 : 200));
            all.push_back({start.back(), end.back()});
        }
        std::vector<Row> places(start.size());
        std::iota(places.begin(), places.end(), 0U);
        std::vector<LaneRow> rows;
        for (auto& row : splitIntoRows(places, TimeColumn(start), TimeColumn(end))) {
            rows.emplace_back(
                ItemKind::operation, RowItems(TimeColumn(start), TimeColumn(end), ItemRole::kernel, std::move(row)));
        }
        const LaneBusy busy(rows);
        const IntervalSet united = unite(all);
        for (int i = 0; i < 100; ++i) {
            const Ns from = random.bounded(3000) - 100;
            const Ns to = from + random.bounded(i % 2 == 0 ? 20 : 2000);
            QCOMPARE(busy.in(rows, from, to), to > from ? length(clip(united, {from, to})) : 0);
        }
    }
}

QTEST_MAIN(tst_LaneFigure)
#include "tst_lane_figure.moc"
