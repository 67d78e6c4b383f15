// SPDX-License-Identifier: MIT
// Idle time is shown in several places: for each recording those with the same meaning must agree to the
// nanosecond, and findings must not exceed what the verdict measured.
#include "engine/analysis/findings/rules.h"
#include "engine/analysis/graph/critical_path.h"
#include "engine/analysis/graph/idle_reasons.h"
#include "engine/analysis/report.h"
#include "engine/analysis/words/shown.h"
#include "engine/replay/whatif.h"
#include "tests/engine/analysis/graphed.h"

#include <numeric>
#include <QDirIterator>

using namespace lanes;

class tst_IdleFigures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void agree_data();
    void agree();
    void helpersMakeNoRunLonger();
};

void tst_IdleFigures::agree_data()
{
    QTest::addColumn<QString>("path");
    int count = 0;
    for (const char* folder : {"/resources/recordings", "/resources/traces"}) {
        const QString root = qEnvironmentVariable("LANES_SOURCE") + folder;
        for (QDirIterator files(root, {"*.sqlite"}, QDir::Files, QDirIterator::Subdirectories); files.hasNext();
             ++count) {
            const auto path = files.next();
            QTest::newRow(qPrintable(path.mid(root.size() + 1))) << path;
        }
    }
    QVERIFY(count > 150);
}

void tst_IdleFigures::agree()
{
    QFETCH(QString, path);
    const Graphed of(open_recording(path.toStdString()));
    const auto report = make_report(of.trace, of.blocking);
    const auto reasons = idle_reasons(of.graph, {0, of.trace.duration});

    // No GPU busy: in the report, the statistics and the lessons of the wall time, in the JSON of the range.
    const Ns idle = report.wall - report.gpu_busy;
    const Ns behind = report.range.end - report.range.start - report.wall;
    QVERIFY(behind >= 0);
    QCOMPARE(report.concurrency[0] - behind, idle);
    Ns least = idle;
    std::map<Row, Ns> of_stream;
    for (const auto& gpu : report.gpus) {
        QCOMPARE(gpu.idle - behind, report.wall - gpu.busy);
        QVERIFY(gpu.idle - behind >= idle);
        least = std::min(least, gpu.idle - behind);
        for (const auto& stream : gpu.streams) {
            of_stream[stream.stream] = report.wall - stream.busy;
        }
    }
    QCOMPARE(report.gpus.size() == 1 ? least : idle, idle);

    // Of a stream: the reasons add up to the wall time in which it was not busy; with one stream, to the GPU's.
    QCOMPARE(reasons.range.end - reasons.range.start, report.wall);
    ReasonTimes all {};
    for (const auto& lane : reasons.lanes) {
        const Ns sum = std::accumulate(lane.idle.begin(), lane.idle.end(), Ns {0});
        QCOMPARE(sum, of_stream.at(lane.stream));
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] += lane.counts ? lane.idle[i] : 0;
        }
        if (reasons.lanes.size() == 1) {
            QCOMPARE(sum, idle);
        }
        QVERIFY(sum >= idle);
    }
    QCOMPARE(reasons.idle, all);

    // The verdict has all the idle time, a finding what remains to be gained once the other findings are fixed.
    for (const auto& finding : report.findings) {
        const bool says_idle = rule_of(finding.rule).is_idle;
        if (!says_idle || finding.title.id == "finding.in_steady") {
            continue;
        }
        QVERIFY(finding.cost <= idle);
        if (report.findings.size() == 1 && !finding.is_replayed && finding.rule != "cpu-late") {
            const auto& said = report.verdict.message.arguments;
            QVERIFY(std::find(
                        said.begin(), said.end(), std::pair<std::string, std::string>("time", shown_time(finding.cost)))
                != said.end());
        }
    }
}

/// torch.compile's worker process asks once what the GPU can do, 7 s after the program's last call.
void tst_IdleFigures::helpersMakeNoRunLonger()
{
    const auto path = qEnvironmentVariable("LANES_SOURCE") + "/resources/traces/recorded.compiled.sqlite";
    const Graphed of(open_recording(path.toStdString()));
    const auto working = working_threads(of.trace);
    QCOMPARE(std::count(working.begin(), working.end(), false), 1);
    const Row helper = static_cast<Row>(std::find(working.begin(), working.end(), false) - working.begin());
    Ns last = 0;
    Ns last_of_helper = 0;
    for (Row call = 0; call < of.trace.calls.size(); ++call) {
        auto& end = of.trace.calls.thread[call] == helper ? last_of_helper : last;
        end = std::max(end, of.trace.calls.end[call]);
    }
    QVERIFY(last_of_helper > last + 6'000'000'000);
    const auto report = make_report(of.trace, of.blocking);
    QCOMPARE(report.wall, last);
    QCOMPARE(of.graph.last_end(), last);
    QCOMPARE(critical_path(of.graph, {0, of.trace.duration}).range.end, last);
    QCOMPARE(replay::WhatIf(of.graph).total({}), last);
    QVERIFY(report.range.end >= last_of_helper);  // the range holds everything
}

QTEST_GUILESS_MAIN(tst_IdleFigures)
#include "tst_idle_figures.moc"
