// SPDX-License-Identifier: MIT
#include "gui/lanes/item_ref.h"

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

Row callOf(const Recording& recording, ItemRef item)
{
    return call_of(*recording.trace, eventOf(recording, item));
}

std::vector<Link> linksOf(const Recording& recording, ItemRef item, std::size_t most)
{
    return recording.links->of(endOf(recording, item), most);
}

ItemRef causeOf(const Recording& recording, ItemRef item)
{
    return recording.links->cause_of(endOf(recording, item));
}

ItemRef effectOf(const Recording& recording, ItemRef item)
{
    return recording.links->effect_of(endOf(recording, item));
}

}  // namespace lanes::gui
