// SPDX-License-Identifier: MIT
#include "gui/panels/what_if/what_if_scopes.h"

#include "engine/analysis/query/query.h"
#include "engine/trace/event.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/scope_text.h"
#include "gui/panels/details.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/session/format.h"
#include "gui/session/what_ifs.h"

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int most_letters = 32;  // of a name

/// What a call issued; itself where it is no call, or issued nothing.
EventRef issued(const Trace& trace, EventRef event)
{
    if (event.table != EventTable::calls) {
        return event;
    }
    const auto& calls = trace.operations.call;
    const auto found = std::find(calls.begin(), calls.end(), event.row);
    return found == calls.end() ? event : EventRef {EventTable::operations, static_cast<Row>(found - calls.begin())};
}

}  // namespace

std::vector<WhatIfScope> whatIfScopes(const OpenRecording& recording, EventRef selected, const Scope& scope, int side)
{
    const Interval range = scope.ranges[static_cast<std::size_t>(side)];
    const bool isPart = scope.of != Scope::Of::all && range.end > range.start;
    const QString of = isPart ? text(replay::query_of(range).text()) : QString();
    std::vector<WhatIfScope> scopes {{scopeTextOf(scope, side), of, isPart ? range : Interval {}}};
    const auto addWithin = [&](const QString& title, const QString& query) {
        scopes.push_back({title, QStringLiteral("%1 %2").arg(query, of).trimmed(), scopes.front().part});
    };
    const Trace& trace = *recording.trace;
    const EventRef event = selected ? issued(trace, selected) : EventRef {};
    const bool onGpu = event.table == EventTable::operations;
    if (onGpu || event.table == EventTable::calls) {
        const QString name = nameOf(trace, event);
        const Row lane = lane_of(trace, event);
        const QString in = onGpu ? QStringLiteral("stream:%1").arg(trace.streams[lane].id)
                                 : QStringLiteral("thread:%1").arg(trace.threads[lane].id);
        const Ns start = span_of(trace, event).start;
        scopes.push_back({WhatIfPanel::tr("This “%1” at %2").arg(shortened(name, most_letters), formatTime(start)),
            QStringLiteral("%1 at=%2ns").arg(in).arg(start)});
        addWithin(WhatIfPanel::tr("All “%1”").arg(shortened(name, most_letters)),
            QString::fromStdString(query_of_name(trace.text(name_of(trace, event)))));
        addWithin(laneText(trace, event), in);
    }
    return scopes;
}

WhatIfScope whatIfScopeOfName(const OpenRecording& recording, Row operation, const Scope& scope, int side)
{
    constexpr std::size_t of_name = 2;  // after the window's scope and the event alone
    return whatIfScopes(recording, {EventTable::operations, operation}, scope, side)[of_name];
}

}  // namespace lanes::gui
