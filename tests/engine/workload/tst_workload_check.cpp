// SPDX-License-Identifier: MIT
// Rules for programs: each is broken, and kept by the smallest change.
#include "tests/engine/workload/workload_texts.h"

#include "engine/workload/check.h"

#include <QTest>
#include <random>

using namespace lanes;

class tst_WorkloadCheck : public QObject {
    Q_OBJECT

private slots:
    void events_data()
    {
        start();
        row("wait before any record", "wait: {event: f, stream: a}",
            "15:7: nothing has made event 'f' yet, expected a 'record' before this step");
        row("wait before the record", "wait: {event: f, stream: a}\n    - record: {event: f, stream: b}",
            "15:7: nothing has made event 'f' yet, expected a 'record' before this step");
        row("wait after the record", "record: {event: f, stream: b}\n    - wait: {event: f, stream: a}", "");
        row("wait for another element", "record: {event: e.0, stream: b}\n    - wait: {event: e.1, stream: a}",
            "16:7: nothing has made event 'e.1' yet, expected a 'record' before this step");
        row("sync before any record", "sync: {event: f}",
            "15:7: nothing has made event 'f' yet, expected a 'record' before this step");
        row("launch before capture", "launch: {graph: g, stream: a}\n    - capture: {graph: g, stream: a, do: []}",
            "15:7: nothing has made graph 'g' yet, expected a 'capture' before this step");
        row("in the first turn of a loop",
            "repeat: 2\n      as: i\n      do: [{wait: {event: e.0, stream: a}}, {record: {event: e.0, stream: b}}]",
            "17:13: nothing has made event 'e.0' yet, expected a 'record' before this step");
        row("the first turn of a loop left out",
            "repeat: 2\n      as: i\n      do:\n        - if: $i > 0\n          then: [{wait: {event: e.0, stream: "
            "a}}]\n        - record: {event: e.0, stream: b}",
            "");
    }
    void events() { verify(); }

    void eventsOfThreads_data()
    {
        QTest::addColumn<QString>("threads");
        QTest::addColumn<QString>("error");
        QTest::newRow("another thread may come first")
            << "{main: [{wait: {event: f, stream: a}}], other: [{record: {event: f, stream: b}}]}"
            << "";
        QTest::newRow("another thread comes after")
            << "{main: [{wait: {event: f, stream: a}}, {put: q}], other: [{get: q}, {record: {event: f, stream: b}}]}"
            << "4:19: event 'f' is recorded only after this step, expected a 'record' before it";
        QTest::newRow("another thread comes before")
            << "{main: [{get: q}, {wait: {event: f, stream: a}}], other: [{record: {event: f, stream: b}}, {put: q}]}"
            << "";
    }
    void eventsOfThreads()
    {
        QFETCH(QString, threads);
        QFETCH(QString, error);
        QCOMPARE(error_of("streams: {a: , b: }\nevents: {f: }\nqueues: {q: {capacity: 1}}\nthreads: "
                     + threads.toStdString() + "\n"),
            error);
    }

    void writers_data()
    {
        const QString k = "kernel: {stream: %1, time: 1 us, writes: z}";
        const auto two = [&](const char* a, const QString& between, const char* b) {
            return k.arg(a) + "\n    - " + between + k.arg(b);
        };
        const QString error = "%1:7: 'z' is written here and at line 15, and nothing orders the two: expected an event "
                              "and a wait between them";
        start();
        row("two streams", two("a", "", "b"), error.arg(16));
        row("one stream", two("a", "", "a"), "");
        row("an event between",
            two("a", "record: {event: f, stream: a}\n    - wait: {event: f, stream: b}\n    - ", "b"), "");
        row("an event too early",
            "record: {event: f, stream: a}\n    - " + two("a", "wait: {event: f, stream: b}\n    - ", "b"),
            "18:7: 'z' is written here and at line 16, and nothing orders the two: expected an event and a wait "
            "between them");
        row("an event of another stream",
            two("a", "record: {event: f, stream: c}\n    - wait: {event: f, stream: b}\n    - ", "b"), error.arg(18));
        row("an event that another stream waits for",
            two("a", "record: {event: f, stream: a}\n    - wait: {event: f, stream: c}\n    - ", "b"), error.arg(18));
        row("two events in a chain",
            two("a",
                "record: {event: e.0, stream: a}\n    - wait: {event: e.0, stream: c}\n    - record: {event: e.1, "
                "stream: c}\n    - wait: {event: e.1, stream: b}\n    - ",
                "b"),
            "");
        row("a sync of the stream", two("a", "sync: {stream: a}\n    - ", "b"), "");
        row("a sync of the other stream", two("a", "sync: {stream: b}\n    - ", "b"), error.arg(17));
        row("a sync of the device", two("a", "sync: device\n    - ", "b"), "");
        row("a sync of an event", two("a", "record: {event: f, stream: a}\n    - sync: {event: f}\n    - ", "b"), "");
        row("blocking streams", two("c", "", "d"), error.arg(16));
        row("the legacy stream waits for blocking ones", two("c", "", "legacy"), "");
        row("blocking streams wait for the legacy one", two("legacy", "", "c"), "");
        row("the legacy stream between", two("c", "kernel: {stream: legacy, time: 1 us}\n    - ", "d"), "");
        row("the legacy stream and a non-blocking one", two("a", "", "legacy"), error.arg(16));
        row("a non-blocking stream and the legacy one", two("legacy", "", "a"), error.arg(16));
        row("the legacy and the per-thread stream", two("legacy", "", "per_thread"), "");
        row("the per-thread stream and a blocking one", two("per_thread", "", "c"), error.arg(16));
        row("a blocking copy after", two("a", "copy: {from: z, to: h.0, stream: a, blocking: true}\n    - ", "b"), "");
        row("a pinned copy after", two("a", "copy: {from: z, to: h.0, stream: a}\n    - ", "b"), error.arg(17));
        row("a memset and a kernel", "memset: {to: z, stream: a}\n    - " + k.arg("b"), error.arg(16));
        row("a blocking memset and a kernel", "memset: {to: z, stream: a, blocking: true}\n    - " + k.arg("b"), "");
        row("a copy on two streams", "copy: {from: h.0, to: z, stream: a}\n    - copy: {from: h.1, to: z, stream: b}",
            error.arg(16));
        row("two halves",
            "copy: {from: h.0, to: z, stream: a, range: 0 KiB .. 512 KiB}\n    - copy: {from: h.0, to: z, stream: b, "
            "range: 512 KiB .. 1 MiB}",
            "");
        row("two halves that meet",
            "copy: {from: h.0, to: z, stream: a, range: 0 KiB .. 513 KiB}\n    - copy: {from: h.0, to: z, stream: b, "
            "range: 512 KiB .. 1 MiB}",
            error.arg(16));
        row("graphs",
            "capture: {graph: g, stream: a, do: [{kernel: {stream: a, time: 1 us, writes: z}}]}\n    - launch: {graph: "
            "g, stream: a}\n    - launch: {graph: g, stream: b}",
            "17:7: 'z' is written here and at line 16, and nothing orders the two: expected an event and a wait "
            "between them");
        row("a graph on one stream",
            "capture: {graph: g, stream: a, do: [{kernel: {stream: a, time: 1 us, writes: z}}]}\n    - launch: {graph: "
            "g, stream: b}\n    - launch: {graph: g, stream: b}",
            "");
    }
    void writers() { verify(); }

    void hostWrites_data()
    {
        const QString copy = "copy: {from: h.0, to: z, stream: a}\n    - ";
        const QString error
            = "%1:7: the host writes 'h.0' here, and nothing orders that after the copy from it at line 15"
              ": expected a sync between them (or racing: true)";
        start();
        row("before the copy", "write: {buffer: h.0, value: 1}\n    - copy: {from: h.0, to: z, stream: a}", "");
        row("during it", copy + "write: {buffer: h.0, value: 1}", error.arg(16));
        row("during it, as is meant", copy + "write: {buffer: h.0, value: 1, racing: true}", "");
        row("of another element", copy + "write: {buffer: h.1, value: 1}", "");
        row("after the stream", copy + "sync: {stream: a}\n    - write: {buffer: h.0, value: 1}", "");
        row("after another stream", copy + "sync: {stream: b}\n    - write: {buffer: h.0, value: 1}", error.arg(17));
        row("after an event",
            copy + "record: {event: f, stream: a}\n    - sync: {event: f}\n    - write: {buffer: h.0, value: 1}", "");
        row("after a blocking copy",
            "copy: {from: h.0, to: z, stream: a, blocking: true}\n    - write: {buffer: h.0, value: 1}", "");
        const QString fill = "cpu: {memcpy: 1 MiB, reads: h.1, writes: h.0}";
        const QString filled
            = "%1:7: the host writes 'h.0' here, and nothing orders that after the copy from it at line 15"
              ": expected a sync between them";
        row("a memcpy before the copy", fill + "\n    - copy: {from: h.0, to: z, stream: a}", "");
        row("a memcpy during it", copy + fill, filled.arg(16));
        row("work that writes it meanwhile", copy + "cpu: {time: 1 us, writes: h.0}", filled.arg(16));
        row("work that reads it meanwhile", copy + "cpu: {time: 1 us, reads: h.0}", "");
        row("a memcpy after an event", copy + "record: {event: f, stream: a}\n    - sync: {event: f}\n    - " + fill,
            "");
        row("a memcpy from what is still to come", "copy: {from: z, to: h.1, stream: a}\n    - " + fill,
            "16:7: the host reads 'h.1' here, and nothing orders that after the copy at line 15: expected a sync "
            "between them");
        row("a memcpy of the GPU's memory", "cpu: {memcpy: 1 KiB, writes: z}",
            "15:36: found 'z' on gpu 0, expected a buffer on the host");
        row("a memcpy that is too long", "cpu: {memcpy: 2 MiB, writes: h.0}",
            "15:36: the memcpy reaches to 2 MiB, but 'h.0' has 1 MiB");
        row("a memcpy into several", "cpu: {memcpy: 1 KiB, writes: h}",
            "15:36: found 4 buffers, expected one for a memcpy");
        row("a memcpy into itself", "cpu: {memcpy: 1 KiB, reads: h.0, writes: h.0}",
            "15:48: found 'h.0' on both ends of a memcpy, expected two buffers");
        row("of what a copy writes", "copy: {from: z, to: h.0, stream: a}\n    - write: {buffer: h.0, value: 1}",
            "16:7: 'h.0' is written here and at line 15, and nothing orders the two: expected an event and a wait "
            "between them");
        row("of the GPU's memory", "write: {buffer: z, value: 1}",
            "15:23: found 'z' on gpu 0, expected a buffer on the host");
    }
    void hostWrites() { verify(); }

    void reads_data()
    {
        const QString copy = "copy: {from: z, to: %1, stream: a%2}\n    - ";
        const QString error = "%1:7: the host reads 'h.0' here, and nothing orders that after the copy at line 15: "
                              "expected a sync between "
                              "them (or expect: stale)";
        start();
        row("nothing between", copy.arg("h.0", "") + "read: {buffer: h.0}", error.arg(16));
        row("the whole of it", copy.arg("h.0", "") + "read: {buffer: h}", error.arg(16));
        row("another element", copy.arg("h.0", "") + "read: {buffer: h.1}", "");
        row("stale on purpose", copy.arg("h.0", "") + "read: {buffer: h.0, expect: stale}", "");
        row("sync device", copy.arg("h.0", "") + "sync: device\n    - read: {buffer: h.0}", "");
        row("sync stream", copy.arg("h.0", "") + "sync: {stream: a}\n    - read: {buffer: h.0}", "");
        row("sync another stream", copy.arg("h.0", "") + "sync: {stream: b}\n    - read: {buffer: h.0}", error.arg(17));
        row("sync event",
            copy.arg("h.0", "") + "record: {event: f, stream: a}\n    - sync: {event: f}\n    - read: {buffer: h.0}",
            "");
        row("a wait is the GPU's",
            copy.arg("h.0", "")
                + "record: {event: f, stream: a}\n    - wait: {event: f, stream: b}\n    - read: {buffer: h.0}",
            error.arg(18));
        row("but a sync of who waits is enough",
            copy.arg("h.0", "")
                + "record: {event: f, stream: a}\n    - wait: {event: f, stream: b}\n    - sync: {stream: b}\n    - "
                  "read: {buffer: h.0}",
            "");
        row("blocking", copy.arg("h.0", ", blocking: true") + "read: {buffer: h.0}", "");
        row("cudaMemcpy", "copy: {from: z, to: h.0, call: cudaMemcpy}\n    - read: {buffer: h.0}", "");
        row("cpu time is no order", copy.arg("h.0", "") + "cpu: {time: 1 s}\n    - read: {buffer: h.0}", error.arg(17));
        row("read before", "read: {buffer: h.0}\n    - copy: {from: z, to: h.0, stream: a}", "");
        row("a second copy",
            copy.arg("h.0", "")
                + "sync: device\n    - copy: {from: x.0, to: h.0, stream: a, range: 0 B .. 8 B}\n    - read: {buffer: "
                  "h.0}",
            "18:7: the host reads 'h.0' here, and nothing orders that after the copy at line 17: expected a sync "
            "between them (or expect: stale)");
        row("a branch reads too", copy.arg("h.0", "") + "if: h.0 > 1\n      then: []",
            "16:7: the host reads 'h.0' here, and nothing orders that after the copy at line 15: expected a sync "
            "between them");
        row("a branch after a sync", copy.arg("h.0", "") + "sync: device\n    - if: h.0 > 1\n      then: []", "");
        row("host to host", "copy: {from: h.1, to: h.0, stream: a}\n    - read: {buffer: h.0}", "");
    }
    void reads() { verify(); }

    void pageableCopiesToTheHostAreDoneWhenTheyReturn()
    {
        const std::string text
            = "buffers: {z: {on: gpu 0, bytes: 1 MiB}, h: {on: host, bytes: 1 MiB}}\nstreams: {a: }\n"
              "threads: {main: [{copy: {from: z, to: h, stream: a}}, {read: {buffer: h}}]}\n";
        QCOMPARE(error_of(text), QString());
    }
    void cudaMemcpyBetweenBuffersOfTheGpuIsNot()
    {
        const std::string text
            = "buffers: {z: {on: gpu 0, bytes: 8 B}, y: {on: gpu 0, bytes: 8 B}}\nstreams: {a: }\n"
              "threads:\n  main:\n    - copy: {from: z, to: y, call: cudaMemcpy}\n    - memset: {to: y, stream: a}\n";
        QCOMPARE(error_of(text).section(':', 0, 1), QString("6:7"));
    }

    void threads_data()
    {
        QTest::addColumn<QString>("threads");
        QTest::addColumn<QString>("error");
        const auto row
            = [](const char* name, const char* threads, const char* error) { QTest::newRow(name) << threads << error; };
        row("get before put", "main: [{get: q}, {put: q}]",
            "6:11: threads wait here forever: 'main' for something in queue 'q'");
        row("put before get", "main: [{put: q}, {get: q}]", "");
        row("put more than there is room", "main: [{put: q}, {put: q}, {put: q}]",
            "6:31: threads wait here forever: 'main' for room in queue 'q'");
        row("two in a circle", "main: [{get: q}, {put: r}]\n  other: [{get: r}, {put: q}]",
            "6:11: threads wait here forever: 'main' for something in queue 'q', 'other' for something in queue 'r' "
            "(line 7)");
        row("two in turn", "main: [{put: q}, {get: r}]\n  other: [{get: q}, {put: r}]", "");
        row("join of oneself", "main: [{join: main}]", "6:11: threads wait here forever: 'main' for the end of 'main'");
        row("join of one who waits", "main: [{join: other}, {put: q}]\n  other: [{get: q}]",
            "6:11: threads wait here forever: 'main' for the end of 'other', 'other' for something in queue 'q' (line "
            "7)");
        row("join in a circle", "main: [{join: other}]\n  other: [{join: main}]",
            "6:11: threads wait here forever: 'main' for the end of 'other', 'other' for the end of 'main' (line 7)");
        row("one get too many", "main: [{repeat: 3, do: [{get: q}]}]\n  other: [{put: q}, {put: q}]",
            "6:28: threads wait here forever: 'main' for something in queue 'q'");
        row("a branch makes it uncertain", "main: [{if: h > 1, then: [{put: q}]}, {get: q}, {get: q}]", "");
        row("a branch without waits does not", "main: [{if: h > 1, then: [{sync: device}]}, {get: q}]",
            "6:48: threads wait here forever: 'main' for something in queue 'q'");
        // Order between threads.
        row("writers in two threads", "main: [{memset: {to: z, stream: a}}]\n  other: [{memset: {to: z, stream: b}}]",
            "7:12: 'z' is written here and at line 6, and nothing orders the two: expected an event and a wait between "
            "them");
        row("a queue orders threads, not streams",
            "main: [{memset: {to: z, stream: a}}, {put: q}]\n  other: [{get: q}, {memset: {to: z, stream: b}}]",
            "7:22: 'z' is written here and at line 6, and nothing orders the two: expected an event and a wait between "
            "them");
        row("a sync and a queue",
            "main: [{memset: {to: z, stream: a}}, {sync: device}, {put: q}]\n  other: [{get: q}, {memset: {to: z, "
            "stream: b}}]",
            "");
        row("the wrong put",
            "main: [{put: q}, {memset: {to: z, stream: a}}, {sync: device}, {put: q}]\n  other: [{get: q}, {memset: "
            "{to: z, stream: b}}, {get: q}]",
            "7:22: 'z' is written here and at line 6, and nothing orders the two: expected an event and a wait between "
            "them");
        row("a sync and a join",
            "main: [{join: other}, {memset: {to: z, stream: a}}]\n  other: [{memset: {to: z, stream: b}}, {sync: "
            "{stream: b}}]",
            "");
        row("room in a queue orders too",
            "main: [{put: r}, {memset: {to: z, stream: a}}, {sync: device}, {get: r}]\n  other: [{put: r}, {memset: "
            "{to: z, stream: b}}, {get: r}]",
            "");
        row("each thread has its per-thread stream",
            "main: [{memset: {to: z, stream: per_thread}}]\n  other: [{memset: {to: z, stream: per_thread}}]",
            "7:12: 'z' is written here and at line 6, and nothing orders the two: expected an event and a wait between "
            "them");
        row("a read in another thread",
            "main: [{copy: {from: z, to: h, stream: a}}, {put: q}]\n  other: [{get: q}, {read: {buffer: h}}]",
            "7:22: the host reads 'h' here, and nothing orders that after the copy at line 6: expected a sync between "
            "them (or expect: stale)");
        row("a read in another thread after a sync",
            "main: [{copy: {from: z, to: h, stream: a}}, {sync: {stream: a}}, {put: q}]\n  other: [{get: q}, {read: "
            "{buffer: h}}]",
            "");
    }
    void threads()
    {
        QFETCH(QString, threads);
        QFETCH(QString, error);
        const std::string text = "buffers: {z: {on: gpu 0, bytes: 8 B}, h: {on: host, memory: pinned, bytes: 8 B}}\n"
                                 "streams: {a: , b: }\n\nqueues: {q: {capacity: 2}, r: {capacity: 1}}\nthreads:\n  "
            + threads.toStdString() + "\n";
        QCOMPARE(error_of(text), error);
    }

    void allocation_data()
    {
        start();
        const QString use = "memset: {to: z, stream: a}";
        row("use after alloc", "alloc: {buffer: z}\n    - " + use + "\n    - free: {buffer: z}", "");
        row("use before alloc", use + "\n    - alloc: {buffer: z}",
            "15:7: 'z' is not allocated here, expected an 'alloc' before this step");
        row("use after free", "alloc: {buffer: z}\n    - free: {buffer: z}\n    - " + use,
            "17:7: 'z' is used here, but was freed at line 16, expected an 'alloc' between the two");
        row("alloc twice", "alloc: {buffer: z}\n    - alloc: {buffer: z}",
            "16:7: 'z' is allocated already, expected a 'free' before");
        row("free twice", "alloc: {buffer: z}\n    - free: {buffer: z}\n    - free: {buffer: z}",
            "17:7: 'z' is freed here, but was freed at line 16, expected an 'alloc' between the two");
        row("free twice, allocated by the set-up", "free: {buffer: z}\n    - free: {buffer: z}",
            "16:7: 'z' is freed here, but was freed at line 15, expected an 'alloc' between the two");
        row("use after free, allocated by the set-up", "free: {buffer: z}\n    - " + use,
            "16:7: 'z' is used here, but was freed at line 15, expected an 'alloc' between the two");
        row("free before alloc", "free: {buffer: z}\n    - alloc: {buffer: z}",
            "15:7: 'z' is not allocated here, expected an 'alloc' before this step");
        row("from the pool", "alloc: {buffer: z, stream: a}\n    - free: {buffer: z, stream: a}\n    - " + use,
            "17:7: 'z' is used here, but was freed at line 16, expected an 'alloc' between the two");
        row("a copy from it", "free: {buffer: z}\n    - copy: {from: z, to: h.0, stream: a}",
            "16:7: 'z' is used here, but was freed at line 15, expected an 'alloc' between the two");
        row("a read of it", "free: {buffer: h}\n    - read: {buffer: h.1}",
            "16:7: 'h.1' is used here, but was freed at line 15, expected an 'alloc' between the two");
        row("a value computed from it",
            "free: {buffer: z}\n    - kernel: {stream: a, time: 1 us, writes: x.0, value: z}",
            "16:7: 'z' is used here, but was freed at line 15, expected an 'alloc' between the two");
        row("a condition on it", "free: {buffer: h}\n    - if: h.0 > 1\n      then: []",
            "16:7: 'h.0' is used here, but was freed at line 15, expected an 'alloc' between the two");
        row("an all-reduce of it", "free: {buffer: z}\n    - all_reduce: {buffers: [z], streams: [a]}",
            "16:7: 'z' is used here, but was freed at line 15, expected an 'alloc' between the two");
        const QString capture = "capture: {graph: g, stream: a, do: [{memset: {to: z, stream: a}}]}\n    - ";
        row("a graph that uses it", capture + "free: {buffer: z}\n    - launch: {graph: g, stream: a}",
            "17:7: graph 'g' uses 'z', which was freed at line 16 after the capture, expected another 'capture'");
        row("a graph that used what lies elsewhere now",
            "alloc: {buffer: z}\n    - " + capture
                + "free: {buffer: z}\n    - alloc: {buffer: z}\n    - launch: {graph: g, stream: a}",
            "19:7: graph 'g' uses 'z', which was freed at line 17 after the capture, expected another 'capture'");
        row("a graph that was captured again",
            "alloc: {buffer: z}\n    - " + capture + "free: {buffer: z}\n    - alloc: {buffer: z}\n    - " + capture
                + "launch: {graph: g, stream: a}",
            "");
        row("the other free in the other case",
            "if: h.0 > 1\n      then: [{free: {buffer: z}}]\n      else: [{free: {buffer: z}}]", "");
        row("a free in one case, a use in the other",
            "if: h.0 > 1\n      then: [{free: {buffer: z}}]\n      else: [{memset: {to: z, stream: a}}]", "");
        row("a free that may not be", "if: h.0 > 1\n      then: [{free: {buffer: z}}]\n    - " + use, "");
        row("a free twice in one case", "if: h.0 > 1\n      then: [{free: {buffer: z}}, {free: {buffer: z}}]",
            "16:36: 'z' is freed here, but was freed at line 16, expected an 'alloc' between the two");
        row("a use in the case, a free before",
            "free: {buffer: z}\n    - if: h.0 > 1\n      then: [{memset: {to: z, stream: a}}]",
            "17:15: 'z' is used here, but was freed at line 15, expected an 'alloc' between the two");
        row("alloc and free in a while",
            "while: h.0 > 1\n      at_most: 3\n      do: [{alloc: {buffer: z}}, {memset: {to: z, stream: a}}, {free: "
            "{buffer: z}}]",
            "");
        row("in a loop",
            "repeat: 3\n      do: [{alloc: {buffer: z, stream: a}}, {memset: {to: z, stream: a}}, {free: {buffer: z, "
            "stream: a}}]",
            "");
        row("kernels use too", "kernel: {stream: a, time: 1 us, reads: z}\n    - alloc: {buffer: z}",
            "15:7: 'z' is not allocated here, expected an 'alloc' before this step");
    }
    void allocation() { verify(); }

    void blocksServeTheirStream()
    {
        const auto use_on = [](const std::string& stream) {
            return error_of(
                "buffers: {z: {on: gpu 0, memory: cached, bytes: 8 B}}\nstreams: {a: , b: }\nthreads:\n  main:\n"
                "    - alloc: {buffer: z, stream: a}\n    - memset: {to: z, stream: "
                + stream + "}\n    - free: {buffer: z}\n");
        };
        QCOMPARE(use_on("a"), QString());
        QCOMPARE(use_on("b"),
            QString(
                "6:7: 'z' is used on another stream than the one whose block it has ('a'), expected its uses there: "
                "its memory goes to the next buffer of that stream as soon as it is freed"));
    }

    /// A graph runs where it is launched; and which block a buffer has may hang on a value.
    void blocksServeTheStreamOfALaunch()
    {
        const auto launch_on = [](const std::string& stream) {
            return error_of(
                "buffers: {z: {on: gpu 0, memory: cached, bytes: 8 B}}\nstreams: {a: , b: }\nthreads:\n  main:\n"
                "    - alloc: {buffer: z, stream: a}\n"
                "    - capture: {graph: g, stream: a, do: [{memset: {to: z, stream: a}}]}\n"
                "    - launch: {graph: g, stream: "
                + stream + "}\n");
        };
        QCOMPARE(launch_on("a"), QString());
        QVERIFY2(launch_on("b").startsWith("7:7: 'z' is used on another stream"), qPrintable(launch_on("b")));
        const auto used_after_either
            = error_of("buffers: {z: {on: gpu 0, memory: cached, bytes: 8 B}, h: {on: host, bytes: 8 B}}\n"
                       "streams: {a: , b: }\nthreads:\n  main:\n"
                       "    - if: h > 0\n      then: [{alloc: {buffer: z, stream: a}}]\n"
                       "      else: [{alloc: {buffer: z, stream: b}}]\n"
                       "    - memset: {to: z, stream: a}\n");
        QCOMPARE(used_after_either, QString());
    }

    /// Random copies of random ranges on two streams with random syncs, against a check of every pair of bytes.
    void rangesAgainstEveryByte()
    {
        std::mt19937 random(5);
        int wrong = 0;
        for (int round = 0; round < 400; ++round) {
            constexpr int size = 24;
            QString steps;
            // For each byte: the stream that wrote it last, and whether the host has waited for that since.
            std::array<int, size> writer {};
            writer.fill(-1);
            int first_wrong = 0;
            for (int line = 15; line < 15 + 8; ++line) {
                const int stream = static_cast<int>(random() % 2);
                if (random() % 5 == 0) {
                    steps += QString("    - sync: {stream: %1}\n").arg(QChar('a' + stream));
                    std::replace(writer.begin(), writer.end(), stream, -1);
                    continue;
                }
                const int begin = static_cast<int>(random() % (size - 1));
                const int end = begin + 1 + static_cast<int>(random() % static_cast<unsigned>(size - begin - 1));
                steps += QString("    - copy: {from: h.0, to: z, stream: %1, range: %2 B .. %3 B}\n")
                             .arg(QChar('a' + stream))
                             .arg(begin)
                             .arg(end);
                for (int byte = begin; byte < end; ++byte) {
                    const auto at = static_cast<std::size_t>(byte);
                    if (writer[at] == 1 - stream && first_wrong == 0) {
                        first_wrong = line;
                    }
                    writer[at] = stream;
                }
            }
            const QString error = error_of(with_steps(steps.toStdString()));
            QCOMPARE(error.section(':', 0, 0).toInt(), first_wrong);
            wrong += first_wrong != 0 ? 1 : 0;
        }
        QVERIFY(wrong > 50 && wrong < 390);
    }

    void longProgramsStayQuick()
    {
        const std::string text
            = with_steps("    - repeat: 40000\n      do:\n        - kernel: {stream: a, time: 1 us, writes: z}\n"
                         "        - record: {event: f, stream: a}\n        - wait: {event: f, stream: b}\n"
                         "        - kernel: {stream: b, time: 1 us, writes: z}\n        - sync: device\n");
        QCOMPARE(error_of(text), QString());
    }

private:
    static void start()
    {
        QTest::addColumn<QString>("steps");
        QTest::addColumn<QString>("error");
    }
    static void row(const char* name, const QString& steps, const QString& error)
    {
        QTest::newRow(name) << "    - " + steps + "\n" << error;
    }
    static void verify()
    {
        QFETCH(QString, steps);
        QFETCH(QString, error);
        QCOMPARE(error_of(with_steps(steps.toStdString())), error);
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadCheck)
#include "tst_workload_check.moc"
