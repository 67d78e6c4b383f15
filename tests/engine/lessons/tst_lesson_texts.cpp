// SPDX-License-Identifier: MIT
// The texts of all lessons with every two of their recordings: each figure is known, in both languages. Also what a
// text becomes if a figure is not known.
#include "engine/analysis/lesson_texts.h"
#include "engine/analysis/usual.h"
#include "engine/workload/catalogue.h"
#include "lesson.h"

#include <QTest>

using namespace lanes;
using namespace lanes::tests;

namespace {

/// Two variants. The first has a text; the steps do not matter.
Workload two_variants()
{
    return parse_workload(
        "title: T\n"
        "parameters: {n: {default: 1}}\n"
        "variants:\n"
        "  slow: {title: {en: Slow one, zh_CN: 慢的}, look: 'took {total}{[, {blocked} of it held]}.'}\n"
        "  fast: {title: {en: Fast one, zh_CN: 快的}}\n"
        "streams: {s: {gpu: 0}}\n"
        "threads: {main: [{kernel: {stream: s, time: 1 ms}}]}\n",
        "two.yaml");
}

struct Made {
    Trace trace;
    Report report;
};

Made made(Ns wall, MaybeNs blocked)
{
    Made run;
    run.report.wall = wall;
    run.report.gpu_busy = wall / 2;
    run.report.first = 0;
    run.report.threads.push_back(
        {.thread = 0, .api = {}, .host_wait = {}, .blocked = blocked, .held = {}, .held_cost = {}, .blocked_by = {}});
    return run;
}

}  // namespace

class tst_LessonTexts : public QObject {
    Q_OBJECT

private slots:
    void everyFigureIsKnown_data();
    void everyFigureIsKnown();
    void filledIn_data();
    void filledIn();
    void variantsSpeakBelowTheLesson();
    void recordingsAreAsUsual_data() { everyFigureIsKnown_data(); }
    void recordingsAreAsUsual();
    void whatIsUnusualIsSaid();
    void otherSettingsContradictNothing();
};

void tst_LessonTexts::everyFigureIsKnown_data()
{
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QString>("workload");
    for (const auto& name : catalogue_names(resources() + "/workloads")) {
        for (const char* machine : {"h200", "model"}) {
            QTest::addRow("%s %s", machine, name.c_str()) << machine << QString::fromStdString(name);
        }
    }
}

void tst_LessonTexts::everyFigureIsKnown()
{
    QFETCH(QString, machine);
    QFETCH(QString, workload);
    const Workload of = workload_of(workload.toStdString());
    const Lesson lesson(machine.toStdString(), of.name);
    std::vector<LessonRun> all;
    for (const Variant& variant : of.variants) {
        if (lesson.has(variant.name)) {
            const Shown& shown = lesson.shown(variant.name);
            all.push_back({variant.name, &shown.trace, &shown.report});
        }
    }
    for (const std::string language : {"en", "zh_CN"}) {
        for (const LessonRun& a : all) {
            for (const LessonRun& b : all) {
                const LessonRun pair[] = {a, b};
                const auto texts = lesson_texts(of, language, a.variant == b.variant ? std::span(pair, 1) : pair);
                for (const std::string& text : {texts.look, texts.why, texts.rule}) {
                    QVERIFY(!text.empty());
                    const bool open = text.find_first_of("{}") != std::string::npos;
                    // Of one recording alone, what compares is left out.
                    QVERIFY2(!open && text.find("\u2013") == std::string::npos,
                        (a.variant + ", " + b.variant + ": " + text).c_str());
                }
            }
        }
        // Before anything ran.
        const auto texts = lesson_texts(of, language, {});
        for (const std::string& text : {texts.look, texts.why, texts.rule}) {
            QVERIFY2(!text.empty() && text.find_first_of("{}") == std::string::npos
                    && text.find("\u2013") == std::string::npos,
                text.c_str());
        }
    }
}

void tst_LessonTexts::filledIn_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("runs");
    QTest::addColumn<QString>("filled");
    const auto row = [](const char* name, const char* text, int runs, const char* filled) {
        QTest::newRow(name) << text << runs << filled;
    };
    row("a figure of each", "{total A}, {total B}", 2, "6.00 ms, 4.00 ms");
    row("of titles", "{title A} and {title B}", 2, "Slow one and Fast one");
    row("times", "{total A/B} or {total B/A}", 2, "1.5 or 0.67");
    row("a share", "{busy% A}", 2, "50 %");
    row("not known", "held {blocked A}, {blocked B}", 2, "held 3.00 ms, \u2013");
    row("left out", "held{[ for {blocked B}]}.", 2, "held.");
    row("kept", "held{[ for {blocked A}]}.", 2, "held for 3.00 ms.");
    row("one of two", "{[{blocked A} and {blocked B}]}.", 2, ".");
    row("two places", "{[a {blocked B}]}{[b {blocked A}]}", 2, "b 3.00 ms");
    row("no second", "{total A}{[ against {total B}]}", 1, "6.00 ms");
    row("none", "It took long{[: {total A}]}.", 0, "It took long.");
    row("braces", "a {{b} c] [d", 2, "a {b} c] [d");
    row("nothing copied", "{hidden% A}", 2, "\u2013");
}

void tst_LessonTexts::filledIn()
{
    QFETCH(QString, text);
    QFETCH(int, runs);
    QFETCH(QString, filled);
    const Made a = made(6'000'000, 3'000'000);
    const Made b = made(4'000'000, {});
    const LessonRun both[] = {{"slow", &a.trace, &a.report}, {"fast", &b.trace, &b.report}};
    QCOMPARE(QString::fromStdString(lanes::filled(
                 text.toStdString(), two_variants(), "en", std::span(both, static_cast<std::size_t>(runs)))),
        filled);
}

void tst_LessonTexts::variantsSpeakBelowTheLesson()
{
    const Made a = made(6'000'000, 3'000'000);
    const Made b = made(4'000'000, {});
    const LessonRun slow {"slow", &a.trace, &a.report};
    const LessonRun fast {"fast", &b.trace, &b.report};
    const LessonRun other {"slow", &b.trace, &b.report};
    const auto look = [](const std::vector<LessonRun>& runs, const char* language) {
        return lesson_texts(two_variants(), language, runs).look;
    };
    QCOMPARE(look({}, "en"), std::string());
    QCOMPARE(look({fast, slow}, "en"), std::string("B \u00B7 Slow one: took 6.00 ms, 3.00 ms of it held."));
    QCOMPARE(look({slow}, "zh_CN"), std::string("慢的：took 6.00 ms, 3.00 ms of it held."));
    QCOMPARE(look({other, slow}, "en"), std::string("A \u00B7 Slow one: took 4.00 ms."));  // once, of the upper one
    QCOMPARE(look({{"slow", &a.trace, nullptr}}, "en"), std::string("Slow one: took \u2013."));
}

// All recordings at once. If two of them are swapped, each figure that differs between them gives a sentence.
void tst_LessonTexts::recordingsAreAsUsual()
{
    QFETCH(QString, machine);
    QFETCH(QString, workload);
    const Workload of = workload_of(workload.toStdString());
    const Lesson lesson(machine.toStdString(), of.name);
    std::vector<LessonRun> runs;
    for (const Variant& variant : of.variants) {
        if (!lesson.has(variant.name)) {  // tst_lessons says which may be missing
            continue;
        }
        const Shown& shown = lesson.shown(variant.name);
        runs.push_back({variant.name, &shown.trace, &shown.report});
    }
    QVERIFY(!of.usual.empty());
    for (const auto& message : unusual(of, "en", runs)) {
        QFAIL(std::string(message).c_str());
    }
    const auto fails = [&](const std::string& name) {
        return std::any_of(of.variants.begin(), of.variants.end(),
            [&](const Variant& variant) { return variant.name == name && !variant.expected_error.empty(); });
    };
    // Each is contradicted if its two variants are swapped; a share, if its limits are.
    const auto is_there = [&](const std::string& name) {
        return name.empty() || std::ranges::any_of(runs, [&](const LessonRun& run) { return run.variant == name; });
    };
    for (const UsualFigure& usual : of.usual) {
        if (!is_there(usual.of) || !is_there(usual.over)) {
            continue;
        }
        Workload one = of;
        one.usual = {usual};
        const double about = usual.at_least ? *usual.at_least : *usual.at_most;
        if (usual.over.empty()) {
            std::swap(one.usual[0].at_least, one.usual[0].at_most);
        } else if (!(usual.at_least && usual.at_most) && fails(usual.of) == fails(usual.over)) {
            auto swapped = runs;
            for (auto& run : swapped) {
                run.variant = run.variant == usual.of ? usual.over : run.variant == usual.over ? usual.of : run.variant;
            }
            QCOMPARE(unusual(one, "en", swapped).size(), std::size_t {1});
            continue;
        } else {
            one.usual[0].at_least = 1e6;
            one.usual[0].at_most.reset();
        }
        // A share of 0 is within its swapped limits, too.
        const auto said = unusual(one, "en", runs).size();
        QVERIFY2(said == 1 || about == 0, (usual.of + " " + std::string(name_of(usual.figure))).c_str());
    }
}

void tst_LessonTexts::whatIsUnusualIsSaid()
{
    Workload of = two_variants();
    of.usual = {{LessonFigure::total, "slow", "fast", 1.5, {}}, {LessonFigure::busy, "slow", "", {}, 0.4}};
    const Made slow = made(6'000'000, 3'000'000);
    const Made fast = made(4'000'000, {});
    const auto look = [&](const LessonRun& a, const LessonRun& b, const char* language) {
        const LessonRun runs[] = {a, b};
        return QString::fromStdString(lesson_texts(of, language, runs).look).section('\n', 1);
    };
    const LessonRun a {"slow", &slow.trace, &slow.report};
    const LessonRun b {"fast", &fast.trace, &fast.report};
    QCOMPARE(
        look(a, b, "en"), QString("Unusual here: the GPU's busy time of \"Slow one\" is 50 % (usually 40 % or less)."));
    const LessonRun not_slow {"slow", &fast.trace, &fast.report};
    const LessonRun not_fast {"fast", &slow.trace, &slow.report};
    of.usual.pop_back();
    QCOMPARE(look(a, b, "en"), QString());
    QCOMPARE(look(not_slow, not_fast, "en"),
        QString("Unusual here: the total of \"Slow one\" is 0.67 times that of \"Fast one\" (usually 1.5 or more)."));
    QCOMPARE(
        look(not_fast, not_slow, "zh_CN"), QString("与通常不同：“慢的”的总时间是“快的”的 0.67 倍（通常至少 1.5）。"));
    of.usual = {{LessonFigure::total, "slow", "fast", 0.5, 1.4999}};
    QCOMPARE(look(a, b, "en"), QString());  // 1.5 is 1.5
}

void tst_LessonTexts::otherSettingsContradictNothing()
{
    Workload of = two_variants();
    of.usual = {{LessonFigure::total, "slow", "fast", 2, {}}};
    Made slow = made(6'000'000, 3'000'000);
    const Made fast = made(4'000'000, {});
    const LessonRun runs[] = {{"slow", &slow.trace, &slow.report}, {"fast", &fast.trace, &fast.report}};
    QCOMPARE(unusual(of, "en", runs).size(), std::size_t {1});
    QCOMPARE(unusual(of, "en", std::span(runs, 1)).size(), std::size_t {0});
    slow.trace.meta["settings"] = "n=2\n";
    QCOMPARE(unusual(of, "en", runs).size(), std::size_t {0});
    slow.trace.meta.erase("settings");
    slow.trace.meta["complete"] = "no";
    QCOMPARE(unusual(of, "en", runs).size(), std::size_t {0});
}

QTEST_GUILESS_MAIN(tst_LessonTexts)
#include "tst_lesson_texts.moc"
