// SPDX-License-Identifier: MIT
// The figures of a part of what the lanes show, against sums over every event that passes the filter; without a
// filter also against the report of that part.
#include "gui/lanes/scope_figures.h"

#include "engine/analysis/query/query_matcher.h"
#include "engine/store/recording_file.h"
#include "tests/effort.h"
#include "tests/engine/analysis/concurrency.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QTest>
#include <random>

using namespace lanes;
using namespace lanes::gui;

namespace {

RecordingPtr recordingOf(const QString& name)
{
    if (name == QStringLiteral("everything")) {
        return samples::everything();
    }
    const QString path
        = QStringLiteral("%1/resources/recordings/h200/%2.sqlite").arg(qEnvironmentVariable("LANES_SOURCE"), name);
    return ShownRecording::of(open_recording(path.toStdString()));
}

Interval cut(Ns start, Ns end, Interval range)
{
    return {std::max(start, range.start), std::min(end, range.end)};
}

/// The time in `range` with at least one and at least two streams busy, of the operations that match.
std::array<Ns, 2> busyOf(const Trace& trace, const QueryMatcher& matcher, Interval range)
{
    const auto& table = trace.operations;
    std::vector<std::vector<Interval>> streams(trace.streams.size());
    for (Row row = 0; row < table.size(); ++row) {
        if (const Interval part = cut(table.start[row], table.end[row], range);
            part.start < part.end && matcher.operation(row)) {
            streams[table.stream[row]].push_back(part);
        }
    }
    std::vector<IntervalSet> sets;
    for (auto& parts : streams) {
        sets.push_back(unite(std::move(parts)));
    }
    const auto depth = time_at_depth(sets, range);
    return {depth[1] + depth[2] + depth[3], depth[2] + depth[3]};
}

Ns blockedOf(const Recording& recording, const QueryMatcher& matcher, Row thread, Interval range)
{
    std::vector<Interval> parts;
    for (const auto& stretch : recording.blocking->calls) {
        if (const Interval part = cut(stretch.start, stretch.end, range); part.start < part.end
            && recording.trace->calls.thread[stretch.call] == thread && matcher.call(stretch.call)) {
            parts.push_back(part);
        }
    }
    return length(unite(std::move(parts)));
}

}  // namespace

class tst_ScopeFigures : public QObject {
    Q_OBJECT

private slots:
    void asSumsOverEveryEvent_data();
    void asSumsOverEveryEvent();
    void whatAFilterHidesIsNotSaid();
    void comeWithTheLanes();
};

void tst_ScopeFigures::asSumsOverEveryEvent_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("filter");
    for (const char* name :
        {"everything", "copy-results-back.blocking", "copy-results-back.overlapped", "two-gpus.peer-copy"}) {
        for (const char* filter : {"", "kind:copy", "kind:kernel", "-kind:copy", "kind:blocked", "dur>100us"}) {
            QTest::addRow("%s, %s", name, *filter == '\0' ? "all" : filter) << QString(name) << QString(filter);
        }
    }
}

void tst_ScopeFigures::asSumsOverEveryEvent()
{
    QFETCH(QString, name);
    QFETCH(QString, filter);
    const RecordingPtr recording = recordingOf(name);
    const Query query = Query::parse(filter.toStdString());
    LaneChoice choice;
    choice.filter = filter.isEmpty() ? nullptr : std::make_shared<const Query>(query);
    const LaneModel model(recording, LaneModel::Rows::now, choice);
    const Trace& trace = *recording->trace;
    const QueryMatcher matcher(query, trace, recording->blocking.get());
    const ThreadFigures* first = recording->report->first_thread();
    QVERIFY(first != nullptr);
    std::mt19937_64 random(5);
    Ns most = 0;
    for (int i = 0; i < 40 / one_trial_in; ++i) {
        const Ns a = Ns(random() % static_cast<std::uint64_t>(trace.duration));
        const Ns b = Ns(random() % static_cast<std::uint64_t>(trace.duration));
        const Interval range = i == 0 ? Interval {0, trace.duration} : Interval {std::min(a, b), std::max(a, b) + 1};
        const ScopeFigures figures = shownFiguresOf(model, range);
        QCOMPARE(figures.length, range.end - range.start);
        QVERIFY(figures.summary);
        const auto busy = busyOf(trace, matcher, range);
        QCOMPARE(figures.summary->at_least[0], busy[0]);
        QCOMPARE(figures.summary->at_least[1], busy[1]);
        if (figures.blocked) {
            QCOMPARE(*figures.blocked, blockedOf(*recording, matcher, first->thread, range));
        }
        most = std::max(most, busy[0] + figures.blocked.value_or(0));
        if (!choice.filter) {
            const Report of = make_figures(trace, *recording->blocking, recording->ranges->bounds(), range);
            QCOMPARE(figures.summary->at_least[0], of.gpu_busy);
            QCOMPARE(figures.summary->at_least[1], of.overlap);
            QCOMPARE(figures.blocked, of.first_thread() != nullptr ? of.first_thread()->blocked : figures.blocked);
            QCOMPARE(figuresOf(*recording, range).summary->at_least[0], of.gpu_busy);
        }
    }
    QVERIFY(most > 0);
}

void tst_ScopeFigures::whatAFilterHidesIsNotSaid()
{
    const RecordingPtr recording = samples::copyResultsBack({});
    const Interval all {0, recording->trace->duration};
    LaneChoice copies;
    copies.filter = std::make_shared<const Query>(Query::parse("kind:copy"));
    const ScopeFigures shown = shownFiguresOf(LaneModel(recording, LaneModel::Rows::now, copies), all);
    QVERIFY(!shown.blocked);  // no call is a copy: the thread has no lane
    QVERIFY(figuresOf(*recording, all).blocked.value_or(0) > 0);
    QVERIFY(shown.summary->at_least[0] < figuresOf(*recording, all).summary->at_least[0]);
}

/// With a filter nothing is known until it is summed up; without one the recording has the figures.
void tst_ScopeFigures::comeWithTheLanes()
{
    const RecordingPtr recording = samples::copyResultsBack({});
    const Interval all {0, recording->trace->duration};
    LaneChoice choice;
    choice.filter = std::make_shared<const Query>(Query::parse("kind:kernel"));
    LaneModel model(recording, LaneModel::Rows::later, choice);
    QVERIFY(!shownFiguresOf(model, all).summary);
    for (std::size_t piece = 0; piece < model.builder()->pieces(); ++piece) {
        QVERIFY(!model.isReady());
        model.put(model.builder()->make(piece));
    }
    QVERIFY(model.isReady());
    QVERIFY(shownFiguresOf(model, all).summary);
    const LaneModel unfiltered(recording, LaneModel::Rows::later);
    QVERIFY(shownFiguresOf(unfiltered, all).summary);
    std::stop_source stop;
    stop.request_stop();
    LaneModel stopped(recording, LaneModel::Rows::later, choice);
    for (std::size_t piece = 0; piece < stopped.builder()->pieces(); ++piece) {
        stopped.put(stopped.builder()->make(piece, stop.get_token()));
    }
    QVERIFY(!stopped.isReady());
}

QTEST_GUILESS_MAIN(tst_ScopeFigures)
#include "tst_scope_figures.moc"
