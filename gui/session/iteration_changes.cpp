// SPDX-License-Identifier: MIT
#include "gui/session/iteration_changes.h"

#include "gui/session/critical_paths.h"
#include "gui/session/predicted_changes.h"
#include "gui/session/workspace.h"

#include <algorithm>
#include <utility>

namespace lanes::gui {

namespace {

/// A lesson's recordings are looked at as a whole: its steps lead from the start to the end.
bool isOfPrograms(const std::vector<OpenRecordingPtr>& open)
{
    return !open.empty() && std::all_of(open.begin(), open.end(), [](const OpenRecordingPtr& each) {
        return each->graph && each->ranges && each->workload == nullptr;
    });
}

bool hasPrediction(const std::vector<OpenRecordingPtr>& open)
{
    return std::any_of(open.begin(), open.end(), [](const auto& each) { return isPredicted(*each->trace); });
}

}  // namespace

std::shared_ptr<const Waterfall> waterfallOf(const ShownRecording& a, const Iterations& ofA, const ShownRecording& b,
    const Iterations& ofB, std::array<std::size_t, 2> at)
{
    const auto parts = iterations_to_compare(ofA, at[0], ofB, at[1]);
    if (!parts) {
        return nullptr;
    }
    auto changes = changes_between({*a.graph, a.ranges->bounds(), parts->a}, {*b.graph, b.ranges->bounds(), parts->b});
    std::erase_if(changes, [](const CauseOfChange& change) { return change.kind != CauseOfChange::waterfall; });
    return std::make_shared<const Waterfall>(
        Waterfall {*parts, std::move(changes), {shownIteration(ofA, at[0]), shownIteration(ofB, at[1])}});
}

IterationChanges::IterationChanges(Workspace* workspace)
    : QObject(workspace)
    , m_workspace(workspace)
    , m_iterations(new FoundIterations(workspace))
{
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {
        connect(workspace, signal, this, &IterationChanges::startAnew);
    }
    connect(m_iterations, &FoundIterations::changed, this, [this] {
        emit barsChanged();
        if (!m_found && !m_finding.isPending()) {
            compareUnasked();
        }
    });
    connect(workspace, &Workspace::selectedRangesChanged, this, &IterationChanges::barsChanged);
    startAnew();
}

void IterationChanges::startAnew()
{
    m_finding.cancel();
    if (std::exchange(m_found, nullptr)) {
        emit changed();
    }
    m_iterations->setWanted(this, isOfPrograms(m_workspace->recordings()));
    emit barsChanged();
    compareUnasked();
}

void IterationChanges::compareUnasked()
{
    if (!hasPrediction(m_workspace->recordings())) {
        showTypical();
    }
}

bool IterationChanges::canCompare() const
{
    const auto& open = m_workspace->recordings();
    return m_found || (hasPrediction(open) && isOfPrograms(open) && m_iterations->at(0) && m_iterations->at(1));
}

void IterationChanges::showTypical()
{
    const auto a = m_iterations->at(0), b = m_iterations->at(1);
    if (a && b) {
        compare({a->typical, b->typical});
    }
}

void IterationChanges::show(int side, std::size_t index)
{
    const auto of = m_iterations->at(side);
    if (!of || index >= of->all.size()) {
        return;
    }
    if (!m_found) {
        m_workspace->showRange(side, of->all[index].span);
        return;
    }
    std::array<std::size_t, 2> chosen {m_found->parts.number_a - 1, m_found->parts.number_b - 1};
    chosen[static_cast<std::size_t>(side)] = index;
    compare(chosen);
}

void IterationChanges::compare(std::array<std::size_t, 2> chosen)
{
    const auto& open = m_workspace->recordings();
    const auto a = m_iterations->at(0), b = m_iterations->at(1);
    if (open.size() != 2 || !isOfPrograms(open) || !a || !b) {
        return;
    }
    m_finding.ask(
        [recordings = std::array {open[0], open[1]}, a, b, chosen](const std::stop_token& /*it has none*/) {
            return waterfallOf(*recordings[0], *a, *recordings[1], *b, chosen);
        },
        [this](std::shared_ptr<const Waterfall> found) {
            m_found = std::move(found);
            emit changed();
            emit barsChanged();
        },
        [](const QString& /*problem*/) {});
}

IterationBars IterationChanges::bars() const
{
    IterationBars bars;
    const auto& open = m_workspace->recordings();
    if (!isOfPrograms(open)) {
        return bars;
    }
    bars.isPair = open.size() > 1;
    for (std::size_t side = 0; side < open.size(); ++side) {
        auto& of = bars.sides[side];
        of.recording = open[side];
        of.iterations = m_iterations->at(static_cast<int>(side));
        if (!of.iterations) {
            continue;
        }
        if (m_found) {
            of.shown = (side == 0 ? m_found->parts.number_a : m_found->parts.number_b) - 1;
        } else if (m_workspace->hasRange()) {
            const Interval range = m_workspace->selectedRanges()[side];
            const auto& all = of.iterations->all;
            const auto at
                = std::find_if(all.begin(), all.end(), [&](const Iteration& each) { return each.span == range; });
            of.shown = at == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - all.begin()));
        }
    }
    return bars;
}

}  // namespace lanes::gui
