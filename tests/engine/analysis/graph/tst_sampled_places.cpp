// SPDX-License-Identifier: MIT
// Where Python was by samples: what they name, and that they change no other figure.
#include "engine/analysis/compare/changes.h"
#include "engine/analysis/graph/sampled_places.h"
#include "engine/analysis/graph/why.h"
#include "engine/analysis/iterations.h"
#include "engine/analysis/report.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/range_around.h"
#include "engine/trace/sampled_range.h"
#include "tests/engine/analysis/graphed.h"

#include <QRegularExpression>
#include <QTest>

#include <random>

using namespace lanes;

class tst_SampledPlaces : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void countsSamplesInStretches();
    void asOneByOne();
    void namesTheTimeBetweenCalls();
    void namesWhatChanged();
    void changesNoOtherFigure();
    void keptOfCallingThreadsWhileThereIsWork();
};

namespace {

constexpr Ns us = 1000, ms = 1000 * us;
constexpr Ns interval = ms;

/// Ten iterations: `pick` of Python without a call, 1 ms of `build`, then a kernel that is launched and waited for. In
/// an operator from 100 us before the launch on.
Trace loop(Ns pick, bool sampled, std::string_view place = "pick (loop.py:3)")
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 0;
    const auto sample = [&](std::string_view name, Ns start, Ns end, std::uint32_t thread = 1) {
        if (sampled) {
            tape.range(name, start, end, thread, sampled_domain);
        }
    };
    if (sampled) {
        tape.builder().write_meta(meta::stacks_interval, std::to_string(interval));
    }
    for (int i = 0; i < 10; ++i) {
        const Ns begin = now;
        const auto work = now + pick;
        const auto launch = work + ms;
        tape.range("aten::mm", launch - 100 * us, launch + 5 * us, 1, operator_domain);
        tape.kernel(tape.call("cudaLaunchKernel", launch, launch + 4 * us), 13, launch + 5 * us, launch + 50 * us);
        const auto sync = tape.call("cudaStreamSynchronize", launch + 5 * us, launch + 55 * us);
        tape.sync(sync, SyncRecord::stream_sync, launch + 5 * us, launch + 55 * us, 13);
        now = launch + 60 * us;
        tape.range("step " + std::to_string(i), begin, now);
        // Late by up to an interval, so that they reach into the operator, the calls and the next step.
        sample(place, begin + 10 * us, work + 500 * us);
        sample("build (loop.py:7)", work + 500 * us, now + 10 * us);
    }
    return tape.finish();
}

std::string name_at(const Trace& trace, const std::pair<StringId, std::uint64_t>& place)
{
    return std::string(trace.text(place.first)) + " " + std::to_string(place.second);
}

}  // namespace

void tst_SampledPlaces::countsSamplesInStretches()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 10 * us), 13, 20 * us, 10 * ms);
    tape.builder().write_meta(meta::stacks_interval, std::to_string(interval));
    tape.range("a", 1 * ms, 4 * ms, 1, sampled_domain);  // at 1, 2 and 3 ms
    tape.range("b", 4 * ms, 5 * ms, 1, sampled_domain);  // at 4 ms
    tape.range("a", 5 * ms, 5 * ms + 300 * us, 1, sampled_domain);  // at 5 ms: it has one, however short
    const Graphed of(tape.finish());
    const auto counted = [&](Ns start, Ns end) {
        PlaceTally tally;
        of.graph.sampled().count(0, {start, end}, tally);
        QStringList all;
        for (const auto& place : tally.by_count(5)) {
            all += QString::fromStdString(name_at(of.trace, place));
        }
        return all.join(", ");
    };
    QCOMPARE(of.graph.sampled().interval(), interval);
    QCOMPARE(counted(0, 10 * ms), QString("a 4, b 1"));
    QCOMPARE(counted(1 * ms, 2 * ms), QString("a 1"));
    QCOMPARE(counted(1 * ms + 1, 2 * ms), QString());  // between two samples nothing is known
    QCOMPARE(counted(3 * ms, 4 * ms + 1), QString("a 1, b 1"));
    QCOMPARE(counted(5 * ms + 1, 10 * ms), QString());
}

/// Against a list of all samples, one by one.
void tst_SampledPlaces::asOneByOne()
{
    std::mt19937 random(3);
    const auto upto = [&](Ns most) { return std::uniform_int_distribution<Ns>(0, most)(random); };
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 1), 13, 2, 400 * ms);
    tape.builder().write_meta(meta::stacks_interval, std::to_string(interval));
    std::vector<std::pair<Ns, std::string>> samples;
    Ns now = 10;
    for (int i = 0; i < 300; ++i) {
        const auto name = std::string(1, static_cast<char>('a' + upto(5)));
        const Ns count = 1 + upto(2);
        tape.range(name, now, now + count * interval, 1, sampled_domain);
        for (Ns k = 0; k < count; ++k, now += interval) {
            samples.emplace_back(now, name);
        }
        now += upto(2) * interval;
    }
    const Graphed of(tape.finish());
    for (int i = 0; i < 1000; ++i) {
        const Ns start = upto(400 * ms);
        const Ns end = std::min(start + upto(30 * ms), of.trace.duration);
        PlaceTally found;
        of.graph.sampled().count(0, {start, end}, found);
        std::map<std::string, std::uint64_t> expected;
        for (const auto& [time, name] : samples) {
            if (time >= start && time < end) {
                ++expected[name];
            }
        }
        std::map<std::string, std::uint64_t> named;
        for (const auto& [name, count] : found.samples) {
            named[std::string(of.trace.text(name))] = count;
        }
        QCOMPARE(named, expected);
    }
}

void tst_SampledPlaces::namesTheTimeBetweenCalls()
{
    const Graphed of(loop(3 * ms, true));
    const auto tally = python_places(of.graph, Interval {0, of.trace.duration});
    const auto most = tally.by_count(2);
    QCOMPARE(most.size(), std::size_t {2});
    QCOMPARE(of.trace.text(most[0].first), std::string_view("pick (loop.py:3)"));
    QVERIFY(most[0].second > 2 * most[1].second);
    const auto path = critical_path(of.graph, {0, of.trace.duration});
    const auto text = critical_path_text(of.graph, path, Messages::english());
    QVERIFY2(text.find("Python in pick (loop.py:3)") != std::string::npos, text.c_str());
    QVERIFY(text.find("one every 1.00 ms") != std::string::npos);
    const Graphed without(loop(3 * ms, false));
    QCOMPARE(python_places(without.graph, Interval {0, without.trace.duration}).all, std::uint64_t {0});
}

void tst_SampledPlaces::namesWhatChanged()
{
    // Without named ranges, so that the time is between calls.
    const auto bare = [](Ns pick, bool sampled) {
        Tape tape;
        tape.stream(13, StreamRecord::non_blocking);
        tape.builder().write_meta(meta::stacks_interval, sampled ? "1000000" : "0");
        Ns now = 0;
        for (int i = 0; i < 10; ++i, now += pick + 100 * us) {
            tape.kernel(tape.call("cudaLaunchKernel", now + pick, now + pick + 4 * us), 13, now + pick + 5 * us,
                now + pick + 50 * us);
            const auto sync = tape.call("cudaStreamSynchronize", now + pick + 5 * us, now + pick + 55 * us);
            tape.sync(sync, SyncRecord::stream_sync, now + pick + 5 * us, now + pick + 55 * us, 13);
            if (sampled) {
                tape.range("pick (loop.py:3)", now + us, now + pick, 1, sampled_domain);
            }
        }
        return Graphed(tape.finish());
    };
    const auto shown = [](const Graphed& a, const Graphed& b) {
        const RecordingBounds of_a(a.trace, a.blocking), of_b(b.trace, b.blocking);
        QString all;
        for (const auto& change :
            changes_between({a.graph, of_a, {0, a.trace.duration}}, {b.graph, of_b, {0, b.trace.duration}})) {
            if (change.kind == CauseOfChange::waterfall) {
                all += QString::fromStdString(Messages::english().format(change.what)) + "\n";
            }
        }
        return all;
    };
    const auto both = shown(bare(3 * ms, true), bare(6 * ms, true));
    QVERIFY2(both.contains(QRegularExpression(
                 "between calls; Python was mostly \\(samples\\) in pick \\(loop.py:3\\), \\d+/\\d+ in A, pick")),
        qPrintable(both));
    QVERIFY(shown(bare(3 * ms, false), bare(6 * ms, true)).contains("in ? in A, pick"));
    QVERIFY(shown(bare(3 * ms, false), bare(6 * ms, false)).contains("between calls, not recorded"));
}

/// Of the same recording with and without samples.
void tst_SampledPlaces::changesNoOtherFigure()
{
    const Graphed with(loop(3 * ms, true)), without(loop(3 * ms, false));
    QVERIFY(with.trace.ranges.size() > without.trace.ranges.size());
    QCOMPARE(with.trace.duration, without.trace.duration);
    std::vector<Range> exact;
    std::copy_if(with.trace.ranges.begin(), with.trace.ranges.end(), std::back_inserter(exact),
        [&](const Range& range) { return !is_sampled(with.trace, range); });
    QCOMPARE(exact.size(), without.trace.ranges.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
        QCOMPARE(exact[i].depth, without.trace.ranges[i].depth);
        QCOMPARE(exact[i].start, without.trace.ranges[i].start);
    }
    const auto names_at = [](const Graphed& of, Ns time) {
        QStringList names;
        for (const Row row : ranges_around(of.trace, 0, time)) {
            names += QString::fromUtf8(of.trace.text(of.trace.ranges[row].name).data());
        }
        return names;
    };
    for (Ns time = 0; time < with.trace.duration; time += 37 * us) {
        QCOMPARE(names_at(with, time), names_at(without, time));
    }
    for (Row row = 0; row < with.trace.operations.size(); ++row) {
        const auto a = with.graph.owners().of(row);
        const auto b = without.graph.owners().of(row);
        for (const auto part : owner_parts) {
            QCOMPARE(with.graph.owners().text(a, part), without.graph.owners().text(b, part));
        }
    }
    const auto of_with = critical_path(with.graph, {0, with.trace.duration});
    const auto of_without = critical_path(without.graph, {0, without.trace.duration});
    QCOMPARE(of_with.by_kind, of_without.by_kind);
    const auto names_of = [](const Graphed& of, const CriticalPath& path) {
        QStringList names;
        for (const auto& each : path.names) {
            names += QString("%1 %2")
                         .arg(QString::fromUtf8(shown_name(of.trace, each.table, each.name).data()))
                         .arg(each.time);
        }
        return names;
    };
    QCOMPARE(names_of(with, of_with), names_of(without, of_without));
    const RecordingBounds bounds(with.trace, with.blocking), bounds_without(without.trace, without.blocking);
    const auto report = make_report(with.trace, with.blocking);
    const auto bare = make_report(without.trace, without.blocking);
    QCOMPARE(report.counts.ranges, bare.counts.ranges);
    QCOMPARE(report.ranges.size(), bare.ranges.size());
    QCOMPARE(report.wall, bare.wall);
    const auto a = iterations_of(with.graph, bounds);
    const auto b = iterations_of(without.graph, bounds_without);
    QVERIFY(a && b);
    QCOMPARE(a->all.size(), b->all.size());
    QCOMPARE(a->name, b->name);
}

void tst_SampledPlaces::keptOfCallingThreadsWhileThereIsWork()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.builder().write_meta(meta::stacks_interval, std::to_string(interval));
    tape.range("begins before", -5 * ms, 2 * ms, 1, sampled_domain);
    tape.range("is before", -9 * ms, -8 * ms, 1, sampled_domain);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 10 * us), 13, 20 * us, 5 * ms);
    tape.range("of a thread without calls", ms, 2 * ms, 77, sampled_domain);
    tape.range("of the main thread", ms, 2 * ms, Tape::process, sampled_domain);
    tape.range("ends behind", 4 * ms, 9 * ms, 1, sampled_domain);
    tape.range("is behind", 9 * ms, 10 * ms, 1, sampled_domain);
    const auto trace = tape.finish();
    QStringList kept;
    for (const auto& range : trace.ranges) {
        kept += QString("%1 %2 %3")
                    .arg(QString::fromUtf8(trace.text(range.name).data()))
                    .arg(range.start / us)
                    .arg(range.end / us);
    }
    QCOMPARE(kept, (QStringList {"begins before 0 2000", "of the main thread 1000 2000", "ends behind 4000 5000"}));
    QCOMPARE(trace.duration, 5 * ms);
}

QTEST_GUILESS_MAIN(tst_SampledPlaces)
#include "tst_sampled_places.moc"
