// SPDX-License-Identifier: MIT
// What a file may look like: structure, keys, declarations, parameters, variants.
#include "engine/workload/schema.h"
#include "tests/engine/workload/workload_texts.h"

#include <fstream>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
#include <system_error>

using namespace lanes;

class tst_WorkloadParse : public QObject {
    Q_OBJECT

private slots:
    void structure_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        const auto row
            = [](const char* name, const char* text, const char* error) { QTest::newRow(name) << text << error; };
        row("empty", "", "1:1: the file is empty");
        row("comment alone", "# nothing\n", "1:1: the file is empty");
        row("a word", "hello", "1:1: found 'hello', expected a map with title, streams, threads, …");
        row("a list", "- a\n- b\n", "1:1: found a list, expected a map with title, streams, threads, …");
        row("no threads", "title: T\n", "1:1: the workload lacks 'threads'");
        row("view without an end", "view: 1 ms\n", "1:7: found '1 ms', expected a time range such as 1 ms .. 1.3 ms");
        row("view of no time", "view: 1 ms .. 20000000000000 s\n", "1:15: found '20000000000000 s', expected a time");
        row("view of bytes", "view: 1 ms .. 2 MiB\n", "1:15: found '2 MiB', expected a time");
        row("view backwards", "view: 2 ms .. 1 ms\n", "1:7: found '2 ms .. 1 ms', expected an end after the start");
        row("unknown figure", "look: {en: 'held for {blokced A}'}\n",
            "1:22: unknown figure 'blokced'; did you mean 'blocked'?");
        row("unknown figure in a block", "why:\n  en: >-\n    It takes\n    long: {totl B}\n",
            "4:11: unknown figure 'totl'; did you mean 'total'?");
        row("figure of no side", "rule: takes {total}\n",
            "1:13: found '{total}', expected A, B, A/B or B/A after the figure");
        row("figure of a side in a variant", "variants: {v: {look: 'takes {total A}'}}\n",
            "1:29: found '{total A}', expected no side: a variant's text is about itself");
        row("share of what has none", "rule: takes {total% A}\n", "1:13: found '{total% A}', which has no share");
        row("ratio of what has none", "rule: takes {title A/B}\n", "1:13: found '{title A/B}', which has no ratio");
        row("open brace", "rule: 'takes {total A'\n", "1:14: found '{' without its '}' (a brace is written '{{')");
        row("open option", "rule: 'takes{[ {total A}'\n", "1:13: found '{[' without its ']}'");
        row("option in an option", "rule: 'a {[ b {[ c ]} d ]}'\n",
            "1:15: found '{[' within another, expected ']}' first");
        const char* two = "variants: {slow: {}, fast: {}}\nusual: [{figure: %s}]\n";
        const auto usual = [&](const char* name, const char* rest, const char* error) {
            row(name, QByteArray(two).replace("%s", rest).constData(), error);
        };
        row("usual of no list", "usual: 3\n",
            "1:8: found '3', expected a list of figures: [{figure: total, of: …, over: …, at_least: 1.5}]");
        usual("usual of an unknown variant", "total, of: slwo, over: fast, at_least: 1",
            "2:29: unknown variant 'slwo', expected slow or fast; did you mean 'slow'?");
        usual("usual over an unknown variant", "total, of: slow, over: fsat, at_least: 1",
            "2:41: unknown variant 'fsat', expected slow or fast; did you mean 'fast'?");
        usual("usual over itself", "total, of: slow, over: slow, at_least: 1",
            "2:41: found the same variant twice, expected another one");
        usual("usual of an unknown figure", "totl, of: slow, over: fast, at_least: 1",
            "2:18: unknown figure 'totl'; did you mean 'total'?");
        usual("usual of no share", "hidden, of: slow, at_least: 1",
            "2:18: found 'hidden', expected a share, 'hidden%', or 'over' with the variant to compare with");
        usual("usual of what has no share", "total, of: slow, at_least: 1",
            "2:18: found 'total', which has no share: expected 'over' beside it");
        usual("usual of what has no ratio", "wrong, of: slow, over: fast, at_least: 1",
            "2:18: found 'wrong', which has no ratio");
        usual("usual without a limit", "total, of: slow, over: fast",
            "2:9: a figure of 'usual' lacks 'at_least' or 'at_most'");
        usual("usual without a variant", "hidden%, at_least: 1", "2:9: a figure of 'usual' lacks 'of'");
        usual("usual of an unknown key", "total, of: slow, ovr: fast, at_least: 1",
            "2:35: unknown key 'ovr', expected figure, of, over, at_least or at_most; did you mean 'over'? (in "
            "'usual')");
        usual("usual, more than all", "hidden%, of: slow, at_least: 1.1",
            "2:47: found '1.1', expected a share from 0 to 1");
        usual("usual, a time", "total, of: slow, over: fast, at_most: 3 ms",
            "2:56: found '3 ms', expected a number of 0 or more");
        usual("usual, the wrong way round", "total, of: slow, over: fast, at_least: 3, at_most: 2",
            "2:57: 'at_least' is more than 'at_most'");
        const char* asks = "quiz:\n  - question: Q\n    choices: %s\n";
        const auto quiz = [&](const char* name, const char* choices, const char* error) {
            row(name, QByteArray(asks).replace("%s", choices).constData(), error);
        };
        quiz("quiz without a right answer", "[{text: a, why: b}, {text: c, why: d}]",
            "3:14: found 0 choices that are right, expected one with 'right: true'");
        quiz("quiz with two right answers", "[{text: a, right: true}, {text: c, right: true}]",
            "3:14: found 2 choices that are right, expected one with 'right: true'");
        quiz("quiz with one choice", "[{text: a, right: true}]", "3:14: found 1 choices, expected 2 to 4");
        quiz("quiz without a reason", "[{text: a, right: true}, {text: c}]",
            "3:39: a choice that is not right lacks 'why': why it is not");
        quiz("quiz of an unknown key", "[{text: a, rihgt: true}, {text: c, why: d}]",
            "3:25: unknown key 'rihgt', expected text, why or right; did you mean 'right'? (in a choice)");
        row("quiz of no list", "quiz: 3\n",
            "1:7: found '3', expected a list of questions: [{question: …, choices: …}]");
        row("an issue without a number", "matters: {issue: pytorch/pytorch, text: T}\n",
            "1:18: found 'pytorch/pytorch', expected a public issue: owner/name#number");
        row("matters without a text", "matters: {issue: a/b#1}\n", "1:10: 'matters' lacks 'text'");
        const char* task = "variants: {slow: {}, fast: {}}\nexercise: {task: T, of: %s}\n";
        const auto exercise = [&](const char* name, const char* rest, const char* error) {
            row(name, QByteArray(task).replace("%s", rest).constData(), error);
        };
        exercise("exercise of an unknown variant", "slwo, check: total < 1 ms",
            "2:25: unknown variant 'slwo', expected slow or fast; did you mean 'slow'?");
        exercise("exercise of an unknown figure", "slow, check: totl < 1 ms",
            "2:38: found 'totl', expected title, total, busy, idle, kernels, copies, hidden, exposed, overlap, "
            "communication, uncovered, blocked, free, waiting, launched, copy_call, longest_range, "
            "kernel_count, copy_count, call_count or wrong; did you mean 'total'?");
        exercise("exercise with a share of none", "slow, check: total < 20%",
            "2:38: found 'total<20%', expected no percentage: this figure is no share");
        exercise("exercise with the wrong unit", "slow, check: hidden > 3 MiB",
            "2:38: found 'hidden>3MiB', expected a bound that is a time such as 2 ms, or a percentage");
        row("exercise without a variant", "variants: {slow: {}}\nexercise: {task: T, check: total < 1 ms}\n",
            "2:11: 'exercise' lacks 'of'");
        row("a compared figure without a label", "compared: {figure: total}\n", "1:11: 'compared' lacks 'label'");
        row("a compared figure that is unknown", "compared: {figure: totl, label: T}\n",
            "1:20: unknown figure 'totl'; did you mean 'total'?");
        row("a compared share of none", "compared: {figure: total%, label: T}\n",
            "1:20: found 'total%', which has no share");
        row("managed memory",
            "buffers: {x: {on: host, memory: managed, bytes: 4 KiB}}\nthreads: {main: [{sync: device}]}\n",
            "1:33: found 'managed', which is reserved for unified memory and not supported yet: expected 'pageable' or "
            "'pinned'");
        row("parameter named look", "parameters: {look: {default: 1}}\n",
            "1:14: found 'look', expected a parameter's name: variants have their texts under this key");
        row("unknown section", "title: T\nbufers: {}\n", "2:1: unknown key 'bufers'; did you mean 'buffers'?");
        row("duplicate section", "title: T\ntitle: U\n", "2:1: key 'title' occurs twice in this map");
        row("duplicate key inside", "streams: {a: {gpu: 0, gpu: 1}}\n", "1:23: key 'gpu' occurs twice in this map");
        row("anchor", "streams: &s {a: {gpu: 0}}\n", "1:10: found an anchor ('&'), expected a value without one");
        row("alias", "title: &t T\ndescription: *t\n", "1:8: found an anchor ('&'), expected a value without one");
        row("tag", "title: !!str T\n", "1:8: found a tag ('!'), expected a value without one");
        row("own tag", "title: !x T\n", "1:8: found a tag ('!'), expected a value without one");
        row("merge key", "streams: {a: {<<: {gpu: 0}}}\n",
            "1:15: unknown key '<<', expected gpu, kind, priority, count or as (in 'a')");
        row("list as key", "? [a, b]\n: c\n", "1:3: found a list, expected a string as key");
        row("null as key", "~: c\n", "1:1: found nothing, expected a string as key");
        row("second document", "threads: {main: []}\n---\nthreads: {}\n",
            "3:1: found a second document, expected one in a file");
        row("unclosed", "title: {en: T\n", "2:1: found the end of the line, expected ',' or '}'");
        row("tab", "title:\n\tx: 1\n", "2:1: found a tab, expected spaces before a line");
        row("bad indent", "threads:\n  main: []\n   other: []\n",
            "3:4: found 'other: []' after 3 spaces, expected the indentation of the lines that it belongs to");
        row("outdented between", "threads:\n  main: []\n other: []\n",
            "3:2: found 'other: []' after 1 space, expected the indentation of the lines that it belongs to");
        row("minutes", "threads: {main: [{kernel: {stream: a, time: 1 m}}]}\n",
            "1:47: unknown unit 'm', expected ns, us, ms or s; did you mean 'ms'?");
        row("threads are a list", "threads: [a]\n", "1:10: found a list, expected a map of threads");
        row("thread of nothing", "threads: {main: }\n", "1:17: found nothing, expected a list of steps");
        row("thread without do", "threads: {main: {count: 2}}\n", "1:17: 'main' lacks 'do'");
        row("step is a word", "threads: {main: [sync]}\n", "1:18: found 'sync', expected a step such as 'kernel: {…}'");
        row("launch_blocking is a word", "threads: {main: []}\nvariants: {a: {launch_blocking: often}}\n",
            "2:33: found 'often', expected true or false");
        row("peer_access is a word", "threads: {main: []}\nvariants: {a: {peer_access: often}}\n",
            "2:29: found 'often', expected true or false");
        row("expect_error is no error of CUDA's", "threads: {main: []}\nvariants: {a: {expect_error: any}}\n",
            "2:30: found 'any', expected the name of an error of CUDA: cudaError…");
        row("a parameter with the name of a variant's key",
            "parameters: {launch_blocking: {default: 1}}\nthreads: {main: []}\n",
            "1:14: found 'launch_blocking', expected a parameter's name: this is a key of variants");
        row("step is empty", "threads: {main: [{}]}\n", "1:18: found a map, expected a step such as 'kernel: {…}'");
        std::string all_steps;
        for (const auto& form : syntax::step_forms()) {
            all_steps += (all_steps.empty() ? "" : &form == &syntax::step_forms().back() ? " or " : ", ");
            all_steps += form.action;
        }
        row("a step that is near none", "threads: {main: [{work: 3 ms}]}\n",
            ("1:19: unknown step 'work', expected " + all_steps).c_str());
        row("unknown step", "threads: {main: [{kernl: {stream: a}}]}\n",
            "1:19: unknown step 'kernl'; did you mean 'kernel'?");
        row("number as name", "streams: {3a: {}}\nthreads: {main: []}\n",
            "1:11: found '3a', expected the name of a stream: letters, digits and '_', no digit first");
        row("reserved word", "buffers: {true: {on: host, bytes: 8 B}}\nthreads: {main: []}\n",
            "1:11: found 'true', expected the name of a buffer: this word is reserved");
        row("reserved stream", "streams: {legacy: {}}\nthreads: {main: []}\n",
            "1:11: 'legacy' is a predefined stream, expected another name");
        row("buffer without bytes", "buffers: {x: {on: host}}\nthreads: {main: []}\n", "1:14: 'x' lacks 'bytes'");
        row("buffer of nothing", "buffers: {x: }\nthreads: {main: []}\n", "1:14: found nothing, expected a map");
        row("language", "title: {english: T}\nthreads: {main: []}\n",
            "1:9: found 'english', expected a language such as en or zh_CN");
        row("text is a list", "title: [T]\nthreads: {main: []}\n",
            "1:8: found a list, expected a text, or a map of languages: {en: …, zh_CN: …}");
        row("unknown code", "code: {torch: x}\nthreads: {main: []}\n",
            "1:8: unknown key 'torch', expected pytorch or cuda; did you mean 'pytorch'? (in 'code')");
        row("peers of three", "peers: [[0, 1, 2]]\nthreads: {main: []}\n",
            "1:9: found a list, expected a pair of GPUs: [0, 1]");
        row("peer of itself", "peers: [[1, 1]]\nthreads: {main: []}\n", "1:9: found the same GPU twice, expected two");
        row("peer out of range", "peers: [[0, 64]]\nthreads: {main: []}\n",
            "1:13: found '64', expected a whole number from 0 to 63");
    }
    void structure() { verify(); }
    void aliasOfNothing()
    {
        const QString error = error_of("title: *t\n");
        QVERIFY2(error.startsWith(QLatin1String("1:8: not YAML: the referenced anchor is not defined")),
            qPrintable(error));  // from 0.8 on yaml-cpp adds the key
    }

    void utf8_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const QByteArray& text, const char* error) {
            QTest::newRow(name) << text + "threads: {main: []}\n" << error;
        };
        row("good", "title: {en: T, zh_CN: 复制}\n# µs, ✓ and 🚀\n", "");
        row("a title", "title: {en: a\xFFz}\n", "1:14: found the byte 0xff, expected text in UTF-8");
        row("a later line", "title: T\nlook:\n  en: \"\xC3\xA9 \xE9t\xE9\"\n",
            "3:11: found the byte 0xe9, expected text in UTF-8");
        row("a comment", "# \x80\n", "1:3: found the byte 0x80, expected text in UTF-8");
        row("a key", "titl\xE9: T\n", "1:5: found the byte 0xe9, expected text in UTF-8");
        row("cut short", "title: \xE5\xA4\n", "1:8: found the byte 0xe5, expected text in UTF-8");
        row("an overlong form", "title: \xC0\xAF\n", "1:8: found the byte 0xc0, expected text in UTF-8");
        row("a surrogate", "title: \xED\xA0\x80\n", "1:8: found the byte 0xed, expected text in UTF-8");
        row("UTF-16", QByteArray("\xFF\xFEt\0", 4), "1:1: found the byte 0xff, expected text in UTF-8");
        row("a long word in the message", "streams: {" + QByteArray("复").repeated(20) + ": {gpu: 0}}\n",
            "1:11: found '复复复复复复复复复复复复复', expected the name of a stream: letters, digits and '_', no "
            "digit first");
        row("code", "code: {cuda: \"\xA0\"}\n", "1:15: found the byte 0xa0, expected text in UTF-8");
    }
    void utf8()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, error);
        QCOMPARE(error_of(text.toStdString()), error);
    }

    void parameters_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const char* text, const char* error) {
            QTest::newRow(name) << QString(text) + "\nthreads: {main: []}\n" << error;
        };
        row("good", "parameters: {n: {default: 3, min: 1, max: 5, label: {en: N}}}", "");
        row("no default", "parameters: {n: {min: 1}}", "1:17: parameter 'n' lacks 'default'");
        row("unknown key", "parameters: {n: {default: 1, mim: 1}}",
            "1:30: unknown key 'mim', expected default, min, max, one_of or label; did you mean 'min'? (in a "
            "parameter)");
        row("no map", "parameters: {n: 3}", "1:17: found '3', expected a map: {default: …}");
        row("a word without one_of", "parameters: {n: {default: pinned}}",
            "1:27: found 'pinned', expected a number, a size, a time, true or false; strings need 'one_of'");
        row("not among one_of", "parameters: {n: {default: c, one_of: [a, b]}}",
            "1:27: 'n' is c, expected a or b; did you mean 'a'?");
        row("below min", "parameters: {n: {default: 1, min: 2}}", "1:27: 'n' is 1, expected 2 or more");
        row("min above max", "parameters: {n: {default: 4, min: 64, max: 16}}",
            "1:35: 'min' of 'n' is 64, expected no more than its 'max', 16");
        row("min is max", "parameters: {n: {default: 4, min: 4, max: 4}}", "");
        row("above max", "parameters: {n: {default: 3 ms, max: 2 ms}}", "1:27: 'n' is 3 ms, expected 2 ms or less");
        row("min of another unit", "parameters: {n: {default: 3 ms, min: 2 KiB}}",
            "1:38: found '2 KiB', expected a time such as 2 ms as 'n' is");
        row("min without unit", "parameters: {n: {default: 3 ms, min: 2}}",
            "1:38: found '2', expected a time such as 2 ms as 'n' is");
        row("min of a word", "parameters: {n: {default: a, one_of: [a], min: 2}}",
            "1:48: found 'min', which only numbers, sizes and times have");
        row("bad unit", "parameters: {n: {default: 3 mss}}", "1:29: unknown unit 'mss'; did you mean 'ms'?");
        row("reserved", "parameters: {title: {default: 3}}",
            "1:14: found 'title', expected a parameter's name: variants have their titles under this key");
        row("a buffer's name", "parameters: {x: {default: 3}}\nbuffers: {x: {on: host, bytes: 8 B}}",
            "2:11: 'x' is a parameter already, expected another name for this buffer");
        row("variant", "parameters: {n: {default: 3}}\nvariants: {v: {n: 4, title: V}, w: }", "");
        row("variant of unknown parameter", "parameters: {n: {default: 3}}\nvariants: {v: {m: 4}}",
            "2:16: unknown parameter 'm', expected n; did you mean 'n'?");
        row("variant of wrong type", "parameters: {n: {default: 3}}\nvariants: {v: {n: true}}",
            "2:19: 'n' is true, expected a number");
        row("variant below min", "parameters: {n: {default: 3, min: 3}}\nvariants: {v: {n: 2}}",
            "2:19: 'n' is 2, expected 3 or more");
        row("variant with a bad name", "variants: {a/b: {}}",
            "1:12: found 'a/b', expected a variant's name: letters, digits, '-' and '_'");
    }
    void parameters() { verify(); }

    void declared_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const char* text, const char* error) {
            QTest::newRow(name) << QString(text) + "\nthreads: {main: []}\n" << error;
        };
        row("size without unit", "buffers: {x: {on: host, bytes: 64}}",
            "1:32: found a number, expected a size such as 64 MiB for 'bytes'");
        row("time for a size", "buffers: {x: {on: host, bytes: 64 ms}}",
            "1:32: found a time such as 2 ms, expected a size such as 64 MiB for 'bytes'");
        row("size for a number", "buffers: {x: {on: host, bytes: 8 B, count: 2 B}}",
            "1:44: found a size such as 64 MiB, expected a number for 'count'");
        row("too small", "buffers: {x: {on: host, bytes: 4 B}}", "1:32: 'bytes' is 4 B, expected 8 B to 1024 GiB");
        row("too large", "buffers: {x: {on: host, bytes: 2000 GiB}}",
            "1:32: 'bytes' is 2000 GiB, expected 8 B to 1024 GiB");
        row("negative", "buffers: {x: {on: host, bytes: -8 B}}", "1:32: 'bytes' is -8 B, expected 8 B to 1024 GiB");
        row("none", "buffers: {x: {on: host, bytes: 8 B, count: 0}}", "1:44: 'count' is 0, expected 1 to 65536");
        row("a fraction", "buffers: {x: {on: host, bytes: 8 B, count: 1.5}}",
            "1:44: 'count' is 1.5, expected a whole number");
        row("too many", "buffers: {x: {on: host, bytes: 8 B, count: 65536}, y: {on: host, bytes: 8 B}}",
            "1:52: found more than 65536 buffers, expected fewer");
        row("nowhere", "buffers: {x: {on: gpu, bytes: 8 B}}",
            "1:19: found 'gpu', expected host or 'gpu 0' to 'gpu 63'");
        row("beyond", "buffers: {x: {on: gpu 64, bytes: 8 B}}",
            "1:19: found 'gpu 64', expected host or 'gpu 0' to 'gpu 63'");
        row("memory of a GPU", "buffers: {x: {on: gpu 0, memory: pinned, bytes: 8 B}}",
            "1:34: found 'memory: pinned' of a buffer on a GPU, expected it of one on the host");
        row("the cache of the host", "buffers: {x: {on: host, memory: cached, bytes: 8 B}}",
            "1:33: found 'memory: cached' of a buffer on the host, expected it of one on a GPU");
        row("a limit of no memory", "cache: {limit: 3 ms}",
            "1:16: found a time such as 2 ms, expected a size such as 64 MiB for 'limit'");
        row("a cache without a limit", "cache: {}", "1:8: 'cache' lacks 'limit'");
        row("unknown memory", "buffers: {x: {on: host, memory: pined, bytes: 8 B}}",
            "1:33: unknown memory 'pined', expected pageable, pinned or cached; did you mean 'pinned'?");
        row("a load in a size", "buffers: {y: {on: host, bytes: 8 B}, x: {on: host, bytes: y.0 * 8 B}}",
            "1:63: a buffer's value cannot be used here, expected something known before the run");
        row("as without count", "buffers: {x: {on: host, bytes: 8 B, as: i}}", "1:41: found 'as' without 'count'");
        row("spread over GPUs", "buffers: {x: {on: gpu $i, bytes: 8 B, count: 2, as: i}}", "");
        row("kind", "streams: {s: {kind: blokcing}}",
            "1:21: unknown kind 'blokcing', expected non_blocking or blocking; did you mean 'blocking'?");
        row("priority", "streams: {s: {priority: urgent}}",
            "1:25: unknown priority 'urgent', expected normal, high or low");
        row("gpu", "streams: {s: {gpu: 64}}", "1:20: 'gpu' is 64, expected 0 to 63");
        row("queue without capacity", "queues: {q: {}}", "1:13: 'q' lacks 'capacity'");
        row("queue of none", "queues: {q: {capacity: 0}}", "1:24: 'capacity' is 0, expected 1 to 1000000");
        row("unknown parameter", "streams: {s: {gpu: $g}}", "1:20: unknown parameter '$g', there is none here");
        row("quoted", "streams: {s: {gpu: \"$g\"}}", "1:21: unknown parameter '$g', there is none here");
    }
    void declared()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        const QString found = error_of(text.toStdString());
        QVERIFY2(error.isEmpty() ? found.isEmpty() : found.startsWith(error), qPrintable(found));
    }

    void whatItSays()
    {
        const Workload workload = parse_workload(R"(
title: {en: Copy, zh_CN: 拷贝}
description: About copies
look: {en: At the copies, zh_CN: 看拷贝}
why: They wait
rule: Pin it
parameters:
  bytes: {default: 64 MiB, min: 4 KiB, max: 1 GiB, label: {en: Size}}
  time: {default: 2 ms}
  n: {default: 8}
  memory: {default: pinned, one_of: [pageable, pinned]}
  blocking: {default: false}
variants:
  slow: {memory: pageable, blocking: true, title: {en: Slow}}
  fast:
streams: {s: {gpu: $(n - 7)}}
threads: {main: [{sync: device}]}
code:
  pytorch: |
    torch.cuda.synchronize()
)",
            "some/where/copy.yaml");
        QCOMPARE(workload.name, std::string("copy"));
        QCOMPARE(in_language(workload.title, "zh_CN"), std::string("拷贝"));
        QCOMPARE(in_language(workload.title, "fr"), std::string("Copy"));
        QCOMPARE(in_language(workload.description, "zh_CN"), std::string("About copies"));
        QCOMPARE(in_language(workload.look, "zh_CN"), std::string("看拷贝"));
        QCOMPARE(in_language(workload.why, "en"), std::string("They wait"));
        QCOMPARE(in_language(workload.rule, "en"), std::string("Pin it"));
        QCOMPARE(in_language({}, "en"), std::string());
        QCOMPARE(workload.parameters.size(), std::size_t(5));
        using Type = Parameter::Type;
        const Type types[] = {Type::bytes, Type::time, Type::number, Type::choice, Type::boolean};
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(workload.parameters[i].type, types[i]);
        }
        QCOMPARE(workload.parameters[0].name, std::string("bytes"));
        QCOMPARE(workload.parameters[0].default_value, std::string("64 MiB"));
        QCOMPARE(workload.parameters[0].min, std::string("4 KiB"));
        QCOMPARE(workload.parameters[0].max, std::string("1 GiB"));
        QCOMPARE(in_language(workload.parameters[0].label, "en"), std::string("Size"));
        QCOMPARE(workload.parameters[3].one_of, (std::vector<std::string> {"pageable", "pinned"}));
        QCOMPARE(workload.variants.size(), std::size_t(2));
        QCOMPARE(workload.variants[0].name, std::string("slow"));
        QCOMPARE(in_language(workload.variants[0].title, "en"), std::string("Slow"));
        QCOMPARE(workload.variants[0].values,
            (std::map<std::string, std::string> {{"memory", "pageable"}, {"blocking", "true"}}));
        QVERIFY(workload.variants[1].values.empty());
        QCOMPARE(workload.code_pytorch, std::string("torch.cuda.synchronize()\n"));
        QCOMPARE(workload.code_cuda, std::string());
        QCOMPARE(workload.gpus, 2U);
    }

    void gpusAreThoseOfTheVariantThatNeedsMost()
    {
        const auto gpus = [](const char* variants) {
            return parse_workload(std::string("parameters: {n: {default: 1}}\nvariants: ") + variants
                    + "\nstreams: {s: {gpu: $(n - 1)}}\nthreads: {main: []}\n",
                "w.yaml")
                .gpus;
        };
        QCOMPARE(gpus("{}"), 1U);
        QCOMPARE(gpus("{two: {n: 2}, eight: {n: 8}, four: {n: 4}}"), 8U);
    }

    void settings_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("error");
        QTest::newRow("good") << "size"
                              << "2 MiB"
                              << "";
        QTest::newRow("unknown")
            << "sise"
            << "2 MiB"
            << "0:0: unknown parameter 'sise', expected n, size, long, flag or kind; did you mean 'size'?";
        QTest::newRow("no unit") << "size"
                                 << "2"
                                 << "0:0: 'size' is 2, expected a size such as 64 MiB";
        QTest::newRow("bad unit") << "size"
                                  << "2 MIB"
                                  << "0:0: 'size' is 2 MIB: unknown unit 'MIB'; did you mean 'MiB'?";
        QTest::newRow("too many") << "n"
                                  << "101"
                                  << "0:0: 'n' is 101, expected 100 or less";
        QTest::newRow("word") << "kind"
                              << "medium"
                              << "0:0: 'kind' is medium, expected small or large";
        QTest::newRow("not a boolean") << "flag"
                                       << "yes"
                                       << "0:0: 'flag' is yes, expected true or false";
    }
    void settings()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QString, error);
        QCOMPARE(error_of(with_steps("    - sync: device\n"), "", {{name.toStdString(), value.toStdString()}}), error);
    }
    void unknownVariant()
    {
        QCOMPARE(error_of("variants: {fast: {}, slow: {}}\nthreads: {main: []}\n", "fats"),
            QString("0:0: unknown variant 'fats', expected fast or slow; did you mean 'fast'?"));
    }

    void theErrorIsOneLine()
    {
        try {
            parse_workload("title: T\nthreads:\n  main:\n    - cpu: \"a\\nb\"\n", "folder/w.yaml");
            QFAIL("it was taken");
        } catch (const WorkloadError& error) {
            QCOMPARE(QString(error.what()), QString("folder/w.yaml:4:12: found 'a b', expected a map: cpu: {time: …}"));
        }
    }

    void files()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("mine.yaml").toStdString();
        std::ofstream(path) << "title: Mine\nthreads: {main: [{sync: device}]}\n";
        const Workload workload = load_workload(path);
        QCOMPARE(workload.name, std::string("mine"));
        QCOMPARE(workload.file, path);
        QCOMPARE(workload.source, std::string("title: Mine\nthreads: {main: [{sync: device}]}\n"));
        const auto code_of = [](const std::string& file) {
            try {
                load_workload(file);
            } catch (const std::system_error& error) {
                return error.code();
            }
            return std::error_code();
        };
        QCOMPARE(code_of(path + ".not"), std::make_error_code(std::errc::no_such_file_or_directory));
        QVERIFY_THROWS_EXCEPTION(WorkloadError, load_workload(folder.path().toStdString()));
        const std::string pipe = folder.filePath("pipe.yaml").toStdString();
        QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
        QVERIFY_THROWS_EXCEPTION(WorkloadError, load_workload(pipe));  // and does not wait for a writer
    }

    void runsTheSame_data()
    {
        QTest::addColumn<QString>("other");
        QTest::addColumn<bool>("same");
        const QString text = QString::fromUtf8(sample);
        const auto row = [&](const char* name, const char* from, const char* to, bool same) {
            QVERIFY2(text.contains(QLatin1String(from)), from);
            QTest::newRow(name) << QString(text).replace(QLatin1String(from), QLatin1String(to)) << same;
        };
        row("title", "title: T", "title: {en: U}", true);
        row("rule and comment", "rule: R", "rule: S  # of thumb", true);
        row("no rule", "rule: R\n", "", true);
        row("a quiz", "rule: R\n",
            "rule: R\nquiz: [{question: Q, choices: [{text: a, right: true}, {text: b, why: c}]}]\n", true);
        row("why it matters", "rule: R\n", "rule: R\nmatters: {issue: a/b#1, text: T}\n", true);
        row("a variant's title", "title: One", "title: Two", true);
        row("a parameter's label", "label: Size", "label: {en: Bytes}", true);
        row("a variant's value", "n: 2 MiB", "n: 3 MiB", false);
        row("a parameter's default", "default: 1 MiB", "default: 2 MiB", false);
        row("a step", "sync: device", "cpu: {time: 1 ms}", false);
        row("one step more", "[{sync: device}]", "[{sync: device}, {sync: device}]", false);
        row("one variant more", "variants: {", "variants: {w: {}, ", false);
        row("no YAML", "threads: {", "threads: }", false);
    }
    void runsTheSame()
    {
        QFETCH(QString, other);
        QFETCH(bool, same);
        QCOMPARE(runs_the_same(sample, other.toStdString()), same);
        QCOMPARE(runs_the_same(other.toStdString(), sample), same);
    }

private:
    static constexpr auto sample = "title: T\nrule: R\nparameters: {n: {default: 1 MiB, label: Size}}\n"
                                   "variants: {v: {title: One, n: 2 MiB}}\nthreads: {main: [{sync: device}]}\n";

    static void verify()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        QCOMPARE(error_of(text.toStdString()), error);
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadParse)
#include "tst_workload_parse.moc"
