// SPDX-License-Identifier: MIT
// Whose fault it is that the ranks of a job wait, from summaries alone: of runs whose loss is known, and with the same
// figures as the finding has from a recording of all ranks.
#include "engine/analysis/facts/steady_state.h"
#include "engine/job/job_file.h"
#include "engine/job/job_heat.h"
#include "engine/ranks/job_replay.h"
#include "engine/ranks/without_ranks.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/analysis/graphed.h"
#include "tests/engine/job/job_of_ranks.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <set>

Q_DECLARE_METATYPE(lanes::RunOfRanks)

using namespace lanes;

namespace {

constexpr Ns us = 1000, ms = 1000 * us;

/// What a run takes longer than without what is late or heavier in it.
Ns lost(RunOfRanks run)
{
    const Ns end = run.make().end;
    run.late = {};
    run.heavier = {};
    return end - run.make().end;
}

LateRanks late_in_recording(const Graphed& made, Interval range)
{
    const auto& collectives = made.graph.dependencies().collectives;
    std::vector<HeldThread> held;
    for (const auto& stretch : made.blocking.calls) {
        held.push_back({made.trace.calls.thread[stretch.call], stretch.start, stretch.end, stretch.released_by});
    }
    const auto without
        = [&] { return std::make_unique<WithoutRanks>(made.trace, collectives, held, std::vector<SlowedKernel>()); };
    return find_late_ranks(made.trace, collectives, without, range, {});
}

QString text(Ns time)
{
    return QStringLiteral("%1 us").arg(static_cast<double>(time) / us);
}

/// Clocks that are off by up to 10 s and drift by up to 100 ppm, a host each.
void spoil_clocks(std::vector<RankSummary>& ranks)
{
    for (auto& rank : ranks) {
        const auto host = static_cast<Ns>(std::hash<std::string> {}(rank.identity.host) % 1000);
        const Ns offset = (host - 500) * 20 * ms;
        const double drift = static_cast<double>(host - 500) * 2e-7;
        const auto wrong
            = [&](Ns& time) { time += offset + static_cast<Ns>(drift * static_cast<double>(time - 1'000'000'000)); };
        wrong(rank.start);
        wrong(rank.end);
        wrong(rank.steady.start);
        wrong(rank.steady.end);
        for (auto& collective : rank.collectives) {
            wrong(collective.start);
            wrong(collective.end);
            wrong(collective.issued);
        }
        for (auto& step : rank.steps) {
            wrong(step.start);
            wrong(step.end);
        }
    }
}

}  // namespace

class tst_JobReport : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void aLateRank_data();
    void aLateRank();
    void noLateRank_data();
    void noLateRank();
    void aLateHost_data();
    void aLateHost();
    void aLateGroup();
    void aLateSet();
    void lateAFewTimes_data();
    void lateAFewTimes();
    void rotating();
    void sentenceTableAndMatrix();
    void groups();
    void groupsBesideOneWay();
    void pipelines_data();
    void pipelines();
    void aStageOfOneOfTwoPipelines();
    void onlyBroadcasts();
    void theAskingHostsClockIsNoRanks();
    void aWaitIsSpreadOverItsBins();
    void stepsOfHostsThatRunAhead();
    void lossOfAStep_data();
    void lossOfAStep();
    void waitsAtTheSameTime_data();
    void waitsAtTheSameTime();
    void whyItIsLate_data();
    void whyItIsLate();
    void whatNothingExplains();
    void beginsLater();
    void differentSteps_data();
    void differentSteps();
    void missingCollective();
    void asTheProgramNamesThem();
    void whatTheNameSaysOfTheHost_data();
    void whatTheNameSaysOfTheHost();
    void whatARecordingSaysOfItsHost();
    void ranksOfOneRecording_data();
    void ranksOfOneRecording();
    void asInARecordingOfAll_data();
    void asInARecordingOfAll();
    void lostAndDoubled();
    void clocksThatCannotBeAligned();
    void clonesOfAMachine_data();
    void clonesOfAMachine();
    void askedOverSsh();
    void manyRanks();
    void roundedTimes();
    void lateToOneOfManyCollectives();
    void recordedOnTwoGpus_data();
    void recordedOnTwoGpus();
};

void tst_JobReport::aLateRank_data()
{
    QTest::addColumn<RunOfRanks>("run");
    QTest::addColumn<unsigned>("rank");
    for (const auto& late : late_runs()) {
        QTest::newRow(late.name) << late.run << late.rank;
    }
    RunOfRanks large;
    large.ranks = 64;
    large.late = [](auto rank, int step) { return rank == 37 && step > 0 ? 5 * ms : 0; };
    QTest::newRow("one of 64") << large << 37U;
}

/// As true as the finding in a recording of all, and the same on clocks that are wrong.
void tst_JobReport::aLateRank()
{
    QFETCH(const RunOfRanks, run);
    QFETCH(const unsigned, rank);
    const Ns truth = lost(run);
    auto summaries = summaries_of(run, 2);
    const Judged right(summaries);
    spoil_clocks(summaries);
    const Judged wrong(summaries);
    name_communicators(summaries, run);
    const Judged named(summaries);
    for (const auto* const judged : {&right, &wrong, &named}) {
        QCOMPARE(judged->meetings.collectives.all.size(), static_cast<std::size_t>(run.steps * run.parts));
        QCOMPARE(judged->meetings.collectives.groups.size(), std::size_t {1});
        QVERIFY(judged->meetings.contradictions.empty());
        QCOMPARE(judged->report.late.stand_out.size(), std::size_t {1});
        const auto& found = judged->report.late.stand_out.front();
        QCOMPARE(found.device, rank);
        QVERIFY2(std::abs(found.cost - truth) * 20 <= truth, qPrintable(text(found.cost) + ", not " + text(truth)));
        QCOMPARE(judged->report.ranks.front().index, rank);
        QCOMPARE(judged->report.ranks.front().caused, std::optional(found.cost));
    }
    if (run.ranks <= 16) {
        const Graphed made(run.make().trace);
        const auto recorded = late_in_recording(made, {0, made.trace.duration});
        const auto& found = right.report.late.stand_out.front();
        QCOMPARE(recorded.stand_out.size(), std::size_t {1});
        // In the first step, in which none is late, the clocks do not tell the order of microseconds.
        QVERIFY(std::abs(static_cast<int>(found.last) - static_cast<int>(recorded.stand_out.front().last)) < run.parts);
        // What is judged may end with the last kernel, before the last of several sums.
        QVERIFY2(std::abs(found.cost - recorded.stand_out.front().cost) <= (run.parts > 1 ? run.transfer : 50 * us),
            qPrintable(text(found.cost) + ", in the recording " + text(recorded.stand_out.front().cost)));
    }
}

void tst_JobReport::noLateRank_data()
{
    QTest::addColumn<RunOfRanks>("run");
    const auto row = [](const char* name, RunOfRanks run) { QTest::newRow(name) << run; };
    RunOfRanks run;
    row("all equal", run);
    run.late = [](auto rank, int step) { return (rank * 7 + static_cast<unsigned>(step) * 13) % 11 * 5 * us; };
    row("noise", run);
    run.late = [](auto rank, int) { return rank == 2 ? 80 * us : 0; };
    row("always last, by less than 2 %", run);
    RunOfRanks drifts;  // 2 ms back, 1.4 ms forth: the one that is behind by chance is last each time
    drifts.ranks = 2;
    drifts.steps = 40;
    drifts.waits = false;
    drifts.work = 8 * ms;
    drifts.late = [](auto rank, int step) {
        return step == 0 ? 0 : step % 2 == 1 && rank == 0 ? 2 * ms : step % 2 == 0 && rank == 1 ? 1400 * us : 0;
    };
    row("hosts that never wait drift apart and back", drifts);
    run.ranks = 64;
    run.late = {};
    row("64 equal ones", run);
    run.ranks = 12;  // node0 has 8 of them, one of which is the last one in two of three collectives
    run.late = [](auto rank, int step) { return (rank * 7 + static_cast<unsigned>(step) * 13) % 11 * 100 * us; };
    row("a large host and a small one", run);
}

void tst_JobReport::noLateRank()
{
    QFETCH(const RunOfRanks, run);
    auto summaries = summaries_of(run);
    for (const bool is_named : {false, true}) {
        if (is_named) {
            name_communicators(summaries, run);
        }
        const Judged judged(summaries);
        QCOMPARE(judged.sentence(), std::string("No rank stands out"));
        QVERIFY(judged.notes().empty());
    }
}

void tst_JobReport::aLateHost_data()
{
    QTest::addColumn<RunOfRanks>("run");
    QTest::addColumn<QString>("reason");
    RunOfRanks run;
    run.ranks = 8;
    const auto noise = [](auto rank, int step) { return (rank * 7 + static_cast<unsigned>(step) * 13) % 11 * 20 * us; };
    run.late = [=](auto rank, int step) { return noise(rank, step) + (rank >= 4 && step > 0 ? 5 * ms : 0); };
    QTest::newRow("CPUs") << run << "its CPU issues the work later";
    run.waits = false;
    QTest::newRow("CPUs that do not wait") << run << "its CPU issues the work later";
    run.waits = true;
    run.late = noise;
    run.heavier = [](auto rank, int step) { return rank >= 4 && step > 0 ? 3 * ms : 0; };
    QTest::newRow("kernels") << run << "its kernels take longer";
    run.heavier = {};
    run.late = [](auto rank, int step) { return rank >= 4 && step > 0 ? 2 * ms : 0; };
    QTest::newRow("all by the same") << run << "its CPU issues the work later";
}

/// Two that share each layer wait for each other, and those of their place in other pairs for both.
void tst_JobReport::aLateGroup()
{
    RunOfRanks run;
    run.ranks = 8;
    run.group = 2;
    run.crosses = true;
    run.late = [](auto rank, int step) { return (rank == 4 || rank == 5) && step > 0 ? 3 * ms : 0; };
    const auto judge = [&run] {
        auto summaries = summaries_of(run);
        name_communicators(summaries, run);
        return Judged(std::move(summaries));
    };
    const Judged judged = judge();
    QVERIFY2(judged.sentence().starts_with(
                 "The set of ranks 4, 5 is late (its CPU issues the work later): it came last to "),
        judged.sentence().c_str());
    const auto& late = judged.report.late.stand_out.front();
    QCOMPARE(late.together, (std::vector<std::uint32_t> {4, 5}));
    QVERIFY2(std::abs(late.cost - lost(run)) <= ms, std::to_string(late.cost).c_str());
    run.late = [](auto rank, int step) { return rank == 4 && step > 0 ? 3 * ms : 0; };
    QVERIFY(judge().sentence().starts_with("Rank 4 is late "));
    run.late = [](auto rank, int step) { return rank >= 4 && step > 0 ? 3 * ms : 0; };  // two pairs
    QVERIFY(judge().sentence().starts_with("The set of ranks 4-7 is late "));
    run.late = {};
    QCOMPARE(judge().sentence(), std::string("No rank stands out"));
}

/// Neither of a host nor of a group: two of eight, in the first of the four collectives of each step.
void tst_JobReport::aLateSet()
{
    RunOfRanks run;
    run.ranks = 8;
    run.parts = 4;
    run.late = [](auto rank, int step) {
        return (rank == 2 || rank == 5) && step > 0 ? 4 * ms : (rank * 7 + static_cast<unsigned>(step) * 13) % 11 * us;
    };
    const Judged judged(summaries_of(run));
    QVERIFY2(judged.sentence().starts_with("The set of ranks 2, 5 "), judged.sentence().c_str());
    QVERIFY(std::abs(judged.report.late.first()->cost - lost(run)) <= ms);
}

void tst_JobReport::aLateHost()
{
    QFETCH(const RunOfRanks, run);
    QFETCH(const QString, reason);
    const Judged judged(summaries_of(run, 4));
    const auto& late = judged.report.late.stand_out;
    QVERIFY2(judged.sentence().starts_with("Host node1 (ranks 4-7) is late (" + reason.toStdString()
                 + "): it came last to 19 of 20 collectives; of the other 4, each loses "),
        judged.sentence().c_str());
    QCOMPARE(late.size(), std::size_t {1});
    QCOMPARE(late.front().together, (std::vector<std::uint32_t> {4, 5, 6, 7}));
    QCOMPARE(late.front().others, (std::vector<std::uint32_t> {0, 1, 2, 3}));
    constexpr Ns noise_of_all = 20 * 220 * us;  // is gone, too, from the run without what is late
    QVERIFY2(std::abs(late.front().cost - lost(run)) <= noise_of_all, std::to_string(late.front().cost).c_str());
    QVERIFY(late.front().has(judged.report.ranks[3].index) && !late.front().has(judged.report.ranks[4].index));
    // Without hosts, or where each rank has its own, it is no host, but it is these ranks.
    for (const std::uint32_t ranks_a_host : {1U, 8U}) {
        const Judged unknown(summaries_of(run, ranks_a_host));
        QVERIFY2(unknown.sentence().starts_with("The set of ranks 4-7 is late (" + reason.toStdString() + ')'),
            unknown.sentence().c_str());
        QCOMPARE(unknown.report.late.stand_out.front().cost, late.front().cost);
    }
}

void tst_JobReport::lateAFewTimes_data()
{
    QTest::addColumn<RunOfRanks>("run");
    QTest::addColumn<QString>("said");
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 1 && step == 10 ? 40 * ms : 0; };
    QTest::newRow("once") << run
                          << "Rank 1 was late once (its CPU issues the work later): all lost 40.0 ms in step 11 ";
    run.late = [](auto rank, int step) { return rank == 2 && (step == 4 || step == 9) ? step * 5 * ms : 0; };
    QTest::newRow("twice") << run
                           << "Rank 2 was late 2 times (its CPU issues the work later): all lost 65.0 "
                              "ms, 45.0 ms at once in step 10 ";
    run.ranks = 64;
    run.steps = 100;
    run.late = [](auto rank, int step) { return rank == 9 && step == 50 ? 40 * ms : 0; };
    QTest::newRow("one of 64, once in 100 steps")
        << run << "Rank 9 was late once (its CPU issues the work later): all lost 40.0 ms in step 51 ";
    run.late = [](auto rank, int step) { return rank >= 24 && rank < 32 && step == 50 ? 40 * ms : 0; };
    QTest::newRow("a host of eight, once") << run
                                           << "Host node3 (ranks 24-31) was late once (its CPU issues the work "
                                              "later): all lost 40.0 ms in step 51 ";
}

void tst_JobReport::lateAFewTimes()
{
    QFETCH(const RunOfRanks, run);
    QFETCH(const QString, said);
    const Judged judged(summaries_of(run));
    QVERIFY2(judged.sentence().starts_with(said.toStdString()), judged.sentence().c_str());
}

/// One that was late once is still seen: in the table and in the matrix.
void tst_JobReport::rotating()
{
    RunOfRanks run;
    run.steps = 40;
    run.late = [](auto rank, int step) { return step > 0 && rank == static_cast<unsigned>(step) * 3 % 4 ? 5 * ms : 0; };
    const Judged judged(summaries_of(run));
    QVERIFY(judged.report.late.stand_out.empty());
    QVERIFY2(judged.sentence().starts_with("Now one rank is late, now another (the last one changes in 38 of 38 "),
        judged.sentence().c_str());
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        QCOMPARE(judged.row(rank).of, std::size_t {40});
        QVERIFY(judged.row(rank).last >= 9);
    }
}

void tst_JobReport::sentenceTableAndMatrix()
{
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    auto summaries = summaries_of(run, 2);
    name_communicators(summaries, run);
    const Judged judged(summaries);
    QCOMPARE(judged.report.steps, std::size_t {20});
    QCOMPARE(QString::fromStdString(judged.sentence()),
        QStringLiteral("Rank 2 is late (its CPU issues the work later): it came last to 19 of 20 collectives; of the "
                       "other 3, each loses 5.00 ms of each 10.7 ms step (47 %) to it"));
    // All others wait 5 ms in each step but the first.
    const auto& report = judged.report;
    QCOMPARE(report.of_waits, (std::vector<std::string> {"0", "1", "2", "3"}));
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
            const Ns waited = report.waits[i * 4 + j];
            const Ns truth = j == 2 && i != 2 ? 19 * 5 * ms : 0;
            QVERIFY2(std::abs(waited - truth) <= 19 * 5 * us, qPrintable(text(waited)));
        }
        QVERIFY(std::abs(judged.row(static_cast<std::uint32_t>(i)).waited - (i == 2 ? 0 : 95 * ms)) <= 19 * 5 * us);
    }
    QCOMPARE(report.groups.size(), std::size_t {1});
    QCOMPARE(report.groups.front().collectives, std::size_t {20});
    QCOMPARE(report.groups.front().unclear, std::size_t {0});
    const auto page = QString::fromStdString(job_text(judged.ranks, judged.meetings, report, Messages::english(), 2));
    const auto lines = page.split('\n');
    QVERIFY2(lines.contains("  rank 0: waits 5.00 ms for rank 2"), qPrintable(page));
    QVERIFY2(lines.contains("  and 2 more (--all)"), qPrintable(page));
    QVERIFY2(std::any_of(lines.begin(), lines.end(),
                 [](const QString& line) {
                     return line.simplified().startsWith("2 node1 10.7 ms 11.0 ms 4.00 ms") && line.contains("19 / 20");
                 }),
        qPrintable(page));
    const auto json = job_json(judged.ranks, judged.meetings, report, Messages::english());
    QVERIFY(json.find("\"late\": [{\"rank\": 2, \"together\": [], \"last\": 19, \"of\": 20, \"cost_ns\": ")
        != std::string::npos);
    QVERIFY(json.find("\"reason\": \"host\"") != std::string::npos);
}

/// Data-parallel groups of four, and the ranks of the same place in their groups: apart, with and without names.
void tst_JobReport::groups()
{
    RunOfRanks run;
    run.ranks = 8;
    run.group = 4;
    run.crosses = true;
    run.late = [](auto rank, int step) { return rank == 5 && step > 0 ? 5 * ms : 0; };
    auto summaries = summaries_of(run, 8);
    for (const bool is_named : {false, true}) {
        if (is_named) {
            name_communicators(summaries, run);
        }
        const Judged judged(summaries);
        if (is_named) {  // the pairs of (0, 4), (2, 6) and (3, 7) end together each time
            QCOMPARE(judged.meetings.collectives.groups.size(), std::size_t {6});
        }
        QCOMPARE(judged.report.late.stand_out.size(), std::size_t {1});
        QCOMPARE(judged.report.late.stand_out.front().device, 5U);
        const auto& group = judged.meetings.collectives.groups[judged.report.late.stand_out.front().group];
        QVERIFY(!is_named || group == (std::vector<std::uint32_t> {4, 5, 6, 7})
            || group == (std::vector<std::uint32_t> {1, 5}));
    }
}

/// The same, where those of the same place send or broadcast to one another: nobody waits for all there, and who loses
/// time is told by the groups of the all-reduces alone.
void tst_JobReport::groupsBesideOneWay()
{
    RunOfRanks run;
    run.ranks = 8;
    run.group = 4;
    run.crosses = true;
    run.late = [](auto rank, int step) { return rank == 5 && step > 0 ? 5 * ms : 0; };
    for (const char* kind : {"ncclDevKernel_SendRecv(x)", "ncclDevKernel_Broadcast_RING_LL(x)"}) {
        auto summaries = summaries_of(run, 8);
        name_communicators(summaries, run);
        for (auto& rank : summaries) {
            rank.names.push_back(kind);
            for (auto& collective : rank.collectives) {
                if (rank.names[collective.communicator].starts_with("pipeline")) {
                    collective.name = static_cast<std::uint32_t>(rank.names.size()) - 1;
                }
            }
        }
        const Judged judged(summaries);
        QCOMPARE(judged.report.late.stand_out.size(), std::size_t {1});
        const auto& late = judged.report.late.stand_out.front();
        QCOMPARE(late.device, 5U);
        QCOMPARE(late.others, (std::vector<std::uint32_t> {4, 6, 7}));
        QVERIFY2(judged.sentence().find("of the other 3") != std::string::npos, judged.sentence().c_str());
    }
}

void tst_JobReport::pipelines_data()
{
    QTest::addColumn<RunOfRanks>("run");
    QTest::addColumn<bool>("is_judged");
    QTest::addColumn<QString>("said");
    const QString nobody = QStringLiteral("Not judged: ranks 0-3 wait for one another in sends and receives, so who "
                                          "comes last to a collective of theirs does not say who is late");
    RunOfRanks run;
    run.sends = true;
    QTest::newRow("stages that compute alike") << run << false << nobody;
    run.heavier = [](auto rank, int) { return rank == 2 ? 3 * ms : 0; };
    QTest::newRow("a stage that computes more")
        << run << false << nobody + ". Rank 2 computes most: 7.00 ms in a step, the others 4.00 ms (medians)";
    run.heavier = [](auto rank, int step) { return rank == 1 && step == 10 ? 40 * ms : 0; };
    QTest::newRow("a stage that computed more once") << run << false << nobody;
    run.group = 2;
    run.crosses = true;
    run.says_communicators = true;
    run.heavier = [](auto rank, int) { return rank == 2 ? 60 * us : 0; };  // so that not all sends end together
    QTest::newRow("two pipelines")
        << run << true
        << QStringLiteral("No rank stands out in the collectives that are judged. Those of ranks 0, 1; 2, 3 are not: "
                          "these wait for one another in sends and receives, so who comes last does not say who is "
                          "late");
}

/// The last stage comes last in each step: by the schedule, whoever computes more.
void tst_JobReport::pipelines()
{
    QFETCH(const RunOfRanks, run);
    QFETCH(const bool, is_judged);
    QFETCH(const QString, said);
    const Judged judged(summaries_of(run));
    QCOMPARE(QString::fromStdString(judged.sentence()), said);
    QCOMPARE(judged.report.is_judged(), is_judged);
    for (const auto& row : judged.report.ranks) {
        QCOMPARE(row.row().caused.has_value(), is_judged);
    }
    const auto json = job_json(judged.ranks, judged.meetings, judged.report, Messages::english());
    QVERIFY(json.find("\"code\": \"waits_in_sends\"") != std::string::npos);
}

/// Both stages of a pipeline come later than those of the other one. It is the one whose kernels take longer.
void tst_JobReport::aStageOfOneOfTwoPipelines()
{
    RunOfRanks run;
    run.sends = true;
    run.group = 2;
    run.crosses = true;
    run.says_communicators = true;
    run.heavier = [](auto rank, int step) { return rank == 2 ? 60 * us : rank == 3 && step > 0 ? 3 * ms : 0; };
    const Judged judged(summaries_of(run));
    QVERIFY2(judged.sentence().starts_with("Rank 3 is late (its kernels take longer)"), judged.sentence().c_str());
}

/// Ranks that share a clock and only broadcast: the clock is not what lacks.
void tst_JobReport::onlyBroadcasts()
{
    auto summaries = summaries_of({}, 8);
    for (auto& rank : summaries) {
        for (auto& name : rank.names) {
            if (name.find("AllReduce") != std::string::npos) {
                name = "ncclDevKernel_Broadcast_RING_LL(x)";
            }
        }
    }
    const Judged judged(summaries);
    QVERIFY(judged.meetings.has_one_clock && !judged.report.is_judged());
    QCOMPARE(job_sentence(judged.ranks, judged.meetings, judged.report).id, std::string("job.nobody_waits_for_all"));
    const auto json = job_json(judged.ranks, judged.meetings, judged.report, Messages::english());
    QVERIFY(json.find("\"code\": \"nobody_waits_for_all\"") != std::string::npos);
}

/// What an asking host's clock did between its own rounds is no rank's.
void tst_JobReport::theAskingHostsClockIsNoRanks()
{
    auto summaries = summaries_of({}, 8);
    for (auto& rank : summaries) {
        rank.rounds = {{"asker", 10 * ms, 11 * ms, 12 * ms}, {"asker", 5'000 * ms, 13 * ms, 5'002 * ms}};
    }
    const Judged judged(summaries);
    for (const auto& note : judged.notes()) {
        QVERIFY2(note.find("was set") == std::string::npos, note.c_str());
    }
}

/// A wait of 30 ms in bins of 1 ms is in each of these bins, not all in the first.
void tst_JobReport::aWaitIsSpreadOverItsBins()
{
    RunOfRanks run;
    run.steps = 8;
    run.late = [](auto rank, int step) { return rank == 2 && step == 4 ? 300 * ms : 0; };
    auto summaries = summaries_of(run, 8);
    for (auto& rank : summaries) {
        rank.steps.clear();
    }
    const auto meetings = meet(summaries);
    const auto waits = waits_of(meetings);
    const auto parts = heat_parts_of(summaries, meetings, waits);
    QVERIFY(!parts.is_of_steps);
    Ns sum = 0;
    for (const auto& part : parts.of_rank[0]) {
        const Ns waited = part.values[static_cast<std::size_t>(HeatMeasure::waited)];
        QVERIFY2(
            waited <= part.end - part.start, qPrintable(QString("%1 of %2").arg(waited).arg(part.end - part.start)));
        sum += waited;
    }
    Ns all = 0;
    for (Row row = 0; row < waits.size(); ++row) {
        all += meetings.rank_of(row) == 0 ? std::max<Ns>(0, waits[row]) : 0;
    }
    QVERIFY(all > 250 * ms);
    QCOMPARE(sum, all);
}

/// Hosts issue all their steps at once. A step takes as long as from one all-reduce to the next, on each rank.
void tst_JobReport::stepsOfHostsThatRunAhead()
{
    RunOfRanks run;
    run.ranks = 2;
    run.work = 20 * us;
    run.compute = 2000 * us;
    run.transfer = 100 * us;
    run.waits = false;
    run.heavier = [](auto rank, int) { return rank == 1 ? 160 * us : 0; };
    const Judged judged(summaries_of(run));
    QCOMPARE(judged.report.steps, static_cast<std::size_t>(run.steps));
    const auto& all = judged.meetings.collectives.all;
    const auto& starts = judged.meetings.trace.operations.start;
    const Ns step = (starts[all.back().last] - starts[all.front().last]) / (run.steps - 1);
    for (const JobRank& row : judged.report.ranks) {
        for (const auto time : {judged.report.step, row.step_mean, row.step_median, row.step_p95}) {
            QVERIFY(time.has_value());
            QVERIFY2(std::abs(*time - step) * 50 <= step, qPrintable(text(*time) + ", not " + text(step)));
        }
    }
}

void tst_JobReport::lossOfAStep_data()
{
    QTest::addColumn<int>("steps");
    QTest::addColumn<bool>("loads");
    for (const int steps : {4, 8, 20}) {
        QTest::addRow("%d steps, heavier kernels", steps) << steps << false;
        QTest::addRow("%d steps, loads data", steps) << steps << true;
    }
}

/// The first collective counts for nothing: what is lost in each step does not depend on how many are recorded.
void tst_JobReport::lossOfAStep()
{
    QFETCH(const int, steps);
    QFETCH(const bool, loads);
    RunOfRanks run;
    run.ranks = 2;
    run.steps = steps;
    run.work = 100 * us;
    run.compute = 2 * ms;
    run.transfer = 200 * us;
    RunOfRanks late = run;
    (loads ? late.loads : late.heavier) = [](auto rank, int) { return rank == 1 ? 3 * ms : 0; };
    const Ns truth = (late.make().end - run.make().end) / steps;
    const Judged judged(summaries_of(late));
    QVERIFY(judged.report.steps > 0);
    const auto lost = judged.row(1).row().caused;
    const auto waited = judged.row(0).row().waited;
    QVERIFY(lost.has_value() && waited.has_value());
    QVERIFY2(std::abs(*lost - truth) * 50 <= truth, qPrintable(text(*lost) + ", not " + text(truth)));
    QVERIFY2(std::abs(*waited - truth) * 50 <= truth, qPrintable(text(*waited) + ", not " + text(truth)));
    QVERIFY(QString::fromStdString(judged.sentence()).contains("; the other loses 3.00 ms of each "));
}

void tst_JobReport::waitsAtTheSameTime_data()
{
    QTest::addColumn<bool>("scatters");
    QTest::newRow("one collective") << false;
    QTest::newRow("two collectives on two streams") << true;
}

/// A rank that waits in two collectives at once waits once: for no longer than its step. Each collective still has its
/// own wait.
void tst_JobReport::waitsAtTheSameTime()
{
    QFETCH(const bool, scatters);
    RunOfRanks run;
    run.scatters = scatters;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 20 * ms : 0; };
    const Judged judged(summaries_of(run, 2));
    const auto& report = judged.report;
    QCOMPARE(report.steps, std::size_t {20});
    const Ns truth = 19 * 20 * ms;
    const Ns margin = 19 * 15 * us;
    Ns of_collectives = 0;
    for (const auto& group : report.groups) {
        QCOMPARE(group.unclear, std::size_t {0});
        of_collectives += group.waited;
    }
    const Ns sum = (scatters ? 2 : 1) * 3 * truth;
    QVERIFY2(std::abs(of_collectives - sum) <= 6 * margin, qPrintable(text(of_collectives)));
    const auto waits = waits_of(judged.meetings);
    const auto parts = heat_parts_of(judged.ranks, judged.meetings, waits);
    QVERIFY(parts.is_of_steps);
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        const auto& row = judged.row(rank);
        QCOMPARE(row.of, std::size_t {scatters ? 40U : 20U});
        QVERIFY2(std::abs(row.waited - (rank == 2 ? 0 : truth)) <= margin, qPrintable(text(row.waited)));
        QVERIFY(row.waited <= row.length);
        QVERIFY(*row.row().waited <= *row.row().step);
        QCOMPARE(report.waits[rank * 4 + 2], row.waited);
        for (const auto& part : parts.of_rank[rank]) {
            const Ns waited = part.values[static_cast<std::size_t>(HeatMeasure::waited)];
            QVERIFY2(waited <= part.end - part.start, qPrintable(text(waited)));
        }
    }
}

void tst_JobReport::whyItIsLate_data()
{
    QTest::addColumn<RunOfRanks>("run");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const RunOfRanks& run, const char* reason) {
        QTest::newRow(name) << run << QString(reason);
    };
    const auto of_rank_2
        = [](Ns time) { return [=](auto rank, int step) { return rank == 2 && step > 0 ? time : 0; }; };
    const auto once = [](auto rank, int step) { return rank == 2 && step == 3 ? 36 * ms : 0; };
    RunOfRanks host;
    host.late = of_rank_2(5 * ms);
    row("its host", host, "host");
    RunOfRanks kernels;
    kernels.heavier = of_rank_2(5 * ms);
    row("its kernels", kernels, "kernels");
    kernels.loads = of_rank_2(ms);
    row("its kernels more than its data", kernels, "kernels");
    RunOfRanks buckets;  // what it lacks at the last bucket, it has lost since the step's first one
    buckets.parts = 8;
    buckets.transfer = 100 * us;
    buckets.heavier = of_rank_2(ms);
    row("its kernels, in buckets", buckets, "kernels");
    RunOfRanks data;
    data.loads = of_rank_2(5 * ms);
    row("its DataLoader", data, "data");
    data.late = of_rank_2(3 * ms);
    row("its DataLoader more than other work", data, "data");
    data.late = of_rank_2(8 * ms);
    row("other work more than its DataLoader", data, "host");
    RunOfRanks all_load = host;
    all_load.loads = [](auto, int) { return 20 * ms; };
    row("other work, where all load as long", all_load, "host");
    RunOfRanks queue;
    queue.takes = of_rank_2(5 * ms);
    row("its queue of batches", queue, "data");
    RunOfRanks recorder;
    recorder.recorder = of_rank_2(5 * ms);
    row("its profiler", recorder, "profiler");
    recorder.late = of_rank_2(8 * ms);
    row("other work more than its profiler", recorder, "host");
    recorder = {};
    recorder.recorder = [](auto rank, int step) { return step == 1 ? 50 * ms : rank == 2 && step > 0 ? 4 * ms : 0; };
    row("its profiler, beside a start that all have", recorder, "profiler");
    RunOfRanks stays;  // hosts slower than GPUs: who falls back never catches up
    stays.waits = false;
    stays.work = 8 * ms;
    stays.late = once;
    row("its host, once and staying late", stays, "host");
    stays.late = {};
    stays.loads = once;
    row("its DataLoader, once and staying late", stays, "data");
    stays.loads = {};
    stays.recorder = once;
    row("its profiler, once and staying late", stays, "profiler");
    RunOfRanks made_up;  // what it loaded longer at first, the others' waits have made up for
    made_up.loads = [](auto rank, int step) { return rank == 2 && step == 2 ? 200 * ms : 0; };
    made_up.late = of_rank_2(15 * ms);
    row("its host, after it once loaded long", made_up, "host");
}

/// Said in the sentence and in JSON, and the same on clocks that are wrong and after a file has kept the summaries.
void tst_JobReport::whyItIsLate()
{
    QFETCH(const RunOfRanks, run);
    QFETCH(const QString, reason);
    auto summaries = summaries_of(run, 2);
    const Judged right(summaries);
    spoil_clocks(summaries);
    const QTemporaryDir folder;
    const auto file = folder.filePath("job.lanes").toStdString();
    save_ranks(summaries, nullptr, file);
    const Judged wrong(load_ranks(file));
    for (const auto* const judged : {&right, &wrong}) {
        QVERIFY(judged->report.reason.has_value());
        QCOMPARE(judged->report.late.stand_out.front().device, 2U);
        QCOMPARE(QString::fromStdString(std::string(word_of(*judged->report.reason))), reason);
        const auto why = Messages::english().text("job.why." + reason.toStdString());
        QVERIFY2(judged->sentence().starts_with("Rank 2 is late" + why + ": "), judged->sentence().c_str());
        const auto json = job_json(judged->ranks, judged->meetings, judged->report, Messages::english());
        QVERIFY(json.find("\"reason\": \"" + reason.toStdString() + '"') != std::string::npos);
    }
}

/// Without calls nobody knows what hosts did: that its GPU did nothing is a reason only if it explains half of the
/// loss.
void tst_JobReport::whatNothingExplains()
{
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    auto summaries = summaries_of(run);
    for (auto& rank : summaries) {
        for (auto& collective : rank.collectives) {
            collective.issued = collective.start;
        }
    }
    Judged judged(summaries);
    QVERIFY(judged.report.reason == LateReason::idle);
    QVERIFY2(
        judged.sentence().starts_with("Rank 2 is late (its GPU does nothing meanwhile): "), judged.sentence().c_str());
    auto late = judged.report.late.stand_out.front();
    late.cost *= 3;
    QVERIFY(!reason_of(late, judged.report.range, judged.ranks, judged.meetings));
    judged.report.reason.reset();
    QVERIFY2(judged.sentence().starts_with("Rank 2 is late: "), judged.sentence().c_str());
    const auto json = job_json(judged.ranks, judged.meetings, judged.report, Messages::english());
    QVERIFY(json.find("\"reason\": null") != std::string::npos);
}

/// Whose recorded work begins later is no late rank: the first collective counts for nothing, and a note says so. One
/// that takes as long in the first step, but begins with the others, is none.
void tst_JobReport::beginsLater()
{
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 2 && step == 0 ? 300 * ms : 0; };
    const Judged later(summaries_of(run));
    QCOMPARE(later.sentence(), std::string("No rank stands out"));
    QCOMPARE(later.notes(),
        (std::vector<std::string> {
            "rank 2's recorded work begins 300 ms after that of the others: they wait 300 ms for "
            "it in their first collective, which counts for nothing"}));
    run.late = [](auto rank, int step) { return step > 0 ? 0 : rank == 2 ? 300 * ms : rank == 1 ? 200 * ms : 0; };
    QCOMPARE(Judged(summaries_of(run)).notes(),
        (std::vector<std::string> {"rank 2's recorded work begins 100 ms to 300 ms after that of the others: they wait "
                                   "100 ms to 300 ms for it in their first collective, which counts for nothing"}));
    RunOfRanks of_two = run;
    of_two.ranks = 2;
    of_two.late = [](auto rank, int step) { return rank == 1 && step == 0 ? 300 * ms : 0; };
    QCOMPARE(Judged(summaries_of(of_two)).notes(),
        (std::vector<std::string> {
            "rank 1's recorded work begins 300 ms after that of the other, which waits 300 ms for "
            "it in their first collective, which counts for nothing"}));
    run.late = {};
    run.heavier = [](auto rank, int step) { return rank == 2 && step == 0 ? 300 * ms : 0; };
    QVERIFY(Judged(summaries_of(run)).notes().empty());
    run.heavier = {};
    run.late = [](auto rank, int step) { return rank == 2 && step == 0 ? ms : 0; };  // less than 2 %
    QVERIFY(Judged(summaries_of(run)).notes().empty());
}

void tst_JobReport::differentSteps_data()
{
    QTest::addColumn<int>("later");
    QTest::addColumn<QString>("note");
    QTest::newRow("as many of others") << 3 << "0, 1, 3: 5 – 21; 2: 8 – 24. Steps 8 to 21 are compared";
    QTest::newRow("none of the others'") << 17 << "0, 1, 3: 5 – 7; 2: 22 – 24. None was recorded by all";
    QTest::newRow("the same") << 0 << "";
}

/// One rank was recorded later, in as many steps: by their order alone collectives of different steps would be one, and
/// what all do in one step would be a clock that was set.
void tst_JobReport::differentSteps()
{
    QFETCH(const int, later);
    QFETCH(const QString, note);
    RunOfRanks run;
    run.late = [](auto, int step) { return step == 10 ? 100 * ms : 0; };
    run.says_steps = true;
    run.lacks = [=](auto rank, int step) { return rank == 2 ? step < later : step >= 20 - later; };
    auto summaries = summaries_of(run, 1);
    name_communicators(summaries, run);
    spoil_clocks(summaries);
    const QTemporaryDir folder;
    const auto file = folder.filePath("job.lanes").toStdString();
    save_ranks(summaries, nullptr, file);
    const Judged judged(load_ranks(file));
    QVERIFY(judged.meetings.contradictions.empty());
    QVERIFY(judged.report.late.stand_out.empty() && !judged.report.late.seldom);
    const auto notes = judged.notes();
    QCOMPARE(notes.empty(), note.isEmpty());
    if (!note.isEmpty()) {
        QCOMPARE(QString::fromStdString(notes.front()), "the ranks recorded different steps (rank: steps): " + note);
    }
    const auto common = static_cast<std::size_t>(std::max(0, 20 - 2 * later));
    QCOMPARE(judged.meetings.has_one_clock, common > 0);
    QCOMPARE(judged.meetings.collectives.all.size(), common);
    for (const auto& collective : judged.meetings.collectives.all) {
        QCOMPARE(collective.kernels.size(), std::size_t {4});
        for (const Row row : collective.kernels) {
            const auto step = [&](Row of) {
                return judged.ranks[judged.meetings.rank_of(of)].collectives[judged.meetings.collective_of[of]].step;
            };
            QCOMPARE(step(row), step(collective.kernels.front()));
        }
    }
}

/// A record was lost: the others are still matched, and it is said which rank lacks how many.
void tst_JobReport::missingCollective()
{
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    run.lacks = [](auto rank, int step) { return rank == 3 && step == 7; };
    auto summaries = summaries_of(run, 4);
    name_communicators(summaries, run);
    const Judged judged(summaries);
    QCOMPARE(judged.report.late.stand_out.size(), std::size_t {1});
    QCOMPARE(judged.report.late.stand_out.front().device, 2U);
    QCOMPARE(judged.notes(), (std::vector<std::string> {"missing of rank 3: 1 of 20 collectives of data 0"}));
}

/// What NCCL's ranges say: communicator, number and bytes of each kernel. A group that is in lockstep with another one
/// is not taken for one with it, and one that a recording lacks is known by its number.
void tst_JobReport::asTheProgramNamesThem()
{
    RunOfRanks run;
    run.ranks = 8;
    run.group = 4;
    run.crosses = true;
    run.says_communicators = true;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    run.lacks = [](auto rank, int step) { return rank == 3 && step == 7; };
    const auto summaries = summaries_of(run, 4);
    const auto& first = summaries[5].collectives.front();
    QCOMPARE(summaries[5].names[first.communicator], std::string("0x000000000004d201 ncclAllReduce"));
    QVERIFY(first.is_numbered);
    QCOMPARE(first.number, std::uint64_t {0});
    QCOMPARE(first.bytes, std::uint64_t {4 << 20});
    QCOMPARE(summaries[3].collectives[14].number, std::uint64_t {8});  // the two of step 7 are not there
    const Judged judged(summaries);
    QCOMPARE(judged.meetings.collectives.groups.size(), std::size_t {7});  // 6, and one of them without rank 3
    QCOMPARE(judged.report.late.stand_out.size(), std::size_t {1});
    QCOMPARE(judged.report.late.stand_out.front().device, 2U);
    for (const auto& collective : judged.meetings.collectives.all) {
        const auto number = [&](Row row) {
            return summaries[judged.meetings.rank_of(row)].collectives[judged.meetings.collective_of[row]].number;
        };
        for (const Row row : collective.kernels) {
            QCOMPARE(number(row), number(collective.kernels.front()));
        }
    }
}

/// Its name, its clock, and when that was set: by less than a sample's jitter is nothing, by more is said once a host.
void tst_JobReport::whatTheNameSaysOfTheHost_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("host");
    const auto row = [](const char* file, const char* host) { QTest::newRow(file) << QString(file) << QString(host); };
    row("/runs/gpu-node07_0.1731000000000.pt.trace.json.gz", "gpu-node07");
    row("gpu_node_07_0.1731000000000000000.pt.trace.json", "gpu_node_07");
    row("gpu-node07_17.1731000000000.pt.trace.json", "");  // another process
    row("gpu-node07_0.json", "");
    row("rank0.pt.trace.json.gz", "");
}

void tst_JobReport::whatTheNameSaysOfTheHost()
{
    QFETCH(const QString, file);
    QFETCH(const QString, host);
    const auto trace = RunOfRanks().make_each().front();
    QCOMPARE(QString::fromStdString(identity_of(trace, 0, file.toStdString()).host), host);
}

void tst_JobReport::whatARecordingSaysOfItsHost()
{
    RunOfRanks run;
    auto traces = run.make_each();
    std::vector<RankSummary> summaries;
    for (std::size_t rank = 0; rank < traces.size(); ++rank) {
        auto& trace = traces[rank];
        trace.meta[meta::host] = rank < 2 ? "node1" : "node2";
        trace.meta[meta::boot_id] = rank < 2 ? "boot-1" : "boot-2";
        constexpr Ns s = 1'000'000'000;
        trace.clocks = {{0, 50 * s}, {s + 90'000, 51 * s}, {2 * s + 50'000, 52 * s}};
        if (rank >= 2) {
            trace.clocks.push_back({3 * s - 7 * ms, 53 * s});
        }
        summaries.push_back(summarize(trace, "rank" + std::to_string(rank) + ".sqlite").front());
    }
    QCOMPARE(summaries[1].identity.host, std::string("node1"));
    QCOMPARE(summaries[3].identity.clock, std::string("boot-2"));
    QVERIFY(summaries[1].clock_set.empty());
    QCOMPARE(summaries[3].clock_set.size(), std::size_t {1});
    QCOMPARE(summaries[3].clock_set.front().before, traces[3].origin + 2'000'050'000);
    QCOMPARE(summaries[3].clock_set.front().by, -7'050'000);
    const Judged judged(summaries);
    QVERIFY(judged.meetings.clock_of == (std::vector<std::uint32_t> {0, 0, 1, 1}));
    QCOMPARE(judged.notes(),
        (std::vector<std::string> {"the clock of rank 2's host was set by 7.05 ms while it was recorded"}));
}

void tst_JobReport::ranksOfOneRecording_data()
{
    QTest::addColumn<bool>("is_merged");
    QTest::newRow("recorded together") << false;
    QTest::newRow("merged from several") << true;
}

/// They have their steps in common, of which the parts add up to the whole. Their clocks are one, but where the ranks
/// were merged and their clocks are only known to some time.
void tst_JobReport::ranksOfOneRecording()
{
    QFETCH(const bool, is_merged);
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    auto trace = run.make().trace;
    if (is_merged) {
        trace.meta[meta::clock_uncertainty_ns] = "268000";
    }
    const Judged judged(summarize(trace, "all.sqlite"));
    const std::set<std::uint32_t> clocks(judged.meetings.clock_of.begin(), judged.meetings.clock_of.end());
    QCOMPARE(clocks.size(), is_merged ? judged.ranks.size() : std::size_t {1});
    QCOMPARE(judged.report.late.stand_out.size(), std::size_t {1});
    QVERIFY(judged.report.steps > 0);
    for (const auto& rank : judged.ranks) {
        QCOMPARE(rank.steps.size(), judged.ranks.front().steps.size());
        for (std::size_t i = 0; i < rank.steps.size(); ++i) {
            QVERIFY(rank.steps[i].start <= rank.steps[i].end);
            QCOMPARE(rank.steps[i].start, judged.ranks.front().steps[i].start);
        }
        const auto row = judged.row(static_cast<std::uint32_t>(&rank - judged.ranks.data())).row();
        QVERIFY(*row.idle >= 0);
        // Nothing is copied: rounding alone is left.
        QVERIFY(std::abs(*row.compute + *row.exposed + *row.idle - *row.step) <= 3);
    }
}

void tst_JobReport::asInARecordingOfAll_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("is_steady");
    const auto tree = qEnvironmentVariable("LANES_SOURCE");
    for (const bool is_steady : {false, true}) {
        for (const auto* const name : {"late", "heavier"}) {
            QTest::addRow("%s, %s", name, is_steady ? "steady" : "all")
                << tree + "/tests/engine/analysis/findings/ranks/" + name + ".sqlite" << is_steady;
        }
        for (const auto* const name : {"ddp-one", "fsdp2"}) {
            QTest::addRow("%s, %s", name, is_steady ? "steady" : "all")
                << tree + "/../shared/data/programs/" + name + ".sqlite" << is_steady;
        }
    }
}

/// Real runs with all ranks in one recording: from their summaries the same ranks stand out, at the same cost but for
/// a tenth. (What is done by the end of a part is told there at the last collective's end.)
void tst_JobReport::asInARecordingOfAll()
{
    QFETCH(const QString, file);
    QFETCH(const bool, is_steady);
    if (!QFileInfo::exists(file)) {
        QSKIP("no shared data");
    }
    const Graphed made(open_recording(file.toStdString()));
    const auto steady = find_steady_state(made.trace);
    const Interval range = is_steady && steady ? steady->span : Interval {0, made.trace.duration};
    const auto recorded = late_in_recording(made, range);
    auto ranks = summarize(made.trace, file.toStdString());
    settle_ranks(ranks);
    const auto meetings = meet(ranks);
    const Interval aligned {range.start + made.trace.origin, range.end + made.trace.origin};
    const auto replay = [&] { return std::make_unique<JobReplay>(ranks, meetings, aligned); };
    const auto late = find_late_ranks(meetings.trace, meetings.collectives, replay, aligned, {});
    QCOMPARE(late.stand_out.size(), recorded.stand_out.size());
    QCOMPARE(late.turns.has_value(), recorded.turns.has_value());
    QCOMPARE(late.seldom.has_value(), recorded.seldom.has_value());
    for (std::size_t i = 0; i < late.stand_out.size(); ++i) {
        QCOMPARE(late.stand_out[i].device, recorded.stand_out[i].device);
        QCOMPARE(late.stand_out[i].last, recorded.stand_out[i].last);
        const Ns truth = recorded.stand_out[i].cost;
        QVERIFY2(std::abs(late.stand_out[i].cost - truth) * 10 <= truth,
            qPrintable(text(late.stand_out[i].cost) + ", in the recording " + text(truth)));
    }
}

void tst_JobReport::lostAndDoubled()
{
    RunOfRanks run;
    auto summaries = summaries_of(run);
    summaries.erase(summaries.begin() + 1);
    QCOMPARE(Judged(summaries).notes(), (std::vector<std::string> {"missing ranks: 1 (1 of 4)"}));
    summaries[1].identity.rank = 0;
    try {
        settle_ranks(summaries);
        QFAIL("two of one rank");
    } catch (const InputError& error) {
        QCOMPARE(QString(error.what()),
            QStringLiteral("'rank0.sqlite' and 'rank2.sqlite' are both rank 0: these are not the ranks of one run"));
    }
    // A copy is no other rank, whatever its name says; one whose recording says the rank is.
    auto copies = summaries_of(run);
    copies[1] = copies[0];
    copies[1].file = "rank1.sqlite";
    copies[1].identity.rank = 1;
    auto told = copies;
    for (auto& rank : told) {
        rank.identity.rule = "file";
    }
    settle_ranks(told);
    try {
        settle_ranks(copies);
        QFAIL("a copy as another rank");
    } catch (const InputError& error) {
        QVERIFY2(
            QString(error.what()).contains("'rank0.sqlite' and 'rank1.sqlite' have the same events"), error.what());
    }
}

/// Ranks that never meet have no clock in common; who waits for whom within a group is told as well.
void tst_JobReport::clocksThatCannotBeAligned()
{
    RunOfRanks run;
    run.ranks = 4;
    run.group = 2;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    auto summaries = summaries_of(run, 2);
    name_communicators(summaries, run);
    spoil_clocks(summaries);
    const Judged judged(summaries);
    QVERIFY(!judged.meetings.has_one_clock);
    QCOMPARE(judged.report.late.stand_out.size(), std::size_t {1});
    QCOMPARE(judged.report.late.stand_out.front().device, 2U);
    QCOMPARE(judged.notes(),
        (std::vector<std::string> {"nothing joins the clocks of some ranks with those of the others: they are shown as "
                                   "if all began together"}));
    auto none = judged.report;  // of whose collectives none could be compared
    none.late = {};
    for (auto& rank : none.ranks) {
        rank.of = 0;
    }
    QCOMPARE(job_sentence(summaries, judged.meetings, none).id, std::string("job.not_judged"));
    const auto json = job_json(summaries, judged.meetings, none, Messages::english());
    QVERIFY(json.find("\"waited_ns\": null, \"unclear_ns\": null, \"caused_ns\": null, \"last\": null")
        != std::string::npos);
    QVERIFY(json.find("\"code\": \"no_common_clock\"") != std::string::npos);
    QVERIFY(job_text(summaries, judged.meetings, none, Messages::english(), 8).find(" waited, ") == std::string::npos);
}

void tst_JobReport::clonesOfAMachine_data()
{
    QTest::addColumn<bool>("has_names");
    QTest::newRow("their host names differ") << true;
    QTest::newRow("their times contradict each other") << false;
}

/// Two machines have one boot id, and clocks that are 250 ms apart: they are aligned as those of two hosts.
void tst_JobReport::clonesOfAMachine()
{
    QFETCH(const bool, has_names);
    RunOfRanks run;
    run.ahead = [](auto rank) { return rank < 2 ? 0 : 250 * ms; };
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    auto summaries = summaries_of(run, 2);
    name_communicators(summaries, run);
    for (auto& rank : summaries) {
        rank.identity.clock = "one boot";
        rank.identity.host = has_names ? rank.identity.host : "node";
    }
    const Judged judged(summaries);
    QVERIFY(judged.meetings.clock_of.front() != judged.meetings.clock_of.back());
    const auto& clock = judged.meetings.alignment.clocks[judged.meetings.clock_of.back()];
    const auto window = clock.window(summaries.back().end);
    QVERIFY(window.low <= 250 * ms && window.high >= 250 * ms);
    QVERIFY(judged.meetings.contradictions.empty());
    QCOMPARE(judged.report.late.stand_out.size(), std::size_t {1});
    QCOMPARE(judged.report.late.stand_out.front().device, 2U);
}

/// Hosts whose ranks never meet, but whose clocks were asked by a third one: they are compared through it.
void tst_JobReport::askedOverSsh()
{
    RunOfRanks run;
    run.ranks = 4;
    run.group = 2;
    run.ahead = [](auto rank) { return rank < 2 ? 0 : 250 * ms; };
    auto summaries = summaries_of(run, 2);
    name_communicators(summaries, run);
    QVERIFY(!Judged(summaries).meetings.has_one_clock);
    // An answer takes 0.4 ms there and 0.2 ms back, a second after the run; the asker is 40 ms ahead.
    for (std::size_t rank = 0; rank < summaries.size(); ++rank) {
        const Ns truth = summaries.front().end + 1'000 * ms;
        summaries[rank].rounds
            = {{"asker", truth + 40 * ms, truth + 400'000 + (rank < 2 ? 0 : 250 * ms), truth + 40 * ms + 600'000}};
    }
    const Judged judged(summaries);
    QVERIFY(judged.meetings.has_one_clock);
    const Ns own = summaries[2].end;
    const auto& clock = judged.meetings.alignment.clocks[judged.meetings.clock_of[2]];
    const auto window = clock.window(own);
    QVERIFY(window.low <= 250 * ms && window.high >= 250 * ms);
    QVERIFY2(window.half() < 1'500'000, std::to_string(window.half()).c_str());
}

/// 512 ranks with data-parallel groups across hosts: one is named, by host.
void tst_JobReport::manyRanks()
{
    RunOfRanks run;
    run.ranks = 512;
    run.group = 64;
    run.crosses = true;
    run.late = [](auto rank, int step) { return rank == 100 && step > 0 ? 5 * ms : 0; };
    auto summaries = summaries_of(run);
    name_communicators(summaries, run);
    spoil_clocks(summaries);
    const auto before = std::chrono::steady_clock::now();
    const Judged judged(std::move(summaries));
    const auto took = std::chrono::steady_clock::now() - before;
    qInfo("%zu collectives of 512 ranks: %lld ms", judged.meetings.trace.operations.size(),
        static_cast<long long>(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
    QCOMPARE(judged.report.late.stand_out.size(), std::size_t {1});
    QCOMPARE(judged.report.late.stand_out.front().device, 100U);
    QVERIFY(judged.report.waits_by_host);
    QCOMPARE(judged.report.of_waits.size(), std::size_t {64});
    QVERIFY(judged.meetings.has_one_clock);
}

/// Files may round begin and length each, so that an operation begins a little before the end of what it follows. A
/// rank is late to every third collective, and the hosts wait for none.
void tst_JobReport::roundedTimes()
{
    RunOfRanks run;
    run.steps = 24;
    run.waits = false;
    run.heavier = [](auto rank, int step) { return rank == 3 && step % 3 == 1 ? 2 * ms : 0; };
    const Ns truth = lost(run);
    auto traces = run.make_each();
    std::vector<RankSummary> summaries;
    for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
        auto& ops = traces[rank].operations;
        for (Row row = 0; row < ops.size(); ++row) {
            ops.end[row] += static_cast<Ns>((row + rank) % 3) - 1;
        }
        summaries.push_back(summarize(traces[rank], "rank" + std::to_string(rank)).front());
        summaries.back().identity.world = run.ranks;
        summaries.back().identity.clock = "boot";
    }
    const Judged judged(summaries);
    const LateRank* const late = judged.report.late.first();
    QVERIFY(late != nullptr);
    QCOMPARE(late->device, 3U);
    QVERIFY2(std::abs(late->cost - truth) * 20 <= truth, qPrintable(text(late->cost) + ", not " + text(truth)));
}

/// Once in each step, and in the rest of it now one, now another comes last.
void tst_JobReport::lateToOneOfManyCollectives()
{
    RunOfRanks run;
    run.steps = 80;
    run.late = [](auto rank, int step) {
        return rank == 2 && step % 4 == 0 ? 5 * ms : (rank * 7 + static_cast<unsigned>(step) * 13) % 11 * 5 * us;
    };
    const Ns truth = (run.steps / 4 - 1) * 5 * ms;  // the first collective counts for nothing
    const Judged judged(summaries_of(run, 2));
    const LateRank* const late = judged.report.late.first();
    QVERIFY(late != nullptr);
    QCOMPARE(late->device, 2U);
    QVERIFY2(std::abs(late->cost - truth) * 20 <= truth, qPrintable(text(late->cost) + ", not " + text(truth)));
}

/// DistributedDataParallel on two H200s (tests/gpu/job_truth.py), where a rank's loader sleeps in each step. Measured
/// without a recorder: what each step takes longer than one of the run in which none sleeps.
void tst_JobReport::recordedOnTwoGpus_data()
{
    QTest::addColumn<std::optional<unsigned>>("rank");
    QTest::addColumn<Ns>("truth");
    QTest::addColumn<Ns>("spread");
    QTest::newRow("even") << std::optional<unsigned>() << Ns {0} << Ns {0};
    QTest::newRow("late-1-ms") << std::optional(1U) << 550 * us << 160 * us;
    QTest::newRow("rank-0-late-5-ms") << std::optional(0U) << 4740 * us << 470 * us;
}

void tst_JobReport::recordedOnTwoGpus()
{
    QFETCH(const std::optional<unsigned>, rank);
    QFETCH(const Ns, truth);
    QFETCH(const Ns, spread);
    const QByteArray file = qgetenv("LANES_SOURCE") + "/tests/engine/job/jobs/" + QTest::currentDataTag() + ".lanes";
    const Judged judged(load_ranks(file.toStdString()));
    const LateRank* const late = judged.report.late.first();
    QCOMPARE(late != nullptr, rank.has_value());
    if (late != nullptr) {
        QCOMPARE(late->device, *rank);
        const Ns lost = of_compared_step(late->cost, judged.report.compared_steps);
        QVERIFY2(std::abs(lost - truth) <= spread, qPrintable(text(lost)));
    }
}

QTEST_GUILESS_MAIN(tst_JobReport)
#include "tst_job_report.moc"
