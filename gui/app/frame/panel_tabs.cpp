// SPDX-License-Identifier: MIT
#include "gui/app/frame/panel_tabs.h"

#include "gui/panels/events_panel.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/iterations_panel.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/path_panel.h"
#include "gui/panels/statistics_panel.h"
#include "gui/panels/summary/summary_panel.h"
#include "gui/panels/variants_panel.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/session/critical_paths.h"

#include <QTabBar>

#include <algorithm>

namespace lanes::gui {

PanelTabs::PanelTabs(Workspace* workspace, CriticalPaths* paths, WhatIfs* whatIfs, IterationChanges* shown,
    const Headings& headings, QWidget* parent)
    : QTabWidget(parent)
    , m_findings(new FindingsPanel)
    , m_events(new EventsPanel)
    , m_lesson(new LessonPanel)
    , m_variants(new VariantsPanel(headings.runAll))
    , m_whatIf(new WhatIfPanel(headings.predicted))
{
    setDocumentMode(true);
    setAccessibleName(tr("Panels"));
    tabBar()->setAccessibleName(tr("Panels"));
    setMinimumHeight(90);
    auto* summary = new SummaryPanel;
    auto* statistics = new StatisticsPanel;
    auto* path = new PathPanel(headings.pathOnLanes);
    auto* iterations = new IterationsPanel;
    using enum PanelHeight;
    m_rows = {
        {PanelName::findings, m_findings, tr("Findings"), firstRow, false, "go.findings", tr("&Findings"),
            tr("What cost time"), "Ctrl+1"},
        {PanelName::summary, summary, tr("Summary"), fewRows, false, "go.summary", tr("Summar&y"),
            tr("What took the time, by name: kernels, copies, API calls, ranges"), "Ctrl+2"},
        {PanelName::statistics, statistics, tr("Statistics"), fewRows, false, "go.statistics", tr("&Statistics"),
            tr("Busy, overlap, hidden copies, blocked time"), "Ctrl+3"},
        {PanelName::events, m_events, tr("Events"), fewRows, false, "go.events", tr("&Events"),
            tr("The table of API calls and GPU operations"), "Ctrl+4"},
        {PanelName::lesson, m_lesson, tr("Lesson"), someLines, true, "go.lesson", tr("&Lesson"),
            tr("What to look at, why it is so, the rule to remember"), "Ctrl+6"},
        {PanelName::variants, m_variants, tr("Variants"), everything, true, "go.variants", tr("Var&iants"),
            tr("All variants of the workload beside one another"), "Ctrl+7"},
        {PanelName::path, path, tr("Critical path"), someRows, false, "go.path", tr("Critical path"),
            tr("What the critical path is made of, by lane and by name"), "Ctrl+8"},
        {PanelName::iterations, iterations, tr("Iterations"), someRows, false, "go.iterations", tr("Iterations"),
            tr("The iterations of the recording, and why some were longer"), "Ctrl+9"},
        {PanelName::what_if, m_whatIf, tr("What if"), someChoices, false, nullptr, {}, {}, ""},
    };
    for (const PanelRow& row : m_rows) {
        addTab(row.widget, row.title);
    }
    m_findings->observe(workspace, whatIfs);
    summary->observe(workspace);
    statistics->observe(workspace);
    m_events->observe(workspace);
    path->observe(workspace, paths, new IdleTimes(workspace, IdleTimes::Of::scope));
    m_variants->observe(workspace);
    iterations->observe(workspace, shown);
    m_whatIf->observe(whatIfs);
    connect(m_findings, &FindingsPanel::listed, this, [this] {
        const int findings = m_findings->findings();
        setTabText(indexOf(m_findings), findings > 0 ? tr("Findings %1").arg(findings) : tr("Findings"));
        emit findingsChanged();
    });
}

QWidget* PanelTabs::panel(PanelName name) const
{
    return std::find_if(m_rows.begin(), m_rows.end(), [name](const PanelRow& row) { return row.name == name; })->widget;
}

void PanelTabs::choose(PanelName name)
{
    setTabVisible(indexOf(panel(name)), true);
    setCurrentWidget(panel(name));
}

void PanelTabs::setLessonsShown(bool shown)
{
    if (!shown && current().isOfLessons) {
        setCurrentWidget(panel(PanelName::summary));
    }
    for (const PanelRow& row : m_rows) {
        setTabVisible(indexOf(row.widget), shown || !row.isOfLessons);
    }
}

void PanelTabs::leaveEmptyFindings()
{
    if (currentWidget() == m_findings && m_findings->findings() == 0) {
        setCurrentWidget(panel(PanelName::summary));
    }
}

int PanelTabs::heightOfFindings(int most) const
{
    const int count = currentWidget() == m_findings ? std::min(most, m_findings->findings()) : 0;
    int height = count > 0 ? tabBar()->sizeHint().height() + 2 : 0;
    for (int row = 0; row < count; ++row) {
        height += m_findings->sizeHintForRow(row);
    }
    return height;
}

int PanelTabs::heightOfVariants() const
{
    return m_variants->sizeHint().height() + tabBar()->sizeHint().height();
}

}  // namespace lanes::gui
