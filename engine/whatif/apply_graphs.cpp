// SPDX-License-Identifier: MIT
#include "engine/analysis/words/shown.h"
#include "engine/whatif/edit.h"

#include <algorithm>

namespace lanes::whatif {

/// How many launches and memsets come again and again, as names and grids or bytes tell; a few of these where that is
/// too few to be worth a graph. 0: nothing repeats.
std::uint32_t Edit::period_of(const std::vector<std::uint32_t>& launches) const
{
    constexpr std::uint32_t longest = 2048;
    constexpr std::uint32_t worth_a_graph = 16;
    const auto same = [&](std::size_t a, std::size_t b) {
        const Row row_a = m_script.operations[m_script.items[launches[a]].first_operation].row;
        const Row row_b = m_script.operations[m_script.items[launches[b]].first_operation].row;
        const auto& ops = m_trace.operations;
        if (ops.kind[row_a] != ops.kind[row_b]) {
            return false;
        }
        return ops.kind[row_a] == OperationKind::memset
            ? m_trace.memsets[ops.detail[row_a]].bytes == m_trace.memsets[ops.detail[row_b]].bytes
            : ops.name[row_a] == ops.name[row_b]
                && m_trace.kernels[ops.detail[row_a]].grid == m_trace.kernels[ops.detail[row_b]].grid;
    };
    for (std::uint32_t period = 1; period <= longest && 3 * std::size_t {period} <= launches.size(); ++period) {
        bool repeats = true;
        for (std::size_t i = period; i < launches.size() && repeats; ++i) {
            repeats = same(i, i - period);
        }
        if (repeats) {
            const auto times = std::max(1U, (worth_a_graph + period - 1) / period);
            return 2 * std::size_t {times} * period <= launches.size() ? times * period : 0;
        }
    }
    return 0;
}

/// Launches of one thread on one stream with nothing else between them, as graphs.
void Edit::make_graphs(const std::vector<std::uint32_t>& launches, bool& is_first)
{
    const auto period = m_change.amount > 0 ? static_cast<std::uint32_t>(m_change.amount) : period_of(launches);
    const auto& table = m_script.constants.table;
    for (std::size_t at = 0; period > 1 && at + period <= launches.size(); at += period) {
        auto& head = m_script.items[launches[at]];
        const auto first = head.first_operation;
        head.own = table.graph_call + period * table.graph_node;
        if (is_first) {
            head.own += period * (table.capture_call + table.instantiate_node) + table.instantiate_call;
            is_first = false;
        }
        head.type = CallClass::graph_launch;
        head.operations = period;
        for (std::uint32_t i = 0; i < period; ++i) {
            auto& node = m_script.operations[first + i];
            node.of_graph = true;
            node.bound = StartCause::unknown;
            node.after = i > 0 ? first + i - 1 : none;
            if (i > 0) {  // with the thread's own time before it, which made that launch
                auto& item = m_script.items[launches[at + i]];
                item.operations = 0;
                item.dropped = true;
            }
        }
        m_applied.count += period;
    }
}

void Edit::graphs()
{
    bool is_first = !is_lifted("graph-once");
    for (std::size_t thread = 0; thread + 1 < m_script.first_item.size(); ++thread) {
        std::vector<std::uint32_t> launches;
        const auto end = [&] {
            make_graphs(launches, is_first);
            launches.clear();
        };
        for (auto index = m_script.first_item[thread]; index < m_script.first_item[thread + 1]; ++index) {
            const auto& item = m_script.items[index];
            if (item.dropped || item.type == CallClass::own_state) {
                continue;
            }
            const bool is_launch = item.kind == Item::call && item.operations == 1 && item.actions == 0
                && item.wait == Item::nothing && !item.full;
            const auto* const node = is_launch ? &m_script.operations[item.first_operation] : nullptr;
            const bool is_node = node != nullptr
                && (node->kind == OperationKind::kernel || node->kind == OperationKind::memset) && !node->of_graph
                && node->gang == none && !node->dropped && m_on.operation(node->row);
            if (!is_node) {
                end();
                continue;
            }
            const auto last = launches.empty() ? none : m_script.items[launches.back()].first_operation;
            if (last != none
                && (m_script.operations[last].stream != node->stream || last + 1 != item.first_operation)) {
                end();
            }
            launches.push_back(index);
        }
        end();
    }
    m_applied.reliability = Reliability::conditional;
    if (m_applied.count > 0) {
        const auto& table = m_script.constants.table;
        add_assumption("graph_once", {{"time", shown_time(table.instantiate_call)}});
        assume("graph_repeats");
    }
}

}  // namespace lanes::whatif
