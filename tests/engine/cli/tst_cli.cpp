// SPDX-License-Identifier: MIT
// `lanes` as people and scripts call it: exit status, one line of error, JSON that parses, files whole or not there.
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/cli/lanes_with.h"

#include <array>
#include <functional>
#include <QDir>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace lanes;

class tst_Cli : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void wrongArguments_data();
    void wrongArguments();
    void helpOfEveryCommand();
    void everyOptionOfEveryCommand();
    void version();
    void list();
    void show();
    void report();
    void reportOfARange();
    void whatFindingsAdvise_data();
    void whatFindingsAdvise();
    void ofThePartThatRepeats_data();
    void ofThePartThatRepeats();
    void aRow();
    void rows();
    void summary();
    void namesWithNul();
    void whyWhereNothingRuns();
    void whatIfOfARange();
    void languages();
    void compare();
    void convert_data();
    void convert();
    void ranks();
    void convertARange();
    void convertLeavesItsInputAlone();
    void convertOnAFullDisk();
    void everyKeyIsDefined_data();
    void everyKeyIsDefined();

private:
    QString path(const char* name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
    QString m_recording;
};

void tst_Cli::initTestCase()
{
    QVERIFY2(QFile::exists(qEnvironmentVariable("LANES_BUILD") + "/bin/lanes"), "build the target lanes first");
    m_recording = path("run.sqlite");
    save_recording(small_trace(), m_recording.toStdString());
    QFile text(path("text.sqlite"));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("this is no recording\n");
}

void tst_Cli::wrongArguments_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [&](const char* name, const QStringList& arguments, const char* says) {
        QTest::newRow(name) << arguments << QByteArray(says);
    };
    row("no command", {}, "lanes: no command given");
    row("unknown command", {"reprt"}, "did you mean 'report'?");
    row("unknown command and its options", {"frobnicate", "--fast"}, "unknown command 'frobnicate'; see lanes --help");
    row("unknown option", {"report", "x", "--jsn"}, "did you mean '--json'?");
    row("and nothing else", {"report", "--jsn"}, "unknown option '--jsn'; did you mean '--json'?");
    row("unknown option and what would have been its value", {"record", "--progress", "none", "--", "./a"},
        "unknown option '--progress'; it is an option of lanes run or lanes calibrate; see lanes record --help");
    row("the same with =", {"record", "--progress=none", "--", "./a"}, "unknown option '--progress=none'");
    row("unknown option before a program's options", {"record", "--outptu", "x", "--", "./a", "--fast"},
        "unknown option '--outptu'; did you mean '--output'?");
    row("a program's option", {"record", "-o", "x.sqlite", "./a", "b", "--fast", "3"},
        "unknown option '--fast'; options of the program come after --: lanes record -- ./a b --fast 3");
    row("output of another name", {"merge", "a", "b", "--outptu", "c"}, "did you mean '--output'?");
    row("option of another command", {"report", m_recording, "--drop-values", "10"},
        "unknown option '--drop-values'; it is an option of lanes whatif");
    row("option before the command", {"--json", "report", m_recording},
        "unknown option '--json'; it comes after the command: lanes report --json");
    row("a letter of nobody", {"report", m_recording, "-z"}, "unknown option '-z'; see lanes report --help");
    row("a letter of another case", {"whatif", m_recording, "-O", "x"}, "did you mean '-o'?");
    row("steps that are none", {"env", "-o", "run", "--steps", "first"}, "expected two numbers such as 10:15");
    row("ranks that are none", {"env", "-o", "run", "--ranks", "7-3"},
        "expected all, every:64, or ranks such as 0-7,12");
    row("a launcher that is none", {"env", "-o", "run", "--format", "cron"}, "expected");
    row("one dash", {"report", m_recording, "-json"}, "unknown option '-json'; did you mean '--json'?");
    row("no option after --", {"report", "--", m_recording, "--json"}, "unexpected argument '--json'");
    row("no value", {"report", m_recording, "--range"}, "--range: found nothing, expected A:B");
    row("an option for a value", {"report", "--range", "--json", m_recording},
        "--range: found \"--json\", which is no value, expected a value");
    row("an option for a query", {"whatif", m_recording, "--faster", "--pin"},
        "--faster: found \"--pin\", which is no value, expected a value");
    row("the separator for a value", {"record", "-o", "--", "true"},
        "--output: found \"--\", which is no value, expected a value");
    row("option of nobody", {"--qqqqqqqq"}, "see lanes --help");
    row("too many arguments", {"list", "more"}, "unexpected argument 'more'");
    row("no file named", {"report"}, "FILE is required");
    row("no such file", {"report", path("none.sqlite")}, "none.sqlite");
    row("a folder", {"report", m_folder.path()}, "found a folder, expected a file");
    row("no recording", {"report", path("text.sqlite")}, "text.sqlite");
    row("unknown language", {"report", m_recording, "--lang", "tlh"}, "found \"tlh\", expected en or zh_CN");
    row("no time", {"why", m_recording, "--at", "soon"}, "is not a time");
    row("time behind the end", {"why", m_recording, "--at", "5s"}, "expected a time of the recording");
    row("no such operation", {"why", m_recording, "--operation", "4000000"}, "no operation of this recording");
    row("a row that is none", {"report", m_recording, "--row", "kernel:3"},
        "--row: found \"kernel:3\", expected the id of a row, such as operation:12");
    row("a row beyond the end", {"why", m_recording, "--row", "call:9"},
        "--row: found \"call:9\", expected call:0 to call:2");
    row("a finding that is none", {"whatif", m_recording, "--row", "finding:none"}, "--row: found \"finding:none\"");
    row("a row and a range", {"report", m_recording, "--row", "call:0", "--range", "1us:"}, "--range excludes --row");
    row("no table", {"rows", m_recording, "kernels"}, "expected operations, calls or ranges");
    row("no query", {"rows", m_recording, "calls", "--query", "dur>>1"}, "--query: ");
    row("no schema", {"schema", "repot"}, "did you mean 'report'?");
    row("an operation's id", {"why", m_recording, "--operation", "abc"},
        "--operation: found \"abc\", expected a whole number from 1 to 4294967294");
    row("no steps back", {"why", m_recording, "--steps", "0"},
        "--steps: found \"0\", expected a whole number from 1 to 1000000");
    row("steps forward", {"why", m_recording, "--steps", "-3"},
        "--steps: found \"-3\", expected a whole number from 1 to 1000000");
    row("one rank to merge", {"merge", m_recording, "-o", path("out.sqlite")},
        "FILE: found one recording, expected two or more, one per rank");
    row("no range", {"report", m_recording, "--range", "5ms"}, "expected A:B");
    row("a part that is misspelt", {"report", m_recording, "--range", "stedy"}, "did you mean 'steady'?");
    row("an assumption that is none", {"whatif", m_recording, "--confirm", "foo"},
        "unknown assumption 'foo', expected ");
    row("a finding that is none", {"whatif", m_recording, "--drop-syncs", "finding:foo"},
        "unknown finding with such a change 'foo'");
    row("a file of nearly that name", {"report", path("run.sqlit")}, "did you mean '");
    row("unknown unit", {"report", m_recording, "--range", "1parsec:"}, "unknown unit 'parsec'");
    row("range behind the end", {"report", m_recording, "--range", "1s:"}, "after the recording's end");
    row("range beyond the end", {"report", m_recording, "--range", "5s:6s"}, "which spans 0 ms to 200 µs");
    row("a range that is not set", {"report", m_recording, "--range", ""}, "--range: found \"\", expected a value");
    row("a time that is not set", {"why", m_recording, "--at", ""}, "--at: found \"\", expected a value");
    row("a file that is not set", {"whatif", m_recording, "--pin", "-o", ""}, "--output: found \"\", expected a value");
    row("a device that is not set", {"run", "copy-results-back", "--device", ""},
        "--device: found \"\", expected a value");
    row("a folder that is not set", {"run", "copy-results-back", "-o", ""}, "--output: found \"\", expected a value");
    row("a recording that is not set", {"record", "-o", "", "--", "true"}, "--output: found \"\", expected a value");
    row("no name of a range", {"record", "--range", "", "--", "true"}, "--range: found \"\", expected a value");
    row("no recording of a run", {"run", "copy-results-back", "--device", "model", "-o", path("run.json")},
        "run.json: run writes .sqlite; lanes convert makes the others of it");
    row("twice", {"report", m_recording, "--range", "0:1", "--range", "1:2"},
        "--range is given 2 times, expected once");
    row("no such table", {"summary", m_recording, "--by", "kernels"},
        "--by: found \"kernels\", expected kernel, copy, api, range, family, owner, module, line or counter; did you "
        "mean 'kernel'?");
    row("half a stream", {"whatif", m_recording, "--more-streams", "2.5"},
        "--more-streams: found \"2.5\", expected a whole number from 1 to 1000000, and a query behind it");
    row("slower than still", {"whatif", m_recording, "--faster", "0"},
        "--faster: found \"0\", expected a number from 0.01 to 1000000, and a query behind it");
    row("a file that commands the terminal", {"report", "no\n\x1b[31m.json"}, "cannot open 'no  [31m.json'");
    row("progress", {"run", "copy-results-back", "--progress", "jsn"},
        "--progress: found \"jsn\", expected bar, json or none; did you mean 'json'?");
    row("no times", {"run", "copy-results-back", "--no-probe", "--repeat", "0"},
        "--repeat: found \"0\", expected a whole number from 1 to 1000000");
    row("half a time", {"run", "copy-results-back", "--no-probe", "--repeat", "1.5"},
        "--repeat: found \"1.5\", expected a whole number from 1 to 1000000");
    row("rounds", {"calibrate", "-o", "x.yaml", "--rounds", "101"},
        "--rounds: found \"101\", expected a whole number from 1 to 100");
    row("a flag takes no value", {"report", m_recording, "--iterations=5"}, "--iterations takes no value");
    row("JSON of what size", {"list", "--json=5"}, "--json: found \"5\", expected nothing or full");
    row("no such workload file", {"show", path("none.yaml")}, "none.yaml: No such file or directory");
    row("a folder for a workload", {"show", m_folder.path() + "/"}, "found a folder, expected a file");
    row("unknown workload", {"show", "copy-results-bak"}, "did you mean 'copy-results-back'?");
    row("half the name of a workload", {"run", "copy-result"}, "did you mean 'copy-results-back'?");
    row("no name of a workload", {"run", "zebra"}, "unknown workload 'zebra'; see lanes list");
    row("compare with nothing", {"compare", m_recording}, "B is required");
    row("a part of two runs", {"compare", m_recording, m_recording, "--range", "stedy"},
        "--range: found \"stedy\", expected steady; did you mean 'steady'?");
    row("nothing repeats in a side", {"compare", m_recording, m_recording, "--range", "steady"},
        ": --range: nothing repeats in this recording");
    row("no such limit", {"compare", m_recording, m_recording, "--gate", "wal<5%"}, "--gate: column 1: found 'wal<5%'");
    row("no limit", {"compare", m_recording, m_recording, "--gate", ""}, "--gate: column 1: found the end");
    QDir(m_folder.path()).mkdir("empty");
    row("no recordings", {"compare", path("empty"), m_recording}, "found a folder without any .sqlite");
    row("unknown ending", {"convert", m_recording, path("out.txt")}, ".txt");
    row("convert beyond the end", {"convert", m_recording, path("out.json"), "--range", "1s:2s"},
        "--range: the range '1s:2s' begins after the recording's end");
    row("convert nothing", {"convert", path("none.sqlite"), path("out.json")}, "none.sqlite");
}

void tst_Cli::wrongArguments()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const auto outcome = lanes_with(arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains(says), outcome.err.constData());
    QCOMPARE(outcome.err.count('\n'), 1);
    QVERIFY(outcome.err.startsWith("lanes"));
    QCOMPARE(outcome.out, QByteArray());
}

void tst_Cli::helpOfEveryCommand()
{
    const auto help = lanes_with({"--help"});
    QCOMPARE(help.status, 0);
    QFile definitions(qEnvironmentVariable("LANES_SOURCE") + "/docs/definitions.md");
    QVERIFY(definitions.open(QIODevice::ReadOnly));
    const QByteArray defined = definitions.readAll();
    const QStringList lines = QString::fromUtf8(help.out).split('\n');
    const auto first = lines.indexOf("Subcommands:") + 1;
    QVERIFY(first > 0);
    int commands = 0;
    for (auto i = first; !lines[i].isEmpty(); ++i, ++commands) {
        const QString command = lines[i].trimmed().section(' ', 0, 0);
        const auto outcome = lanes_with({command, "--help"});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.contains("Usage: "));
        QCOMPARE(outcome.err, QByteArray());
        // Keys that scripts read are defined.
        if (outcome.out.contains("--json")) {
            QVERIFY2(defined.contains(("\n### `lanes " + command + ' ').toUtf8()), qPrintable(command));
        }
    }
    QVERIFY(commands >= 13);
    QVERIFY(!help.out.contains("run-child"));
}

/// An option in --help: its names, and whether it needs a value.
struct ListedOption {
    QStringList names;
    bool needsValue = false;
};

static QList<ListedOption> optionsOf(const QByteArray& help)
{
    static const QRegularExpression line("^  (-[^ ]+)(?: ('[^']*'|[^ ]+))?");
    QList<ListedOption> options;
    for (const QByteArray& each : help.split('\n')) {
        if (const auto match = line.match(QString::fromUtf8(each)); match.hasMatch()) {
            const QString value = match.captured(2);
            options.append({match.captured(1).split(','), value.contains(QRegularExpression("^'?[A-Z]+\\b"))});
        }
    }
    return options;
}

static QStringList commandsOf(const QByteArray& help)
{
    QStringList commands;
    const auto list = help.mid(help.indexOf("Subcommands:")).split('\n').mid(1);
    for (const QByteArray& line : list) {
        if (!line.startsWith("  ") || line.trimmed().isEmpty()) {
            break;
        }
        if (line[2] != ' ') {
            commands += QString::fromUtf8(line.trimmed().split(' ').first());
        }
    }
    return commands;
}

/// Mistyped, without its value, before another option, and where another command has it: of these each command is given
/// every tenth, another tenth than the command before, since each try is a process.
void tst_Cli::everyOptionOfEveryCommand()
{
    const QStringList commands = commandsOf(lanes_with({"--help"}).out);
    QVERIFY2(commands.size() >= 13, qPrintable(commands.join(' ')));
    QMap<QString, QList<ListedOption>> table;
    for (const QString& command : commands) {
        table[command] = optionsOf(lanes_with({command, "--help"}).out);
        QVERIFY2(!table[command].isEmpty(), qPrintable(command));
    }
    const auto says = [](const QStringList& arguments, const QString& expected) {
        const auto outcome = lanes_with(arguments);
        const QByteArray said = "lanes " + arguments.join(' ').toUtf8() + ": " + outcome.err;
        QVERIFY2(outcome.status == 2, said.constData());
        QVERIFY2(outcome.err.contains(expected.toUtf8()), (said + expected.toUtf8()).constData());
        QCOMPARE(outcome.err.count('\n'), 1);
    };
    constexpr qsizetype every = 10;
    int withValue = 0;
    QSet<QString> all;
    for (const QString& command : commands) {
        for (const ListedOption& option : table[command]) {
            all += option.names.last();
        }
    }
    for (const QString& command : commands) {
        QSet<QString> others = all;
        for (const ListedOption& option : table[command]) {
            const QString& name = option.names.last();
            others -= name;
            says({command, name + "q", "none", "--", "./a"}, "unknown option '" + name + "q'; did you mean '");
            if (option.needsValue) {
                ++withValue;
                says({command, name}, name + ": found nothing, expected ");
                says({command, name, "--help"}, name + ": found \"--help\", which is no value");
            }
        }
        QStringList foreign(others.begin(), others.end());
        foreign.sort();
        for (auto at = commands.indexOf(command) % every; at < foreign.size(); at += every) {
            says({command, foreign[at], "1", "--", "./a"}, "unknown option '" + foreign[at] + "'; ");
        }
    }
    QVERIFY2(withValue > 20, qPrintable(QString::number(withValue)));
}

void tst_Cli::version()
{
    const auto outcome = lanes_with({"--version"});
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.startsWith("lanes "));
}

void tst_Cli::list()
{
    simdjson::dom::parser parser;
    const auto outcome = lanes_with({"list", "--json"}, {"LC_ALL=zh_CN.UTF-8"});
    QCOMPARE(outcome.status, 0);
    const simdjson::dom::array workloads = parser.parse(outcome.out.toStdString());
    bool found = false;
    for (const simdjson::dom::element workload : workloads) {
        QVERIFY(std::int64_t(workload["gpus"]) >= 1);
        if (std::string_view(workload["name"]) == "copy-results-back") {
            found = true;
            QCOMPARE(std::string_view(workload["title"]), std::string_view("Copy results back"));
            QCOMPARE(std::string_view(workload["variants"].at(0)), std::string_view("blocking"));
            QCOMPARE(std::string_view(workload["variants"].at(6)), std::string_view("overlapped"));
        }
    }
    QVERIFY(found);
    QVERIFY(lanes_with({"list", "--json", "--lang", "zh_CN"}).out.contains("把结果拷回主机"));
    QVERIFY(lanes_with({"list"}).out.contains("copy-results-back"));
}

void tst_Cli::show()
{
    QFile file(qEnvironmentVariable("LANES_SOURCE") + "/resources/workloads/copy-results-back.yaml");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto text = file.readAll();
    QCOMPARE(lanes_with({"show", "copy-results-back"}).out, text);
    QCOMPARE(lanes_with({"show", file.fileName()}).out, text);
    simdjson::dom::parser parser;
    const simdjson::dom::element json
        = parser.parse(lanes_with({"show", "copy-results-back", "--json"}).out.toStdString());
    QCOMPARE(std::string_view(json["text"]), std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    QCOMPARE(std::string_view(json["variants"].at(0)["name"]), std::string_view("blocking"));
    const auto chinese = lanes_with({"show", "copy-results-back", "--json", "--lang", "zh_CN"}).out;
    const simdjson::dom::element translated = parser.parse(chinese.toStdString());
    QVERIFY(QString::fromStdString(std::string(std::string_view(translated["rule"])))
                .contains("non_blocking 解放的是 CPU"));
    for (const char* key : {"description", "look", "why"}) {
        QVERIFY(!std::string_view(translated[key]).empty());
    }
}

void tst_Cli::report()
{
    simdjson::dom::parser parser;
    const auto outcome = lanes_with({"report", m_recording, "--json=full"});
    QCOMPARE(outcome.status, 0);
    QCOMPARE(outcome.out.count('\n'), 1);
    const simdjson::dom::element json = parser.parse(outcome.out.toStdString());
    QCOMPARE(std::string_view(json["source"]), std::string_view("cupti"));
    QCOMPARE(std::int64_t(json["gpu_busy_ns"]), 150'000);
    QCOMPARE(std::int64_t(json["overlap_ns"]), 50'000);
    QCOMPARE(std::int64_t(json["gpu"].at(0)["copy_hidden_ns"]), 50'000);
    QCOMPARE(std::int64_t(json["cpu"].at(0)["blocked_by"]["device_sync"]), 180'000);
    const auto text = lanes_with({"report", m_recording});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("recorded with CUPTI"));
    QVERIFY(text.out.contains("150 µs"));
}

void tst_Cli::whatFindingsAdvise_data()
{
    QTest::addColumn<QString>("file");
    for (const char* name : {"copy-results-back.blocking", "default-stream.legacy", "hidden-syncs.tolist",
             "launch-blocking.launch-blocking", "overwritten-source.pageable", "two-gpus.through-host"}) {
        QTest::newRow(name) << qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/" + name + ".sqlite";
    }
}

/// The command that a report prints below a finding runs as it is printed, and gains what the finding costs.
void tst_Cli::whatFindingsAdvise()
{
    QFETCH(const QString, file);
    const QByteArray text = lanes_with({"report", file}).out;
    simdjson::dom::parser parser;
    const auto printed = lanes_with({"report", file, "--json=full"}).out.toStdString();
    const simdjson::dom::element report = parser.parse(printed);
    int compared = 0;
    const simdjson::dom::array findings = report["findings"];
    for (const simdjson::dom::element finding : findings) {
        if (finding["what_if"].is_null()) {
            continue;
        }
        auto options = QString::fromStdString(std::string(std::string_view(finding["what_if"])));
        if (!finding["on_top_of"].is_null()) {
            options.prepend(QString::fromStdString(std::string(std::string_view(finding["on_top_of"]))) + ' ');
        }
        QVERIFY2(text.contains(("lanes whatif " + file + ' ' + options).toUtf8()), qPrintable(options));
        const auto outcome = lanes_with(QStringList {"whatif", file, "--json=full"} + options.split(' '));
        QVERIFY2(outcome.status == 0, outcome.err.constData());
        if (!finding["on_top_of"].is_null() || !bool(finding["replayed"])) {
            continue;
        }
        simdjson::dom::parser of_answer;
        const auto said = outcome.out.toStdString();
        const simdjson::dom::element answer = of_answer.parse(said);
        const auto total = std::int64_t(answer["measured_total_ns"]);
        const auto gain = total - std::int64_t(answer["changes"].at(0)["predicted_total_ns"]);
        QVERIFY2(std::abs(gain - std::int64_t(finding["cost_ns"])) <= total / 200, qPrintable(options));
        ++compared;
    }
    QVERIFY(compared > 0);
}

void tst_Cli::reportOfARange()
{
    simdjson::dom::parser parser;
    const auto outcome = lanes_with({"report", m_recording, "--range", "100us:0.12ms", "--json=full"});
    const simdjson::dom::element json = parser.parse(outcome.out.toStdString());
    QCOMPARE(std::int64_t(json["range_ns"].at(0)), 100'000);
    QCOMPARE(std::int64_t(json["range_ns"].at(1)), 120'000);
    QCOMPARE(std::int64_t(json["overlap_ns"]), 10'000);
    QCOMPARE(std::int64_t(json["gpu_busy_ns"]), 20'000);
}

/// An id leads to what has it: as a range, as the beginning of a way back, as a recording of its own.
void tst_Cli::ofThePartThatRepeats_data()
{
    QTest::addColumn<QString>("file");
    for (const char* name : {"recorded.item", "recorded.results_back", "recorded.loader"}) {
        QTest::newRow(name) << qEnvironmentVariable("LANES_SOURCE") + "/resources/traces/" + name + ".sqlite";
    }
}

/// Where the verdict is of the part that repeats, so are the predictions, and the commands that are printed.
void tst_Cli::ofThePartThatRepeats()
{
    QFETCH(const QString, file);
    const auto brief = QString::fromUtf8(lanes_with({"report", file, "--brief", "--lang", "en"}).out);
    QVERIFY2(brief.contains("What would gain most of the "), qPrintable(brief));
    const QRegularExpression offer("lanes whatif FILE (.*) --range steady: ([0-9.]+ [mµ]?s)");
    auto offers = offer.globalMatch(brief);
    QVERIFY2(offers.hasNext(), qPrintable(brief));
    QCOMPARE(brief.count("lanes whatif FILE "), brief.count(" --range steady: "));
    // No change seems to make the part longer: where that may be, it is said.
    const auto in_ms = [](const QString& time, const QString& unit) {
        return time.toDouble() * (unit == "s" ? 1e3 : unit == "ms" ? 1 : 1e-3);
    };
    const auto all = QRegularExpression("What would gain most of the ([0-9.]+) ([mµ]?s) ").match(brief);
    auto ranges = QRegularExpression("--range steady: .*to ([0-9.]+) ([mµ]?s)").globalMatch(brief);
    while (ranges.hasNext()) {
        const auto range = ranges.next();
        QVERIFY2(
            in_ms(range.captured(1), range.captured(2)) <= in_ms(all.captured(1), all.captured(2)), qPrintable(brief));
    }
    QCOMPARE(file.contains("loader"), brief.contains(" at best, and it may gain nothing ("));
    const auto first = offers.next();
    const auto asked
        = lanes_with(QStringList {"whatif", file, "--lang", "en", "--range", "steady"} + first.captured(1).split(' '));
    QVERIFY2(QString::fromUtf8(asked.out).contains(first.captured(2)), asked.out.constData());
    const auto report = QString::fromUtf8(lanes_with({"report", file, "--lang", "en"}).out);
    QVERIFY(report.contains("Try it: "));
    QCOMPARE(report.count("Try it: "), report.count(QRegularExpression("Try it: .* --range steady\n")));
}

void tst_Cli::aRow()
{
    simdjson::dom::parser parser;
    const auto whole = lanes_with({"report", m_recording, "--json"}).out.toStdString();
    const simdjson::dom::element report = parser.parse(whole);
    const simdjson::dom::element wait = report["waits"].at(0);
    const auto id = QString::fromStdString(std::string(std::string_view(wait["id"])));
    QVERIFY2(id.startsWith("wait:"), qPrintable(id));
    const QString range = QString("%1:%2").arg(std::int64_t(wait["start_ns"])).arg(std::int64_t(wait["end_ns"]));
    QCOMPARE(lanes_with({"report", m_recording, "--json", "--row", id}).out,
        lanes_with({"report", m_recording, "--json", "--range", range}).out);
    const auto call = QString::fromStdString(std::string(std::string_view(wait["call"]["id"])));
    simdjson::dom::parser of_why;
    const auto chain = lanes_with({"why", m_recording, "--json", "--row", call}).out.toStdString();
    const simdjson::dom::element why = of_why.parse(chain);
    QCOMPARE(std::string_view(why["chain"].at(0)["event"]["id"]), std::string_view(wait["call"]["id"]));
    QCOMPARE(lanes_with({"convert", m_recording, path("row.sqlite"), "--row", "operation:0"}).status, 0);
    const auto cut = lanes_with({"report", path("row.sqlite"), "--json"}).out.toStdString();
    QCOMPARE(std::int64_t(simdjson::dom::element(parser.parse(cut))["wall_ns"]), 100'000);
    // The number of an iteration in the text is that of its id.
    const auto file = qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/item-every-batch.every.sqlite";
    const auto typical = QRegularExpression("number (\\d+) is typical")
                             .match(QString::fromUtf8(lanes_with({"report", file, "--iterations", "--lang", "en"}).out))
                             .captured(1);
    const auto number = "iteration:" + typical;
    const auto listed = lanes_with({"report", file, "--iterations", "--json=full"}).out.toStdString();
    const simdjson::dom::element iterations = simdjson::dom::element(parser.parse(listed))["iterations"];
    const simdjson::dom::element of = iterations["all"].at(std::size_t(std::uint64_t(iterations["typical"])));
    QCOMPARE(std::string_view(of["id"]), std::string_view(number.toStdString()));
    const QString times = QString("%1:%2").arg(std::int64_t(of["start_ns"])).arg(std::int64_t(of["end_ns"]));
    QCOMPARE(lanes_with({"report", file, "--json", "--row", number}).out,
        lanes_with({"report", file, "--json", "--range", times}).out);
    QVERIFY(lanes_with({"report", file, "--row", "iteration:0"}).err.contains("expected iteration:1 to iteration:"));
}

void tst_Cli::rows()
{
    simdjson::dom::parser parser;
    const auto found = [&](const QStringList& arguments) {
        const auto outcome = lanes_with(QStringList {"rows", m_recording} + arguments + QStringList {"--json"});
        QVector<QByteArray> ids;
        const simdjson::dom::element root = parser.parse(outcome.out.toStdString());
        for (const simdjson::dom::element row : root["rows"]) {
            const auto id = std::string_view(row["event"]["id"]);
            ids.append(QByteArray(id.data(), static_cast<qsizetype>(id.size())));
        }
        return ids;
    };
    using Ids = QVector<QByteArray>;
    QCOMPARE(found({"operations", "--query", "kind:d2h"}), Ids {"operation:1"});
    QCOMPARE(found({"operations", "--query", "kind:d2h dur>1ms"}), Ids {});
    QCOMPARE(found({"calls"}), (Ids {"call:2", "call:0", "call:1"}));
    QCOMPARE(found({"calls", "--sort", "start"}), (Ids {"call:0", "call:1", "call:2"}));
    QCOMPARE(found({"calls", "--limit", "1"}), Ids {"call:2"});
    QCOMPARE(found({"calls", "--range", "10us:"}), Ids {"call:2"});
    QVERIFY(lanes_with({"rows", m_recording, "ranges", "--json"}).out.contains("\"code\": \"no_row\""));
    QVERIFY(
        lanes_with({"rows", m_recording, "calls", "--limit", "1"}).out.contains("1 of 3; all of them with --limit 3"));
}

void tst_Cli::summary()
{
    simdjson::dom::parser parser;
    const auto all = lanes_with({"summary", m_recording, "--json=full"});
    QCOMPARE(all.status, 0);
    const simdjson::dom::element json = parser.parse(all.out.toStdString());
    QCOMPARE(simdjson::dom::array(json["tables"]).size(), std::size_t {5});
    QCOMPARE(std::string_view(json["tables"].at(4)["by"]), std::string_view("counter"));
    std::int64_t calls = 0;
    for (const simdjson::dom::element row : json["tables"].at(2)["rows"]) {
        calls += std::int64_t(row["count"]);
    }
    const simdjson::dom::element report
        = parser.parse(lanes_with({"report", m_recording, "--json=full"}).out.toStdString());
    QCOMPARE(calls, std::int64_t(report["counts"]["api_calls"]));
    const auto csv = lanes_with({"summary", m_recording, "--by", "copy", "--csv"});
    QCOMPARE(csv.out.count('\n'), 2);
    QVERIFY(csv.out.contains("\r\ncopy,"));
    const auto counters = lanes_with({"summary", m_recording, "--by", "counter", "--csv"});
    QVERIFY2(counters.out.endsWith(",process,gpu,unit,min,mean,max,last\r\n"), counters.out);  // it has none
    QVERIFY(lanes_with({"summary", m_recording, "--lang", "zh_CN"}).out.contains("中位数"));
    QCOMPARE(lanes_with({"summary", m_recording, "--by", "kernels"}).status, 2);
    QCOMPARE(lanes_with({"summary", m_recording, "--json=full", "--csv"}).status, 2);
}

/// Only what begins in the range is changed, and figures are of the range; the rest cancels out.
/// Nothing after it is lost.
void tst_Cli::namesWithNul()
{
    QFile file(path("nul.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        R"({"traceEvents":[)"
        R"({"ph":"X","cat":"kernel","name":"a\u0000b","pid":0,"tid":7,"ts":1,"dur":5,"args":{"device":0,"stream":7}},)"
        R"({"ph":"X","cat":"kernel","name":"last","pid":0,"tid":7,"ts":9,"dur":1,"args":{"device":0,"stream":7}}]})");
    file.close();
    const auto outcome = lanes_with({"summary", path("nul.json"), "--csv"});
    QCOMPARE(outcome.status, 0);
    QVERIFY2(outcome.out.contains("last"), outcome.out.constData());
}

void tst_Cli::whyWhereNothingRuns()
{
    QVERIFY(
        lanes_with({"why", m_recording, "--steps", "1", "--lang", "en"}).out.contains("; all of them with --steps "));
    const auto there = lanes_with({"why", m_recording, "--at", "50us"});
    QVERIFY2(!there.out.contains("no operation ran"), there.out.constData());
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5000), 13, 10'000, 20'000);
    tape.kernel(tape.call("cudaLaunchKernel", 90'000, 95'000), 13, 100'000, 110'000);
    save_recording(tape.finish(), path("pause.sqlite").toStdString());
    const auto nothing = lanes_with({"why", path("pause.sqlite"), "--at", "50us"});
    QCOMPARE(nothing.status, 0);
    QVERIFY2(nothing.out.startsWith("At 50 \xC2\xB5s no operation ran"), nothing.out.constData());
}

void tst_Cli::whatIfOfARange()
{
    const QString file
        = qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/copy-results-back.blocking.sqlite";
    simdjson::dom::parser parser;
    const auto prediction = [&](const QStringList& range, const QStringList& changes = {"--pin", "--non-blocking"}) {
        const auto outcome = lanes_with(QStringList {"whatif", file, "--json=full"} + changes + range);
        const simdjson::dom::element root = parser.parse(outcome.out.toStdString());
        const auto first = root["changes"].at(0);
        const auto spans = root["range_ns"];
        const std::int64_t recorded = spans.error() != simdjson::SUCCESS
            ? std::int64_t(root["measured_total_ns"])
            : std::int64_t(spans.at(1)) - std::int64_t(spans.at(0));
        return std::array {recorded, std::int64_t(first["predicted_total_ns"]), std::int64_t(first["count"])};
    };
    const auto all = prediction({});
    const auto half = prediction({"--range", "0:25ms"});
    QCOMPARE(half[0], 25'000'000);
    QVERIFY(half[2] > 0 && half[2] < all[2]);
    QVERIFY(half[1] > 0 && half[1] < half[0]);
    QVERIFY(half[0] - half[1] < all[0] - all[1]);
    const QStringList range {"--range", "0:25ms"};
    const auto either = prediction(range, {"--faster", "2 name:matmul or name:nothing"});
    QCOMPARE(either[2], prediction(range, {"--faster", "2 name:matmul"})[2]);
    QCOMPARE(either[2], 4);  // of the eight that there are
    const auto text = lanes_with({"whatif", file, "--range", "0:25ms"}).out;
    QVERIFY2(text.startsWith("Recorded: 25.0 ms of 50.1 ms, from 0 ms on"), text);
    QVERIFY2(!text.contains("at>="), text);
    const auto faster = lanes_with({"whatif", file, "--faster", "2 name:matmul"}).out;
    QVERIFY2(faster.contains("kernels 2 times as fast (name:matmul)"), faster);
    const auto twice = lanes_with({"whatif", file, "--faster", "2 at<25ms", "--pin", "--faster", "3 at>=25ms"}).out;
    QVERIFY2(twice.contains("(at<25ms) + pin memory + kernels 3 times as fast (at>=25ms)"), twice);
    const auto downloads = lanes_with({"whatif", file, "--pin", "downloads", "--non-blocking", "downloads"}).out;
    QVERIFY2(downloads.contains("pin memory of downloads + non-blocking downloads "), downloads);
    const auto uploads = lanes_with({"whatif", file, "--pin", "uploads"});
    QCOMPARE(uploads.status, 2);  // the file only copies back
    // It concerns all streams: figures of a part would say that this takes no time at all.
    const auto legacy = lanes_with({"whatif", file, "--leave-legacy", "--range", "0:25ms"});
    QCOMPARE(legacy.status, 2);
    QVERIFY2(legacy.err.contains("--leave-legacy changes all of a recording"), legacy.err);
}

void tst_Cli::languages()
{
    const auto chinese = QStringLiteral("总时间").toUtf8();
    QVERIFY(lanes_with({"report", m_recording, "--lang", "zh_CN"}).out.contains(chinese));
    QVERIFY(lanes_with({"report", m_recording}, {"LC_ALL=zh_CN.UTF-8"}).out.contains(chinese));
    QVERIFY(lanes_with({"report", m_recording, "--lang", "en"}, {"LC_ALL=zh_CN.UTF-8"}).out.contains("Wall time"));
    QVERIFY(lanes_with({"report", m_recording}, {"LC_ALL=de_DE.UTF-8"}).out.contains("Wall time"));
}

void tst_Cli::compare()
{
    simdjson::dom::parser parser;
    const auto outcome = lanes_with({"compare", m_recording, m_recording, "--json=full"});
    QCOMPARE(outcome.status, 0);
    const simdjson::dom::element json = parser.parse(outcome.out.toStdString());
    QCOMPARE(std::int64_t(json["a"]["wall_ns"]), 200'000);
    QCOMPARE(std::int64_t(json["b"]["wall_ns"]), 200'000);
    QCOMPARE(std::int64_t(json["delta"]["wall_ns"]), 0);
    QVERIFY(lanes_with({"compare", m_recording, m_recording}).out.contains("Both take the same time."));

    const auto compare = [&](const QStringList& more) {
        return lanes_with(QStringList {"compare", m_recording, m_recording} + more);
    };
    QCOMPARE(compare({"--gate", "wall<5%"}).status, 0);
    const auto exceeded = compare({"--gate", "wall<5%, wall<-1us"});
    QCOMPARE(exceeded.status, 3);
    QVERIFY(exceeded.out.contains("wall<5% holds: 200 µs → 200 µs, 0.0 %"));
    QVERIFY(exceeded.out.contains("wall<-1us exceeded"));
    const auto as_json = compare({"--gate", "wall<-1us", "--json=full"});
    QCOMPARE(as_json.status, 3);
    const simdjson::dom::element gate = parser.parse(as_json.out.toStdString());
    QCOMPARE(bool(gate["gate"]["holds"]), false);
    QCOMPARE(std::uint64_t(gate["sides"]["b"]["recordings"]), 1U);
    QVERIFY(compare({"--markdown"}).out.startsWith("| | A: "));
    const auto model = QStringLiteral("/resources/recordings/h200/copy-results-back.overlapped.sqlite");
    const auto refused
        = lanes_with({"compare", m_recording, qEnvironmentVariable("LANES_SOURCE") + model, "--gate", "wall<5%"});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("--gate: cannot compare these: "), refused.err.constData());
    QCOMPARE(refused.out, QByteArray());
    // A folder means all recordings in it.
    QDir(m_folder.path()).mkdir("several");
    QVERIFY(QFile::copy(m_recording, path("several/1.sqlite")) && QFile::copy(m_recording, path("several/2.sqlite")));
    QVERIFY(lanes_with({"compare", path("several"), m_recording, "--markdown"}).out.startsWith("| | A: several × 2 |"));
    QVERIFY(lanes_with({"compare", path("several"), m_recording}).out.contains("A: the median of 2 recordings"));
}

void tst_Cli::convert_data()
{
    QTest::addColumn<QString>("out");
    for (const auto* name : {"out.sqlite", "out.json", "out.json.gz", "out.csv"}) {
        QTest::newRow(name) << path(name);
    }
}

void tst_Cli::convert()
{
    QFETCH(QString, out);
    const auto outcome = lanes_with({"convert", m_recording, out});
    QVERIFY2(outcome.status == 0, outcome.err.constData());
    QCOMPARE(outcome.err, QByteArray());  // no bar where there is no terminal
    QVERIFY(QFile(out).size() > 0);
    if (out.endsWith(".sqlite")) {
        QCOMPARE(
            lanes_with({"report", out, "--json=full"}).out, lanes_with({"report", m_recording, "--json=full"}).out);
    }
}

void tst_Cli::convertARange()
{
    const auto figures_of = [](const QStringList& arguments) {
        const auto json = QString::fromUtf8(lanes_with(QStringList {"report", "--json=full"} + arguments).out);
        QStringList found;
        for (const auto* key : {"wall_ns", "gpu_busy_ns", "overlap_ns", "cpu_free_ns", "blocked_ns", "api_calls"}) {
            found += QRegularExpression(QStringLiteral("\"%1\": ([^,}]+)").arg(key)).match(json).captured(1);
        }
        return found;
    };
    for (const auto* name : {"part.sqlite", "part.json.gz"}) {
        const auto outcome = lanes_with({"convert", m_recording, path(name), "--range", "40us:140us"});
        QVERIFY2(outcome.status == 0 && outcome.err.isEmpty(), outcome.err.constData());
        QCOMPARE(figures_of({path(name)}), figures_of({m_recording, "--range", "40us:140us"}));
        QVERIFY(figures_of({path(name)}) != figures_of({m_recording}));
    }
    QVERIFY(lanes_with({"report", path("part.sqlite")}).out.contains("Cut out of a longer recording"));
    QCOMPARE(lanes_with({"convert", m_recording, path("part%r.sqlite"), "--range", "40us:"}).status, 0);
    QVERIFY(QFile::exists(path("part0.sqlite")));
}

/// Two ranks as one recording, and each as a file again.
void tst_Cli::ranks()
{
    QCOMPARE(lanes_with({"convert", m_recording, path("a.json")}).status, 0);
    QVERIFY(QFile::copy(path("a.json"), path("same.json")));
    const auto copied = lanes_with({"merge", path("a.json"), path("same.json"), "-o", path("x.sqlite")});
    QVERIFY2(copied.status == 2 && copied.err.contains("one is a copy of the other"), copied.err.constData());
    QFile a(path("a.json")), b(path("b.json"));  // another rank, which began a nanosecond later
    QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::WriteOnly));
    auto later = QString::fromUtf8(a.readAll());
    const auto base = QRegularExpression(QStringLiteral(R"("baseTimeNanoseconds": (\d+))")).match(later);
    QVERIFY(base.hasMatch());
    later.replace(base.capturedStart(1), base.capturedLength(1), QString::number(base.captured(1).toLongLong() + 1));
    b.write(later.toUtf8());
    b.close();
    const auto merged = lanes_with({"merge", path("a.json"), path("b.json"), "-o", path("all.sqlite")});
    QVERIFY2(merged.status == 0, merged.err.constData());
    QCOMPARE(merged.err, QByteArray());  // of one clock
    const auto report = QString::fromUtf8(lanes_with({"report", path("all.sqlite")}).out);
    QVERIFY2(report.contains("GPU 0") && report.contains("GPU 1"), qPrintable(report));
    QCOMPARE(lanes_with({"convert", path("all.sqlite"), path("rank%r.json.gz")}).status, 0);
    QVERIFY(!QFile::exists(path("rank%r.json.gz")));
    const auto busy_of = [](const QString& file) {
        const auto text = QString::fromUtf8(lanes_with({"report", file, "--json=full"}).out);
        return QRegularExpression(R"("gpu_busy_ns": (\d+))").match(text).captured(1);
    };
    for (const auto* name : {"rank0.json.gz", "rank1.json.gz"}) {
        QVERIFY(!busy_of(m_recording).isEmpty());
        QCOMPARE(busy_of(path(name)), busy_of(m_recording));
    }
    // Of ranks that begin at different times the files begin together, and that is said.
    const auto late = [&](const char* name, Ns by) {
        auto trace = small_trace();
        trace.origin = 1'785'620'044'423'518'993 + by;
        trace.meta[meta::boot_id] = "one clock";
        save_recording(trace, path(name).toStdString());
    };
    late("early.sqlite", 0);
    late("late.sqlite", 5'000'000);
    QCOMPARE(lanes_with({"merge", path("early.sqlite"), path("late.sqlite"), "-o", path("both.sqlite")}).status, 0);
    const auto split = lanes_with({"convert", path("both.sqlite"), path("part%r.json")});
    QVERIFY2(split.err.contains("the last one begins 5.00 ms later"), split.err.constData());
    QVERIFY2(report.contains("Any GPU busy") && report.contains("Streams of any GPUs at once"), qPrintable(report));
    // The same file or rank twice, an input as output, a single file.
    const auto again = lanes_with({"merge", path("rank0.json.gz"), path("rank0.json.gz"), "-o", path("x.sqlite")});
    QCOMPARE(again.status, 2);
    QVERIFY2(again.err.contains("is given twice"), again.err.constData());
    QVERIFY(QFile::copy(path("rank0.json.gz"), path("copy.json.gz")));
    const auto twice = lanes_with({"merge", path("rank0.json.gz"), path("copy.json.gz"), "-o", path("x.sqlite")});
    QCOMPARE(twice.status, 2);
    QVERIFY2(twice.err.contains("are both rank 0"), twice.err.constData());
    const auto over = lanes_with({"merge", path("a.json"), path("b.json"), "-o", path("b.json")});
    QCOMPARE(over.status, 2);
    QVERIFY2(over.err.contains("one of the inputs"), over.err.constData());
    QCOMPARE(lanes_with({"merge", path("a.json"), "-o", path("x.sqlite")}).status, 2);
    QVERIFY(!QFile::exists(path("x.sqlite")));
    const auto itself = lanes_with({"convert", path("rank0.json.gz"), path("rank%r.json.gz")});
    QCOMPARE(itself.status, 2);
    QVERIFY2(itself.err.contains("the input itself"), itself.err.constData());
}

void tst_Cli::convertLeavesItsInputAlone()
{
    QFile file(m_recording);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto before = file.readAll();
    QVERIFY(QFile::link(m_recording, path("link.sqlite")));
    for (const auto& out : {m_recording, path("link.sqlite"), path("./run.sqlite")}) {
        const auto outcome = lanes_with({"convert", m_recording, out});
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.err.contains("the input itself"), outcome.err.constData());
    }
    QFile again(m_recording);
    QVERIFY(again.open(QIODevice::ReadOnly));
    QCOMPARE(again.readAll(), before);
}

void tst_Cli::convertOnAFullDisk()
{
    QProcess shell;
    auto variables = QProcessEnvironment::systemEnvironment();
    variables.insert("LANES_RESOURCES", qEnvironmentVariable("LANES_SOURCE") + "/resources");
    shell.setProcessEnvironment(variables);
    QDir(m_folder.path()).mkdir("full");
    const auto out = path("full/out.sqlite");
    // A limit on the length of files acts as a full disk.
    shell.start("sh",
        {"-c", "ulimit -f 16; exec \"$0\" convert \"$1\" \"$2\"", qEnvironmentVariable("LANES_BUILD") + "/bin/lanes",
            m_recording, out});
    QVERIFY(shell.waitForFinished(60000));
    QCOMPARE(shell.exitStatus(), QProcess::NormalExit);
    QCOMPARE(shell.exitCode(), 1);
    const auto errors = shell.readAllStandardError();
    QVERIFY2(errors.count('\n') == 1 && errors.startsWith("lanes convert: "), errors.constData());
    QVERIFY(QDir(path("full")).isEmpty());
}

void tst_Cli::everyKeyIsDefined_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("report") << QStringList {"report", m_recording};
    QTest::newRow("report --iterations") << QStringList {"report",
        qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/item-every-batch.every.sqlite",
        "--iterations"};
    QTest::newRow("report --brief") << QStringList {"report", m_recording, "--brief"};
    QTest::newRow("rows") << QStringList {"rows", m_recording, "calls", "--limit", "1"};
    QTest::newRow("why") << QStringList {"why", m_recording};
    QTest::newRow("compare") << QStringList {"compare", m_recording, m_recording};
    QTest::newRow("compare --gate") << QStringList {"compare", m_recording, m_recording, "--gate", "wall<5%"};
    QTest::newRow("why --overlap") << QStringList {"why", m_recording, "--overlap"};
    QTest::newRow("summary") << QStringList {"summary", m_recording};
    QTest::newRow("whatif") << QStringList {
        "whatif", qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/item-every-batch.every.sqlite"};
    QTest::newRow("ranks") << QStringList {"ranks", m_recording};
    QTest::newRow("list") << QStringList {"list"};
    QTest::newRow("show") << QStringList {"show", "copy-results-back"};
    QTest::newRow("doctor") << QStringList {"doctor"};
    QTest::newRow("run") << QStringList {
        "run", "item-every-batch", "--device", "model", "--variant", "never", "-o", path("out")};
}

/// docs/definitions.md has every key that a command prints.
void tst_Cli::everyKeyIsDefined()
{
    QFETCH(QStringList, arguments);
    QFile page(qEnvironmentVariable("LANES_SOURCE") + "/docs/definitions.md");
    QVERIFY(page.open(QIODevice::ReadOnly));
    const auto text = page.readAll();
    QSet<QByteArray> unknown;
    int keys = 0;
    const std::function<void(simdjson::dom::element, bool)> look = [&](simdjson::dom::element value, bool are_names) {
        if (value.is_array()) {
            for (const auto each : value.get_array()) {
                look(each, false);
            }
        } else if (value.is_object()) {
            for (const auto [key, inner] : value.get_object()) {
                const QByteArray name(key.data(), static_cast<qsizetype>(key.size()));
                ++keys;
                if (!are_names && !text.contains('"' + name + '"') && !text.contains('`' + name + '`')) {
                    unknown.insert(name);
                }
                look(inner, name == "values");  // of a variant: parameters of its workload
            }
        }
    };
    simdjson::dom::parser parser;
    const auto outcome = lanes_with(arguments + QStringList {"--json=full"});
    QCOMPARE(outcome.status, 0);
    look(parser.parse(outcome.out.toStdString()), false);
    QVERIFY(keys > 1);
    QVERIFY2(unknown.isEmpty(), QByteArrayList(unknown.begin(), unknown.end()).join(", ").constData());
}

QTEST_GUILESS_MAIN(tst_Cli)
#include "tst_cli.moc"
