// SPDX-License-Identifier: MIT
#include "gui/panels/what_if/what_if_scopes.h"

#include "engine/trace/event.h"
#include "gui/paint/words/printable_text.h"
#include "gui/panels/details.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/session/format.h"
#include "gui/session/span_text.h"
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

std::vector<WhatIfScope> whatIfScopes(const OpenRecording& recording, EventRef selected, Interval range)
{
    std::vector<WhatIfScope> scopes {{WhatIfPanel::tr("All of the recording"), {}}};
    const auto addPart = [&scopes](const QString& title, Interval part) {
        const auto [from, to] = endTexts(part);
        scopes.push_back({title.arg(from, to), text(replay::query_of(part).text()), part});
    };
    if (const auto repeated = repeatedPart(recording)) {
        addPart(WhatIfPanel::tr("The part that repeats, %1 to %2"), *repeated);
    }
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
        scopes.push_back({WhatIfPanel::tr("All “%1”").arg(shortened(name, most_letters)),
            QStringLiteral("name:\"%1\"")
                .arg(text(trace.text(name_of(trace, event))).section(QLatin1Char('"'), 0, 0).left(200))});
        scopes.push_back({laneText(trace, event), in});
    }
    if (range.end > range.start) {
        addPart(WhatIfPanel::tr("The selected range, %1 to %2"), range);
    }
    return scopes;
}

}  // namespace lanes::gui
