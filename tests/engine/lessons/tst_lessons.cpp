// SPDX-License-Identifier: MIT
// Every shipped recording is of its workload as it is now, and shows what the workload's text says; so does
// the model device.
#include "claims.h"
#include "engine/analysis/exercise.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/workload.h"
#include "tests/effort.h"

#include <algorithm>
#include <array>
#include <QFile>
#include <QTest>
#include <tuple>

using namespace lanes;
using namespace lanes::tests;

namespace {

struct Machine {
    const char* name;
    std::uint32_t gpus;
};
constexpr std::array recorded {Machine {"h200", 2}};

/// The variants of awaited.txt.
const QStringList& awaited()
{
    static const QStringList names = [] {
        QFile file(qEnvironmentVariable("LANES_SOURCE") + "/tests/engine/lessons/awaited.txt");
        QStringList lines;
        if (file.open(QIODevice::ReadOnly)) {
            for (const QString& line : QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)) {
                if (!line.startsWith('#')) {
                    lines += line;
                }
            }
        }
        return lines;
    }();
    return names;
}

}  // namespace

class tst_Lessons : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", QByteArray::fromStdString(resources())); }
    void awaitedAreVariants();
    void recording_data();
    void recording();
    void claim_data();
    void claim();
    void everyWorkloadClaimsSomething();
    void exercise_data();
    void exercise();
    void shares_data();
    void shares();
    void lessWorkIsNoSolution_data();
    void lessWorkIsNoSolution();
};

/// So that a mistake in the list hides no recording that is missing, of no machine.
void tst_Lessons::awaitedAreVariants()
{
    for (const QString& name : awaited()) {
        compile(workload_of(name.section('.', 0, 0).toStdString()), name.section('.', 1).toStdString());
        QVERIFY2(!Lesson("h100", name.section('.', 0, 0).toStdString()).has(name.section('.', 1).toStdString()),
            qPrintable(name));
    }
}

void tst_Lessons::recording_data()
{
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QString>("workload");
    QTest::addColumn<QString>("variant");
    int number = 0;
    for (const auto& name : catalogue_names(resources() + "/workloads")) {
        const auto workload = workload_of(name);
        for (const auto& variant : workload.variants) {
            for (const Machine& machine : recorded) {
                if (compile(workload, variant.name).gpus <= machine.gpus && number++ % one_trial_in == 0) {
                    QTest::addRow("%s %s.%s", machine.name, name.c_str(), variant.name.c_str())
                        << machine.name << QString::fromStdString(name) << QString::fromStdString(variant.name);
                }
            }
        }
    }
}

void tst_Lessons::recording()
{
    QFETCH(QString, machine);
    QFETCH(QString, workload);
    QFETCH(QString, variant);
    const Lesson lesson(machine.toStdString(), workload.toStdString());
    if (awaited().contains(workload + '.' + variant)) {
        QVERIFY2(!lesson.has(variant.toStdString()), "it is recorded: remove it from awaited.txt");
        return;
    }
    QVERIFY2(lesson.has_current(variant.toStdString()),
        "there is no recording, or it is of other steps or parameters than the workload has now: lanes run --repeat 5");
    const Shown& shown = lesson.shown(variant.toStdString());
    QCOMPARE(shown.trace.source, Source::cupti);
    QCOMPARE(shown.trace.meta.at("variant"), variant.toStdString());
    QVERIFY(QString::fromStdString(shown.trace.meta.at("device")).contains(machine, Qt::CaseInsensitive));
    const Program program = compile(workload_of(workload.toStdString()), variant.toStdString());
    QCOMPARE(shown.trace.errors.empty(), program.expected_error.empty());
    const Counts& found = shown.report.counts;
    if (program.expected_error.empty()) {  // CUPTI may not report what was under way at an error
        QCOMPARE(found.dropped, 0U);
    }
    if (const auto counts = count(program)) {
        QCOMPARE(found.copies, counts->copies);
        QCOMPARE(found.memsets, counts->memsets);
        QCOMPARE(found.kernels, counts->kernels);
    }
    for (const Read& read : shown.trace.reads) {
        QCOMPARE(read.wrong_bytes > 0, read.expect_stale);
    }
    const OperationTable& operations = shown.trace.operations;
    for (Row row = 0; row < operations.size(); ++row) {
        QVERIFY(operations.call[row] != no_row);
        QVERIFY(operations.start[row] >= shown.trace.calls.start[operations.call[row]]);
    }
}

void tst_Lessons::claim_data()
{
    QTest::addColumn<QString>("machine");
    QTest::addColumn<int>("index");
    for (int i = 0; const Claim& claim : claims()) {
        for (const char* machine : {"h200", "model"}) {
            const auto workload = workload_of(claim.workload);
            const Lesson lesson(machine, claim.workload);
            const auto is_there = [&](const auto& variant) {
                return lesson.has_current(variant.name)
                    || awaited().contains(QString::fromStdString(claim.workload + ('.' + variant.name)));
            };
            if (std::ranges::all_of(workload.variants, is_there) && (!claim.needs || lesson.has(claim.needs))) {
                QTest::addRow("%s %s: %s", machine, claim.workload, claim.words) << machine << i;
            }
        }
        ++i;
    }
}

void tst_Lessons::claim()
{
    QFETCH(QString, machine);
    QFETCH(int, index);
    const Claim& claim = claims()[static_cast<std::size_t>(index)];
    double value = 0;
    try {
        value = claim.value(Lesson(machine.toStdString(), claim.workload));
    } catch (const NotRecorded& variant) {
        const QString name = QStringLiteral("%1.%2").arg(QLatin1String(claim.workload), QLatin1String(variant.what()));
        QVERIFY2(awaited().contains(name), qPrintable(name));
        QSKIP(qPrintable(name + " is to be recorded"));
    }
    QVERIFY2(value >= claim.at_least && value <= claim.at_most,
        qPrintable(QStringLiteral("%1, not within %2 and %3").arg(value).arg(claim.at_least).arg(claim.at_most)));
}

void tst_Lessons::everyWorkloadClaimsSomething()
{
    for (const auto& name : catalogue_names(resources() + "/workloads")) {
        QVERIFY2(
            std::ranges::any_of(claims(), [&](const Claim& claim) { return name == claim.workload; }), name.c_str());
    }
}

void tst_Lessons::exercise_data()
{
    QTest::addColumn<QString>("workload");
    for (const auto& name : catalogue_names(resources() + "/workloads")) {
        if (!workload_of(name).exercise.check.empty()) {
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }
}

/// The variant that is to be changed does not do what the exercise asks for, and another one does.
void tst_Lessons::exercise()
{
    QFETCH(QString, workload);
    const Workload of = workload_of(workload.toStdString());
    const Lesson lesson("model", workload.toStdString());
    QStringList solved, told;
    for (const Variant& variant : of.variants) {
        const Shown& shown = lesson.shown(variant.name);
        const auto checked = check_exercise(of.exercise, {variant.name, &shown.trace, &shown.report});
        QString line = QString::fromStdString(variant.name) + ':';
        for (const CheckedLimit& each : checked) {
            const QString said = QString::fromStdString(Messages::english().format(checked_message(each)));
            QVERIFY2(!said.contains(QString::fromStdString(each.limit->text)), qPrintable(said));  // in words
            line += ' ' + said;
        }
        told += line;
        if (is_solved(checked)) {
            solved += QString::fromStdString(variant.name);
        }
    }
    QVERIFY2(!solved.contains(QString::fromStdString(of.exercise.of)), qPrintable(told.join('\n')));
    QVERIFY2(!solved.isEmpty(), qPrintable(told.join('\n')));
}

void tst_Lessons::lessWorkIsNoSolution_data()
{
    QTest::addColumn<QString>("workload");
    QTest::addColumn<QString>("parameter");
    QTest::addColumn<QString>("value");
    for (const auto& [workload, parameter, value] :
        {std::tuple {"copy-results-back", "bytes", "4 KiB"}, std::tuple {"copies-both-ways", "bytes", "1 MiB"},
            std::tuple {"launch-blocking", "kernel_time", "10 us"}, std::tuple {"two-gpus", "kernel_time", "10 us"},
            std::tuple {"all-reduce", "bytes", "64 KiB"}, std::tuple {"gradient-accumulation", "bytes", "64 KiB"},
            std::tuple {"fsdp", "bytes", "64 KiB"}, std::tuple {"allocate-in-the-loop", "kernel_time", "20 ms"},
            std::tuple {"hidden-syncs", "kernel_time", "1 ms"}, std::tuple {"decode-loop", "kernel_time", "1 ms"},
            std::tuple {"decode-loop", "cpu_time", "0 us"}, std::tuple {"prefetcher", "item", "false"},
            std::tuple {"stream-priority", "kernel_time", "500 us"},
            std::tuple {"timing-mistakes", "earlier_time", "2 us"},
            std::tuple {"memory-pressure", "limit", "64 GiB"}}) {
        QTest::addRow("%s with %s: %s", workload, parameter, value) << workload << parameter << value;
    }
}

/// What changes the work instead of how it is issued.
void tst_Lessons::lessWorkIsNoSolution()
{
    QFETCH(QString, workload);
    QFETCH(QString, parameter);
    QFETCH(QString, value);
    const Workload of = workload_of(workload.toStdString());
    const Trace trace = modelled(of, of.exercise.of, {{parameter.toStdString(), value.toStdString()}});
    const Report report = make_report(trace, find_blocking(trace));
    QVERIFY(!is_solved(check_exercise(of.exercise, {of.exercise.of, &trace, &report})));
}

void tst_Lessons::shares_data()
{
    QTest::addColumn<bool>("below");
    QTest::addColumn<double>("share");  // percent
    QTest::addColumn<bool>("holds");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("below") << true << 12.4 << true << QByteArray("is below 30 %: 12 %");
    QTest::newRow("nearly the limit") << true << 29.7 << true << QByteArray("is below 30 %: 29.7 %");
    QTest::newRow("the limit") << true << 30. << false << QByteArray("is not below 30 %: 30 %");
    QTest::newRow("hardly more") << true << 30.02 << false << QByteArray("is not below 30 %: 30.02 %");
    QTest::newRow("hardly above") << false << 30.4 << true << QByteArray("is above 30 %: 30.4 %");
}

/// A share is never rounded to its limit or to the other side of it.
void tst_Lessons::shares()
{
    QFETCH(bool, below);
    QFETCH(double, share);
    QFETCH(bool, holds);
    QFETCH(QByteArray, said);
    const Limit limit {"", static_cast<std::size_t>(LessonFigure::hidden), below, true, Dimension::number, 30};
    QCOMPARE(
        QByteArray::fromStdString(checked_message({&limit, share, holds})), "the hidden part of the copy time " + said);
}

QTEST_GUILESS_MAIN(tst_Lessons)
#include "tst_lessons.moc"
