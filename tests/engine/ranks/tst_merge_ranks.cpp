// SPDX-License-Identifier: MIT
// Recordings of ranks put together and taken apart.
#include "engine/analysis/caveats.h"
#include "engine/analysis/facts/record_ends.h"
#include "engine/ranks/merge_ranks.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/trace/random_records.h"
#include "tests/engine/trace/trace_difference.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QTest>

using namespace lanes;

namespace {

constexpr Ns ms = 1'000'000;
constexpr auto all_reduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";

/// A rank whose collectives end every 10 ms; `origin` is where its own clock says that it begins.
Trace rank_of(Ns origin, Ns jitter, std::int64_t rank, int collectives = 5)
{
    TraceFixture f;
    f.builder.keep_times_and_devices(origin);
    f.process = 100;
    f.thread = 100;
    f.name_device("GPU");
    for (int i = 0; i < collectives; ++i) {
        const auto call = f.call("cudaLaunchKernel", i * 10 * ms, i * 10 * ms + 5'000);
        f.kernel(7, i * 10 * ms + 10'000, i * 10 * ms + 4 * ms, call, "gemm");
        f.kernel(20, i * 10 * ms + 5 * ms + jitter, (i + 1) * 10 * ms + (i % 2 == 0 ? jitter : 0), 0, all_reduce);
    }
    if (collectives == 0) {
        f.kernel(7, 0, 5'000);
    }
    auto trace = f.finish(Source::kineto);
    if (rank >= 0) {
        trace.meta[meta::ranks] = text_of({{100, rank, 0}});
    }
    return trace;
}

std::vector<MergedPart> parts_of(std::vector<Trace>&& traces)
{
    std::vector<MergedPart> parts;
    for (auto& trace : traces) {
        MergedPart part;
        part.name = "file " + std::to_string(parts.size());
        part.trace = std::move(trace);
        parts.push_back(std::move(part));
    }
    return parts;
}

/// Ends of the collectives of a device, from the recording's start.
std::vector<Ns> ends_of(const Trace& trace, std::uint32_t device)
{
    std::vector<Ns> ends;
    for (const auto row : trace.operations_by_time()) {
        if (trace.streams[trace.operations.stream[row]].device == device
            && trace.text(trace.operations.name[row]).starts_with("AllReduce")) {
            ends.push_back(trace.operations.end[row]);
        }
    }
    return ends;
}

}  // namespace

class tst_MergeRanks : public QObject {
    Q_OBJECT

private slots:
    void sideBySide();
    void clocks_data();
    void clocks();
    void bootsTellClocks_data();
    void bootsTellClocks();
    void oneDeviceOfTwo();
    void originsThatCannotBe();
    void refused();
    void whatFilesDoNotShow();
    void apartAndTogether();
};

/// Two ranks of one process id, each on its GPU 0: two processes, two devices, and the times of day.
void tst_MergeRanks::sideBySide()
{
    std::vector<Trace> traces;
    traces.push_back(rank_of(5'000 * ms, 0, 1));
    traces.push_back(rank_of(5'000 * ms, 20'000, 0));
    auto parts = parts_of(std::move(traces));
    const auto trace = merge_ranks(parts);
    QCOMPARE(trace.source, Source::kineto);
    QCOMPARE(trace.origin, 5'000 * ms);
    QCOMPARE(trace.processes.size(), std::size_t {2});
    QCOMPARE(trace.devices.size(), std::size_t {2});
    QCOMPARE(trace.operations.size(), std::size_t {20});
    const auto ranks = ranks_of(trace);
    QCOMPARE(ranks.size(), std::size_t {2});
    QCOMPARE(ranks[0].rank, 0);
    QCOMPARE(ranks[0].world, 2);
    QVERIFY(ranks[0].process != ranks[1].process);
    for (const auto& process : trace.processes) {
        const bool first = process.id == ranks[0].process;
        QCOMPARE(trace.text(process.name), std::string_view(first ? "rank 0" : "rank 1"));
    }
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const auto call = trace.operations.call[row];
        const auto& stream = trace.streams[trace.operations.stream[row]];
        QCOMPARE(call != no_row, stream.id == 7);
        QVERIFY(call == no_row || trace.threads[trace.calls.thread[call]].process == stream.process);
    }
    QVERIFY(parts[1].alignment == Alignment::clock);
    QCOMPARE(ends_of(trace, 0).at(1), 20 * ms);
}

void tst_MergeRanks::clocks_data()
{
    QTest::addColumn<qint64>("apart");  // on the second one's clock
    QTest::addColumn<int>("collectives");
    QTest::addColumn<int>("alignment");
    QTest::addColumn<qint64>("shift");  // of the second one's beginning after the first one's, as merged
    const auto row = [](const char* name, Ns apart, int collectives, Alignment alignment, Ns shift) {
        QTest::newRow(name) << qint64(apart) << collectives << static_cast<int>(alignment) << qint64(shift);
    };
    row("one clock", 0, 5, Alignment::clock, 0);
    row("some microseconds", 30'000, 5, Alignment::clock, 30'000);
    row("a clock behind", -7 * ms, 5, Alignment::collectives, 0);
    row("a clock before, by days", 200'000'000 * ms, 5, Alignment::collectives, 0);
    row("no collectives, one clock", 3 * ms, 0, Alignment::clock, 3 * ms);
    row("other collectives, another day", 86'400'000 * ms, 4, Alignment::starts, 0);
}

void tst_MergeRanks::clocks()
{
    QFETCH(qint64, apart);
    QFETCH(int, collectives);
    QFETCH(int, alignment);
    QFETCH(qint64, shift);
    std::vector<Trace> traces;
    traces.push_back(rank_of(5'000'000'000 * ms, 0, 0, collectives == 0 ? 0 : 5));
    traces.push_back(rank_of(5'000'000'000 * ms + Ns {apart}, 0, 1, collectives));
    if (collectives == 0) {
        for (auto& trace : traces) {
            trace.duration = 50 * ms;
        }
    }
    auto parts = parts_of(std::move(traces));
    const auto trace = merge_ranks(parts);
    QCOMPARE(static_cast<int>(parts[1].alignment), alignment);
    QCOMPARE(qint64 {parts[1].trace.origin + parts[1].moved - parts[0].trace.origin}, shift);
    QCOMPARE(qint64 {trace.origin}, std::min(qint64 {0}, shift) + 5'000'000'000 * ms);
    // Its collectives are those of the first one, moved by `apart`: what is left of that is within what is said.
    QCOMPARE(parts[1].uncertainty.has_value(), collectives == 5);
    if (collectives == 5) {
        QVERIFY(std::abs(apart + parts[1].moved) <= *parts[1].uncertainty);
        QVERIFY(*parts[1].uncertainty < ms);
    }
}

/// A device with an identity is one device, however many ranks use it.
void tst_MergeRanks::bootsTellClocks_data()
{
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<bool>("isOneClock");
    QTest::newRow("one boot") << QStringLiteral("4f2a") << QStringLiteral("4f2a") << true;
    QTest::newRow("two boots") << QStringLiteral("4f2a") << QStringLiteral("9c11") << false;
    QTest::newRow("one says none") << QStringLiteral("4f2a") << QString() << false;
    QTest::newRow("none says one") << QString() << QString() << false;
}

/// Recordings of one boot share a clock: their times are as recorded, to the nanosecond, whatever collectives allow.
void tst_MergeRanks::bootsTellClocks()
{
    QFETCH(const QString, first);
    QFETCH(const QString, second);
    QFETCH(const bool, isOneClock);
    constexpr Ns apart = -7 * ms;  // by which the second one's collectives would move it
    std::vector<Trace> traces;
    traces.push_back(rank_of(5'000'000'000 * ms, 0, 0));
    traces.push_back(rank_of(5'000'000'000 * ms + apart, 0, 1));
    for (std::size_t i = 0; i < 2; ++i) {
        if (const auto& boot = i == 0 ? first : second; !boot.isEmpty()) {
            traces[i].meta[meta::boot_id] = boot.toStdString();
        }
    }
    auto parts = parts_of(std::move(traces));
    const auto trace = merge_ranks(parts);
    QVERIFY(parts[1].uncertainty.has_value());
    QCOMPARE(ends_of(trace, 1).front() - ends_of(trace, 0).front(), isOneClock ? apart : Ns {0});
    QCOMPARE(parts[1].moved, isOneClock ? Ns {0} : -apart);
    QVERIFY(parts[1].alignment == (isOneClock ? Alignment::clock : Alignment::collectives));
    QCOMPARE(*parts[1].uncertainty == 0, isOneClock);
    // The file says it, too; that of one rank, split off again, has none.
    QCOMPARE(meta::number_of(trace.meta, meta::clock_uncertainty_ns), *parts[1].uncertainty);
    QCOMPARE(trace.meta.contains(meta::clock_uncertainty_ns), !isOneClock);
    QVERIFY(!part_of(trace, ranks_of(trace), 1).meta.contains(meta::clock_uncertainty_ns));
    QCOMPARE(part_of(trace, ranks_of(trace), 1).meta.contains(meta::boot_id), isOneClock);
}

void tst_MergeRanks::oneDeviceOfTwo()
{
    auto a = rank_of(0, 0, 0);
    auto b = rank_of(0, 0, 1);
    for (auto* trace : {&a, &b}) {
        trace->devices.at(0).uuid = trace->strings.intern("00112233445566778899aabbccddeeff");
    }
    std::vector<Trace> traces;
    traces.push_back(std::move(a));
    traces.push_back(std::move(b));
    auto parts = parts_of(std::move(traces));
    const auto trace = merge_ranks(parts);
    QCOMPARE(trace.devices.size(), std::size_t {1});
    QCOMPARE(trace.streams.size(), std::size_t {4});
}

/// A file may claim to begin at any time: what is computed with it must not overflow, which the sanitizers would see.
void tst_MergeRanks::originsThatCannotBe()
{
    for (const Ns origin : {std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()}) {
        std::vector<Trace> traces;
        traces.push_back(rank_of(5'000 * ms, 0, 0));
        traces.push_back(rank_of(0, 0, 1));
        traces.back().origin = origin;
        auto parts = parts_of(std::move(traces));
        const auto trace = merge_ranks(parts);
        QCOMPARE(trace.origin, 5'000 * ms);
        QCOMPARE(parts[1].moved, 5'000 * ms);
        QCOMPARE(trace.processes.size(), std::size_t {2});
    }
}

void tst_MergeRanks::refused()
{
    std::vector<Trace> same;
    same.push_back(rank_of(0, 0, 3));
    same.push_back(rank_of(0, 0, 3));
    auto parts = parts_of(std::move(same));
    try {
        merge_ranks(parts);
        QFAIL("two of one rank");
    } catch (const MergeError& error) {
        QCOMPARE(QString(error.what()),
            QStringLiteral("'file 0' and 'file 1' are both rank 3: these are not the ranks of one run"));
    }
    std::vector<Trace> copies;
    copies.push_back(rank_of(0, 0, -1));
    copies.push_back(rank_of(0, 20'000, -1));
    copies.push_back(rank_of(0, 0, -1));
    parts = parts_of(std::move(copies));
    try {
        merge_ranks(parts);
        QFAIL("a copy as another rank");
    } catch (const MergeError& error) {
        QCOMPARE(QString(error.what()),
            QStringLiteral("'file 0' and 'file 2' have the same events at the same times: one is a copy of the other, "
                           "and not another rank"));
    }
    std::vector<Trace> one;
    one.push_back(rank_of(0, 0, 3));
    auto alone = parts_of(std::move(one));
    QVERIFY_THROWS_EXCEPTION(MergeError, merge_ranks(alone));
}

/// What was left out of several files is added up; tables that are not read are named once; the first damage with its
/// file.
void tst_MergeRanks::whatFilesDoNotShow()
{
    std::vector<Trace> traces;
    traces.push_back(rank_of(0, 0, 0));
    traces.push_back(rank_of(0, 20'000, 1));
    traces[0].meta[meta::not_shown] = "flows 12\nunread_tables OSRT_API, SCHED_EVENTS";
    traces[1].meta[meta::not_shown] = "flows 3\nunread_tables SCHED_EVENTS, NET_NIC_METRIC";
    traces[1].meta[meta::first_damage] = "7 1 8 expected a key in quotes, found '5'";
    auto parts = parts_of(std::move(traces));
    const auto merged = merge_ranks(parts);
    QCOMPARE(
        merged.meta.at(meta::not_shown), std::string("flows 15\nunread_tables OSRT_API, SCHED_EVENTS, NET_NIC_METRIC"));
    QCOMPARE(merged.meta.at(meta::first_damage), std::string("7 1 8 expected a key in quotes, found '5'\nfile 1"));
    const auto caveats = caveats_of(merged);
    QCOMPARE(std::string(caveats.back()),
        std::string("The first damage: file 1: byte 7, line 1, column 8: expected a key in quotes, found '5'"));
}

/// Nothing that can be recorded is lost: taken apart and put together again it is the same.
void tst_MergeRanks::apartAndTogether()
{
    std::vector<Trace> traces;
    for (const std::uint32_t seed : {3U, 4U}) {
        TraceBuilder builder;
        RandomRecords(seed).write(builder, 300, 1'785'620'044'423'518'993, false);
        traces.push_back(builder.finish(Source::cupti));
        auto& trace = traces.back();
        trace.meta.erase(meta::step_names);
        trace.steps.clear();
        std::fill(trace.calls.step.begin(), trace.calls.step.end(), no_id);
        for (auto& error : trace.errors) {
            error.step = no_id;
        }
    }
    auto parts = parts_of(std::move(traces));
    const auto whole = merge_ranks(parts);
    const auto ranks = ranks_of(whole);
    std::vector<Trace> again;
    std::size_t operations = 0, ranges = 0, calls = 0, syncs = 0, memory = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        again.push_back(part_of(whole, ranks, i));
        operations += again.back().operations.size();
        ranges += again.back().ranges.size();
        calls += again.back().calls.size();
        syncs += again.back().syncs.size();
        memory += again.back().memory.size();
    }
    QCOMPARE(operations, whole.operations.size());
    QCOMPARE(ranges, whole.ranges.size());
    QCOMPARE(calls, whole.calls.size());
    QCOMPARE(syncs, whole.syncs.size());
    QCOMPARE(memory, whole.memory.size());
    for (const auto& part : again) {
        QVERIFY(part.processes.size() < whole.processes.size());
        QCOMPARE(part.origin, whole.origin);
    }
    if (!whole.meta.contains(meta::clock_uncertainty_ns)) {  // then their clock is one, and they still say so
        QVERIFY(again.front().meta.contains(meta::boot_id));
        QCOMPARE(again.back().meta.at(meta::boot_id), again.front().meta.at(meta::boot_id));
    }
}

QTEST_GUILESS_MAIN(tst_MergeRanks)
#include "tst_merge_ranks.moc"
