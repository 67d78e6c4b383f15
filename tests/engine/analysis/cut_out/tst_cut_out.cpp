// SPDX-License-Identifier: MIT
// A part of a recording, cut out: its figures are those of the range in the whole.
#include "engine/analysis/cut_out.h"

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/blocking/cut_waits.h"
#include "engine/analysis/caveats.h"
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"
#include "engine/trace/cut.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/owners.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QTemporaryDir>
#include <QTest>

#include <random>
#include <set>

using namespace lanes;

namespace {

QString resources()
{
    return qEnvironmentVariable("LANES_SOURCE") + "/resources/";
}

/// Recordings of many kinds: our own, of programs, of a device with several streams and several GPUs.
const QStringList files {"traces/pytorch-item.every.sqlite", "traces/pytorch-item.never.sqlite",
    "traces/recorded.compiled.sqlite", "traces/recorded.graph.sqlite", "traces/recorded.item.sqlite",
    "traces/recorded.loader.sqlite", "traces/recorded.results_back.sqlite", "traces/recorded.streams.sqlite",
    "recordings/h100/run-ahead.queue-full.sqlite", "recordings/h100/cuda-graph.graph.sqlite",
    "recordings/h100/item-every-batch.every.sqlite", "recordings/h100/data-loader.prefetcher.sqlite",
    "recordings/h100/data-loader.workers-2-pageable.sqlite", "recordings/h100/hidden-syncs.mask.sqlite",
    "recordings/h100/loop-on-gpu-value.value-dependent.sqlite", "recordings/h100/pinning.fresh.sqlite",
    "recordings/h100/pinning.pageable.sqlite", "recordings/h100/record-stream.two-buffers.sqlite",
    "recordings/h100/item-every-batch.every-10.sqlite", "recordings/h100/cuda-graph.launches.sqlite"};

QString shown(MaybeNs time)
{
    return time ? QString::number(*time) : QStringLiteral("unknown");
}

/// What a cut lacks by definition is left out where it says nothing: threads that did nothing in the range, streams and
/// GPUs on which nothing ran. `first`: also the time of the first thread, which need not be the same one.
QStringList lines_of(const Trace& trace, Interval range, bool first)
{
    const auto blocking = find_blocking(trace);
    const auto report = make_figures(trace, blocking, RecordingBounds(trace, blocking), range);
    const auto& c = report.counts;
    const auto& levels = report.concurrency;
    QStringList lines {QStringLiteral("wall %1, busy %2, overlap %3, levels %4 %5 %6 %7")
                           .arg(report.wall)
                           .arg(report.gpu_busy)
                           .arg(report.overlap)
                           .arg(levels[0])
                           .arg(levels[1])
                           .arg(levels[2])
                           .arg(levels[3]),
        QStringLiteral("counts %1 calls, %2 kernels, %3 copies, %4 memsets, %5 syncs, %6 waits, %7 ranges, %8 dropped")
            .arg(c.api_calls)
            .arg(c.kernels)
            .arg(c.copies)
            .arg(c.memsets)
            .arg(c.syncs)
            .arg(c.waits)
            .arg(c.ranges)
            .arg(c.dropped),
        QStringLiteral("reads %1, %2 of %3 bytes wrong, copied %4, complete %5, length %6")
            .arg(report.reads.size())
            .arg(report.wrong_bytes)
            .arg(report.read_bytes)
            .arg(report.copied_bytes)
            .arg(report.complete)
            .arg(report.range.end - report.range.start)};
    if (first) {
        lines += QStringLiteral("free ") + shown(report.cpu_free);
    }
    for (const auto& gpu : report.gpus) {
        if (gpu.busy == 0) {
            continue;
        }
        auto line = QStringLiteral("GPU %1:").arg(gpu.device);
        for (const Ns figure : {gpu.busy, gpu.idle, gpu.kernel, gpu.copy, gpu.memset, gpu.h2d, gpu.d2h, gpu.d2d,
                 gpu.p2p, gpu.copy_hidden, gpu.copy_exposed, gpu.h2d_d2h_overlap, gpu.kernel_concurrency, gpu.overlap,
                 gpu.communication, gpu.communication_exposed}) {
            line += QStringLiteral(" %1").arg(figure);
        }
        lines += line;
        for (const auto& stream : gpu.streams) {
            if (stream.operations > 0) {
                lines += QStringLiteral("stream %1: %2 in %3")
                             .arg(trace.streams[stream.stream].id)
                             .arg(stream.operations)
                             .arg(stream.busy);
            }
        }
    }
    for (const auto& thread : report.threads) {
        const auto& of = trace.threads[thread.thread];
        if (thread.api.value_or(0) == 0 && thread.host_wait.value_or(0) == 0) {
            continue;
        }
        auto line = QStringLiteral("thread %1: api %2, waits %3, blocked %4 by")
                        .arg(of.id)
                        .arg(shown(trace.calls.size() > 0 ? thread.api : Ns {0}), shown(thread.host_wait),
                            shown(thread.blocked));
        for (const auto& cause : thread.blocked_by) {
            line += QStringLiteral(" ") + shown(cause);
        }
        lines += line;
    }
    for (const auto& named : report.ranges) {
        lines += QStringLiteral("range %1: %2, %3, %4, %5")
                     .arg(QString::fromStdString(std::string(trace.text(named.name))))
                     .arg(named.count)
                     .arg(named.wall)
                     .arg(named.gpu_busy)
                     .arg(shown(named.blocked));
    }
    lines.sort();
    return lines;
}

/// The thread whose free time cpu_free is.
std::uint32_t first_thread(const Trace& trace)
{
    const auto row = RecordingBounds(trace, find_blocking(trace)).first_thread;
    return row == no_row ? no_id : trace.threads[row].id;
}

/// "" if they are equal, else the first lines that differ.
QString difference(const QStringList& a, const QStringList& b)
{
    for (qsizetype i = 0; i < std::max(a.size(), b.size()); ++i) {
        if (a.value(i) != b.value(i)) {
            return QStringLiteral("of the whole: %1\nof the cut: %2").arg(a.value(i), b.value(i));
        }
    }
    return {};
}

}  // namespace

class tst_CutOut : public QObject {
    Q_OBJECT

private slots:
    void figuresOfRanges_data();
    void figuresOfRanges();
    void saved_data();
    void saved();
    void whatReachesIn();
    void causesBefore();
    void cutAgain();
    void graphsCapturedBefore();
    void foreignWaits();

private:
    QTemporaryDir m_folder;
};

void tst_CutOut::figuresOfRanges_data()
{
    QTest::addColumn<QString>("file");
    for (const auto& file : files) {
        QTest::newRow(qPrintable(file)) << file;
    }
}

/// Ten random ranges of each of twenty recordings.
void tst_CutOut::figuresOfRanges()
{
    QFETCH(QString, file);
    const auto whole = open_recording((resources() + file).toStdString());
    std::mt19937_64 random(static_cast<std::uint64_t>(qHash(file, 36)));
    const auto ranges = qEnvironmentVariableIntValue("LANES_RANGES");
    for (int i = 0; i < (ranges > 0 ? ranges : 10); ++i) {
        std::uniform_int_distribution<Ns> any(0, whole.duration);
        Interval range {any(random), any(random)};
        if (range.start > range.end) {
            std::swap(range.start, range.end);
        }
        if (range.start == range.end) {
            continue;
        }
        const auto cut = cut_out(whole, range);
        const bool same_first = first_thread(whole) == first_thread(cut);
        const auto apart
            = difference(lines_of(whole, range, same_first), lines_of(cut, {0, range.end - range.start}, same_first));
        QVERIFY2(
            apart.isEmpty(), qPrintable(QStringLiteral("%1 to %2:\n%3").arg(range.start).arg(range.end).arg(apart)));
        QCOMPARE(cut.duration, range.end - range.start);
    }
}

void tst_CutOut::saved_data()
{
    QTest::addColumn<QString>("ending");
    QTest::newRow("sqlite") << ".sqlite";
    QTest::newRow("json") << ".json.gz";
}

/// Files keep what was outside of the part.
void tst_CutOut::saved()
{
    QFETCH(QString, ending);
    for (const auto& file : files.mid(0, 8)) {
        const auto whole = open_recording((resources() + file).toStdString());
        const Interval range {whole.duration / 3, whole.duration * 2 / 3};
        const auto name = (m_folder.filePath("part") + ending).toStdString();
        const auto cut = cut_out(whole, range);
        save_recording(cut, name);
        const auto again = open_recording(name);
        QCOMPARE(again.duration, cut.duration);
        QCOMPARE(again.origin, whole.origin + range.start);
        const Interval all {0, cut.duration};
        const auto apart = difference(lines_of(cut, all, true), lines_of(again, all, true));
        QVERIFY2(apart.isEmpty(), qPrintable(file + '\n' + apart));
    }
}

void tst_CutOut::whatReachesIn()
{
    TraceFixture f;
    f.range("all", 0, 1000);
    f.range("before", 100, 150);
    f.range("inside", 300, 400);
    const auto launch1 = f.call("cudaLaunchKernel", 180, 240);
    f.kernel(7, 220, 320, launch1);
    const auto launch2 = f.call("cudaLaunchKernel", 350, 360);
    f.kernel(7, 380, 700, launch2);
    const auto launch3 = f.call("cudaLaunchKernel", 600, 610);
    f.kernel(7, 800, 900, launch3);
    const auto cut = cut_out(f.finish(), {200, 500});

    QCOMPARE(cut.duration, Ns {300});
    QCOMPARE(cut.ranges.size(), std::size_t {2});
    QCOMPARE(cut.ranges[0].start, Ns {0});
    QCOMPARE(cut.ranges[0].end, Ns {300});
    QCOMPARE(cut.operations.size(), std::size_t {2});
    QCOMPARE(cut.operations.start, (std::vector<Ns> {20, 180}));
    QCOMPARE(cut.operations.end, (std::vector<Ns> {120, 300}));
    QCOMPARE(cut.calls.start, (std::vector<Ns> {0, 150}));
    QCOMPARE(cut.calls.end, (std::vector<Ns> {40, 160}));
    QVERIFY(cut.operations.call[0] != no_row && cut.operations.call[1] != no_row);
    const auto known = cut_of(cut);
    QVERIFY(known);
    QCOMPARE(known->begin, Ns {200});
    QCOMPARE(known->calls, std::uint64_t {1});
    QCOMPARE(known->operations, std::uint64_t {1});
    QCOMPARE(known->ranges, std::uint64_t {1});
    const auto caveats = caveats_of(cut);
    const auto said = std::find_if(
        caveats.begin(), caveats.end(), [](const Message& message) { return message.id == "caveat.cut"; });
    QVERIFY(said != caveats.end());
    QCOMPARE(Messages::english().format(*said),
        std::string("Cut out of a longer recording, 200 ns to 500 ns of it: 1 call, 1 operation and 1 range that "
                    "reached over its ends end there"));
}

/// The launch that a wait is for is before the part, and the end of the wait behind it.
void tst_CutOut::causesBefore()
{
    TraceFixture f;
    const auto launch1 = f.call("cudaLaunchKernel", 0, 10'000);
    f.kernel(7, 20'000, 900'000, launch1);
    const auto wait = f.call("cudaStreamSynchronize", 50'000, 905'000);
    f.sync(SyncRecord::stream_sync, 50'000, 905'000, wait, 7);
    const auto whole = f.finish();
    const Interval range {30'000, 500'000};
    const auto cut = cut_out(whole, range);
    QVERIFY(cut.meta.contains(meta::cut_waits));
    const auto blocking = find_blocking(cut);
    QVERIFY(blocking.known);
    QCOMPARE(blocking.calls.size(), std::size_t {1});
    QCOMPARE(blocking.calls[0].start, Ns {20'000});
    QCOMPARE(blocking.calls[0].end, Ns {470'000});
    QCOMPARE(blocking.calls[0].cause, BlockCause::stream_sync);
    QCOMPARE(blocking.calls[0].released_by, Row {0});
    QVERIFY(difference(lines_of(whole, range, true), lines_of(cut, {0, 470'000}, true)).isEmpty());

    auto part = cut;  // what is too long to be kept is unknown
    part.meta.erase(meta::cut_waits);
    part.meta[meta::cut_waits] = cut_waits(whole, find_blocking(whole), range, part, find_blocking(part), 10);
    QCOMPARE(part.meta.at(meta::cut_waits), std::string("thread 1 1 1023\n"));
    QVERIFY(!find_blocking(part).knows(0));
}

void tst_CutOut::cutAgain()
{
    const auto whole = open_recording((resources() + files[4]).toStdString());
    const Ns quarter = whole.duration / 4;
    const auto half = cut_out(whole, {quarter, 3 * quarter});
    const auto again = cut_out(half, {quarter / 2, quarter});
    QCOMPARE(cut_of(again)->begin, quarter + quarter / 2);
    const auto apart = difference(lines_of(whole, {quarter + quarter / 2, 2 * quarter}, false),
        lines_of(again, {0, quarter - quarter / 2}, false));
    QVERIFY2(apart.isEmpty(), qPrintable(apart));
}

/// A graph's kernels keep their owner if only its replays are in the part.
void tst_CutOut::graphsCapturedBefore()
{
    TraceFixture program;
    program.range("layers.0: Linear", 0, 100);
    program.range("aten::addmm", 10, 20, operator_domain);
    program.node({1, 1}, 15);
    program.node({2, 1}, 50, {1, 1});
    program.range("replay", 150, 300);
    program.kernel_of({2, 1}, 7, 210, 220, program.call("cudaGraphLaunch", 200, 205));
    const auto whole = program.finish();
    const auto owned = [](const Trace& trace) {
        const Owners owners(trace);
        const auto owner = owners.of(0);
        return std::string(name_of(owner.from)) + ' ' + std::string(owners.text(owner, OwnerPart::torch_operator)) + ' '
            + std::string(owners.text(owner, OwnerPart::module));
    };
    QCOMPARE(owned(whole), std::string("capture aten::addmm layers.0: Linear"));
    const auto part = cut_out(whole, {180, 250});
    QCOMPARE(owned(part), owned(whole));
    QCOMPARE(owned(cut_out(part, {10, 60})), owned(whole));
}

/// Whoever writes such lines cannot make it read beyond its tables.
void tst_CutOut::foreignWaits()
{
    TraceFixture f;
    const auto launch1 = f.call("cudaLaunchKernel", 0, 10'000);
    f.kernel(7, 20'000, 900'000, launch1);
    const auto wait = f.call("cudaStreamSynchronize", 50'000, 905'000);
    f.sync(SyncRecord::stream_sync, 50'000, 905'000, wait, 7);
    auto trace = f.finish();
    for (const auto* lines :
        {"call", "call 1", "call 1 2 3 4 5 18446744073709551615\nwait 1 2 copy", "thread 9 9 70000", "known", "known 2",
            "wait 1 2 other", "call 1 1 0 10000 1 2\nwait 5 1 copy\nwait 1 5 nothing",
            "call 1 1 0 10000 1 1\nwait 1 5 copy 9 9 9 9", "\n\n \nthread 1 1 -1"}) {
        trace.meta[meta::cut_waits] = lines;
        const auto blocking = find_blocking(trace);
        for (const auto& stretch : blocking.calls) {
            QVERIFY(stretch.call < trace.calls.size());
            QVERIFY(stretch.released_by == no_row || stretch.released_by < trace.operations.size());
        }
    }
    for (const auto* text :
        {"", "x", "1 2", "-1 5 5 0 0 0", "0 0 0 0 0 0", "0 9223372036854775807 1 0 0 0", "0 5 6 0 0 0"}) {
        trace.meta[meta::cut] = text;
        QVERIFY2(!cut_of(trace), text);
    }
}

QTEST_GUILESS_MAIN(tst_CutOut)
#include "tst_cut_out.moc"
