// SPDX-License-Identifier: MIT
#include "gui/app/frame/panel_tabs.h"

#include "gui/panels/details_panel.h"
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

namespace lanes::gui {

PanelTabs::PanelTabs(
    Workspace* workspace, CriticalPaths* paths, WhatIfs* whatIfs, const Headings& headings, QWidget* parent)
    : QTabWidget(parent)
    , m_findings(new FindingsPanel)
    , m_summary(new SummaryPanel)
    , m_statistics(new StatisticsPanel)
    , m_events(new EventsPanel)
    , m_details(new DetailsPanel)
    , m_path(new PathPanel(headings.pathOnLanes))
    , m_lesson(new LessonPanel)
    , m_variants(new VariantsPanel(headings.runAll))
    , m_iterations(new IterationsPanel)
    , m_whatIf(new WhatIfPanel(headings.predicted))
{
    setDocumentMode(true);
    setAccessibleName(tr("Panels"));
    tabBar()->setAccessibleName(tr("Panels"));
    addTab(m_findings, tr("Findings"));
    addTab(m_summary, tr("Summary"));
    addTab(m_statistics, tr("Statistics"));
    addTab(m_events, tr("Events"));
    addTab(m_details, tr("Details"));
    addTab(m_lesson, tr("Lesson"));
    addTab(m_variants, tr("Variants"));
    addTab(m_path, tr("Critical path"));
    addTab(m_iterations, tr("Iterations"));
    addTab(m_whatIf, tr("What if"));
    setMinimumHeight(90);

    m_findings->observe(workspace, whatIfs);
    m_summary->observe(workspace);
    m_statistics->observe(workspace);
    m_events->observe(workspace);
    m_details->observe(workspace, paths);
    m_path->observe(workspace, paths, new IdleTimes(workspace, IdleTimes::Of::range));
    m_variants->observe(workspace);
    m_iterations->observe(workspace, new FoundIterations(workspace));
    m_whatIf->observe(whatIfs);
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {
        connect(workspace, signal, this, [this] {
            const int findings = m_findings->findings();
            setTabText(indexOf(m_findings), findings > 0 ? tr("Findings %1").arg(findings) : tr("Findings"));
            emit findingsChanged();
        });
    }
}

QWidget* PanelTabs::panel(PanelName name) const
{
    switch (name) {
    case PanelName::findings:
        return m_findings;
    case PanelName::summary:
        return m_summary;
    case PanelName::statistics:
        return m_statistics;
    case PanelName::events:
        return m_events;
    case PanelName::details:
        return m_details;
    case PanelName::iterations:
        return m_iterations;
    case PanelName::path:
        return m_path;
    case PanelName::lesson:
        return m_lesson;
    case PanelName::variants:
        return m_variants;
    case PanelName::what_if:
        return m_whatIf;
    }
    return nullptr;
}

void PanelTabs::choose(PanelName name)
{
    setTabVisible(indexOf(panel(name)), true);
    setCurrentWidget(panel(name));
}

void PanelTabs::setLessonsShown(bool shown)
{
    if (!shown && (currentWidget() == m_lesson || currentWidget() == m_variants)) {
        setCurrentWidget(m_summary);
    }
    for (QWidget* each : {static_cast<QWidget*>(m_lesson), static_cast<QWidget*>(m_variants)}) {
        setTabVisible(indexOf(each), shown);
    }
}

void PanelTabs::leaveEmptyFindings()
{
    if (currentWidget() == m_findings && m_findings->findings() == 0) {
        setCurrentWidget(m_summary);
    }
}

int PanelTabs::heightOfFirstFinding() const
{
    return currentWidget() != m_findings || m_findings->findings() == 0
        ? 0
        : m_findings->sizeHintForRow(0) + tabBar()->sizeHint().height() + 2;
}

int PanelTabs::heightOfVariants() const
{
    return m_variants->sizeHint().height() + tabBar()->sizeHint().height();
}

}  // namespace lanes::gui
