// SPDX-License-Identifier: MIT
#include "engine/whatif/apply.h"

#include "engine/analysis/figures/value_copies.h"
#include "engine/analysis/words/shown.h"
#include "engine/whatif/edit.h"

#include <algorithm>
#include <cmath>

namespace lanes::whatif {

/// The next thing of the thread but for looks at its own state; its end if there is none.
std::uint32_t Edit::next(std::uint32_t index) const
{
    const auto end = end_of(m_script.items[index]);
    for (++index; index < end; ++index) {
        const auto& item = m_script.items[index];
        if (!item.dropped && item.type != CallClass::own_state && item.type != CallClass::query) {
            break;
        }
    }
    return index;
}

bool Edit::issues_more(std::uint32_t index) const
{
    for (auto at = index + 1; at < end_of(m_script.items[index]); ++at) {
        if (m_script.items[at].operations > 0 && !m_script.items[at].dropped) {
            return true;
        }
    }
    return false;
}

/// Whether the thread waits for that stream later on.
bool Edit::waits_again(std::uint32_t index, std::uint32_t stream) const
{
    for (auto at = index + 1; at < end_of(m_script.items[index]); ++at) {
        const auto& item = m_script.items[at];
        if (!item.dropped
            && (item.wait == Item::context || (item.wait == Item::stream && item.target == stream)
                || item.wait == Item::event)) {
            return true;
        }
    }
    return false;
}

/// Whether the host reads before it waits again, or most likely does: it waits for a value right behind its copy.
bool Edit::is_read_next(std::uint32_t index) const
{
    const auto& wait = m_script.items[index];
    for (auto at = index; at > m_script.first_item[wait.thread] && is_sync(wait); --at) {
        if (const auto& item = m_script.items[at - 1]; !item.dropped && item.operations > 0) {
            const auto* const copy = copy_of(item);
            if (copy != nullptr && fetches_value(m_trace, copy->row)) {
                return true;
            }
            break;
        }
    }
    for (auto at = index + 1; at < end_of(m_script.items[index]); ++at) {
        const auto& item = m_script.items[at];
        if (item.kind == Item::read && !item.dropped) {
            return true;
        }
        if (!item.dropped && (is_sync(item) || item.wait == Item::own_work)) {
            return false;
        }
    }
    return false;
}

void Edit::drop(std::uint32_t index)
{
    auto& item = m_script.items[index];
    item.dropped = true;
    for (std::uint32_t i = 0; i < item.operations; ++i) {
        m_script.operations[item.first_operation + i].dropped = true;
    }
    if (m_way.keeps_gaps && item.behind == none) {
        if (const auto behind = next(index); behind < end_of(item) && m_script.items[behind].behind == none) {
            m_script.items[behind].gap += item.gap;
        }
    }
    m_applied.drops_calls = true;
}

/// The one copy that an item issued.
const Operation* Edit::copy_of(const Item& item) const
{
    if (item.operations != 1 || item.dropped || item.kind != Item::call) {
        return nullptr;
    }
    const auto& operation = m_script.operations[item.first_operation];
    const bool of_host = operation.kind == OperationKind::h2d || operation.kind == OperationKind::d2h;
    return of_host && !operation.dropped && !operation.of_graph ? &operation : nullptr;
}

Ns Edit::copy_time(std::uint64_t bytes, OperationKind kind) const
{
    const auto& constants = m_script.constants;
    const bool up = kind == OperationKind::h2d;
    const double rate = up ? constants.h2d_rate : constants.d2h_rate;
    return (up ? constants.table.h2d_overhead : constants.table.d2h_overhead)
        + static_cast<Ns>(std::llround(static_cast<double>(bytes) / rate));
}

/// Bytes per ns of pageable uploads; the upper quartile, as the others wait for the host's threads too.
double Edit::staged_rate() const
{
    std::vector<double> rates;
    for (const auto& operation : m_script.operations) {
        if (operation.kind == OperationKind::h2d && operation.pageable && operation.length > 0) {
            rates.push_back(
                static_cast<double>(m_trace.bytes_of(operation.row)) / static_cast<double>(operation.length));
        }
    }
    if (rates.empty()) {
        return m_script.constants.table.host_memcpy_bandwidth * 1e-9;
    }
    const auto upper = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() * 3 / 4);
    std::nth_element(rates.begin(), upper, rates.end());
    return *upper;
}

/// What a thread uploads and had got from another one is copied into pinned memory by a third, as a loader does. The
/// driver's copy of pageable memory, which that replaces, took the host as long. False: it got nothing.
bool Edit::serve(std::uint32_t index, Ns length)
{
    const auto first = m_script.first_item[m_script.items[index].thread];
    for (auto at = index; at > first; --at) {
        auto& item = m_script.items[at - 1];
        if (item.kind == Item::get && !item.dropped) {
            item.service += length;
            return true;
        }
        if (item.operations > 0) {
            return false;
        }
    }
    return false;
}

void Edit::pin()
{
    std::uint64_t bytes = 0;
    std::uint64_t served = 0;
    std::uint32_t first = none;  // that no other thread copies
    const double staged = staged_rate();
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        auto& item = m_script.items[index];
        const auto* const copy = copy_of(item);
        if (copy == nullptr || !copy->pageable || !m_on.operation(copy->row)) {
            continue;
        }
        auto& operation = m_script.operations[item.first_operation];
        const auto staging
            = static_cast<Ns>(std::llround(static_cast<double>(m_trace.bytes_of(operation.row)) / staged));
        const bool is_served = operation.kind == OperationKind::h2d && serve(index, staging);
        served += is_served ? 1 : 0;
        first = first == none && !is_served ? index : first;
        operation.pageable = false;
        operation.is_pinned_now = true;
        operation.length = std::min(operation.length, copy_time(m_trace.bytes_of(operation.row), operation.kind));
        operation.bound = StartCause::unknown;
        item.held = false;
        if (m_trace.copies[m_trace.operations.detail[operation.row]].async) {
            item.wait = Item::nothing;
        }
        item.own = std::min(item.end - item.start, m_script.constants.copy_call);
        bytes = std::max(bytes, m_trace.bytes_of(operation.row));
        ++m_applied.count;
    }
    if (served > 0) {
        assume("pinned_by_thread", {{"count", std::to_string(served)}});
    }
    if (m_applied.count > served) {
        const auto once = static_cast<Ns>(static_cast<double>(bytes) / m_script.constants.table.pin_bandwidth * 1e9);
        if (add_assumption("pinned_before", {{"time", shown_time(once)}, {"bytes", shown_bytes(bytes)}})) {
            m_script.items[first].own += once;  // then in the run, before it is needed
        }
    }
}

void Edit::non_blocking()
{
    bool results = false;
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        auto& item = m_script.items[index];
        const auto* const copy = copy_of(item);
        if (copy == nullptr || !m_on.operation(copy->row)) {
            continue;
        }
        const auto behind = next(index);
        const bool is_down = copy->kind == OperationKind::d2h;
        const bool waited = behind < end_of(item) && is_sync(m_script.items[behind])
            && m_script.items[behind].wait == Item::stream && m_script.items[behind].target == copy->stream;
        if (waited && (!is_down || waits_again(behind, copy->stream))) {
            m_applied.old_bytes += is_down && is_read_next(behind) ? 1 : 0;
            results = results || is_down;
            drop(behind);
            ++m_applied.count;
        } else if (item.type == CallClass::copy && !copy->pageable && (!is_down || waits_again(index, copy->stream))) {
            m_applied.old_bytes += is_down && (is_read_next(index) || fetches_value(m_trace, copy->row)) ? 1 : 0;
            results = results || is_down;
            item.wait = Item::nothing;
            item.own = std::min(item.end - item.start, m_script.constants.copy_call);
            ++m_applied.count;
        }
    }
    if (m_applied.count > 0) {
        assume(results ? "no_read_before_sync" : "source_unchanged");
    }
}

void Edit::event_waits()
{
    const auto& table = m_script.constants.table;
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        auto& item = m_script.items[index];
        if ((!is_sync(item) && !is_spin(item)) || !m_on.call(item.row) || !issues_more(index)) {
            continue;
        }
        m_applied.old_bytes += is_read_next(index) ? 1 : 0;
        item.ordered = item.wait;
        item.wait = Item::order;
        item.own = table.event_record_call + table.stream_wait_call;
        item.held = false;
        ++m_applied.count;
    }
    if (m_applied.count > 0) {
        assume("gpu_order_is_enough");
    }
}

void Edit::drop_syncs()
{
    std::uint64_t number = 0;
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        const auto& item = m_script.items[index];
        if (!is_sync(item) || !m_on.call(item.row) || !issues_more(index) || stays(number++)) {
            continue;
        }
        m_applied.old_bytes += is_read_next(index) ? 1 : 0;
        drop(index);
        ++m_applied.count;
    }
    m_applied.reliability = Reliability::good;
    if (m_applied.count > 0) {
        assume("sync_is_needless");
    }
}

/// A small copy to the host, the wait behind it and the reads of its value are one.
void Edit::drop_values()
{
    std::uint64_t number = 0;
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        const auto& item = m_script.items[index];
        const auto* const copy = copy_of(item);
        if (copy == nullptr || !fetches_value(m_trace, copy->row) || !m_on.operation(copy->row)
            || !issues_more(index)) {
            continue;
        }
        const auto wait = next(index);
        const bool has_wait = wait < end_of(item) && is_sync(m_script.items[wait]);
        if ((!has_wait && item.wait != Item::own_work) || stays(number++)) {
            continue;
        }
        auto last = has_wait ? wait : index;
        while (last + 1 < end_of(item) && m_script.items[last + 1].kind == Item::read) {
            ++last;
        }
        for (auto at = index; at <= last; ++at) {  // with what looks at the thread's state between them
            if (!m_script.items[at].dropped) {
                drop(at);
            }
        }
        ++m_applied.count;
    }
    m_applied.reliability = Reliability::good;
    if (m_applied.count > 0) {
        assume("value_is_needless");
    }
}

void Edit::leave_legacy()
{
    if (!m_script.legacy_order) {
        return;
    }
    for (const auto& context : m_script.contexts) {
        const auto has_work = [&](std::uint32_t stream) {
            const auto row = m_script.streams[stream].row;
            return row != no_row && !m_trace.operations_of(row).empty();
        };
        if (std::any_of(context.blocking.begin(), context.blocking.end(), has_work)) {
            for (const auto stream : context.legacy) {
                m_applied.count += has_work(stream) ? m_trace.operations_of(m_script.streams[stream].row).size() : 0;
            }
        }
    }
    if (m_applied.count > 0) {
        m_script.legacy_order = false;
        assume("no_hidden_order");
    }
}

void Edit::pool()
{
    const auto& table = m_script.constants.table;
    const bool is_empty = is_lifted("pool-has-room");
    bool has_freed = false;
    for (auto& item : m_script.items) {
        if (item.kind != Item::call || item.type != CallClass::memory || item.dropped || !m_on.call(item.row)) {
            continue;
        }
        const auto name = m_trace.text(m_trace.calls.name[item.row]);
        const bool allocates = name == "cudaMalloc" || name == "cuMemAlloc" || name == "hipMalloc";
        const bool frees = name == "cudaFree" || name == "cuMemFree" || name == "hipFree";
        has_freed = has_freed || frees;
        if ((!allocates && !frees) || (is_empty && !has_freed)) {
            continue;  // an empty pool allocates until something comes back
        }
        item.wait = Item::nothing;
        item.held = false;
        item.own = std::min(item.end - item.start, allocates ? table.pool_alloc_call : table.pool_free_call);
        ++m_applied.count;
    }
    if (m_applied.count > 0) {
        add_assumption("pool_has_room", {});
    }
}

void Edit::faster()
{
    if (m_change.amount <= 0) {
        return;
    }
    for (auto& operation : operations()) {
        if (operation.kind == OperationKind::kernel && operation.gang == none && !operation.dropped
            && m_on.operation(operation.row)) {
            operation.length = static_cast<Ns>(std::llround(static_cast<double>(operation.length) / m_change.amount));
            ++m_applied.count;
        }
    }
    // Of all kernels it is another GPU, of which nobody knows what else it does better.
    m_applied.reliability = m_change.on.empty() ? Reliability::bound : Reliability::good;
    if (m_applied.count > 0) {
        assume("same_share");
    }
}

/// Copies of pageable memory are left as they are: they wait for the host.
void Edit::faster_link()
{
    if (m_change.amount <= 0) {
        return;
    }
    for (auto& operation : operations()) {
        const bool is_copy = operation.kind == OperationKind::h2d || operation.kind == OperationKind::d2h;
        if (is_copy && !operation.pageable && !operation.dropped && m_on.operation(operation.row)) {
            operation.length = static_cast<Ns>(std::llround(static_cast<double>(operation.length) / m_change.amount));
            ++m_applied.count;
        }
    }
    m_applied.reliability = Reliability::bound;
    if (m_applied.count > 0) {
        assume("link_alone");
    }
}

Applied Edit::run()
{
    switch (m_change.kind) {
    case ChangeKind::pin:
        pin();
        break;
    case ChangeKind::non_blocking:
        non_blocking();
        break;
    case ChangeKind::event_waits:
        event_waits();
        break;
    case ChangeKind::drop_syncs:
        drop_syncs();
        break;
    case ChangeKind::drop_values:
        drop_values();
        break;
    case ChangeKind::leave_legacy:
        leave_legacy();
        break;
    case ChangeKind::own_stream:
        own_stream();
        break;
    case ChangeKind::pool:
        pool();
        break;
    case ChangeKind::graph:
        graphs();
        break;
    case ChangeKind::faster:
        faster();
        break;
    case ChangeKind::more_streams:
        more_streams();
        break;
    case ChangeKind::overlap_all_reduce:
        overlap_all_reduce();
        break;
    case ChangeKind::faster_link:
        faster_link();
        break;
    case ChangeKind::prefetch:
        prefetch();
        break;
    case ChangeKind::split:
        split();
        break;
    case ChangeKind::buckets:
        buckets();
        break;
    case ChangeKind::gather:
        gather();
        break;
    case ChangeKind::workers:
        workers();
        break;
    }
    return std::move(m_applied);
}

Applied apply(Script& script, const Graph& graph, const Change& change, Way way, const Answers& answers)
{
    const bool can_be_refused
        = std::any_of(answers.begin(), answers.end(), [](const auto& answer) { return !answer.second; });
    if (!can_be_refused) {
        return Edit(script, graph, change, way, answers).run();
    }
    auto edited = script;
    auto applied = Edit(edited, graph, change, way, answers).run();
    const auto old_bytes = answers.find("old-bytes");
    applied.is_refused
        = applied.is_refused || (applied.old_bytes > 0 && old_bytes != answers.end() && !old_bytes->second);
    if (applied.is_refused) {
        applied.count = 0;
        applied.drops_calls = applied.loads_ahead = false;
    } else {
        script = std::move(edited);
    }
    return applied;
}

}  // namespace lanes::whatif
