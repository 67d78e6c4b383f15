// SPDX-License-Identifier: MIT
// What collectives say of clocks: the windows hold the truth, which is made here, and how wide they are.
#include "engine/ranks/clock_alignment.h"
#include "engine/trace/median.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace lanes;

namespace {

constexpr Ns us = 1000, ms = 1000 * us, s = 1000 * ms;

/// A job whose clocks are wrong in a known way.
struct WrongClocks {
    std::uint32_t clocks = 4;
    int meetings = 200;
    Ns apart = 5 * ms;  ///< from one meeting to the next
    Ns arrive = 2 * ms;  ///< within so long all come
    Ns transfer = 500 * us;
    Ns leave = 20 * us;  ///< so much before the last one others may leave
    double drift = 100e-6;
    Ns offset = 10 * s;
    Ns step = 0;  ///< by which the last clock is set in the midst
    std::uint32_t group = 0;  ///< so many meet, a chain of groups that share a clock; 0: all
    bool one_way = false;  ///< clock 0 sends

    struct Made {
        std::vector<ClockMeeting> meetings;
        std::vector<Ns> offsets;
        std::vector<double> drifts;
        Ns stepped = 0;  ///< true time of the step
    };
    Ns ahead(const Made& made, std::uint32_t clock, Ns time) const
    {
        return made.offsets[clock] + static_cast<Ns>(made.drifts[clock] * static_cast<double>(time))
            + (step != 0 && clock + 1 == clocks && time >= made.stepped ? step : 0);
    }
    Made make(unsigned seed) const
    {
        std::mt19937_64 random(seed);
        const auto any = [&](Ns most) { return std::uniform_int_distribution<Ns>(0, most)(random); };
        const auto rate = [&] { return std::uniform_real_distribution<double>(-drift, drift)(random); };
        Made made;
        for (std::uint32_t clock = 0; clock < clocks; ++clock) {
            made.offsets.push_back(any(2 * offset) - offset);
            made.drifts.push_back(rate());
        }
        made.stepped = meetings / 2 * apart + apart / 2;
        for (int i = 0; i < meetings; ++i) {
            std::vector<std::uint32_t> who;
            const std::uint32_t size = group == 0 ? clocks : group;
            const auto groups = group == 0 ? 1 : (clocks - 1) / (group - 1);
            const auto first = static_cast<std::uint32_t>(i) % groups * (size - 1);
            for (std::uint32_t clock = first; clock < std::min(first + size, clocks); ++clock) {
                who.push_back(clock);
            }
            std::vector<Ns> came;
            for (std::size_t n = 0; n < who.size(); ++n) {
                came.push_back(i * apart + any(arrive));
            }
            const Ns last = one_way ? came.front() : *std::max_element(came.begin(), came.end());
            const Ns left = last + transfer + any(transfer / 5);
            ClockMeeting meeting;
            meeting.shortest = transfer - leave;
            meeting.sender = one_way ? 0 : ClockMeeting::all;
            for (std::size_t n = 0; n < who.size(); ++n) {
                const Ns end = std::max(came[n] + 10 * us, left - any(leave));
                meeting.members.push_back(
                    {who[n], came[n] + ahead(made, who[n], came[n]), end + ahead(made, who[n], end)});
            }
            made.meetings.push_back(std::move(meeting));
        }
        return made;
    }
};

}  // namespace

Q_DECLARE_METATYPE(WrongClocks)

class tst_ClockAlignment : public QObject {
    Q_OBJECT

private slots:
    void holdsTheTruth_data();
    void holdsTheTruth();
    void clocksThatAgree();
    void oneWayGivesOneBound();
    void twoThatNeverMeet();
    void contradictionNamesItsEvidence();
    void whatAHostSaysOfItsClock();
    void longRecordTellsTheDrift();
};

void tst_ClockAlignment::holdsTheTruth_data()
{
    QTest::addColumn<WrongClocks>("clocks");
    QTest::addColumn<qint64>("widest");  // half of the median window, at most
    const auto row = [](const char* name, const WrongClocks& clocks, Ns widest) {
        QTest::newRow(name) << clocks << qint64 {widest};
    };
    WrongClocks clocks;
    row("four hosts, offsets of 10 s, drift", clocks, 100 * us);
    WrongClocks fast = clocks;
    fast.transfer = 60 * us;
    fast.leave = 8 * us;
    fast.apart = 500 * us;
    fast.arrive = 200 * us;
    row("short collectives", fast, 50 * us);
    WrongClocks stepped = clocks;
    stepped.step = 7 * ms;
    row("a clock is set by 7 ms", stepped, 150 * us);
    WrongClocks little = clocks;
    little.step = -300 * us;
    row("a clock is set back by 0.3 ms", little, 350 * us);
    WrongClocks chain = clocks;
    chain.clocks = 7;
    chain.group = 3;
    row("groups that share one clock", chain, 300 * us);
    WrongClocks minute = clocks;
    minute.meetings = 300;
    minute.apart = 100 * ms;
    row("half a minute", minute, 150 * us);
    WrongClocks late = clocks;  // the others wait for one in each collective: nobody else bounds from above
    late.arrive = 20 * ms;
    late.apart = 50 * ms;
    row("ranks come far apart", late, 150 * us);
}

/// 1,000 seeds: the stated window holds the truth in 99 % or more.
void tst_ClockAlignment::holdsTheTruth()
{
    QFETCH(const WrongClocks, clocks);
    QFETCH(const qint64, widest);
    constexpr unsigned seeds = 1000;
    std::size_t asked = 0;
    std::size_t held = 0;
    std::vector<Ns> halves, errors;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        const auto made = clocks.make(seed);
        const auto found = align_clocks(clocks.clocks, made.meetings);
        std::mt19937_64 random(seed);
        for (int n = 0; n < 20; ++n) {
            const Ns time = std::uniform_int_distribution<Ns>(0, (clocks.meetings - 1) * clocks.apart)(random);
            const auto clock = static_cast<std::uint32_t>(1 + random() % (clocks.clocks - 1));
            if (std::abs(time - made.stepped) < 2 * clocks.apart && clocks.step != 0) {
                continue;  // between two collectives nothing says when it was set
            }
            const Ns own = time + clocks.ahead(made, clock, time);
            // The first clock drifts, too: it is at the same moment as that one's `own`.
            const Ns truth = clocks.ahead(made, clock, time) - clocks.ahead(made, 0, time);
            const auto window = found.clocks[clock].window(own);
            ++asked;
            held += window.low <= truth && truth <= window.high ? 1 : 0;
            halves.push_back(window.half());
            errors.push_back(std::abs(found.clocks[clock].ahead(own) - truth));
        }
    }
    const auto middle = median_of(halves);
    std::sort(errors.begin(), errors.end());
    const auto text = QStringLiteral("held in %1 of %2; half a window %3 us, error p95 %4 us")
                          .arg(held)
                          .arg(asked)
                          .arg(static_cast<double>(middle) / us)
                          .arg(static_cast<double>(errors[errors.size() * 95 / 100]) / us);
    qInfo("%s", qPrintable(text));
    QVERIFY2(held * 100 >= asked * 99, qPrintable(text));
    QVERIFY2(middle <= widest, qPrintable(text));
}

/// Clocks of one host are left as they are, and their uncertainty is said.
void tst_ClockAlignment::clocksThatAgree()
{
    WrongClocks clocks;
    clocks.offset = 0;
    clocks.drift = 0;
    const auto made = clocks.make(1);
    const auto found = align_clocks(clocks.clocks, made.meetings);
    for (std::uint32_t clock = 1; clock < clocks.clocks; ++clock) {
        QVERIFY(found.clocks[clock].agrees);
        QCOMPARE(found.clocks[clock].ahead(made.meetings[7].members[clock].last_start), 0);
        QVERIFY(found.clocks[clock].uncertainty() > 0);
    }
    QVERIFY(found.contradictions.empty());
}

void tst_ClockAlignment::oneWayGivesOneBound()
{
    WrongClocks clocks;
    clocks.clocks = 2;
    clocks.one_way = true;
    clocks.drift = 0;
    clocks.offset = 0;
    const auto made = clocks.make(3);
    const auto found = align_clocks(2, made.meetings);
    const auto window = found.clocks[1].window(50 * ms);
    QVERIFY(window.high < 2 * ms && window.high >= 0);
    QVERIFY(window.low < -1000 * s);
    QVERIFY(found.clocks[1].uncertainty() > 1000 * s);
}

void tst_ClockAlignment::twoThatNeverMeet()
{
    const auto found = align_clocks(3, {{{{0, 0, 100}, {1, 50, 100}}, 50}});
    QVERIFY(found.clocks[2].method == AlignedClock::Method::unknown);
    QCOMPARE(found.clocks[2].compared_with, 2U);
    const auto pairs = align_clocks(4, {{{{0, 0, 100}, {1, 50, 100}}, 50}, {{{2, 7000, 7100}, {3, 50, 100}}, 50}});
    QVERIFY(pairs.clocks[2].method == AlignedClock::Method::first);
    QCOMPARE(pairs.clocks[3].compared_with, 2U);
    QCOMPARE(pairs.clocks[3].ahead(50), -6'975);
    QVERIFY(found.clocks[1].method == AlignedClock::Method::collectives);
    QVERIFY(align_clocks(0, {}).clocks.empty());
}

/// The two collectives between which the clock was set.
void tst_ClockAlignment::contradictionNamesItsEvidence()
{
    WrongClocks clocks;
    clocks.step = 40 * ms;
    const auto made = clocks.make(5);
    const auto found = align_clocks(clocks.clocks, made.meetings);
    QCOMPARE(found.contradictions.size(), std::size_t {1});
    const auto& contradiction = found.contradictions.front();
    QCOMPARE(contradiction.clock, clocks.clocks - 1);
    QVERIFY(contradiction.before <= static_cast<std::size_t>(clocks.meetings / 2));
    QCOMPARE(contradiction.after, static_cast<std::size_t>(clocks.meetings / 2 + 1));
    QVERIFY(contradiction.by > 30 * ms && contradiction.by <= 40 * ms);
    QCOMPARE(found.clocks[clocks.clocks - 1].pieces.size(), std::size_t {2});
}

/// A clock that was set by less than the windows are wide contradicts nothing; its host's samples tell it.
void tst_ClockAlignment::whatAHostSaysOfItsClock()
{
    WrongClocks clocks;
    clocks.step = 40 * ms;
    const auto made = clocks.make(5);
    const auto& before = made.meetings[static_cast<std::size_t>(clocks.meetings / 2)].members.back();
    std::vector<std::vector<Ns>> set(clocks.clocks);
    set.back() = {before.last_start + 1, before.last_start + 2};
    const auto found = align_clocks(clocks.clocks, made.meetings, set);
    QVERIFY(found.contradictions.empty());
    const auto& of = found.clocks[clocks.clocks - 1];
    QCOMPARE(of.pieces.size(), std::size_t {2});
    QCOMPARE(of.pieces[1].begin, before.last_start + 2);
    QVERIFY(of.ahead(before.last_start + 2) - of.ahead(before.last_start) > 30 * ms);
    // The one that others are compared with is set: so are they, against it.
    set.back().clear();
    const auto& of_first = made.meetings[40].members.front();
    set.front() = {of_first.last_start + 1};
    const auto others = align_clocks(clocks.clocks, made.meetings, set);
    QCOMPARE(others.clocks[1].pieces.size(), std::size_t {2});
}

/// From 10 s on the drift is bounded by the windows themselves, before that by what clocks may do.
void tst_ClockAlignment::longRecordTellsTheDrift()
{
    WrongClocks clocks;
    clocks.apart = 100 * ms;
    for (const int meetings : {90, 600}) {
        clocks.meetings = meetings;
        const auto made = clocks.make(11);
        const auto found = align_clocks(clocks.clocks, made.meetings);
        for (std::uint32_t clock = 1; clock < clocks.clocks; ++clock) {
            const auto& of = found.clocks[clock];
            const double truth = made.drifts[clock] - made.drifts[0];
            const double slack = 1e-6 + 1e-8;  // of what is known, and as it is counted in the other's seconds
            QVERIFY(of.least_drift <= truth + slack && truth - slack <= of.greatest_drift);
            QCOMPARE(of.greatest_drift - of.least_drift < 30e-6, meetings == 600);
        }
    }
}

QTEST_GUILESS_MAIN(tst_ClockAlignment)
#include "tst_clock_alignment.moc"
