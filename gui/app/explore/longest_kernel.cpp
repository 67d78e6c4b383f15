// SPDX-License-Identifier: MIT
#include "gui/app/explore/longest_kernel.h"

#include "engine/analysis/waiters.h"
#include "engine/trace/event.h"
#include "gui/panels/details.h"
#include "gui/session/workspace.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <algorithm>

namespace lanes::gui {

Row longestKernel(const Trace& trace, Interval range, Row after)
{
    const OperationTable& operations = trace.operations;
    const auto length = [&](Row row) { return operations.end[row] - operations.start[row]; };
    const auto isBefore = [&](Row a, Row b) { return length(a) != length(b) ? length(a) > length(b) : a < b; };
    Row longest = no_row;
    for (Row row = 0; row < operations.size(); ++row) {
        const bool wanted = operations.kind[row] == OperationKind::kernel && operations.start[row] >= range.start
            && operations.start[row] < range.end && (after == no_row || isBefore(after, row));
        if (wanted && (longest == no_row || isBefore(row, longest))) {
            longest = row;
        }
    }
    return longest;
}

void markWaiters(Workspace& workspace, int side, EventRef operation, const std::vector<EventRef>& waiters)
{
    const Trace& trace = *workspace.at(side)->trace;
    const QString name = nameOf(trace, operation);
    AskedHits hits {LongestKernel::tr("waited for %1").arg(name), {}};
    hits.wanted[static_cast<std::size_t>(side)] = [waiters]() -> EventList::Wanted {
        return [waiters](EventRef each) { return std::binary_search(waiters.begin(), waiters.end(), each, is_before); };
    };
    Interval sight = span_of(trace, operation);
    for (const EventRef& waiter : waiters) {
        const Interval span = span_of(trace, waiter);
        sight = {std::min(sight.start, span.start), std::max(sight.end, span.end)};
    }
    hits.sight = {side, sight};
    workspace.mark(hits);
}

LongestKernel::LongestKernel(Workspace* workspace, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
{
}

void LongestKernel::addCommands(CommandTable& table)
{
    table.add(
        {"go.longest", tr("Lon&gest kernel"), tr("Selects the longest kernel of the scope; again: the next longest"),
            Menu::go, "L", [this] { return m_workspace->count() > 0; }, [this] { selectNext(); }});
    table.add({"go.waiters", tr("W&hat waited for it"),
        tr("Marks the calls and operations that waited for the selected operation; F3 goes to the next"), Menu::go,
        "Shift+L", [this] { return hasOperation(); }, [this] { markOfSelected(); }});
}

void LongestKernel::selectNext()
{
    const int side = m_workspace->active();
    const OpenRecordingPtr recording = m_workspace->at(side);
    const Trace& trace = *recording->trace;
    const Scope scope = m_workspace->scope();
    const TimelinePair& pair = *m_workspace->pair();
    const bool alone = pair.areIterationsAlone();  // then it is in sight
    const Interval range = alone     ? (*pair.iterations())[static_cast<std::size_t>(side)]->span
        : scope.of == Scope::Of::all ? Interval {0, trace.duration + 1}
                                     : scope.ranges[static_cast<std::size_t>(side)];
    const auto [selectedSide, event] = m_workspace->selection();
    const bool follows = selectedSide == side && event.table == EventTable::operations
        && trace.operations.kind[event.row] == OperationKind::kernel;
    Row row = longestKernel(trace, range, follows ? event.row : no_row);
    row = row == no_row ? longestKernel(trace, range) : row;  // after the shortest one the longest again
    if (row != no_row) {
        const ItemRef kernel(EventRef {EventTable::operations, row});
        if (!alone) {
            m_workspace->jump(side, kernel);
        }
        m_workspace->pair()->side(side).pick(kernel);
    }
}

bool LongestKernel::hasOperation() const
{
    const auto [side, event] = m_workspace->selection();
    return event && event.table == EventTable::operations;
}

void LongestKernel::markOfSelected()
{
    const auto [side, event] = m_workspace->selection();
    markWaiters(*m_workspace, side, event, waiters_of(*m_workspace->at(side), event.row));
}

}  // namespace lanes::gui
