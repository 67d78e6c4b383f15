// SPDX-License-Identifier: MIT
#include "gui/session/scope_results.h"

#include <limits>

namespace lanes::gui {

ScopeResults::ScopeResults(Workspace* workspace, Find find, Of of)
    : QObject(workspace)
    , m_workspace(workspace)
    , m_find(find)
    , m_of(of)
{
    m_finding.setWanted(this, false);
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {
        connect(workspace, signal, this, &ScopeResults::findAgain);
    }
    if (of == Of::scope) {
        connect(workspace, &Workspace::scopeChanged, this, &ScopeResults::findAgain);
    }
    findAgain();
}

void ScopeResults::setWanted(const QObject* by, bool wanted)
{
    if (wanted && !m_problem.isEmpty()) {
        findAgain();
    }
    m_finding.setWanted(by, wanted);
}

/// Those that there are, are of something else.
void ScopeResults::findAgain()
{
    const Scope scope = m_of == Of::whole ? Scope {} : m_workspace->scope();
    m_scope = scope;
    const bool isProblemGone = !std::exchange(m_problem, {}).isEmpty();
    m_finding.ask(
        [find = m_find, recordings = m_workspace->recordings(), scope](const std::stop_token& /*it has none*/) {
            constexpr Interval whole {0, std::numeric_limits<Ns>::max()};
            Results results;
            for (std::size_t i = 0; i < recordings.size(); ++i) {
                const Interval range = scope.of == Scope::Of::all ? whole : scope.ranges[i];
                results[i] = recordings[i]->graph ? find(recordings[i], range) : nullptr;
            }
            return results;
        },
        [this](Results results) {
            m_results = std::move(results);
            emit changed();
        },
        [this](const QString& problem) {
            m_problem = problem;
            emit changed();
        });
    if (std::exchange(m_results, {}) != Results {} || isProblemGone) {
        emit changed();
    }
}

}  // namespace lanes::gui
