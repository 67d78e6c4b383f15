// SPDX-License-Identifier: MIT
// What came with Lanescope is told by the workloads of today; a recording of other steps by its own.
#include "engine/analysis/caveats.h"
#include "engine/analysis/figures/kernel_sizes.h"
#include "engine/analysis/lesson_texts.h"
#include "engine/analysis/told_run.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/workload/catalogue.h"
#include "lesson.h"

#include <QDir>
#include <QTest>
#include <set>

using namespace lanes;
using namespace lanes::tests;

namespace {

QStringList recordings()
{
    QStringList names;
    const QDir folder(QString::fromStdString(resources()) + "/recordings");
    for (const QString& gpu : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        for (const QString& file : QDir(folder.filePath(gpu)).entryList({"*.sqlite"})) {
            names += gpu + '/' + file;
        }
    }
    return names;
}

Trace opened(const QString& name)
{
    return open_recording(resources() + "/recordings/" + name.toStdString());
}

/// With its workload's text changed.
Trace changed(const QString& name, const QString& from, const QString& to)
{
    Trace trace = opened(name);
    auto text = QString::fromStdString(trace.meta.at(meta::workload_text));
    if (!text.contains(from)) {
        throw std::runtime_error("the text lacks what is to be changed");
    }
    trace.meta[meta::workload_text] = text.replace(from, to).toStdString();
    return trace;
}

}  // namespace

class tst_ToldRun : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", QByteArray::fromStdString(resources())); }
    void whatIsShippedHasTheListingsOfToday_data();
    void whatIsShippedHasTheListingsOfToday();
    void otherStepsAreToldByTheirOwnText_data();
    void otherStepsAreToldByTheirOwnText();
    void otherTextsAreNot_data();
    void otherTextsAreNot();
    void settingsAreKept();
    void somebodysOwnWorkloadIsItsOwn();
    void whatIsNoWorkload();
    void failuresNameTheLineOfTheListing();
};

void tst_ToldRun::whatIsShippedHasTheListingsOfToday_data()
{
    QTest::addColumn<QString>("name");
    for (const QString& name : recordings()) {
        QTest::newRow(qPrintable(name)) << name;
    }
    QVERIFY(recordings().size() > 150);
}

void tst_ToldRun::whatIsShippedHasTheListingsOfToday()
{
    QFETCH(QString, name);
    const Trace trace = opened(name);
    const auto told = told_run(trace);
    QVERIFY(told);
    QVERIFY2(told->is_newest, "it is of other steps than the workload has now");
    const Workload now = find_workload(trace.meta.at(meta::workload));
    QCOMPARE(told->workload->code_pytorch, now.code_pytorch);
    QCOMPARE(told->workload->code_cuda, now.code_cuda);
    QCOMPARE(told->workload->why, now.why);
    // Every step that was recorded has the lines that a step of today has, and is called the same.
    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> steps;
    for (const StepInfo& step : compile(now, told->variant).steps) {
        steps.insert({step.label, step.pytorch_line, step.cuda_line});
    }
    for (const auto& row : trace.steps) {
        const StepInfo& step = told->steps.at(row.step);
        QVERIFY2(steps.contains({step.label, step.pytorch_line, step.cuda_line}), step.label.c_str());
    }
}

void tst_ToldRun::otherStepsAreToldByTheirOwnText_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("a time") << "time: $kernel_time"
                            << "time: 3 ms";
    QTest::newRow("a size") << "{default: 64 MiB"
                            << "{default: 32 MiB";
    QTest::newRow("a kind of memory") << "memory: $host_memory"
                                      << "memory: pageable";
    QTest::newRow("a stream") << "compute: {gpu: 0}"
                              << "compute: {gpu: 0, priority: high}";
    QTest::newRow("how often") << "{default: 8, min: 1, max: 64"
                               << "{default: 7, min: 1, max: 64";
    QTest::newRow("another order of the buffers") << "  y: {"
                                                  << "  before: {on: gpu 0, bytes: 1 MiB}\n  y: {";
    QTest::newRow("a range") << "range: matrix $i"
                             << "range: result $i";
    QTest::newRow("a step more") << "    - sync: device"
                                 << "    - sync: device\n    - cpu: {time: 1 us}";
}

void tst_ToldRun::otherStepsAreToldByTheirOwnText()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    const Trace trace = changed("h200/copy-results-back.overlapped.sqlite", from, to);
    const auto told = told_run(trace);
    QVERIFY(told);
    QVERIFY(!told->is_newest);
    QCOMPARE(told->workload->source, trace.meta.at(meta::workload_text));
    QCOMPARE(told->steps.size(), compile(*told->workload, "overlapped").steps.size());
}

void tst_ToldRun::otherTextsAreNot_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("a title") << "Overlapped copies"
                             << "Copies that overlap";
    QTest::newRow("code") << "torch.matmul("
                          << "torch.mm(";
    QTest::newRow("lines") << "lines: {pytorch: 12, cuda: 9}"
                           << "lines: {pytorch: 1, cuda: 1}";
    QTest::newRow("steps that do not run") << "code:\n"
                                           << "    - if: $matrices > 100\n      then: [{sync: device}]\ncode:\n";
    QTest::newRow("contents that decide nothing") << "value: 9}"
                                                  << "value: 8}";
}

void tst_ToldRun::otherTextsAreNot()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    const Trace trace = changed("h200/copy-results-back.overlapped.sqlite", from, to);
    const auto told = told_run(trace);
    QVERIFY(told && told->is_newest);
    const Program now = compile(find_workload("copy-results-back"), "overlapped");
    for (const auto& row : trace.steps) {
        const StepInfo& step = told->steps.at(row.step);
        const auto same = std::find_if(now.steps.begin(), now.steps.end(), [&](const StepInfo& of) {
            return of.line == step.line && of.label == step.label && of.cuda_line == step.cuda_line;
        });
        QVERIFY2(same != now.steps.end(), step.label.c_str());
    }
}

void tst_ToldRun::settingsAreKept()
{
    Trace trace = opened("h200/copy-results-back.overlapped.sqlite");
    trace.meta[meta::settings] = "matrices=4\nkernel_time=1 ms";
    const auto told = told_run(trace);
    QVERIFY(told && told->is_newest);
    QCOMPARE(told->settings, (Settings {{"kernel_time", "1 ms"}, {"matrices", "4"}}));
    trace.meta[meta::settings] = "a parameter of then=4";
    QVERIFY(!told_run(trace));  // its own text has no such parameter either
    trace.meta[meta::settings] = "=4\nmatrices=4";  // no recorder wrote the first line
    QVERIFY(told_run(trace) && !kernel_sizes(trace).empty());
}

void tst_ToldRun::somebodysOwnWorkloadIsItsOwn()
{
    Trace trace = opened("h200/copy-results-back.overlapped.sqlite");
    for (const char* name : {"mine", "prefetcher", ""}) {
        trace.meta[meta::workload] = name;
        const auto told = told_run(trace);
        QVERIFY2(told && !told->is_newest, name);
    }
}

void tst_ToldRun::whatIsNoWorkload()
{
    Trace trace = opened("h200/copy-results-back.overlapped.sqlite");
    trace.meta[meta::workload_text] = "threads: {main: [{step of the future: 1}]}";
    QVERIFY(!told_run(trace));
    trace.meta.erase(meta::workload_text);
    QVERIFY(!told_run(trace));
    QVERIFY(recorded_titles(trace, "en").workload.empty());
}

void tst_ToldRun::failuresNameTheLineOfTheListing()
{
    const auto said = [](const Trace& trace, const char* language) {
        return QString::fromStdString(Messages::of(language).format(caveats_of(trace).front()));
    };
    const Trace late = opened("h200/late-error.late.sqlite");
    QVERIFY(QString::fromStdString(late.meta.at(meta::error)).contains("(late-error.yaml:84)"));
    QCOMPARE(said(late, "en"),
        QString("The run failed at line 14 of the PyTorch listing, line 18 of the CUDA listing (step \"copy loss -> "
                "loss_cpu on work\"): cudaErrorIllegalAddress: an illegal memory access was encountered"));
    QVERIFY(said(late, "zh_CN").contains("PyTorch 代码第 14 行、CUDA 代码第 18 行"));
    // The file of a workload of one's own is what its author looks at.
    Trace own = opened("h200/late-error.late.sqlite");
    own.meta[meta::workload] = "mine";
    QVERIFY(said(own, "en").contains("(late-error.yaml:84)"));
}

QTEST_GUILESS_MAIN(tst_ToldRun)
#include "tst_told_run.moc"
