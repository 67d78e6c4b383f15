// SPDX-License-Identifier: MIT
// Traces in Perfetto's own format, packet by packet. Whole traces against their JSON are in perfetto_traces/.
#include "engine/store/formats.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <fstream>
#include <string>
#include <vector>
#include <zlib.h>

using namespace lanes;

namespace {

// The wire format, written here once more: the reader's code has no part in it.

std::string varint(std::uint64_t number)
{
    std::string out;
    for (; number > 127; number >>= 7U) {
        out += static_cast<char>(number | 128U);
    }
    return out + static_cast<char>(number);
}
std::string num(unsigned field, std::uint64_t number)
{
    return varint(field << 3U) + varint(number);
}
std::string data(unsigned field, const std::string& content)
{
    return varint(field << 3U | 2U) + varint(content.size()) + content;
}
std::string real(unsigned field, double number)
{
    std::string out = varint(field << 3U | 1U);
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (unsigned i = 0; i < 8; ++i) {
        out += static_cast<char>(bits >> (8 * i));
    }
    return out;
}

std::string packet(const std::string& content)
{
    return data(1, content);
}
std::string thread_track(std::uint64_t uuid, unsigned process, unsigned thread, const std::string& name)
{
    return packet(data(60, num(1, uuid) + data(4, num(1, process) + num(2, thread) + data(5, name))));
}
std::string begin(std::uint64_t time, std::uint64_t track, const std::string& name, const std::string& more = {},
    unsigned sequence = 1)
{
    return packet(num(8, time) + num(10, sequence) + data(11, num(9, 1) + num(11, track) + data(23, name) + more));
}
std::string end(std::uint64_t time, std::uint64_t track, unsigned sequence = 1)
{
    return packet(num(8, time) + num(10, sequence) + data(11, num(9, 2) + num(11, track)));
}
std::string slice(
    std::uint64_t time, std::uint64_t until, std::uint64_t track, const std::string& name, const std::string& more = {})
{
    return begin(time, track, name, more) + end(until, track);
}
std::string argument(const std::string& name, std::uint64_t number)
{
    return data(4, data(10, name) + num(4, number));
}

}  // namespace

class tst_PerfettoImport : public QObject {
    Q_OBJECT

private slots:
    void nestedSlices();
    void columns();
    void otherSequences();
    void endsBeforeManyBegins_data();
    void endsBeforeManyBegins();
    void interned();
    void lostState();
    void defaultsAndClocks();
    void realTime();
    void counters();
    void tracksOfTracks();
    void pytorchCalls();
    void renderStages();
    void rocprof_data();
    void rocprof();
    void rocprofCopiesOfOtherPlaces();
    void gpuCounters();
    void flows();
    void legacy();
    void packedPackets();
    void cutShort();
    void damagedPacket();
    void noTrace_data();
    void noTrace();
    void recognised();

private:
    Trace open(const std::string& bytes)
    {
        const auto path = m_folder.filePath("t.pftrace").toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return open_recording(path);
    }
    /// "name start-end", in ns from the first.
    static QStringList ranges_of(const Trace& trace)
    {
        QStringList lines;
        for (const auto& range : trace.ranges) {
            lines += QStringLiteral("%1 %2-%3")
                         .arg(QString::fromStdString(std::string(trace.text(range.name))))
                         .arg(range.start)
                         .arg(range.open ? QStringLiteral("?") : QString::number(range.end));
        }
        return lines;
    }
    QTemporaryDir m_folder;
};

void tst_PerfettoImport::nestedSlices()
{
    const auto trace = open(thread_track(5, 40, 41, "worker") + begin(1000, 5, "outer") + slice(1010, 1010, 5, "point")
        + slice(1020, 1030, 5, "inner") + slice(1030, 1040, 5, "next") + end(1100, 5) + begin(1200, 5, "open"));
    QCOMPARE(ranges_of(trace), (QStringList {"outer 0-100", "point 10-10", "inner 20-30", "next 30-40", "open 200-?"}));
    QCOMPARE(trace.source, Source::chrome);
    QCOMPARE(trace.threads.size(), std::size_t {1});
    QCOMPARE(trace.threads[0].process, 40U);
    QCOMPARE(trace.threads[0].id, 41U);
    QCOMPARE(trace.text(trace.threads[0].name), std::string_view("worker"));
}

/// As PyTorch writes them: the ends come after all begins, in the order of these.
void tst_PerfettoImport::columns()
{
    const auto trace = open(thread_track(5, 40, 41, "t") + begin(1000, 5, "root") + begin(1010, 5, "a")
        + begin(1015, 5, "in a") + begin(1020, 5, "b") + end(1500, 5) + end(1020, 5) + end(1018, 5) + end(1025, 5));
    QCOMPARE(ranges_of(trace), (QStringList {"root 0-500", "a 10-20", "in a 15-18", "b 20-25"}));
}

/// A slice may begin on one sequence and end on another, whose packets stand before it.
void tst_PerfettoImport::otherSequences()
{
    const auto trace = open(thread_track(5, 1, 2, "t") + end(1200, 5, 9) + begin(1000, 5, "over", {}, 8)
        + begin(1500, 5, "again", {}, 8) + end(1600, 5, 8) + end(5000, 77, 9));
    QCOMPARE(ranges_of(trace), (QStringList {"over 0-200", "again 500-600"}));
    QVERIFY(trace.meta.at(meta::not_shown).find("lone_ends 1") != std::string::npos);
}

void tst_PerfettoImport::endsBeforeManyBegins_data()
{
    QTest::addColumn<int>("begins");
    QTest::addColumn<int>("ends");
    QTest::newRow("few") << 10 << 5;
    QTest::newRow("many") << 1000 << 5;
    QTest::newRow("more than could be compared with each other") << 100'000 << 100'000;
}

/// Ends of another sequence, earlier than all that began last: only one of them has a begin.
void tst_PerfettoImport::endsBeforeManyBegins()
{
    QFETCH(int, begins);
    QFETCH(int, ends);
    std::string bytes = thread_track(5, 1, 2, "t") + begin(1000, 5, "early", {}, 8);
    for (int i = 0; i < begins; ++i) {
        bytes += begin(2000, 5, "late", {}, 8);
    }
    for (int i = 0; i < ends; ++i) {
        bytes += end(1500, 5, 9);
    }
    QElapsedTimer timer;
    timer.start();
    const auto trace = open(bytes);
    QVERIFY(timer.elapsed() < 10'000);
    QCOMPARE(trace.ranges.size(), static_cast<std::size_t>(begins) + 1);
    QCOMPARE(ranges_of(trace).first(), QString("early 0-500"));
    QVERIFY(trace.meta.at(meta::not_shown).find("lone_ends " + std::to_string(ends - 1)) != std::string::npos);
}

void tst_PerfettoImport::interned()
{
    const auto names = [](const std::string& name) {
        return data(12,
            data(1, num(1, 1) + data(2, "cuda_runtime")) + data(2, num(1, 1) + data(2, name))
                + data(3, num(1, 1) + data(2, "correlation")));
    };
    const auto event = [](std::uint64_t time, const std::string& more) {
        return packet(num(8, time) + num(10, 3) + more
            + data(11, num(9, 1) + num(11, 5) + num(10, 1) + num(3, 1) + data(4, num(1, 1) + num(3, 17))));
    };
    const auto trace = open(thread_track(5, 1, 2, "t") + event(1000, num(13, 3) + names("cudaMalloc")) + end(1010, 5)
        + event(1020, num(13, 2)) + end(1030, 5) + event(1040, num(13, 1) + names("cudaFree")) + end(1050, 5));
    QCOMPARE(trace.calls.size(), std::size_t {3});
    QCOMPARE(trace.text(trace.calls.name[1]), std::string_view("cudaMalloc"));
    QCOMPARE(trace.text(trace.calls.name[2]), std::string_view("cudaFree"));
    QCOMPARE(trace.calls.correlation[0], 17U);
}

/// What refers to names that were lost is left out, until the sequence starts anew.
void tst_PerfettoImport::lostState()
{
    const auto event = [](std::uint64_t time, const std::string& more) {
        return packet(num(8, time) + num(10, 3) + more + data(11, num(9, 3) + num(11, 5) + data(23, "mark")));
    };
    const auto trace = open(thread_track(5, 1, 2, "t") + event(1000, num(13, 1)) + event(1010, num(13, 2) + num(42, 1))
        + event(1020, num(13, 2)) + event(1030, num(13, 1)) + event(1040, num(13, 2)));
    QCOMPARE(ranges_of(trace), (QStringList {"mark 0-0", "mark 30-30", "mark 40-40"}));
    QVERIFY(trace.meta.at(meta::not_shown).find("damaged 2") != std::string::npos);
}

/// A sequence's own clock counts from one packet to the next, in its own unit.
void tst_PerfettoImport::defaultsAndClocks()
{
    const auto clock = [](unsigned id, std::uint64_t time, const std::string& more = {}) {
        return data(1, num(1, id) + num(2, time) + more);
    };
    const auto event = [](std::uint64_t since, unsigned type, const std::string& more = {}) {
        return packet(num(8, since) + num(10, 3) + data(11, num(9, type) + more));
    };
    const auto trace = open(thread_track(5, 1, 2, "t")
        + packet(num(10, 3) + num(13, 1) + data(6, clock(6, 900'000) + clock(64, 400, num(3, 1) + num(4, 1000)))
            + data(59, num(58, 64) + data(11, num(11, 5))))
        + event(0, 1, data(23, "a")) + event(3, 2) + event(2, 1, data(23, "b")) + event(1, 2)
        + packet(num(8, 910'000) + num(10, 4) + num(58, 6) + data(11, num(9, 3) + num(11, 5) + data(23, "at 10 us"))));
    QCOMPARE(ranges_of(trace), (QStringList {"a 0-3000", "b 5000-6000", "at 10 us 10000-10000"}));
}

void tst_PerfettoImport::realTime()
{
    const auto trace = open(
        packet(data(6, data(1, num(1, 6) + num(2, 5000)) + data(1, num(1, 1) + num(2, 1'700'000'000'000'005'000))))
        + thread_track(5, 1, 2, "t") + slice(6000, 7000, 5, "a"));
    QCOMPARE(trace.origin, Ns {1'700'000'000'000'006'000});
}

void tst_PerfettoImport::counters()
{
    const auto track = [](unsigned uuid, const std::string& name, const std::string& counter) {
        return packet(data(60, num(1, uuid) + num(5, 4) + data(2, name) + data(8, counter)));
    };
    const auto value = [](std::uint64_t time, unsigned uuid, const std::string& content) {
        return packet(num(8, time) + data(11, num(9, 4) + num(11, uuid) + content));
    };
    const auto trace = open(packet(data(60, num(1, 4) + data(3, num(1, 77) + data(6, "python")))) + track(6, "load", {})
        + track(7, "bytes", num(4, 1024) + num(5, 1)) + thread_track(5, 77, 78, "t") + value(1000, 6, real(44, 0.5))
        + value(1010, 6, num(30, 3)) + value(1000, 7, num(30, 2)) + value(1010, 7, num(30, 3))
        + packet(num(8, 1020)
            + data(11,
                num(9, 1) + num(11, 5) + data(23, "a") + data(31, varint(6) + varint(7))
                    + data(12, varint(9) + varint(1))))
        + end(1030, 5));
    QCOMPARE(trace.counters.size(), std::size_t {2});
    const auto samples = [&](std::size_t row) {
        QStringList found;
        const auto span = trace.counters[row].samples;
        for (auto at = span.begin; at < span.end; ++at) {
            found += QStringLiteral("%1:%2").arg(trace.samples.time[at]).arg(trace.samples.value[at]);
        }
        return found.join(' ');
    };
    QCOMPARE(trace.counters[0].process, 77U);
    QCOMPARE(trace.text(trace.counters[0].name), std::string_view("bytes"));
    QCOMPARE(samples(0), QStringLiteral("0:2048 10:5120 20:6144"));
    QCOMPARE(samples(1), QStringLiteral("0:0.5 10:3 20:9"));
}

/// A track below a process is a lane of it, called as the track; one without anything above it is, too.
void tst_PerfettoImport::tracksOfTracks()
{
    const auto trace = open(packet(data(60, num(1, 4) + data(3, num(1, 77) + data(6, "python"))))
        + packet(data(60, num(1, 8) + num(5, 4) + data(2, "requests")))
        + packet(data(60, num(1, 9) + num(5, 8) + data(2, "parts")))
        + packet(data(60, num(1, 10) + num(5, 10) + data(2, "above itself"))) + slice(1000, 1010, 9, "a")
        + slice(1000, 1010, 10, "b"));
    QCOMPARE(trace.threads.size(), std::size_t {2});
    QStringList lanes;
    for (const auto& thread : trace.threads) {
        lanes += QStringLiteral("%1 %2")
                     .arg(thread.process)
                     .arg(QString::fromStdString(std::string(trace.text(thread.name))));
    }
    lanes.sort();
    QCOMPARE(lanes, (QStringList {"0 above itself", "77 parts"}));
}

/// Without categories arguments and names say what an event is.
void tst_PerfettoImport::pytorchCalls()
{
    const auto trace = open(thread_track(5, 40, 41, "t") + thread_track(6, 0, 7, "stream 7")
        + slice(1000, 1500, 5, "aten::add", argument("External id", 3))
        + slice(1010, 1020, 5, "cudaLaunchKernel", argument("cbid", 211) + argument("correlation", 9))
        + slice(1600, 1900, 5, "cudaStreamSynchronize", argument("cbid", 131) + argument("correlation", 10))
        + slice(1100, 1800, 6, "add_kernel",
            argument("device", 0) + argument("stream", 7) + argument("correlation", 9)
                + data(4, data(10, "grid") + data(12, num(4, 2)) + data(12, num(4, 3)) + data(12, num(4, 1))))
        + slice(1600, 1890, 6, "Stream Sync",
            argument("stream", 7) + argument("correlation", 10)
                + data(4, data(10, "cuda_sync_kind") + data(6, "Stream Sync"))));
    QCOMPARE(trace.source, Source::kineto);
    QCOMPARE(trace.calls.size(), std::size_t {2});
    QCOMPARE(trace.operations.size(), std::size_t {1});
    QCOMPARE(trace.operations.call[0], Row {0});
    QCOMPARE(trace.streams[0].id, 7U);
    QCOMPARE(trace.kernels[0].grid[1], 3U);
    QCOMPARE(trace.syncs.size(), std::size_t {1});
    QCOMPARE(trace.syncs[0].call, Row {1});
    QCOMPARE(ranges_of(trace), (QStringList {"aten::add 0-500"}));
}

void tst_PerfettoImport::renderStages()
{
    const auto stage = [](unsigned id, const std::string& name) { return data(24, num(1, id) + data(2, name)); };
    const auto extra
        = [](const std::string& key, const std::string& value) { return data(6, data(1, key) + data(2, value)); };
    const auto trace = open(thread_track(5, 40, 41, "t")
        + slice(1000, 1020, 5, "cudaLaunchKernel", argument("cbid", 211) + argument("correlation", 9))
        + packet(num(10, 1) + num(13, 1)
            + data(12,
                stage(1, "Kernel") + stage(2, "Memcpy") + stage(100, "stream 0013")
                    + data(1000, num(1, 1) + data(3, "gemm"))
                    + data(1001, num(1, 1) + data(2, "registers_per_thread"))))
        + packet(num(8, 1100) + num(10, 1) + num(13, 2)
            + data(53,
                num(2, 300) + num(11, 1) + num(13, 100) + num(14, 1) + num(19, 1)
                    + data(21, data(1, num(1, 8) + num(2, 1) + num(3, 1)) + data(3, num(1, 1) + num(4, 64)))
                    + extra("correlation", "9") + extra("device id", "1") + extra("stream id", "13")))
        + packet(num(8, 1500) + num(10, 1) + num(13, 2)
            + data(53,
                num(2, 10) + num(11, 1) + num(13, 100) + num(14, 2) + data(17, "Memcpy HtoD (Pinned -> Device)")
                    + extra("bytes", "4096"))));
    QCOMPARE(trace.operations.size(), std::size_t {2});
    QCOMPARE(trace.devices.size(), std::size_t {1});
    QCOMPARE(trace.devices[0].id, 1U);
    QCOMPARE(trace.streams.size(), std::size_t {1});
    QCOMPARE(trace.streams[0].id, 13U);
    QCOMPARE(trace.operations.call[0], Row {0});
    QCOMPARE(trace.operations.end[0] - trace.operations.start[0], Ns {300});
    QCOMPARE(trace.text(trace.kernels[0].full_name), std::string_view("gemm"));
    QCOMPARE(trace.kernels[0].registers, 64U);
    QCOMPARE(trace.kernels[0].grid[0], 8U);
    QCOMPARE(trace.copies[0].bytes, std::uint64_t {4096});
    QCOMPARE(trace.copies[0].copy, CopyKind::h2d);
}

void tst_PerfettoImport::rocprof_data()
{
    QTest::addColumn<QString>("kernel_row");
    QTest::addColumn<QString>("copy_row");
    QTest::addColumn<QString>("gpu");  // of the kernel's argument
    QTest::addColumn<unsigned>("device");
    QTest::addColumn<bool>("named");  // the stream, in an argument
    QTest::newRow("rows of agents") << "COMPUTE AGENT [1] STREAM [3] (GPU)"
                                    << "COPY to AGENT [1] STREAM [3] (GPU)"
                                    << "Agent-1" << 1U << false;
    QTest::newRow("rows of streams") << R"(STREAM [" 3 "] )"
                                     << R"(STREAM [" 3 "] )"
                                     << "GPU-0" << 0U << false;
    QTest::newRow("of rocpd") << "STREAM [3]"
                              << "STREAM [3]"
                              << "Agent-1" << 1U << true;
    QTest::newRow("rows of queues") << "COMPUTE Agent [1] QUEUE [0] GPU"
                                    << "COPY to AGENT [1] THREAD [0] (GPU)"
                                    << "Agent-1" << 1U << true;
}

/// What rocprofv3 writes: calls of threads whose rows may have no number, work of GPUs in rows below the process.
void tst_PerfettoImport::rocprof()
{
    QFETCH(QString, kernel_row);
    QFETCH(QString, copy_row);
    QFETCH(QString, gpu);
    QFETCH(unsigned, device);
    QFETCH(bool, named);
    const auto row = [](unsigned uuid, const QString& name, const std::string& more = {}) {
        return packet(data(60, num(1, uuid) + num(5, 4) + data(2, name.toStdString()) + more));
    };
    const auto text
        = [](const std::string& key, const std::string& value) { return data(4, data(10, key) + data(6, value)); };
    const auto of = [&](const std::string& category, unsigned correlation) {
        return data(22, category) + argument("begin_ns", 1) + argument("tid", 79) + argument("corr_id", correlation)
            + varint(47U << 3U | 1U) + std::string(8, '\7');
    };
    const auto stream = named ? argument("stream_id", 3) : std::string();
    const auto agent = gpu.toStdString();
    const auto trace = open(packet(data(60, num(1, 4) + data(3, num(1, 77) + data(6, "app"))))
        + thread_track(5, 77, 77, "app") + row(6, "THREAD 1 (79)") + row(7, kernel_row) + row(8, copy_row)
        + row(9, "COPY BYTES to Agent [1] (GPU)", data(8, num(3, 3) + num(4, 1024)))
        + slice(1000, 1900, 6, "step", of("marker_api", 1)) + slice(1010, 1020, 6, "hipMemcpyAsync", of("hip_api", 2))
        + slice(1030, 1040, 6, "hipLaunchKernel", of("hip_api", 3))
        + slice(1032, 1034, 6, "hsa_signal_store_screlease", of("hsa_api", 4))
        + slice(1050, 1500, 6, "hipDeviceSynchronize", of("hip_api", 5))
        + slice(1100, 1200, 8, "MEMORY_COPY_HOST_TO_DEVICE",
            of("memory_copy", 2) + argument("copy_bytes", 4096)
                + text("src_agent", gpu.contains("GPU") ? "CPU-0" : "Agent-0") + text("dst_agent", agent) + stream)
        + slice(1200, 1400, 7, "gemm", of("kernel_dispatch", 3) + text("agent", agent) + argument("queue", 1) + stream)
        + packet(num(8, 1100) + data(11, num(9, 4) + num(11, 9) + num(30, 4))));
    QCOMPARE(trace.source, Source::chrome);
    QCOMPARE(trace.operations.size(), std::size_t {2});
    QCOMPARE(trace.kernels.size(), std::size_t {1});
    QCOMPARE(trace.copies.size(), std::size_t {1});
    QCOMPARE(trace.copies[0].copy, CopyKind::h2d);
    QCOMPARE(trace.copies[0].bytes, std::uint64_t {4096});
    QCOMPARE(trace.devices.size(), std::size_t {1});
    QCOMPARE(trace.devices[0].id, device);
    QCOMPARE(trace.streams.size(), std::size_t {1});
    QCOMPARE(trace.streams[0].id, 3U);
    QCOMPARE(trace.calls.size(), std::size_t {4});
    QCOMPARE(trace.text(trace.calls.name[trace.operations.call[0]]), std::string_view("hipMemcpyAsync"));
    QCOMPARE(trace.text(trace.calls.name[trace.operations.call[1]]), std::string_view("hipLaunchKernel"));
    QCOMPARE(trace.processes.size(), std::size_t {1});
    QCOMPARE(trace.threads.size(), std::size_t {1});
    QCOMPARE(trace.threads[0].id, 79U);
    QCOMPARE(ranges_of(trace), (QStringList {"step 0-900"}));
    QCOMPARE(trace.counters.size(), std::size_t {1});
    QCOMPARE(trace.counters[0].unit, CounterRecord::bytes);
    QVERIFY(!trace.meta.contains(meta::not_shown));
}

/// A copy is of the GPU that takes part; between two it is of that which it comes from; one within the CPU is of none.
void tst_PerfettoImport::rocprofCopiesOfOtherPlaces()
{
    const auto text
        = [](const std::string& key, const std::string& value) { return data(4, data(10, key) + data(6, value)); };
    const auto copy = [&](std::uint64_t time, const std::string& name, const std::string& from, const std::string& to) {
        return slice(time, time + 5, 8, name,
            data(22, "memory_copy") + argument("copy_bytes", 8) + text("src_agent", from) + text("dst_agent", to));
    };
    const auto trace = open(packet(data(60, num(1, 4) + data(3, num(1, 77))))
        + packet(data(60, num(1, 8) + num(5, 4) + data(2, "STREAM [0]")))
        + copy(1000, "MEMORY_COPY_DEVICE_TO_HOST", "Agent-2", "Agent-0")
        + copy(1010, "MEMORY_COPY_DEVICE_TO_DEVICE", "Agent-2", "Agent-2")
        + copy(1020, "MEMORY_COPY_DEVICE_TO_DEVICE", "Agent-2", "Agent-3")
        + copy(1030, "MEMORY_COPY_HOST_TO_HOST", "Agent-0", "Agent-0")
        + copy(1032, "MEMORY_COPY_HOST_TO_DEVICE", "Agent-0", "Agent-4294967295")
        + slice(1035, 1036, 8, "of no agent", data(22, "kernel_dispatch") + text("agent", "Agent-"))
        + slice(1040, 1050, 8, "memory of the program's own", data(22, "memory_copy")));
    QStringList found;
    for (const auto& c : trace.copies) {
        found += QString::number(static_cast<int>(c.copy));
    }
    QCOMPARE(found.join(' '),
        QStringLiteral("%1 %2 %3")
            .arg(static_cast<int>(CopyKind::d2h))
            .arg(static_cast<int>(CopyKind::d2d))
            .arg(static_cast<int>(CopyKind::p2p)));
    QCOMPARE(trace.devices.size(), std::size_t {1});
    QCOMPARE(trace.devices[0].id, 2U);
    QCOMPARE(trace.meta.at(meta::not_shown), std::string("other_events 1"));
    QCOMPARE(ranges_of(trace),
        (QStringList {"MEMORY_COPY_HOST_TO_DEVICE 32-37", "of no agent 35-36", "memory of the program's own 40-50"}));
}

void tst_PerfettoImport::gpuCounters()
{
    const auto values
        = [](std::uint64_t time, const std::string& content) { return packet(num(8, time) + data(52, content)); };
    const auto trace = open(thread_track(5, 1, 2, "t") + slice(1000, 1010, 5, "a")
        + values(
            1000, data(1, data(1, num(1, 3) + data(2, "Power (W)"))) + data(2, num(1, 3) + real(3, 300.5)) + num(3, 1))
        + values(1010, data(2, num(1, 3) + num(2, 310)) + data(2, num(1, 4) + num(2, 1)) + num(3, 1)));
    QCOMPARE(trace.counters.size(), std::size_t {1});
    QCOMPARE(trace.text(trace.counters[0].name), std::string_view("Power (W)"));
    QCOMPARE(trace.samples.value, (std::vector<double> {300.5, 310}));
    QVERIFY(trace.meta.at(meta::not_shown).find("other_events 1") != std::string::npos);
}

/// They are counted where nothing else joins the two.
void tst_PerfettoImport::flows()
{
    const auto flow = varint(47U << 3U | 1U) + std::string(8, '\7');
    const auto trace = open(thread_track(5, 1, 2, "t") + slice(1000, 1010, 5, "a", flow)
        + slice(1020, 1030, 5, "cudaLaunchKernel", flow + argument("correlation", 3)));
    QCOMPARE(trace.meta.at(meta::not_shown), std::string("flows 1"));
}

/// Events that were Chrome's before: a complete one, begin and end, times in µs since the thread's.
void tst_PerfettoImport::legacy()
{
    const auto event = [](unsigned since, const std::string& content) {
        return packet(num(10, 2) + data(11, num(1, since) + content));
    };
    const auto trace
        = open(packet(num(10, 2) + num(13, 1) + data(44, num(1, 8) + num(2, 9) + data(5, "main") + num(6, 50)))
            + event(1, data(23, "whole") + data(6, num(2, 'X') + num(3, 4)))
            + event(5, data(23, "part") + data(6, num(2, 'B'))) + event(2, data(6, num(2, 'E'))));
    QCOMPARE(ranges_of(trace), (QStringList {"whole 0-4000", "part 5000-7000"}));
    QCOMPARE(trace.threads[0].process, 8U);
    QCOMPARE(trace.threads[0].id, 9U);
}

void tst_PerfettoImport::packedPackets()
{
    const auto plain = thread_track(5, 1, 2, "t") + slice(1000, 1010, 5, "a");
    std::string packed(compressBound(plain.size()), '\0');
    auto size = static_cast<uLongf>(packed.size());
    compress(
        reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(plain.data()), plain.size());
    packed.resize(size);
    QCOMPARE(
        ranges_of(open(packet(data(50, packed)) + slice(1020, 1030, 5, "b"))), (QStringList {"a 0-10", "b 20-30"}));
}

/// It opens as far as it goes, wherever it ends.
void tst_PerfettoImport::cutShort()
{
    const auto whole = thread_track(5, 1, 2, "t") + slice(1000, 1010, 5, "a") + slice(1020, 1030, 5, "b");
    QVERIFY(!open(whole).meta.contains(meta::complete));
    const auto kept = thread_track(5, 1, 2, "t").size() + slice(1000, 1010, 5, "a").size();
    for (auto size = kept + 1; size < whole.size(); ++size) {
        const auto trace = open(whole.substr(0, size));
        QVERIFY(trace.ranges.size() == 1 || trace.ranges.size() == 2);
        const bool between = size == whole.size() - end(1030, 5).size();
        QCOMPARE(trace.meta.contains(meta::complete), !between);
    }
}

void tst_PerfettoImport::damagedPacket()
{
    const auto trace = open(thread_track(5, 1, 2, "t") + slice(1000, 1010, 5, "a")
        + packet(num(8, 1011) + data(11, num(9, 1) + std::string("\x5A\x7F", 2))) + slice(1020, 1030, 5, "b"));
    QCOMPARE(ranges_of(trace), (QStringList {"a 0-10", "b 20-30"}));
    QVERIFY(trace.meta.at(meta::not_shown).find("damaged 1") != std::string::npos);
}

void tst_PerfettoImport::noTrace_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const std::string& bytes, const QString& words) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())) << words;
    };
    const auto sound = thread_track(5, 1, 2, "t") + slice(1000, 1010, 5, "a");
    const auto size = std::to_string(sound.size());
    row("a group", sound + "\x0B",
        QString::fromStdString("byte " + size + ": expected a field of type 0, 1, 2 or 5, found type 3"));
    row("field 0", sound + std::string("\x02\x00", 2),
        QString::fromStdString("byte " + size + ": expected a field of 1 to 536870911, found field 0"));
    row("a long number", sound + "\x0A" + std::string(11, '\xFF'),
        QString::fromStdString("byte " + std::to_string(sound.size() + 1)
            + ": expected a number of at most 10 bytes, found a longer one"));
    row("a long packet", sound + "\x0A" + varint(std::uint64_t {1} << 40U),
        QString::fromStdString(
            "byte " + size + ": expected a packet of at most 64 MiB, found one of 1099511627776 bytes"));
    row("only damage", packet(num(8, 5) + data(11, "\x5A\x7F")),
        "no packet in it can be read; the first is the packet at byte 2: expected 127 bytes of field 11, found 0");
    row("nothing in it", packet(num(8, 5) + num(10, 1)),
        "is a trace of Perfetto without slices, counters or work of a GPU");
}

void tst_PerfettoImport::noTrace()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, words);
    try {
        open(bytes.toStdString());
        QFAIL("it opened");
    } catch (const StoreError& error) {
        QVERIFY2(QString::fromUtf8(error.what()).contains(words), error.what());
    }
}

/// JSON may begin as a packet does, and a profile of XLA is of protobuf, too.
void tst_PerfettoImport::recognised()
{
    const auto name_of_format = [](const std::string& begin) {
        const auto* const format = format_of(begin, "x");
        return format == nullptr ? std::string_view() : format->name;
    };
    QCOMPARE(name_of_format(thread_track(5, 1, 2, "t")), std::string_view("perfetto"));
    QCOMPARE(name_of_format(packet(num(8, 1) + data(11, std::string(600, 'x'))).substr(0, 512)),
        std::string_view("perfetto"));
    QCOMPARE(name_of_format("\n{\"traceEvents\": []}"), std::string_view("json"));
    QCOMPARE(name_of_format("\n[\n{\"ph\": \"X\"}]"), std::string_view("json"));
    QCOMPARE(name_of_format(data(1, num(1, 3) + data(2, "/device:GPU:0") + data(3, "x"))), std::string_view());
    QCOMPARE(name_of_format(""), std::string_view());
}

QTEST_GUILESS_MAIN(tst_PerfettoImport)
#include "tst_perfetto_import.moc"
