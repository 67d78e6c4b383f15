// SPDX-License-Identifier: MIT
#include "gui/session/scope_reports.h"

#include "engine/analysis/early_report.h"
#include "gui/session/workspace.h"
#include "gui/timeline/timeline_pair.h"

namespace lanes::gui {

namespace {

/// Null where the recording is not analysed yet.
std::shared_ptr<const Report> earlyReportOf(const Recording& recording, Interval range, const Progress& progress)
{
    return recording.graph && recording.waits && recording.ranges ? std::make_shared<const Report>(
               make_early_report({*recording.graph, *recording.waits}, recording.ranges->bounds(), range, progress))
                                                                  : nullptr;
}

}  // namespace

ScopeReports::ScopeReports(Workspace* workspace)
    : QObject(workspace)
    , m_workspace(workspace)
{
    for (const auto signal : {&Workspace::changed, &Workspace::renewed, &Workspace::scopeChanged}) {
        connect(workspace, signal, this, &ScopeReports::find);
    }
}

std::shared_ptr<const Report> ScopeReports::at(int side) const
{
    return side >= 0 && side < m_workspace->count() ? m_workspace->pair()->reports()[static_cast<std::size_t>(side)]
                                                    : nullptr;
}

bool ScopeReports::isOld() const
{
    return m_workspace->pair()->reportsAreOld();
}

std::shared_ptr<const Report> ScopeReports::found(int side) const
{
    return side >= 0 && side < m_workspace->count() ? m_found[static_cast<std::size_t>(side)] : nullptr;
}

void ScopeReports::takeFound(const Reports& reports)
{
    m_scope = m_foundScope = m_workspace->scope();
    m_found = reports;
    m_foundIn = m_workspace->recordings();
    m_isFoundOld = false;
    emit changed();
}

void ScopeReports::find()
{
    m_problem.clear();
    m_finding.cancel();
    if (!isOld()) {
        takeFound(m_workspace->pair()->reports());
        return;
    }
    if (m_workspace->recordings() != m_foundIn) {
        m_found = {};
    }
    m_isFoundOld = true;
    ask(false, [this](const Reports& reports) {
        m_scope = m_workspace->scope();
        m_workspace->pair()->setReports(reports);
        emit changed();
        ask(true, [this](const Reports& all) {
            m_workspace->pair()->setReports(all);
            takeFound(all);
        });
    });
    emit changed();
}

void ScopeReports::ask(bool withFindings, const std::function<void(const Reports&)>& take)
{
    m_finding.ask(
        [recordings = m_workspace->recordings(), scope = m_workspace->scope(), withFindings](const Progress& progress) {
            Reports reports;
            for (std::size_t i = 0; i < recordings.size(); ++i) {
                const DrawnScope part {scope.of, scope.ranges[i]};
                reports[i] = withFindings ? reportOf(*recordings[i], part, progress)
                                          : earlyReportOf(*recordings[i], part.range, progress);
            }
            return reports;
        },
        take,
        [this](const QString& problem) {
            m_problem = problem;
            emit changed();
        });
}

}  // namespace lanes::gui
