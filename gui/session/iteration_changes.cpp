// SPDX-License-Identifier: MIT
#include "gui/session/iteration_changes.h"

#include "gui/session/workspace.h"

#include <algorithm>
#include <utility>

namespace lanes::gui {

namespace {

std::shared_ptr<const Waterfall> waterfallOf(const OpenRecording& a, const OpenRecording& b)
{
    const auto parts = parts_to_compare(*a.graph, a.ranges->bounds(), *b.graph, b.ranges->bounds());
    if (!parts.iterations) {
        return nullptr;
    }
    auto changes = changes_between({*a.graph, a.ranges->bounds(), parts.a}, {*b.graph, b.ranges->bounds(), parts.b});
    std::erase_if(changes, [](const CauseOfChange& change) { return change.kind != CauseOfChange::waterfall; });
    return std::make_shared<const Waterfall>(Waterfall {parts, std::move(changes)});
}

}  // namespace

IterationChanges::IterationChanges(Workspace* workspace)
    : QObject(workspace)
    , m_workspace(workspace)
{
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {
        connect(workspace, signal, this, &IterationChanges::findAgain);
    }
    findAgain();
}

void IterationChanges::findAgain()
{
    const auto& open = m_workspace->recordings();
    // A lesson's recordings are compared as a whole: its steps lead from the start to the end.
    const bool repeat = open.size() == 2 && std::all_of(open.begin(), open.end(), [](const OpenRecordingPtr& each) {
        return each->graph && each->ranges && each->workload == nullptr;
    });
    if (std::exchange(m_found, nullptr)) {
        emit changed();
    }
    if (!repeat) {
        m_finding.cancel();
        return;
    }
    m_finding.ask([a = open[0], b = open[1]](const std::stop_token& /*it has none*/) { return waterfallOf(*a, *b); },
        [this](std::shared_ptr<const Waterfall> found) {
            m_found = std::move(found);
            emit changed();
        },
        [](const QString& /*problem*/) {});
}

}  // namespace lanes::gui
