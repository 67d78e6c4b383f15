// SPDX-License-Identifier: MIT
// Waits for PyTorch's DataLoader are told apart from operators that take the CPU long.
#include "engine/analysis/facts/steady_state.h"
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/findings/found.h"

using namespace lanes;

namespace {

constexpr Ns us = 1000;

}  // namespace

class tst_DataLoader : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void toldApart();
    void recorded();
};

/// Half of the idle time is a wait for the next batch, half operators: each is told with its own part.
void tst_DataLoader::toldApart()
{
    for (const std::string_view name : {"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
             "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"}) {
        Tape tape;
        for (Ns at = 0; at < 1000 * us; at += 100 * us) {
            tape.range(name, at, at + 40 * us, 1, operator_domain);
            tape.range("aten::linear", at + 40 * us, at + 82 * us, 1, operator_domain);
            tape.kernel(tape.call("cudaLaunchKernel", at + 80 * us, at + 82 * us), 13, at + 82 * us, at + 99 * us);
        }
        const auto trace = tape.finish();
        const auto report = report_of(trace);
        QCOMPARE(report.findings.size(), std::size_t {2});
        const auto loader = find(report.findings, "data-loader");
        COMPARE_ABOUT(loader.cost, 10 * 40 * us);  // the first one, too
        QCOMPARE(loader.count, 10U);
        QCOMPARE(loader.advice.id,
            std::string("finding.data-loader.advice") + (name.find("Single") < name.size() ? "_no_workers" : ""));
        const auto rest = find(report.findings, "starved");
        QVERIFY(rest.cost > 300 * us && rest.cost <= 9 * 40 * us);  // before the first kernel the program starts up
        QCOMPARE(rest.count, 9U);
    }
}

/// PyTorch's profiler, two workers: what the batches are waited for is not the operators'.
void tst_DataLoader::recorded()
{
    const auto trace = open_recording(
        qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources/traces/recorded.loader.sqlite");
    const auto report = make_report(trace, find_blocking(trace), find_steady_state(trace)->span);
    const auto loader = find(report.findings, "data-loader");
    const auto rest = find(report.findings, "starved");
    QVERIFY(loader.count >= 30 && loader.cost > 40'000 * us);
    QVERIFY(rest.count > 0 && rest.cost < 100'000 * us);
    // It advises a graph, but no change: the workers have the batches no earlier. More workers are the first one's
    // change, and their gain counts there.
    QCOMPARE(advice_of(rest), std::string("finding.starved.advice_operators"));
    QVERIFY(rest.changes.empty());
}

QTEST_GUILESS_MAIN(tst_DataLoader)
#include "tst_data_loader.moc"
