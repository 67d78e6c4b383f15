// SPDX-License-Identifier: MIT
// The figures against an oracle that counts nanosecond by nanosecond over small random recordings, and the
// JSON against a parser.
#include "engine/analysis/caveats.h"
#include "engine/analysis/facts/communication.h"
#include "engine/analysis/facts/record_ends.h"
#include "engine/analysis/report.h"
#include "tests/effort.h"
#include "tests/engine/analysis/tape.h"

#include <map>
#include <QTest>
#include <random>
#include <set>
#include <simdjson.h>

using namespace lanes;

namespace {

constexpr Ns span = 160;

/// A busy little recording of two GPUs and two threads. Correlated operations, so that blocked time is known.
Trace random_trace(std::mt19937& random)
{
    Tape tape;
    const auto below = [&](Ns n) { return static_cast<Ns>(random() % static_cast<std::uint64_t>(n)); };
    tape.mark("start", 0);
    for (std::uint32_t thread = 1; thread <= 2; ++thread) {
        for (Ns at = below(10); at < span - 12;) {
            const Ns end = at + 1 + below(8);
            const auto kind = random() % 6;
            const auto device = static_cast<std::uint32_t>(random() % 2);
            const auto stream = 10 * device + 13 + static_cast<std::uint32_t>(random() % 3);
            const Ns start = at + below(20);
            const Ns length = below(4) == 0 ? 0 : below(25);
            if (kind == 0) {
                tape.kernel(tape.call("cudaLaunchKernel", at, end, thread), stream, start, start + length, device,
                    random() % 3 == 0 ? "ncclDevKernel_AllReduce_Sum_f32_RING_LL(Args<4096ul>)" : "work(int)");
            } else if (kind == 1) {
                tape.memset(tape.call("cudaMemsetAsync", at, end, thread), stream, start, start + length, device);
            } else if (kind == 2) {
                const auto sync = tape.call("cudaStreamSynchronize", at, end, thread);
                tape.sync(sync, SyncRecord::stream_sync, at, end, 13);
            } else {
                constexpr std::array kinds {CopyKind::h2d, CopyKind::d2h, CopyKind::d2d, CopyKind::p2p, CopyKind::h2h};
                tape.copy(tape.call("cudaMemcpyAsync", at, end, thread), stream, start, start + length,
                    kinds[random() % kinds.size()], random() % 2 == 0 ? MemoryKind::pageable : MemoryKind::pinned, true,
                    device);
            }
            at = end + below(6);
        }
        for (int i = 0; i < 3; ++i) {
            const Ns start = below(span - 40);
            tape.range(i < 2 ? "batch" : "load", start, start + 1 + below(40), thread);
            tape.host_span(
                i < 2 ? HostSpanRecord::queue_get : HostSpanRecord::work, start, start + 1 + below(30), thread);
        }
    }
    tape.read("y", 5, 9, 64, 0);
    tape.read("y", 100, 109, 64, 8);
    return tape.finish();
}

bool covers(Ns start, Ns end, Ns t)
{
    return start <= t && t < end;
}

/// One nanosecond after the other.
Report counted(const Trace& trace, const Blocking& blocking, Interval range)
{
    Report sum;
    sum.cpu_free = 0;
    sum.gpus.resize(2);
    const auto& ops = trace.operations;
    std::map<Row, Ns> stream_busy;
    std::map<StringId, NamedRangeFigures> ranges;
    std::array<Ns, 2> api {};
    std::array<Ns, 2> waits {};
    std::array<Ns, 2> blocked {};
    const auto& callers = trace.calls.thread;
    const auto first  // none is the main thread: the one with more calls counts
        = std::count(callers.begin(), callers.end(), 1U) > std::count(callers.begin(), callers.end(), 0U) ? 1U : 0U;
    for (Ns t = range.start; t < range.end; ++t) {
        std::set<Row> streams;
        std::array<std::set<Row>, 2> streams_of_device;
        std::array<std::array<int, 7>, 2> kinds {};
        std::array<std::array<int, 2>, 2> kernels {};  // others, NCCL's
        for (Row row = 0; row < ops.size(); ++row) {
            if (covers(ops.start[row], ops.end[row], t)) {
                const auto device = trace.streams[ops.stream[row]].device;
                streams.insert(ops.stream[row]);
                streams_of_device[device].insert(ops.stream[row]);
                ++kinds[device][static_cast<std::size_t>(ops.kind[row])];
                if (ops.kind[row] == OperationKind::kernel) {
                    ++kernels[device][trace.text(ops.name[row]).starts_with("AllReduce") ? 1 : 0];
                }
            }
        }
        for (const Row stream : streams) {
            ++stream_busy[stream];
        }
        ++sum.concurrency[std::min<std::size_t>(streams.size(), 3)];
        sum.gpu_busy += streams.empty() ? 0 : 1;
        sum.overlap += streams.size() >= 2 ? 1 : 0;
        for (std::size_t device = 0; device < 2; ++device) {
            auto& gpu = sum.gpus[device];
            const auto is = [&](OperationKind kind) { return kinds[device][static_cast<std::size_t>(kind)] > 0; };
            using enum OperationKind;
            const bool copy = is(h2d) || is(d2h) || is(d2d) || is(p2p) || is(h2h);
            gpu.busy += streams_of_device[device].empty() ? 0 : 1;
            gpu.idle += streams_of_device[device].empty() ? 1 : 0;
            gpu.overlap += streams_of_device[device].size() >= 2 ? 1 : 0;
            gpu.kernel += is(kernel) ? 1 : 0;
            gpu.kernel_concurrency += kinds[device][0] >= 2 ? 1 : 0;
            gpu.communication += kernels[device][1] > 0 ? 1 : 0;
            gpu.communication_exposed += kernels[device][1] > 0 && kernels[device][0] == 0 ? 1 : 0;
            gpu.copy += copy ? 1 : 0;
            gpu.memset += is(memset) ? 1 : 0;
            gpu.h2d += is(h2d) ? 1 : 0;
            gpu.d2h += is(d2h) ? 1 : 0;
            gpu.d2d += is(d2d) ? 1 : 0;
            gpu.p2p += is(p2p) ? 1 : 0;
            gpu.copy_hidden += copy && is(kernel) ? 1 : 0;
            gpu.copy_exposed += copy && !is(kernel) ? 1 : 0;
            gpu.h2d_d2h_overlap += is(h2d) && is(d2h) ? 1 : 0;
        }
        std::array<bool, 2> is_blocked {};
        std::array<bool, 2> is_waiting {};
        for (Row thread = 0; thread < 2; ++thread) {
            bool in_call = false;
            for (Row call = 0; call < trace.calls.size(); ++call) {
                in_call = in_call
                    || (trace.calls.thread[call] == thread && trace.calls.outer[call] == no_row
                        && covers(trace.calls.start[call], trace.calls.end[call], t));
            }
            for (const auto& wait : trace.host_spans) {
                is_waiting[thread] = is_waiting[thread]
                    || (wait.thread == thread && wait.type != HostSpanRecord::work && covers(wait.start, wait.end, t));
            }
            for (const auto& stretch : blocking.calls) {
                is_blocked[thread] = is_blocked[thread]
                    || (trace.calls.thread[stretch.call] == thread && covers(stretch.start, stretch.end, t));
            }
            api[thread] += in_call ? 1 : 0;
            waits[thread] += is_waiting[thread] ? 1 : 0;
            blocked[thread] += is_blocked[thread] ? 1 : 0;
        }
        *sum.cpu_free += !streams.empty() && !is_blocked[first] && !is_waiting[first] ? 1 : 0;
        std::set<StringId> names;
        std::set<std::pair<StringId, Row>> blocked_in;
        for (const auto& r : trace.ranges) {
            if (!r.mark && covers(r.start, r.end, t)) {
                names.insert(r.name);
                if (is_blocked[r.thread]) {
                    blocked_in.emplace(r.name, r.thread);
                }
            }
        }
        for (const auto name : names) {
            ranges[name].wall += 1;
            ranges[name].gpu_busy += streams.empty() ? 0 : 1;
        }
        for (const auto& [name, thread] : blocked_in) {
            ranges[name].blocked = ranges[name].blocked.value_or(0) + 1;
        }
    }
    for (const auto& [stream, busy] : stream_busy) {
        sum.gpus[trace.streams[stream].device].streams.push_back({stream, 0, busy});
    }
    for (auto [name, figures] : ranges) {
        figures.name = name;
        sum.ranges.push_back(figures);
    }
    for (Row thread = 0; thread < 2; ++thread) {
        sum.threads.push_back({thread, api[thread], waits[thread], blocked[thread], {}, {}, {}});
    }
    return sum;
}

/// A recording in which every figure is known beforehand.
Trace small_trace()
{
    constexpr Ns us = 1000;
    Tape tape;
    tape.thread(1, "main", 0);
    tape.range("copy \"back\"", 0, 300 * us);
    tape.mark("here", 10 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 110 * us);
    tape.copy(
        tape.call("cudaMemcpyAsync", 5 * us, 9 * us), 14, 60 * us, 160 * us, CopyKind::d2h, MemoryKind::pinned, true);
    tape.event(tape.call("cudaEventRecord", 9 * us, 10 * us), 13, 5, 41);
    const auto wait = tape.call("cudaStreamWaitEvent", 10 * us, 11 * us);
    tape.sync(wait, SyncRecord::stream_wait_event, 10 * us, 11 * us, 14, 5, 41);
    const auto sync = tape.call("cudaDeviceSynchronize", 20 * us, 161 * us);
    tape.sync(sync, SyncRecord::context_sync, 20 * us, 161 * us);
    tape.read("y_cpu\xFF", 170 * us, 300 * us, 4096, 8);
    return tape.finish();
}

}  // namespace

class tst_Report : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void figuresAgreeWithCounting();
    void smallFigures();
    void jsonHasEveryFieldInOrder();
    void unknownIsNull();
    void workThatWasNotRecordedIsNull();
    void syncRecordsCountWhereThereAreNoCalls();
    void emptyRecording();
    void manyStreams_data();
    void manyStreams();
    void textSaysWhatItIs();
    void whatIsCutShortSaysSo();
    void communication_data();
    void communication();
    void hostFunctionsAreCounted();
};

void tst_Report::figuresAgreeWithCounting()
{
    std::mt19937 random(5);
    for (int round = 0; round < 300 / one_trial_in; ++round) {
        const auto trace = random_trace(random);
        const auto blocking = find_blocking(trace);
        QVERIFY(blocking.known);
        Interval range {0, trace.duration};
        if (round % 3 != 0) {
            range.start = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration));
            range.end
                = range.start + static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration - range.start));
        }
        const auto report = make_report(trace, blocking, range);
        const auto expected = counted(trace, blocking, range);
        QVERIFY(report.range == range);
        QCOMPARE(report.gpu_busy, expected.gpu_busy);
        QCOMPARE(report.overlap, expected.overlap);
        QVERIFY(report.concurrency == expected.concurrency);
        QVERIFY(report.cpu_free == expected.cpu_free);
        QCOMPARE(report.gpus.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            const auto& a = report.gpus[i];
            const auto& b = expected.gpus[i];
            for (const auto field :
                {&GpuFigures::busy, &GpuFigures::idle, &GpuFigures::kernel, &GpuFigures::copy, &GpuFigures::memset,
                    &GpuFigures::h2d, &GpuFigures::d2h, &GpuFigures::d2d, &GpuFigures::p2p, &GpuFigures::copy_hidden,
                    &GpuFigures::copy_exposed, &GpuFigures::h2d_d2h_overlap, &GpuFigures::kernel_concurrency,
                    &GpuFigures::overlap, &GpuFigures::communication, &GpuFigures::communication_exposed}) {
                QCOMPARE(a.*field, b.*field);
            }
            for (const auto& stream : a.streams) {
                Ns busy = 0;
                for (const auto& other : b.streams) {
                    busy += other.stream == stream.stream ? other.busy : 0;
                }
                QCOMPARE(stream.busy, busy);
            }
        }
        QCOMPARE(report.threads.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(report.threads[i].api, expected.threads[i].api);
            QVERIFY(report.threads[i].host_wait == expected.threads[i].host_wait);
            QVERIFY(report.threads[i].blocked == expected.threads[i].blocked);
            Ns by_cause = 0;
            for (const auto& cause : report.threads[i].blocked_by) {
                by_cause += cause.value_or(0);
            }
            QCOMPARE(by_cause, *report.threads[i].blocked);
        }
        for (const auto& figures : report.ranges) {
            Ns wall = 0;
            Ns busy = 0;
            Ns blocked = 0;
            for (const auto& other : expected.ranges) {
                if (other.name == figures.name) {
                    wall = other.wall;
                    busy = other.gpu_busy;
                    blocked = other.blocked.value_or(0);
                }
            }
            QCOMPARE(figures.wall, wall);
            QCOMPARE(figures.gpu_busy, busy);
            QCOMPARE(figures.blocked.value(), blocked);
        }
        for (const auto& other : expected.ranges) {
            QVERIFY(std::any_of(report.ranges.begin(), report.ranges.end(),
                [&](const NamedRangeFigures& figures) { return figures.name == other.name; }));
        }
    }
}

void tst_Report::smallFigures()
{
    const auto trace = small_trace();
    const auto blocking = find_blocking(trace);
    const auto report = make_report(trace, blocking);
    QCOMPARE(report.wall, 161000);  // to the end of the last call, not of the read
    QCOMPARE(report.range.end, 300000);
    QCOMPARE(report.counts.api_calls, 5U);
    QCOMPARE(report.counts.kernels, 1U);
    QCOMPARE(report.counts.copies, 1U);
    QCOMPARE(report.counts.syncs, 1U);
    QCOMPARE(report.counts.waits, 1U);
    QCOMPARE(report.counts.ranges, 1U);  // the mark is none
    QCOMPARE(report.cpu_free.value(), 10000);
    QCOMPARE(report.threads[0].blocked.value(), 141000);
    QCOMPARE(report.ranges[0].blocked.value(), 141000);
    const auto part = make_report(trace, blocking, Interval {100'000, 120'000});
    QCOMPARE(part.wall, 20000);
    QCOMPARE(part.gpu_busy, 20000);
    QCOMPARE(part.overlap, 10000);
    QCOMPARE(part.gpus[0].idle, 0);
    QCOMPARE(part.counts.api_calls, 1U);
    QCOMPARE(part.threads[0].blocked.value(), 20000);
    QVERIFY(part.reads.empty());
    QCOMPARE(make_report(trace, blocking, Interval {-5, INT64_MAX}).gpu_busy, report.gpu_busy);
}

void tst_Report::jsonHasEveryFieldInOrder()
{
    const auto trace = small_trace();
    const auto json = to_json(trace, make_report(trace, find_blocking(trace)));
    QVERIFY(json.find('\n') == std::string::npos);
    simdjson::dom::parser parser;
    const simdjson::dom::object root = parser.parse(json);
    const auto keys = [](simdjson::dom::object object) {
        std::string all;
        for (const auto field : object) {
            all += std::string(field.key) + ' ';
        }
        return all;
    };
    QCOMPARE(keys(root),
        std::string("schema source devices range_ns wall_ns gpu_busy_ns overlap_ns concurrency_ns "
                    "cpu_free_ns gpu cpu repeat steady complete caveats verdict refused not_in_the_recording ranges "
                    "reads findings counts "));
    QCOMPARE(keys(root["gpu"].at(0).get_object()),
        std::string("device busy_ns idle_ns kernel_ns copy_ns memset_ns h2d_ns d2h_ns d2d_ns p2p_ns copy_hidden_ns "
                    "copy_exposed_ns h2d_d2h_overlap_ns kernel_concurrency_ns overlap_ns communication_ns "
                    "communication_exposed_ns streams "));
    QCOMPARE(keys(root["gpu"].at(0)["streams"].at(0).get_object()),
        std::string("stream process context operations busy_ns "));
    QCOMPARE(keys(root["cpu"].at(0).get_object()),
        std::string("process thread name api_ns host_wait_ns blocked_ns held_ns held_cost_ns blocked_by "));
    QCOMPARE(keys(root["cpu"].at(0)["blocked_by"].get_object()),
        std::string("copy staging launch stream_sync device_sync event_sync poll queue_full memory other "));
    QCOMPARE(keys(root["ranges"].at(0).get_object()), std::string("name count wall_ns gpu_busy_ns blocked_ns "));
    QCOMPARE(keys(root["reads"].at(0).get_object()), std::string("buffer start_ns bytes wrong_bytes "));
    QCOMPARE(
        keys(root["counts"].get_object()), std::string("api_calls kernels copies memsets syncs waits ranges dropped "));
    QCOMPARE(std::int64_t(root["schema"]), 2);
    QCOMPARE(std::string_view(root["source"]), std::string_view("cupti"));
    QCOMPARE(std::int64_t(root["gpu"].at(0)["copy_hidden_ns"]), 50000);
    QCOMPARE(std::int64_t(root["cpu"].at(0)["blocked_by"]["device_sync"]), 141000);
    QCOMPARE(std::string_view(root["cpu"].at(0)["name"]), std::string_view("main"));
    QCOMPARE(std::string_view(root["ranges"].at(0)["name"]), std::string_view("copy \"back\""));
    QCOMPARE(std::string_view(root["reads"].at(0)["buffer"]), std::string_view("y_cpu\xEF\xBF\xBD"));
    QCOMPARE(std::int64_t(root["concurrency_ns"].at(2)), 50000);
}

void tst_Report::unknownIsNull()
{
    Tape tape;  // no API calls: nothing can be said of the CPU
    tape.kernel(0, 7, 0, 1000);
    tape.range("step", 0, 2000);
    const auto trace = tape.finish(Source::nsys);
    const auto report = make_report(trace, find_blocking(trace));
    QVERIFY(!report.cpu_free);
    simdjson::dom::parser parser;
    const simdjson::dom::element root = parser.parse(to_json(trace, report));
    QVERIFY(root["cpu_free_ns"].is_null());
    QVERIFY(root["cpu"].at(0)["blocked_ns"].is_null());
    QVERIFY(root["cpu"].at(0)["blocked_by"]["copy"].is_null());
    QVERIFY(root["ranges"].at(0)["blocked_ns"].is_null());
    QCOMPARE(std::int64_t(root["gpu_busy_ns"]), 1000);
}

/// Launches without their work: nothing is known of the GPU, so it is not said to be idle.
void tst_Report::workThatWasNotRecordedIsNull()
{
    const auto of = [](std::string_view call, std::int32_t result = 0) {
        Tape tape;
        tape.call(call, 0, 1000, 1, ApiCallRecord::runtime, result);
        tape.call("cudaDeviceSynchronize", 1000, 5000);
        tape.range("step", 0, 2000);
        return tape.finish(Source::nsys);
    };
    for (const std::string_view call : {"cudaLaunchKernel", "cuLaunchKernelEx", "hipExtModuleLaunchKernel",
             "cudaGraphLaunch", "cudaMemcpyAsync", "cuMemsetD8Async", "hipMemcpy", "urEnqueueKernelLaunch"}) {
        const auto trace = of(call);
        const auto report = make_report(trace, find_blocking(trace));
        QCOMPARE(Messages::english().format(report.verdict.message), std::string("GPU work was not recorded"));
        simdjson::dom::parser parser;
        const simdjson::dom::element root = parser.parse(to_json(trace, report));
        QVERIFY(root["gpu_busy_ns"].is_null());
        QVERIFY(root["overlap_ns"].is_null());
        QVERIFY(root["concurrency_ns"].at(1).is_null());
        QVERIFY(root["ranges"].at(0)["gpu_busy_ns"].is_null());
        QVERIFY(root["counts"]["kernels"].is_null());
        QCOMPARE(std::int64_t(root["counts"]["api_calls"]), 2);
        const auto text = to_text(trace, report);
        QVERIFY(text.find("kernels –, copies –, memsets –") != std::string::npos);
        QVERIFY(text.find("  0 %") == std::string::npos);
    }
    for (const auto& trace : {of("cudaMalloc"), of("cudaLaunchHostFunc"), of("cudaLaunchKernel", 98)}) {
        const auto report = make_report(trace, find_blocking(trace));
        QCOMPARE(Messages::english().format(report.verdict.message), std::string("no GPU work"));
    }
}

void tst_Report::syncRecordsCountWhereThereAreNoCalls()
{
    Tape tape;
    tape.kernel(0, 7, 0, 1000);
    tape.sync(0, SyncRecord::stream_sync, 0, 1000, 7);
    tape.sync(0, SyncRecord::stream_wait_event, 0, 1, 7);
    const auto trace = tape.finish();
    const auto report = make_report(trace, find_blocking(trace));
    QCOMPARE(report.counts.syncs, 1U);
    QCOMPARE(report.counts.waits, 1U);
}

void tst_Report::emptyRecording()
{
    const Trace trace;
    const auto report = make_report(trace, find_blocking(trace));
    QCOMPARE(report.wall, 0);
    simdjson::dom::parser parser;
    QVERIFY(parser.parse(to_json(trace, report)).error() == simdjson::SUCCESS);
    QVERIFY(!to_text(trace, report).empty());
}

void tst_Report::manyStreams_data()
{
    QTest::addColumn<int>("flag");
    QTest::newRow("non-blocking") << static_cast<int>(StreamRecord::non_blocking);
    QTest::newRow("blocking, with a legacy default stream") << static_cast<int>(StreamRecord::blocking);
}

/// A stream for each of 100,000 kernels, some waited for by calls that do not say for which: pairs of streams would be
/// 10^10.
void tst_Report::manyStreams()
{
    QFETCH(int, flag);
    constexpr std::uint32_t count = 100'000 / one_trial_in;
    Tape tape;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Ns at = Ns {i} * 100;
        const auto stream = 100 + i;
        tape.stream(stream, static_cast<StreamRecord::Flag>(flag));
        tape.kernel(
            tape.call("cudaLaunchKernel", at, at + 10), i % 10 == 0 ? Tape::legacy_stream : stream, at + 20, at + 120);
        if (i % 10 == 5) {
            tape.call("cudaStreamSynchronize", at + 30, at + 40);
            tape.event(tape.call("cudaEventRecord", at + 50, at + 55), Tape::legacy_stream, i, i);
            tape.call("cudaFree", at + 60, at + 70);
        }
    }
    const auto trace = tape.finish();
    QVERIFY(trace.streams.size() >= count);
    const auto report = make_report(trace, find_blocking(trace));
    QCOMPARE(report.gpus.size(), std::size_t {1});
    QCOMPARE(report.counts.kernels, count);
    QVERIFY(to_text(trace, report).size() > count);
    QVERIFY(to_json(trace, report).size() > count);
}

void tst_Report::textSaysWhatItIs()
{
    auto trace = small_trace();
    const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    const auto blocking = find_blocking(trace);
    QVERIFY(first_line(to_text(trace, make_report(trace, blocking))).find("recorded with CUPTI") != std::string::npos);
    trace.source = Source::model;
    QVERIFY(first_line(to_text(trace, make_report(trace, blocking))).find("computed by the model device, not measured")
        != std::string::npos);
    trace.source = Source::unknown;
    QVERIFY(first_line(to_text(trace, make_report(trace, blocking))).find("does not say whether this was measured")
        != std::string::npos);
}

/// A recording that was cut short or failed says so, with its end; a whole one does not.
void tst_Report::whatIsCutShortSaysSo()
{
    const auto says = [](const Trace& trace, bool cut) {
        const auto report = make_report(trace, find_blocking(trace));
        simdjson::dom::parser parser;
        const auto text = to_json(trace, report);
        const simdjson::dom::object json = parser.parse(text);
        QCOMPARE(bool(json["complete"]), !cut);
        QCOMPARE(json["ends_ns"].error() == simdjson::SUCCESS, cut);
        if (cut) {
            QCOMPARE(std::int64_t(json["ends_ns"]["api"]),
                *std::max_element(trace.calls.end.begin(), trace.calls.end.end()));
            QCOMPARE(std::int64_t(json["ends_ns"]["gpu"]),
                *std::max_element(trace.operations.end.begin(), trace.operations.end.end()));
        }
        QCOMPARE(to_text(trace, report).find("Cut short: API calls are recorded up to") != std::string::npos, cut);
        QCOMPARE(is_complete(trace), !cut);
    };
    auto trace = small_trace();
    says(trace, false);
    trace.meta["complete"] = "no";
    says(trace, true);
    trace = small_trace();
    trace.meta["error"] = "cancelled";
    says(trace, true);
    trace = small_trace();
    trace.errors.push_back({});
    says(trace, true);
}

void tst_Report::communication_data()
{
    QTest::addColumn<QByteArray>("kernel");
    QTest::addColumn<QByteArray>("what");
    const auto row
        = [](const char* kernel, const char* what) { QTest::newRow(kernel) << QByteArray(kernel) << QByteArray(what); };
    row("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "AllReduce");
    row("ncclKernel_AllGather_RING_LL_Sum_int8_t(ncclWorkElem)", "AllGather");
    row("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "SendRecv");
    row("nccl all_reduce", "all_reduce");
    row("nccl:all_reduce", "all_reduce");
    row("nccl", "nccl");
    row("matmul", "");
    row("void rcclGenericKernel<1, false>(ncclDevKernelArgsStorage<4096ul>)", "rcclGenericKernel");
    row("void sglang::cross_device_reduce_2stage<__nv_bfloat16, 8>(sglang::RankData*)", "AllReduce");
    row("void vllm::cross_device_reduce_1stage<half, 4>(vllm::RankData*)", "AllReduce");
    row("void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<2>(int)", "AllReduce");
    row("void tensorrt_llm::kernels::twoShotAllReduceKernel<half, 8>(AllReduceParams)", "AllReduce");
    row("void (anonymous namespace)::multimem_all_reduce_kernel<float, 16>(float*)", "AllReduce");
    row("one_shot_all_reduce_kernel", "AllReduce");
    row("void quickreduce::allreduce_prototype_twoshot<int>(int)", "AllReduce");
    row("void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*)", "dispatch");
    row("void deep_ep::internode_ll::combine<true, 7168>(void*)", "combine");
    row("void deep_ep::intranode::notify_dispatch<8>(int const*)", "notify_dispatch");
    row("void deep_ep::layout::get_dispatch_layout<256>(long const*)", "");
    row("nvshmemi_barrier_all_kernel", "nvshmemi_barrier_all_kernel");
    row("void barrier_all_on_stream(int)", "barrier_all_on_stream");
    row("ncclSymkDevKernel_AllReduce_AGxLL_R_sum_f32(ncclSymkDevWorkArgs)", "AllReduce");
    row("oneccl_allgather_kernel", "AllGather");
    row("my_ncclDevKernel_AllReduce", "AllReduce");
    row("triton_poi_fused_all_reduce_0", "");
    row("void flash_fwd_splitkv_combine_kernel<int>(Params)", "");
    row("void at::native::vectorized_elementwise_kernel<4, AllReduceFunctor>(int)", "");
    row("void moe::dispatch(int)", "");
    row("reduce_kernel", "");
    row("recall_reducer", "");
    row("", "");
}

void tst_Report::communication()
{
    QFETCH(QByteArray, kernel);
    QFETCH(QByteArray, what);
    QCOMPARE(QByteArray::fromStdString(communication_of(kernel.toStdString())), what);
}

/// Host functions with a record, and calls without one; a refused call put nothing into a stream.
void tst_Report::hostFunctionsAreCounted()
{
    const auto said = [](Tape& tape) {
        std::string all;
        for (const auto& caveat : caveats_of(tape.finish())) {
            all += std::string(caveat) + "\n";
        }
        return all;
    };
    Tape none;
    QCOMPARE(said(none), std::string());
    Tape timed;
    timed.host_function(timed.call("cudaLaunchHostFunc", 0, 1000), 13, 2000, 3000);
    QCOMPARE(said(timed), std::string("Host functions in streams: 1; no lane shows them\n"));
    Tape unseen;
    unseen.host_function(unseen.call("cudaLaunchHostFunc", 0, 1000), 13, 2000, 3000);
    unseen.host_function(unseen.call("cudaLaunchHostFunc", 3000, 4000), 13);
    unseen.call("cudaStreamAddCallback", 5000, 6000);
    unseen.call("cudaLaunchHostFunc", 7000, 8000, 1, ApiCallRecord::runtime, 900);
    QCOMPARE(said(unseen),
        std::string("Host functions in streams: 3; no lane shows them, and the times of 2 are not recorded\n"));
}

QTEST_GUILESS_MAIN(tst_Report)
#include "tst_report.moc"
