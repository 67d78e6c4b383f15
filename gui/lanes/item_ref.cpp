// SPDX-License-Identifier: MIT
#include "gui/lanes/item_ref.h"

#include "engine/analysis/graph/path.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <iterator>
#include <tuple>

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

std::vector<ItemRef> waitersOf(const Recording& recording, Row operation)
{
    const OperationTable& table = recording.trace->operations;
    using Waiter = std::tuple<bool, Ns, ItemRef>;  // on its own stream, when it went on
    std::vector<Waiter> found;
    if (recording.graph) {
        for (const Row next : recording.graph->let_begin(operation)) {
            found.emplace_back(table.stream[next] == table.stream[operation], table.start[next],
                EventRef {EventTable::operations, next});
        }
    }
    const EventRef event {EventTable::operations, operation};
    for (const Link& link : recording.links->of(LinkEnd(event))) {
        if (link.kind == Link::Kind::release && link.from.event == event && link.to.stretch != no_row) {
            found.emplace_back(false, recording.blocking->calls[link.to.stretch].end, link.to);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const Waiter& a, const Waiter& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    std::vector<ItemRef> items;
    std::transform(found.begin(), found.end(), std::back_inserter(items),
        [](const Waiter& waiter) { return std::get<2>(waiter); });
    return items;
}

std::optional<Link> linkToWaiter(const Recording& recording, ItemRef item)
{
    ItemRef to;
    if (item.kind == ItemKind::operation) {
        const std::vector<ItemRef> waiters = waitersOf(recording, item.row);
        to = waiters.empty() ? to : waiters.front();
    } else if (item.kind != ItemKind::none) {
        to = effectOf(recording, item);
    }
    if (!to) {
        return {};
    }
    const Link::Kind kind = to.kind == ItemKind::blocked ? Link::Kind::release
        : item.kind == ItemKind::operation               ? Link::Kind::event
                                                         : Link::Kind::issue;
    return Link {kind, endOf(recording, item), endOf(recording, to)};
}

}  // namespace lanes::gui
