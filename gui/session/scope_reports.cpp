// SPDX-License-Identifier: MIT
#include "gui/session/scope_reports.h"

#include "gui/session/workspace.h"
#include "gui/timeline/timeline_pair.h"

#include <utility>

namespace lanes::gui {

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

void ScopeReports::take()
{
    m_scope = m_workspace->scope();
    emit changed();
}

void ScopeReports::find()
{
    m_problem.clear();
    m_finding.cancel();
    if (!isOld()) {
        take();
        return;
    }
    m_finding.ask(
        [recordings = m_workspace->recordings(), scope = m_workspace->scope()](const Progress& progress) {
            Reports reports;
            for (std::size_t i = 0; i < recordings.size(); ++i) {
                reports[i] = reportOf(*recordings[i], {scope.of, scope.ranges[i]}, progress);
            }
            return reports;
        },
        [this](const Reports& reports) {
            m_workspace->pair()->setReports(reports);
            take();
        },
        [this](const QString& problem) {
            m_problem = problem;
            emit changed();
        });
    emit changed();
}

}  // namespace lanes::gui
