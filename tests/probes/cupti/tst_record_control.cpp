// SPDX-License-Identifier: MIT
#include "probes/cupti/record_control.h"

#include <QStringList>
#include <QTest>

using namespace lanes;

namespace {

constexpr Ns start = 1'000'000;

/// One event of a script, "TIME WORD ARGUMENT": push NAME, pop, start ID:NAME, end ID, profiler on/off, tick, bytes N.
/// A word with a digit after it happens on that thread ("push2"), one with a domain in "push@7".
RecordControl::Switch happen(RecordControl& control, const QString& line)
{
    const auto words = line.split(' ', Qt::SkipEmptyParts);
    const Ns now = start + words[0].toLongLong();
    auto word = words[1];
    const auto argument = words.mid(2).join(' ').toStdString();
    std::uint64_t thread = 1;
    std::uint64_t domain = 0;
    if (const auto at = word.indexOf('@'); at > 0) {
        domain = word.mid(at + 1).toULongLong();
        word = word.left(at);
    }
    if (word.back().isDigit()) {
        thread = static_cast<std::uint64_t>(word.back().digitValue());
        word.chop(1);
    }
    if (word == "push") {
        return control.pushed(thread, domain, argument, now);
    }
    if (word == "pop") {
        return control.popped(thread, domain);
    }
    if (word == "start") {
        const auto colon = argument.find(':');
        return control.started(std::stoull(argument.substr(0, colon)), argument.substr(colon + 1), now);
    }
    if (word == "end") {
        return control.ended(std::stoull(argument));
    }
    if (word == "bytes") {
        return control.holds(std::stoull(argument));
    }
    if (word == "profiler") {
        return argument == "on" ? control.profiler_started(now) : control.profiler_stopped();
    }
    if (word == "trigger") {  // "DELAY DURATION"
        control.triggered({.start = now, .delay = words[2].toLongLong(), .duration = words[3].toLongLong()}, now);
        return RecordControl::Switch::none;
    }
    return control.at(now);
}

}  // namespace

class tst_RecordControl : public QObject {
    Q_OBJECT

private slots:
    void recordsOnePart_data();
    void recordsOnePart();
    void saysWhenToLookAgain();
    void saysWhyThereIsNothing_data();
    void saysWhyThereIsNothing();
    void recordsSeveralParts_data();
    void recordsSeveralParts();
    void settingsSurviveTheirText_data();
    void settingsSurviveTheirText();
};

void tst_RecordControl::recordsOnePart_data()
{
    QTest::addColumn<ControlSettings>("settings");
    QTest::addColumn<QStringList>("script");
    QTest::addColumn<QString>("part");  // times at which it begins and ends, and the reasons
    const auto row = [](const char* name, const ControlSettings& settings, const QStringList& script,
                         const char* part) { QTest::newRow(name) << settings << script << QString(part); };
    row("all", {}, {"0 tick", "100 push a", "200 pop"}, "0 - program program");
    row("delay", {.delay = 50}, {"0 tick", "49 tick", "50 tick", "90 tick"}, "50 - delay program");
    row("duration", {.duration = 50}, {"10 tick", "59 tick", "60 tick", "99 tick"}, "10 60 program duration");
    row("duration from the delay's end", {.delay = 30, .duration = 50}, {"0 tick", "35 tick", "80 tick", "85 tick"},
        "35 85 delay duration");
    row("size", {.max_bytes = 1000}, {"0 tick", "5 bytes 999", "6 bytes 1000", "7 bytes 2000"}, "0 6 program size");
    row("range", {.range = "a"}, {"0 tick", "5 push b", "10 push a", "20 pop", "30 pop"}, "10 20 range range");
    row("the first alone", {.range = "a"}, {"5 push a", "6 pop", "7 push a", "8 pop"}, "5 6 range range");
    row("ranges inside", {.range = "a"}, {"5 push a", "6 push b", "7 push a", "8 pop", "9 pop", "10 pop"},
        "5 10 range range");
    row("of another thread", {.range = "a"}, {"5 push1 a", "6 push2 a", "7 pop2", "8 pop2", "9 pop1"},
        "5 9 range range");
    row("of another domain", {.range = "a"}, {"5 push@7 a", "6 pop", "7 push b", "8 pop", "9 pop@7"},
        "5 9 range range");
    row("not its beginning", {.range = "a"}, {"5 push ab", "6 pop", "7 push a", "8 pop"}, "7 8 range range");
    row("started", {.range = "a"}, {"5 start 3:b", "6 start 4:a", "7 end 3", "8 push a", "9 pop", "10 end 4"},
        "6 10 range range");
    row("never closed", {.range = "a"}, {"5 push a", "99 tick"}, "5 - range program");
    row("range after a delay", {.delay = 50, .range = "a"},
        {"10 push a", "20 pop", "45 push a", "55 pop", "60 push a", "70 pop"}, "60 70 range range");
    row("range no longer than", {.duration = 10, .range = "a"}, {"5 push a", "14 tick", "15 tick", "30 pop"},
        "5 15 range duration");
    row("profiler", {.profiler = true},
        {"0 tick", "5 profiler off", "6 profiler on", "7 profiler on", "8 profiler off", "9 profiler on"},
        "6 8 profiler profiler");
    row("profiler after a delay", {.delay = 50, .profiler = true}, {"6 profiler on", "60 profiler on", "70 tick"},
        "60 - profiler program");
    row("nobody asked for the profiler", {}, {"0 tick", "5 profiler off"}, "0 - program program");
    row("steps end", {.steps_end = 12},
        {"0 tick", "5 push ProfilerStep#9", "6 pop", "7 push ProfilerStep#12", "8 pop", "9 push ProfilerStep#13"},
        "0 7 program steps");
    row("the size of a part", {.delay = 50, .max_bytes = 10}, {"0 tick", "10 bytes 500", "50 tick", "51 bytes 500"},
        "50 51 delay size");
}

void tst_RecordControl::recordsOnePart()
{
    QFETCH(ControlSettings, settings);
    QFETCH(QStringList, script);
    QFETCH(QString, part);
    settings.start = start;
    RecordControl control(settings);
    QStringList times;
    for (const auto& line : script) {
        const bool before = control.is_recording();
        const auto change = happen(control, line);
        if (change != RecordControl::Switch::none) {
            times << line.section(' ', 0, 0);
            QCOMPARE(before, change == RecordControl::Switch::finish);
        }
        QCOMPARE(control.is_recording(), times.size() == 1);
        QCOMPARE(control.is_over(), times.size() == 2);
    }
    while (times.size() < 2) {
        times << "-";
    }
    times << QString::fromUtf8(name_of(control.begun_by()).data())
          << QString::fromUtf8(name_of(control.ended_by()).data());
    QCOMPARE(times.join(' '), part);
    QCOMPARE(control.why_nothing(), std::string());
}

void tst_RecordControl::saysWhenToLookAgain()
{
    RecordControl control({.start = start, .delay = 50, .duration = 20});
    QCOMPARE(control.next(), start + 50);
    control.at(start + 53);
    QCOMPARE(control.next(), start + 73);
    control.at(start + 80);
    QCOMPARE(control.next(), RecordControl::never);
    QCOMPARE(RecordControl({.range = "a"}).next(), RecordControl::never);
}

void tst_RecordControl::saysWhyThereIsNothing_data()
{
    QTest::addColumn<ControlSettings>("settings");
    QTest::addColumn<QStringList>("script");
    QTest::addColumn<QString>("reason");
    QTest::newRow("delay") << ControlSettings {.delay = 50} << QStringList {"10 tick"}
                           << "the program ended before the delay was over";
    QTest::newRow("range") << ControlSettings {.range = "a"} << QStringList {"1 push b", "2 push c", "3 push b"}
                           << "no NVTX range \"a\" was opened; others were: b, c";
    QTest::newRow("range, no ranges") << ControlSettings {.range = "a"} << QStringList {"1 tick"}
                                      << "no NVTX range \"a\" was opened";
    QTest::newRow("range, only before") << ControlSettings {.delay = 50, .range = "a"} << QStringList {"1 push a"}
                                        << "no NVTX range \"a\" was opened after the delay";
    QTest::newRow("profiler") << ControlSettings {.profiler = true} << QStringList {"1 tick"}
                              << "cudaProfilerStart was not called";
}

void tst_RecordControl::saysWhyThereIsNothing()
{
    QFETCH(ControlSettings, settings);
    QFETCH(QStringList, script);
    QFETCH(QString, reason);
    settings.start = start;
    RecordControl control(settings);
    for (const auto& line : script) {
        QCOMPARE(happen(control, line), RecordControl::Switch::none);
    }
    QCOMPARE(QString::fromStdString(control.why_nothing()), reason);
}

void tst_RecordControl::recordsSeveralParts_data()
{
    QTest::addColumn<ControlSettings>("settings");
    QTest::addColumn<QStringList>("script");
    QTest::addColumn<QStringList>("parts");  // "BEGIN-END" of each, in the script's time
    // start is 1'000'000, a multiple of 100 and of 400, and none of 300: that of 300 is at 200.
    QTest::newRow("every") << ControlSettings {.duration = 20,
        .every = 100} << QStringList {"0 tick", "19 tick", "20 tick", "99 tick", "105 tick", "119 tick", "120 tick"}
                           << QStringList {"0-20", "105-120"};
    QTest::newRow("every, after a pause") << ControlSettings {.duration = 20, .every = 100}
                                          << QStringList {"0 tick", "20 tick", "310 tick", "320 tick", "400 tick"}
                                          << QStringList {"0-20", "310-320", "400-"};
    QTest::newRow("at") << ControlSettings {.duration = 20, .at = 300}
                        << QStringList {"0 tick", "199 tick", "207 tick", "219 tick", "220 tick", "600 tick"}
                        << QStringList {"207-220"};
    QTest::newRow("at and delay") << ControlSettings {.delay = 201, .at = 300}
                                  << QStringList {"200 tick", "499 tick", "500 tick"} << QStringList {"500-"};
    QTest::newRow("idle") << ControlSettings {.idle = true}
                          << QStringList {"0 tick", "5 trigger 10 30", "14 tick", "16 tick", "20 trigger 1 5",
                                 "44 tick", "45 tick", "60 tick", "70 trigger 0 5", "70 tick", "75 tick", "90 tick"}
                          << QStringList {"16-45", "70-75"};
    QTest::newRow("idle, a trigger that is over")
        << ControlSettings {.idle = true} << QStringList {"50 trigger -40 30", "51 tick"} << QStringList {};
    QTest::newRow("idle, a process that starts in the part")
        << ControlSettings {.idle = true} << QStringList {"50 trigger -20 30", "51 tick", "59 tick", "60 tick"}
        << QStringList {"51-60"};
    QTest::newRow("idle, to a size") << ControlSettings {.idle = true,
        .max_bytes = 100} << QStringList {"5 trigger 0 30", "6 tick", "8 bytes 100", "50 trigger 0 5", "51 tick"}
                                     << QStringList {"6-8"};
}

void tst_RecordControl::recordsSeveralParts()
{
    QFETCH(ControlSettings, settings);
    QFETCH(QStringList, script);
    QFETCH(QStringList, parts);
    settings.start = start;
    RecordControl control(settings);
    QStringList found;
    for (const auto& line : script) {
        const auto change = happen(control, line);
        const auto time = line.section(' ', 0, 0);
        if (change == RecordControl::Switch::begin) {
            found << time + "-";
        } else if (change == RecordControl::Switch::finish) {
            found.back() += time;
        }
    }
    QCOMPARE(found, parts);
}

void tst_RecordControl::settingsSurviveTheirText_data()
{
    QTest::addColumn<ControlSettings>("settings");
    QTest::newRow("none") << ControlSettings {};
    QTest::newRow("all") << ControlSettings {.start = 1'790'000'000'123'456'789,
        .delay = 2'000'000'000,
        .duration = 5,
        .at = 10'000'000'000,
        .every = 60'000'000'000,
        .idle = true,
        .detach = Detach::never,
        .range = "step=7, a \xE7\xA7\xA9",
        .profiler = true,
        .steps_end = 20,
        .max_bytes = 1ULL << 40U,
        .all_api = true,
        .whole_graphs = true,
        .node_launches = 10};
}

void tst_RecordControl::settingsSurviveTheirText()
{
    QFETCH(ControlSettings, settings);
    QCOMPARE(control_of_text(to_text(settings)), settings);
    QCOMPARE(control_of_text("delay=5,what=3,duration=x").delay, 5);
}

QTEST_GUILESS_MAIN(tst_RecordControl)
#include "tst_record_control.moc"
