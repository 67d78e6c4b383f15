// SPDX-License-Identifier: MIT
// Files made to break the reader: each gives one error, soon, in little memory and little stack.
#include "tests/effort.h"
#include "tests/engine/workload/workload_texts.h"

#include <QTest>
#include <random>
#include <sys/resource.h>

using namespace lanes;

namespace {

std::string repeated(const std::string& text, std::size_t times)
{
    std::string result;
    result.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i) {
        result += text;
    }
    return result;
}

}  // namespace

class tst_WorkloadHostile : public QObject {
    Q_OBJECT

private slots:
    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const std::string& text, const char* error) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << error;
        };
        row("flow lists, never closed", std::string(100'000, '['), "1:1: ");
        row("flow lists, deep", "title: " + std::string(100, '[') + std::string(100, ']'),
            "1:55: this is nested more than 48 deep");
        row("flow maps, deep", "title: " + repeated("{a: ", 100'000), "1:196: this is nested more than 48 deep");
        std::string blocks;
        for (std::size_t i = 0; i < 400; ++i) {
            blocks += std::string(i, ' ') + "a:\n";
        }
        row("blocks, deep", blocks, "49:49: this is nested more than 48 deep");
        row("block lists, deep", repeated("- ", 50'000) + "a", "1:97: this is nested more than 48 deep");
        row("aliases that multiply", "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n",
            "1:4: found an anchor ('&'), expected a value without one");
        row("over a MiB", "title: " + std::string(1 << 20, 'x'), "0:0: the file is larger than 1 MiB");
        row("many values", "title: [" + repeated("1,", 300'000) + "]", "the file holds more than 200000 values");
        row(
            "many buffers",
            "buffers:\n" +
                [] {
                    std::string names;
                    for (int i = 0; i < 1001; ++i) {
                        names += "  b" + std::to_string(i) + ": {on: host, bytes: 8 B}\n";
                    }
                    return names;
                }()
                + "threads: {main: []}\n",
            "2:3: found more than 1000 names, expected fewer");
        row("many turns", "threads: {main: [{repeat: 1000000000, do: []}]}\n",
            "1:19: the loops of the workload have more than 8000000 iterations");
        row("many turns in turns",
            "threads: {main: [{repeat: 1000000, do: [{repeat: 1000000, do: [{repeat: 1000000, do: []}]}]}]}\n",
            "the loops of the workload have more than 8000000 iterations");
        row("many instructions",
            "threads: {main: [{repeat: 1000000, do: [" + repeated("{sync: device}, ", 1000) + "]}]}\n",
            "the workload has more than 4000000 instructions once its loops are unrolled");
        row("a long while",
            "buffers: {h: {on: host, bytes: 8 B}}\nthreads: {main: [{while: h > 1, at_most: 1000000000, do: []}]}\n",
            "2:19: the workload has more than 4000000 instructions once its loops are unrolled");
        row("many threads", "threads: {main: {count: 257, do: []}}\n", "1:25: 'count' is 257, expected 0 to 256");
        row(
            "parts that double",
            [] {
                std::string text = "parts:\n";
                for (int i = 0; i < 30; ++i) {
                    const std::string next = std::to_string(i + 1);
                    text += "  p" + std::to_string(i) + ": [{call: p" + next + "}, {call: p" + next + "}]\n";
                }
                return text + "  p30: [{sync: device}]\nthreads: {main: [{call: p0}]}\n";
            }(),
            "more than");
        row(
            "parts that double into nothing",
            [] {
                std::string text = "parts:\n";
                for (int i = 0; i < 30; ++i) {
                    const std::string next = std::to_string(i + 1);
                    text += "  p" + std::to_string(i) + ": [{call: p" + next + "}, {call: p" + next + "}]\n";
                }
                return text + "  p30: []\nthreads: {main: [{call: p0}]}\n";
            }(),
            "the loops of the workload have more than 8000000 iterations");
        row(
            "parts with ever new variables",
            [] {
                std::string text = "parts:\n";
                for (int i = 0; i < 30; ++i) {
                    const std::string next = std::to_string(i + 1);
                    const std::string mine = std::to_string(i);
                    text += "  p" + mine + ": [{repeat: 0, as: v" + mine + ", do: [{call: p" + next
                        + "}]}, {repeat: 0, as: w" + mine + ", do: [{call: p" + next + "}]}]\n";
                }
                return text + "  p30: []\nthreads: {main: [{call: p0}]}\n";
            }(),
            "parts that call parts make more than a million steps of this workload");
        row("an expression, deep", "threads: {main: [{repeat: " + std::string(400, '(') + "1, do: []}]}\n",
            "1:59: this is nested more than 32 deep");
        row("an expression, long", "threads: {main: [{repeat: " + repeated("1+", 1000) + "1, do: []}]}\n",
            "1:27: this is longer than 1000 characters");
        row("a huge number", "threads: {main: [{repeat: 1e308 * 10, do: []}]}\n", "1:33: this number is out of range");
        row("zeros inside", std::string("title: a\0b\nthreads: {main: []}\n", 31) + "junk", "");
        row("a carriage of colons", repeated(":", 100'000), "");
        row("quotes", "title: \"" + repeated("\\", 100'001), "");
        row("question marks", repeated("? ", 100'000), "");
        row("directives", repeated("%YAML 1.2\n", 1000) + "---\na", "");
        row("a long name", "threads: {main: [{" + std::string(1'000, 'k') + ": 1}]}\n", "unknown step 'kkk");
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, error);
        const QString found = error_of(text.toStdString());
        QVERIFY2(!found.isEmpty() && found.contains(error), qPrintable(found.left(300)));
        QVERIFY2(found.size() < 2000, qPrintable(QString::number(found.size())));
    }

    /// Junk of every kind: an error or a workload, nothing else.
    void junk()
    {
        std::mt19937 random(7);
        const std::string pieces[] = {"- ", ": ", "\n", "  ", "{", "}", "[", "]", ", ", "kernel", "stream", "$i", "$(",
            ")", "threads", "main", "repeat", "'", "\"", "#", "|", ">", "&a", "*a", "!t", "1", "2 ms", "\t", "\xC3\xA9",
            "\xFF", "..", "---\n", "do"};
        for (int round = 0; round < 3000 / one_trial_in; ++round) {
            std::string text = round % 2 == 0 ? "" : "threads:\n  main:\n    - ";
            for (std::size_t i = random() % 60; i > 0; --i) {
                text += pieces[random() % std::size(pieces)];
            }
            error_of(text);
        }
    }
    void aMegabyteOfJunk()
    {
        std::mt19937 random(8);
        std::string text((1 << 20) - 10, ' ');
        for (char& c : text) {
            c = static_cast<char>(random() % 256);
        }
        QVERIFY(!error_of(text).isEmpty());
        for (char& c : text) {
            c = static_cast<char>(' ' + random() % 95);
        }
        QVERIFY(!error_of(text).isEmpty());
    }

    /// A sound file with one piece taken out, doubled or replaced.
    void damagedFiles()
    {
        const std::string good = with_steps(
            "    - repeat: $n\n      as: i\n      do:\n        - kernel: {stream: a, time: 2 ms, writes: x.$i, value: "
            "$(i + 1)}\n"
            "        - record: {event: e.$i, stream: a}\n        - wait: {event: e.$i, stream: b}\n"
            "        - copy: {from: x.$i, to: h.$i, stream: b, range: 0 KiB .. $size / 2}\n    - sync: device\n"
            "    - read: {buffer: h, expect: fresh}\n");
        QCOMPARE(error_of(good), QString());
        std::mt19937 random(9);
        int sound = 0;
        for (int round = 0; round < 3000 / one_trial_in; ++round) {
            std::string text = good;
            const std::size_t at = random() % text.size();
            const std::size_t length = std::min<std::size_t>(1 + random() % 6, text.size() - at);
            switch (random() % 3) {
            case 0:
                text.erase(at, length);
                break;
            case 1:
                text.insert(at, text.substr(at, length));
                break;
            default:
                text[at] = static_cast<char>(random() % 256);
            }
            sound += error_of(text).isEmpty() ? 1 : 0;
        }
        QVERIFY2(sound > 30 / one_trial_in && sound < 2000 / one_trial_in, qPrintable(QString::number(sound)));
    }

    void memoryStaysSmall()
    {
        rusage usage {};
        getrusage(RUSAGE_SELF, &usage);
        // Sanitizers need memory, too; the failure to catch takes gigabytes.
        QVERIFY2(usage.ru_maxrss < 1'500'000, qPrintable(QString::number(usage.ru_maxrss)));
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadHostile)
#include "tst_workload_hostile.moc"
