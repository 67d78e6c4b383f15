// SPDX-License-Identifier: MIT
// A script written anew, in which some items have become several. Private to engine/replay.
#pragma once

#include "engine/replay/script.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lanes::replay {

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
            item.own -= std::min(item.own, std::exchange(item.makes_context, 0));
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

    /// Replaces the original.
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
            : operation.gang != none                         ? std::min(operation.length, table.all_reduce_latency)
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
    std::vector<std::uint32_t> m_place, m_operation_place;  ///< by old number; for several pieces the last
};

}  // namespace lanes::replay
