// SPDX-License-Identifier: MIT
#include "gui/lanes/item_ref.h"

#include "engine/analysis/graph/path.h"
#include "engine/trace/event.h"

namespace lanes::gui {

namespace {

LinkEnd endOf(const Recording& recording, ItemRef item)
{
    return {eventOf(recording, item), item.kind == ItemKind::blocked ? item.row : no_row};
}

}  // namespace

EventRef eventOf(const Recording& recording, ItemRef item)
{
    if (item.kind == ItemKind::blocked) {
        return {EventTable::calls, recording.blocking->calls[item.row].call};
    }
    const EventTable table = tableOf(item.kind);
    return {table, table == EventTable::none ? no_row : item.row};
}

Interval spanOf(const Recording& recording, ItemRef item)
{
    if (item.kind == ItemKind::blocked) {
        const BlockedCall& stretch = recording.blocking->calls[item.row];
        return {stretch.start, stretch.end};
    }
    return span_of(*recording.trace, eventOf(recording, item));
}

std::vector<Link> linksOf(const Recording& recording, ItemRef item, std::size_t most)
{
    return recording.links->of(endOf(recording, item), most);
}

ItemRef causeOf(const Recording& recording, ItemRef item)
{
    const LinkEnd at = endOf(recording, item);
    // A call that makes a stream wait for an event, or records one, has its own cause.
    const bool isHeld = at.event.table == EventTable::calls && !recording.blocking->of(at.event.row).empty();
    if ((at.event.table == EventTable::calls && !isHeld) || at.event.table == EventTable::ranges) {
        if (const LinkEnd cause = recording.links->cause_of(at)) {
            return cause;
        }
    }
    return recording.graph ? step_back(*recording.graph, at) : recording.links->cause_of(at);
}

ItemRef effectOf(const Recording& recording, ItemRef item)
{
    const LinkEnd at = endOf(recording, item);
    const LinkEnd effect = recording.links->effect_of(at);
    if (!effect && recording.graph && at.event.table == EventTable::operations) {
        const auto next = recording.graph->let_begin(at.event.row);
        return next.empty() ? ItemRef {} : ItemRef(EventRef {EventTable::operations, next.front()});
    }
    return effect;
}

}  // namespace lanes::gui
