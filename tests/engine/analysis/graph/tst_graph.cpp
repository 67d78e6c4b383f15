// SPDX-License-Identifier: MIT
// The dependency graph and its critical path: on tapes written by hand, on every shipped recording, and on recordings
// that lack what it needs.
#include "engine/analysis/facts/record_ends.h"
#include "engine/analysis/graph/critical_path.h"
#include "engine/analysis/graph/slack.h"
#include "engine/analysis/graph/why.h"
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/graphed.h"

#include <QTest>

using namespace lanes;

class tst_Graph : public QObject {
    Q_OBJECT

private slots:
    void causesOfStarts();
    void firstLaunches();
    void firstLaunchBehindAnUntoldWait();
    void busyGpuOrAnUntoldWait_data();
    void busyGpuOrAnUntoldWait();
    void whatIsNotRecordedIsNotClaimed();
    void chainBehindAWait();
    void operationsInARowAreOneLine();
    void namesOfOneTimeComeByText();
    void farApartToTheLength();
    void stepsBackAndOn();
    void slackOfWhatIsOffThePath();
    void shipped_data();
    void shipped();
};

namespace {

constexpr Ns us = 1000;

/// The number of operations whose start the recording does not explain.
Row unknown_starts(const Graph& graph)
{
    Row count = 0;
    for (Row row = 0; row < graph.trace().operations.size(); ++row) {
        count += graph.starts().cause(row) == StartCause::unknown ? 1 : 0;
    }
    return count;
}

struct Told : Graphed {
    explicit Told(Tape& tape)
        : Graphed(tape.finish())
    {
    }
    StartCause cause(Row row) const { return graph.starts().cause(row); }
    Row after(Row row) const { return graph.starts().after(row); }
};

std::vector<PathPart::Kind> kinds(const std::vector<PathPart>& parts)
{
    std::vector<PathPart::Kind> found;
    for (const auto& part : parts) {
        found.push_back(part.kind);
    }
    return found;
}

}  // namespace

void tst_Graph::causesOfStarts()
{
    Tape tape;
    begin_for_each_reason(tape);
    const Told told(tape);
    // By stream: 7 (legacy), 13 (two), 14, 15.
    QCOMPARE(told.cause(1), StartCause::launch);
    QCOMPARE(told.cause(2), StartCause::stream);
    QCOMPARE(told.after(2), Row {1});
    QCOMPARE(told.cause(3), StartCause::engine);
    QCOMPARE(told.after(3), Row {2});
    QVERIFY(told.graph.starts().ready_time(3) > 250 * us);
    QCOMPARE(told.cause(4), StartCause::event);
    QCOMPARE(told.after(4), Row {3});
    QCOMPARE(told.cause(0), StartCause::legacy);
    QCOMPARE(told.after(0), Row {4});
    QCOMPARE(told.graph.let_begin(3), std::vector<Row> {4});
    QCOMPARE(told.graph.let_begin(1), std::vector<Row> {2});
    QCOMPARE(unknown_starts(told.graph), Row {0});
}

/// Launches that take milliseconds: of a process the first, of a kernel the first, and one that waits for a lock.
void tst_Graph::firstLaunches()
{
    Tape tape;
    const auto launch = [&](Ns at, Ns length, const char* name) {
        tape.kernel(
            tape.call("cudaLaunchKernel", at, at + length), 13, at + length + 3 * us, at + length + 9 * us, 0, name);
    };
    launch(0, 50'000 * us, "a");
    launch(60'000 * us, 5 * us, "a");
    launch(70'000 * us, 3'000 * us, "b");
    launch(80'000 * us, 2'000 * us, "a");
    launch(90'000 * us, 5 * us, "c");
    const Told told(tape);
    const std::vector<std::string> said {"why.start.launch_first", "why.start.launch", "why.start.launch_loading",
        "why.start.launch", "why.start.launch"};
    for (Row row = 0; row < said.size(); ++row) {
        const auto message = start_message(told.graph, row);
        QCOMPARE(message.id, said[row]);
        QVERIFY(Messages::english().format(message).starts_with("began "));
    }
}

/// A stream waited for an event that the recording does not hold: kernels of that stream may wait for it. Not one
/// that begins as its launch, which took milliseconds, returns.
void tst_Graph::firstLaunchBehindAnUntoldWait()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    const auto wait = tape.call("cudaStreamWaitEvent", 0, 2 * us);
    tape.sync(wait, SyncRecord::stream_wait_event, 0, 2 * us, 13, 77, 5);
    const auto kernel = [&](Ns at, Ns length, Ns start, Ns end, const char* name) {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + length), 13, start, end, 0, name);
    };
    kernel(10 * us, 4'000 * us, 4'002 * us, 4'300 * us, "a");
    kernel(5'000 * us, 2'000 * us, 6'000 * us, 7'500 * us, "b");
    kernel(8'000 * us, 2'000 * us, 9'990 * us, 9'995 * us, "c");
    const Told told(tape);
    QCOMPARE(told.cause(0), StartCause::launch);
    QCOMPARE(start_message(told.graph, 0).id, std::string("why.start.launch_first"));
    QCOMPARE(told.cause(1), StartCause::unknown);
    QCOMPARE(told.cause(2), StartCause::unknown);  // the launch may have waited for its end
}

void tst_Graph::busyGpuOrAnUntoldWait_data()
{
    QTest::addColumn<bool>("is_copy");
    QTest::addColumn<Ns>("issued");  // the second operation's call begins then
    QTest::addColumn<bool>("waits");  // a stream waits before it for an event of which there is no record
    QTest::addColumn<StartCause>("cause");
    QTest::newRow("kernels") << false << 20 * us << false << StartCause::multiprocessors;
    QTest::newRow("kernels after a wait") << false << 20 * us << true << StartCause::unknown;
    QTest::newRow("copies") << true << 20 * us << false << StartCause::engine;
    QTest::newRow("copies after a wait") << true << 20 * us << true << StartCause::unknown;
    QTest::newRow("copies soon after their call") << true << 190 * us << true << StartCause::engine;
}

/// The GPU was full, or its copy engine busy, until the operation began. If a stream had waited for an event that the
/// recording does not hold, that event may be the reason instead.
void tst_Graph::busyGpuOrAnUntoldWait()
{
    QFETCH(bool, is_copy);
    QFETCH(Ns, issued);
    QFETCH(bool, waits);
    QFETCH(StartCause, cause);
    Tape tape;
    tape.builder().write(DeviceRecord {.memory_bytes = 1,
        .memory_bandwidth = 1,
        .device = 0,
        .name = 0,
        .uuid = 0,
        .multiprocessors = 1,
        .copy_engines = 2,
        .compute_major = 9,
        .compute_minor = 0,
        .core_clock_khz = 0});
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    const auto add = [&](Ns call, std::uint32_t stream, Ns start, Ns end) {
        if (is_copy) {
            tape.copy(tape.call("cudaMemcpyAsync", call, call + 4 * us), stream, start, end, CopyKind::h2d,
                MemoryKind::pinned, true);
            return;
        }
        KernelRecord kernel {};
        kernel.start = Tape::origin + start;
        kernel.end = Tape::origin + end;
        kernel.process = Tape::process;
        kernel.context = Tape::context;
        kernel.stream = stream;
        kernel.correlation = tape.call("cudaLaunchKernel", call, call + 4 * us);
        kernel.channel = no_id;
        kernel.grid[0] = kernel.grid[1] = kernel.grid[2] = kernel.block[1] = kernel.block[2] = 1;
        kernel.block[0] = 1024;
        kernel.name = tape.builder().intern("work(int)");
        tape.builder().write(kernel);
    };
    add(0, 13, 6 * us, 200 * us);
    if (waits) {
        tape.call("cudaStreamWaitEvent", 10 * us, 12 * us);
    }
    add(issued, 14, 200 * us, 300 * us);
    QCOMPARE(Told(tape).cause(1), cause);
}

void tst_Graph::whatIsNotRecordedIsNotClaimed()
{
    // The event that the second stream's kernel waited for is not recorded: nothing says why it began so late.
    Tape silent;
    silent.kernel(silent.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 100 * us);
    silent.kernel(silent.call("cudaLaunchKernel", 10 * us, 14 * us), 14, 102 * us, 200 * us);
    const Told late(silent);
    QCOMPARE(late.cause(1), StartCause::unknown);
    QCOMPARE(late.after(1), no_row);
    const auto parts = path_back(late.graph, {{EventTable::operations, 1}, 200 * us});
    QCOMPARE(kinds(parts).front(), PathPart::operation);
    QCOMPARE(kinds(parts).at(1), PathPart::unknown);

    // Operations without calls: only one that follows another at once on its stream has a cause.
    Tape callless;
    callless.kernel(900, 13, 5 * us, 100 * us);
    callless.kernel(901, 13, 101 * us, 200 * us);
    callless.kernel(902, 13, 230 * us, 300 * us);
    const Told orphans(callless);
    QCOMPARE(orphans.cause(0), StartCause::unknown);
    QCOMPARE(orphans.cause(1), StartCause::stream);
    QCOMPARE(orphans.cause(2), StartCause::unknown);
    QCOMPARE(path_back(orphans.graph, {{EventTable::operations, 2}, 300 * us}).back().kind, PathPart::unknown);

    // A synchronisation without the record that names its stream: two of them could have held it.
    Tape nameless;
    nameless.kernel(nameless.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 200 * us);
    nameless.kernel(nameless.call("cudaLaunchKernel", 10 * us, 14 * us), 14, 16 * us, 500 * us);
    nameless.call("cudaStreamSynchronize", 20 * us, 202 * us);
    const Told unnamed(nameless);
    const auto end = path_back(unnamed.graph, {{EventTable::calls, 2}, 202 * us});
    QCOMPARE(end.front().kind, PathPart::unknown);
    QCOMPARE(end.front().span, (Interval {20 * us, 202 * us}));
    const auto path = critical_path(unnamed.graph, {0, unnamed.trace.duration});
    QCOMPARE(path.unexplained, path.of(PathPart::unknown));

    // Nothing at all.
    Tape empty;
    const Told none(empty);
    QVERIFY(critical_path(none.graph, {0, none.trace.duration}).parts.empty());
    QVERIFY(!asked_at(none.graph, 0, 0).event);
}

void tst_Graph::chainBehindAWait()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 6 * us, 100 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 10 * us, 14 * us), 13, 101 * us, 200 * us);
    tape.sync(tape.call("cudaStreamSynchronize", 20 * us, 205 * us), SyncRecord::stream_sync, 20 * us, 205 * us, 13);
    tape.call("cudaLaunchKernel", 230 * us, 235 * us);
    const Told told(tape);
    const auto path = critical_path(told.graph, {0, told.trace.duration});
    using Part = PathPart;
    QCOMPARE(kinds(path.parts),
        (std::vector<Part::Kind> {
            Part::call, Part::between, Part::call, Part::operation, Part::step, Part::operation, Part::launch}));
    QCOMPARE(path.of(Part::operation), 193 * us);
    QCOMPARE(path.of(Part::step), 1 * us);
    QCOMPARE(path.of(Part::launch), 6 * us);
    QCOMPARE(path.of(Part::call), 10 * us);
    QCOMPARE(path.of(Part::between), 25 * us);
    QCOMPARE(path.unexplained, 0);
    const auto part = critical_path(told.graph, {50 * us, 150 * us});
    QCOMPARE(part.range, (Interval {50 * us, 150 * us}));
    QCOMPARE(part.of(Part::operation), 99 * us);
    // "Why" at a time is about the thread's wait, else about what runs.
    QCOMPARE(asked_at(told.graph, 0, 50 * us).event, (EventRef {EventTable::calls, 2}));
    QCOMPARE(asked_at(told.graph, 0, 8 * us).event, (EventRef {EventTable::operations, 0}));
}

/// 20 kernels of 30 us that were all launched at once: the first waited for its launch, the one in the middle takes
/// long.
void tst_Graph::operationsInARowAreOneLine()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns end = 2 * us;
    for (int i = 0; i < 20; ++i) {
        const Ns time = i == 10 ? 500 * us : 30 * us;
        const auto call = tape.call("cudaLaunchKernel", i * us, i * us + us / 2);
        tape.kernel(call, 13, end + us, end + us + time, 0, i % 2 == 0 ? "even(int)" : "odd(int)");
        end += us + time;
    }
    const Told told(tape);
    const auto parts = path_back(told.graph, last_of(told.graph, {0, told.trace.duration}));
    std::vector<std::string> texts;
    Ns before = told.trace.duration;
    for (const auto& line : why_lines(told.graph, parts)) {
        QCOMPARE(line.span.end, before);  // nothing is missing between lines
        before = line.span.start;
        texts.push_back(Messages::english().format(line.text));
    }
    QCOMPARE(texts.size(), 4U);
    QCOMPARE(texts[0],
        std::string("9 operations on stream 13, each waiting for the one before it; longest in all: kernel odd (5×, "
                    "150 µs)"));
    QVERIFY(texts[1].starts_with("kernel even on stream 13: waited for the previous operation"));
    QVERIFY(texts[2].starts_with("9 operations on stream 13, each waiting"));
    QVERIFY2(texts[3].starts_with("kernel even on stream 13: began"), texts[3].c_str());
}

/// Whatever their order in the file.
void tst_Graph::namesOfOneTimeComeByText()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    int i = 0;
    for (const char* const name : {"c(int)", "a(int)", "b(int)"}) {
        const Ns start = 100 * us + 11 * us * i;
        tape.kernel(tape.call("cudaLaunchKernel", i * us, i * us + us / 2), 13, start, start + 10 * us, 0, name);
        ++i;
    }
    tape.range("z", 0, 100 * us);
    tape.range("y", 0, 100 * us);
    const Told told(tape);
    std::vector<std::string> names;
    for (const auto& name : critical_path(told.graph, {0, told.trace.duration}).names) {
        if (name.table == EventTable::operations) {
            names.emplace_back(told.trace.text(name.name));
        }
    }
    QCOMPARE(names, (std::vector<std::string> {"a", "b", "c"}));
    const auto report = make_report(told.trace, told.blocking);
    QCOMPARE(report.ranges.size(), std::size_t {2});
    QCOMPARE(told.trace.text(report.ranges[0].name), std::string_view("y"));
}

/// Starts are shown as exactly as lengths, however far apart they are.
void tst_Graph::farApartToTheLength()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, 5 * us, 1507 * us);
    tape.kernel(tape.call("cudaLaunchKernel", us, 2 * us), 13, 1508 * us, 9000 * us);
    const Told told(tape);
    const auto parts = path_back(told.graph, last_of(told.graph, {0, told.trace.duration}));
    const auto text = why_text(why_lines(told.graph, parts), Messages::english());
    QVERIFY2(text.find(" 1.51 ms ") != std::string::npos, text.c_str());
}

void tst_Graph::stepsBackAndOn()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 6 * us, 100 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 10 * us, 14 * us), 13, 101 * us, 200 * us);
    tape.sync(tape.call("cudaStreamSynchronize", 20 * us, 205 * us), SyncRecord::stream_sync, 20 * us, 205 * us, 13);
    tape.kernel(tape.call("cudaLaunchKernel", 210 * us, 214 * us), 13, 216 * us, 300 * us);
    const Told told(tape);
    const auto operation = [](Row row) { return LinkEnd(EventRef {EventTable::operations, row}); };
    const auto call = [](Row row) { return LinkEnd(EventRef {EventTable::calls, row}); };
    QCOMPARE(step_back(told.graph, operation(2)), call(3));
    QCOMPARE(step_back(told.graph, call(3)), LinkEnd(call(2).event, 0));
    QCOMPARE(step_back(told.graph, LinkEnd(call(2).event, 0)), operation(1));
    QCOMPARE(step_back(told.graph, operation(1)), operation(0));
    QCOMPARE(step_back(told.graph, operation(0)), call(0));
    QCOMPARE(step_back(told.graph, call(0)), LinkEnd());
}

void tst_Graph::slackOfWhatIsOffThePath()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 6 * us, 400 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 10 * us, 14 * us), 14, 16 * us, 100 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 20 * us, 24 * us), 14, 102 * us, 150 * us);
    tape.event(tape.call("cudaEventRecord", 30 * us, 32 * us), 14, 1, 5);
    tape.sync(
        tape.call("cudaStreamWaitEvent", 34 * us, 36 * us), SyncRecord::stream_wait_event, 34 * us, 36 * us, 13, 1, 5);
    tape.kernel(tape.call("cudaLaunchKernel", 40 * us, 44 * us), 13, 402 * us, 500 * us);
    tape.sync(tape.call("cudaDeviceSynchronize", 50 * us, 505 * us), SyncRecord::context_sync, 50 * us, 505 * us);
    const Told told(tape);
    const auto slack = find_slack(told.graph, {0, 505 * us});
    QCOMPARE(slack, (std::vector<Ns> {0, 0, 250 * us, 250 * us}));  // stream 13: two, stream 14: two
    const auto path = critical_path(told.graph, {0, told.trace.duration});
    QCOMPARE(path.lanes.back().time, 0);
    QCOMPARE(path.lanes.back().slack.value(), 250 * us);
}

void tst_Graph::shipped_data()
{
    rows_of_shipped_recordings();
}

/// The path leads from the end to the start, and less than 1 % of it is unexplained.
void tst_Graph::shipped()
{
    QFETCH(QString, path);
    const auto trace = open_recording(path.toStdString());
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    const auto critical = critical_path(graph, {0, trace.duration});
    QVERIFY(!critical.parts.empty());
    Ns time = critical.range.end;
    for (const auto& part : critical.parts) {
        QCOMPARE(part.span.end, time);
        time = part.span.start;
    }
    QCOMPARE(time, 0);
    const Ns wall = critical.range.end;
    const Ns idle = critical.of(PathPart::between);
    const Ns length = wall - idle - critical.unexplained;
    qInfo("wall %.3f ms, idle %.3f ms, path %.3f ms, %.2f %% unexplained", double(wall) / 1e6, double(idle) / 1e6,
        double(length) / 1e6, 100. * double(critical.unexplained) / double(wall));
    // What is on the path has no slack, and nothing could be later than the end.
    const auto slack = find_slack(graph, {0, wall});
    for (const auto& part : critical.parts) {
        if (part.kind == PathPart::operation) {
            QVERIFY2(slack[part.event.row] <= 5'000, qPrintable(QString::number(slack[part.event.row])));
        }
    }
    for (Row row = 0; row < slack.size(); ++row) {
        QVERIFY(slack[row] >= 0 && slack[row] <= std::max<Ns>(0, wall - trace.operations.end[row]));
    }
    // Nothing before an operation says how late it could have ended.
    const auto of_second_half = find_slack(graph, {wall / 2, wall});
    for (Row row = 0; row < slack.size(); ++row) {
        QCOMPARE(of_second_half[row], trace.operations.start[row] >= wall / 2 ? slack[row] : of_second_half[row]);
        QVERIFY(trace.operations.end[row] > wall / 2 || of_second_half[row] == 0);
    }
    if (is_complete(trace)) {
        // The first launch of a graph uploads it, which no record says; in a run of 3 ms that is 1 %.
        QVERIFY(wall - idle - length <= (path.contains("/cuda-graph.graph.") || path.contains("/cuda-graph.new-input.")
                        ? wall / 50
                        : wall / 100));
        QCOMPARE(unknown_starts(graph), Row {0});
    }
}

QTEST_GUILESS_MAIN(tst_Graph)
#include "tst_graph.moc"
