// SPDX-License-Identifier: MIT
// Programs that differ in what a finding advises alone, run by the model device: the first one's cost is what the
// second one is shorter by, to 15 %. Recordings of real GPUs are held to the same in tst_shipped; bench_findings prints
// both.
#include "engine/trace/trace_builder.h"
#include "tests/engine/analysis/findings/finding_pairs.h"
#include "tests/engine/analysis/findings/found.h"
#include "tests/engine/run/model/records.h"

using namespace lanes;

namespace {

struct Run {
    Trace trace;
    Report report;
    explicit Run(Trace of)
        : trace(std::move(of))
        , report(make_report(trace, find_blocking(trace)))
    {
    }
};

Run run(const FindingPair& pair, const std::string& variant)
{
    TraceBuilder records;
    run_model(compile(workload_of(pair), variant), tests::h100(), records);
    return Run(records.finish(Source::model));
}

}  // namespace

class tst_FindingPairs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void costIsWhatTheAdviceSaves_data();
    void costIsWhatTheAdviceSaves();
};

void tst_FindingPairs::costIsWhatTheAdviceSaves_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<std::size_t>("place");
    std::size_t place = 0;
    for (const auto& pair : finding_pairs()) {
        QTest::newRow(pair.name) << QString(pair.rule) << place++;
    }
}

void tst_FindingPairs::costIsWhatTheAdviceSaves()
{
    QFETCH(QString, rule);
    QFETCH(std::size_t, place);
    const FindingPair* pair = &finding_pairs()[place];
    const auto bad = run(*pair, "bad");
    const auto good = run(*pair, "good");
    const auto found = find(bad.report.findings, rule.toStdString());
    const auto cost = static_cast<double>(found.cost);
    const auto saves = static_cast<double>(bad.report.wall - good.report.wall);
    std::string others;
    for (const auto& finding : bad.report.findings) {
        others += " " + finding.rule;
    }
    QVERIFY2(saves > 0 && std::abs(cost - saves) <= 0.15 * saves,
        qPrintable(QStringLiteral("costs %1 us of %2 us, the other is shorter by %3 us; found%4")
                       .arg(cost / 1e3)
                       .arg(static_cast<double>(bad.report.wall) / 1e3)
                       .arg(saves / 1e3)
                       .arg(QString::fromStdString(others))));
    QCOMPARE(find(good.report.findings, rule.toStdString()).count, 0U);
}

QTEST_GUILESS_MAIN(tst_FindingPairs)
#include "tst_finding_pairs.moc"
