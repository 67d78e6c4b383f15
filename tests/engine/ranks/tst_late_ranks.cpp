// SPDX-License-Identifier: MIT
// Whether a rank stands out that holds up the others, and what they lose: of runs whose loss is known (run_of_ranks.h),
// against the replay of What if, and of real runs with several GPUs.
#include "engine/ranks/late_ranks.h"

#include "engine/analysis/caveats.h"
#include "engine/analysis/graph/path.h"
#include "engine/analysis/recording.h"
#include "engine/ranks/merge_ranks.h"
#include "engine/ranks/without_ranks.h"
#include "engine/replay/replay.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/analysis/findings/found.h"
#include "tests/engine/analysis/graphed.h"
#include "tests/engine/ranks/run_of_ranks.h"

#include <QFileInfo>

#include <map>

Q_DECLARE_METATYPE(lanes::RunOfRanks)

using namespace lanes;

namespace {

constexpr Ns us = 1000, ms = 1000 * us;

std::vector<HeldThread> held_threads(const Graphed& run)
{
    std::vector<HeldThread> held;
    for (const auto& stretch : run.blocking.calls) {
        held.push_back({run.trace.calls.thread[stretch.call], stretch.start, stretch.end, stretch.released_by});
    }
    return held;
}

LateRanks late_in(const Graphed& run, std::optional<Interval> range = {}, int steps = 0)
{
    const auto& collectives = run.graph.dependencies().collectives;
    const auto without = [&] {
        return std::make_unique<WithoutRanks>(run.trace, collectives, held_threads(run), std::vector<SlowedKernel>());
    };
    return find_late_ranks(run.trace, collectives, without, range.value_or(Interval {0, run.trace.duration}), {}, 0,
        static_cast<std::size_t>(steps));
}

/// What a run takes longer than without what is late or heavier in it.
Ns lost(RunOfRanks run)
{
    const Ns end = run.make().end;
    run.late = {};
    run.heavier = {};
    return end - run.make().end;
}

QString text(Ns time)
{
    return QStringLiteral("%1 us").arg(static_cast<double>(time) / us);
}

}  // namespace

class tst_LateRanks : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void aLateRank_data();
    void aLateRank();
    void noLateRank_data();
    void noLateRank();
    void lateAFewTimes_data();
    void lateAFewTimes();
    void why_data();
    void why();
    void anotherOneEachTime();
    void clocksMayDiffer();
    void clocksOrderNothing();
    void groups();
    void pipelines_data();
    void pipelines();
    void groupsThatCross();
    void communicatorsTellGroups();
    void unclear_data();
    void unclear();
    void nothingLeftOutChangesNothing();
    void asTheReplay_data();
    void asTheReplay();
    void equalRanksAreSideBySide();
    void eightRanksOfATrace();
    void claimsWhatTheReplayGains_data();
    void claimsWhatTheReplayGains();
    void ofRealRuns_data();
    void ofRealRuns();
};

void tst_LateRanks::aLateRank_data()
{
    QTest::addColumn<RunOfRanks>("run");
    QTest::addColumn<unsigned>("rank");
    for (const auto& late : late_runs()) {
        QTest::newRow(late.name) << late.run << late.rank;
    }
    RunOfRanks buckets;  // late to the first sum of each step alone by much
    buckets.parts = 10;
    buckets.transfer = 20 * us;
    buckets.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    QTest::newRow("5 ms a step, once in ten sums") << buckets << 2U;
}

void tst_LateRanks::aLateRank()
{
    QFETCH(const RunOfRanks, run);
    QFETCH(const unsigned, rank);
    const Ns truth = lost(run);
    QVERIFY(truth > ms);
    const Graphed made(run.make().trace);
    const auto late = late_in(made, {}, run.steps * run.parts);  // the parts may be found to repeat
    QCOMPARE(late.stand_out.size(), std::size_t {1});
    const auto& found = late.stand_out.front();
    QCOMPARE(found.device, rank);
    QVERIFY2(std::abs(found.cost - truth) * 20 <= truth, qPrintable(text(found.cost) + ", not " + text(truth)));
    QVERIFY(!late.turns);
    QVERIFY(found.of == static_cast<std::size_t>(run.steps * run.parts) && found.last <= found.of);
}

void tst_LateRanks::noLateRank_data()
{
    QTest::addColumn<RunOfRanks>("run");
    const auto row = [](const char* name, RunOfRanks run) { QTest::newRow(name) << run; };
    RunOfRanks run;
    row("all equal", run);
    run.late = [](auto rank, int step) { return (rank * 7 + static_cast<unsigned>(step) * 13) % 11 * 5 * us; };
    row("noise", run);
    run.late = [](auto rank, int) { return rank == 2 ? 80 * us : 0; };
    row("always last, by less than 2 %", run);
    run.late = [](auto rank, int step) { return rank != 2 ? 0 : step == 0 ? 300 * ms : 80 * us; };
    row("started later", run);
    RunOfRanks two = run;  // one is late in four of six steps, the other one in two
    two.ranks = 2;
    two.steps = 42;
    two.late = [](auto rank, int step) { return step > 0 && (step % 6 < 4) == (rank == 0) ? 3 * ms : 0; };
    row("two that take turns, one twice as often", two);
    RunOfRanks drifts;  // 2 ms back, 1.4 ms forth: the one that is behind by chance is last each time
    drifts.ranks = 2;
    drifts.steps = 40;
    drifts.waits = false;
    drifts.work = 8 * ms;
    drifts.late = [](auto rank, int step) {
        return step == 0 ? 0 : step % 2 == 1 && rank == 0 ? 2 * ms : step % 2 == 0 && rank == 1 ? 1400 * us : 0;
    };
    row("hosts that never wait drift apart and back", drifts);
    RunOfRanks ahead;  // ranks 2 and 3 fall back by turns, and neither alone costs much
    ahead.waits = false;
    ahead.work = 8 * ms;
    ahead.late = [](auto rank, int step) {
        return (rank == 3 && step == 1) || (rank == 2 && step == 10) ? 36 * ms : rank == 2 && step == 1 ? 33 * ms : 0;
    };
    row("two ranks stay behind, one as far as the other", ahead);
}

void tst_LateRanks::noLateRank()
{
    QFETCH(const RunOfRanks, run);
    const Graphed made(run.make().trace);
    QCOMPARE(made.graph.dependencies().collectives.all.size(), static_cast<std::size_t>(run.steps));
    const auto late = late_in(made, {}, run.steps);
    QVERIFY2(late.stand_out.empty(), late.stand_out.empty() ? "" : qPrintable(text(late.stand_out.front().cost)));
    QVERIFY(!late.turns);
    QVERIFY(!late.seldom && !late.unclear);
}

void tst_LateRanks::lateAFewTimes_data()
{
    QTest::addColumn<RunOfRanks>("run");
    QTest::addColumn<unsigned>("rank");
    QTest::addColumn<int>("times");
    QTest::addColumn<Ns>("most");
    const auto row = [](const char* name, const RunOfRanks& run, unsigned rank, int times, Ns most) {
        QTest::newRow(name) << run << rank << times << most;
    };
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 1 && step == 10 ? 40 * ms : 0; };
    row("once", run, 1, 1, 40 * ms);
    const auto noise = [](unsigned rank, int step) { return (rank * 7 + static_cast<unsigned>(step) * 13) % 4 * us; };
    run.late = [=](auto rank, int step) { return rank == 1 && step == 10 ? 40 * ms : noise(rank, step); };
    row("once, and by a little now one, now another", run, 1, 1, 40 * ms);
    run.late = [=](auto rank, int step) {
        return rank == 2 && (step == 4 || step == 9) ? step * 5 * ms : noise(rank, step);
    };
    row("twice", run, 2, 2, 45 * ms);
    run.late = [](auto rank, int step) { return rank != 3 ? 0 : step == 10 ? 40 * ms : 20 * us; };
    row("always last by a little, and once by much", run, 3, 1, 40 * ms);
    run.late = [](auto rank, int step) { return rank != 3 ? 0 : step == 10 ? 40 * ms : step == 4 ? 30 * us : us; };
    row("once, and by some microseconds another time", run, 3, 1, 40 * ms);
    RunOfRanks two = run;
    two.ranks = 2;
    two.steps = 50;
    two.late = [=](auto rank, int step) { return rank == 0 && step == 30 ? 30 * ms : noise(rank, step); };
    row("one of two", two, 0, 1, 30 * ms);
    RunOfRanks parts = run;
    parts.parts = 4;
    parts.compute = 8 * ms;
    parts.late = [](auto rank, int step) { return rank == 1 && step == 10 ? 40 * ms : 0; };
    row("once, to several sums beside kernels", parts, 1, 1, 40 * ms);
}

/// What one rank cost a few times is no lateness of each step, nor do ranks take turns at it.
void tst_LateRanks::lateAFewTimes()
{
    QFETCH(const RunOfRanks, run);
    QFETCH(const unsigned, rank);
    QFETCH(const int, times);
    QFETCH(const Ns, most);
    const Graphed made(run.make().trace);
    const auto late = late_in(made, {}, run.steps);
    QVERIFY(late.seldom);
    QVERIFY(late.stand_out.empty() && !late.turns && !late.unclear);
    QCOMPARE(late.first(), &*late.seldom);
    QCOMPARE(late.seldom->device, rank);
    QCOMPARE(late.seldom->times, static_cast<std::size_t>(times));
    QCOMPARE(late.seldom->where.size(), late.seldom->last);
    const Ns truth = lost(run);
    QVERIFY2(std::abs(late.seldom->cost - truth) * 20 <= truth, qPrintable(text(late.seldom->cost)));
    QVERIFY2(std::abs(late.seldom->most - most) * 20 <= most, qPrintable(text(late.seldom->most)));
    QVERIFY(!late_in(made).seldom && !late_in(made).turns);  // of unknown steps each may have one collective of those
    const std::string title = find(report_of(made.trace).findings, "communication-late").title;
    const auto said = " was late in " + std::to_string(late.seldom->last) + " of "
        + std::to_string(run.steps * run.parts) + " collectives";
    QVERIFY2(title.find(said) != std::string::npos, title.c_str());
    const std::string lose = run.ranks == 2 ? ": the other GPU loses up to " : ": the others lose up to ";
    QVERIFY2(title.find(lose) != std::string::npos, title.c_str());
}

void tst_LateRanks::why_data()
{
    QTest::addColumn<RunOfRanks>("run");
    QTest::addColumn<QString>("why");
    const auto of_rank_2
        = [](Ns time) { return [=](auto rank, int step) { return rank == 2 && step > 0 ? time : 0; }; };
    RunOfRanks buckets;  // what it lacks at the last bucket, it has lost since the step's first one
    buckets.parts = 8;
    buckets.transfer = 100 * us;
    buckets.heavier = of_rank_2(ms);
    QTest::newRow("its kernels, in buckets") << buckets << "its own kernels take longer";
    RunOfRanks data;
    data.loads = of_rank_2(5 * ms);
    QTest::newRow("its DataLoader") << data << "its CPU waits for data";
    data.loads = [](auto rank, int step) { return rank == 2 && step == 10 ? 40 * ms : 0; };
    QTest::newRow("its DataLoader, once") << data << "its CPU waits for data";
    RunOfRanks recorder;
    recorder.recorder = of_rank_2(5 * ms);
    QTest::newRow("its profiler") << recorder << "the profiler keeps its CPU";
    RunOfRanks all_load;
    all_load.loads = [](auto, int) { return 20 * ms; };
    all_load.late = of_rank_2(5 * ms);
    QTest::newRow("other work, where all load as long") << all_load << "its CPU issues the work later";
}

/// As `lanes ranks` says it of a recording each.
void tst_LateRanks::why()
{
    QFETCH(const RunOfRanks, run);
    QFETCH(const QString, why);
    const Graphed made(run.make().trace);
    const auto title = QString::fromStdString(find(report_of(made.trace).findings, "communication-late").title);
    QVERIFY2(title.contains('(' + why + ')'), qPrintable(title));
}

void tst_LateRanks::anotherOneEachTime()
{
    RunOfRanks run;
    run.steps = 40;
    run.late = [](auto rank, int step) { return step > 0 && rank == static_cast<unsigned>(step) * 3 % 4 ? 5 * ms : 0; };
    const Graphed made(run.make().trace);
    const auto late = late_in(made);
    QVERIFY(late.stand_out.empty());
    QVERIFY(late.turns);
    QVERIFY2(std::abs(late.turns->cost - lost(run)) * 20 <= lost(run), qPrintable(text(late.turns->cost)));
    QCOMPARE(late.turns->changes, late.turns->of);
    const auto report = report_of(made.trace);
    const auto finding = find(report.findings, "communication-late");
    QVERIFY2(std::string(finding.title).find("now for one GPU, now for another") != std::string::npos,
        std::string(finding.title).c_str());
}

/// What the clocks of merged ranks may be apart is not said to be lost, and the report says so.
void tst_LateRanks::clocksMayDiffer()
{
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    const Ns all = lost(run);
    for (const Ns apart : {Ns {0}, all / 2, 2 * all}) {
        auto trace = run.make().trace;
        trace.meta[meta::clock_uncertainty_ns] = std::to_string(apart);
        const auto report = report_of(trace);
        QCOMPARE(find(report.findings, "communication-late").cost > 0, apart < all);
        const auto caveats = caveats_of(trace);
        QCOMPARE(std::any_of(caveats.begin(), caveats.end(),
                     [](const Message& caveat) { return caveat.id == "caveat.clock_uncertainty"; }),
            apart > 0);
    }
}

/// Neither a path nor a cause leads from one rank to another on the strength of times that clocks may differ by.
void tst_LateRanks::clocksOrderNothing()
{
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    for (const Ns apart : {Ns {0}, 4 * ms, 6 * ms}) {
        auto trace = run.make().trace;
        trace.meta[meta::clock_uncertainty_ns] = std::to_string(apart);
        const Graphed made(std::move(trace));
        const bool isKnown = apart < 5 * ms;
        std::size_t late = 0;
        for (const auto& collective : made.graph.dependencies().collectives.all) {
            for (const Row row : collective.kernels) {
                const Ns by = made.trace.operations.start[collective.last] - made.trace.operations.start[row];
                late += by > 4 * ms ? 1 : 0;
                QCOMPARE(made.graph.partner_of(row),
                    row != collective.last && (apart == 0 || by > apart) ? collective.last : no_row);
                if (by > 4 * ms) {
                    const auto path
                        = path_back(made.graph, {{EventTable::operations, row}, made.trace.operations.end[row]});
                    const auto leaves = std::any_of(path.begin(), path.end(), [&](const PathPart& part) {
                        return part.event.table == EventTable::operations && part.event.row == collective.last;
                    });
                    QCOMPARE(leaves, isKnown);
                }
            }
        }
        QCOMPARE(late, std::size_t {57});  // three ranks, 19 steps
    }
}

/// Ranks 0 and 1 meet, and 2 and 3. A rank is compared with those that it meets.
void tst_LateRanks::groups()
{
    RunOfRanks run;
    run.group = 2;
    run.heavier = [](auto rank, int) { return rank >= 2 ? 500 * us : 0; };
    run.late = [](auto rank, int step) { return rank == 1 && step > 0 ? 5 * ms : 0; };
    const Graphed made(run.make().trace);
    QCOMPARE(made.graph.dependencies().collectives.groups.size(), std::size_t {2});
    const auto late = late_in(made);
    QCOMPARE(late.stand_out.size(), std::size_t {1});
    QCOMPARE(late.stand_out.front().device, 1U);
    QCOMPARE(late.stand_out.front().of, static_cast<std::size_t>(run.steps));
}

void tst_LateRanks::pipelines_data()
{
    QTest::addColumn<RunOfRanks>("run");
    QTest::addColumn<std::size_t>("not_judged");
    QTest::addColumn<std::vector<std::vector<std::uint32_t>>>("pipelines");
    QTest::addColumn<bool>("is_late");
    RunOfRanks run;
    QTest::newRow("no pipeline") << run << std::size_t {0} << std::vector<std::vector<std::uint32_t>>() << false;
    run.sends = true;  // the last stage ends last in each step
    const std::vector<std::vector<std::uint32_t>> one {{0, 1, 2, 3}};
    QTest::newRow("stages that compute alike") << run << std::size_t {1} << one << false;
    run.heavier = [](auto rank, int) { return rank == 2 ? 3 * ms : 0; };
    QTest::newRow("a stage that computes more") << run << std::size_t {1} << one << false;
    run.heavier = [](auto rank, int step) { return rank == 1 && step == 10 ? 40 * ms : 0; };
    QTest::newRow("a stage that was late once") << run << std::size_t {1} << one << false;
    run.group = 2;  // pipelines that end nothing together
    run.heavier = [](auto rank, int) { return rank == 2 ? 60 * us : 0; };
    QTest::newRow("two pipelines that never meet")
        << run << std::size_t {2} << std::vector<std::vector<std::uint32_t>> {{0, 1}, {2, 3}} << false;
    run.crosses = true;
    run.says_communicators = true;
    run.heavier = [](auto rank, int step) { return rank == 2 ? 60 * us : rank == 3 && step > 0 ? 3 * ms : 0; };
    QTest::newRow("two pipelines, the same stages of which meet")
        << run << std::size_t {2} << std::vector<std::vector<std::uint32_t>> {{0, 1}, {2, 3}} << true;
}

/// Stages wait for one another in sends: who comes last to a collective of theirs does not say who is late. Ranks of
/// different pipelines are compared.
void tst_LateRanks::pipelines()
{
    using Pipelines = std::vector<std::vector<std::uint32_t>>;
    QFETCH(const RunOfRanks, run);
    QFETCH(const std::size_t, not_judged);
    QFETCH(const Pipelines, pipelines);
    QFETCH(const bool, is_late);
    const Graphed made(run.make().trace);
    const auto found = late_in(made, {}, run.steps);
    QCOMPARE(found.not_judged.size(), not_judged);
    QVERIFY(found.pipelines == pipelines);
    for (const auto group : found.not_judged) {
        QVERIFY(!found.judges(group));
    }
    QVERIFY(!found.turns && !found.unclear);
    QCOMPARE(found.first() != nullptr, is_late);
    QVERIFY(!is_late || found.first()->device >= 2);  // both of that pipeline come late
    QCOMPARE(find(report_of(made.trace).findings, "communication-late").count > 0, is_late);
}

/// Ranks that share a model meet in pairs, then those with the same part of it, in kernels of one name. Here the latter
/// always end together: no time tells that they are two groups, nor does it matter to who is late.
void tst_LateRanks::groupsThatCross()
{
    RunOfRanks run;
    run.group = 2;
    run.crosses = true;
    run.heavier = [](auto rank, int) { return rank >= 2 ? 300 * us : 0; };
    run.late = [](auto rank, int step) { return rank == 1 && step > 0 ? 5 * ms : 0; };
    const Graphed made(run.make().trace);
    const auto& groups = made.graph.dependencies().collectives.groups;
    for (const auto& pair : {std::vector {0U, 1U}, {2U, 3U}}) {
        QVERIFY(std::find(groups.begin(), groups.end(), pair) != groups.end());
    }
    const auto late = late_in(made);
    QCOMPARE(late.stand_out.size(), std::size_t {1});
    QCOMPARE(late.stand_out.front().device, 1U);
    QVERIFY(std::abs(late.stand_out.front().cost - lost(run)) * 10 <= lost(run));
}

/// In each step eight sums of pairs that share a model, then one of those with the same part of it, in kernels of one
/// name: all end together in pairs, and only what the recording says of communicators tells who met.
void tst_LateRanks::communicatorsTellGroups()
{
    RunOfRanks run;
    run.group = 2;
    run.parts = 8;
    run.transfer = 50 * us;
    run.crosses = true;
    run.says_communicators = true;
    run.heavier = [](auto rank, int) { return rank == 3 ? 200 * us : 0; };
    const Graphed made(run.make().trace);
    const auto& collectives = made.graph.dependencies().collectives;
    std::map<std::vector<std::uint32_t>, int> times;
    for (const auto& each : collectives.all) {
        ++times[collectives.groups[each.group]];
    }
    const std::map<std::vector<std::uint32_t>, int> met {
        {{0, 1}, run.steps * run.parts}, {{2, 3}, run.steps * run.parts}, {{0, 2}, run.steps}, {{1, 3}, run.steps}};
    QCOMPARE(times, met);
}

void tst_LateRanks::unclear_data()
{
    QTest::addColumn<Ns>("ahead");
    QTest::addColumn<bool>("stands_out");
    QTest::newRow("one clock") << Ns {0} << true;
    QTest::newRow("clocks that differ") << 80 * us << false;
}

/// Rank 0 is late by 400 us a step, but rank 1's clock says less: by lengths the loss is another than by starts. Which
/// rank it is, the lengths tell alone.
void tst_LateRanks::unclear()
{
    QFETCH(const Ns, ahead);
    QFETCH(const bool, stands_out);
    RunOfRanks run;
    run.ranks = 2;
    run.late = [](auto rank, int) { return rank == 0 ? 400 * us : 0; };
    run.ahead = [&](auto rank) { return rank == 1 ? ahead : 0; };
    const Graphed made(run.make().trace);
    QCOMPARE(made.graph.dependencies().collectives.all.size(), static_cast<std::size_t>(run.steps));
    const auto late = late_in(made);
    QCOMPARE(!late.stand_out.empty(), stands_out);
    QCOMPARE(late.unclear.has_value(), !stands_out);
    if (late.unclear) {
        QCOMPARE(late.unclear->device, 0U);
        QCOMPARE(late.unclear->last, static_cast<std::size_t>(run.steps));
        QVERIFY2(std::abs(late.unclear->most - lost(run)) * 20 <= lost(run), qPrintable(text(late.unclear->most)));
        QVERIFY2(late.unclear->cost * 10 < late.unclear->most * 9, qPrintable(text(late.unclear->cost)));
    }
}

void tst_LateRanks::nothingLeftOutChangesNothing()
{
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    const Graphed made(run.make().trace);
    const auto& collectives = made.graph.dependencies().collectives;
    const WithoutRanks without(made.trace, collectives, held_threads(made), {});
    const LeftOut nobody {std::vector<std::uint32_t>(collectives.all.size(), no_id)};
    for (const auto clock : {WithoutRanks::Clock::shared, WithoutRanks::Clock::none}) {
        const auto found = without.earlier(nobody, clock, {0, made.trace.duration});
        for (const auto& [device, earlier] : found.done) {
            QCOMPARE(earlier, Ns {0});
        }
        QVERIFY(found.moved == std::vector<Ns>(collectives.all.size()));
    }
}

void tst_LateRanks::equalRanksAreSideBySide()
{
    RunOfRanks run;
    run.ranks = 24;
    run.waits = false;
    const auto report = report_of(run.make().trace);
    const std::string verdict = Messages::english().format(report.verdict.message);
    QVERIFY2(verdict.find("24 GPUs") != std::string::npos, verdict.c_str());
    QCOMPARE(find(report.findings, "communication-late").count, std::size_t {0});
}

/// Eight workers, a trace each. Rank 7 is busy for less than the others, which wait for it.
void tst_LateRanks::eightRanksOfATrace()
{
    const QDir folder(qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/ranks8");
    std::vector<MergedPart> parts;
    for (const auto& name : folder.entryList({"*.json.gz"})) {
        parts.push_back({name.toStdString(), open_recording(folder.filePath(name).toStdString()), {}});
    }
    if (parts.empty()) {
        QSKIP("no shared data");
    }
    const Graphed run(merge_ranks(parts));
    const std::string verdict = Messages::english().format(report_of(run.trace).verdict.message);
    QVERIFY2(verdict.find("8 GPUs") != std::string::npos, verdict.c_str());
    const auto& collectives = run.graph.dependencies().collectives;
    QCOMPARE(collectives.groups.size(), std::size_t {1});
    QCOMPARE(collectives.groups.front().size(), std::size_t {8});
    QCOMPARE(collectives.all.size(), std::size_t {8});
    // Rank 7 is the last in five of the eight, and costs the others 347 us of 20.9 ms: less than 2 %.
    QVERIFY(late_in(run).stand_out.empty());
}

namespace {

/// What the replay of What if says of all GPUs but one in a range, if that one's kernels hold up no collective but the
/// first.
Ns replayed_without(const Graphed& run, std::uint32_t left_out, Interval range)
{
    auto script = replay::make_script(run.graph);
    const auto recorded = replay::replay(script);
    const auto& trace = run.trace;
    const auto device = [&](Row row) { return trace.streams[trace.operations.stream[row]].device; };
    const Row first = run.graph.dependencies().collectives.all.front().last;
    std::uint32_t gang_of_first = replay::none;
    for (const auto& operation : script.operations) {
        gang_of_first = operation.row == first ? operation.gang : gang_of_first;
    }
    for (auto& operation : script.operations) {
        if (operation.row != no_row && operation.gang != replay::none && operation.gang != gang_of_first
            && device(operation.row) == left_out) {
            --script.gang_sizes[operation.gang];
            operation.gang = replay::none;
        }
    }
    const auto without = replay::replay(script);
    const auto earlier = [&](Ns until) {
        std::map<std::uint32_t, std::pair<Ns, Ns>> ends;
        for (std::size_t i = 0; i < script.operations.size(); ++i) {
            const Row row = script.operations[i].row;
            if (row != no_row && trace.operations.end[row] <= until && device(row) != left_out) {
                auto& [before, after] = ends[device(row)];
                before = std::max(before, recorded.end[i]);
                after = std::max(after, without.end[i]);
            }
        }
        return ends;
    };
    auto at_start = earlier(range.start);
    Ns gain = std::numeric_limits<Ns>::max();
    for (const auto& [id, end] : earlier(range.end)) {
        const auto& start = at_start[id];
        gain = std::min(gain, end.first - end.second - (start.first - start.second));
    }
    return gain;
}

}  // namespace

void tst_LateRanks::asTheReplay_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<Ns>("until");
    const auto source = qEnvironmentVariable("LANES_SOURCE");
    const auto row = [&](const char* file, Ns until) {
        if (QFileInfo::exists(source + QString::fromUtf8(file))) {
            QTest::newRow(file) << source + QString::fromUtf8(file) << until;
        }
    };
    constexpr Ns all = std::numeric_limits<Ns>::max();
    row("/tests/engine/analysis/findings/ranks/late.sqlite", all);
    row("/tests/engine/analysis/findings/ranks/heavier.sqlite", all);
    row("/tests/engine/analysis/findings/ranks/after.sqlite", all);
    row("/resources/recordings/h200/all-reduce.in-buckets.sqlite", all);
    row("/resources/recordings/h200/all-reduce.after-backward.sqlite", all);
    row("/../shared/data/programs/ddp-one.sqlite", all);
    // Then it saves what it trained, where threads wait for one another in ways that no record tells.
    row("/../shared/data/programs/fsdp2.sqlite", 13'590 * ms);
}

/// Not above what the replay gains, which also knows how kernels crowd one another, nor much below.
void tst_LateRanks::asTheReplay()
{
    QFETCH(const QString, file);
    QFETCH(const Ns, until);
    const Graphed run(open_recording(file.toStdString()));
    const auto& collectives = run.graph.dependencies().collectives;
    QVERIFY(!collectives.all.empty());
    const WithoutRanks without(run.trace, collectives, held_threads(run), {}, WithoutRanks::Hosts::as_recorded);
    for (const auto gpu : collectives.groups.front()) {
        LeftOut left_out {std::vector<std::uint32_t>(collectives.all.size(), gpu)};
        left_out.unit.front() = no_id;
        Ns here = std::numeric_limits<Ns>::max();
        const auto found = without.earlier(left_out, WithoutRanks::Clock::shared, {0, until});
        for (const auto& [device, earlier] : found.done) {
            here = device == gpu ? here : std::min(here, earlier);
        }
        const Ns there = replayed_without(run, gpu, {0, until});
        QVERIFY2(here - there <= there / 50 + 20 * us && (there - here) * 4 <= there + 80 * us,
            qPrintable(QStringLiteral("GPU %1: %2, replayed %3").arg(gpu).arg(text(here), text(there))));
    }
}

void tst_LateRanks::claimsWhatTheReplayGains_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("late") << "/tests/engine/analysis/findings/ranks/late.sqlite";
    QTest::newRow("heavier") << "/tests/engine/analysis/findings/ranks/heavier.sqlite";
    QTest::newRow("fsdp2") << "/../shared/data/programs/fsdp2.sqlite";
}

/// Of the whole recording or of the part that repeats, if the finding is of that.
void tst_LateRanks::claimsWhatTheReplayGains()
{
    QFETCH(const QString, file);
    const auto path = qEnvironmentVariable("LANES_SOURCE") + file;
    if (!QFileInfo::exists(path)) {
        QSKIP("no shared data");
    }
    const Graphed run(open_recording(path.toStdString()));
    const auto report = report_of(run.trace);
    const auto finding = find(report.findings, "communication-late");
    const std::string title = finding.title;
    const bool of_the_part = title.find("in the part that repeats") != std::string::npos;
    const auto range = of_the_part ? report.steady->span : Interval {0, run.trace.duration};
    const auto late = late_in(run, range);
    QCOMPARE(late.stand_out.size(), std::size_t {1});
    const Ns there = replayed_without(run, late.stand_out.front().device, range);
    QVERIFY2(finding.cost > 0 && finding.cost - there <= there / 50, qPrintable(text(there) + title.c_str()));
}

void tst_LateRanks::ofRealRuns_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<Ns>("most");
    QTest::newRow("ddp-one") << "ddp-one" << 140 * ms;
    QTest::newRow("fsdp2") << "fsdp2" << 140 * ms;
}

/// What could be gained is known from how long the ranks' launches took (README.md there).
void tst_LateRanks::ofRealRuns()
{
    QFETCH(const QString, file);
    QFETCH(const Ns, most);
    const auto path = qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/programs/" + file + ".sqlite";
    if (!QFileInfo::exists(path)) {
        QSKIP("no shared data");
    }
    const auto recording = reported(open_recording(path.toStdString()));
    const auto finding = find(recording.report->findings, "communication-late");
    QVERIFY2(finding.cost <= most, std::string(finding.title).c_str());
    const std::string verdict = Messages::english().format(recording.report->verdict.message);
    QVERIFY2(
        verdict.find("3 GPUs") == std::string::npos && verdict.find("4 GPUs") != std::string::npos, verdict.c_str());
}

QTEST_GUILESS_MAIN(tst_LateRanks)
#include "tst_late_ranks.moc"
