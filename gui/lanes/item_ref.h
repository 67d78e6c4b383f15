// SPDX-License-Identifier: MIT
// What lanes are made of: the events of a recording, and what was computed from them and is drawn as they are.
#pragma once

#include "engine/analysis/recording.h"
#include "engine/trace/event_ref.h"

#include <optional>
#include <vector>

namespace lanes::gui {

/// What an item is: an event, in the order of EventTable, or a blocked stretch, or a stretch of the overlap ribbon or
/// of the band under it, or of a GPU's time.
enum class ItemKind : std::uint8_t { none, operation, call, range, hostSpan, read, blocked, overlap, band, gpuTime };
static_assert(static_cast<int>(ItemKind::read) == static_cast<int>(EventTable::reads));

/// Whether an item can be named: no stretch of the ribbon or its band.
constexpr bool isEventOrPart(ItemKind kind)
{
    return kind != ItemKind::none && kind <= ItemKind::blocked;
}

/// A row of the event's table; of Blocking::calls; of the ribbon's own intervals.
struct ItemRef {
    ItemKind kind = ItemKind::none;
    Row row = no_row;

    ItemRef() = default;
    ItemRef(ItemKind kind_, Row row_)
        : kind(kind_)
        , row(row_)
    {
    }
    ItemRef(EventRef event)
        : kind(static_cast<ItemKind>(event.table))
        , row(event.row)
    {
    }  // NOLINT: an event is an item
    ItemRef(LinkEnd end)  // NOLINT: so is where a link ends
        : ItemRef(end.stretch == no_row ? ItemRef(end.event) : ItemRef(ItemKind::blocked, end.stretch))
    {
    }

    explicit operator bool() const { return kind != ItemKind::none; }
    friend bool operator==(const ItemRef&, const ItemRef&) = default;
};

/// The table that items of a kind are rows of; none of what is no event.
constexpr EventTable tableOf(ItemKind kind)
{
    return kind <= ItemKind::read ? static_cast<EventTable>(kind) : EventTable::none;
}
/// The event that an item is or is a part of: of a blocked stretch its API call; none of the overlap ribbon.
EventRef eventOf(const Recording& recording, ItemRef item);
/// From when to when it lasts; nothing of the overlap ribbon.
Interval spanOf(const Recording& recording, ItemRef item);

/// What belongs together with an item (see engine/analysis/graph/links.h), and one step back or on along what waited
/// for what (see engine/analysis/graph/path.h).
std::vector<Link> linksOf(const Recording& recording, ItemRef item, std::size_t most = 64);
ItemRef causeOf(const Recording& recording, ItemRef item);
ItemRef effectOf(const Recording& recording, ItemRef item);

/// What went on because an operation ended: operations that began, blocked stretches that ended. First what is on other
/// streams or threads, then what came next on its own; both by time. Cost: log n, and that of sorting them.
std::vector<ItemRef> waitersOf(const Recording& recording, Row operation);
/// From an item to the first that waited for it, or that it issued; nothing where the recording knows none.
std::optional<Link> linkToWaiter(const Recording& recording, ItemRef item);

}  // namespace lanes::gui
