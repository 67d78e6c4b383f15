// SPDX-License-Identifier: MIT
// A recording of a program in each scope: what every panel, the verdict and the lanes say is what `lanes report
// --range` says of that part.
#include "engine/store/recording_file.h"
#include "gui/paint/lane_figure.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/scope_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/events_model.h"
#include "gui/panels/events_panel.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/path_panel.h"
#include "gui/panels/statistics_panel.h"
#include "gui/panels/summary/summary_model.h"
#include "gui/panels/summary/summary_panel.h"
#include "gui/session/critical_paths.h"
#include "gui/session/scope_reports.h"
#include "gui/session/what_ifs.h"
#include "gui/timeline/timeline_pair.h"
#include "tests/gui/panels/late_iterations.h"
#include "tests/patience.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_one_scope : public QObject {
    Q_OBJECT

    Workspace m_workspace;
    OpenRecordingPtr m_program;
    StatisticsPanel m_statistics;
    FindingsPanel m_findings;
    SummaryPanel m_summary;
    EventsPanel m_events;
    CriticalPaths* m_paths = nullptr;
    WhatIfs* m_whatIfs = nullptr;
    std::unique_ptr<PathPanel> m_path;

private slots:
    void initTestCase();
    void everythingIsOfTheScope_data();
    void everythingIsOfTheScope();
};

void tst_one_scope::initTestCase()
{
    const QString source = qEnvironmentVariable("LANES_SOURCE");
    qputenv("LANES_RESOURCES", source.toUtf8() + "/resources");
    const QString file = source + QStringLiteral("/tests/engine/store/traces/torch-2.11.json.gz");
    m_program = analysed(open_recording(file.toStdString()), file);
    m_paths = new CriticalPaths(&m_workspace);
    m_whatIfs = new WhatIfs(&m_workspace);
    m_path = std::make_unique<PathPanel>(new QPushButton);
    m_statistics.observe(&m_workspace);
    m_findings.observe(&m_workspace, m_whatIfs);
    m_summary.observe(&m_workspace);
    m_events.observe(&m_workspace);
    m_path->observe(&m_workspace, m_paths, new IdleTimes(&m_workspace, IdleTimes::Of::scope));
    for (QWidget* panel :
        std::initializer_list<QWidget*> {&m_statistics, &m_findings, &m_summary, &m_events, m_path.get()}) {
        panel->resize(1000, 400);
        panel->show();
    }
    m_workspace.pair()->side(0).setArea({1200, 500}, 1);
}

void tst_one_scope::everythingIsOfTheScope_data()
{
    QTest::addColumn<bool>("isMostlyStartUp");
    QTest::addColumn<Scope::Of>("of");
    for (const bool isMostlyStartUp : {false, true}) {
        const char* program = isMostlyStartUp ? "late iterations" : "torch";
        QTest::addRow("%s, repeating", program) << isMostlyStartUp << Scope::Of::repeated;
        QTest::addRow("%s, visible", program) << isMostlyStartUp << Scope::Of::visible;
        QTest::addRow("%s, selection", program) << isMostlyStartUp << Scope::Of::selected;
        QTest::addRow("%s, all", program) << isMostlyStartUp << Scope::Of::all;
    }
}

void tst_one_scope::everythingIsOfTheScope()
{
    QFETCH(const bool, isMostlyStartUp);
    QFETCH(const Scope::Of, of);
    const OpenRecordingPtr program = isMostlyStartUp ? lateIterations() : m_program;
    const Trace& trace = *program->trace;
    m_workspace.set({program});
    const auto steady = steadyPart(*program);
    QCOMPARE(m_workspace.scope().of, repeatedPart(*program) ? Scope::Of::repeated : Scope::Of::all);
    const Interval part = steady.value_or(Interval {trace.duration / 3, trace.duration});
    const Ns third = (part.end - part.start) / 3;
    Timeline& timeline = m_workspace.pair()->side(0);
    if (of == Scope::Of::visible) {
        timeline.showRange({part.start + third / 2, part.end - third});
    } else if (of == Scope::Of::selected) {
        m_workspace.selectRange(0, Interval {part.start + third / 3, part.end - third / 2});
    }
    m_workspace.chooseScope(of);
    if (of == Scope::Of::repeated && !steady) {
        QCOMPARE(m_workspace.scope().of, Scope::Of::all);
        return;  // it cannot be chosen
    }
    const Scope scope = m_workspace.scope();
    QCOMPARE(scope.of, of);
    // What `lanes report --range` prints; all of a program that starts up for long is said there in parts.
    const Interval range = scope.ranges[0];
    const Recording told = reported(trace, range);
    const bool isMixed = of == Scope::Of::all && told.report->parts;
    const Report& report = isMixed ? told.report->parts->whole : *told.report;
    QVERIFY(comesTrue([this] { return !m_workspace.reports().isFoundOld(); }));
    QCOMPARE(m_workspace.reports().scope(), scope);

    // Statistics
    const QString figures = m_statistics.asText();
    const QString named = scopeText(scope, 1);
    QVERIFY2(figures.contains(named), qPrintable(figures));
    QVERIFY2(figures.contains(QStringLiteral("Total\t%1").arg(formatTime(report.wall))), qPrintable(figures));
    for (const GpuFigures& gpu : report.gpus) {
        QVERIFY2(figures.contains(QStringLiteral("Busy\t%1").arg(formatTime(gpu.busy))), qPrintable(figures));
    }
    QVERIFY2(figures.contains(QStringLiteral("Kernels\t%L1").arg(report.counts.kernels)), qPrintable(figures));
    // Findings
    QStringList found, expected;
    for (const auto& entry : m_findings.entries()) {
        found += entry.pill + QLatin1Char(' ') + entry.title;
    }
    for (const Finding& finding : report.findings) {
        expected += text(cost_text(finding, engineMessages())) + QLatin1Char(' ')
            + text(engineMessages().format(finding.title));
    }
    found.sort();
    expected.sort();
    QCOMPARE(found, expected);
    // The verdict, in one sentence
    const QString verdict = text(engineMessages().format(report.verdict.message));
    QCOMPARE(timeline.frame().verdict.text, verdict);
    QVERIFY(!timeline.frame().verdict.isOld);
    QVERIFY2(verdict.size() <= 80, qPrintable(verdict));
    // The lanes
    const TimelineFrame frame = timeline.frame();
    for (const GpuFigures& gpu : report.gpus) {
        for (std::size_t lane = 0; lane < frame.model.lanes().size(); ++lane) {
            const LaneKey& key = frame.model.lanes()[lane].key;
            if (key.kind == LaneKind::gpu && key.device == gpu.device) {
                const auto figure = figureOf(frame, lane);
                QVERIFY(figure);
                QCOMPARE(figure->time, gpu.busy);
                QCOMPARE(figure->scope, of);
            }
        }
    }
    // Summary
    QVERIFY(comesTrue([this] { return !m_summary.model()->busy(); }));
    QVERIFY2(m_summary.scopeText().startsWith(named), qPrintable(m_summary.scopeText()));
    std::uint64_t kernels = 0;
    for (int row = 0; row < m_summary.model()->rowCount(); ++row) {
        kernels += m_summary.model()->rowAt(row)->sides[0]->count;
    }
    QCOMPARE(kernels, report.counts.kernels);
    // Events
    QVERIFY(comesTrue([this] { return !m_events.model()->busy(); }));
    const QString counted = m_events.findChild<QLabel*>(QStringLiteral("eventCount"))->text();
    QVERIFY2(counted.startsWith(named), qPrintable(counted));
    std::uint64_t calls = 0;
    for (int row = 0; row < m_events.model()->rowCount(); ++row) {
        calls += m_events.model()->eventAt(row).table == EventTable::calls ? 1 : 0;
    }
    QCOMPARE(calls, report.counts.api_calls);
    // Critical path
    QVERIFY(comesTrue([this] { return m_paths->at(0) != nullptr; }));
    QVERIFY(m_paths->at(0)->path().range.start >= range.start && m_paths->at(0)->path().range.end <= range.end);
    QCOMPARE(m_paths->scope(), scope);
    QVERIFY(m_path->findChild<QLabel*>()->text().startsWith(named));
    // What if
    QCOMPARE(m_whatIfs->scope().text(), of == Scope::Of::all ? std::string() : replay::query_of(range).text());
}

QTEST_MAIN(tst_one_scope)
#include "tst_one_scope.moc"
