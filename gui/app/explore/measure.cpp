// SPDX-License-Identifier: MIT
#include "gui/app/explore/measure.h"

#include "engine/trace/event.h"
#include "gui/panels/details.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <algorithm>

namespace lanes::gui {

Measure::Measure(Workspace* workspace, ComparisonView* timeline)
    : QObject(timeline)
    , m_workspace(workspace)
    , m_timeline(timeline)
{
    connect(workspace, &Workspace::selectionChanged, this, &Measure::selected);
    connect(workspace, &Workspace::changed, this, [this] { setOn(false); });
    for (const int side : {0, 1}) {
        connect(&timeline->side(side), &Timeline::cleared, this, [this] { setOn(false); });
    }
}

void Measure::addCommands(CommandTable& table)
{
    table.add({"edit.measure", tr("Meas&ure from here"),
        tr("Selects the time from the selected event to the next one you click; again: cancels"), Menu::edit, "Ctrl+M",
        [w = m_workspace] { return w->count() > 0; }, [this] { setOn(!m_on); }, [this] { return m_on; }});
}

void Measure::setOn(bool on)
{
    if (on == m_on) {
        return;
    }
    if (!on) {
        end();
        return;
    }
    m_on = true;
    m_from.reset();
    m_first = {};
    if (const auto [side, event] = m_workspace->selection(); event) {
        take(side, event);
    } else {
        emit hintChanged(tr("Measure: click the first event"));
    }
}

void Measure::end()
{
    m_on = false;
    emit hintChanged({});
}

void Measure::selected()
{
    const auto [side, event] = m_workspace->selection();
    if (m_on && event && std::pair(side, event) != m_first) {
        take(side, event);
    }
}

void Measure::take(int side, EventRef event)
{
    const Trace& trace = *m_workspace->at(side)->trace;
    const Interval own = span_of(trace, event);
    const Interval span = side == 0 ? own : m_timeline->pair().alignment().across(own, 1);
    if (!m_from) {
        m_from = span;
        m_first = {side, event};
        emit hintChanged(tr("Measure from %1: click the last event").arg(nameOf(trace, event)));
        return;
    }
    end();
    m_timeline->side(0).selectRange(Interval {std::min(m_from->start, span.start), std::max(m_from->end, span.end)});
}

}  // namespace lanes::gui
