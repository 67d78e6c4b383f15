// SPDX-License-Identifier: MIT
#include "gui/timeline/item_links.h"

#include "engine/analysis/call_class.h"

#include <algorithm>
#include <unordered_map>

namespace lanes::gui {

namespace {

std::uint64_t key(std::uint32_t process, std::uint32_t id)
{
    return std::uint64_t {process} << 32U | id;
}

/// When an operation was submitted: at the start of the call that issued it, at its own where no call is known.
Ns submitted(const Trace& trace, Row operation)
{
    const Row call = outermost(trace.calls, trace.operations.call[operation]);
    return call == no_row ? trace.operations.start[operation] : trace.calls.start[call];
}

/// The first operation of a stream that was submitted at `time` or later; the span's end if there is none.
Row firstSubmitted(const Trace& trace, Row stream, Ns time)
{
    RowSpan rows = trace.operations_of(stream);
    while (!rows.empty()) {  // a stream works in the order of submission
        const Row middle = rows.begin + static_cast<Row>(rows.size() / 2);
        (submitted(trace, middle) < time ? rows.begin : rows.end)
            = submitted(trace, middle) < time ? middle + 1 : middle;
    }
    return rows.begin;
}

ItemRef callItem(Row call)
{
    return call == no_row ? ItemRef {} : ItemRef {ItemKind::call, call};
}

ItemRef operationItem(Row operation)
{
    return operation == no_row ? ItemRef {} : ItemRef {ItemKind::operation, operation};
}

}  // namespace

ItemLinks::ItemLinks(const Trace& trace, const Blocking& blocking)
    : m_trace(&trace)
    , m_blocking(&blocking)
    , m_firstOperation(trace.calls.size(), no_row)
{
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const Row call = outermost(trace.calls, trace.operations.call[row]);
        if (call != no_row
            && (m_firstOperation[call] == no_row
                || trace.operations.start[row] < trace.operations.start[m_firstOperation[call]])) {
            m_firstOperation[call] = row;
        }
    }
    for (Row i = 0; i < blocking.calls.size(); ++i) {
        if (blocking.calls[i].released_by != no_row) {
            m_released.emplace_back(blocking.calls[i].released_by, i);
        }
        m_blockedCalls.emplace_back(blocking.calls[i].call, i);
    }
    std::sort(m_released.begin(), m_released.end());
    std::sort(m_blockedCalls.begin(), m_blockedCalls.end());
    linkEvents(trace);
    m_byRecord = orderedBy(&EventWait::record_call);
    m_byWait = orderedBy(&EventWait::wait_call);
    m_byBefore = orderedBy(&EventWait::before);
    m_byBehind = orderedBy(&EventWait::behind);
}

/// A wait is for the very record that it names, else for the latest record of its event before it.
void ItemLinks::linkEvents(const Trace& trace)
{
    std::unordered_map<std::uint64_t, std::uint32_t> bySync;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> byId;  // in the order of time
    for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
        const Event& event = trace.events[i];
        if (event.stream == no_row) {
            continue;
        }
        const std::uint32_t process = trace.streams[event.stream].process;
        if (event.event_sync != 0) {
            bySync.try_emplace(key(process, event.event_sync), i);
        }
        byId[key(process, event.event_id)].push_back(i);
    }
    for (const Sync& sync : trace.syncs) {
        const bool onStream = sync.type == SyncRecord::stream_wait_event;
        if (!onStream && sync.type != SyncRecord::event) {
            continue;
        }
        const Row call = outermost(trace.calls, sync.call);
        const Ns time = call == no_row ? sync.start : trace.calls.start[call];
        const Event* record = nullptr;
        if (const auto found = bySync.find(key(sync.process, sync.event_sync));
            sync.event_sync != 0 && found != bySync.end()) {
            record = &trace.events[found->second];
        } else if (const auto known = byId.find(key(sync.process, sync.event_id)); known != byId.end()) {
            const auto behind = std::partition_point(known->second.begin(), known->second.end(),
                [&](std::uint32_t i) { return trace.events[i].time <= time; });
            record = behind == known->second.begin() ? nullptr : &trace.events[*(behind - 1)];
        }
        if (record == nullptr) {
            continue;
        }
        EventWait wait {outermost(trace.calls, record->call), call, no_row, no_row};
        const Row behindRecord = firstSubmitted(trace, record->stream, record->time);
        if (behindRecord > trace.operations_of(record->stream).begin) {
            wait.before = behindRecord - 1;
        }
        if (onStream && sync.stream != no_row && sync.stream != record->stream) {
            if (const Row behind = firstSubmitted(trace, sync.stream, time);
                behind < trace.operations_of(sync.stream).end) {
                wait.behind = behind;
            }
        }
        m_events.push_back(wait);
    }
}

template <class Field> std::vector<std::uint32_t> ItemLinks::orderedBy(Field field) const
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < m_events.size(); ++i) {
        if (m_events[i].*field != no_row) {
            order.push_back(i);
        }
    }
    std::stable_sort(order.begin(), order.end(),
        [&](std::uint32_t a, std::uint32_t b) { return m_events[a].*field < m_events[b].*field; });
    return order;
}

template <class Field, class Found>
void ItemLinks::eachWith(const std::vector<std::uint32_t>& order, Field field, Row value, Found found) const
{
    auto at
        = std::partition_point(order.begin(), order.end(), [&](std::uint32_t i) { return m_events[i].*field < value; });
    for (; at != order.end() && m_events[*at].*field == value; ++at) {
        if (!found(m_events[*at])) {
            return;
        }
    }
}

ItemRef ItemLinks::blockedOf(Row call) const
{
    const auto found = std::lower_bound(m_blockedCalls.begin(), m_blockedCalls.end(), std::pair<Row, Row>(call, 0));
    return found != m_blockedCalls.end() && found->first == call ? ItemRef {ItemKind::blocked, found->second}
                                                                 : ItemRef {};
}

std::vector<ItemLink> ItemLinks::of(ItemRef item, std::size_t most) const
{
    using Kind = ItemLink::Kind;
    std::vector<ItemLink> links;
    const auto add = [&](Kind kind, ItemRef from, ItemRef to) {
        const ItemLink link {kind, from, to};
        if (from && to && links.size() < most && std::find(links.begin(), links.end(), link) == links.end()) {
            links.push_back(link);
        }
        return links.size() < most;
    };
    if (m_trace == nullptr) {
        return links;
    }
    if (item.kind == ItemKind::operation) {
        add(Kind::issue, callItem(outermost(m_trace->calls, m_trace->operations.call[item.row])), item);
        for (auto at = std::lower_bound(m_released.begin(), m_released.end(), std::pair<Row, Row>(item.row, 0));
             at != m_released.end() && at->first == item.row; ++at) {
            if (!add(Kind::release, item, {ItemKind::blocked, at->second})) {
                break;
            }
        }
        eachWith(m_byBefore, &EventWait::before, item.row,
            [&](const EventWait& wait) { return add(Kind::event, item, operationItem(wait.behind)); });
        eachWith(m_byBehind, &EventWait::behind, item.row,
            [&](const EventWait& wait) { return add(Kind::event, operationItem(wait.before), item); });
        return links;
    }
    if (item.kind != ItemKind::call && item.kind != ItemKind::blocked) {
        return links;
    }
    const Row call = item.kind == ItemKind::call ? item.row : m_blocking->calls[item.row].call;
    if (const ItemRef held = item.kind == ItemKind::blocked ? item : blockedOf(call)) {
        add(Kind::release, operationItem(m_blocking->calls[held.row].released_by), held);
    }
    add(Kind::issue, item, operationItem(m_firstOperation[call]));
    eachWith(m_byRecord, &EventWait::record_call, call,
        [&](const EventWait& wait) { return add(Kind::event, item, callItem(wait.wait_call)); });
    eachWith(m_byWait, &EventWait::wait_call, call,
        [&](const EventWait& wait) { return add(Kind::event, callItem(wait.record_call), item); });
    return links;
}

ItemRef ItemLinks::causeOf(ItemRef item) const
{
    if (m_trace == nullptr) {
        return {};
    }
    if (item.kind == ItemKind::operation) {
        return callItem(outermost(m_trace->calls, m_trace->operations.call[item.row]));
    }
    if (item.kind == ItemKind::blocked) {
        return operationItem(m_blocking->calls[item.row].released_by);
    }
    ItemRef cause;
    if (item.kind == ItemKind::call) {
        eachWith(m_byWait, &EventWait::wait_call, item.row,
            [&](const EventWait& wait) { return !(cause = callItem(wait.record_call)); });
        if (!cause) {
            eachWith(m_byRecord, &EventWait::record_call, item.row,
                [&](const EventWait& wait) { return !(cause = operationItem(wait.before)); });
        }
        if (const ItemRef held = cause ? ItemRef {} : blockedOf(item.row)) {
            cause = causeOf(held);
        }
    }
    return cause;
}

ItemRef ItemLinks::effectOf(ItemRef item) const
{
    if (m_trace == nullptr) {
        return {};
    }
    ItemRef effect;
    if (item.kind == ItemKind::operation) {
        const auto found = std::lower_bound(m_released.begin(), m_released.end(), std::pair<Row, Row>(item.row, 0));
        if (found != m_released.end() && found->first == item.row) {
            return {ItemKind::blocked, found->second};
        }
        eachWith(m_byBefore, &EventWait::before, item.row,
            [&](const EventWait& wait) { return !(effect = operationItem(wait.behind)); });
        return effect;
    }
    if (item.kind != ItemKind::call && item.kind != ItemKind::blocked) {
        return {};
    }
    const Row call = item.kind == ItemKind::call ? item.row : m_blocking->calls[item.row].call;
    effect = operationItem(m_firstOperation[call]);
    if (!effect) {
        eachWith(m_byRecord, &EventWait::record_call, call,
            [&](const EventWait& wait) { return !(effect = callItem(wait.wait_call)); });
    }
    if (!effect) {
        eachWith(m_byWait, &EventWait::wait_call, call,
            [&](const EventWait& wait) { return !(effect = operationItem(wait.behind)); });
    }
    return effect;
}

}  // namespace lanes::gui
