// SPDX-License-Identifier: MIT
#include "gui/session/wanted_results.h"

#include <limits>

namespace lanes::gui {

WantedResults::WantedResults(Workspace* workspace, Find find, Of of)
    : QObject(workspace)
    , m_workspace(workspace)
    , m_find(find)
    , m_of(of)
{
    connect(workspace, &Workspace::changed, this, [this] { m_wholeWanted = false; });
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {
        connect(workspace, signal, this, &WantedResults::forget);
    }
    if (of == Of::range) {
        connect(workspace, &Workspace::selectedRangesChanged, this, &WantedResults::forget);
    }
}

void WantedResults::setWanted(const QObject* by, bool wanted)
{
    if (wanted) {
        m_wantedBy.insert(by);
        findAgain();
    } else {
        m_wantedBy.erase(by);
    }
}

void WantedResults::setWholeWanted(bool wanted)
{
    if (wanted != m_wholeWanted) {
        m_wholeWanted = wanted;
        forget();
    }
}

void WantedResults::forget()
{
    m_stale = true;
    const bool had = m_results != Results {};
    m_results = {};
    findAgain();
    if (had) {
        emit changed();
    }
}

void WantedResults::findAgain()
{
    if (!m_stale || m_wantedBy.empty() || m_finding.isRunning()) {
        return;  // the end of those that are being found, or who wants them, comes back here
    }
    m_stale = false;
    m_problem.clear();
    m_ofRange = m_of == Of::range && m_workspace->hasRange();
    constexpr Interval whole {0, std::numeric_limits<Ns>::max()};
    auto ranges = m_ofRange ? m_workspace->selectedRanges() : Workspace::Ranges {whole, whole};
    const bool mayRepeat = m_of == Of::range && !m_ofRange && !m_wholeWanted && m_workspace->count() == 1;
    const auto repeated = mayRepeat ? repeatedPart(*m_workspace->at(0)) : std::nullopt;
    m_ofRepeatedPart = repeated.has_value();
    ranges[0] = repeated.value_or(ranges[0]);
    m_finding.ask(
        [find = m_find, recordings = m_workspace->recordings(), ranges](const std::stop_token& /*it has none*/) {
            Results results;
            for (std::size_t i = 0; i < recordings.size(); ++i) {
                results[i] = recordings[i]->graph ? find(recordings[i], ranges[i]) : nullptr;
            }
            return results;
        },
        [this](Results results) {
            if (m_stale) {
                findAgain();
                return;
            }
            m_results = std::move(results);
            emit changed();
        },
        [this](const QString& problem) {
            if (m_stale) {
                findAgain();
                return;
            }
            m_problem = problem;
            m_stale = true;
            emit changed();
        });
}

}  // namespace lanes::gui
