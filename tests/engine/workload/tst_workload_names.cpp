// SPDX-License-Identifier: MIT
// Steps: every form, and errors in a step that are found before unrolling.
#include "tests/engine/workload/workload_texts.h"

#include <QTest>

using namespace lanes;

class tst_WorkloadNames : public QObject {
    Q_OBJECT

private slots:
    void steps_data()
    {
        QTest::addColumn<QString>("steps");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* steps, const char* error) {
            QTest::newRow(steps) << "    - " + QString(steps) + "\n" << error;
        };
        // Every correct form.
        row("kernel: {stream: a, time: 2 ms}", "");
        row("kernel: {name: k $n, stream: a, time: $long, blocks: all, work: spin, reads: x, writes: [x.0, x.$(n - "
            "1)], value: $(x.0 / 2)}",
            "");
        row("kernel: {stream: a, flops: 1e9, bytes: 1 GiB, blocks: 3, work: memory}", "");
        row("copy: {from: x.0, to: h.0, stream: a}", "");
        row("copy: {from: x.0, to: h.0, stream: a, range: 0 MiB .. $size / 2, blocking: $flag}", "");
        row("copy: {from: h.0, to: x.0, call: cudaMemcpy}", "");
        row("copy: {from: h.0, to: x.0, stream: legacy, call: cudaMemcpy}", "");
        row("memset: {to: x.0, stream: a, range: 0 KiB..4 KiB, value: 255, blocking: true}", "");
        row("cpu: {time: 2 ms}", "");
        row("cpu: {time: 2 ms, kind: sleep, name: think}", "");
        row("cpu: {memcpy: 64 MiB}", "");
        row("read: {buffer: h}", "");
        row("read: {buffer: [h.0, h.1], expect: stale}", "");
        row("record: {event: e.0, stream: a}", "");
        row("sync: device", "");
        row("sync: {stream: per_thread}", "");
        row("sync: {device: 0}", "");
        row("repeat: $n\n      from: 1\n      step: 2\n      as: i\n      do: [{cpu: {time: $(i * 1 ms)}}]", "");
        row("if: $n % 2 == 0\n      then: [{sync: device}]\n      else: []", "");
        row("while: h.0 > 1\n      at_most: 3\n      do: [{sync: device}]", "");
        row("range: step $n\n      do: []", "");
        row("alloc: {buffer: z}", "");
        row("alloc: {buffer: z, stream: a}", "");
        row("capture: {graph: g, stream: a, do: [{kernel: {stream: a, time: 2 us}}]}", "");
        row("fault: {stream: a}", "");

        // Keys.
        row("kernel: {strem: a, time: 2 ms}",
            "15:16: unknown key 'strem', expected name, stream, time, flops, bytes, blocks, work, reads, writes or "
            "value; "
            "did you mean 'stream'? (in 'kernel')");
        row("kernel: {time: 2 ms}", "15:15: 'kernel' lacks 'stream'");
        row("kernel: {stream: a}", "15:7: 'kernel' lacks its length, expected time, flops or bytes");
        row("kernel: {stream: a, time: 2 ms, flops: 1}",
            "15:7: 'kernel' has a time and flops or bytes, expected one of them");
        row("kernel: a", "15:15: found 'a', expected a map: kernel: {name: …}");
        row("kernel:", "15:7: found nothing, expected a map: kernel: {name: …}");
        row("copy: {from: x.0, to: h.0}", "15:7: 'copy' lacks 'stream'");
        row("copy: {from: h.0, to: x.0, call: cudaMemcpy, blocking: true}",
            "15:62: found 'blocking' beside 'call: cudaMemcpy', which blocks by itself");
        row("cpu: {}", "15:7: 'cpu' expects either time or memcpy");
        row("cpu: {time: 2 ms, memcpy: 1 B}", "15:7: 'cpu' expects either time or memcpy");
        row("cpu: {memcpy: 1 B, kind: spin}", "15:32: found 'kind' beside 'memcpy', expected it beside 'time'");
        row("sync: {}", "15:7: 'sync' expects one of device, stream or event");
        row("sync: {stream: a, event: e.0}", "15:7: 'sync' expects one of device, stream or event");
        row("sync: devise", "15:13: unknown device 'devise', expected device; did you mean 'device'?");
        row("repeat: 3", "15:7: 'repeat' lacks 'do'");
        row("repeat: 3\n      doo: []",
            "16:7: unknown key 'doo', expected from, step, as, do or lines; did you mean 'do'? (beside 'repeat')");
        row("sync: device\n      stream: a", "16:7: unknown key 'stream', expected lines (beside 'sync')");
        row("while: h.0 > 1\n      do: []", "15:7: 'while' lacks 'at_most'");
        row("if: true", "15:7: 'if' lacks 'then'");
        row("repeat: 3\n      do: {sync: device}", "16:11: found a map, expected a list of steps");
        row("repeat: [3]\n      do: []", "15:15: found a list, expected a value for 'repeat'");

        // Names.
        row("kernel: {stream: cc, time: 2 ms}",
            "15:24: unknown stream 'cc', expected a, b, c, d, legacy or per_thread; did you mean 'c'?");
        row("kernel: {stream: a, time: 2 ms, writes: [x.0, y.0]}",
            "15:53: unknown buffer 'y', expected x, z or h; did you mean 'x'?");
        row("kernel: {stream: a, time: 2 ms, writes: w.$n}",
            "15:47: unknown buffer 'w', expected x, z or h; did you mean 'x'?");
        row("record: {event: g, stream: a}", "15:23: unknown event 'g', expected e or f; did you mean 'e'?");
        row("record: {event: e.$m, stream: a}",
            "15:25: unknown parameter '$m', expected $n, $size, $long, $flag or $kind; did you mean '$n'?");
        row("record: {event: e.$(n + m), stream: a}",
            "15:31: unknown name 'm', expected x, z, h, n, size, long, flag or kind; did you mean 'x'?");
        row("record: {event: e.first, stream: a}",
            "15:23: found 'e.first', expected the number of an element after '.'");
        row("kernel: {stream: $kind, time: 2 ms}",
            "15:24: unknown stream 'small', expected a, b, c, d, legacy or per_thread");
        row("put: q", "15:12: unknown queue 'q', there is none here");
        row("join: mian", "15:13: unknown thread 'mian', expected main; did you mean 'main'?");
        row("call: load", "15:13: unknown part 'load', there is none here");
        row("launch: {graph: g, stream: a}", "15:23: unknown graph 'g', there is none here");
        row("kernel: {stream: a, time: 2 ms, work: fam}",
            "15:45: unknown work 'fam', expected fma, spin or memory; did you mean 'fma'?");
        row("read: {buffer: h, expect: old}", "15:33: unknown expect 'old', expected fresh or stale");

        // Units and types.
        row("kernel: {stream: a, time: 2}", "15:33: found a number, expected a time such as 2 ms for 'time'");
        row("kernel: {stream: a, time: $size}",
            "15:33: found a size such as 64 MiB, expected a time such as 2 ms for 'time'");
        row("kernel: {stream: a, time: 2 KiB}",
            "15:33: found a size such as 64 MiB, expected a time such as 2 ms for 'time'");
        row("kernel: {stream: a, time: 2 ms * $n * 1 us}",
            "15:43: '*' cannot take a time such as 2 ms and a time such as 2 ms");
        row("copy: {from: x.0, to: h.0, stream: a, range: 0 .. 4 KiB}",
            "15:52: found a number, expected a size such as 64 MiB for 'range'");
        row("copy: {from: x.0, to: h.0, stream: a, range: 0 B .. 4}",
            "15:59: found a number, expected a size such as 64 MiB for 'range'");
        row("copy: {from: x.0, to: h.0, stream: a, range: 4 KiB}",
            "15:52: found '4 KiB', expected a range such as 0 MiB .. 16 MiB");
        row("copy: {from: x.0, to: h.0, stream: a, blocking: 1}",
            "15:55: found a number, expected true or false for 'blocking'");
        row("repeat: 3 ms\n      do: []", "15:15: found a time such as 2 ms, expected a number for 'repeat'");
        row("if: $n\n      then: []", "15:11: found a number, expected true or false for 'if'");
        row("if: $n == 3 ms\n      then: []", "15:14: '==' cannot take a number and a time such as 2 ms");
        row("cpu: {time: h.0 * 1 ms}",
            "15:23: a buffer's value cannot be used here, expected something known before the run");
        row("range: r $(h.0)\n      do: []",
            "15:18: a buffer's value cannot be used here, expected something known before the run");
        row("while: $n > 1\n      at_most: 3\n      do: []",
            "15:14: this condition never changes, expected one on a buffer's value (or 'repeat')");

        // Loop variables.
        row("repeat: 3\n      as: n\n      do: []", "16:11: 'n' is already defined, expected another name after 'as'");
        row("repeat: 3\n      as: x\n      do: []", "16:11: 'x' is already defined, expected another name after 'as'");
        row("repeat: 3\n      as: 3\n      do: []",
            "16:11: found '3', expected a name: letters, digits and '_', no digit first");
        row("repeat: 3\n      as: i\n      do: [{repeat: 2, as: i, do: []}]",
            "17:28: 'i' is already defined, expected another name after 'as'");
        row("repeat: $i\n      as: i\n      do: []",
            "15:15: unknown parameter '$i', expected $n, $size, $long, $flag or $kind; did you mean '$n'?");
        row("if: false\n      then: [{sync: {stream: nowhere}}]",
            "16:30: unknown stream 'nowhere', expected a, b, c, d, legacy or per_thread");

        // Lines of code.
        row("sync: device\n      lines: {cuda: 1}",
            "16:15: found 'lines' into code.cuda, but the workload has no such code");
        row("sync: device\n      lines: {torch: 1}",
            "16:15: unknown key 'torch', expected pytorch or cuda; did you mean 'pytorch'? (in 'lines')");
    }
    void steps()
    {
        QFETCH(QString, steps);
        QFETCH(QString, error);
        QCOMPARE(error_of(with_steps(steps.toStdString())), error);
    }

    void linesPointIntoTheCode()
    {
        const std::string code = "code: {cuda: \"a\\nb\\nc\", pytorch: \"a\\n\"}\n";
        const auto info = [&](const std::string& lines) {
            return program_of(code + "threads:\n  main:\n    - sync: device\n      lines: " + lines + "\n").steps.at(0);
        };
        QCOMPARE(info("{cuda: 3, pytorch: 1}").cuda_line, 3U);
        QCOMPARE(info("{cuda: 3, pytorch: 1}").pytorch_line, 1U);
        QCOMPARE(info("{cuda: 2}").pytorch_line, 0U);
        const std::string text = "threads:\n  main:\n    - sync: device\n      lines: ";
        QCOMPARE(
            error_of(code + text + "{cuda: 4}\n"), QString("5:21: found '4', expected a whole number from 1 to 3"));
        QCOMPARE(
            error_of(code + text + "{pytorch: 2}\n"), QString("5:24: found '2', expected a whole number from 1 to 1"));
    }

    void parts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("calls itself") << "parts: {p: [{call: p}]}\nthreads: {main: [{call: p}]}"
                                      << "1:20: part 'p' calls itself";
        QTest::newRow("in a circle") << "parts: {p: [{call: q}], q: [{call: p}]}\nthreads: {main: [{call: p}]}"
                                     << "1:36: part 'p' calls itself";
        QTest::newRow("never called, in a circle") << "parts: {p: [{call: q}], q: [{call: p}]}\nthreads: {main: []}"
                                                   << "1:36: part 'p' calls itself";
        QTest::newRow("never called, wrong") << "parts: {p: [{sync: {stream: s}}]}\nthreads: {main: []}"
                                             << "1:29: unknown stream 's', expected legacy or per_thread";
        QTest::newRow("uses the caller's variable")
            << "parts: {p: [{cpu: {time: 1 ms * $i}}]}\nthreads: {main: [{repeat: 2, as: i, do: [{call: p}]}]}"
            << "";
        QTest::newRow("uses a variable that one caller lacks")
            << "parts: {p: [{cpu: {time: 1 ms * $i}}]}\nthreads: {main: [{repeat: 2, as: i, do: [{call: p}]}, {call: "
               "p}]}"
            << "1:33: unknown parameter '$i', there is none here";
    }
    void parts()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        QCOMPARE(error_of(text.toStdString()), error);
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadNames)
#include "tst_workload_names.moc"
