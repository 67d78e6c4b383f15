// SPDX-License-Identifier: MIT
// Steps -> instructions: loops, branches, parts, threads, values, places.
#include "tests/engine/workload/workload_texts.h"

#include <QTest>

using namespace lanes;

namespace {

/// One word an instruction, for people.
struct Words {
    const Program& program;
    static QString name(const std::string& text) { return QString::fromStdString(text); }
    QString buffer(Index index) const { return name(program.buffers.at(index).name); }
    QString stream(Index index) const
    {
        return index == no_id ? QString("none") : name(program.streams.at(index).name);
    }
    QString operator()(const KernelAction& a) const { return name(a.name) + "@" + stream(a.stream); }
    QString operator()(const CopyAction& a) const
    {
        return buffer(a.from) + ">" + buffer(a.to) + "@" + stream(a.stream) + (a.blocking ? "!" : "");
    }
    QString operator()(const MemsetAction& a) const { return "set " + buffer(a.to) + "@" + stream(a.stream); }
    QString operator()(const CpuAction& a) const { return QString("cpu %1").arg(a.time); }
    QString operator()(const WriteAction& a) const { return name(a.name); }
    QString operator()(const ReadAction& a) const { return "read " + name(a.name); }
    QString operator()(const RecordAction& a) const
    {
        return "rec " + name(program.events[a.event]) + "@" + stream(a.stream);
    }
    QString operator()(const WaitAction& a) const
    {
        return "wait " + name(program.events[a.event]) + "@" + stream(a.stream);
    }
    QString operator()(const SyncDeviceAction& a) const { return QString("sync %1").arg(a.gpu); }
    QString operator()(const SyncStreamAction& a) const { return "sync " + stream(a.stream); }
    QString operator()(const SyncEventAction& a) const { return "sync " + name(program.events[a.event]); }
    QString operator()(const RangeBeginAction& a) const { return "<" + name(a.name); }
    QString operator()(const RangeEndAction&) const { return ">"; }
    QString operator()(const PutAction& a) const { return "put " + name(program.queues[a.queue].name); }
    QString operator()(const GetAction& a) const { return "get " + name(program.queues[a.queue].name); }
    QString operator()(const JoinAction& a) const { return "join " + name(program.threads[a.thread].name); }
    QString operator()(const AllocAction& a) const { return "alloc " + buffer(a.buffer) + "@" + stream(a.stream); }
    QString operator()(const FreeAction& a) const { return "free " + buffer(a.buffer) + "@" + stream(a.stream); }
    QString operator()(const CaptureBeginAction& a) const { return "capture " + name(program.graphs[a.graph]); }
    QString operator()(const CaptureEndAction&) const { return "end"; }
    QString operator()(const LaunchAction& a) const { return "launch " + name(program.graphs[a.graph]); }
    QString operator()(const CollectiveAction& a) const { return QString("reduce %1").arg(a.buffers.size()); }
    QString operator()(const FaultAction& a) const { return "fault@" + stream(a.stream); }
    QString operator()(const BranchAction& a) const
    {
        return QString(a.condition.empty() ? "go %1" : "unless %1").arg(a.target);
    }
};

QString listing(const Program& program, std::size_t thread = 0)
{
    QStringList words;
    for (const auto& instruction : program.threads.at(thread).instructions) {
        words << std::visit(Words {program}, instruction.action);
    }
    return words.join(" | ");
}

template <class A> A first(const Program& program)
{
    for (const auto& instruction : program.threads.at(0).instructions) {
        if (const A* action = std::get_if<A>(&instruction.action)) {
            return *action;
        }
    }
    throw std::logic_error("there is no such instruction");
}

}  // namespace

class tst_WorkloadCompile : public QObject {
    Q_OBJECT

private slots:
    void unrolls_data()
    {
        QTest::addColumn<QString>("steps");
        QTest::addColumn<QString>("instructions");
        const auto row = [](const char* steps, const char* instructions) {
            QTest::newRow(steps) << "    - " + QString(steps) + "\n" << instructions;
        };
        row("repeat: 3\n      as: i\n      do: [{cpu: {time: $i * 1 ns}}]", "cpu 0 | cpu 1 | cpu 2");
        row("repeat: 3\n      from: 10\n      step: -4\n      as: i\n      do: [{cpu: {time: ($i + 5) * 1 ns}}]",
            "cpu 15 | cpu 11 | cpu 7");
        row("repeat: 0\n      do: [{sync: device}]", "");
        row("repeat: 2\n      do: [{sync: device}]", "sync 0 | sync 0");
        row("repeat: 2\n      as: i\n      do:\n        - repeat: $i + 1\n          as: k\n          do: [{cpu: {time: "
            "(10 * $i + $k) * 1 ns}}]",
            "cpu 0 | cpu 10 | cpu 11");
        row("if: $n > 3\n      then: [{cpu: {time: 1 ns}}]\n      else: [{cpu: {time: 2 ns}}]", "cpu 1");
        row("if: $n > 4\n      then: [{cpu: {time: 1 ns}}]\n      else: [{cpu: {time: 2 ns}}]", "cpu 2");
        row("if: $n > 4\n      then: [{cpu: {time: 1 ns}}]", "");
        row("if: $kind == small\n      then: [{cpu: {time: 1 ns}}]", "cpu 1");
        row("repeat: 6\n      as: i\n      do: [{if: $i % 3 == 0, then: [{cpu: {time: $i * 1 ns}}]}]", "cpu 0 | cpu 3");
        row("if: h.0 > 1\n      then: [{cpu: {time: 1 ns}}]", "unless 2 | cpu 1");
        row("if: h.0 > 1\n      then: [{cpu: {time: 1 ns}}]\n      else: [{cpu: {time: 2 ns}}, {cpu: {time: 3 ns}}]",
            "unless 3 | cpu 1 | go 5 | cpu 2 | cpu 3");
        row("while: h.0 > 1\n      at_most: 2\n      do: [{cpu: {time: 1 ns}}, {cpu: {time: 2 ns}}]",
            "unless 6 | cpu 1 | cpu 2 | unless 6 | cpu 1 | cpu 2");
        row("range: part $(n / 2)\n      do: [{sync: device}]", "<part 2 | sync 0 | >");
        row("copy: {from: x.0, to: h.$(n - 1), stream: b, blocking: $flag}", "x.0>h.3@b!");
        row("copy: {from: x.1, to: z, call: cudaMemcpy}", "x.1>z@legacy");
        row("copy: {from: h.0, to: h.1, stream: a}", "h.0>h.1@a");
        row("memset: {to: z.0, stream: per_thread}", "set z@per_thread");
        row("kernel: {stream: a, time: 1 us}", "kernel@a");
        row("record: {event: f, stream: a}\n    - sync: {event: f}\n    - wait: {event: f, stream: b}",
            "rec f@a | sync f | wait f@b");
        row("alloc: {buffer: x}\n    - free: {buffer: x.2, stream: a}",
            "alloc x.0@none | alloc x.1@none | alloc x.2@none | alloc x.3@none | free x.2@a");
        row("capture: {graph: g.$n, stream: a, do: [{kernel: {stream: a, time: 2 us}}]}\n    - launch: {graph: g.4, "
            "stream: b}",
            "capture g.4 | kernel@a | end | launch g.4");
        row("fault: {stream: c}", "fault@c");
    }
    void unrolls()
    {
        QFETCH(QString, steps);
        QFETCH(QString, instructions);
        QCOMPARE(listing(program_of(with_steps(steps.toStdString()))), instructions);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("steps");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* steps, const char* error) {
            QTest::newRow(steps) << "    - " + QString(steps) + "\n" << error;
        };
        row("repeat: $n / 3\n      do: []", "15:15: 'repeat' is 1.33333, expected a whole number");
        row("repeat: -1\n      do: []", "15:15: 'repeat' is -1, expected 0 to 1000000000");
        row("kernel: {stream: a, time: 0 ns}", "15:33: 'time' is 0 ns, expected 1 ns to 600 s");
        row("kernel: {stream: a, time: 1 us, blocks: 0}",
            "15:47: 'blocks' is '0', expected 'all' or a whole number from 1 to 2147483647");
        row("kernel: {stream: a, time: 1 us, blocks: many}",
            "15:47: 'blocks' is 'many', expected 'all' or a whole number from 1 to 2147483647");
        row("kernel: {stream: a, time: 1 us, value: 3}",
            "15:46: found 'value' of a kernel that writes nothing, expected 'writes'");
        row("copy: {from: x, to: h.0, stream: a}",
            "15:20: buffer 'x' has 4 elements, expected one of them: x.0 to x.3");
        row("copy: {from: x.4, to: h.0, stream: a}", "15:20: there is no buffer 'x.4', expected x.0 to x.3");
        row("copy: {from: x.$(n), to: h.0, stream: a}", "15:20: there is no buffer 'x.4', expected x.0 to x.3");
        row("copy: {from: x.$(0 - 1), to: h.0, stream: a}", "15:20: there is no buffer 'x.-1', expected x.0 to x.3");
        row("copy: {from: z.1, to: h.0, stream: a}", "15:20: there is no buffer 'z.1', expected z");
        row("copy: {from: x.0, to: x.0, stream: a}", "15:29: found 'x.0' on both ends of a copy, expected two buffers");
        row("copy: {from: x.0, to: h.0, stream: a, range: 1 MiB .. 2 MiB}",
            "15:20: the copy reaches to 2 MiB, but 'x.0' has 1 MiB");
        row("copy: {from: x.0, to: h.0, stream: a, range: 4 KiB .. 4 KiB}",
            "15:52: found the range 4 KiB .. 4 KiB, expected a range that starts at 0 B or more and ends after its "
            "start");
        row("copy: {from: x.0, to: h.0, stream: a, range: -4 KiB .. 4 KiB}",
            "15:52: found the range -4 KiB .. 4 KiB, expected a range that starts at 0 B or more and ends after its "
            "start");
        // 2^63 .. 2^64: their offset and length add up to 0 in 64 bits.
        row("copy: {from: x.0, to: h.0, stream: a, range: 8589934592 GiB .. 17179869184 GiB}",
            "15:52: found the range 8589934592 GiB .. 17179869184 GiB, which no buffer has");
        row("copy: {from: x.0, to: h.0, stream: a, call: cudaMemcpy}",
            "15:42: found a stream of 'call: cudaMemcpy', which is always on the legacy stream");
        row("memset: {to: h.0, stream: a}",
            "15:20: found 'h.0' in pinned host memory, expected a buffer on the stream's gpu 0");
        const QByteArray deep = QByteArray("x.0 + x.0 * (").repeated(17) + "x.0" + QByteArray(")").repeated(17);
        row(("kernel: {stream: a, time: 1 us, writes: z, value: $(" + deep + ")}").constData(),
            "15:57: this formula keeps more than 32 values waiting, expected fewer: compute a part of it in a kernel "
            "before");
        row("memset: {to: z, stream: a, value: 256}", "15:41: 'value' is 256, expected 0 to 255");
        row("memset: {to: z, stream: a, range: 0 B .. 2 MiB}",
            "15:20: the memset reaches beyond the end of 'z', which has 1 MiB");
        row("read: {buffer: z}", "15:22: found 'z' on gpu 0, expected a buffer on the host");
        row("while: x.0 > 1\n      at_most: 3\n      do: []",
            "15:14: found 'x.0' on gpu 0, expected a buffer on the host");
        row("while: h.9 > 1\n      at_most: 3\n      do: []", "15:14: there is no buffer 'h.9', expected h.0 to h.3");
        row("while: h.0 > 1\n      at_most: 0\n      do: []", "16:16: 'at_most' is 0, expected 1 to 1000000000");
        row("sync: {device: 1}", "15:22: 'device' is 1, expected 0");
        row("cpu: {time: 1 ms * ($n - 9)}", "15:19: 'time' is -5 ms, expected 0 ns to 600 s");
        row("cpu: {time: 1 ms / ($n - 4)}", "15:24: division by zero");
        row("alloc: {buffer: h.0, stream: a}",
            "15:23: found 'h.0' in pinned host memory, expected a buffer on the gpu of the stream whose pool it comes "
            "from");
        row("capture: {graph: g, stream: a, do: [{sync: device}]}",
            "15:44: found 'sync' inside 'capture', which allows only steps that do not make the host wait");
        row("capture: {graph: g, stream: a, do: [{copy: {from: x.0, to: h.0, stream: a, blocking: true}}]}",
            "15:44: found 'copy' inside 'capture', which allows only steps that do not make the host wait");
        row("capture: {graph: g, stream: legacy, do: []}",
            "15:35: the legacy stream cannot be captured, expected another stream");
        row("capture: {graph: g, stream: a, do: [{capture: {graph: k, stream: a, do: []}}]}",
            "15:44: found 'capture' inside 'capture'");
    }
    void refuses()
    {
        QFETCH(QString, steps);
        QFETCH(QString, error);
        QCOMPARE(error_of(with_steps(steps.toStdString())), error);
    }

    void kernelsKeepWhatTheyWereGiven()
    {
        const Program program
            = program_of(with_steps("    - kernel: {name: k $n, stream: b, time: 1.5 us, blocks: 7, work: memory, "
                                    "reads: [x.1, h.0], writes: x, value: $(x.1 / 2)}\n"));
        const auto kernel = first<KernelAction>(program);
        QCOMPARE(kernel.name, std::string("k 4"));
        QCOMPARE(kernel.time, Ns(1500));
        QCOMPARE(kernel.blocks, 7U);
        QVERIFY(kernel.work == KernelWork::memory);
        QCOMPARE(kernel.reads, (std::vector<Index> {1, 5}));
        QCOMPARE(kernel.writes, (std::vector<Index> {0, 1, 2, 3}));
        QCOMPARE(kernel.value.items.size(), std::size_t(3));
        QCOMPARE(kernel.value.items[0].buffer, 1U);
        QCOMPARE(program.streams.size(), std::size_t(1));
        QCOMPARE(program.steps.at(kernel.stream).line, 15U);
        QCOMPARE(program.steps.at(0).column, 7U);
        QCOMPARE(program.steps.at(0).label, std::string("kernel k $n on b"));

        const auto constant = first<KernelAction>(
            program_of(with_steps("    - kernel: {stream: b, flops: 1e9, bytes: 1 KiB, writes: z, value: 3}\n")));
        QCOMPARE(constant.value.items.size(), std::size_t(1));
        QCOMPARE(constant.value.items[0].number, 3.0);
        QCOMPARE(constant.flops, 1e9);
        QCOMPARE(constant.bytes, 1024.0);
        QCOMPARE(constant.blocks, 0U);
        QVERIFY(constant.work == KernelWork::fma);
    }

    void rangesOfCopies()
    {
        const auto copy = first<CopyAction>(
            program_of(with_steps("    - copy: {from: x.0, to: h.0, stream: a, range: $size / 3 .. $size / 3 * 2}\n")));
        QCOMPARE(copy.offset, std::uint64_t((1 << 20) / 3));
        QCOMPARE(copy.bytes, std::uint64_t((1 << 20) * 2 / 3 - (1 << 20) / 3));
        const auto whole = first<CopyAction>(program_of(with_steps("    - copy: {from: x.0, to: h.0, stream: a}\n")));
        QCOMPARE(whole.offset, std::uint64_t(0));
        QCOMPARE(whole.bytes, std::uint64_t(1 << 20));
    }

    void declaredThings()
    {
        const Program program = program_of(R"(
buffers:
  x: {on: gpu $i, bytes: 64 B * ($i + 1), count: 2, as: i, value: 5}
  p: {on: host, bytes: 8 B}
  q: {on: host, bytes: 8 B, memory: pinned}
streams:
  unused: {gpu: 0}
  s: {gpu: $g, count: 2, as: g, kind: blocking, priority: high}
  t: {priority: low}
events: {e: {count: 2}, f: {}}
queues: {q: {capacity: 3}}
peers: [[0, 1]]
threads:
  main:
    - kernel: {stream: s.1, time: 1 us, reads: x.0, writes: x.1}
    - kernel: {stream: t, time: 1 us}
    - kernel: {stream: legacy.1, time: 1 us}
    - sync: device
    - copy: {from: x.0, to: x.1, stream: s.0}
)");
        QCOMPARE(program.gpus, 2U);
        QCOMPARE(program.buffers.size(), std::size_t(4));
        QCOMPARE(program.buffers[1].name, std::string("x.1"));
        QCOMPARE(program.buffers[1].gpu, 1U);
        QCOMPARE(program.buffers[1].bytes, std::uint64_t(128));
        QCOMPARE(program.buffers[1].initial_value, 5.0);
        QVERIFY(program.buffers[1].memory == MemoryKind::device);
        QVERIFY(program.buffers[2].memory == MemoryKind::pageable);
        QVERIFY(program.buffers[3].memory == MemoryKind::pinned);
        QCOMPARE(program.buffers[3].gpu, no_id);
        QCOMPARE(listing(program), QString("kernel@s.1 | kernel@t | kernel@legacy.1 | sync 0 | sync 1 | x.0>x.1@s.0"));
        QCOMPARE(program.streams.size(), std::size_t(4));
        QVERIFY(program.streams[0].kind == StreamSpec::Kind::blocking);
        QCOMPARE(program.streams[0].priority, -1);
        QCOMPARE(program.streams[1].gpu, 1U);
        QCOMPARE(program.streams[2].priority, 1);
        QVERIFY(program.streams[2].kind == StreamSpec::Kind::non_blocking);
        QVERIFY(program.streams[3].kind == StreamSpec::Kind::legacy);
        QCOMPARE(program.events, (std::vector<std::string> {"e.0", "e.1", "f"}));
        QCOMPARE(program.queues[0].capacity, 3U);
        QCOMPARE(program.peers, (std::vector<std::pair<std::uint32_t, std::uint32_t>> {{0, 1}}));
    }

    void variantsWithoutPeerAccess()
    {
        const auto workload = parse_workload("buffers: {x: {on: gpu 0, bytes: 8 B}, y: {on: gpu 1, bytes: 8 B}}\n"
                                             "streams: {s: }\npeers: [[0, 1]]\n"
                                             "variants: {with: {}, without: {peer_access: false}}\n"
                                             "threads: {main: [{copy: {from: x, to: y, stream: s}}]}\n",
            "peers.yaml");
        QCOMPARE(compile(workload, "with").peers.size(), std::size_t(1));
        QVERIFY(compile(workload, "without").peers.empty());
        QCOMPARE(compile(workload, "without").gpus, 2U);
    }

    void placesOnGpus_data()
    {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("error");
        QTest::newRow("out of reach") << "kernel: {stream: s, time: 1 us, writes: y}"
                                      << "5:47: found 'y' on gpu 1, expected what a kernel on gpu 0 can reach";
        QTest::newRow("pageable")
            << "kernel: {stream: s, time: 1 us, reads: h}"
            << "5:46: found 'h' in pageable host memory, expected what a kernel on gpu 0 can reach";
        QTest::newRow("stream of another GPU")
            << "copy: {from: h, to: y, stream: s}"
            << "5:38: found a stream of gpu 0, but 'h' is in pageable host memory and 'y' on gpu 1";
        QTest::newRow("peer copy") << "copy: {from: x, to: y, stream: s}"
                                   << "";
        QTest::newRow("pool of another GPU")
            << "alloc: {buffer: y, stream: s}"
            << "5:23: found 'y' on gpu 1, expected a buffer on the gpu of the stream whose pool it comes from";
        QTest::newRow("all_reduce") << "all_reduce: {buffers: [x, y], streams: [s, t]}"
                                    << "";
        QTest::newRow("all_reduce of one stream") << "all_reduce: {buffers: [x, y], streams: [s]}"
                                                  << "5:46: found 1 stream for 2 buffers, expected one for each";
        QTest::newRow("all_reduce crosswise") << "all_reduce: {buffers: [x, y], streams: [t, s]}"
                                              << "5:29: found 'x' on gpu 0, but its stream is on gpu 1";
        QTest::newRow("all_gather of a word") << "all_gather: {buffers: [x, y], streams: [s, t]}"
                                              << "5:29: found 'x' of 8 B, expected a multiple of 16 B: each GPU has an "
                                                 "equal part, in words of 8 B";
        QTest::newRow("reduce_scatter of one stream") << "reduce_scatter: {buffers: [x, y], streams: [s]}"
                                                      << "5:50: found 1 stream for 2 buffers, expected one for each";
        QTest::newRow("send_recv of three")
            << "send_recv: {buffers: [x, y, x], streams: [s, t, s]}"
            << "5:28: found 3 buffers, expected two: the one that is sent, and the one that it is received in";
        QTest::newRow("broadcast of one")
            << "broadcast: {buffers: [x], streams: [s]}"
            << "5:28: found 1 buffer, expected two or more: this goes from one GPU to others";
        QTest::newRow("all_reduce of one") << "all_reduce: {buffers: [x], streams: [s]}"
                                           << "";
        QTest::newRow("the cache of no stream") << "alloc: {buffer: z}"
                                                << "5:23: found 'z' of the caching allocator, whose blocks belong to a "
                                                   "stream, expected 'stream' too";
        QTest::newRow("freed to the cache on a stream")
            << "free: {buffer: z, stream: s}"
            << "5:33: found a stream, but 'z' goes back to the caching allocator, expected none";
        QTest::newRow("all_reduce twice") << "all_reduce: {buffers: [x, x], streams: [s, s]}"
                                          << "5:46: found two streams on gpu 0, expected one for each GPU";
    }
    void placesOnGpus()
    {
        QFETCH(QString, step);
        QFETCH(QString, error);
        const std::string text
            = "buffers: {x: {on: gpu 0, bytes: 8 B}, y: {on: gpu 1, bytes: 8 B}, h: {on: host, bytes: 8 B}, "
              "z: {on: gpu 0, memory: cached, bytes: 8 B}}\n"
              "streams: {s: {gpu: 0}, t: {gpu: 1}}\n"
              "threads:\n  main:\n    - "
            + step.toStdString() + "\n";
        const QString found = error_of(text);
        QCOMPARE(found, error);
    }

    void threadsAndParts()
    {
        const Program program = program_of(R"(
parameters: {workers: {default: 2}}
queues: {batches: {capacity: 4}, own: {capacity: 1, count: 2}}
parts:
  load: [{cpu: {time: ($w + 1) * 1 ns}}, {put: batches}]
threads:
  main:
    - repeat: 4
      do: [{get: batches}]
    - repeat: 2
      as: w
      do: [{call: load}]
    - join: loader
    - join: loader.1
  loader:
    count: $workers
    as: w
    do:
      - repeat: 2
        do: [{call: load}]
)");
        QCOMPARE(program.threads.size(), std::size_t(3));
        QCOMPARE(program.threads[2].name, std::string("loader.1"));
        QCOMPARE(listing(program, 0),
            QString("get batches | get batches | get batches | get batches | cpu 1 | put batches | "
                    "cpu 2 | put batches | join loader.0 | join loader.1 | join loader.1"));
        QCOMPARE(listing(program, 1), QString("cpu 1 | put batches | cpu 1 | put batches"));
        QCOMPARE(listing(program, 2), QString("cpu 2 | put batches | cpu 2 | put batches"));
        QCOMPARE(program.queues.size(), std::size_t(3));
        QCOMPARE(program.queues[1].name, std::string("own.0"));
    }

    void variantsAndSettings()
    {
        const std::string text = "parameters: {n: {default: 1}}\nvariants: {two: {n: 2}, three: {n: 3}}\n"
                                 "threads: {main: [{repeat: $n, do: [{sync: device}]}]}\n";
        const auto syncs = [&](const char* variant, const Settings& settings) {
            return program_of(text, variant, settings).threads[0].instructions.size();
        };
        QCOMPARE(syncs("", {}), std::size_t(1));
        QCOMPARE(syncs("two", {}), std::size_t(2));
        QCOMPARE(syncs("three", {{"n", "5"}}), std::size_t(5));
        QCOMPARE(program_of(text, "two").variant, std::string("two"));
        QCOMPARE(program_of(text, "two").workload, std::string("w"));
    }

    void streamsByParameter()
    {
        const std::string text = "parameters: {s: {default: legacy, one_of: [legacy, per_thread, a]}}\nstreams: {a: }\n"
                                 "threads: {main: [{kernel: {stream: $s, time: 1 us}}]}\n";
        QCOMPARE(listing(program_of(text)), QString("kernel@legacy"));
        QCOMPARE(listing(program_of(text, "", {{"s", "a"}})), QString("kernel@a"));
        QVERIFY(program_of(text, "", {{"s", "per_thread"}}).streams[0].kind == StreamSpec::Kind::per_thread);
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadCompile)
#include "tst_workload_compile.moc"
