// SPDX-License-Identifier: MIT
// Which loop of a program is its own, where its iterations begin and after what it is named: in sequences, in
// recordings written by hand, and in recordings of programs whose own counts are known.
#include "engine/analysis/facts/loops.h"
#include "engine/analysis/facts/steady_state.h"
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/tape.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <numeric>

Q_DECLARE_METATYPE(std::vector<int>)

using namespace lanes;

namespace {

QString told_loops(const std::string& text)
{
    std::vector<Symbol> symbols(text.begin(), text.end());
    QStringList all;
    for (const auto& loop : find_loops(symbols, std::vector<std::uint32_t>(symbols.size(), 1))) {
        all << QStringLiteral("%1 of %2 from %3").arg(loop.starts.size()).arg(loop.period).arg(loop.starts.front());
    }
    return all.join("; ");
}

std::string times(int count, const std::string& text)
{
    std::string all;
    for (int i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

/// A program that is written down launch by launch. Its main thread has its process's number.
class Program {
public:
    static constexpr std::uint32_t main_thread = Tape::process, other_thread = 7777, main_stream = 7;

    /// Each character is a kernel of that name, but '<' uploads, '>' reads back, '|' waits for the device.
    void launch(std::string_view script, std::uint32_t thread = main_thread, std::uint32_t stream = main_stream)
    {
        for (const char c : script) {
            if (c == '|') {
                tape.sync(tape.call("cudaDeviceSynchronize", now, now + 90, thread), SyncRecord::context_sync, now + 10,
                    now + 80);
            } else {
                const bool copies = c == '<' || c == '>';
                const auto call = tape.call(copies ? "cudaMemcpyAsync" : "cudaLaunchKernel", now, now + 10, thread);
                copies ? tape.copy(call, stream, now + 20, now + 90, c == '<' ? CopyKind::h2d : CopyKind::d2h,
                    MemoryKind::pinned, true)
                       : tape.kernel(call, stream, now + 20, now + 90, 0,
                           c == 'U' ? "multi_tensor_apply_kernel" : std::string(1, c));
            }
            now += 100;
        }
    }
    void range(std::string_view name, std::string_view script, std::string_view domain = "")
    {
        const Ns start = now;
        launch(script);
        tape.range(name, start, now, main_thread, domain);
        now += 10;
    }

    Tape tape;
    Ns now = 1000;
};

struct Found {
    std::size_t all = 0, count = 0;
    QString name;
    std::uint32_t thread = 0;
};

Found found_in(const Trace& trace)
{
    const auto steady = find_steady_state(trace);
    return !steady ? Found {}
                   : Found {find_iterations(trace).size(), steady->count, QString::fromStdString(steady->name),
                       steady->thread == no_row ? 0 : trace.threads[steady->thread].id};
}

QString told(const Found& found)
{
    return QStringLiteral("%1/%2 '%3' %4").arg(found.all).arg(found.count).arg(found.name).arg(found.thread);
}

const QString of_main = QStringLiteral("'' %1").arg(Program::main_thread);

}  // namespace

class tst_LaunchLoop : public QObject {
    Q_OBJECT

private slots:
    void iterationsBeginInOrder();
    void findsLoopsInSequences_data();
    void findsLoopsInSequences();
    void beginsAndEndsWithItsOwn_data();
    void beginsAndEndsWithItsOwn();
    void countsWhatIsDealt_data();
    void countsWhatIsDealt();
    void choosesTheProgramsOwn_data();
    void choosesTheProgramsOwn();
    void isTheModelsNotAWorkers();
    void isNotNamedAfterAWorkersRanges();
    void isNamedAfterTheBestRange_data();
    void isNamedAfterTheBestRange();
    void stepsAreInEpochs();
    void countsAsTheProgramsDo_data();
    void countsAsTheProgramsDo();
};

void tst_LaunchLoop::findsLoopsInSequences_data()
{
    QTest::addColumn<QString>("symbols");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& symbols, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(symbols) << expected;
    };
    row("nothing", "", "");
    row("once", "abcdefgh", "");
    row("twice", "abcdabcd", "");
    row("a loop after a start-up", "xyzxw" + times(5, "abcd"), "5 of 4 from 5");
    row("cut short at the end", times(5, "abcdefgh") + "ab", "5 of 8 from 0");
    row("each fifth time one more", times(10, times(4, "abcdefghijkl") + "abcdefghijkl!"),
        "50 of 12 from 0; 10 of 61 from 0");
    row("a tail that changes", "abcdefgu" + std::string("abcdefgvvabcdefgabcdefguabcdefgvabcdefgww"), "6 of 8 from 0");
    row("a loop in a loop", times(6, "e" + times(9, "abcd") + "fgh"), "54 of 4 from 1; 6 of 40 from 0");
    row("only a part of all", times(5, "abcd") + "efghijklmnopqrstuvwxyzABCDEFGHIJKLM", "");
}

void tst_LaunchLoop::findsLoopsInSequences()
{
    QFETCH(QString, symbols);
    QTEST(told_loops(symbols.toStdString()), "expected");
}

void tst_LaunchLoop::beginsAndEndsWithItsOwn_data()
{
    QTest::addColumn<QString>("symbols");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("start");
    QTest::addColumn<int>("end");
    const auto row = [](const char* name, const std::string& symbols, int count, int start, int end) {
        QTest::newRow(name) << QString::fromStdString(symbols) << count << start << end;
    };
    row("alone", times(6, "abcdefgh"), 6, 0, 48);
    row("a residual before it", "<<mabck" + times(6, "mabcdefgh"), 6, 7, 61);
    row("a first one without an average", "<<mabcdefh" + times(6, "mabcdefgh"), 7, 2, 64);
    row("a result after the last one", times(6, "abcdefgh>ij") + "abcdef>" + ">", 7, 0, 73);
}

/// Neither what comes before a loop and looks like its beginning, nor what comes after it, is of it.
void tst_LaunchLoop::beginsAndEndsWithItsOwn()
{
    QFETCH(QString, symbols);
    QFETCH(int, count);
    QFETCH(int, start);
    QFETCH(int, end);
    const auto text = symbols.toStdString();
    const auto loops = find_loops({text.begin(), text.end()}, std::vector<std::uint32_t>(text.size(), 1));
    QCOMPARE(loops.size(), std::size_t {1});
    QCOMPARE(loops[0].starts.size(), static_cast<std::size_t>(count));
    QCOMPARE(loops[0].starts.front(), static_cast<std::size_t>(start));
    QCOMPARE(loops[0].end_of(loops[0].starts.size() - 1), static_cast<std::size_t>(end));
}

void tst_LaunchLoop::countsWhatIsDealt_data()
{
    QTest::addColumn<std::vector<int>>("streams");  // of each iteration
    QTest::addColumn<bool>("threads");  // each issues its own, all at once
    QTest::addColumn<QByteArray>("work");
    QTest::addColumn<int>("count");
    std::vector<int> one_then_four(10, 13), each(8), two(12, 13), trial, in_pairs;
    for (int i = 0; i < 40; ++i) {
        in_pairs.push_back(i % 2 == 0 ? 7 : 13);
    }
    for (int i = 0; i < 10; ++i) {
        one_then_four.push_back(13 + i % 4);
    }
    std::iota(each.begin(), each.end(), 13);
    std::fill(two.begin() + 6, two.end(), 23);
    trial = one_then_four;
    trial.insert(trial.begin(), 7);
    QTest::newRow("one stream, then four") << one_then_four << false << QByteArray("k<>") << 20;
    QTest::newRow("each was tried before") << trial << false << QByteArray("k<>") << 20;
    QTest::newRow("one stream after the other") << two << false << QByteArray("k<>") << 12;
    QTest::newRow("a thread and a stream for each") << each << true << QByteArray("<k>") << 8;
    QTest::newRow("two streams in each, of one kernel") << in_pairs << false << QByteArray("k") << 20;
    QTest::newRow("all on one") << std::vector<int>(10, 13) << false << QByteArray("k<>") << 10;
}

/// Iterations of the same work on several streams count on all of them, in the order in which they begin.
void tst_LaunchLoop::countsWhatIsDealt()
{
    QFETCH(std::vector<int>, streams);
    QFETCH(bool, threads);
    QFETCH(QByteArray, work);
    QFETCH(int, count);
    Program program;
    if (threads) {
        // Each is 10 ns later than the one before, and slower.
        for (std::size_t i = 0; i < streams.size(); ++i) {
            for (int part = 0; part < 3; ++part) {
                program.now = 1000 + 10 * static_cast<Ns>(i) + part * (100 + 37 * static_cast<Ns>(i));
                program.launch(std::string(1, work[part]), 100 + static_cast<std::uint32_t>(i),
                    static_cast<std::uint32_t>(streams[i]));
            }
        }
    } else {
        for (const int stream : streams) {
            program.launch(work.toStdString(), Program::main_thread, static_cast<std::uint32_t>(stream));
        }
    }
    const auto trace = program.tape.finish();
    const auto found = find_repetition(trace);
    QVERIFY(found.has_value());
    QCOMPARE(found->iterations.size(), static_cast<std::size_t>(count));
    std::vector<Ns> first_starts;
    for (const auto& rows : found->operations) {
        first_starts.push_back(record_time_limit);
        for (const Row row : rows) {
            first_starts.back() = std::min(first_starts.back(), trace.operations.start[row]);
        }
    }
    QCOMPARE(first_starts.size(), found->iterations.size());
    QVERIFY(std::is_sorted(first_starts.begin(), first_starts.end()));
}

void tst_LaunchLoop::choosesTheProgramsOwn_data()
{
    using Write = std::function<void(Program&)>;
    QTest::addColumn<Write>("write");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const Write& write, const char* counts) {
        QTest::newRow(name) << write << QString(counts) + ' ' + of_main;
    };
    const auto step = [](Program& of, const char* optimizer) {
        of.launch("<abcdefgabcdefg");
        of.launch("hijklmhijklm", Program::other_thread);
        of.launch(optimizer);
    };
    row(
        "a value is read each tenth time",
        [=](Program& of) {
            for (int i = 0; i < 110; ++i) {
                step(of, "UU");
                of.launch(i % 10 == 0 ? ">" : "");
            }
        },
        "110/110");
    row(
        "an evaluation each tenth time",
        [=](Program& of) {
            for (int i = 0; i < 110; ++i) {
                step(of, "UU");
                of.launch(i % 10 == 9 ? times(5, "<abcdefgabcdefg>") : "");
            }
        },
        "110/110");
    row(
        "batches in epochs",
        [](Program& of) {
            for (int i = 0; i < 4; ++i) {
                of.launch(times(25, "<abcdefgh") + "pqrs>|");
            }
        },
        "100/100");
    row(
        "layers in a token", [](Program& of) { of.launch("xyz" + times(30, "e" + times(12, "abcdefgh") + "nms>")); },
        "30/30");
    row(
        "layers in a token that nobody reads",
        [](Program& of) { of.launch("xyz" + times(30, "e" + times(12, "abcdefgh") + "nms")); }, "30/30");
    row(
        "gradients of four batches",
        [=](Program& of) {
            for (int i = 0; i < 80; ++i) {
                step(of, i % 4 == 3 ? "UUUUU" : "");
            }
        },
        "20/20");
    row(
        "a network on real data, on generated data and for the other one",
        [](Program& of) {
            for (int i = 0; i < 25; ++i) {
                of.launch("<");
                for (const char* part : {"", "U", "vwU"}) {
                    of.launch("abcdefgabcdefg");
                    of.launch("hijklmhijklm", Program::other_thread);
                    of.launch(part);
                }
            }
        },
        "25/25");
    row(
        "experts that wait, in layers with a short head",
        [](Program& of) { of.launch("xyz" + times(50, "e" + times(4, times(8, "abcdef>g") + "hijk") + "n")); },
        "50/50");
    row(
        "batches dealt to three streams: all of them",
        [](Program& of) {
            for (std::uint32_t i = 0; i < 60; ++i) {
                of.launch("<abc>", Program::main_thread, 21 + i % 3);
            }
        },
        "60/60");
    row(
        "equal parts of an iteration dealt to three streams",
        [](Program& of) {
            for (int i = 0; i < 40; ++i) {
                of.launch("<");
                for (std::uint32_t part = 0; part < 12; ++part) {
                    of.launch("ab", Program::main_thread, 21 + part % 3);
                }
                of.launch("n>");
            }
        },
        "40/40");
    row(
        "a cache that grows takes other kernels",
        [](Program& of) {
            for (int i = 0; i < 60; ++i) {
                of.launch("<e");
                of.launch(times(6, std::string("abcd") + (i < 20 ? "f" : i < 40 ? "gg" : "hij")));
                of.launch("nms>");
            }
        },
        "60/60");
    row(
        "a warm-up in a loop of its own",
        [](Program& of) { of.launch("xyz" + times(3, "eabcdefgh>") + "z|" + times(50, "eabcdefgh>")); }, "53/50");
    row(
        "a clock that is read after a wait",
        [](Program& of) { of.launch("xyz" + times(5, "eabcdefgh>") + "|" + times(50, "eabcdefgh>")); }, "55/55");
}

void tst_LaunchLoop::choosesTheProgramsOwn()
{
    QFETCH(std::function<void(Program&)>, write);
    Program program;
    write(program);
    QTEST(told(found_in(program.tape.finish())), "expected");
}

/// A worker thread prepares batches on the GPU with twice as many launches as the model has.
void tst_LaunchLoop::isTheModelsNotAWorkers()
{
    Program program;
    program.tape.stream(21, StreamRecord::non_blocking);
    for (int i = 0; i < 40; ++i) {
        program.launch("<abcdefUU");
        for (int part = 0; part < 3; ++part) {
            program.launch("pqrstuv", Program::other_thread, 21);
        }
    }
    const auto found = found_in(program.tape.finish());
    QCOMPARE(told(found), "40/40 " + of_main);
}

void tst_LaunchLoop::isNotNamedAfterAWorkersRanges()
{
    Program program;
    for (int i = 0; i < 40; ++i) {
        const Ns start = program.now;
        program.range("aten::zeros", "", "cpu_op");
        program.range("Net (train.py:42)", "<abcdef");
        program.range("aten::add", "UU", "cpu_op");
        // Holds all launches of its time, but makes none.
        program.tape.range("load a batch", start, program.now, Program::other_thread);
    }
    QCOMPARE(told(found_in(program.tape.finish())),
        QStringLiteral("40/40 'Net (train.py:42)' %1").arg(Program::main_thread));
}

void tst_LaunchLoop::isNamedAfterTheBestRange_data()
{
    QTest::addColumn<QStringList>("names");  // of "<ab", "cde" and "UU"
    QTest::addColumn<QString>("expected");
    QTest::newRow("a call of the model") << QStringList {"Net (a.py:1)", "backward (a.py:2)",
        "-Optimizer.step#SGD.step"} << "Net (a.py:1)";
    QTest::newRow("a range of the user") << QStringList {"-aten::zeros", "forward 7", "-aten::add"} << "forward";
    QTest::newRow("a backward pass, where nothing is better")
        << QStringList {"-aten::zeros", "backward (a.py:2)", "-aten::add"} << "backward (a.py:2)";
    QTest::newRow("operators alone") << QStringList {"-aten::zeros", "-aten::linear", "-aten::add"} << "";
    QTest::newRow("a library's ranges") << QStringList {"cub::DeviceScan", "ncclAllReduce", "-aten::add"} << "";
}

void tst_LaunchLoop::isNamedAfterTheBestRange()
{
    QFETCH(QStringList, names);
    Program program;
    for (int i = 0; i < 40; ++i) {
        const std::array<const char*, 3> scripts {"<ab", "cde", "UU"};
        for (std::size_t part = 0; part < 3; ++part) {
            const auto name = names[static_cast<qsizetype>(part)].toStdString();
            const bool isOperator = name.front() == '-';
            program.range(isOperator ? name.substr(1) : name, scripts.at(part), isOperator ? "cpu_op" : "");
        }
    }
    const auto found = found_in(program.tape.finish());
    QCOMPARE(found.count, std::size_t {40});
    QTEST(found.name, "expected");
}

/// Ranges around epochs hold most operations, but a step is the iteration.
void tst_LaunchLoop::stepsAreInEpochs()
{
    for (const bool steps : {true, false}) {
        Program program;
        for (int epoch = 0; epoch < 4; ++epoch) {
            const Ns start = program.now;
            for (int i = 0; i < 20; ++i) {
                steps ? program.range("step " + std::to_string(i), "<abcdefUU") : program.launch("<abcdefUU");
            }
            program.tape.range("epoch " + std::to_string(epoch), start, program.now, Program::main_thread);
        }
        QCOMPARE(told(found_in(program.tape.finish())),
            QStringLiteral("80/80 '%1' %2").arg(steps ? "step" : "").arg(Program::main_thread));
    }
}

/// `all` is what the program itself counts, with a warm-up that does the same: iterations of training, tokens, batches.
void tst_LaunchLoop::countsAsTheProgramsDo_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("all");
    QTest::addColumn<int>("warmUp");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* file, int all, int warm_up, const char* name = "") {
        QTest::newRow(file) << qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/programs/" + file << all
                            << warm_up << name;
    };
    row("ddp-one.sqlite", 51, 1);
    row("decode-eager.sqlite", 203, 3);
    row("decode-noitem.sqlite", 203, 3);
    row("decode-graph.sqlite", 200, 0);
    row("e-exit3.sqlite", 500, 0);
    row("fsdp2.sqlite", 10, 1);
    row("hf-dynamic.sqlite", 108, 8);
    row("loader-w0.sqlite", 80, 1);
    row("loader-w4.sqlite", 80, 1);
    row("m-compile.sqlite", 310, 1);
    row("m-reduce.sqlite", 310, 2);
    row("mnist.sqlite", 200, 1);
    row("mnist.pt.sqlite", 200, 1, "Net (main.py:42)");
    row("nanogpt-compile.sqlite", 111, 1);
    row("nanogpt-item.sqlite", 111, 2);
    row("resnet-pageable.sqlite", 38, 2);
    row("s-jacobiCudaGraphs.sqlite", 2954, 0);
}

void tst_LaunchLoop::countsAsTheProgramsDo()
{
    QFETCH(QString, file);
    QFETCH(int, all);
    QFETCH(int, warmUp);
    if (!QFileInfo::exists(file)) {
        QSKIP("not here");
    }
    const auto trace = open_recording(file.toStdString());
    const auto steady = find_steady_state(trace);
    QVERIFY(steady.has_value());
    QCOMPARE(find_iterations(trace).size(), static_cast<std::size_t>(all));
    QCOMPARE(steady->count, static_cast<std::size_t>(all - warmUp));
    QTEST(QString::fromStdString(steady->name), "name");
    QVERIFY(steady->thread != no_row);
    QCOMPARE(trace.threads[steady->thread].id, trace.threads[steady->thread].process);  // the main thread
}

/// Where a recording begins, operations lack their calls: an iteration that begins with one had others issued before it
/// ran, as the next iteration had.
void tst_LaunchLoop::iterationsBeginInOrder()
{
    constexpr Ns ms = 1'000'000;
    Tape tape;
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < 3; ++k) {
            const Ns called = i * 100'000 + k * 10'000;  // far ahead of the GPU
            const Ns start = 20 * ms + i * 3 * ms + k * ms;
            const bool is_lost = i == 1 && k == 0;
            tape.kernel(is_lost ? tape.unrecorded() : tape.call("cudaLaunchKernel", called, called + 5'000), 7, start,
                start + ms - 10'000, 0, std::string(1, static_cast<char>('a' + k)));
        }
    }
    const auto iterations = find_iterations(tape.finish());
    QCOMPARE(iterations.size(), std::size_t {12});
    for (std::size_t i = 1; i < iterations.size(); ++i) {
        QVERIFY(iterations[i - 1].start < iterations[i].start);
    }
}

QTEST_GUILESS_MAIN(tst_LaunchLoop)
#include "tst_launch_loop.moc"
