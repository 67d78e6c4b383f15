// SPDX-License-Identifier: MIT
#include "engine/whatif/edit.h"

#include <algorithm>
#include <utility>

namespace lanes::whatif {

namespace {

constexpr std::uint64_t worth_pieces = 1 << 20;  // bytes of a copy

/// A script written anew, in which some items are several.
class Rewritten {
public:
    explicit Rewritten(const Script& script)
        : m_from(script)
        , m_place(script.items.size())
        , m_operation_place(script.operations.size())
    {
    }

    /// The next item, or one of `pieces` of it.
    void add(std::uint32_t index, std::uint16_t piece = 0, std::uint16_t pieces = 1)
    {
        auto item = m_from.items[index];
        const auto first = item.first_operation;
        item.first_operation = static_cast<std::uint32_t>(m_operations.size());
        item.piece = piece;
        for (std::uint32_t i = 0; i < item.operations; ++i) {
            m_operation_place[first + i] = static_cast<std::uint32_t>(m_operations.size());
            m_operations.push_back(
                pieces > 1 ? part_of(m_from.operations[first + i], piece, pieces) : m_from.operations[first + i]);
        }
        if (piece > 0) {
            item.gap = 0;
            item.actions = 0;
            item.behind = none;
        }
        if (piece + 1 < pieces) {
            item.wait = Item::nothing;
            item.held = false;
        }
        m_place[index] = static_cast<std::uint32_t>(m_items.size());
        m_items.push_back(item);
        m_queues.push_back(index < m_from.queue_of.size() ? m_from.queue_of[index] : none);
    }

    void end_thread() { m_first_item.push_back(static_cast<std::uint32_t>(m_items.size())); }

    /// Puts it in the place of what it was made of.
    void finish(Script& script)
    {
        const auto move
            = [](std::uint32_t& of, const std::vector<std::uint32_t>& places) { of = of == none ? none : places[of]; };
        for (auto& item : m_items) {
            move(item.behind, m_place);
            if (item.wait == Item::item || item.wait == Item::operation) {
                move(item.target, item.wait == Item::item ? m_place : m_operation_place);
            }
        }
        for (auto& operation : m_operations) {
            move(operation.after, m_operation_place);
            move(operation.needs, m_operation_place);
        }
        script.items = std::move(m_items);
        script.operations = std::move(m_operations);
        script.first_item = std::move(m_first_item);
        if (!script.queue_of.empty()) {
            script.queue_of = std::move(m_queues);
        }
    }

private:
    Operation part_of(Operation operation, std::uint16_t piece, std::uint16_t pieces) const
    {
        const auto& table = m_from.constants.table;
        const Ns once = operation.kind == OperationKind::h2d ? table.h2d_overhead
            : operation.kind == OperationKind::d2h           ? table.d2h_overhead
                                                             : 0;
        const Ns least
            = operation.kind == OperationKind::kernel ? std::min(operation.length, table.shortest_kernel) : 0;
        operation.length = std::max(least, once + std::max<Ns>(0, operation.length - once) / pieces);
        operation.tail /= pieces;
        operation.piece = piece;
        operation.pieces = pieces;
        if (piece > 0) {
            operation.bound = StartCause::unknown;
        }
        return operation;
    }

    const Script& m_from;
    std::vector<Item> m_items;
    std::vector<Operation> m_operations;
    std::vector<std::uint32_t> m_queues, m_first_item {0};
    std::vector<std::uint32_t> m_place, m_operation_place;  ///< by old number; of several the last
};

}  // namespace

/// An upload, the kernels right behind it on its stream and the download behind them, if there is one; where the last
/// of them ends. `index` itself: nothing that could be cut begins there.
std::uint32_t Edit::end_of_pipeline(std::uint32_t index) const
{
    const auto end = end_of(m_script.items[index]);
    const auto* const upload = copy_of(m_script.items[index]);
    if (upload == nullptr || upload->kind != OperationKind::h2d || upload->pageable
        || m_script.items[index].wait != Item::nothing || m_trace.bytes_of(upload->row) < worth_pieces
        || !m_on.operation(upload->row)) {
        return index;
    }
    auto at = index + 1;
    for (; at < end; ++at) {
        const auto& item = m_script.items[at];
        const bool launches
            = item.kind == Item::call && item.operations == 1 && !item.dropped && item.wait == Item::nothing;
        const auto* const kernel = launches ? &m_script.operations[item.first_operation] : nullptr;
        if (kernel == nullptr || kernel->kind != OperationKind::kernel || kernel->of_graph || kernel->gang != none
            || kernel->dropped || kernel->stream != upload->stream) {
            break;
        }
    }
    if (at == index + 1) {
        return index;
    }
    const auto* const download = at < end ? copy_of(m_script.items[at]) : nullptr;
    const bool ends_with_it = download != nullptr && download->kind == OperationKind::d2h && !download->pageable
        && download->stream == upload->stream;
    return ends_with_it ? at + 1 : at;
}

/// Of each upload with its kernels and download N pieces, one after the other, the copies on streams of their own.
void Edit::split()
{
    constexpr std::uint16_t usual = 4;
    constexpr double most = 1024;
    const auto pieces = m_change.amount >= 1 ? static_cast<std::uint16_t>(std::min(most, m_change.amount)) : usual;
    Rewritten to(m_script);
    for (std::size_t thread = 0; thread + 1 < m_script.first_item.size(); ++thread) {
        for (auto index = m_script.first_item[thread]; index < m_script.first_item[thread + 1];) {
            const auto end = pieces > 1 ? end_of_pipeline(index) : index;
            if (end == index) {
                to.add(index++);
                continue;
            }
            for (std::uint16_t piece = 0; piece < pieces; ++piece) {
                for (auto at = index; at < end; ++at) {
                    to.add(at, piece, pieces);
                }
            }
            m_applied.count += end - index;
            index = end;
        }
        to.end_thread();
    }
    const auto count = m_applied.count;
    if (count == 0) {
        return;
    }
    to.finish(m_script);
    own_stream();
    m_applied.count = count;
    m_applied.reliability = Reliability::good;
    assume("can_be_cut", {{"count", std::to_string(pieces)}});
}

}  // namespace lanes::whatif
